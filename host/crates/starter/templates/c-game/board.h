// Kalah, in plain C: this file and board.c know nothing of the arena, and their tests run without WebAssembly.
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

#define PITS_MAX 6

// A position. Players are 0 and 1.
typedef struct {
    int pits;                // the number of pits of each player
    int seeds[2][PITS_MAX];  // the seeds in each player's pits, in the direction of sowing
    int stores[2];           // the seeds that each player has won
    int player;              // the player to move
    bool is_over;
} board_t;

typedef struct {
    int captured;  // the seeds that were captured
    bool again;    // the same player moves again
} sown_t;

board_t board_new(int pits, int seeds, int player);

// True if the player to move has seeds in a pit.
bool board_can_sow(const board_t *board, unsigned pit);

// Sows the seeds of a pit that has some.
sown_t board_sow(board_t *board, unsigned pit);

#endif
