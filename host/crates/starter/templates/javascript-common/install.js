// Installs componentize-js in the version of package-lock.json, unless it is there. It brings its own JavaScript engine.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";

const LOCK = "package-lock.json";
const STAMP = "node_modules/.installed-package-lock.json";

const [major] = process.versions.node.split(".").map(Number);
if (major < 20) {
  console.error(`install.js: Node 20 or later is required, not ${process.version}\n  next: install a later Node`);
  process.exit(1);
}
if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== readFileSync(LOCK, "utf8")) {
  try {
    execFileSync("npm", ["install", "--no-save", "--no-fund", "--no-audit", "--loglevel=error"], { stdio: "inherit" });
  } catch {
    console.error("install.js: npm cannot install componentize-js\n  next: check the network, then build again");
    process.exit(1);
  }
  copyFileSync(LOCK, STAMP);
}
