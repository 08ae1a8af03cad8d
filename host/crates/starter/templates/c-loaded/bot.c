// A bot for first-game.
#include "arena.h"

const char *const bot_name = "first-bot";

// Gives the action of this bot, whose turn it is.
//
// Replace the body: look at the observation, and choose. As it stands, the bot answers anything. A game that refuses an illegal action with
// `retry` asks again, until the fuel of the turn is used up.
void bot_play(const exports_bot_first_observation_t *observation, exports_bot_first_action_t *action) {
    (void)observation;
    any_first_action(action);
}
