// Says what is wrong with the code, where, and what to do next, in place of the tools' own stacks. It is a part of the build, and needs no
// edit.

/** What to do about an error while the modules run, by its text. */
const STEPS = [
  [/find export 'Bot'/, "write `export class Bot`: the arena makes one object of it for each game"],
  [/static botName/, "write it in `bot.js`, in the class `Bot`"],
  [/find export/, "write `export` where it is declared, and import it by the same name"],
  [/^require is/, 'write `import { name } from "./file.js"`: there are no modules of Node'],
  [/^(fetch|setTimeout|setInterval|window|document|process|Buffer) is/, "the code runs neither in Node nor in a browser: it has JavaScript's own objects and `console`"],
];

/** The next step for any other error while the modules run. */
const STEP = "the modules run once when they are built: repair the line";

/**
 * Ends the build.
 * @param {string} place
 * @param {string} what
 * @param {string} next
 * @returns {never}
 */
export function fail(place, what, next) {
  console.error(`${place}: ${what}\n  next: ${next}`);
  process.exit(1);
}

/**
 * Waits for the component, and ends the build if the code has a mistake.
 * @template T
 * @param {Promise<T>} component
 * @returns {Promise<T>}
 */
export async function ofQuickJs(component) {
  try {
    return await component;
  } catch (error) {
    const said = /Failed to (?!.*Failed to )[^:]*: (?:Error: )?([^]*)$/.exec(String(error?.message))?.[1];
    const [, place] = /[(']\/(.+?\.js(:\d+)*)[)']/.exec(said ?? "") ?? [];
    if (place === undefined) throw error;
    const what = said.split("\n")[0];
    fail(place.replace("node_modules/watched/", ""), what, STEPS.find(([text]) => text.test(what))?.[1] ?? STEP);
  }
}
