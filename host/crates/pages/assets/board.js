// Boards of cells, and pictures of games without boards. What lies on a cell is a sign and classes, which board.css draws. It knows no game and
// no page.
//
//   const board = new Board(document.querySelector("table.board"));
//   board.paint([["■", "ship bow-w"], ["·", "water"], …], { next: 7 });
//
// A cell is [sign, classes, shade?, written?, words?]: the shade, a digit from 0 to 9, and a text of one or two characters take the place of
// the sign, the text before the shade; the words before them are for those who hear the page. Lines are pairs of cells, by their index.
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
      this.table = table;
      this.width = columns.length;
      this.isBroad = table.classList.contains("broad");
    }

    // Shows all cells, the cell at which the next shot goes, and lines over them.
    paint(cells, { next = -1, lines = [] } = {}) {
      this.#rule(lines);
      this.cells.forEach((cell, index) => {
        const [sign, look, shade = "", written = "", words = "shade"] = cells[index];
        const classes = `${look}${shade && ` mark mark${shade}`}${written && " written"}${index === next ? " next" : ""}`;
        const text = written || shade || sign;
        if (cell.textContent !== text) cell.textContent = text;
        if (cell.className !== classes) cell.className = classes;
        const [first] = look.split(" ");
        const parts = [`${this.names[index]} ${this.isBroad ? sign : WORDS[first] ?? first}`];
        if (look.endsWith("last")) parts.push("last turn");
        if (index === next) parts.push("next shot");
        if (shade) parts.push(`${words} ${shade}`);
        if (written) parts.push(`text ${written}`);
        const label = parts.join(", ");
        if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      });
    }

    // Draws lines over the cells, in a picture that is as large as the table: in it, a cell is 2 by 2, as are the labels of rows and columns.
    #rule(lines) {
      const key = JSON.stringify(lines);
      if (key === this.ruled) return;
      this.ruled = key;
      this.picture?.remove();
      this.picture = null;
      if (lines.length === 0) return;
      const make = (name, attributes) => {
        const element = document.createElementNS("http://www.w3.org/2000/svg", name);
        Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
        return element;
      };
      const middle = (cell) => [2 * (cell % this.width) + 1, 2 * Math.floor(cell / this.width) + 1];
      const words = lines.map(([from, to]) => `${this.names[from]} to ${this.names[to]}`).join(", ");
      const [width, height] = [2 * this.width + 2, (2 * this.cells.length) / this.width + 2];
      const picture = make("svg", {
        role: "img", "aria-label": `Lines: ${words}`, preserveAspectRatio: "none", viewBox: `-2 -2 ${width} ${height}`,
      });
      // The light edge below lets a line be seen on any ground.
      for (const part of ["edge", "line"]) {
        for (const [from, to] of lines) {
          const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
          picture.append(make("line", { class: part, x1, y1, x2, y2 }));
        }
      }
      // A table has no other place for a picture.
      this.picture = this.table.createCaption();
      this.picture.append(picture);
    }
  };
})();

// Shows the picture of a game: as the game draws it, in an image, in which nothing runs and nothing is loaded, or as text. With a drawing the
// text stays for those who hear the page.
const showPicture = (picture, drawing, text, svg) => {
  if (picture.textContent !== text) picture.textContent = text;
  const source = svg ? `data:image/svg+xml,${encodeURIComponent(svg)}` : "";
  if (source && drawing.src !== source) drawing.src = source;
  drawing.hidden = !source;
  picture.classList.toggle("sr", Boolean(source));
  picture.tabIndex = source ? -1 : 0;
};
