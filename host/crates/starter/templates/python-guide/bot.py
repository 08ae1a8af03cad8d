"""A bot that shoots next to its hits, and anywhere else if there are no targets next to them."""

import random

FLEET = [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]
"""The lengths of the ships, in the order in which `deploy` places them."""

WATER, SUCCESS = 0, 2
"""Cells of `attacks`: not yet attacked, and attack success."""


def deploy(width: int, height: int) -> list[tuple[int, int, str]]:
    """Returns a random fleet: (row, column, direction) for each ship, longest first. No two ships are adjacent."""
    while True:
        taken: set[tuple[int, int]] = set()
        fleet: list[tuple[int, int, str]] = []
        for length in FLEET:
            places = [place for place in places_of(width, height, length) if taken.isdisjoint(cells_of(*place, length))]
            if not places:
                break
            place = random.choice(places)
            for row, column in cells_of(*place, length):
                taken.update((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
            fleet.append(place)
        else:
            return fleet


def play(
    board: list[list[int]],
    attacks: list[list[int]],
    lastspot: tuple[int | None, int | None],
    mylast: tuple[int | None, int | None],
    retry: bool,
) -> tuple[int | None, int | None]:
    """Returns the (row, column) to attack, or (None, None) to skip the turn."""
    height, width = len(attacks), len(attacks[0])
    cells = [(row, column) for row in range(height) for column in range(width)]
    targets = [(row, column) for row, column in cells if attacks[row][column] == WATER]
    hits = [(row, column) for row, column in cells if attacks[row][column] == SUCCESS]
    # Ships may not touch, so the cells at the corners of a hit are water.
    water = {(row + down, column + right) for row, column in hits for down in (-1, 1) for right in (-1, 1)}
    beside_a_hit = {
        (row + down, column + right) for row, column in hits for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))
    }

    hopeful = [at for at in targets if at not in water]
    choices = [at for at in hopeful if at in beside_a_hit] or hopeful or targets
    return random.choice(choices) if choices else (None, None)


def places_of(width: int, height: int, length: int) -> list[tuple[int, int, str]]:
    """Returns all places of a ship of a length on the empty board."""
    east = [(row, column, "E") for row in range(height) for column in range(width - length + 1)]
    south = [(row, column, "S") for row in range(height - length + 1) for column in range(width)]
    return east + south


def cells_of(row: int, column: int, direction: str, length: int) -> list[tuple[int, int]]:
    """Returns the cells of a ship."""
    down, right = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}[direction]
    return [(row + i * down, column + i * right) for i in range(length)]
