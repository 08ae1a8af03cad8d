// Installs the tools of a folder in the versions of its package-lock.json, unless they are installed: `node install.js FOLDER`.
// The tools contain the bot's JavaScript engine.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const folder = process.argv[2];
const LOCK = `${folder}/package-lock.json`;
const STAMP = `${folder}/node_modules/.installed-package-lock.json`;

const [major] = process.versions.node.split(".").map(Number);
if (major < 20) {
  console.error(`install.js: Node 20 or later is required, not ${process.version}\n  next: install a later Node`);
  process.exit(1);
}
if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== readFileSync(LOCK, "utf8")) {
  try {
    const options = ["--no-save", "--no-fund", "--no-audit", "--loglevel=error"];
    // npm has said where it is: on Windows, `npm` is a script, which cannot be run like a program.
    const [program, ...args] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
    execFileSync(program, [...args, "install", ...options], { stdio: "inherit", cwd: folder });
  } catch {
    console.error("install.js: npm cannot install the tools\n  next: check the network, then build again");
    process.exit(1);
  }
  const { devDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  try {
    if ("componentize-qjs" in devDependencies) createRequire(resolve(LOCK))("componentize-qjs");
  } catch (error) {
    // The compiler is a program for this system, and may ask for a later C library.
    let reasons = "";
    for (let it = error; it; it = it.cause) reasons += `${it.message}\n`;
    const missing = reasons.match(/GLIBC_[\d.]+/)?.[0];
    const why = missing ? `the C library of this system is too old, and has no ${missing}` : reasons.trim();
    console.error(`install.js: the compiler does not start: ${why}`);
    console.error("  next: build on a later system, such as Debian 12 or Ubuntu 22.04; the component plays on every other");
    process.exit(1);
  }
  copyFileSync(LOCK, STAMP);
}
