// The tests of the rules, without WebAssembly: `arena build --test`.
#undef NDEBUG
#include "board.h"

#include <assert.h>
#include <stdio.h>

static void a_seed_in_the_own_store_is_another_turn(void) {
    board_t board = board_new(6, 4, 0);
    sown_t sown = board_sow(&board, 2);
    assert(sown.again && board.player == 0 && board.stores[0] == 1 && board.seeds[0][5] == 5);
    assert(!board_can_sow(&board, 2) && !board_can_sow(&board, 6) && board_can_sow(&board, 3));
    assert(!board_sow(&board, 3).again && board.player == 1);
}

static void seeds_go_round_the_board_past_the_rivals_store(void) {
    board_t board = {.pits = 3, .seeds = {{0, 1, 7}, {1, 1, 1}}};
    sown_t sown = board_sow(&board, 2);
    // The last of seven seeds is again in the pit that it came from, which was empty: it captures what is opposite.
    assert(sown.captured == 2 && board.stores[1] == 0 && board.stores[0] == 1 + 2 + 1);
    assert(board.seeds[0][0] == 1 && board.seeds[0][1] == 2 && board.seeds[0][2] == 0 && board.seeds[1][0] == 0);
}

static void the_last_seed_in_an_own_empty_pit_captures(void) {
    board_t board = {.pits = 3, .seeds = {{1, 0, 2}, {4, 5, 6}}};
    assert(board_sow(&board, 0).captured == 5);
    assert(board.stores[0] == 6 && board.seeds[0][1] == 0 && board.seeds[1][1] == 0);
}

static void an_empty_side_ends_the_game_and_the_other_side_keeps_its_seeds(void) {
    board_t board = {.pits = 3, .seeds = {{0, 0, 1}, {4, 5, 6}}};
    assert(!board_sow(&board, 2).again && board.is_over);
    assert(board.stores[0] == 1 && board.stores[1] == 15);
}

int main(void) {
    a_seed_in_the_own_store_is_another_turn();
    seeds_go_round_the_board_past_the_rivals_store();
    the_last_seed_in_an_own_empty_pit_captures();
    an_empty_side_ends_the_game_and_the_other_side_keeps_its_seeds();
    puts("4 tests passed");
}
