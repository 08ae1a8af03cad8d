// Builds the bot as a component, first-bot.wasm, with QuickJS: `arena build`, or `npm run build`.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { componentize } from "componentize-qjs";
import { ofQuickJs } from "./mistakes.js";
import { writeWatched } from "./watch.js";

const OUTPUT = "first-bot.wasm";
const PART = `.${OUTPUT}.part`;
const ENTRY = "entry.js";

writeWatched("app.js");
const building = componentize({
  witPath: "wit",
  world: "javascript-bot",
  jsPath: ENTRY,
  jsSource: readFileSync(ENTRY, "utf8"),
  moduleRoot: dirname(fileURLToPath(import.meta.url)),
  // The arena has WASI 0.2, without asynchronous functions.
  sync: true,
});
const { component } = await ofQuickJs(building);
writeFileSync(PART, component);
renameSync(PART, OUTPUT);
