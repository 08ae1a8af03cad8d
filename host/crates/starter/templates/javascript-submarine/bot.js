// @ts-check
// A bot that attacks where the enemy's ships most likely are, and moves if there is nothing in reach.

import { SIDE, cells, destinations, isWithinAStep, randomPositions, reach, rngOf, sameCell } from "./arena.js";

/** @import { Action, Coord, Game, Positions, Ship, View } from "./arena.js" */

/** One object plays one game. Its state is the cells on which each of the enemy's ships may be. */
export class Bot {
  static botName = "first-bot";

  constructor() {
    /** @type {Record<Ship, Coord[]>} */
    this.maybe = { battleship: cells(), cruiser: cells(), submarine: cells() };
  }

  /**
   * Returns the cells on which the ships begin. They must be different.
   * @param {Game} game
   * @returns {Positions}
   */
  deploy(game) {
    return randomPositions(rngOf(game, 0));
  }

  /**
   * Returns the next action: an attack on a cell of `reach(view)`, or a move to one of `destinations(view, ship)`. Any other
   * action loses the game.
   * @param {Game} game
   * @param {View} view
   * @returns {Action}
   */
  play(game, view) {
    const rng = rngOf(game, view.turn);
    this.learn(view);
    const weighed = reach(view).map((at) => ({ at, worth: this.worth(view, at) }));
    const best = Math.max(...weighed.map(({ worth }) => worth));
    if (best > 0) {
      const chosen = rng.pick(weighed.filter(({ worth }) => worth === best));
      return { tag: "attack", val: chosen?.at ?? weighed[0].at };
    }
    const moves = view.own.flatMap(({ ship }) => destinations(view, ship).map((to) => ({ ship, to })));
    const move = rng.pick(moves);
    return move === undefined ? { tag: "attack", val: view.own[0].at } : { tag: "move", val: move };
  }

  /**
   * The expected number of ships of the enemy on a cell.
   * @param {View} view
   * @param {Coord} at
   */
  worth(view, at) {
    const isHere = (/** @type {Ship} */ ship) => this.maybe[ship].some((cell) => sameCell(cell, at));
    return view.enemy.reduce((sum, { ship }) => sum + (isHere(ship) ? 1 / this.maybe[ship].length : 0), 0);
  }

  /**
   * Processes the reports: first that of the bot's last action, then that of the enemy's.
   * @param {View} view
   */
  learn(view) {
    if (view.myLast?.tag === "attacked") {
      const { at, hit, near } = view.myLast.val;
      const isNear = (/** @type {Coord} */ cell) => isWithinAStep(cell, at);
      for (const { ship } of view.enemy) {
        if (hit === ship) this.maybe[ship] = [at];
        else if (near.includes(ship))
          this.maybe[ship] = this.maybe[ship].filter((cell) => isNear(cell) && !sameCell(cell, at));
        else this.maybe[ship] = this.maybe[ship].filter((cell) => !isNear(cell));
      }
    }
    if (view.enemyLast?.tag === "moved") {
      const { ship, down, right } = view.enemyLast.val;
      const moved = this.maybe[ship].map(({ row, column }) => ({ row: row + down, column: column + right }));
      this.maybe[ship] = moved.filter(({ row, column }) => row >= 0 && row < SIDE && column >= 0 && column < SIDE);
    }
  }
}
