// @ts-check
// Tests of the bot on practice boards, natively: `npm test`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HIT, MISS } from "./arena.js";
import { Bot } from "./bot.js";
import { firstView, guide, isLegalFleet, practise, shots } from "./practice.js";

test("it places a legal fleet", () => {
  for (let seed = 0n; seed < 50n; seed++) {
    const game = guide(seed);
    assert.ok(isLegalFleet(game, new Bot().deploy(game)), `seed ${seed}`);
  }
});

test("it shoots next to a hit", () => {
  const game = guide(7n);
  const view = firstView(game, [[{ row: 0, column: 0 }, HIT], [{ row: 0, column: 1 }, MISS]]);
  assert.deepEqual(new Bot().play(game, view), { row: 1, column: 0 });
});

test("it is better than shooting anywhere", () => {
  // A bot that shoots anywhere needs about 96 shots.
  assert.ok(practise(200, 1) < 90);
});

test("it clears the same boards each time under all built-in rules", () => {
  for (const rules of ["guide", "classic", "pirates"]) {
    assert.deepEqual(shots(5, 1, rules), shots(5, 1, rules, Bot), rules);
  }
});
