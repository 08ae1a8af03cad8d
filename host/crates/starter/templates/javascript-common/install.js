// Installs the tools of a folder in the versions of its package-lock.json, unless they are installed: `node install.js FOLDER`.
// The tools contain the bot's JavaScript engine.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";

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
  copyFileSync(LOCK, STAMP);
}
