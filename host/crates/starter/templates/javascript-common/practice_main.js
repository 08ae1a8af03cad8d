// @ts-check
// The command line of practice.js: its arguments and its results.

import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { Bot } from "./bot.js";
import { gameOf } from "./engine.js";

/**
 * The practice of a game.
 * @typedef {object} Practice
 * @property {"boards" | "games"} counted The things that are counted. It is also the name of the option.
 * @property {string[]} rules The rules to choose from, the default first; empty without a choice.
 * @property {(count: number, seed: number, rules: string, build?: typeof Bot) => number[]} measure Returns a number for each board or game.
 * @property {(numbers: number[], score: string) => string} result Returns the result as a line, with the mean and its error.
 * @property {(game: any, view: any) => { game: any, view: any }} recorded Returns the arguments of a recorded call.
 * @property {(said: any) => unknown} answer Returns an answer of the bot in the form of recordings.
 */

/**
 * Returns a function that calls a bot as it was called in a recorded game, and prints its last answer: with `calls.jsonl` in a folder of
 * `--faults`, or what `arena replay --calls` writes. The bot gets the numbers that its engine gives it: those of JSON for QuickJS.
 * @param {string} text
 * @param {boolean} isSpiderMonkey
 * @param {Practice} practice
 */
function repeated(text, isSpiderMonkey, { recorded, answer }) {
  const exact = text.replace(/"(seed|fuel-per-turn)":(\d+)/g, '"$1":"$2n"');
  const lines = (isSpiderMonkey ? exact : text).trimEnd().split("\n");
  const number = (/** @type {string} */ _, /** @type {any} */ value) =>
    /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
  const calls = lines.map((line) => {
    const { game, view, answer } = JSON.parse(line, number);
    return { ...recorded(game, view), known: JSON.stringify(answer) };
  });
  const bot = new Bot();
  return () => {
    calls.forEach(({ game, view, known }, index) => {
      const [turn, isLast] = [view?.turn ?? 0, index === calls.length - 1];
      const facts = gameOf(game, turn);
      // A debugger stops here, and a step leads into the bot.
      if (isLast) debugger;
      const said = view === undefined ? bot.deploy(facts) : bot.play(facts, view);
      const now = JSON.stringify(answer(said));
      if (known !== "null" && known !== now) console.error(`turn ${turn}: ${now}, and not ${known} as recorded`);
      if (isLast) console.log(now);
    });
  };
}

/** Returns the mean of some numbers. @param {number[]} numbers */
export const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** The time after which progress is printed, and between two lines of it. */
const PROGRESS_MILLISECONDS = 5_000;

/**
 * Calls a function with each number from 0 to a count, and returns the results. It prints the number of those that are done when some
 * seconds have passed.
 * @template T
 * @param {number} count
 * @param {string} what
 * @param {(number: number) => T} task
 */
export function withProgress(count, what, task) {
  let printed = performance.now();
  return Array.from({ length: count }, (_, number) => {
    if (number > 0 && performance.now() - printed >= PROGRESS_MILLISECONDS) {
      printed = performance.now();
      console.error(`${number} of ${count} ${what}`);
    }
    return task(number);
  });
}

/** Returns a mean with half of its 95 % interval. @param {number[]} numbers */
function withError(numbers) {
  const middle = mean(numbers);
  const variance = mean(numbers.map((number) => (number - middle) ** 2)) / (numbers.length - 1);
  const error = numbers.length > 1 ? (1.96 * Math.sqrt(variance)).toFixed(2) : "?";
  return `${middle.toFixed(2)} ± ${error}`;
}

/**
 * Runs the program with its arguments.
 * @param {Practice} practice
 */
export async function main(practice) {
  const { counted, rules, measure, result } = practice;
  const choice = rules.length > 0 ? `[--rules ${rules.join("|")}] ` : "";
  const usage = `usage: node practice.js ${choice}[--${counted} N] [--seed S] [--calls FILE [--spidermonkey]] [OTHER_BUILD]`;

  /** Ends the program because its arguments are wrong. @type {(problem: string) => never} */
  const refuse = (problem) => {
    console.error(`practice.js: ${problem}; ${usage}`);
    process.exit(2);
  };

  /** Reads an argument. An error of the task is about the argument. @type {<T>(task: () => T, about?: string) => T} */
  const read = (task, about = "") => {
    try {
      return task();
    } catch (error) {
      // The rest of the message is advice for arguments that this program does not have.
      return refuse(about + (error instanceof Error ? error.message : String(error)).split(/\.?(?:\n| To )/)[0]);
    }
  };

  /** @type {Record<string, { type: "string" | "boolean", default?: string }>} */
  const options = {
    ...(rules.length > 0 && { rules: { type: "string", default: rules[0] } }),
    [counted]: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    calls: { type: "string" },
    spidermonkey: { type: "boolean" },
  };
  const { values, positionals } = read(() => parseArgs({ allowPositionals: true, options }));
  const [chosen, calls] = [String(values.rules ?? ""), values.calls];
  const [count, seed] = [Number(values[counted]), Number(values.seed)];
  if (rules.length > 0 && !rules.includes(chosen)) refuse(`there are no built-in rules ${chosen}`);
  if (!Number.isSafeInteger(count) || count < 1) refuse(`--${counted} must be at least 1`);
  if (!Number.isSafeInteger(seed)) refuse("--seed must be a whole number");
  if (positionals.length > 1) refuse("only one other build is compared");
  if (calls !== undefined) {
    const path = String(calls);
    const repeat = read(
      () => repeated(readFileSync(path, "utf8"), values.spidermonkey === true, practice),
      `${path} has no recorded calls: `);
    return repeat();
  }
  const [path] = positionals;
  if (path !== undefined && !existsSync(path)) refuse(`there is no file ${path}`);
  const Other = path === undefined ? undefined : (await import(pathToFileURL(path).href)).Bot;
  if (path !== undefined && typeof Other !== "function") refuse(`${path} exports no class Bot`);
  const mine = measure(count, seed, chosen);
  console.log(result(mine, withError(mine)));
  if (Other === undefined) return;
  const other = measure(count, seed, chosen, Other);
  console.log(`${withError(mine.map((number, i) => number - other[i]))} against ${path} on the same ${counted}`);
}
