// Practice boards: the number of shots that the bot needs alone. `arena build --practice` prints it.
#include "practice.h"
#include "arena.h"
#include "recorded.h"

const char *const unit = "boards";
const char *const rule_sets[] = {"guide", "classic", "pirates", NULL};

static const uint8_t GUIDE[] = {4, 3, 3, 2, 2, 2, 1, 1, 1, 1}, OTHERS[] = {5, 4, 3, 3, 2};

// Returns a game under built-in rules. Here fuel is not counted, and the clock is the machine's.
static game_t game_by(const char *rules, uint64_t seed) {
    bool is_guide = strcmp(rules, "guide") == 0, is_classic = strcmp(rules, "classic") == 0;
    return (game_t){
        .width = 10,
        .height = 10,
        .fleet = is_guide ? GUIDE : OTHERS,
        .ships = is_guide ? sizeof GUIDE : sizeof OTHERS,
        .may_touch = is_classic,
        .sinkings_announced = !is_guide,
        .turns_max = is_guide ? 400 : is_classic ? 2000 : 200,
        .fuel_per_turn = is_guide || is_classic ? 300000000 : 50000000,
        .seed = seed,
    };
}

static void foul(const char *what, uint32_t board, uint32_t turn) {
    fprintf(stderr, "practice: board %u, turn %u: %s\n", board, turn, what);
    exit(1);
}

// The number of times that drawn_fleet moves a ship. Measured: more moves do not change the number of shots for a board.
enum { MOVES = 500 };

// Draws a fleet as the arena draws it: all legal fleets are about equally likely, which those of random_fleet are not. Ships of such a
// fleet are moved, again and again, to random places.
static void drawn_fleet(const game_t *game, rng_t *rng, placement_t *fleet) {
    random_fleet(game, rng, fleet);
    for (int i = 0; i < MOVES; i++) {
        uint32_t ship = rng_below(rng, (uint32_t)game->ships);
        placement_t before = fleet[ship];
        fleet[ship].anchor = cell_at(game, rng_below(rng, (uint32_t)cell_count(game)));
        fleet[ship].direction = rng_below(rng, 2) == 0 ? EAST : SOUTH;
        if (!is_legal_fleet(game, fleet)) {
            fleet[ship] = before;
        }
    }
}

// Lets the bot clear a random board alone, and returns the number of its shots. Here, variables in bot.c keep their values from board to
// board: a game begins with `bot_deploy`, or in turn 1.
uint32_t practise(const char *rules, uint64_t seed, uint32_t number) {
    game_t game = game_by(rules, seed);
    rng_t rng = {seed};
    placement_t ships[SHIPS_MAX], own[SHIPS_MAX];
    drawn_fleet(&game, &rng, ships);
    drawn_fleet(&game, &rng, own);
    // Under the `pirates` rules, the arena places both fleets.
    if (strcmp(rules, "pirates") != 0) {
        bot_deploy(&game, own);
    }
    if (!is_legal_fleet(&game, own)) {
        foul("the fleet is not legal", number, 0);
    }
    uint8_t board[CELLS_MAX] = {0}, attacks[CELLS_MAX] = {0}, ship_at[CELLS_MAX] = {0}, left[SHIPS_MAX];
    for (size_t ship = 0; ship < game.ships; ship++) {
        uint8_t drawn[CELLS_MAX] = {0};
        draw_ship(&game, board, own[ship], game.fleet[ship]);
        draw_ship(&game, drawn, ships[ship], game.fleet[ship]);
        for (size_t index = 0; index < cell_count(&game); index++) {
            ship_at[index] = drawn[index] == SHIP ? (uint8_t)(ship + 1) : ship_at[index];
        }
        left[ship] = game.fleet[ship];
    }
    coord_t shot, last;
    for (uint32_t turn = 1; turn <= game.turns_max; turn++) {
        uint8_t afloat[SHIPS_MAX];
        size_t count = 0;
        for (size_t ship = 0; ship < game.ships; ship++) {
            if (left[ship] > 0) {
                afloat[count++] = game.fleet[ship];
            }
        }
        if (count == 0) {
            return turn - 1;
        }
        view_t view = {
            .turn = turn,
            .board = board,
            .attacks = attacks,
            .my_last = turn > 1 ? &last : NULL,
            .ships_remaining = game.sinkings_announced ? afloat : NULL,
            .ships_remaining_count = game.sinkings_announced ? count : 0,
        };
        if (!bot_play(&game, &view, &shot)) {
            foul("it was skipped", number, turn);
        }
        size_t index = (size_t)shot.row * game.width + shot.column;
        if (shot.row >= game.height || shot.column >= game.width || attacks[index] != UNKNOWN) {
            foul("the shot is off the board or repeated", number, turn);
        }
        attacks[index] = ship_at[index] > 0 ? HIT : MISS;
        if (ship_at[index] > 0) {
            left[ship_at[index] - 1]--;
        }
        last = shot;
    }
    foul("the board is not clear", number, game.turns_max);
    return 0;
}

void print_result(const uint32_t *numbers, uint32_t count, const char *mean) {
    (void)numbers;
    printf("%s shots a board over %u boards\n", mean, count);
}

// The arguments of a recorded call. `view_t` and `game_t` point to the lists here.
static uint8_t fleet[SHIPS_MAX], board[CELLS_MAX], attacks[CELLS_MAX], remaining[SHIPS_MAX], spot[2];
static coord_t last_spot, my_last;

// Reads a list of numbers, and returns how many there are.
static size_t list_of(const char *call, const char *name, uint8_t *numbers, size_t most) {
    const char *text = value_of(call, name);
    size_t count = 0;
    while (text != NULL && (*text == '[' || *text == ',') && text[1] != ']' && count < most) {
        char *end;
        numbers[count++] = (uint8_t)strtoul(text + 1, &end, 10);
        text = end;
    }
    return count;
}

static bool flag_of(const char *call, const char *name) {
    const char *text = value_of(call, name);
    return text != NULL && *text == 't';
}

static const coord_t *spot_of(const char *call, const char *name, coord_t *at) {
    if (list_of(call, name, spot, 2) != 2) {
        return NULL;
    }
    *at = (coord_t){.row = spot[0], .column = spot[1]};
    return at;
}

void repeat_call(const char *call, char answer[ANSWER_MAX]) {
    game_t game = {
        .width = (uint8_t)number_of(call, "width"),
        .height = (uint8_t)number_of(call, "height"),
        .fleet = fleet,
        .ships = list_of(call, "fleet", fleet, SHIPS_MAX),
        .may_touch = flag_of(call, "may-touch"),
        .sinkings_announced = flag_of(call, "sinkings-announced"),
        .turns_max = (uint32_t)number_of(call, "turns-max"),
        .fuel_per_turn = number_of(call, "fuel-per-turn"),
        .seed = number_of(call, "seed"),
    };
    if (value_of(call, "view") == NULL) {
        placement_t places[SHIPS_MAX];
        bot_deploy(&game, places);
        size_t length = 0;
        for (size_t ship = 0; ship < game.ships; ship++) {
            placement_t at = places[ship];
            const char *before = ship == 0 ? "[" : ",";
            length += (size_t)snprintf(answer + length, ANSWER_MAX - length, "%s[%d,%d,\"%c\"]", before, at.anchor.row, at.anchor.column, "NESW"[at.direction]);
        }
        snprintf(answer + length, ANSWER_MAX - length, "]");
        return;
    }
    size_t afloat = list_of(call, "ships-remaining", remaining, SHIPS_MAX);
    list_of(call, "board", board, CELLS_MAX);
    list_of(call, "attacks", attacks, CELLS_MAX);
    view_t view = {
        .turn = (uint32_t)number_of(call, "turn"),
        .board = board,
        .attacks = attacks,
        .last_spot = spot_of(call, "last-spot", &last_spot),
        .my_last = spot_of(call, "my-last", &my_last),
        .retry = flag_of(call, "retry"),
        .ships_remaining = value_of(call, "ships-remaining") == NULL ? NULL : remaining,
        .ships_remaining_count = afloat,
    };
    coord_t shot;
    if (bot_play(&game, &view, &shot)) {
        snprintf(answer, ANSWER_MAX, "{\"shot\":[%d,%d]}", shot.row, shot.column);
    } else {
        snprintf(answer, ANSWER_MAX, "\"skip\"");
    }
}
