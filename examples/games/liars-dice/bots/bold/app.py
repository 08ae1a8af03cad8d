"""A bot for liar's dice that plays by the odds, and bluffs: it takes the opponent's last face for one that the opponent has."""

from math import comb

from wit_world import exports
from wit_world.exports import bot as game
from wit_world.imports.types import Action_Challenge, Action_Raise, Bid

BOLD = 0.4
"""The least chance of a bid that it makes."""


class Bot(exports.Bot):
    """The export of the component."""

    def name(self) -> str:
        return "bold"

    def play(self, observation: game.Observation) -> game.Action:
        mine, bids = list(observation.mine), observation.bids
        last = (bids[-1].count, bids[-1].face) if bids else (0, 6)
        # The opponent has bid this face, and may have two dice that show it.
        told = last[1] if bids else None
        higher = [(count, face) for count in range(1, 2 * len(mine) + 1) for face in range(1, 7) if (count, face) > last]
        likely = [bid for bid in higher if chance(mine, bid, told) >= BOLD]
        if bids and (not likely or chance(mine, last, told) < 0.5):
            return Action_Challenge()
        # The highest likely bid leaves the opponent the least.
        count, face = max(likely or higher[:1])
        return Action_Raise(Bid(count, face))


def chance(mine: list[int], bid: tuple[int, int], told: int | None) -> float:
    """The chance that a bid is true, if one of the opponent's dice shows the face that was told."""
    count, face = bid
    hidden = len(mine)
    missing = count - mine.count(face)
    if face == told:
        hidden, missing = hidden - 1, missing - 1
    hits = range(max(missing, 0), hidden + 1)
    return sum(comb(hidden, it) * (1 / 6) ** it * (5 / 6) ** (hidden - it) for it in hits)
