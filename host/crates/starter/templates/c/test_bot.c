// Tests of the bot on practice boards, natively: `sh test.sh`. They print its score.
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>

// The fleet of the rules `guide`, whose ships may not touch.
static const uint8_t FLEET[] = {4, 3, 3, 2, 2, 2, 1, 1, 1, 1};

static game_t guide(uint64_t seed) {
    return (game_t){
        .width = 10,
        .height = 10,
        .fleet = FLEET,
        .ships = sizeof FLEET,
        .turns_max = 400,
        .fuel_per_turn = UINT64_MAX,
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

// Returns the number of shots that the bot needs for a random board alone.
static uint32_t shots_to_clear(const game_t *game, rng_t *rng) {
    uint8_t board[CELLS_MAX] = {0}, ships[CELLS_MAX] = {0}, attacks[CELLS_MAX] = {0};
    placement_t fleet[SHIPS_MAX];
    if (!deploy(game, board) || !random_fleet(game, rng, fleet)) {
        check(false, "there are two legal fleets");
    }
    size_t left = 0;
    for (size_t ship = 0; ship < game->ships; ship++) {
        draw_ship(game, ships, fleet[ship], game->fleet[ship]);
        left += game->fleet[ship];
    }
    coord_t shot, last;
    for (uint32_t turn = 1; turn <= game->turns_max; turn++) {
        view_t view = {.turn = turn, .board = board, .attacks = attacks, .my_last = turn > 1 ? &last : NULL};
        bool is_shot = bot_play(game, &view, &shot);
        size_t index = (size_t)shot.row * game->width + shot.column;
        if (!is_shot || shot.row >= game->height || shot.column >= game->width || attacks[index] != UNKNOWN) {
            check(false, "each shot is at a cell on the board that was not shot at");
        }
        attacks[index] = ships[index] == SHIP ? HIT : MISS;
        left -= ships[index] == SHIP;
        last = shot;
        if (left == 0) {
            return turn;
        }
    }
    check(false, "the board is clear in the end");
    return 0;
}

int main(void) {
    check(places_legal_fleets(), "it places a legal fleet");
    check(shoots_beside_a_hit(), "it shoots beside a hit");
    const int boards = 500;
    rng_t rng = {1};
    uint64_t shots = 0;
    for (int board = 0; board < boards; board++) {
        game_t game = guide(rng_below(&rng, UINT32_MAX));
        shots += shots_to_clear(&game, &rng);
    }
    double mean = (double)shots / boards;
    printf("%.2f shots a board over %d boards\n", mean, boards);
    check(mean < 90, "it is better than shooting anywhere, which needs 96 shots");
    return 0;
}
