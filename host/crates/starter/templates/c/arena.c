// Tools for the game. This file needs no edit.
#include "arena.h"

#include <string.h>

const int8_t NEIGHBOURS[8][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};

// Steps of the directions (down, right), in the order of direction_t.
static const int8_t STEPS[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

size_t cell_count(const game_t *game) {
    return (size_t)game->width * game->height;
}

coord_t cell_at(const game_t *game, size_t index) {
    return (coord_t){(uint8_t)(index / game->width), (uint8_t)(index % game->width)};
}

static bool is_on_board(const game_t *game, int row, int column) {
    return row >= 0 && row < game->height && column >= 0 && column < game->width;
}

uint8_t look(const game_t *game, const uint8_t *board, coord_t at, int down, int right, uint8_t otherwise) {
    int row = at.row + down, column = at.column + right;
    return is_on_board(game, row, column) ? board[row * game->width + column] : otherwise;
}

rng_t rng_of(const game_t *game, uint32_t turn) {
    return (rng_t){game->seed ^ (turn * UINT64_C(0x9e3779b97f4a7c15))};
}

// SplitMix64.
uint32_t rng_below(rng_t *rng, uint32_t bound) {
    uint64_t mixed = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    mixed ^= mixed >> 31;
    return (uint32_t)(((mixed >> 32) * bound) >> 32);
}

// True if a ship is on the board, on cells without a ship, and not next to a ship if that is forbidden.
static bool fits(const game_t *game, const uint8_t *board, placement_t place, uint8_t length) {
    for (int i = 0; i < length; i++) {
        int row = place.anchor.row + i * STEPS[place.direction][0];
        int column = place.anchor.column + i * STEPS[place.direction][1];
        if (!is_on_board(game, row, column) || board[row * game->width + column] == SHIP) {
            return false;
        }
        coord_t at = {(uint8_t)row, (uint8_t)column};
        for (int n = 0; n < 8 && !game->may_touch; n++) {
            if (look(game, board, at, NEIGHBOURS[n][0], NEIGHBOURS[n][1], WATER) == SHIP) {
                return false;
            }
        }
    }
    return true;
}

void draw_ship(const game_t *game, uint8_t *board, placement_t place, uint8_t length) {
    for (int i = 0; i < length; i++) {
        int row = place.anchor.row + i * STEPS[place.direction][0];
        int column = place.anchor.column + i * STEPS[place.direction][1];
        if (is_on_board(game, row, column)) {
            board[row * game->width + column] = SHIP;
        }
    }
}

bool is_legal_fleet(const game_t *game, const placement_t *fleet) {
    uint8_t board[CELLS_MAX] = {0};
    for (size_t ship = 0; ship < game->ships; ship++) {
        if (!fits(game, board, fleet[ship], game->fleet[ship])) {
            return false;
        }
        draw_ship(game, board, fleet[ship], game->fleet[ship]);
    }
    return true;
}

// Finds a random place that is free, and draws the ship there.
static bool place_ship(const game_t *game, rng_t *rng, uint8_t *board, uint8_t length, placement_t *place) {
    for (int tries = 0; tries < 200; tries++) {
        place->anchor = cell_at(game, rng_below(rng, (uint32_t)cell_count(game)));
        place->direction = rng_below(rng, 2) == 0 ? EAST : SOUTH;
        if (fits(game, board, *place, length)) {
            draw_ship(game, board, *place, length);
            return true;
        }
    }
    return false;
}

bool random_fleet(const game_t *game, rng_t *rng, placement_t *fleet) {
    for (int tries = 0; tries < 100; tries++) {
        uint8_t board[CELLS_MAX] = {0};
        size_t ship = 0;
        while (ship < game->ships && place_ship(game, rng, board, game->fleet[ship], &fleet[ship])) {
            ship++;
        }
        if (ship == game->ships) {
            return true;
        }
    }
    return false;
}
