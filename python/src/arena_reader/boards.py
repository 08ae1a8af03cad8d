"""Cells of boards: the values of the contract, and their names."""

from __future__ import annotations

UNKNOWN = 0
"""A cell of the opponent's board, not shot at yet."""
WATER = 0
"""A cell of one's own board without a ship, not shot at yet."""
SHIP = 1
"""A cell of one's own board with a part of a ship that is not hit."""
MISS = 2
"""A cell of either board that was shot at: water."""
HIT = 3
"""A cell of either board that was shot at: a part of a ship."""

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
"""The step from a cell of a ship to the next one, by the direction of the ship."""


def cell_name(row: int, column: int) -> str:
    """Returns the name of a cell as the arena prints it: `b7` is column b, row 7."""
    letter = chr(ord("a") + column) if column < 26 else chr(ord("A") + column - 26)
    return f"{letter}{row}"


def ship_cells(place: list, length: int) -> list[tuple[int, int]]:
    """Returns the cells of a ship whose place is a row, a column and a direction."""
    row, column, direction = place
    down, right = STEPS[direction]
    return [(row + i * down, column + i * right) for i in range(length)]
