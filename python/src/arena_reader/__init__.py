"""A reader of Arena's journals and transcripts, for notebooks.

It needs only Python. Tables are lists of dictionaries; `frame` makes a pandas `DataFrame` of one. Boards are lists of rows; `array`
makes a numpy array of one.

    from arena_reader import Journal, transcripts

    Journal("arena.db").games()              # a row for each game
    for game in transcripts("games"):
        game.turns()                         # a row for each turn
        game.attacks(1)                      # the opponent's board as seat 1 knew it at the end
"""

from .boards import HIT, MISS, SHIP, UNKNOWN, WATER, cell_name
from .journal import GamesMayBeMissing, Journal, NotAJournal
from .overlay import Overlay
from .tables import array, frame
from .transcript import NotATranscript, Transcript, transcripts

__all__ = [
    "HIT",
    "MISS",
    "SHIP",
    "UNKNOWN",
    "WATER",
    "GamesMayBeMissing",
    "Journal",
    "NotAJournal",
    "NotATranscript",
    "Overlay",
    "Transcript",
    "array",
    "cell_name",
    "frame",
    "transcripts",
]
