// @ts-check
// The differences between the two JavaScript engines that a bot can be built with. This file needs no edit.

import { rngOf } from "./random.js";

/** The largest number of the contract's type u64. */
const U64_MAX = 2n ** 64n - 1n;

/** True if the engine is QuickJS: it has numbers for u64, without their lowest bits, and null for missing values. */
let isQuickJs = false;

/** Set once `Math.random` has been seeded. */
let isSeeded = false;

/** @param {bigint | number} value */
function u64(value) {
  if (typeof value === "bigint") return value;
  const whole = BigInt(value);
  return whole > U64_MAX ? U64_MAX : whole;
}

/**
 * Returns the facts of a game with BigInts, and seeds `Math.random` at the first call.
 * @template {{ seed: bigint, fuelPerTurn: bigint }} G
 * @param {G} game
 * @param {number} turn
 * @returns {G}
 */
export function gameOf(game, turn) {
  isQuickJs = typeof game.seed === "number";
  const facts = { ...game, seed: u64(game.seed), fuelPerTurn: u64(game.fuelPerTurn) };
  if (isQuickJs && !isSeeded) {
    // A build is a snapshot of an engine that has drawn its seed already.
    isSeeded = true;
    const rng = rngOf(/** @type {any} */ (facts), turn ^ 0x5eed);
    Math.random = () => rng.below(2 ** 32) / 2 ** 32;
  }
  return facts;
}

/**
 * Returns a value with each `null` replaced by `undefined`.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function withoutNull(value) {
  if (value === null) return /** @type {any} */ (undefined);
  if (!isQuickJs || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return /** @type {any} */ (value.map(withoutNull));
  const entries = Object.entries(/** @type {any} */ (value)).map(([key, inner]) => [key, withoutNull(inner)]);
  return Object.fromEntries(entries);
}

/**
 * Calls the bot. If it throws, prints the error with its stack to the bot's log.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
export function reporting(call) {
  try {
    return call();
  } catch (error) {
    // SpiderMonkey prints the error itself.
    if (isQuickJs) console.error(error);
    throw error;
  }
}

/**
 * Returns a value as text, for messages about answers that are not right. It never throws.
 * @param {unknown} value
 */
export function shown(value) {
  if (value instanceof Promise) return "a Promise, because its function is async";
  const plain = (/** @type {string} */ _, /** @type {unknown} */ inner) => {
    if (typeof inner === "bigint") return `${inner}n`;
    return typeof inner === "number" && !Number.isFinite(inner) ? String(inner) : inner;
  };
  try {
    return JSON.stringify(value, plain) ?? String(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}

/** @type {Set<string>} */
const said = new Set();

/**
 * Prints a text to the log, unless it was printed before.
 * @param {string} text
 */
export function sayOnce(text) {
  if (!said.has(text)) console.error(text);
  said.add(text);
}
