// @ts-check
// Random numbers, the same in every run with the same seed. This file needs no edit.

/** @import { Game } from "./arena.js" */

/** A small seeded source of random numbers (mulberry32). The same seed always gives the same numbers. */
export class Rng {
  /** @param {number} seed 32 bits */
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /**
   * Returns a number from 0 to `bound - 1`.
   * @param {number} bound
   */
  below(bound) {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  /**
   * Returns one of the items, or `undefined` if the list is empty.
   * @template T
   * @param {T[]} items
   * @returns {T | undefined}
   */
  pick(items) {
    return items[this.below(items.length)];
  }
}

/**
 * Returns the random numbers for a turn, from the game's seed. The deployment is turn 0.
 * @param {Game} game
 * @param {number} turn
 */
export function rngOf(game, turn) {
  const mixed = Number((game.seed ^ (game.seed >> 32n)) & 0xffffffffn);
  return new Rng(mixed ^ Math.imul(turn, 0x9e3779b9));
}
