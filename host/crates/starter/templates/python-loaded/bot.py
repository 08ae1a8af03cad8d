"""A bot for first-game."""

# pyright: reportMissingImports=false

from __future__ import annotations

from wit_world.exports import bot as game

from anything import any_first_action


class Bot:
    """One object plays one game. Keep state in it, but only as a cache: after an overrun a fresh object goes on."""

    name = "first-bot"

    def play(self, observation: game.FirstObservation) -> game.FirstAction:
        """Returns the action of this bot, whose turn it is.

        Replace the body: look at the observation, and choose. As it stands, the bot answers anything. A game that refuses an illegal
        action with `retry` asks again, until the fuel of the turn is used up.
        """
        return any_first_action()
