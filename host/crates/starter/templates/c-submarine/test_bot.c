// Tests of the bot in practice games against random actions, natively: `arena build --test`.
#include "arena.h"
#include "practice.h"

#include <stdio.h>
#include <stdlib.h>

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
    printf("ok: %s\n", what);
}

static bool attacks_again_where_it_hit(void) {
    game_t game = {.actions_max = 10000, .fuel_per_turn = 300000000, .seed = 7};
    coord_t at[SHIPS];
    bot_deploy(&game, at);
    view_t view = {
        .turn = 2,
        .own = {{.hit_points = 3, .at = {1, 1}}},
        .enemy_hit_points = {0, 1, 0},
        .my_last = {.kind = ATTACKED, .at = {2, 2}, .has_hit = true, .hit = CRUISER},
    };
    action_t action = bot_play(&game, &view);
    return action.kind == ATTACK && action.to.row == 2 && action.to.column == 2;
}

int main(void) {
    check(attacks_again_where_it_hit(), "it attacks again where it hit");
    uint32_t turns = 0;
    for (uint32_t game = 0; game < 200; game++) {
        turns += practise("default", game, game);
    }
    check(turns < 100 * 200, "it wins games against random actions in fewer than 100 turns");
    return 0;
}
