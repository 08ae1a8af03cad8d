"""Practice boards: the number of shots that the bot needs alone. `python3 practice.py` prints it."""

import argparse
import json
import random
from os.path import isfile
from statistics import mean
from typing import Any

import bot
from practice_main import compare, recorded_calls, with_error, with_progress

WIDTH = HEIGHT = 10
FLEET = [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]
"""The lengths of the guide's ships, longest first."""

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


def repeat_calls(path: str, stop: bool) -> None:
    """Calls the bot as it was called in a recorded game, and prints its last answer: with `calls.jsonl` in a folder of `--faults`, or what
    `arena replay --calls` writes. With `stop`, the debugger has control before the last call, and `step` leads into the bot."""
    answer: object = None
    for number, (call, is_last) in enumerate(recorded_calls(path)):
        game, view = call["game"], call["view"]
        if number == 0:
            random.seed(game["seed"] + (0 if view is None else view["turn"]))
        args = (game["width"], game["height"]) if view is None else recorded(game, view)
        function: Any = bot.deploy if view is None else bot.play
        if stop and is_last:
            breakpoint()
        said = function(*args)
        if view is None:
            answer = [list(ship) for ship in said]
        else:
            answer = "skip" if said == (None, None) else {"shot": list(said)}
        compare(call, answer)
    print(json.dumps(answer))


def recorded(game: dict, view: dict) -> tuple:
    """Returns the arguments of a recorded call of `play`."""
    width, height = game["width"], game["height"]

    def rows(cells: list[int]) -> list[list[int]]:
        return [cells[row * width : (row + 1) * width] for row in range(height)]

    def spot(at: list[int] | None) -> tuple[int | None, int | None]:
        return (None, None) if at is None else (at[0], at[1])

    # The arena's cells of the opponent's board, and the guide's.
    attacks = [{0: 0, 2: 1, 3: 2}[cell] for cell in view["attacks"]]
    return rows(view["board"]), rows(attacks), spot(view["last-spot"]), spot(view["my-last"]), view["retry"]


def cells_of(ship: tuple[int, int, str], length: int) -> list[tuple[int, int]]:
    """Returns the cells of a ship. Some may be off the board."""
    row, column, direction = ship
    down, right = STEPS[direction]
    return [(row + i * down, column + i * right) for i in range(length)]


def is_on_the_board(cells: list[tuple[int, int]]) -> bool:
    """Returns True if all cells of a ship are on the board."""
    return all(0 <= row < HEIGHT and 0 <= column < WIDTH for row, column in cells)


def is_legal_fleet(fleet: list[tuple[int, int, str]]) -> bool:
    """Returns True if a fleet has ten ships on the board, none adjacent to another one, even diagonally."""
    if len(fleet) != len(FLEET):
        return False
    taken: set[tuple[int, int]] = set()
    for ship, length in zip(fleet, FLEET):
        cells = cells_of(ship, length)
        if not is_on_the_board(cells) or not taken.isdisjoint(cells):
            return False
        taken.update(around(cells))
    return True


def around(cells: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Returns the cells of a ship and all cells that are adjacent to it, also off the board."""
    return {(row + down, column + right) for row, column in cells for down in (-1, 0, 1) for right in (-1, 0, 1)}


MOVES = 400
"""The number of times that `random_ships` moves a ship. Measured: more moves do not change the number of shots for a board."""


def random_ships(rng: random.Random) -> set[tuple[int, int]]:
    """Returns the cells of a fleet, drawn as the arena draws it: all legal fleets are about equally likely. Ships of a fleet that was
    placed ship by ship are moved, again and again, to random places."""
    fleet = placed_fleet(rng)
    for _ in range(MOVES):
        ship = rng.randrange(len(fleet))
        before = fleet[ship]
        fleet[ship] = (rng.randrange(HEIGHT), rng.randrange(WIDTH), rng.choice("ES"))
        if not is_legal_fleet(fleet):
            fleet[ship] = before
    return {cell for ship, length in zip(fleet, FLEET) for cell in cells_of(ship, length)}


def placed_fleet(rng: random.Random) -> list[tuple[int, int, str]]:
    """Returns a legal fleet that is placed ship by ship."""
    while True:
        ships: set[tuple[int, int]] = set()
        fleet: list[tuple[int, int, str]] = []
        for length in FLEET:
            places = [(row, column, direction) for row in range(HEIGHT) for column in range(WIDTH) for direction in "ES"]
            rng.shuffle(places)
            fits = (place for place in places if is_legal_place(cells_of(place, length), ships))
            place = next(fits, None)
            if place is None:
                break
            fleet.append(place)
            ships.update(cells_of(place, length))
        else:
            return fleet


def is_legal_place(cells: list[tuple[int, int]], ships: set[tuple[int, int]]) -> bool:
    """Returns True if a ship is on the board, and not adjacent to these ships."""
    return is_on_the_board(cells) and ships.isdisjoint(around(cells))


def shots_to_clear(rng: random.Random) -> int:
    """Lets the bot clear a random board alone, and returns the number of its shots."""
    fleet = bot.deploy(WIDTH, HEIGHT)
    assert is_legal_fleet(fleet), f"the fleet is not legal: {fleet}"
    board = [[0] * WIDTH for _ in range(HEIGHT)]
    for ship, length in zip(fleet, FLEET):
        for row, column in cells_of(ship, length):
            board[row][column] = 1
    ships = random_ships(rng)
    attacks = [[0] * WIDTH for _ in range(HEIGHT)]
    last: tuple[int | None, int | None] = (None, None)
    for turn in range(1, 4 * WIDTH * HEIGHT + 1):
        # Copies, as in the arena: changes that the bot makes have no effect.
        shown = [row[:] for row in board], [row[:] for row in attacks]
        row, column = bot.play(*shown, (None, None), last, False)
        wrong = f"turn {turn}: {(row, column)} is not a valid spot"
        assert row is not None and column is not None and 0 <= row < HEIGHT and 0 <= column < WIDTH, wrong
        assert attacks[row][column] == 0, wrong
        attacks[row][column] = 2 if (row, column) in ships else 1
        ships.discard((row, column))
        last = (row, column)
        if not ships:
            return turn
    raise AssertionError("the board is not clear after four turns per cell")


def shots(boards: int, seed: int) -> list[int]:
    """Returns the number of shots to clear each board. The same arguments give the same boards."""
    random.seed(seed)
    rng = random.Random(seed)
    return [shots_to_clear(rng) for _ in with_progress(range(boards), "boards")]


def practise(boards: int, seed: int) -> float:
    """Returns the mean number of shots to clear a board. The same arguments give the same boards."""
    return mean(shots(boards, seed))


def main() -> None:
    parser = argparse.ArgumentParser(description="Practice boards for bot.py.")
    parser.add_argument("--boards", type=int, default=200, help="number of boards [default: 200]")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the boards [default: 1]")
    parser.add_argument("--calls", metavar="FILE", help="call the bot as in a recorded game, and print its last answer")
    parser.add_argument("--stop", action="store_true", help="with --calls: stop in the debugger before the last call")
    args = parser.parse_args()
    if args.calls:
        if not isfile(args.calls):
            parser.error(f"there is no file {args.calls}")
        repeat_calls(args.calls, args.stop)
        return
    if args.boards < 1:
        parser.error("--boards must be at least 1")
    print(f"{with_error(shots(args.boards, args.seed))} shots a board over {args.boards} boards")


if __name__ == "__main__":
    main()
