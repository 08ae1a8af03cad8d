// A bot that attacks where the enemy's ships most likely are, and moves if there is nothing in reach.
#include "arena.h"

const char *const bot_name = "first-bot";

// The state: for each ship of the enemy, the cells on which it may be.
static bool maybe[SHIPS][CELLS];

void bot_deploy(const game_t *game, coord_t at[SHIPS]) {
    for (int ship = 0; ship < SHIPS; ship++) {
        for (size_t index = 0; index < CELLS; index++) {
            maybe[ship][index] = true;
        }
    }
    rng_t rng = rng_of(game, 0);
    random_positions(&rng, at);
}

// Processes the report of the bot's last attack.
static void learn_from_attack(const report_t *report) {
    for (int ship = 0; ship < SHIPS; ship++) {
        for (size_t index = 0; index < CELLS; index++) {
            bool is_here = index == index_of(report->at);
            bool is_near = is_within_a_step(cell_at(index), report->at);
            if (report->has_hit && report->hit == (ship_t)ship) {
                maybe[ship][index] = is_here;
            } else if (report->near[ship]) {
                maybe[ship][index] = maybe[ship][index] && is_near && !is_here;
            } else {
                maybe[ship][index] = maybe[ship][index] && !is_near;
            }
        }
    }
}

// Processes the report of a move of the enemy.
static void learn_from_move(const report_t *report) {
    bool before[CELLS];
    for (size_t index = 0; index < CELLS; index++) {
        before[index] = maybe[report->ship][index];
    }
    for (size_t index = 0; index < CELLS; index++) {
        int row = cell_at(index).row - report->down, column = cell_at(index).column - report->right;
        bool is_on_board = row >= 0 && row < SIDE && column >= 0 && column < SIDE;
        maybe[report->ship][index] = is_on_board && before[row * SIDE + column];
    }
}

// The expected number of ships of the enemy on a cell.
static double worth(const view_t *view, size_t index) {
    double sum = 0;
    for (int ship = 0; ship < SHIPS; ship++) {
        int cells = 0;
        for (size_t other = 0; other < CELLS; other++) {
            cells += maybe[ship][other];
        }
        if (view->enemy_hit_points[ship] > 0 && maybe[ship][index]) {
            sum += 1.0 / cells;
        }
    }
    return sum;
}

action_t bot_play(const game_t *game, const view_t *view) {
    if (view->my_last.kind == ATTACKED) {
        learn_from_attack(&view->my_last);
    }
    if (view->enemy_last.kind == MOVED) {
        learn_from_move(&view->enemy_last);
    }
    action_t actions[ACTIONS_MAX], best[ACTIONS_MAX];
    size_t count = legal_actions(view, actions);
    uint32_t best_count = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        // A move has a small worth, so that it is chosen if no attack can hit.
        double value = actions[i].kind == ATTACK ? worth(view, index_of(actions[i].to)) : 1e-9;
        if (value > most) {
            most = value;
            best_count = 0;
        }
        if (value == most && value > 0) {
            best[best_count++] = actions[i];
        }
    }
    rng_t rng = rng_of(game, view->turn);
    return best_count > 0 ? best[rng_below(&rng, best_count)] : actions[0];
}
