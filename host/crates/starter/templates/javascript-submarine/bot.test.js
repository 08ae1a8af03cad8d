// @ts-check
// Tests of the bot in practice games, natively: `npm test`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bot } from "./bot.js";
import { practise } from "./practice.js";

test("it attacks again where it hit", () => {
  const game = { actionsMax: 10_000, fuelPerTurn: 300_000_000n, seed: 7n };
  const at = { row: 2, column: 2 };
  /** @type {import("./arena.js").View} */
  const view = {
    turn: 2,
    own: [{ ship: "battleship", hitPoints: 3, at: { row: 1, column: 1 } }],
    enemy: [{ ship: "cruiser", hitPoints: 1 }],
    myLast: { tag: "attacked", val: { at, hit: "cruiser", near: [] } },
    enemyLast: undefined,
  };
  assert.deepEqual(new Bot().play(game, view), { tag: "attack", val: at });
});

test("it wins most games against random actions", () => {
  assert.ok(practise(100, 1) > 80);
});
