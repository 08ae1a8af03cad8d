// The component's export if the engine is QuickJS, which has no console of its own. This file needs no edit.

import "./console.js";
export { bot } from "./app.js";
