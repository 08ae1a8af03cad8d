// The component's export: it passes the calls of the arena to `bot.js`. This file needs no edit.

import { getRandomU64 } from "wasi:random/random@0.2.12";
import { Bot } from "./bot.js";

const author = new Bot();
if (typeof Bot.botName !== "string") throw new TypeError('`static botName` must be a text, such as "my-bot"');

/** What the engine takes for a number of 64 bits: QuickJS a number, SpiderMonkey a BigInt. */
globalThis.integer64 = Number;

/** The state of `Math.random`; `undefined` before it has been seeded. */
let state;

/** Seeds `Math.random` at the first call, because a build is a snapshot of an engine that has drawn its seed already (mulberry32). */
function seedOnce() {
  if (state !== undefined) return;
  const seed = getRandomU64();
  globalThis.integer64 = typeof seed === "number" ? Number : BigInt;
  // QuickJS has no lowest bits of a number this large.
  state = Number((BigInt(seed) >> 32n) & 0xffffffffn);
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The export `bot` of the game's package. */
export const bot = {
  name: () => Bot.botName,

  play: (observation) => {
    seedOnce();
    try {
      return author.play(observation);
    } catch (error) {
      console.error(error);
      throw error;
    }
  },
};
