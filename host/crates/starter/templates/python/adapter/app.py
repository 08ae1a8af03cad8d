"""The component's export: it passes the calls of the arena to `bot.py`. This file needs no edit.

componentize-py makes the package wit_world from the contract in wit/ when it builds.
"""

import sys

# Each line is flushed, so that it is in the log even if the bot runs out of fuel after it.
sys.stdout.reconfigure(line_buffering=True)

from wit_world import exports
from wit_world.exports import bot as wit

import arena
from bot import Bot as Author
from where import follow_if_asked

OFF_THE_BOARD = 255
"""A row or column that no board has, for numbers that are not a row or column."""


class Bot(exports.Bot):
    """The export `arena:battleship/bot`."""

    def __init__(self) -> None:
        self.author = Author()
        self.game: arena.Game | None = None

    def name(self) -> str:
        return Author.name

    def deploy(self, game: wit.Game) -> list[wit.Placement]:
        follow_if_asked()
        return [_placement(placement) for placement in self.author.deploy(self._game(game))]

    def play(self, game: wit.Game, view: wit.View) -> wit.Coord | None:
        follow_if_asked()
        shot = self.author.play(self._game(game), _view(view, game.width))
        return None if shot is None else _coord(shot)

    def _game(self, game: wit.Game) -> arena.Game:
        """The facts of the game for the author. They are the same in every call, since a component plays one game."""
        if self.game is None:
            self.game = arena.Game(
                width=game.width,
                height=game.height,
                fleet=tuple(game.fleet),
                may_touch=game.may_touch,
                sinkings_announced=game.sinkings_announced,
                turns_max=game.turns_max,
                fuel_per_turn=game.fuel_per_turn,
                seed=game.seed,
            )
        return self.game


def _view(view: wit.View, width: int) -> arena.View:
    return arena.View(
        view.turn,
        bytes(view.board),
        bytes(view.attacks),
        _cell(view.last_spot),
        _cell(view.my_last),
        view.retry,
        None if view.ships_remaining is None else tuple(view.ships_remaining),
        width,
    )


def _cell(at: wit.Coord | None) -> arena.Coord | None:
    return None if at is None else arena.Coord(at.row, at.column)


def _coord(at: arena.Coord) -> wit.Coord:
    """A cell for the arena. A number that does not fit is sent as a cell off the board, for the rules to judge."""
    try:
        row, column = at
    except (TypeError, ValueError):
        row = column = None
    if not (isinstance(row, int) and isinstance(column, int)):
        raise TypeError(f"a cell must be Coord(row, column) of two ints, not {at!r}")
    return wit.Coord(row=_number(row), column=_number(column))


def _number(number: int) -> int:
    return number if 0 <= number < OFF_THE_BOARD else OFF_THE_BOARD


def _placement(placement: arena.Placement) -> wit.Placement:
    return wit.Placement(anchor=_coord(placement.anchor), direction=wit.Direction[placement.direction.name])
