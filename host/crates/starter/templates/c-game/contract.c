// The functions of the contract, which call the rules. wit/deps/game/game.wit says what each has to do.
//
// adapter/ has their declarations and types. They are generated from wit/ by `arena wit wit --bindings adapter`, which `arena build` does.
#include "adapter/game.h"
#include "board.h"

#include <stdio.h>
#include <stdlib.h>

// A game in progress, as the arena holds it.
struct exports_rules_state_t {
    board_t board;
};

static void *room(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

// What is returned is in memory of its own: the caller frees it.
static game_string_t text(const char *text) {
    game_string_t copy;
    game_string_dup(&copy, text);
    return copy;
}

static exports_rules_parameter_t parameter(const char *name, const char *help, int least, int usual, int most) {
    return (exports_rules_parameter_t){text(name), text(help), usual, least, most};
}

void exports_rules_describe(exports_rules_about_t *ret) {
    exports_rules_parameter_t *parameters = room(2 * sizeof *parameters);
    parameters[0] = parameter("pits", "the number of pits of each player", 3, 6, PITS_MAX);
    parameters[1] = parameter("seeds", "the number of seeds in a pit at first", 1, 4, 4);
    exports_rules_ending_t *endings = room(2 * sizeof *endings);
    endings[0] = (exports_rules_ending_t){text("seeds"), text("more seeds")};
    endings[1] = (exports_rules_ending_t){text("even"), text("as many seeds")};
    *ret = (exports_rules_about_t){
        .name = text("first-game"),
        .version = text("1.0.0"),
        .parameters = {parameters, 2},
        .endings = {endings, 2},
        // A turn puts a seed into a store, or brings one of 48 nearer to one by a pit: 48 * (48 * 6 + 1) turns at most.
        .max_game_length = 13872,
        .turn_milliseconds = 1000,
    };
}

void exports_rules_static_state_new_initial_state(exports_rules_list_setting_t *settings, uint64_t seed,
                                                  exports_rules_seat_t starter,
                                                  exports_rules_result_own_state_string_t *ret) {
    (void)seed;
    // The arena has checked the values, and gives them in the order of the parameters.
    exports_rules_state_t *state = room(sizeof *state);
    state->board = board_new((int)settings->ptr[0].value, (int)settings->ptr[1].value, starter);
    *ret = (exports_rules_result_own_state_string_t){.val.ok = exports_rules_state_new(state)};
    exports_rules_list_setting_free(settings);
}

void exports_rules_state_destructor(exports_rules_state_t *state) {
    free(state);
}

void exports_rules_method_state_current_player(exports_rules_state_t *self, exports_rules_option_seat_t *ret) {
    *ret = (exports_rules_option_seat_t){!self->board.is_over, (exports_rules_seat_t)self->board.player};
}

void exports_rules_method_state_outcome(exports_rules_state_t *self, exports_rules_outcome_t *ret) {
    const int *stores = self->board.stores;
    bool is_won = stores[0] != stores[1];
    *ret = (exports_rules_outcome_t){
        .winner = {.is_some = is_won, .val = stores[0] < stores[1]},
        .reason = text(is_won ? "seeds" : "even"),
    };
}

exports_rules_penalty_t exports_rules_method_state_overrun(exports_rules_state_t *self) {
    (void)self;
    return EXPORTS_RULES_PENALTY_GAME;
}

// The pits of seat 2 from right to left, and those of seat 1 below them, with the stores at the ends.
void exports_rules_method_state_picture(exports_rules_state_t *self, exports_rules_option_seat_t *viewer,
                                        game_string_t *ret) {
    (void)viewer;
    const board_t *board = &self->board;
    char picture[4 * 4 * (PITS_MAX + 2)];
    int at = snprintf(picture, sizeof picture, "%3d", board->stores[1]);
    for (int pit = board->pits - 1; pit >= 0; pit--) {
        at += snprintf(picture + at, sizeof picture - (size_t)at, "%3d", board->seeds[1][pit]);
    }
    at += snprintf(picture + at, sizeof picture - (size_t)at, "\n   ");
    for (int pit = 0; pit < board->pits; pit++) {
        at += snprintf(picture + at, sizeof picture - (size_t)at, "%3d", board->seeds[0][pit]);
    }
    snprintf(picture + at, sizeof picture - (size_t)at, "%3d", board->stores[0]);
    *ret = text(picture);
}

static game_list_u8_t pits_of(const board_t *board, int player) {
    game_list_u8_t list = {room((size_t)board->pits), (size_t)board->pits};
    for (int pit = 0; pit < board->pits; pit++) {
        list.ptr[pit] = (uint8_t)board->seeds[player][pit];
    }
    return list;
}

void exports_moves_observe(exports_rules_state_t *of, exports_moves_seat_t viewer, exports_moves_observation_t *ret) {
    const board_t *board = &of->board;
    *ret = (exports_moves_observation_t){
        .pits = pits_of(board, viewer),
        .rival_pits = pits_of(board, 1 - viewer),
        .store = (uint8_t)board->stores[viewer],
        .rival_store = (uint8_t)board->stores[1 - viewer],
    };
}

void exports_moves_apply_action(exports_rules_state_t *to, exports_moves_action_t action,
                                exports_moves_result_effect_refusal_t *ret) {
    ret->is_err = !board_can_sow(&to->board, action);
    if (ret->is_err) {
        ret->val.err.tag = EXPORTS_RULES_REFUSAL_RETRY;
        ret->val.err.val.retry = text("the pit is empty or missing");
        return;
    }
    sown_t sown = board_sow(&to->board, action);
    ret->val.ok = (exports_moves_effect_t){.captured = (uint8_t)sown.captured, .again = sown.again};
}

void exports_moves_legal_actions(exports_rules_state_t *of, exports_moves_list_action_t *ret) {
    *ret = (exports_moves_list_action_t){room(PITS_MAX), 0};
    for (unsigned pit = 0; pit < PITS_MAX; pit++) {
        if (board_can_sow(&of->board, pit)) {
            ret->ptr[ret->len++] = (exports_moves_action_t)pit;
        }
    }
}

exports_moves_action_t exports_moves_random_action(exports_rules_state_t *of, uint64_t seed) {
    exports_moves_list_action_t legal;
    exports_moves_legal_actions(of, &legal);
    exports_moves_action_t action = legal.ptr[seed % legal.len];
    free(legal.ptr);
    return action;
}
