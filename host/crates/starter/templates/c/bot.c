// A bot that shoots next to its hits, and anywhere else if there are no targets next to them.
#include "arena.h"

const char *const bot_name = "first-bot";

void bot_deploy(const game_t *game, placement_t *fleet) {
    rng_t rng = rng_of(game, 0);
    random_fleet(game, &rng, fleet);
}

static bool is_beside_a_hit(const game_t *game, const view_t *view, coord_t at) {
    for (int n = 0; n < 4; n++) {
        if (look(game, view->attacks, at, NEIGHBOURS[n][0], NEIGHBOURS[n][1], UNKNOWN) == HIT) {
            return true;
        }
    }
    return false;
}

// If ships may not touch, the cells at the corners of a hit are water.
static bool is_surely_water(const game_t *game, const view_t *view, coord_t at) {
    for (int n = 4; n < 8 && !game->may_touch; n++) {
        if (look(game, view->attacks, at, NEIGHBOURS[n][0], NEIGHBOURS[n][1], UNKNOWN) == HIT) {
            return true;
        }
    }
    return false;
}

bool bot_play(const game_t *game, const view_t *view, coord_t *shot) {
    coord_t targets[CELLS_MAX], hopeful[CELLS_MAX], beside[CELLS_MAX];
    uint32_t target_count = 0, hopeful_count = 0, beside_count = 0;
    for (size_t index = 0; index < cell_count(game); index++) {
        coord_t at = cell_at(game, index);
        if (view->attacks[index] != UNKNOWN) {
            continue;
        }
        targets[target_count++] = at;
        if (is_surely_water(game, view, at)) {
            continue;
        }
        hopeful[hopeful_count++] = at;
        if (is_beside_a_hit(game, view, at)) {
            beside[beside_count++] = at;
        }
    }
    rng_t rng = rng_of(game, view->turn);
    if (beside_count > 0) {
        *shot = beside[rng_below(&rng, beside_count)];
    } else if (hopeful_count > 0) {
        *shot = hopeful[rng_below(&rng, hopeful_count)];
    } else if (target_count > 0) {
        *shot = targets[rng_below(&rng, target_count)];
    }
    return target_count > 0;
}
