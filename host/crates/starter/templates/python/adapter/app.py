"""The component's export: it passes the calls of the arena to `bot.py`. This file needs no edit.

componentize-py makes the package wit_world from the contract in wit/ when it builds.
"""

# pyright: reportMissingImports=false

import sys
from collections.abc import Callable, Iterable
from functools import cache

# Each line is flushed, so that it is in the log even if the bot runs out of fuel after it.
getattr(sys.stdout, "reconfigure")(line_buffering=True)

from wit_world import exports
from wit_world.exports import bot as wit

import arena
from bot import Bot as Author
from where import follow_if_asked

OFF_THE_BOARD = 255
"""A row or column that no board has, for numbers that are not a row or column."""


class Bot(exports.Bot):
    """The export `arena:battleship/bot`. componentize-py makes an object for each of its functions, so the author's is the class's."""

    author = Author()
    game: arena.Game | None = None

    def name(self) -> str:
        return Author.name

    def deploy(self, game: wit.Game) -> list[wit.Placement]:
        follow_if_asked()
        return _fleet(self.author.deploy(self._game(game)), self.author.deploy)

    def play(self, game: wit.Game, view: wit.View) -> wit.Coord | None:
        follow_if_asked()
        shot = self.author.play(self._game(game), _view(view, game.width))
        return None if shot is None else _coord(shot)

    def _game(self, game: wit.Game) -> arena.Game:
        """The facts of the game for the author. They are the same in every call, since a component plays one game."""
        if Bot.game is None:
            Bot.game = arena.Game(
                width=game.width,
                height=game.height,
                fleet=tuple(game.fleet),
                may_touch=game.may_touch,
                sinkings_announced=game.sinkings_announced,
                turns_max=game.turns_max,
                fuel_per_turn=game.fuel_per_turn,
                seed=game.seed,
            )
        return Bot.game


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
    if not (0 <= row < OFF_THE_BOARD and 0 <= column < OFF_THE_BOARD):
        _say_once(f"{at!r} is on no board")
        row = column = OFF_THE_BOARD
    return wit.Coord(row=row, column=column)


@cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr)


def _fleet(answer: Iterable[arena.Placement], deploy: Callable) -> list[wit.Placement]:
    """The fleet for the arena. For anything else, the error has the line of the author's function."""
    ships = list(answer) if isinstance(answer, Iterable) else []
    is_list = isinstance(answer, Iterable) and not isinstance(answer, str)
    if not is_list or not all(isinstance(getattr(ship, "direction", None), arena.Direction) for ship in ships):
        line = deploy.__code__.co_firstlineno
        example = "[Placement(Coord(0, 0), Direction.EAST)]"
        raise TypeError(f"`deploy` (bot.py:{line}) must return a list such as {example}, not {answer!r:.200}")
    return [_placement(ship) for ship in ships]


def _placement(placement: arena.Placement) -> wit.Placement:
    return wit.Placement(anchor=_coord(placement.anchor), direction=wit.Direction[placement.direction.name])
