"""The contract with the arena as Python types, and tools for the game. This file needs no edit.

Boards are `bytes` with a byte for each cell, row by row from the top left: the cell (row, column) has the index
`row * game.width + column`. Row 0, column 0 is the top left; rows grow downwards, columns to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import compress
from random import Random
from typing import NamedTuple

UNKNOWN = 0
"""A cell of the opponent's board that was not shot at yet."""
WATER = 0
"""A cell of the bot's own board without a ship that was not shot at yet."""
SHIP = 1
"""A cell of the bot's own board with a part of a ship that is not hit."""
MISS = 2
"""A cell of either board that was shot at: water."""
HIT = 3
"""A cell of either board that was shot at: a part of a ship."""


class Coord(NamedTuple):
    """A cell of a board, counted from 0."""

    row: int
    column: int


class Direction(Enum):
    """The direction in which a ship extends from its anchor. North is up, towards row 0."""

    NORTH = (-1, 0)
    EAST = (0, 1)
    SOUTH = (1, 0)
    WEST = (0, -1)


@dataclass(frozen=True)
class Placement:
    """The place of a ship: it begins at the anchor and extends in the direction. Its length is in `Game.fleet`."""

    anchor: Coord
    direction: Direction

    def cells(self, length: int) -> list[Coord]:
        """Returns the cells of a ship of this length. Some may be off the board."""
        down, right = self.direction.value
        return [Coord(self.anchor.row + i * down, self.anchor.column + i * right) for i in range(length)]


EDGES = ((-1, 0), (0, 1), (1, 0), (0, -1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@cache
def _cells(width: int, height: int) -> tuple[Coord, ...]:
    return tuple(Coord(row, column) for row in range(height) for column in range(width))


@cache
def _near(width: int, height: int, at: Coord, steps: tuple[tuple[int, int], ...]) -> tuple[Coord, ...]:
    row, column = at
    near = [(row + down, column + right) for down, right in steps]
    return tuple(Coord(r, c) for r, c in near if 0 <= r < height and 0 <= c < width)


@cache
def _choice(cell: int) -> bytes:
    """A table that translates a board to 1 where it has this cell, and 0 elsewhere."""
    return bytes(1 if other == cell else 0 for other in range(256))


@dataclass(frozen=True)
class Game:
    """The facts of a game that never change. They come with every call."""

    width: int
    """The number of columns, 1 to 32."""
    height: int
    """The number of rows, 1 to 32."""
    fleet: tuple[int, ...]
    """The lengths of each side's ships, longest first."""
    may_touch: bool
    """True if ships may touch, side by side or corner to corner."""
    sinkings_announced: bool
    """True if the rules announce which ships are sunk; see `View.ships_remaining`."""
    turns_max: int
    """The number of turns of each side after which the game is a draw."""
    fuel_per_turn: int
    """The budget of fuel for one turn with all its retries, and for `deploy`."""
    seed: int
    """The random seed of this side in this game, 0 to 2**64 - 1."""

    def cells(self) -> tuple[Coord, ...]:
        """Returns all cells, row by row from the top left."""
        return _cells(self.width, self.height)

    def contains(self, at: Coord) -> bool:
        """Returns True if a cell is on the board."""
        return 0 <= at.row < self.height and 0 <= at.column < self.width

    def edge_neighbours(self, at: Coord) -> tuple[Coord, ...]:
        """Returns the cells on the board that share an edge with a cell."""
        return _near(self.width, self.height, at, EDGES)

    def corner_neighbours(self, at: Coord) -> tuple[Coord, ...]:
        """Returns the cells on the board that share only a corner with a cell."""
        return _near(self.width, self.height, at, CORNERS)


@dataclass(slots=True)
class View:
    """The state of the game that a bot may know at its turn."""

    turn: int
    """The number of the bot's turn, from 1. A skipped turn counts. A retry is the same turn."""
    board: bytes
    """The bot's own board: WATER, SHIP, MISS or HIT."""
    attacks: bytes
    """The opponent's board, as far as the bot's shots have revealed it: UNKNOWN, MISS or HIT."""
    last_spot: Coord | None
    """The cell that the opponent shot at in its last turn, if it did."""
    my_last: Coord | None
    """The cell that the bot shot at in its last turn, if it did."""
    retry: bool
    """True if the previous answer in this turn was off the board or already shot at."""
    ships_remaining: tuple[int, ...] | None
    """The lengths of the opponent's ships afloat, longest first. None if the rules do not announce sinkings."""
    width: int
    """The number of columns of the boards."""

    def attack(self, at: Coord) -> int:
        """Returns a cell of the opponent's board: UNKNOWN, MISS or HIT."""
        return self.attacks[at[0] * self.width + at[1]]

    def attacked(self, cell: int) -> list[Coord]:
        """Returns the cells of the opponent's board that are UNKNOWN, MISS or HIT, row by row from the top left."""
        cells = _cells(self.width, len(self.attacks) // self.width)
        return list(compress(cells, self.attacks.translate(_choice(cell))))

    def own(self, at: Coord) -> int:
        """Returns a cell of the bot's own board: WATER, SHIP, MISS or HIT."""
        return self.board[at[0] * self.width + at[1]]


def random_fleet(game: Game, random: Random) -> list[Placement]:
    """Returns a legal random fleet. Empty if none was found, for example because the board is too small."""
    for _ in range(100):
        taken: set[Coord] = set()
        fleet: list[Placement] = []
        for length in game.fleet:
            placement = _random_place(game, length, taken, random)
            if placement is None:
                break
            cells = placement.cells(length)
            taken.update(cells)
            if not game.may_touch:
                for at in cells:
                    taken.update(game.edge_neighbours(at), game.corner_neighbours(at))
            fleet.append(placement)
        else:
            return fleet
    return []


def _random_place(game: Game, length: int, taken: set[Coord], random: Random) -> Placement | None:
    for _ in range(100):
        anchor = Coord(random.randrange(game.height), random.randrange(game.width))
        placement = Placement(anchor, random.choice((Direction.EAST, Direction.SOUTH)))
        cells = placement.cells(length)
        if game.contains(cells[-1]) and taken.isdisjoint(cells):
            return placement
    return None
