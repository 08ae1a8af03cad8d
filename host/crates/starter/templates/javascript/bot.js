// @ts-check
// A bot that shoots next to its hits, and anywhere else if there are no targets next to them.

import { HIT, UNKNOWN, cellsOf, cornerNeighbours, edgeNeighbours, indexOf, randomFleet, rngOf } from "./arena.js";

/** @import { Coord, Game, Placement, View } from "./arena.js" */

/** One object plays one game. Keep state in it, but only as a cache: after an overrun a fresh object goes on. */
export class Bot {
  static botName = "first-bot";

  /**
   * Returns the placements of the fleet, one for each length in `game.fleet`, in the same order.
   * @param {Game} game
   * @returns {Placement[]}
   */
  deploy(game) {
    return randomFleet(game, rngOf(game, 0));
  }

  /**
   * Returns the next shot, or `undefined` to skip the turn.
   * @param {Game} game
   * @param {View} view
   * @returns {Coord | undefined}
   */
  play(game, view) {
    const rng = rngOf(game, view.turn);
    const index = (/** @type {Coord} */ at) => indexOf(game, at);
    const cells = cellsOf(game);
    const targets = cells.filter((at) => view.attacks[index(at)] === UNKNOWN);
    const hits = cells.filter((at) => view.attacks[index(at)] === HIT);
    // If ships may not touch, the cells at the corners of a hit are water.
    const corners = game.mayTouch ? [] : hits.flatMap((hit) => cornerNeighbours(game, hit));
    const water = new Set(corners.map(index));
    const besideAHit = new Set(hits.flatMap((hit) => edgeNeighbours(game, hit)).map(index));

    const hopeful = targets.filter((at) => !water.has(index(at)));
    return rng.pick(hopeful.filter((at) => besideAHit.has(index(at)))) ?? rng.pick(hopeful) ?? rng.pick(targets);
  }
}
