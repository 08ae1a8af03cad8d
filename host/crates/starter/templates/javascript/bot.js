// @ts-check
// A bot that shoots next to its hits, and anywhere else if there are no targets next to them.

import { HIT, UNKNOWN, cellsOf, cornerNeighbours, edgeNeighbours, indexOf, randomFleet, rngOf } from "./arena.js";

/** @import { Coord, Game, Placement, View } from "./arena.js" */

/** One object plays one game. Keep state in it, but only as a cache: after an overrun a fresh object goes on. */
export class Bot {
  static botName = "my-bot";

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
    const hits = cells.filter((_, place) => view.attacks[place] === HIT);
    // If ships may not touch, the cells at the corners of a hit are water.
    const corners = game.mayTouch ? [] : hits.flatMap((hit) => cornerNeighbours(game, hit));
    const water = new Set(corners.map(index));
    const isUnknown = (/** @type {number} */ place) => view.attacks[place] === UNKNOWN;
    const isHopeful = (/** @type {number} */ place) => isUnknown(place) && !water.has(place);

    const besideHits = hits.flatMap((hit) => edgeNeighbours(game, hit)).filter((at) => isHopeful(index(at)));
    const hopeful = () => cells.filter((_, place) => isHopeful(place));
    const unknown = () => cells.filter((_, place) => isUnknown(place));
    return rng.pick(besideHits) ?? rng.pick(hopeful()) ?? rng.pick(unknown());
  }
}
