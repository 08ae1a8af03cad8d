"""Overlays: what a bot drew on its opponent's board by lines of its log, such as `@mark a7 0.8`."""

from __future__ import annotations

import html
from typing import Any

from .boards import HIT, MISS, cell_name

_SIGNS = {MISS: "o", HIT: "X"}


class Overlay:
    """What a bot drew in a turn. Cells are pairs of row and column.

    `seat` and `turn` say whose turn it was; `numbers` and `shades` are dictionaries by cell, with the numbers that the bot printed and
    their tenths of the scale, 0 to 9; `texts` has the texts by cell; `lines` is a list of pairs of cells; `note` is the line below the
    board, or `None`. `board` is the opponent's board as the bot knew it after the turn, a list of rows.

    As text, and in a notebook, it is the board with all that was drawn. A cell that was shot at keeps its sign.
    """

    def __init__(self, drawn: dict[str, Any], board: list[list[int]]) -> None:
        self.seat: int = drawn["seat"]
        self.turn: int = drawn["turn"]
        self.numbers = {tuple(cell["cell"]): cell["number"] for cell in drawn["cells"]}
        self.shades = {tuple(cell["cell"]): cell["shade"] for cell in drawn["cells"]}
        self.texts = {tuple(text["cell"]): text["text"] for text in drawn["texts"]}
        self.lines = [(tuple(start), tuple(end)) for start, end in drawn["lines"]]
        self.note: str | None = drawn["note"]
        self.board = board

    def _sign(self, row: int, column: int) -> str:
        """Returns the characters in a cell: its sign if it was shot at, else its text or shade."""
        at = (row, column)
        sign = _SIGNS.get(self.board[row][column])
        return sign or self.texts.get(at) or str(self.shades.get(at, "·"))

    def _words(self) -> list[str]:
        """Returns the lines and the note as text."""
        words = [f"line {cell_name(*start)} to {cell_name(*end)}" for start, end in self.lines]
        # A note is a bot's text: no control character of it reaches a terminal.
        return words + ([] if self.note is None else ["".join(c if c.isprintable() else "?" for c in self.note)])

    def __str__(self) -> str:
        columns = range(len(self.board[0]))
        rows = ["   " + "".join(f"{cell_name(0, column)[0]:<3}" for column in columns)]
        for row in range(len(self.board)):
            rows.append(f"{row:>2} " + "".join(f"{self._sign(row, column):<3}" for column in columns))
        return "\n".join([row.rstrip() for row in rows] + self._words())

    def __repr__(self) -> str:
        return f"<overlay of seat {self.seat}, turn {self.turn}>"

    def _repr_html_(self) -> str:
        """Returns the picture for a notebook. Each shade has its digit, too, and the lines are said in words below."""
        side = 24
        height, width = len(self.board), len(self.board[0])
        parts = [
            f'<svg role="img" aria-label="Overlay of seat {self.seat}, turn {self.turn}" xmlns="http://www.w3.org/2000/svg" '
            f'width="{side * (width + 1)}" height="{side * (height + 1)}" font-family="monospace" font-size="12" text-anchor="middle">'
        ]

        def middle(row: int, column: int) -> tuple[int, int]:
            return side * (column + 1) + side // 2, side * (row + 1) + side // 2

        def write(row: int, column: int, text: str) -> None:
            x, y = middle(row, column)
            parts.append(f'<text x="{x}" y="{y + 4}" fill="#12202b">{html.escape(text)}</text>')

        for row in range(height):
            write(row, -1, str(row))
        for column in range(width):
            write(-1, column, cell_name(0, column)[0])
        for row in range(height):
            for column in range(width):
                x, y = side * (column + 1), side * (row + 1)
                parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#dfeaf2" stroke="#bfd3e2"/>')
                shade = self.shades.get((row, column), 0)
                if shade and self.board[row][column] not in _SIGNS:
                    opacity = 0.06 * shade
                    parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#d9480f" fill-opacity="{opacity:.2f}"/>')
                write(row, column, self._sign(row, column))
        for start, end in self.lines:
            (x1, y1), (x2, y2) = middle(*start), middle(*end)
            parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#6f42c1" stroke-width="2"/>')
        words = "".join(f"<div>{html.escape(line)}</div>" for line in self._words())
        return f"<div>{''.join(parts)}</svg>{words}</div>"
