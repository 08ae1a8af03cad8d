// `console` for QuickJS: it prints to the bot's log. SpiderMonkey has its own. This file needs no edit.

import * as stderr from "wasi:cli/stderr@0.2.12";
import * as stdout from "wasi:cli/stdout@0.2.12";

/** The longest text that is written at once, in bytes. It is the limit of WASI. */
const WRITE_BYTES_MAX = 4096;

/** @param {unknown} value */
function shown(value) {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value}\n${value.stack ?? ""}`.trimEnd();
  if (typeof value !== "object" || value === null) return String(value);
  try {
    const plain = (/** @type {string} */ _, /** @type {unknown} */ inner) =>
      typeof inner === "bigint" ? `${inner}n` : ArrayBuffer.isView(inner) ? Array.from(inner) : inner;
    return JSON.stringify(value, plain);
  } catch {
    return String(value);
  }
}

/** The bytes of a text in UTF-8. @param {string} text */
function utf8(text) {
  const bytes = [];
  const escaped = encodeURIComponent(text.toWellFormed());
  for (let at = 0; at < escaped.length; at++) {
    if (escaped[at] === "%") {
      bytes.push(parseInt(escaped.slice(at + 1, at + 3), 16));
      at += 2;
    } else {
      bytes.push(escaped.charCodeAt(at));
    }
  }
  return Uint8Array.from(bytes);
}

/** @typedef {{ blockingWriteAndFlush(bytes: Uint8Array): void, [Symbol.dispose](): void }} Stream */

/** @param {() => Stream} stream @param {unknown[]} values */
function print(stream, values) {
  const bytes = utf8(values.map(shown).join(" ") + "\n");
  const out = stream();
  for (let at = 0; at < bytes.length; at += WRITE_BYTES_MAX) {
    out.blockingWriteAndFlush(bytes.slice(at, at + WRITE_BYTES_MAX));
  }
  // Otherwise the handle stays until the call returns, and a bot may hold 256 of them.
  out[Symbol.dispose]();
}

const log = (/** @type {unknown[]} */ ...values) => print(stdout.getStdout, values);
const error = (/** @type {unknown[]} */ ...values) => print(stderr.getStderr, values);
globalThis.console ??= { debug: log, error, info: log, log, trace: error, warn: error };
