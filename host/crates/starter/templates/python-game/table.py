"""Kuhn poker, in plain Python: this file knows nothing of the arena, and its tests run without WebAssembly.

Each player has one of three cards and antes a chip. The players bet or pass in turn, until both have passed, or a bet was answered.
"""

from __future__ import annotations

from copy import copy
from random import Random


class Table:
    """Some hands between the players 0 and 1, who begin them in turn."""

    def __init__(self, hands: int, seed: int, starter: int) -> None:
        self.starter = starter
        self.deals = _deals(hands, seed)
        """The cards of both players in each hand: 0 is a jack, 1 a queen, 2 a king."""
        self.hand = 0
        self.bets = []
        """What the players have done in this hand: True is a bet or a call, False a pass or a fold."""
        self.chips = 0
        """What player 0 has won of player 1."""

    def player(self) -> int | None:
        """The player to move; None after the end."""
        if self.hand == len(self.deals):
            return None
        return (self.starter + self.hand + len(self.bets)) % 2

    def act(self, is_bet: bool) -> tuple[int, list | None] | None:
        """Bets or passes. At the end of a hand, returns its winner, and the cards if both are shown."""
        player = self.player()
        assert player is not None, "the game is over"
        self.bets.append(is_bet)
        if self.bets == [False, True] or len(self.bets) == 1:
            return None
        cards = self.deals[self.hand]
        is_fold = self.bets[-2] and not is_bet
        winner = 1 - player if is_fold else cards.index(max(cards))
        stake = 2 if is_bet else 1
        self.chips += stake if winner == 0 else -stake
        self.hand += 1
        self.bets = []
        return winner, None if is_fold else cards

    def redealt(self, viewer: int, seed: int) -> Table:
        """The same table as far as the viewer knows: the opponent's card and all later hands are dealt again."""
        other = copy(self)
        other.bets = self.bets[:]
        later = _deals(len(self.deals) - self.hand, seed)
        if later:
            own = self.deals[self.hand][viewer]
            # Of the new cards of this hand, one at least is not the viewer's.
            rival = next(card for card in later[0] if card != own)
            later[0] = [own, rival] if viewer == 0 else [rival, own]
        other.deals = self.deals[: self.hand] + later
        return other


def _deals(hands: int, seed: int) -> list:
    random = Random(seed)
    return [random.sample(range(3), 2) for _ in range(hands)]
