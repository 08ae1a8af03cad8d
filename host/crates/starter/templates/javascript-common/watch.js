// Makes the copy of the bot's modules that prints where it is, or the fuel of its functions: see `where.js`. It is a part of the build, and
// needs no edit.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parse } from "acorn";
import { fullAncestor } from "acorn-walk";
import { fail } from "./mistakes.js";

/** The folder of the copies. Editors, tests and `arena dev` leave it out. */
const FOLDER = "node_modules/watched";

/** The template's own modules, which are no part of a profile. */
const ADAPTER = ["app.js", "engine.js"];

/** The statements with a body that may be a single statement. */
const LOOPS = ["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"];

/**
 * Writes copies of a module and of all modules that it imports by relative paths.
 * @param {string} entry the path of the module in this folder
 */
export function writeWatched(entry) {
  rmSync(FOLDER, { recursive: true, force: true });
  const waiting = [entry];
  for (const path of waiting) {
    if (path.endsWith(".json")) {
      fail(path, "JSON cannot be imported", "write `export default` before it, in a file `.js`");
    }
    const { text, imports } = watched(readFileSync(path, "utf8"), path);
    const copy = join(FOLDER, path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
    waiting.push(...imports.filter((other) => !waiting.includes(other)));
  }
}

/**
 * Returns the text of a copy, on the same lines, and the paths of the modules to copy with it.
 * @param {string} text
 * @param {string} path
 */
function watched(text, path) {
  const tree = parsed(text, path);
  const lineOf = (node) => text.slice(0, node.start).split("\n").length;
  const copy = join(FOLDER, path);
  const [opens, closes, sources, imports] = [[], [], [], []];
  let count = 0;
  const call = () => `__at(${JSON.stringify(`${path} ${count++}`)})`;
  const open = (at, text) => opens.push({ at, end: at, text });
  // The walk visits inner nodes first, so the innermost bracket is closed first.
  const close = (at, text) => closes.push({ at, end: at, text });
  const before = (statement) => open(statement.start, `${call()};`);
  const body = (node) => {
    if (node.type === "BlockStatement") return open(node.start + 1, `${call()};`);
    open(node.start, `{${call()};`);
    close(node.end, "}");
  };
  fullAncestor(tree, (node, _, ancestors) => {
    if (isProfiled(node) && !ADAPTER.includes(path)) {
      const name = JSON.stringify(nameOf(node, ancestors) ?? `<anonymous> (${path}:${lineOf(node)})`);
      if (node.body.type !== "BlockStatement") {
        open(node.body.start, `__leave(__enter(${name}),`);
        close(node.body.end, ")");
      } else {
        open(node.body.start + 1, `const __around=__enter(${name});try{`);
        close(node.body.end - 1, "}finally{__leave(__around)}");
      }
    }
    if (LOOPS.includes(node.type)) {
      body(node.body);
    } else if (node.type === "BlockStatement" || node.type === "StaticBlock") {
      node.body.filter((inner) => !inner.directive).forEach(before);
    } else if (node.type === "SwitchCase") {
      node.consequent.forEach(before);
    } else if (node.type === "ArrowFunctionExpression" && node.expression) {
      open(node.body.start, `(${call()},`);
      close(node.body.end, ")");
    } else if (node.source?.value?.startsWith(".")) {
      const target = relative(".", resolve(dirname(path), node.source.value));
      const isOwn = !target.startsWith("..") && !target.startsWith("node_modules/");
      if (!existsSync(target)) {
        fail(`${path}:${lineOf(node)}`, `there is no file ${target}`, 'name the file with its ending, from this one: "./book.js"');
      }
      if (isOwn) imports.push(target);
      const from = isOwn ? node.source.value : relative(dirname(copy), target);
      sources.push({ at: node.source.start, end: node.source.end, text: JSON.stringify(from) });
    } else if (/^(node:|[^:]*$)/.test(node.source?.value ?? ":")) {
      const next = "a bot has no modules of Node; import a package by the path of its file, ./node_modules/…";
      fail(`${path}:${lineOf(node)}`, `a bot cannot import "${node.source.value}"`, next);
    }
  });
  let result = `import { at as __at, enter as __enter, leave as __leave } from ${JSON.stringify(relative(dirname(copy), "where.js"))};`;
  let done = 0;
  // The sort is stable: at the same place, brackets are closed before others are opened.
  for (const { at, end, text: added } of [...closes, ...opens, ...sources].sort((a, b) => a.at - b.at)) {
    result += text.slice(done, at) + added;
    done = end;
  }
  return { text: result + text.slice(done), imports };
}

/**
 * True for a function whose calls follow each other as on a stack, unlike those that wait. An empty one costs nothing.
 * @param {any} node
 */
function isProfiled(node) {
  const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
  return isFunction && !node.async && !node.generator && node.body.body?.length !== 0;
}

/**
 * Returns the name of a function: its own, or that of what it is given to, with the class before a method's.
 * @param {any} node
 * @param {any[]} ancestors with the node as the last
 * @returns {string | undefined}
 */
function nameOf(node, ancestors) {
  const holder = ancestors.at(-2);
  const given = holder.type === "AssignmentExpression" ? holder.left : holder.value === node ? holder.key : holder.id;
  const name = (node.id ?? given?.property ?? given)?.name;
  const owner = /^(MethodDefinition|PropertyDefinition)$/.test(holder.type) ? ancestors.at(-4)?.id?.name : undefined;
  return name !== undefined && owner !== undefined ? `${owner}.${name}` : name;
}

/** @param {string} text @param {string} path */
function parsed(text, path) {
  try {
    return parse(text, { ecmaVersion: "latest", sourceType: "module" });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = /** @type {any} */ (error).loc;
    fail(`${path}:${line}:${column + 1}`, error.message.replace(/ [(][0-9:]+[)]$/, ""), "repair this line, or a bracket before it");
  }
}
