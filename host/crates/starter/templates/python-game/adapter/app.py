"""The facts about the game, and the functions of the contract that have its types. `rules.py` has those of a state.

componentize-py makes the package wit_world from the contract in `wit/` when it builds.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from wit_world import exports
from wit_world.exports.rules import About, Ending, Parameter, ScoreRange, Seat
from wit_world.imports.types import Action, Card, Effect_Folded, Effect_GoesOn, Effect_Shown, Observation

from rules import State


class Rules(exports.Rules):
    def describe(self) -> About:
        return About(
            name="first-game",
            version="1.0.0",
            parameters=[Parameter("hands", "the number of hands", default=10, minimum=1, maximum=100)],
            endings=[Ending("chips", "more chips"), Ending("even", "as many chips")],
            max_game_length=3 * 100,
            turn_milliseconds=1_000,
            scores=ScoreRange(minimum=-2 * 100, maximum=2 * 100),
        )


class Moves(exports.Moves):
    def observe(self, of: State, viewer: Seat) -> Observation:
        table = of.table
        return Observation(
            hand=table.hand + 1,
            hands=len(table.deals),
            chips=table.chips if viewer == Seat.ONE else -table.chips,
            card=Card(table.deals[table.hand][viewer.value]),
            so_far=[Action.BET if is_bet else Action.PASS for is_bet in table.bets],
        )

    def apply_action(self, to: State, action: Action) -> Effect_GoesOn | Effect_Folded | Effect_Shown:
        # Each action is legal. Another game refuses one with `raise Err(Refusal_Retry("the reason"))`.
        end = to.table.act(action == Action.BET)
        if end is None:
            return Effect_GoesOn()
        _, cards = end
        return Effect_Folded() if cards is None else Effect_Shown(tuple(map(Card, cards)))

    def random_action(self, of: State, seed: int) -> Action:
        return Action(seed % 2)

    def legal_actions(self, of: State) -> list[Action]:
        return list(Action)

    def resample_from_infostate(self, of: State, viewer: Seat, seed: int) -> State:
        return State(of.table.redealt(viewer.value, seed))
