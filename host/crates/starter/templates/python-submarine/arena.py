"""The contract with the arena as Python types, and tools for the game. This file needs no edit.

The board has 5 rows and 5 columns. Row 0, column 0 is the top left; rows grow downwards, columns to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Iterator, NamedTuple, Union

SIDE = 5
"""The number of rows and of columns."""


class Coord(NamedTuple):
    """A cell of the board, counted from 0."""

    row: int
    column: int


class Ship(Enum):
    """A kind of ship, with its hit points at the beginning. Each side has one of each."""

    BATTLESHIP = 3
    CRUISER = 2
    SUBMARINE = 1


@dataclass(frozen=True)
class Attack:
    """An attack on a cell that is on or within one step of an own ship afloat, diagonals included."""

    at: Coord


@dataclass(frozen=True)
class Move:
    """A move of an own ship along its row or column, over any distance, to a cell without another own ship."""

    ship: Ship
    to: Coord


Action = Union[Attack, Move]


@dataclass(frozen=True)
class Attacked:
    """The report of an attack. "The target" is the side that was attacked."""

    at: Coord
    """The cell that was attacked."""
    hit: Ship | None
    """The target's ship on that cell, which lost a hit point. If it had only one left, it is sunk."""
    near: tuple[Ship, ...]
    """The target's ships afloat within one step of the cell, but not on it. Strongest first."""


@dataclass(frozen=True)
class Moved:
    """The report of a move: how far the ship went, but not from where. One of the distances is 0."""

    ship: Ship
    down: int
    right: int


Report = Union[Attacked, Moved]


@dataclass(frozen=True)
class Game:
    """The facts of a game that never change. They come with every call."""

    actions_max: int
    """The number of actions of both sides together after which the game is a draw."""
    fuel_per_turn: int
    """The budget of fuel for one turn, and for `deploy`. A call that needs more loses the game."""
    seed: int
    """The random seed of this side in this game, 0 to 2**64 - 1."""


@dataclass(frozen=True)
class OwnShip:
    """A ship of the bot that is afloat."""

    ship: Ship
    hit_points: int
    at: Coord


@dataclass(frozen=True)
class EnemyShip:
    """A ship of the enemy that is afloat. Its cell is not known."""

    ship: Ship
    hit_points: int


@dataclass(frozen=True)
class View:
    """The state of the game that a bot may know at its turn."""

    turn: int
    """The number of the bot's turn, from 1."""
    own: tuple[OwnShip, ...]
    """The bot's ships that are afloat, strongest first."""
    enemy: tuple[EnemyShip, ...]
    """The enemy's ships that are afloat, strongest first."""
    my_last: Report | None
    """The report of the bot's last action. None in its first turn."""
    enemy_last: Report | None
    """The report of the enemy's last action. None before its first action."""

    def reach(self) -> list[Coord]:
        """Returns the cells that can be attacked, row by row from the top left."""
        near = {at for own in self.own for at in around(own.at)}
        return [at for at in cells() if at in near]

    def legal_actions(self) -> list[Action]:
        """Returns all legal actions: the attacks, then the moves. There is always at least one."""
        taken = {own.at for own in self.own}
        attacks: list[Action] = [Attack(at) for at in self.reach()]
        moves: list[Action] = [
            Move(own.ship, at)
            for own in self.own
            for at in cells()
            if at not in taken and (at.row == own.at.row or at.column == own.at.column)
        ]
        return attacks + moves


def cells() -> Iterator[Coord]:
    """Returns all cells, row by row from the top left."""
    return (Coord(row, column) for row in range(SIDE) for column in range(SIDE))


def around(at: Coord) -> list[Coord]:
    """Returns a cell and all cells within one step of it, diagonals included, that are on the board."""
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    near = [Coord(at.row + down, at.column + right) for down, right in steps]
    return [cell for cell in near if 0 <= cell.row < SIDE and 0 <= cell.column < SIDE]


def random_positions(random: Random) -> dict[Ship, Coord]:
    """Returns three different random cells, one for each ship."""
    return dict(zip(Ship, random.sample(list(cells()), len(Ship))))
