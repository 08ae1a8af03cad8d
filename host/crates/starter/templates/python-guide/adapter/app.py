"""The component's export: it passes the calls of the arena to the two functions of `bot.py`. This file needs no edit.

componentize-py makes the package wit_world from the contract in wit/ when it builds.
"""

# pyright: reportMissingImports=false

import random
import sys
from collections.abc import Iterable

# Each line is flushed, so that it is in the log even if the bot runs out of fuel after it.
getattr(sys.stdout, "reconfigure")(line_buffering=True)

from wit_world import exports
from wit_world.exports import bot as wit

import bot as author
from where import follow_if_asked

OFF_THE_BOARD = 255
"""A row or column that no board has, for numbers that are not a row or column."""

DIRECTIONS = {
    "N": wit.Direction.NORTH,
    "E": wit.Direction.EAST,
    "S": wit.Direction.SOUTH,
    "W": wit.Direction.WEST,
}

GUIDE_FLEET = [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]
"""The fleet that the guide's `deploy` places. Under rules with another fleet, the adapter places it instead."""

ATTACKS = {0: 0, 2: 1, 3: 2}
"""The arena's cells of the opponent's board, and the guide's: not yet attacked, attack fail, attack success."""


class Bot(exports.Bot):
    """The export `arena:battleship/bot`. componentize-py makes an object for each of its functions, so what they share is the class's."""

    is_seeded = False

    def name(self) -> str:
        return getattr(author, "NAME", "first-bot")

    def deploy(self, game: wit.Game) -> list[wit.Placement]:
        self._seed(game, 0)
        if list(game.fleet) != GUIDE_FLEET:
            return _random_fleet(game)
        return _fleet(author.deploy(game.width, game.height))

    def play(self, game: wit.Game, view: wit.View) -> wit.Coord | None:
        self._seed(game, view.turn)
        answer = author.play(
            _rows(game, view.board),
            _rows(game, [ATTACKS[cell] for cell in view.attacks]),
            _spot(view.last_spot),
            _spot(view.my_last),
            view.retry,
        )
        return _shot(answer)

    def _seed(self, game: wit.Game, turn: int) -> None:
        """Seeds `random` at the first call. Without that, its state would be the same in every game."""
        follow_if_asked()
        if not Bot.is_seeded:
            random.seed(game.seed + turn)
            Bot.is_seeded = True


def _rows(game: wit.Game, cells) -> list[list[int]]:
    """A board as a list of its rows."""
    return [list(cells[row * game.width : (row + 1) * game.width]) for row in range(game.height)]


def _spot(at: wit.Coord | None) -> tuple[int | None, int | None]:
    return (None, None) if at is None else (at.row, at.column)


def _shot(answer) -> wit.Coord | None:
    """The answer for the arena. If it cannot be a cell, a cell off the board is sent, so that the bot is asked again."""
    try:
        row, column = answer
    except (TypeError, ValueError):
        row = column = answer
    if (row, column) == (None, None) and answer is not None:
        return None
    if not (_is_number(row) and _is_number(column)):
        print(f"play returned {answer!r}, which is not a valid spot", file=sys.stderr)
        return wit.Coord(row=OFF_THE_BOARD, column=OFF_THE_BOARD)
    return wit.Coord(row=int(row), column=int(column))


def _is_number(number) -> bool:
    return isinstance(number, int) and 0 <= number < OFF_THE_BOARD


def _fleet(answer) -> list[wit.Placement]:
    """The fleet for the arena. For anything else, the error has the line of the author's function."""
    ships = list(answer) if isinstance(answer, Iterable) else []
    if not isinstance(answer, Iterable) or not all(isinstance(ship, (list, tuple)) and len(ship) == 3 for ship in ships):
        line = author.deploy.__code__.co_firstlineno
        raise TypeError(f"`deploy` (bot.py:{line}) must return a list such as [(0, 0, 'E')], not {answer!r}")
    return [_placement(ship) for ship in ships]


def _placement(ship) -> wit.Placement:
    row, column, direction = ship
    if direction not in DIRECTIONS:
        raise ValueError(f"deploy returned {ship!r}, whose direction is not 'N', 'E', 'S' or 'W'")
    anchor = [number if _is_number(number) else OFF_THE_BOARD for number in (row, column)]
    return wit.Placement(anchor=wit.Coord(row=anchor[0], column=anchor[1]), direction=DIRECTIONS[direction])


def _random_fleet(game: wit.Game) -> list[wit.Placement]:
    """A random fleet in which no ships touch; an illegal one if the board is too small for that."""
    for _ in range(100):
        taken: set[tuple[int, int]] = set()
        fleet: list[wit.Placement] = []
        for length in game.fleet:
            east = [(row, column, 0, 1) for row in range(game.height) for column in range(game.width - length + 1)]
            south = [(row, column, 1, 0) for row in range(game.height - length + 1) for column in range(game.width)]
            places = east + south
            random.shuffle(places)
            for row, column, down, right in places:
                cells = [(row + i * down, column + i * right) for i in range(length)]
                if taken.isdisjoint(cells):
                    break
            else:
                break
            taken.update((r + a, c + b) for r, c in cells for a in (-1, 0, 1) for b in (-1, 0, 1))
            direction = wit.Direction.SOUTH if down else wit.Direction.EAST
            fleet.append(wit.Placement(anchor=wit.Coord(row=row, column=column), direction=direction))
        if len(fleet) == len(game.fleet):
            return fleet
    return []
