// @ts-check
// Practice boards: the number of shots that the bot needs alone. `node practice.js` prints it.

import { pathToFileURL } from "node:url";
import {
  HIT,
  MISS,
  SHIP,
  UNKNOWN,
  Rng,
  cellsOfShip,
  contains,
  cornerNeighbours,
  edgeNeighbours,
  indexOf,
  randomFleet,
} from "./arena.js";
import { Bot } from "./bot.js";

/** @import { Coord, Game, Placement, View } from "./arena.js" */

/** The fleet of the rules `guide`. */
const FLEET = Uint8Array.of(4, 3, 3, 2, 2, 2, 1, 1, 1, 1);

/**
 * Returns a game by the rules `guide`, whose ships may not touch. Its fuel is not limited.
 * @param {bigint} seed
 * @returns {Game}
 */
export function guide(seed) {
  const size = { width: 10, height: 10 };
  const rules = { fleet: FLEET, mayTouch: false, sinkingsAnnounced: false };
  return { ...size, ...rules, turnsMax: 400, fuelPerTurn: 2n ** 64n - 1n, seed };
}

/**
 * Returns true if a fleet has the right ships, on the board, which do not overlap, nor touch if that is forbidden.
 * @param {Game} game
 * @param {Placement[]} fleet
 */
export function isLegalFleet(game, fleet) {
  const taken = new Set();
  const fits = (/** @type {Placement} */ placement, /** @type {number} */ index) => {
    const cells = cellsOfShip(placement, game.fleet[index]);
    const free = cells.every((at) => contains(game, at) && !taken.has(indexOf(game, at)));
    for (const at of cells) {
      const around = game.mayTouch ? [] : [...edgeNeighbours(game, at), ...cornerNeighbours(game, at)];
      [at, ...around].forEach((cell) => taken.add(indexOf(game, cell)));
    }
    return free;
  };
  return fleet.length === game.fleet.length && fleet.every(fits);
}

/**
 * Returns a view at the first turn, with these cells of the opponent's board already shot at.
 * @param {Game} game
 * @param {[Coord, number][]} shots
 * @returns {View}
 */
export function firstView(game, shots = []) {
  const attacks = new Uint8Array(game.width * game.height);
  shots.forEach(([at, mark]) => (attacks[indexOf(game, at)] = mark));
  const board = new Uint8Array(game.width * game.height);
  return { turn: 1, board, attacks, lastSpot: undefined, myLast: undefined, retry: false, shipsRemaining: undefined };
}

/**
 * Lets a fresh bot clear a random board alone, and returns the number of its shots.
 * @param {Game} game
 * @param {Rng} rng
 */
export function shotsToClear(game, rng) {
  const bot = new Bot();
  const own = bot.deploy(game);
  if (!isLegalFleet(game, own)) throw new Error(`the fleet is not legal: ${JSON.stringify(own)}`);
  const board = new Uint8Array(game.width * game.height);
  own.forEach((ship, i) => cellsOfShip(ship, game.fleet[i]).forEach((at) => (board[indexOf(game, at)] = SHIP)));
  const enemy = randomFleet(game, rng);
  const ships = new Set(enemy.flatMap((ship, i) => cellsOfShip(ship, game.fleet[i]).map((at) => indexOf(game, at))));
  const attacks = new Uint8Array(game.width * game.height);
  /** @type {Coord | undefined} */
  let myLast;
  for (let turn = 1; turn <= game.turnsMax; turn++) {
    // Copies, as in the arena: what the bot does to them changes nothing.
    const view = { ...firstView(game), turn, board: board.slice(), attacks: attacks.slice(), myLast };
    const shot = bot.play(game, view);
    if (shot === undefined || !contains(game, shot) || attacks[indexOf(game, shot)] !== UNKNOWN) {
      throw new Error(`turn ${turn}: ${JSON.stringify(shot)} is not a cell to shoot at`);
    }
    attacks[indexOf(game, shot)] = ships.delete(indexOf(game, shot)) ? HIT : MISS;
    myLast = shot;
    if (ships.size === 0) return turn;
  }
  throw new Error(`the board is not clear after ${game.turnsMax} turns`);
}

/**
 * Returns the mean number of shots to clear a board by the rules `guide`. The same arguments give the same boards.
 * @param {number} boards
 * @param {number} seed
 */
export function practise(boards, seed) {
  const rng = new Rng(seed);
  let shots = 0;
  for (let board = 0; board < boards; board++) shots += shotsToClear(guide(BigInt(rng.below(2 ** 32))), rng);
  return shots / boards;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const boards = Number(process.argv[2] ?? 200);
  console.log(`${practise(boards, 1).toFixed(2)} shots a board over ${boards} boards`);
}
