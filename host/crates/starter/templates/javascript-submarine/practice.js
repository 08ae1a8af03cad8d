// @ts-check
// Practice games against random actions. `node practice.js` prints the score of the bot.

import { pathToFileURL } from "node:url";
import { SHIPS, Rng, destinations, isWithinAStep, randomPositions, reach, rngOf, sameCell } from "./arena.js";
import { Bot } from "./bot.js";

/** @import { Action, Coord, Game, Positions, Report, Ship, View } from "./arena.js" */

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
 * Plays a game of two bots, of which the first moves first. Returns the index of the winner; `undefined` for a draw.
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
    if (enemy.ships.length === 0) return index;
  }
  return undefined;
}

/** @param {View} view @param {Action} action */
function isLegal(view, action) {
  const [legal, cell] =
    action.tag === "attack" ? [reach(view), action.val] : [destinations(view, action.val.ship), action.val.to];
  return legal.some((at) => sameCell(at, cell));
}

/**
 * Returns the number of games that the bot wins against random actions, with the second seat in every other game.
 * @param {number} count
 * @param {number} seed
 */
export function practise(count, seed) {
  const rng = new Rng(seed);
  let wins = 0;
  for (let number = 0; number < count; number++) {
    const game = () => ({ actionsMax: 10_000, fuelPerTurn: 2n ** 64n - 1n, seed: BigInt(rng.below(2 ** 32)) });
    const seat = number % 2;
    const bots = seat === 0 ? [new Bot(), new Anything()] : [new Anything(), new Bot()];
    if (play(bots, [game(), game()]) === seat) wins += 1;
  }
  return wins;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const count = Number(process.argv[2] ?? 200);
  console.log(`${practise(count, 1)} of ${count} games won against random actions`);
}
