// The contract with the arena as C types, and tools for the game. This file needs no edit.
//
// The board has 5 rows and 5 columns. Row 0, column 0 is the top left; rows grow downwards, columns to the right.
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of rows and of columns, of cells, and of the ships of a side.
enum { SIDE = 5, CELLS = SIDE * SIDE, SHIPS = 3 };

// The largest number of legal actions: attacks on all cells, and moves of each ship.
enum { ACTIONS_MAX = CELLS + SHIPS * 2 * (SIDE - 1) };

// A cell of the board, counted from 0.
typedef struct {
    uint8_t row;
    uint8_t column;
} coord_t;

// A kind of ship: 3, 2 and 1 hit points at the beginning. Each side has one of each.
typedef enum { BATTLESHIP = 0, CRUISER = 1, SUBMARINE = 2 } ship_t;

// The facts of a game that never change. They come with every call.
typedef struct {
    uint32_t actions_max;   // number of actions of both sides together after which the game is a draw
    uint64_t fuel_per_turn; // budget of fuel for one turn, and for `bot_deploy`; a call that needs more loses the game
    uint64_t seed;          // random seed of this side in this game
} game_t;

// A ship of the bot; sunk if it has no hit points.
typedef struct {
    uint8_t hit_points;
    coord_t at;
} own_ship_t;

typedef enum { NOTHING, ATTACKED, MOVED } report_kind_t;

// The report of an action; NOTHING before the first one. "The target" is the side that was attacked.
typedef struct {
    report_kind_t kind;
    coord_t at;       // ATTACKED: the cell
    bool has_hit;     // ATTACKED: true if a ship of the target was on the cell
    ship_t hit;       // ATTACKED: this ship, which lost a hit point
    bool near[SHIPS]; // ATTACKED: for each ship, true if it is afloat within one step of the cell, but not on it
    ship_t ship;      // MOVED: the ship
    int down, right;  // MOVED: how far it went; one of them is 0
} report_t;

// The state of the game that a bot may know at its turn. Ships are in the order of ship_t.
typedef struct {
    uint32_t turn;                   // number of the bot's turn, from 1
    own_ship_t own[SHIPS];           // the bot's ships
    uint8_t enemy_hit_points[SHIPS]; // hit points of the enemy's ships; 0 if it is sunk
    report_t my_last;                // report of the bot's last action
    report_t enemy_last;             // report of the enemy's last action
} view_t;

typedef enum { ATTACK, MOVE } action_kind_t;

// An attack on a cell on or within one step of an own ship, or a move of a ship in its row or column, over any distance.
typedef struct {
    action_kind_t kind;
    coord_t to;  // the cell that is attacked or moved to
    ship_t ship; // MOVE: the ship
} action_t;

// The bot, in bot.c.

// The name to display.
extern const char *const bot_name;

// Begins a game, and writes the cells on which the ships begin. They must be different.
void bot_deploy(const game_t *game, coord_t at[SHIPS]);

// Returns the next action. An illegal one loses the game.
action_t bot_play(const game_t *game, const view_t *view);

// Tools, in arena.c.

// The cell with an index from 0 to CELLS - 1, row by row.
coord_t cell_at(size_t index);

// The index of a cell.
size_t index_of(coord_t at);

// Returns true if two cells are the same, or within one step of each other, diagonals included.
bool is_within_a_step(coord_t a, coord_t b);

// Returns true if a cell can be attacked.
bool is_in_reach(const view_t *view, coord_t at);

// Writes all legal actions, at most ACTIONS_MAX: the attacks, then the moves. Returns their number, which is at least 1.
size_t legal_actions(const view_t *view, action_t *actions);

// A seeded source of random numbers. The same seed always gives the same numbers.
typedef struct {
    uint64_t state;
} rng_t;

// The random numbers for a turn, from the game's seed. The deployment is turn 0.
rng_t rng_of(const game_t *game, uint32_t turn);

// Returns a number from 0 to `bound - 1`. The bound must be at least 1.
uint32_t rng_below(rng_t *rng, uint32_t bound);

// Writes three different random cells.
void random_positions(rng_t *rng, coord_t at[SHIPS]);

#endif
