// @ts-check
// The component's export: it passes the calls of the arena to `bot.js`. This file needs no edit.

import { Bot } from "./bot.js";
import { gameOf, reporting, sayOnce, shown, withoutNull } from "./engine.js";

/** A row or column that no board has, for numbers that are not a row or column. */
const OFF_THE_BOARD = 255;

const DIRECTIONS = ["north", "east", "south", "west"];

const author = new Bot();
if (typeof Bot.botName !== "string") throw new TypeError('`static botName` must be a text, such as "my-bot"');

/** The export `arena:battleship/bot`. */
export const bot = {
  name: () => Bot.botName,

  /** @param {import("./arena.js").Game} game */
  deploy: (game) => reporting(() => fleet(author.deploy(gameOf(game, 0)))),

  /** @param {import("./arena.js").Game} game @param {import("./arena.js").View} view */
  play: (game, view) =>
    reporting(() => {
      const shot = author.play(gameOf(game, view.turn), withoutNull(view));
      return shot === undefined || shot === null ? undefined : coord(shot);
    }),
};

/**
 * A cell for the arena. A number that does not fit is sent as a cell off the board, for the rules to judge. Anything else would be
 * read as 0 silently.
 * @param {import("./arena.js").Coord} at
 */
function coord(at) {
  return { row: number(at.row, at), column: number(at.column, at) };
}

/** @param {unknown} value @param {unknown} at */
function number(value, at) {
  if (typeof value !== "number") {
    const found = shown(at);
    throw new TypeError(`a cell must be { row: number, column: number }, not ${found}`);
  }
  const fits = Number.isInteger(value) && value >= 0 && value < OFF_THE_BOARD;
  if (!fits) sayOnce(`${shown(at)} is on no board`);
  return fits ? value : OFF_THE_BOARD;
}

/** @param {import("./arena.js").Placement[]} ships */
function fleet(ships) {
  if (!Array.isArray(ships)) {
    throw new TypeError(`\`deploy\` must return an array such as [{ anchor: { row: 0, column: 0 }, direction: "east" }], not ${shown(ships)}`);
  }
  return ships.map(placement);
}

/** @param {import("./arena.js").Placement} ship */
function placement(ship) {
  if (!DIRECTIONS.includes(ship?.direction)) {
    throw new TypeError(`a direction must be one of ${DIRECTIONS.join(", ")}, not that of ${shown(ship)}`);
  }
  return { anchor: coord(ship.anchor ?? {}), direction: ship.direction };
}
