// Tic-tac-toe with three marks each, in plain JavaScript: this file knows nothing of the arena, and its tests run without WebAssembly.
//
// Who has three marks on the board and puts a fourth takes the oldest one away, so that a board never fills.

/** The cells of each line, row by row from the top left corner. */
const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8],
  [0, 3, 6], [1, 4, 7], [2, 5, 8],
  [0, 4, 8], [2, 4, 6],
];

/** A position. Players are 0 and 1. */
export class Board {
  /** @param {number} player who begins @param {number} turnsMax the number of turns after which the game is a draw */
  constructor(player, turnsMax) {
    this.player = player;
    this.turns = 0;
    this.turnsMax = turnsMax;
    /** The cells of each player's marks, the oldest one first. @type {number[][]} */
    this.marks = [[], []];
    /** The winner. @type {number | undefined} */
    this.winner = undefined;
  }

  isOver() {
    return this.winner !== undefined || this.turns === this.turnsMax;
  }

  /** The cells without a mark. The mark that goes away in this turn is still there. */
  free() {
    return Array.from({ length: 9 }, (_, cell) => cell).filter((cell) => !this.marks.flat().includes(cell));
  }

  /** Puts a mark of the player to move. Returns the cell of the mark that goes away for it, if one does. @param {number} cell */
  put(cell) {
    const own = this.marks[this.player];
    const gone = own.length === 3 ? own.shift() : undefined;
    own.push(cell);
    if (LINES.some((line) => line.every((at) => own.includes(at)))) this.winner = this.player;
    this.player = 1 - this.player;
    this.turns++;
    return gone;
  }

  /** The board as text, with `X` for player 0 and `O` for player 1, and small letters for the marks that go away next. */
  picture() {
    const sign = (/** @type {number} */ cell) => {
      const owner = this.marks.findIndex((cells) => cells.includes(cell));
      if (owner === -1) return ".";
      const isNext = this.marks[owner].length === 3 && this.marks[owner][0] === cell;
      return (isNext ? "xo" : "XO")[owner];
    };
    return [0, 3, 6].map((row) => [0, 1, 2].map((column) => sign(row + column)).join(" ")).join("\n");
  }
}
