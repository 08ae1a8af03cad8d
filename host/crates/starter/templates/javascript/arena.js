// @ts-check
// The contract with the arena as types of JSDoc, and tools for the game. This file needs no edit.
//
// Boards are `Uint8Array`s with a byte for each cell, row by row from the top left: the cell (row, column) has the index
// `row * game.width + column`. Row 0, column 0 is the top left; rows grow downwards, columns to the right.

/** @import { Rng } from "./random.js" */
export { Rng, rngOf } from "./random.js";

/** A cell of the opponent's board that was not shot at yet. */
export const UNKNOWN = 0;
/** A cell of the bot's own board without a ship that was not shot at yet. */
export const WATER = 0;
/** A cell of the bot's own board with a part of a ship that is not hit. */
export const SHIP = 1;
/** A cell of either board that was shot at: water. */
export const MISS = 2;
/** A cell of either board that was shot at: a part of a ship. */
export const HIT = 3;

/**
 * A cell of a board, counted from 0.
 * @typedef {{ row: number, column: number }} Coord
 */

/**
 * The direction in which a ship extends from its anchor. North is up, towards row 0.
 * @typedef {"north" | "east" | "south" | "west"} Direction
 */

/**
 * The place of a ship: it begins at the anchor and extends in the direction. Its length is in `Game.fleet`.
 * @typedef {{ anchor: Coord, direction: Direction }} Placement
 */

/**
 * The facts of a game that never change. They come with every call.
 * @typedef {object} Game
 * @property {number} width the number of columns, 1 to 32
 * @property {number} height the number of rows, 1 to 32
 * @property {Uint8Array} fleet the lengths of each side's ships, longest first
 * @property {boolean} mayTouch true if ships may touch, side by side or corner to corner
 * @property {boolean} sinkingsAnnounced true if the rules announce which ships are sunk; see `View.shipsRemaining`
 * @property {number} turnsMax the number of turns of each side after which the game is a draw
 * @property {bigint} fuelPerTurn the budget of fuel for one turn with all its retries, and for `deploy`
 * @property {bigint} seed the random seed of this side in this game
 */

/**
 * The state of the game that a bot may know at its turn.
 * @typedef {object} View
 * @property {number} turn the number of the bot's turn, from 1; a retry is the same turn
 * @property {Uint8Array} board the bot's own board: WATER, SHIP, MISS or HIT
 * @property {Uint8Array} attacks the opponent's board, as far as it is known: UNKNOWN, MISS or HIT
 * @property {Coord | undefined} lastSpot the cell that the opponent shot at in its last turn, if it did
 * @property {Coord | undefined} myLast the cell that the bot shot at in its last turn, if it did
 * @property {boolean} retry true if the previous answer in this turn was off the board or already shot at
 * @property {Uint8Array | undefined} shipsRemaining the lengths of the opponent's ships afloat, longest first, if the rules
 *   announce sinkings
 */

/** The change of row and column that one step in a direction makes. */
const STEPS = { north: [-1, 0], east: [0, 1], south: [1, 0], west: [0, -1] };

/**
 * Returns all cells, row by row from the top left.
 * @param {Game} game
 * @returns {Coord[]}
 */
export function cellsOf(game) {
  const cells = [];
  for (let row = 0; row < game.height; row++) {
    for (let column = 0; column < game.width; column++) cells.push({ row, column });
  }
  return cells;
}

/**
 * Returns the index of a cell in the boards of a view.
 * @param {Game} game
 * @param {Coord} at
 */
export function indexOf(game, at) {
  return at.row * game.width + at.column;
}

/**
 * Returns true if a cell is on the board.
 * @param {Game} game
 * @param {Coord} at
 */
export function contains(game, at) {
  return at.row >= 0 && at.row < game.height && at.column >= 0 && at.column < game.width;
}

/** The steps to the cells that share an edge, and to those that share only a corner. */
const TO_EDGES = [[-1, 0], [0, 1], [1, 0], [0, -1]];
const TO_CORNERS = [[-1, -1], [-1, 1], [1, -1], [1, 1]];

/**
 * The cells on the board at these steps from a cell. A bot calls this most, and a loop takes a third of the fuel of `map` and `filter`.
 * @param {Game} game @param {Coord} at @param {number[][]} steps @returns {Coord[]}
 */
function near({ width, height }, at, steps) {
  const cells = [];
  for (let i = 0; i < steps.length; i++) {
    const row = at.row + steps[i][0];
    const column = at.column + steps[i][1];
    if (row >= 0 && row < height && column >= 0 && column < width) cells.push({ row, column });
  }
  return cells;
}

/**
 * Returns the cells on the board that share an edge with a cell.
 * @param {Game} game
 * @param {Coord} at
 */
export function edgeNeighbours(game, at) {
  return near(game, at, TO_EDGES);
}

/**
 * Returns the cells on the board that share only a corner with a cell.
 * @param {Game} game
 * @param {Coord} at
 */
export function cornerNeighbours(game, at) {
  return near(game, at, TO_CORNERS);
}

/**
 * Returns the cells of a ship of a length. Some may be off the board.
 * @param {Placement} placement
 * @param {number} length
 * @returns {Coord[]}
 */
export function cellsOfShip({ anchor, direction }, length) {
  const [down, right] = STEPS[direction];
  return Array.from({ length }, (_, i) => ({ row: anchor.row + i * down, column: anchor.column + i * right }));
}

/**
 * Returns a legal random fleet. Empty if none was found, for example because the board is too small.
 * @param {Game} game
 * @param {Rng} rng
 * @returns {Placement[]}
 */
export function randomFleet(game, rng) {
  for (let tries = 0; tries < 100; tries++) {
    const taken = new Set();
    /** @type {Placement[]} */
    const fleet = [];
    for (const length of game.fleet) {
      const placement = randomPlace(game, length, taken, rng);
      if (placement === undefined) break;
      for (const at of cellsOfShip(placement, length)) {
        const around = game.mayTouch ? [] : [...edgeNeighbours(game, at), ...cornerNeighbours(game, at)];
        [at, ...around].forEach((cell) => taken.add(indexOf(game, cell)));
      }
      fleet.push(placement);
    }
    if (fleet.length === game.fleet.length) return fleet;
  }
  return [];
}

/** @param {Game} game @param {number} length @param {Set<number>} taken @param {Rng} rng */
function randomPlace(game, length, taken, rng) {
  for (let tries = 0; tries < 100; tries++) {
    const anchor = { row: rng.below(game.height), column: rng.below(game.width) };
    /** @type {Placement} */
    const placement = { anchor, direction: rng.below(2) === 0 ? "east" : "south" };
    const cells = cellsOfShip(placement, length);
    if (cells.every((at) => contains(game, at) && !taken.has(indexOf(game, at)))) return placement;
  }
  return undefined;
}
