"""Practice boards: the number of shots that the bot needs alone. `python3 practice.py` prints it."""

import sys
from random import Random
from statistics import mean

from arena import HIT, MISS, SHIP, UNKNOWN, Coord, Game, Placement, View, random_fleet
from bot import Bot

FLEET = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
"""The fleet of the rules `guide`."""


def guide(seed: int) -> Game:
    """Returns a game by the rules `guide`, whose ships may not touch. Its fuel is not limited."""
    return Game(
        width=10,
        height=10,
        fleet=FLEET,
        may_touch=False,
        sinkings_announced=False,
        turns_max=400,
        fuel_per_turn=2**64 - 1,
        seed=seed,
    )


def is_legal_fleet(game: Game, fleet: list[Placement]) -> bool:
    """Returns True if a fleet has the right ships, on the board, which do not overlap, nor touch if that is forbidden."""
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


def first_view(game: Game, attacks: dict[Coord, int] | None = None) -> View:
    """Returns a view at the first turn, with these cells of the opponent's board already shot at."""
    board = bytes(game.width * game.height)
    shown = bytes((attacks or {}).get(at, UNKNOWN) for at in game.cells())
    return View(1, board, shown, None, None, False, None, game.width)


def shots_to_clear(game: Game, random: Random) -> int:
    """Lets a fresh bot clear a random board alone, and returns the number of its shots."""
    bot = Bot()
    own = bot.deploy(game)
    assert is_legal_fleet(game, own), f"the fleet is not legal: {own}"
    board = bytearray(game.width * game.height)
    for placement, length in zip(own, game.fleet):
        for at in placement.cells(length):
            board[at.row * game.width + at.column] = SHIP
    ships = {
        at
        for placement, length in zip(random_fleet(game, random), game.fleet)
        for at in placement.cells(length)
    }
    attacks = bytearray(game.width * game.height)
    last = None
    for turn in range(1, game.turns_max + 1):
        shot = bot.play(game, View(turn, bytes(board), bytes(attacks), None, last, False, None, game.width))
        assert shot is not None, f"turn {turn} was skipped"
        index = shot.row * game.width + shot.column
        assert game.contains(shot) and attacks[index] == UNKNOWN, f"turn {turn}: {shot} is off the board or repeated"
        attacks[index] = HIT if shot in ships else MISS
        ships.discard(shot)
        last = shot
        if not ships:
            return turn
    raise AssertionError(f"the board is not clear after {game.turns_max} turns")


def practise(boards: int, seed: int) -> float:
    """Returns the mean number of shots to clear a board by the rules `guide`. The same arguments give the same boards."""
    random = Random(seed)
    return mean(shots_to_clear(guide(random.getrandbits(64)), random) for _ in range(boards))


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{practise(count, 1):.2f} shots a board over {count} boards")
