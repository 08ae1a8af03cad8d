// Boards of cells: what lies on a cell is a sign and classes, which board.css draws. It knows no game and no page.
//
//   const board = new Board(document.querySelector("table.board"));
//   board.paint([["■", "ship bow-w"], ["·", "water"], …], { next: 7 });
//
// A cell is [sign, classes, figure?, words?]: the figure, a digit from 0 to 9, takes the place of the sign, and the words are for those who
// hear the page.
"use strict";
const Board = (() => {
  const WORDS = {
    ship: "a ship", hit: "a hit", sunk: "sunk", miss: "a miss", water: "water", out: "no ship can be here", left: "a ship has left",
    plain: "not known",
  };

  return class {
    constructor(table) {
      const columns = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
      this.cells = [...table.querySelectorAll("tbody td")];
      this.names = this.cells.map((_, index) => `${columns[index % columns.length]}${Math.floor(index / columns.length)}`);
      this.isBroad = table.classList.contains("broad");
    }

    // Shows all cells, and the cell at which the next shot goes.
    paint(cells, { next = -1 } = {}) {
      this.cells.forEach((cell, index) => {
        const [sign, look, figure, words] = cells[index];
        const is = figure !== undefined && figure !== "";
        const classes = `${look}${is ? ` mark mark${figure}` : ""}${index === next ? " next" : ""}`;
        const text = is ? figure : sign;
        if (cell.textContent !== text) cell.textContent = text;
        if (cell.className !== classes) cell.className = classes;
        const [first] = look.split(" ");
        const parts = [`${this.names[index]} ${this.isBroad ? sign : WORDS[first] ?? first}`];
        if (look.endsWith("last")) parts.push("last turn");
        if (index === next) parts.push("next shot");
        if (is && words) parts.push(words);
        const label = parts.join(", ");
        if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      });
    }
  };
})();
