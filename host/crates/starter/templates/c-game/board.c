#include "board.h"

board_t board_new(int pits, int seeds, int player) {
    board_t board = {.pits = pits, .player = player};
    for (int pit = 0; pit < pits; pit++) {
        board.seeds[0][pit] = board.seeds[1][pit] = seeds;
    }
    return board;
}

bool board_can_sow(const board_t *board, unsigned pit) {
    return pit < (unsigned)board->pits && board->seeds[board->player][pit] > 0;
}

static int in_pits(const board_t *board, int player) {
    int sum = 0;
    for (int pit = 0; pit < board->pits; pit++) {
        sum += board->seeds[player][pit];
    }
    return sum;
}

// Moves all seeds of a player's pits into the player's own store.
static void keep_rest(board_t *board, int player) {
    board->stores[player] += in_pits(board, player);
    for (int pit = 0; pit < board->pits; pit++) {
        board->seeds[player][pit] = 0;
    }
}

sown_t board_sow(board_t *board, unsigned pit) {
    int me = board->player, rival = 1 - me, side = me;
    sown_t sown = {0};
    int hand = board->seeds[me][pit];
    board->seeds[me][pit] = 0;
    // A place is a pit of `side`, or after the last one the own store. The rival's store is left out.
    for (int place = (int)pit + 1; hand > 0; place++) {
        if (place < board->pits) {
            hand--;
            int *seeds = &board->seeds[side][place];
            int *opposite = &board->seeds[1 - side][board->pits - 1 - place];
            *seeds += 1;
            // The last seed in an own empty pit captures what is opposite.
            if (hand == 0 && side == me && *seeds == 1 && *opposite > 0) {
                sown.captured = *opposite;
                board->stores[me] += *opposite + 1;
                *seeds = *opposite = 0;
            }
            continue;
        }
        if (side == me) {
            hand--;
            board->stores[me]++;
            sown.again = hand == 0;
        }
        side = 1 - side;
        place = -1;
    }
    if (in_pits(board, me) == 0 || in_pits(board, rival) == 0) {
        keep_rest(board, me);
        keep_rest(board, rival);
        board->is_over = true;
        sown.again = false;
    } else if (!sown.again) {
        board->player = rival;
    }
    return sown;
}
