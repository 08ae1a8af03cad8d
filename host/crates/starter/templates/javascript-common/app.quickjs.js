// The component's export for QuickJS. That engine has no console, so this file adds one. It needs no edit.

import "./console.js";
export { bot } from "./app.js";
