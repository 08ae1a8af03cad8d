// @ts-check
// The component's export: it passes the calls of the arena to `bot.js`. This file needs no edit.

import { Bot } from "./bot.js";
import { gameOf, reporting, sayOnce, shown, withoutNull } from "./engine.js";

/** A row or column that the board does not have, for numbers that are not a row or column. */
const OFF_THE_BOARD = 255;

const author = new Bot();
if (typeof Bot.botName !== "string") throw new TypeError('`static botName` must be a text, such as "my-bot"');

/** The export `arena:submarine/bot`. */
export const bot = {
  name: () => Bot.botName,

  /** @param {import("./arena.js").Game} game */
  deploy: (game) =>
    reporting(() => {
      const fleet = author.deploy(gameOf(game, 0));
      const { battleship, cruiser, submarine } = fleet ?? {};
      if (!battleship || !cruiser || !submarine) {
        throw new TypeError(`\`deploy\` must return { battleship, cruiser, submarine }, each a cell, not ${shown(fleet)}`);
      }
      return { battleship: coord(battleship), cruiser: coord(cruiser), submarine: coord(submarine) };
    }),

  /** @param {import("./arena.js").Game} game @param {import("./arena.js").View} view */
  play: (game, view) =>
    reporting(() => {
      const action = author.play(gameOf(game, view.turn), withoutNull(view));
      switch (action?.tag) {
        case "attack":
          return { tag: "attack", val: coord(action.val) };
        case "move":
          return { tag: "move", val: { ship: action.val?.ship, to: coord(action.val?.to) } };
        default:
          throw new TypeError(`an action must have the tag "attack" or "move": ${shown(action)}`);
      }
    }),
};

/**
 * A cell for the arena. A number that does not fit is sent as a cell off the board, for the rules to judge. Anything else would be
 * read as 0 silently.
 * @param {import("./arena.js").Coord} at
 */
function coord(at) {
  return { row: number(at?.row, at), column: number(at?.column, at) };
}

/** @param {unknown} value @param {unknown} at */
function number(value, at) {
  if (typeof value !== "number") {
    throw new TypeError(`a cell must be { row: number, column: number }, not ${shown(at)}`);
  }
  const fits = Number.isInteger(value) && value >= 0 && value < OFF_THE_BOARD;
  if (!fits) sayOnce(`${shown(at)} is on no board`);
  return fits ? value : OFF_THE_BOARD;
}
