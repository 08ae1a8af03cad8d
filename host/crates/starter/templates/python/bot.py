"""A bot that shoots next to its hits, and anywhere else if there are no targets next to them."""

from random import Random

from arena import HIT, UNKNOWN, Coord, Game, Placement, View, random_fleet


class Bot:
    """One object plays one game. Keep state in it, but only as a cache: after an overrun a fresh object goes on."""

    name = "first-bot"

    def deploy(self, game: Game) -> list[Placement]:
        """Returns the placements of the fleet, one for each length in `game.fleet`, in the same order."""
        return random_fleet(game, Random(game.seed))

    def play(self, game: Game, view: View) -> Coord | None:
        """Returns the next shot, or None to skip the turn."""
        random = Random(game.seed + view.turn)
        targets = view.attacked(UNKNOWN)
        hits = view.attacked(HIT)
        # If ships may not touch, the cells at the corners of a hit are water.
        water = set() if game.may_touch else {near for hit in hits for near in game.corner_neighbours(hit)}
        beside_a_hit = {near for hit in hits for near in game.edge_neighbours(hit)}

        hopeful = [at for at in targets if at not in water]
        cells = [at for at in hopeful if at in beside_a_hit] or hopeful or targets
        return random.choice(cells) if cells else None
