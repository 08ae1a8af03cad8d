// @ts-check
// The contract with the arena as types of JSDoc, and tools for the game. This file needs no edit.
//
// The board has 5 rows and 5 columns. Row 0, column 0 is the top left; rows grow downwards, columns to the right.

/** @import { Rng } from "./random.js" */
export { Rng, rngOf } from "./random.js";

/** The number of rows and of columns. */
export const SIDE = 5;

/**
 * A cell of the board, counted from 0.
 * @typedef {{ row: number, column: number }} Coord
 */

/**
 * A kind of ship: 3, 2 and 1 hit points at the beginning. Each side has one of each.
 * @typedef {"battleship" | "cruiser" | "submarine"} Ship
 */

/**
 * The cells on which a side's ships begin. They must be different.
 * @typedef {{ battleship: Coord, cruiser: Coord, submarine: Coord }} Positions
 */

/**
 * An attack on a cell on or within one step of an own ship, or a move of a ship in its row or column, over any distance.
 * @typedef {{ tag: "attack", val: Coord } | { tag: "move", val: { ship: Ship, to: Coord } }} Action
 */

/**
 * The report of an action. Of an attack: the cell, the ship that was hit, and the target's ships afloat within one step of the
 * cell, but not on it. Of a move: how far the ship went, but not from where.
 * @typedef {{ tag: "attacked", val: { at: Coord, hit: Ship | undefined, near: Ship[] } }
 *   | { tag: "moved", val: { ship: Ship, down: number, right: number } }} Report
 */

/**
 * The facts of a game that never change. They come with every call.
 * @typedef {object} Game
 * @property {number} actionsMax the number of actions of both sides together after which the game is a draw
 * @property {bigint} fuelPerTurn the budget of fuel for one turn, and for `deploy`; a call that needs more loses the game
 * @property {bigint} seed the random seed of this side in this game
 */

/**
 * The state of the game that a bot may know at its turn.
 * @typedef {object} View
 * @property {number} turn the number of the bot's turn, from 1
 * @property {{ ship: Ship, hitPoints: number, at: Coord }[]} own the bot's ships that are afloat, strongest first
 * @property {{ ship: Ship, hitPoints: number }[]} enemy the enemy's ships that are afloat, strongest first
 * @property {Report | undefined} myLast the report of the bot's last action
 * @property {Report | undefined} enemyLast the report of the enemy's last action
 */

/** All ships, strongest first. @type {Ship[]} */
export const SHIPS = ["battleship", "cruiser", "submarine"];

/**
 * Returns all cells, row by row from the top left.
 * @returns {Coord[]}
 */
export function cells() {
  return Array.from({ length: SIDE * SIDE }, (_, index) => ({ row: Math.floor(index / SIDE), column: index % SIDE }));
}

/**
 * Returns true if two cells are the same.
 * @param {Coord} a
 * @param {Coord} b
 */
export function sameCell(a, b) {
  return a.row === b.row && a.column === b.column;
}

/**
 * Returns true if two cells are the same, or within one step of each other, diagonals included.
 * @param {Coord} a
 * @param {Coord} b
 */
export function isWithinAStep(a, b) {
  return Math.abs(a.row - b.row) <= 1 && Math.abs(a.column - b.column) <= 1;
}

/**
 * Returns the cells that can be attacked, row by row from the top left.
 * @param {View} view
 */
export function reach(view) {
  return cells().filter((cell) => view.own.some((own) => isWithinAStep(own.at, cell)));
}

/**
 * Returns the cells that an own ship can move to, row by row from the top left.
 * @param {View} view
 * @param {Ship} ship
 */
export function destinations(view, ship) {
  const from = view.own.find((own) => own.ship === ship)?.at;
  return cells().filter(
    (to) =>
      from !== undefined &&
      (to.row === from.row || to.column === from.column) &&
      view.own.every((own) => !sameCell(own.at, to)),
  );
}

/**
 * Returns three different random cells, one for each ship.
 * @param {Rng} rng
 * @returns {Positions}
 */
export function randomPositions(rng) {
  const free = cells();
  const [battleship, cruiser, submarine] = SHIPS.map(() => free.splice(rng.below(free.length), 1)[0]);
  return { battleship, cruiser, submarine };
}
