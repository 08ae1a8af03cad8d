"""Practice boards: the number of shots that the bot needs alone. `python3 practice.py` prints it.

`python3 practice.py old_bot.py` compares it with another build on the same boards; `--calls FILE` repeats its calls of a recorded game.
"""

import argparse
import json
from os.path import isfile
from random import Random
from statistics import mean
from typing import Any

import arena
from arena import HIT, MISS, SHIP, UNKNOWN, Coord, Direction, Game, Placement, View
from bot import Bot
from practice_main import compare, other_build, recorded_calls, with_error, with_progress

FLEET = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
"""The fleet of the `guide` rules."""


def guide(seed: int) -> Game:
    """Returns a game under the `guide` rules: ships may not touch. Here fuel is not counted, and the clock is the machine's."""
    return Game(
        width=10,
        height=10,
        fleet=FLEET,
        may_touch=False,
        sinkings_announced=False,
        turns_max=400,
        fuel_per_turn=FUEL_PER_TURN["guide"],
        seed=seed,
    )


FLEETS = {"guide": FLEET, "classic": (5, 4, 3, 3, 2), "pirates": (5, 4, 3, 3, 2)}
"""The fleets of the built-in rules."""

TURNS_MAX = {"guide": 400, "classic": 2000, "pirates": 200}
"""The most turns of a side in a game under the built-in rules."""

FUEL_PER_TURN = {"guide": 300_000_000, "classic": 300_000_000, "pirates": 50_000_000}
"""The budget of a turn under the built-in rules."""

DRAWN = {"pirates"}
"""The built-in rules under which the arena draws both fleets and never calls `deploy`."""


def game_by(rules: str, seed: int) -> Game:
    """Returns a game under built-in rules. Here fuel is not counted, and the clock is the machine's."""
    if rules == "guide":
        return guide(seed)
    return Game(10, 10, FLEETS[rules], rules == "classic", True, TURNS_MAX[rules], FUEL_PER_TURN[rules], seed)


def recorded(call: dict) -> tuple[Game, View | None]:
    """Returns the arguments of a recorded call. The view is None if the call was `deploy`."""
    facts = {name.replace("-", "_"): value for name, value in call["game"].items()}
    game = Game(**{**facts, "fleet": tuple(facts["fleet"])})
    if call["view"] is None:
        return game, None
    view = {name.replace("-", "_"): value for name, value in call["view"].items()}
    for name in ("board", "attacks"):
        view[name] = bytes(view[name])
    for name in ("last_spot", "my_last"):
        view[name] = None if view[name] is None else Coord(*view[name])
    if view["ships_remaining"] is not None:
        view["ships_remaining"] = tuple(view["ships_remaining"])
    return game, View(**view, width=game.width)


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
            answer = [[*place.anchor, place.direction.name[0]] for place in said]
        else:
            answer = "skip" if said is None else {"shot": [*said]}
        compare(call, answer)
    print(json.dumps(answer))


def is_legal_fleet(game: Game, fleet: list[Placement]) -> bool:
    """Returns True if a fleet has the right ships, all on the board, and none overlap, or touch if that is forbidden."""
    if len(fleet) != len(game.fleet):
        return False
    taken: set[Coord] = set()
    for placement, length in zip(fleet, game.fleet):
        cells = placement.cells(length)
        if not all(game.contains(at) for at in cells) or not taken.isdisjoint(cells):
            return False
        taken.update(cells)
        if not game.may_touch:
            for at in cells:
                taken.update(game.edge_neighbours(at), game.corner_neighbours(at))
    return True


MOVES = 400
"""The number of times that `random_fleet` moves a ship. Measured: more moves do not change the number of shots for a board."""


def random_fleet(game: Game, random: Random) -> list[Placement]:
    """Draws a fleet as the arena draws it: all legal fleets are about equally likely, which those of `arena.random_fleet` are not. Ships
    of such a fleet are moved, again and again, to random places."""
    fleet = arena.random_fleet(game, random)
    for _ in range(MOVES):
        ship = random.randrange(len(fleet))
        before = fleet[ship]
        anchor = Coord(random.randrange(game.height), random.randrange(game.width))
        fleet[ship] = Placement(anchor, random.choice((Direction.EAST, Direction.SOUTH)))
        if not is_legal_fleet(game, fleet):
            fleet[ship] = before
    return fleet


def first_view(game: Game, attacks: dict[Coord, int] | None = None) -> View:
    """Returns a view at the first turn, with these cells of the opponent's board already shot at."""
    board = bytes(game.width * game.height)
    shown = bytes((attacks or {}).get(at, UNKNOWN) for at in game.cells())
    return View(1, board, shown, None, None, False, None, game.width)


def shots_to_clear(game: Game, random: Random, build: type = Bot, is_drawn: bool = False) -> int:
    """Lets a fresh bot clear a random board alone, and returns the number of its shots. Its own fleet is drawn, or the bot places it."""
    bot = build()
    fleet = random_fleet(game, random)
    own = random_fleet(game, random) if is_drawn else bot.deploy(game)
    assert is_legal_fleet(game, own), f"the fleet is not legal: {own}"
    board = bytearray(game.width * game.height)
    for placement, length in zip(own, game.fleet):
        for at in placement.cells(length):
            board[at.row * game.width + at.column] = SHIP
    afloat = [set(placement.cells(length)) for placement, length in zip(fleet, game.fleet)]
    attacks = bytearray(game.width * game.height)
    last = None
    for turn in range(1, game.turns_max + 1):
        remaining = None
        if game.sinkings_announced:
            remaining = tuple(length for ship, length in zip(afloat, game.fleet) if ship)
        shot = bot.play(game, View(turn, bytes(board), bytes(attacks), None, last, False, remaining, game.width))
        assert shot is not None, f"turn {turn} was skipped"
        index = shot.row * game.width + shot.column
        assert game.contains(shot) and attacks[index] == UNKNOWN, f"turn {turn}: {shot} is off the board or repeated"
        attacks[index] = HIT if any(shot in ship for ship in afloat) else MISS
        for ship in afloat:
            ship.discard(shot)
        last = shot
        if not any(afloat):
            return turn
    raise AssertionError(f"the board is not clear after {game.turns_max} turns")


def shots(boards: int, seed: int, rules: str = "guide", build: type = Bot) -> list[int]:
    """Returns the number of shots to clear each board. The same arguments give the same boards, for each build."""
    seeds = Random(seed)
    drawn = with_progress([seeds.getrandbits(64) for _ in range(boards)], "boards")
    return [shots_to_clear(game_by(rules, number), Random(number), build, rules in DRAWN) for number in drawn]


def practise(boards: int, seed: int) -> float:
    """Returns the mean number of shots to clear a board under the `guide` rules. The same arguments give the same boards."""
    return mean(shots(boards, seed))


def main() -> None:
    parser = argparse.ArgumentParser(description="Practice boards for bot.py.")
    parser.add_argument("other_build", nargs="?", help="the file of another build, compared on the same boards")
    parser.add_argument("--rules", choices=FLEETS, default="guide", help="built-in rules [default: guide]")
    parser.add_argument("--boards", type=int, default=200, help="number of boards [default: 200]")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the boards [default: 1]")
    parser.add_argument("--calls", metavar="FILE", help="call the bot as in a recorded game, and print its last answer")
    parser.add_argument("--stop", action="store_true", help="with --calls: stop in the debugger before the last call")
    args = parser.parse_args()
    for path in (args.calls, args.other_build):
        if path and not isfile(path):
            parser.error(f"there is no file {path}")
    if args.calls:
        repeat_calls(args.calls, args.stop)
        return
    if args.boards < 1:
        parser.error("--boards must be at least 1")
    mine = shots(args.boards, args.seed, args.rules)
    print(f"{with_error(mine)} shots a board over {args.boards} boards")
    if args.other_build:
        other = shots(args.boards, args.seed, args.rules, other_build(args.other_build))
        print(f"{with_error([a - b for a, b in zip(mine, other)])} against {args.other_build} on the same boards")


if __name__ == "__main__":
    main()
