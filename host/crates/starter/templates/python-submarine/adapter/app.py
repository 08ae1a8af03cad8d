"""The component's export: it passes the calls of the arena to `bot.py`. This file needs no edit.

componentize-py makes the package wit_world from the contract in wit/ when it builds.
"""

# pyright: reportMissingImports=false

import sys
from functools import cache

# Each line is flushed, so that it is in the log even if the bot runs out of fuel after it.
getattr(sys.stdout, "reconfigure")(line_buffering=True)

from wit_world import exports
from wit_world.exports import bot as wit

import arena
from bot import Bot as Author
from where import follow_if_asked

OFF_THE_BOARD = 255
"""A row or column that the board does not have, for numbers that are not a row or column."""


class Bot(exports.Bot):
    """The export `arena:submarine/bot`. componentize-py makes an object for each of its functions, so the author's is the class's."""

    author = Author()

    def name(self) -> str:
        return Author.name

    def deploy(self, game: wit.Game) -> wit.Positions:
        follow_if_asked()
        positions = self.author.deploy(_game(game))
        if not isinstance(positions, dict) or any(ship not in positions for ship in arena.Ship):
            line = self.author.deploy.__code__.co_firstlineno
            raise TypeError(f"`deploy` (bot.py:{line}) must return a dict with a cell for each Ship, not {positions!r:.200}")
        return wit.Positions(*(_coord(positions[ship]) for ship in arena.Ship))

    def play(self, game: wit.Game, view: wit.View) -> wit.Action:
        follow_if_asked()
        action = self.author.play(_game(game), _view(view))
        if isinstance(action, arena.Attack):
            return wit.Action_Attack(_coord(action.at))
        if isinstance(action, arena.Move):
            return wit.Action_Move(wit.Sail(ship=wit.Ship[action.ship.name], to=_coord(action.to)))
        raise TypeError(f"an action must be an Attack or a Move, not {action!r}")


def _game(game: wit.Game) -> arena.Game:
    return arena.Game(actions_max=game.actions_max, fuel_per_turn=game.fuel_per_turn, seed=game.seed)


def _view(view: wit.View) -> arena.View:
    return arena.View(
        turn=view.turn,
        own=tuple(arena.OwnShip(_ship(own.ship), own.hit_points, _cell(own.at)) for own in view.own),
        enemy=tuple(arena.EnemyShip(_ship(enemy.ship), enemy.hit_points) for enemy in view.enemy),
        my_last=_report(view.my_last),
        enemy_last=_report(view.enemy_last),
    )


def _report(report: wit.Report | None) -> arena.Report | None:
    match report:
        case None:
            return None
        case wit.Report_Attacked(attacked):
            hit = None if attacked.hit is None else _ship(attacked.hit)
            return arena.Attacked(_cell(attacked.at), hit, tuple(_ship(ship) for ship in attacked.near))
        case wit.Report_Moved(moved):
            return arena.Moved(_ship(moved.ship), moved.down, moved.right)


def _ship(ship: wit.Ship) -> arena.Ship:
    return arena.Ship[ship.name]


def _cell(at: wit.Coord) -> arena.Coord:
    return arena.Coord(at.row, at.column)


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
