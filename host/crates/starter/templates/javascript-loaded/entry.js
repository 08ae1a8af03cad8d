// The component's export. QuickJS has no console, so this file adds one. It needs no edit.

import "./console.js";
import { bot as plain } from "./app.js";
import { bot as watched } from "./node_modules/watched/app.js";
import { isAsked } from "./where.js";

/** The modules of this game: those of the bot, or the copy that prints where it is. */
let chosen;

/** Returns the modules of this game. */
function modules() {
  return (chosen ??= isAsked() ? watched : plain);
}

export const bot = {
  name: () => plain.name(),
  play: (observation) => modules().play(observation),
};
