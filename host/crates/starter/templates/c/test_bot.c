// Tests of the bot on practice boards, natively: `sh test.sh`. They print its score.
#include "arena.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The fleet of the `guide` rules. Its ships may not touch.
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

// The arguments of a recorded call. `view_t` and `game_t` point to the lists here.
static uint8_t fleet[SHIPS_MAX], board[CELLS_MAX], attacks[CELLS_MAX], remaining[SHIPS_MAX], spot[2];
static coord_t last_spot, my_last;

// Reads a list of numbers, and returns how many there are.
static size_t list_of(const char *name, uint8_t *numbers, size_t most) {
    const char *text = value_of(recorded, name);
    size_t count = 0;
    while (text != NULL && (*text == '[' || *text == ',') && text[1] != ']' && count < most) {
        char *end;
        numbers[count++] = (uint8_t)strtoul(text + 1, &end, 10);
        text = end;
    }
    return count;
}

static bool flag_of(const char *name) {
    const char *text = value_of(recorded, name);
    return text != NULL && *text == 't';
}

static const coord_t *spot_of(const char *name, coord_t *at) {
    if (list_of(name, spot, 2) != 2) {
        return NULL;
    }
    *at = (coord_t){.row = spot[0], .column = spot[1]};
    return at;
}

// Calls the bot as it was called in a recorded turn, and prints its answer. Set a breakpoint in bot.c.
static int play_recorded(const char *path) {
    if (!read_recorded(path)) {
        return 1;
    }
    game_t game = {
        .width = (uint8_t)number_of("width"),
        .height = (uint8_t)number_of("height"),
        .fleet = fleet,
        .ships = list_of("fleet", fleet, SHIPS_MAX),
        .may_touch = flag_of("may-touch"),
        .sinkings_announced = flag_of("sinkings-announced"),
        .turns_max = (uint32_t)number_of("turns-max"),
        .fuel_per_turn = number_of("fuel-per-turn"),
        .seed = number_of("seed"),
    };
    if (value_of(recorded, "view") == NULL) {
        placement_t places[SHIPS_MAX];
        bot_deploy(&game, places);
        for (size_t ship = 0; ship < game.ships; ship++) {
            printf("(%d, %d) %c\n", places[ship].anchor.row, places[ship].anchor.column, "NESW"[places[ship].direction]);
        }
        return 0;
    }
    size_t afloat = list_of("ships-remaining", remaining, SHIPS_MAX);
    list_of("board", board, CELLS_MAX);
    list_of("attacks", attacks, CELLS_MAX);
    view_t view = {
        .turn = (uint32_t)number_of("turn"),
        .board = board,
        .attacks = attacks,
        .last_spot = spot_of("last-spot", &last_spot),
        .my_last = spot_of("my-last", &my_last),
        .retry = flag_of("retry"),
        .ships_remaining = value_of(recorded, "ships-remaining") == NULL ? NULL : remaining,
        .ships_remaining_count = afloat,
    };
    coord_t shot;
    if (bot_play(&game, &view, &shot)) {
        printf("(%d, %d)\n", shot.row, shot.column);
    } else {
        printf("skip\n");
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--view") == 0) {
        return play_recorded(argv[2]);
    }
    check(places_legal_fleets(), "it places a legal fleet");
    check(shoots_beside_a_hit(), "it shoots next to a hit");
    const int boards = 500;
    rng_t rng = {1};
    double sum = 0, squares = 0;
    for (int board = 0; board < boards; board++) {
        game_t game = guide(rng_below(&rng, UINT32_MAX));
        double shots = shots_to_clear(&game, &rng);
        sum += shots;
        squares += shots * shots;
    }
    double mean = sum / boards;
    double error = 1.96 * sqrt((squares / boards - mean * mean) / (boards - 1));
    printf("%.2f ± %.2f shots a board over %d boards\n", mean, error, boards);
    check(mean < 90, "it needs fewer than 90 shots (shooting anywhere needs 96)");
    return 0;
}
