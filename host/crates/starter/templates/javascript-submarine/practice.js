// @ts-check
// Practice games against random actions. `node practice.js` prints the score of the bot, and `node practice.js old_bot.js` compares it
// with another build in the same games. `--calls FILE` repeats its calls of a recorded game.

import { pathToFileURL } from "node:url";
import { SHIPS, Rng, destinations, isWithinAStep, randomPositions, reach, rngOf, sameCell } from "./arena.js";
import { Bot } from "./bot.js";
import { main, withProgress } from "./practice_main.js";

/** @import { Action, Coord, Game, Positions, Report, Ship, View } from "./arena.js" */

/** The number of turns in which a game must be won to count as won. Chosen: several times what the template needs. */
const TURNS_MAX = 200;

/** The budget of a turn. Here fuel is not counted, and the clock is the machine's. */
const FUEL_PER_TURN = 300_000_000n;

/** Plays random legal actions. */
class Anything {
  /** @param {Game} game */
  deploy(game) {
    return randomPositions(rngOf(game, 0));
  }

  /** @param {Game} game @param {View} view @returns {Action} */
  play(game, view) {
    /** @type {Action[]} */
    const attacks = reach(view).map((at) => ({ tag: "attack", val: at }));
    /** @type {Action[]} */
    const moves = view.own.flatMap(({ ship }) =>
      destinations(view, ship).map((to) => /** @type {Action} */ ({ tag: "move", val: { ship, to } })),
    );
    return rngOf(game, view.turn).pick([...attacks, ...moves]) ?? attacks[0];
  }
}

/** The ships of a side that are afloat, and the report of its last action. */
class Side {
  /** @param {Positions} positions */
  constructor(positions) {
    this.ships = SHIPS.map((ship, index) => ({ ship, hitPoints: 3 - index, at: positions[ship] }));
    if (this.ships.some((a) => this.ships.some((b) => a !== b && sameCell(a.at, b.at)))) {
      throw new Error(`the deployment is not legal: ${JSON.stringify(positions)}`);
    }
    /** @type {Report | undefined} */
    this.last = undefined;
  }

  /** Takes an attack, and returns the report of it. @param {Coord} at @returns {Report} */
  attacked(at) {
    const target = this.ships.find((own) => sameCell(own.at, at));
    const near = this.ships.filter((own) => own !== target && isWithinAStep(own.at, at)).map(({ ship }) => ship);
    if (target !== undefined) target.hitPoints -= 1;
    this.ships = this.ships.filter((own) => own.hitPoints > 0);
    return { tag: "attacked", val: { at, hit: target?.ship, near } };
  }

  /** Moves a ship, and returns the report of it. @param {Ship} ship @param {Coord} to @returns {Report} */
  move(ship, to) {
    const own = this.ships.find((own) => own.ship === ship);
    if (own === undefined) throw new Error(`the ${ship} is sunk`);
    const from = own.at;
    own.at = to;
    return { tag: "moved", val: { ship, down: to.row - from.row, right: to.column - from.column } };
  }
}

/**
 * Plays a game of two bots. The first one moves first. Returns the index of the winner, `undefined` for a draw, and the last turn.
 * @param {(Bot | Anything)[]} bots
 * @param {Game[]} games
 */
export function play(bots, games) {
  const sides = bots.map((bot, index) => new Side(bot.deploy(games[index])));
  for (let number = 0; number < games[0].actionsMax; number++) {
    const index = number % 2;
    const [own, enemy] = [sides[index], sides[1 - index]];
    /** @type {View} */
    const view = {
      turn: Math.floor(number / 2) + 1,
      own: own.ships.map((ship) => ({ ...ship })),
      enemy: enemy.ships.map(({ ship, hitPoints }) => ({ ship, hitPoints })),
      myLast: own.last,
      enemyLast: enemy.last,
    };
    const action = bots[index].play(games[index], view);
    if (!isLegal(view, action)) throw new Error(`turn ${view.turn}: ${JSON.stringify(action)} is not legal`);
    own.last = action.tag === "attack" ? enemy.attacked(action.val) : own.move(action.val.ship, action.val.to);
    if (enemy.ships.length === 0) return { winner: index, turn: view.turn };
  }
  return { winner: undefined, turn: TURNS_MAX };
}

/** @param {View} view @param {Action} action */
function isLegal(view, action) {
  const [legal, cell] =
    action.tag === "attack" ? [reach(view), action.val] : [destinations(view, action.val.ship), action.val.to];
  return legal.some((at) => sameCell(at, cell));
}

/**
 * Returns the number of turns in which the bot wins each game against random actions, TURNS_MAX if it does not win. It has the second
 * seat in every other game. The same arguments give the same games, for each build.
 * @param {number} count
 * @param {number} seed
 * @param {typeof Bot} build
 */
export function turns(count, seed, build = Bot) {
  const rng = new Rng(seed);
  return withProgress(count, "games", (number) => {
    const game = () => ({ actionsMax: 2 * TURNS_MAX, fuelPerTurn: FUEL_PER_TURN, seed: BigInt(rng.below(2 ** 32)) });
    const seat = number % 2;
    const bots = seat === 0 ? [new build(), new Anything()] : [new Anything(), new build()];
    const { winner, turn } = play(bots, [game(), game()]);
    return winner === seat ? turn : TURNS_MAX;
  });
}

const won = (/** @type {number[]} */ turns) => turns.filter((turn) => turn < TURNS_MAX).length;

/**
 * Returns the number of games that the bot wins against random actions.
 * @param {number} count
 * @param {number} seed
 */
export function practise(count, seed) {
  return won(turns(count, seed));
}

/**
 * Returns the arguments of a recorded call. The view is undefined if the call was `deploy`.
 * @param {any} game
 * @param {any} view
 * @returns {{ game: Game, view: View | undefined }}
 */
function recorded(game, view) {
  const facts = { actionsMax: game["actions-max"], fuelPerTurn: game["fuel-per-turn"], seed: game.seed };
  if (view === null) return { game: facts, view: undefined };
  const cell = (/** @type {number[]} */ [row, column]) => ({ row, column });
  const report = (/** @type {any} */ value) => {
    if (value === null) return undefined;
    if (value.moved) return /** @type {Report} */ ({ tag: "moved", val: value.moved });
    const { at, hit, near } = value.attacked;
    return /** @type {Report} */ ({ tag: "attacked", val: { at: cell(at), hit: hit ?? undefined, near } });
  };
  const ship = (/** @type {any} */ it) => ({ ship: it.ship, hitPoints: it["hit-points"] });
  const shown = {
    turn: view.turn,
    own: view.own.map((/** @type {any} */ own) => ({ ...ship(own), at: cell(own.at) })),
    enemy: view.enemy.map(ship),
    myLast: report(view["my-last"]),
    enemyLast: report(view["enemy-last"]),
  };
  return { game: facts, view: shown };
}

/** Returns an answer in the form of recordings. @param {Action | Positions} said */
function answer(said) {
  const cell = (/** @type {Coord} */ { row, column }) => [row, column];
  if (!("tag" in said)) return SHIPS.map((ship) => cell(said[ship]));
  return said.tag === "attack" ? { attack: cell(said.val) } : { move: [said.val.ship, cell(said.val.to)] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main({
    counted: "games",
    rules: [],
    measure: (count, seed, _, build) => turns(count, seed, build),
    result: (turns, score) => `${won(turns)} of ${turns.length} games won against random actions, ${score} turns a game`,
    recorded,
    answer,
  });
}
