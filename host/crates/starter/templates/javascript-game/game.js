// The functions of the contract, which call the rules. `wit/deps/game/game.wit` says what each has to do.

import { Board } from "./board.js";

const SEATS = ["one", "two"];

/** A game in progress, as the arena holds it. */
class State {
  constructor(board) {
    this.board = board;
  }

  static newInitialState(settings, seed, starter) {
    // The arena has checked the values, and gives them in the order of the parameters.
    return new State(new Board(SEATS.indexOf(starter), settings[0].value));
  }

  currentPlayer() {
    return this.board.isOver() ? undefined : SEATS[this.board.player];
  }

  outcome() {
    const { winner } = this.board;
    return winner === undefined
      ? { winner: undefined, reason: "turns" }
      : { winner: SEATS[winner], reason: "line" };
  }

  overrun() {
    return "game";
  }

  picture(viewer) {
    return this.board.picture();
  }
}

/** The export `arena:game/rules`. */
export const rules = {
  State,

  describe: () => ({
    name: "first-game",
    version: "1.0.0",
    parameters: [
      { name: "turns", help: "the number of turns until a draw", default: 60, minimum: 5, maximum: 300 },
    ],
    endings: [
      { name: "line", text: "three in a line" },
      { name: "turns", text: "too many turns" },
    ],
    maxGameLength: 300,
    turnMilliseconds: 1000,
  }),
};

/** The export `moves`. */
export const moves = {
  observe(of, viewer) {
    const { board } = of;
    const player = SEATS.indexOf(viewer);
    return {
      mine: Uint8Array.from(board.marks[player]),
      theirs: Uint8Array.from(board.marks[1 - player]),
      turnsLeft: board.turnsMax - board.turns,
    };
  },

  applyAction(to, action) {
    if (!to.board.free().includes(action)) {
      throw { tag: "retry", val: `the cell ${action} has a mark, or is missing` };
    }
    return to.board.put(action);
  },

  randomAction(of, seed) {
    const free = of.board.free();
    // QuickJS has a number for a seed of 64 bits, without its lowest bits.
    return free[Math.floor((seed / 2 ** 64) * free.length)];
  },

  legalActions: (of) => of.board.free(),
};
