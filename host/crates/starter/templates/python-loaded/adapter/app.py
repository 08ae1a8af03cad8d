"""The component's export: it passes the calls of the arena to `bot.py`. This file needs no edit.

componentize-py makes the package wit_world from the contract in wit/ when it builds.
"""

# pyright: reportMissingImports=false

import sys

# Each line is flushed, so that it is in the log even if the bot runs out of fuel after it.
getattr(sys.stdout, "reconfigure")(line_buffering=True)

from wit_world import exports

from bot import Bot as Author
from where import follow_if_asked


class Bot(exports.Bot):
    """The export `bot` of the game's package."""

    def __init__(self) -> None:
        self.author = Author()

    def name(self) -> str:
        return Author.name

    def play(self, observation):
        follow_if_asked()
        return self.author.play(observation)
