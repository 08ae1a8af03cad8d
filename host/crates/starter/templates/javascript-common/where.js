// @ts-check
// Prints where the bot is, when the arena asks for that. This file needs no edit.
//
// If a turn had a fault without a stack, such as a loop that used up its fuel, `arena check` plays it again with the line `trace` on standard
// input. Then the calls go to a second copy of the bot's modules, which `watch.js` makes at each build: it calls `at` before each statement.
// Other games use the modules as they are written. For them, this costs one read of an empty input.

import * as stdin from "wasi:cli/stdin@0.2.12";

/** The line on standard input that asks for the place. */
const TRACE = "trace\n";

/** The most functions of a stack that are printed. */
const FRAMES_MAX = 10;

/** The number of statements so far. */
let count = 0;

/** The statements that were reached. @type {Set<string>} */
const reached = new Set();

/** Returns true if the arena asks where the bot is. */
export function isAsked() {
  try {
    return String.fromCharCode(...stdin.getStdin().blockingRead(TRACE.length)) === TRACE;
  } catch {
    // The input is empty.
    return false;
  }
}

/**
 * Prints the stack at each statement that is new, and when the count of statements is a power of two, so that some are in the endless loop.
 * @param {string} place the file and the number of the statement
 */
export function at(place) {
  count++;
  if (reached.has(place) && !Number.isInteger(Math.log2(count))) return;
  reached.add(place);
  const frames = (new Error().stack ?? "").split("\n").filter(isOwn).slice(0, FRAMES_MAX).map(shown);
  console.error(["in a loop, or in a long search", ...frames].join("\n"));
}

/** True for a frame of the bot's own code. @param {string} frame */
function isOwn(frame) {
  return frame.includes("/watched/") && !/[/](app|engine)\.js:/.test(frame);
}

/**
 * A frame of QuickJS, `    at play (bot.js:12:5)`, or SpiderMonkey, `play@bot.js:12:5`, in one form. It has no column, because the copies
 * have the lines of the bot's modules, but other columns.
 * @param {string} frame
 */
function shown(frame) {
  const [, name, place] = /^ *(?:at )?(.*?)(?: [(]|@)(.*):[0-9]+[)]?$/.exec(frame) ?? [];
  return place === undefined ? frame : `    at ${name || "<anonymous>"} (${place})`;
}
