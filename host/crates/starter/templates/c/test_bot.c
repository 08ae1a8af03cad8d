// Tests of the bot on practice boards, natively: `arena build --test`.
#include "arena.h"
#include "practice.h"

#include <stdio.h>
#include <stdlib.h>

// The fleet of the `guide` rules. Its ships may not touch.
static const uint8_t FLEET[] = {4, 3, 3, 2, 2, 2, 1, 1, 1, 1};

static game_t guide(uint64_t seed) {
    return (game_t){
        .width = 10,
        .height = 10,
        .fleet = FLEET,
        .ships = sizeof FLEET,
        .turns_max = 400,
        .fuel_per_turn = 300000000,
        .seed = seed,
    };
}

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
    printf("ok: %s\n", what);
}

// Draws the bot's fleet on a board, and returns true if it is legal.
static bool deploy(const game_t *game, uint8_t *board) {
    placement_t fleet[SHIPS_MAX];
    bot_deploy(game, fleet);
    for (size_t ship = 0; ship < game->ships; ship++) {
        draw_ship(game, board, fleet[ship], game->fleet[ship]);
    }
    return is_legal_fleet(game, fleet);
}

static bool places_legal_fleets(void) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        game_t game = guide(seed);
        uint8_t board[CELLS_MAX] = {0};
        if (!deploy(&game, board)) {
            return false;
        }
    }
    return true;
}

static bool shoots_beside_a_hit(void) {
    game_t game = guide(7);
    uint8_t board[CELLS_MAX] = {0}, attacks[CELLS_MAX] = {HIT, MISS};
    view_t view = {.turn = 1, .board = board, .attacks = attacks};
    coord_t shot;
    return bot_play(&game, &view, &shot) && shot.row == 1 && shot.column == 0;
}

int main(void) {
    check(places_legal_fleets(), "it places a legal fleet");
    check(shoots_beside_a_hit(), "it shoots next to a hit");
    uint32_t shots = 0;
    for (uint32_t board = 0; board < 500; board++) {
        shots += practise("guide", board, board);
    }
    check(shots < 90 * 500, "it needs fewer than 90 shots (shooting anywhere needs 96)");
    return 0;
}
