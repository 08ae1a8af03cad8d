// Practice games against random actions. `arena build --practice` prints the score of the bot.
#include "practice.h"
#include "arena.h"
#include "recorded.h"

const char *const unit = "games";
const char *const rule_sets[] = {"default", NULL};

// The number of turns in which a game must be won to count as won. Chosen: several times what the template needs.
enum { TURNS_MAX = 200 };

// The budget of a turn. Here fuel is not counted, and the clock is the machine's.
enum { FUEL_PER_TURN = 300000000 };

// A side: its ships, and the report of its last action.
typedef struct {
    own_ship_t ships[SHIPS];
    report_t last;
} side_t;

static void place(side_t *side, const coord_t at[SHIPS]) {
    *side = (side_t){.last = {.kind = NOTHING}};
    for (int ship = 0; ship < SHIPS; ship++) {
        side->ships[ship] = (own_ship_t){.hit_points = (uint8_t)(SHIPS - ship), .at = at[ship]};
    }
}

// Takes an attack, and returns the report of it.
static report_t attacked(side_t *target, coord_t at) {
    report_t report = {.kind = ATTACKED, .at = at};
    for (int ship = 0; ship < SHIPS; ship++) {
        own_ship_t *own = &target->ships[ship];
        if (own->hit_points > 0 && index_of(own->at) == index_of(at)) {
            own->hit_points--;
            report.has_hit = true;
            report.hit = (ship_t)ship;
        } else {
            report.near[ship] = own->hit_points > 0 && is_within_a_step(own->at, at);
        }
    }
    return report;
}

static bool is_legal(const view_t *view, action_t action) {
    action_t legal[ACTIONS_MAX];
    size_t count = legal_actions(view, legal);
    for (size_t i = 0; i < count; i++) {
        bool is_same_ship = action.kind == ATTACK || action.ship == legal[i].ship;
        if (action.kind == legal[i].kind && is_same_ship && index_of(action.to) == index_of(legal[i].to)) {
            return true;
        }
    }
    return false;
}

// Plays a game of the bot against random actions, in the second seat in every other game. Returns the number of the bot's turns until
// it has won, or TURNS_MAX if it has not.
uint32_t practise(const char *rules, uint64_t seed, uint32_t number) {
    (void)rules;
    int seat = (int)(number % 2);
    game_t game = {.actions_max = 2 * TURNS_MAX, .fuel_per_turn = FUEL_PER_TURN, .seed = seed};
    rng_t rng = {~seed};
    side_t sides[2];
    coord_t at[SHIPS];
    bot_deploy(&game, at);
    place(&sides[seat], at);
    random_positions(&rng, at);
    place(&sides[1 - seat], at);
    for (uint32_t played = 0; played < game.actions_max; played++) {
        side_t *own = &sides[played % 2], *enemy = &sides[1 - played % 2];
        view_t view = {.turn = played / 2 + 1, .my_last = own->last, .enemy_last = enemy->last};
        for (int ship = 0; ship < SHIPS; ship++) {
            view.own[ship] = own->ships[ship];
            view.enemy_hit_points[ship] = enemy->ships[ship].hit_points;
        }
        bool is_bot = (int)(played % 2) == seat;
        action_t legal[ACTIONS_MAX];
        action_t action = legal[rng_below(&rng, (uint32_t)legal_actions(&view, legal))];
        if (is_bot) {
            action = bot_play(&game, &view);
            if (!is_legal(&view, action)) {
                fprintf(stderr, "practice: game %u, turn %u: the action is not legal\n", number, view.turn);
                exit(1);
            }
        }
        if (action.kind == ATTACK) {
            own->last = attacked(enemy, action.to);
        } else {
            coord_t from = own->ships[action.ship].at;
            int down = action.to.row - from.row, right = action.to.column - from.column;
            own->last = (report_t){.kind = MOVED, .ship = action.ship, .down = down, .right = right};
            own->ships[action.ship].at = action.to;
        }
        int afloat = 0;
        for (int ship = 0; ship < SHIPS; ship++) {
            afloat += enemy->ships[ship].hit_points > 0;
        }
        if (afloat == 0) {
            return is_bot ? view.turn : TURNS_MAX;
        }
    }
    return TURNS_MAX;
}

void print_result(const uint32_t *numbers, uint32_t count, const char *mean) {
    uint32_t won = 0;
    for (uint32_t i = 0; i < count; i++) {
        won += numbers[i] < TURNS_MAX;
    }
    printf("%u of %u games won against random actions, %s turns a game\n", won, count, mean);
}

static ship_t ship_of(const char *name) {
    return *name == 'b' ? BATTLESHIP : *name == 'c' ? CRUISER : SUBMARINE;
}

static report_t report_of(const char *text) {
    report_t report = {.kind = NOTHING};
    char name[16];
    if (text == NULL) {
        return report;
    }
    if (sscanf(text, "{\"moved\":{\"ship\":\"%15[a-z]\",\"down\":%d,\"right\":%d", name, &report.down, &report.right) == 3) {
        report.kind = MOVED;
        report.ship = ship_of(name);
    } else if (sscanf(text, "{\"attacked\":{\"at\":[%hhu,%hhu]", &report.at.row, &report.at.column) == 2) {
        report.kind = ATTACKED;
        const char *hit = value_of(text, "hit"), *near = value_of(text, "near");
        report.has_hit = hit != NULL && hit < near;
        report.hit = report.has_hit ? ship_of(hit + 1) : BATTLESHIP;
        while (near != NULL && sscanf(++near, "\"%15[a-z]\"", name) == 1) {
            report.near[ship_of(name)] = true;
            near = strpbrk(near, ",]");
        }
    }
    return report;
}

void repeat_call(const char *call, char answer[ANSWER_MAX]) {
    game_t game = {
        .actions_max = (uint32_t)number_of(call, "actions-max"),
        .fuel_per_turn = number_of(call, "fuel-per-turn"),
        .seed = number_of(call, "seed"),
    };
    const char *shown = value_of(call, "view");
    if (shown == NULL) {
        coord_t at[SHIPS];
        bot_deploy(&game, at);
        snprintf(answer, ANSWER_MAX, "[[%d,%d],[%d,%d],[%d,%d]]", at[0].row, at[0].column, at[1].row, at[1].column, at[2].row, at[2].column);
        return;
    }
    view_t view = {
        .turn = (uint32_t)number_of(call, "turn"),
        .my_last = report_of(value_of(shown, "my-last")),
        .enemy_last = report_of(value_of(shown, "enemy-last")),
    };
    char name[16];
    own_ship_t own;
    const char *next = value_of(shown, "own"), *enemy = value_of(shown, "enemy");
    while (next != NULL && sscanf(++next, "{\"ship\":\"%15[a-z]\",\"hit-points\":%hhu,\"at\":[%hhu,%hhu]", name, &own.hit_points, &own.at.row, &own.at.column) == 4) {
        view.own[ship_of(name)] = own;
        next = strchr(next, '}') + 1;
    }
    while (enemy != NULL && sscanf(++enemy, "{\"ship\":\"%15[a-z]\",\"hit-points\":%hhu", name, &own.hit_points) == 2) {
        view.enemy_hit_points[ship_of(name)] = own.hit_points;
        enemy = strchr(enemy, '}') + 1;
    }
    action_t action = bot_play(&game, &view);
    const char *const names[] = {"battleship", "cruiser", "submarine"};
    if (action.kind == ATTACK) {
        snprintf(answer, ANSWER_MAX, "{\"attack\":[%d,%d]}", action.to.row, action.to.column);
    } else {
        snprintf(answer, ANSWER_MAX, "{\"move\":[\"%s\",[%d,%d]]}", names[action.ship], action.to.row, action.to.column);
    }
}
