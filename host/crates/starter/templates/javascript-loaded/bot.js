// A bot for first-game.

import { anyFirstAction } from "./anything.js";

/** One object plays one game. Keep state in it, but only as a cache: after an overrun a fresh object goes on. */
export class Bot {
  static botName = "first-bot";

  /**
   * Returns the action of this bot, whose turn it is.
   *
   * Replace the body: look at the observation, and choose. As it stands, the bot answers anything. A game that refuses an illegal action
   * with `retry` asks again, until the fuel of the turn is used up.
   */
  play(observation) {
    return anyFirstAction();
  }
}
