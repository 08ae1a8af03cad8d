// Builds the bot as a component, first-bot.wasm, with SpiderMonkey: `npm run build:spidermonkey`.

import { renameSync, writeFileSync } from "node:fs";
import { componentize } from "@bytecodealliance/componentize-js";
import { writeWatched } from "../watch.js";

const OUTPUT = "first-bot.wasm";
const PART = `.${OUTPUT}.part`;

writeWatched("app.js");
const { component } = await componentize({
  sourcePath: "entry.js",
  witPath: "wit",
  worldName: "javascript-bot",
  // The arena has no HTTP. The rest of WASI stays: without standard output an exception has no text in the log.
  disableFeatures: ["http", "fetch-event"],
});
writeFileSync(PART, component);
renameSync(PART, OUTPUT);
console.log(`built ${OUTPUT}`);
