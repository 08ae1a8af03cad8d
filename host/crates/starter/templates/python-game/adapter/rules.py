"""The functions of a state in the contract, which call the rules. `wit/deps/game/game.wit` says what each has to do."""

# pyright: reportMissingImports=false

from __future__ import annotations

from wit_world.exports import rules
from wit_world.exports.rules import Outcome, Penalty, Scores, Seat

from table import Table

NAMES = ("jack", "queen", "king")


class State(rules.State):
    """A game in progress, as the arena holds it."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @classmethod
    def new_initial_state(cls, settings: list[rules.Setting], seed: int, starter: Seat) -> State:
        # The arena has checked the values, and gives them in the order of the parameters.
        return cls(Table(settings[0].value, seed, starter.value))

    def current_player(self) -> Seat | None:
        player = self.table.player()
        return None if player is None else Seat(player)

    def outcome(self) -> Outcome:
        chips = self.table.chips
        scores = Scores(one=chips, two=-chips)
        if chips == 0:
            return Outcome(winner=None, reason="even", scores=scores)
        return Outcome(winner=Seat.ONE if chips > 0 else Seat.TWO, reason="chips", scores=scores)

    def overrun(self) -> Penalty:
        return Penalty.GAME

    def picture(self, viewer: Seat | None) -> str:
        table = self.table
        if table.player() is None:
            return f"the end: seat 1 has won {table.chips} chips"
        lines = [f"hand {table.hand + 1} of {len(table.deals)}: seat 1 has won {table.chips} chips"]
        for seat, card in zip(Seat, table.deals[table.hand]):
            lines.append(f"seat {seat.value + 1}: {NAMES[card] if viewer in (seat, None) else '?'}")
        lines.append(" ".join("bet" if is_bet else "pass" for is_bet in table.bets))
        return "\n".join(lines)
