// @ts-check
// Practice boards: the number of shots that the bot needs alone. `node practice.js` prints it, and `node practice.js old_bot.js`
// compares it with another build on the same boards. `--calls FILE` repeats its calls of a recorded game.

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
  randomFleet as placedFleet,
} from "./arena.js";
import { Bot } from "./bot.js";
import { main, mean, withProgress } from "./practice_main.js";

/** @import { Coord, Game, Placement, View } from "./arena.js" */

/** The fleets of the built-in rules. @type {Record<string, Uint8Array>} */
const FLEETS = {
  guide: Uint8Array.of(4, 3, 3, 2, 2, 2, 1, 1, 1, 1),
  classic: Uint8Array.of(5, 4, 3, 3, 2),
  pirates: Uint8Array.of(5, 4, 3, 3, 2),
};

/** The most turns of a side in a game under the built-in rules. @type {Record<string, number>} */
const TURNS_MAX = { guide: 400, classic: 2000, pirates: 200 };

/** The budget of a turn under the built-in rules. @type {Record<string, bigint>} */
const FUEL_PER_TURN = { guide: 300_000_000n, classic: 300_000_000n, pirates: 50_000_000n };

/** The built-in rules under which the arena draws both fleets and never calls `deploy`. */
const DRAWN = ["pirates"];

/**
 * Returns a game under built-in rules. Here fuel is not counted, and the clock is the machine's.
 * @param {string} rules
 * @param {bigint} seed
 * @returns {Game}
 */
export function gameBy(rules, seed) {
  if (!Object.hasOwn(FLEETS, rules)) throw new RangeError(`there are no built-in rules ${rules}`);
  const facts = { fleet: FLEETS[rules], mayTouch: rules === "classic", sinkingsAnnounced: rules !== "guide" };
  return { width: 10, height: 10, ...facts, turnsMax: TURNS_MAX[rules], fuelPerTurn: FUEL_PER_TURN[rules], seed };
}

/**
 * Returns a game under the `guide` rules: ships may not touch. Here fuel is not counted, and the clock is the machine's.
 * @param {bigint} seed
 */
export function guide(seed) {
  return gameBy("guide", seed);
}

/**
 * Returns true if a fleet has the right ships, all on the board, without overlap, and without touching if that is forbidden.
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

/** The number of times that `randomFleet` moves a ship. Measured: more moves do not change the number of shots for a board. */
const MOVES = 400;

/**
 * Draws a fleet as the arena draws it: all legal fleets are about equally likely, which those that bots place are not. Ships of such a
 * fleet are moved, again and again, to random places.
 * @param {Game} game
 * @param {Rng} rng
 * @returns {Placement[]}
 */
function randomFleet(game, rng) {
  const fleet = placedFleet(game, rng);
  for (let move = 0; move < MOVES; move++) {
    const ship = rng.below(fleet.length);
    const before = fleet[ship];
    const anchor = { row: rng.below(game.height), column: rng.below(game.width) };
    fleet[ship] = { anchor, direction: rng.below(2) === 0 ? "east" : "south" };
    if (!isLegalFleet(game, fleet)) fleet[ship] = before;
  }
  return fleet;
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
 * Returns the arguments of a recorded call. The view is undefined if the call was `deploy`.
 * @param {object} game
 * @param {object | null} view
 */
function recorded(game, view) {
  const named = (/** @type {object} */ object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key.replace(/-(.)/g, (_, letter) => letter.toUpperCase()),
        value ?? undefined,
      ]),
    );
  const facts = named(game);
  const result = /** @type {Game} */ ({ ...facts, fleet: Uint8Array.from(facts.fleet) });
  if (view === null) return { game: result, view: undefined };
  const shown = named(view);
  const spot = (/** @type {number[] | undefined} */ at) => at && { row: at[0], column: at[1] };
  const bytes = (/** @type {number[] | undefined} */ cells) => cells && Uint8Array.from(cells);
  const [board, attacks, shipsRemaining] = [shown.board, shown.attacks, shown.shipsRemaining].map(bytes);
  const spots = { lastSpot: spot(shown.lastSpot), myLast: spot(shown.myLast) };
  return { game: result, view: /** @type {View} */ ({ ...shown, ...spots, board, attacks, shipsRemaining }) };
}

/** Returns an answer in the form of recordings. @param {Coord | undefined | Placement[]} said */
function answer(said) {
  if (said === undefined) return "skip";
  if (!Array.isArray(said)) return { shot: [said.row, said.column] };
  return said.map(({ anchor, direction }) => [anchor.row, anchor.column, direction[0].toUpperCase()]);
}

/**
 * Lets a fresh bot clear a random board alone, and returns the number of its shots. Its own fleet is drawn, or the bot places it.
 * @param {Game} game
 * @param {Rng} rng
 * @param {typeof Bot} build
 * @param {boolean} isDrawn
 */
export function shotsToClear(game, rng, build = Bot, isDrawn = false) {
  const bot = new build();
  const fleet = randomFleet(game, rng);
  const own = isDrawn ? randomFleet(game, rng) : bot.deploy(game);
  if (!isLegalFleet(game, own)) throw new Error(`the fleet is not legal: ${JSON.stringify(own)}`);
  const board = new Uint8Array(game.width * game.height);
  own.forEach((ship, i) => cellsOfShip(ship, game.fleet[i]).forEach((at) => (board[indexOf(game, at)] = SHIP)));
  const cells = (/** @type {Placement} */ ship, /** @type {number} */ i) =>
    new Set(cellsOfShip(ship, game.fleet[i]).map((at) => indexOf(game, at)));
  const ships = fleet.map(cells);
  const attacks = new Uint8Array(game.width * game.height);
  /** @type {Coord | undefined} */
  let myLast;
  for (let turn = 1; turn <= game.turnsMax; turn++) {
    // Copies, as in the arena: changes that the bot makes have no effect.
    const remaining = game.fleet.filter((_, i) => ships[i].size > 0);
    const shipsRemaining = game.sinkingsAnnounced ? remaining : undefined;
    const view = { ...firstView(game), turn, board: board.slice(), attacks: attacks.slice(), myLast, shipsRemaining };
    const shot = bot.play(game, view);
    if (shot === undefined || !contains(game, shot) || attacks[indexOf(game, shot)] !== UNKNOWN) {
      throw new Error(`turn ${turn}: ${JSON.stringify(shot)} is not a cell to shoot at`);
    }
    const target = ships.find((ship) => ship.delete(indexOf(game, shot)));
    attacks[indexOf(game, shot)] = target === undefined ? MISS : HIT;
    myLast = shot;
    if (ships.every((ship) => ship.size === 0)) return turn;
  }
  throw new Error(`the board is not clear after ${game.turnsMax} turns`);
}

/**
 * Returns the number of shots to clear each board. The same arguments give the same boards, for each build.
 * @param {number} boards
 * @param {number} seed
 * @param {string} rules
 * @param {typeof Bot} build
 */
export function shots(boards, seed, rules = "guide", build = Bot) {
  const rng = new Rng(seed);
  const seeds = Array.from({ length: boards }, () => rng.below(2 ** 32));
  const isDrawn = DRAWN.includes(rules);
  const clear = (/** @type {number} */ seed) => shotsToClear(gameBy(rules, BigInt(seed)), new Rng(seed), build, isDrawn);
  return withProgress(boards, "boards", (number) => clear(seeds[number]));
}

/**
 * Returns the mean number of shots to clear a board under the `guide` rules. The same arguments give the same boards.
 * @param {number} boards
 * @param {number} seed
 */
export function practise(boards, seed) {
  return mean(shots(boards, seed));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main({
    counted: "boards",
    rules: Object.keys(FLEETS),
    measure: shots,
    result: (shots, score) => `${score} shots a board over ${shots.length} boards`,
    recorded,
    answer,
  });
}
