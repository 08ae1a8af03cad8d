// The contract with the arena as C types, and tools for the game. This file needs no edit.
//
// Boards have a byte for each cell, row by row from the top left: the cell (row, column) has the index
// `row * game->width + column`. Row 0, column 0 is the top left; rows grow downwards, columns to the right.
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The cells of boards.
enum {
    UNKNOWN = 0, // the opponent's: not shot at yet
    WATER = 0,   // the bot's own: no ship, not shot at yet
    SHIP = 1,    // the bot's own: a part of a ship that is not hit
    MISS = 2,    // either: shot at, water
    HIT = 3,     // either: shot at, a part of a ship
};

// The largest number of cells of a board, and of ships of a fleet.
enum { CELLS_MAX = 32 * 32, SHIPS_MAX = 64 };

// A cell of a board, counted from 0.
typedef struct {
    uint8_t row;
    uint8_t column;
} coord_t;

// The direction in which a ship extends from its anchor. North is up, towards row 0.
typedef enum { NORTH = 0, EAST = 1, SOUTH = 2, WEST = 3 } direction_t;

// The place of a ship: it begins at the anchor and extends in the direction. Its length is in `game_t.fleet`.
typedef struct {
    coord_t anchor;
    direction_t direction;
} placement_t;

// The facts of a game that never change. They come with every call.
typedef struct {
    uint8_t width;           // number of columns, 1 to 32
    uint8_t height;          // number of rows, 1 to 32
    const uint8_t *fleet;    // lengths of each side's ships, longest first
    size_t ships;            // number of ships, 1 to 64
    bool may_touch;          // true if ships may touch, side by side or corner to corner
    bool sinkings_announced; // true if the rules announce which ships are sunk
    uint32_t turns_max;      // number of turns of each side after which the game is a draw
    uint64_t fuel_per_turn;  // budget of fuel for one turn with all its retries, and for `bot_deploy`
    uint64_t seed;           // random seed of this side in this game
} game_t;

// The state of the game that a bot may know at its turn.
typedef struct {
    uint32_t turn;                  // number of the bot's turn, from 1; a retry is the same turn
    const uint8_t *board;           // the bot's own board: WATER, SHIP, MISS or HIT
    const uint8_t *attacks;         // the opponent's board, as far as it is known: UNKNOWN, MISS or HIT
    const coord_t *last_spot;       // cell that the opponent shot at in its last turn; NULL if it did not
    const coord_t *my_last;         // cell that the bot shot at in its last turn; NULL if it did not
    bool retry;                     // true if the previous answer in this turn was off the board or already shot at
    const uint8_t *ships_remaining; // lengths of the opponent's ships afloat; NULL if sinkings are not announced
    size_t ships_remaining_count;   // number of these ships
} view_t;

// The bot, in bot.c. Pointers that it gets are valid during the call.

// The name to display.
extern const char *const bot_name;

// Writes the placements of the fleet, one for each length in `game->fleet`, in the same order.
void bot_deploy(const game_t *game, placement_t *fleet);

// Writes the next shot and returns true, or returns false to skip the turn.
bool bot_play(const game_t *game, const view_t *view, coord_t *shot);

// Tools, in arena.c.

// The number of cells of a board.
size_t cell_count(const game_t *game);

// The cell with an index of a board.
coord_t cell_at(const game_t *game, size_t index);

// Steps from a cell to its neighbours (down, right): four that share an edge, then four that share a corner.
extern const int8_t NEIGHBOURS[8][2];

// Reads the cell that is some steps from a cell; `otherwise` off the board.
uint8_t look(const game_t *game, const uint8_t *board, coord_t at, int down, int right, uint8_t otherwise);

// A seeded source of random numbers. The same seed always gives the same numbers.
typedef struct {
    uint64_t state;
} rng_t;

// The random numbers for a turn, from the game's seed. The deployment is turn 0.
rng_t rng_of(const game_t *game, uint32_t turn);

// Returns a number from 0 to `bound - 1`. The bound must be at least 1.
uint32_t rng_below(rng_t *rng, uint32_t bound);

// Writes a legal random fleet. Returns false if none was found, for example because the board is too small.
bool random_fleet(const game_t *game, rng_t *rng, placement_t *fleet);

// Returns true if a fleet is legal: on the board, without ships that overlap, or touch if that is forbidden.
bool is_legal_fleet(const game_t *game, const placement_t *fleet);

// Marks the cells of a ship on a board. Cells off the board are left out.
void draw_ship(const game_t *game, uint8_t *board, placement_t place, uint8_t length);

#endif
