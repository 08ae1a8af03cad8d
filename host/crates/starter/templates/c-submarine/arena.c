// Tools for the game. This file needs no edit.
#include "arena.h"

#include <stdlib.h>

coord_t cell_at(size_t index) {
    return (coord_t){(uint8_t)(index / SIDE), (uint8_t)(index % SIDE)};
}

size_t index_of(coord_t at) {
    return (size_t)at.row * SIDE + at.column;
}

bool is_within_a_step(coord_t a, coord_t b) {
    return abs(a.row - b.row) <= 1 && abs(a.column - b.column) <= 1;
}

bool is_in_reach(const view_t *view, coord_t at) {
    for (int ship = 0; ship < SHIPS; ship++) {
        if (view->own[ship].hit_points > 0 && is_within_a_step(view->own[ship].at, at)) {
            return true;
        }
    }
    return false;
}

// True if a ship afloat is on a cell.
static bool is_taken(const view_t *view, coord_t at) {
    for (int ship = 0; ship < SHIPS; ship++) {
        if (view->own[ship].hit_points > 0 && index_of(view->own[ship].at) == index_of(at)) {
            return true;
        }
    }
    return false;
}

size_t legal_actions(const view_t *view, action_t *actions) {
    size_t count = 0;
    for (size_t index = 0; index < CELLS; index++) {
        if (is_in_reach(view, cell_at(index))) {
            actions[count++] = (action_t){.kind = ATTACK, .to = cell_at(index)};
        }
    }
    for (int ship = 0; ship < SHIPS; ship++) {
        for (size_t index = 0; index < CELLS && view->own[ship].hit_points > 0; index++) {
            coord_t from = view->own[ship].at, to = cell_at(index);
            if ((from.row == to.row || from.column == to.column) && !is_taken(view, to)) {
                actions[count++] = (action_t){.kind = MOVE, .to = to, .ship = (ship_t)ship};
            }
        }
    }
    return count;
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

void random_positions(rng_t *rng, coord_t at[SHIPS]) {
    bool taken[CELLS] = {false};
    for (int ship = 0; ship < SHIPS; ship++) {
        size_t index = rng_below(rng, CELLS);
        while (taken[index]) {
            index = rng_below(rng, CELLS);
        }
        taken[index] = true;
        at[ship] = cell_at(index);
    }
}
