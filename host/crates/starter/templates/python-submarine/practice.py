"""Practice games against random actions. `python3 practice.py` prints the score of the bot.

`python3 practice.py old_bot.py` compares it with another build in the same games; `--calls FILE` repeats its calls of a recorded game.
"""

import argparse
import json
from os.path import isfile
from random import Random
from typing import Any

from arena import (
    Action,
    Attack,
    Attacked,
    Coord,
    EnemyShip,
    Game,
    Move,
    Moved,
    OwnShip,
    Report,
    Ship,
    View,
    around,
    random_positions,
)
from bot import Bot
from practice_main import compare, other_build, recorded_calls, with_error, with_progress

TURNS_MAX = 200
"""The number of turns in which a game must be won to count as won. Chosen: several times what the template needs."""


class Anything:
    """A bot that plays random legal actions."""

    def deploy(self, game: Game) -> dict[Ship, Coord]:
        return random_positions(Random(game.seed))

    def play(self, game: Game, view: View) -> Action:
        return Random(game.seed + view.turn).choice(view.legal_actions())


class Side:
    """The ships of a side, and what both sides know of its last action."""

    def __init__(self, positions: dict[Ship, Coord]) -> None:
        assert set(positions) == set(Ship) and len(set(positions.values())) == len(Ship), f"not legal: {positions}"
        self.at = dict(positions)
        self.hit_points = {ship: ship.value for ship in Ship}
        self.last: Report | None = None

    def attacked(self, at: Coord) -> Attacked:
        """Takes an attack, and returns the report of it."""
        hit = next((ship for ship in Ship if self.at.get(ship) == at), None)
        near = tuple(ship for ship in Ship if ship != hit and self.at.get(ship) in around(at))
        if hit is not None:
            self.hit_points[hit] -= 1
            if self.hit_points[hit] == 0:
                del self.at[hit]
        return Attacked(at, hit, near)


def play(bots: list, games: list[Game]) -> tuple[int | None, int]:
    """Plays a game of two bots. The first one moves first. Returns the index of the winner, None for a draw, and the last turn."""
    sides = [Side(bot.deploy(game)) for bot, game in zip(bots, games)]
    for number in range(games[0].actions_max):
        index = number % 2
        own, enemy = sides[index], sides[1 - index]
        view = View(
            turn=number // 2 + 1,
            own=tuple(OwnShip(ship, own.hit_points[ship], own.at[ship]) for ship in Ship if ship in own.at),
            enemy=tuple(EnemyShip(ship, enemy.hit_points[ship]) for ship in Ship if ship in enemy.at),
            my_last=own.last,
            enemy_last=enemy.last,
        )
        action = bots[index].play(games[index], view)
        assert action in view.legal_actions(), f"turn {view.turn}: {action} is not legal"
        if isinstance(action, Attack):
            own.last = enemy.attacked(action.at)
        if isinstance(action, Move):
            before = own.at[action.ship]
            own.at[action.ship] = action.to
            own.last = Moved(action.ship, action.to.row - before.row, action.to.column - before.column)
        if not enemy.at:
            return index, view.turn
    return None, TURNS_MAX


def recorded(call: dict) -> tuple[Game, View | None]:
    """Returns the arguments of a recorded call. The view is None if the call was `deploy`."""

    def ship(name: str) -> Ship:
        return Ship[name.upper()]

    def report(value: dict | None) -> Report | None:
        if value is None:
            return None
        if "moved" in value:
            moved = value["moved"]
            return Moved(ship(moved["ship"]), moved["down"], moved["right"])
        attacked = value["attacked"]
        hit = None if attacked["hit"] is None else ship(attacked["hit"])
        return Attacked(Coord(*attacked["at"]), hit, tuple(map(ship, attacked["near"])))

    game = Game(**{name.replace("-", "_"): value for name, value in call["game"].items()})
    view = call["view"]
    if view is None:
        return game, None
    return game, View(
        turn=view["turn"],
        own=tuple(OwnShip(ship(own["ship"]), own["hit-points"], Coord(*own["at"])) for own in view["own"]),
        enemy=tuple(EnemyShip(ship(enemy["ship"]), enemy["hit-points"]) for enemy in view["enemy"]),
        my_last=report(view["my-last"]),
        enemy_last=report(view["enemy-last"]),
    )


def repeat_calls(path: str, stop: bool) -> None:
    """Calls a bot as it was called in a recorded game, and prints its last answer: with `calls.jsonl` in a folder of `--faults`, or what
    `arena replay --calls` writes. With `stop`, the debugger has control before the last call, and `step` leads into the bot."""
    bot: Any = Bot()
    answer: object = None
    for call, is_last in recorded_calls(path):
        game, view = recorded(call)
        if stop and is_last:
            breakpoint()
        said = bot.deploy(game) if view is None else bot.play(game, view)
        if view is None:
            answer = [[*said[ship]] for ship in Ship]
        elif isinstance(said, Attack):
            answer = {"attack": [*said.at]}
        else:
            answer = {"move": [said.ship.name.lower(), [*said.to]]}
        compare(call, answer)
    print(json.dumps(answer))


FUEL_PER_TURN = 300_000_000
"""The budget of a turn. Here fuel is not counted, and the clock is the machine's."""


def turns(games: int, seed: int, build: type = Bot) -> list[int]:
    """Returns the number of turns in which the bot wins each game against random actions, TURNS_MAX if it does not win. It has the
    second seat in every other game. The same arguments give the same games, for each build."""
    random = Random(seed)
    needed = []
    for number in with_progress(range(games), "games"):
        facts = [Game(actions_max=2 * TURNS_MAX, fuel_per_turn=FUEL_PER_TURN, seed=random.getrandbits(64)) for _ in range(2)]
        seat = number % 2
        bots: list = [Anything(), Anything()]
        bots[seat] = build()
        winner, turn = play(bots, facts)
        needed.append(turn if winner == seat else TURNS_MAX)
    return needed


def practise(games: int, seed: int) -> int:
    """Returns the number of games that the bot wins against random actions."""
    return sum(turn < TURNS_MAX for turn in turns(games, seed))


def main() -> None:
    parser = argparse.ArgumentParser(description="Practice games for bot.py.")
    parser.add_argument("other_build", nargs="?", help="the file of another build, compared in the same games")
    parser.add_argument("--games", type=int, default=200, help="number of games [default: 200]")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the games [default: 1]")
    parser.add_argument("--calls", metavar="FILE", help="call the bot as in a recorded game, and print its last answer")
    parser.add_argument("--stop", action="store_true", help="with --calls: stop in the debugger before the last call")
    args = parser.parse_args()
    for path in (args.calls, args.other_build):
        if path and not isfile(path):
            parser.error(f"there is no file {path}")
    if args.calls:
        repeat_calls(args.calls, args.stop)
        return
    if args.games < 1:
        parser.error("--games must be at least 1")
    mine = turns(args.games, args.seed)
    won = sum(turn < TURNS_MAX for turn in mine)
    print(f"{won} of {args.games} games won against random actions, {with_error(mine)} turns a game")
    if args.other_build:
        other = turns(args.games, args.seed, other_build(args.other_build))
        print(f"{with_error([a - b for a, b in zip(mine, other)])} against {args.other_build} on the same games")


if __name__ == "__main__":
    main()
