"""A bot for Connect Four that adds up the lines of four through a cell: those that are still open, and more for each disc in them."""

from wit_world import exports
from wit_world.exports import bot as game

EMPTY, OWN, THEIRS = ".xo"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

VALUES = {OWN: (1, 6, 40, 10_000), THEIRS: (1, 5, 35, 5_000)}
"""The value of a line with none to three discs of one player and none of the other: a win comes before a block."""


class Bot(exports.Bot):
    """The export of the component."""

    def name(self) -> str:
        return "lines"

    def play(self, observation: game.Observation) -> int:
        columns, rows = observation.columns, observation.rows
        cells = [observation.board[row * columns : (row + 1) * columns] for row in range(rows)]
        values = {}
        for column in range(columns):
            empty = [row for row in range(rows) if cells[row][column] == EMPTY]
            if empty:
                values[column] = value(cells, empty[-1], column)
        middle = (columns - 1) / 2
        return max(values, key=lambda column: (values[column], -abs(column - middle)))


def value(cells: list[str], row: int, column: int) -> int:
    """The sum of the values of all lines of four through a cell."""
    total = 0
    for down, right in DIRECTIONS:
        for first in range(-3, 1):
            line = [(row + step * down, column + step * right) for step in range(first, first + 4)]
            if all(0 <= r < len(cells) and 0 <= c < len(cells[0]) for r, c in line):
                discs = [cells[r][c] for r, c in line]
                for player, other in ((OWN, THEIRS), (THEIRS, OWN)):
                    if other not in discs:
                        total += VALUES[player][discs.count(player)]
    return total
