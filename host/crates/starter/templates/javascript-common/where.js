// @ts-check
// Prints where the bot is, or the fuel of its functions, when the arena asks for that. This file needs no edit.
//
// If a turn had a fault without a stack, such as a loop that used up its fuel, `arena check` plays it again with the line `trace` on standard
// input, and `arena profile` plays a game with the line `profile`. Then the calls go to a second copy of the bot's modules, which `watch.js`
// makes at each build: it calls `at` before each statement, and `enter` and `leave` around each function.
// Other games use the modules as they are written. For them, this costs one read of an empty input.

import * as stdin from "wasi:cli/stdin@0.2.12";
import * as clock from "wasi:clocks/monotonic-clock@0.2.12";

/** The line on standard input that asks for the place. */
const TRACE = "trace\n";

/** The line on standard input that asks for the fuel of each function. */
const PROFILE = "profile\n";

/** What the arena asks for in this game: one of these lines, or nothing. */
let asked = "";

/** The most functions of a stack that are printed. */
const FRAMES_MAX = 10;

/** The most functions of a stack in a profile. Chosen: those of a recursion without end would fill the log, and the memory. */
const PROFILED_MAX = 40;

/** The number of statements so far. */
let count = 0;

/** The statements that were reached. @type {Set<string>} */
const reached = new Set();

/**
 * A stack of functions: the innermost one, the stack around it, those inside it, and its time in nanoseconds.
 * @typedef {{ name: string, depth: number, inside: Map<string, Stack>, time: number }} Stack
 */

/** The stack in which no function is called. @type {Stack} */
const outside = { name: "", depth: 0, inside: new Map(), time: 0 };

/** The present stack. */
let stack = outside;

/** The time from which on the present stack has not got its time. The bot's clock advances with its fuel. */
let since = 0;

/** The statements from which on the present stack has not got its time. */
let statements = 0;

/** What it takes to note the begin of a function, its end, and a statement, which is no time of the bot. */
let [costEnter, costLeave, costAt] = [0, 0, 0];

/** Returns true if the arena asks for something. */
export function isAsked() {
  try {
    asked = String.fromCharCode(...stdin.getStdin().blockingRead(PROFILE.length));
  } catch {
    // The input is empty.
  }
  if (asked === PROFILE) measure();
  return asked === TRACE || asked === PROFILE;
}

/**
 * Prints the stack at each statement that is new, and when the count of statements is a power of two, so that some are in the endless loop.
 * @param {string} place the file and the number of the statement
 */
export function at(place) {
  if (asked !== TRACE) {
    statements++;
    return;
  }
  count++;
  if (reached.has(place) && !Number.isInteger(Math.log2(count))) return;
  reached.add(place);
  const frames = (new Error().stack ?? "").split("\n").filter(isOwn).slice(0, FRAMES_MAX).map(shown);
  console.error(["in a loop, or in a long search", ...frames].join("\n"));
}

/**
 * Notes that a function begins, and returns the stack around it.
 * @param {string} name
 */
export function enter(name) {
  const around = stack;
  if (asked !== PROFILE) return around;
  let inside = around.depth < PROFILED_MAX ? around.inside.get(name) : around;
  if (inside === undefined) {
    inside = { name, depth: around.depth + 1, inside: new Map(), time: 0 };
    around.inside.set(name, inside);
  }
  change(inside, costEnter);
  return around;
}

/**
 * Notes that a function ends, with those inside it that an exception has ended. Prints the time of each stack if the arena's call is over.
 * @template T
 * @param {Stack} around what `enter` has returned
 * @param {T} [value]
 * @returns {T | undefined} the value
 */
export function leave(around, value) {
  if (asked !== PROFILE) return value;
  change(around, costLeave);
  if (around === outside) {
    outside.inside.forEach((inside) => print(inside, []));
    outside.inside.clear();
  }
  return value;
}

/**
 * Adds the time since the last change to the present stack, and makes another the present one.
 * @param {Stack} next
 * @param {number} cost what it took to note this
 */
function change(next, cost) {
  const now = Number(clock.now());
  stack.time += Math.max(0, now - since - cost - statements * costAt);
  [stack, since, statements] = [next, now, 0];
}

/** Prints a stack and those inside it. @param {Stack} stack @param {string[]} around */
function print({ name, inside, time }, around) {
  const names = [...around, name];
  console.error(`arena profile: ${names.join(";")} ${Math.round(time)}`);
  inside.forEach((each) => print(each, names));
}

/** Measures the costs: how much more time two functions get from one more call. */
function measure() {
  const around = enter("outer");
  const outer = stack;
  leave(enter("inner"));
  const inner = /** @type {Stack} */ (outer.inside.get("inner"));
  /** @param {() => void} calls */
  const timed = (calls) => {
    // The first call of anything costs more.
    calls();
    [outer.time, inner.time] = [0, 0];
    calls();
    return [outer.time, inner.time];
  };
  const [[outerOnce, innerOnce], [outerTwice, innerTwice], [, innerAt]] = [called, calledTwice, calledWithStatement].map(timed);
  [costEnter, costLeave, costAt] = [outerTwice - outerOnce, innerTwice - innerOnce, innerAt - innerTwice];
  stack = around;
  outside.inside.clear();
}

// As the copy of a module has it in an arrow function with an expression. Any other function has a little more.
const called = () => leave(enter("inner"));

function calledTwice() {
  leave(enter("inner"));
  leave(enter("inner"));
}

function calledWithStatement() {
  leave(enter("inner"));
  leave(enter("inner"), at(""));
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
