// The tests of the rules, without WebAssembly: `npm test`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Board } from "./board.js";

/** A board after some turns, which player 0 begins. */
function played(...cells) {
  const board = new Board(0, 20);
  cells.forEach((cell) => board.put(cell));
  return board;
}

test("three marks in a line win", () => {
  assert.equal(played(0, 3, 1, 4, 2).winner, 0);
  assert.equal(played(0, 2, 1, 4, 8, 6).winner, 1);
  assert.equal(played(0, 3, 1, 4, 8).winner, undefined);
});

test("a fourth mark takes the oldest one away, and its line with it", () => {
  const board = played(0, 3, 1, 4, 8, 7);
  assert.equal(board.put(2), 0);
  assert.deepEqual(board.marks[0], [1, 8, 2]);
  assert.equal(board.winner, undefined);
  assert.deepEqual(board.free(), [0, 5, 6]);
});

test("the players move in turn until the last turn", () => {
  const board = new Board(1, 2);
  assert.equal(board.player, 1);
  board.put(0);
  assert.equal(board.player, 0);
  assert.equal(board.isOver(), false);
  board.put(1);
  assert.equal(board.isOver(), true);
});

test("the picture has the marks that go away next in small letters", () => {
  assert.equal(played(0, 3, 1, 4, 8).picture(), "x X .\nO O .\n. . X");
});
