"""Transcripts: recorded games, as `arena run --transcripts` and `arena replay --transcript` write them."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterator

from .boards import HIT, MISS, SHIP, UNKNOWN, WATER, cell_name, ship_cells
from .overlay import Overlay

FORMAT = "1.0"
"""The version of the format that is read."""


class NotATranscript(ValueError):
    """A file that is not a transcript, or one of another format."""


class Transcript:
    """A recorded game: `header` and `events` are the lines of the file, unchanged; `path` is the file.

    Nothing is checked against the rules: `arena verify` does that.
    """

    def __init__(self, header: dict[str, Any], events: list[dict[str, Any]], path: Path | None = None) -> None:
        self.header = header
        self.events = events
        self.path = path
        # The arguments of `arena replay` that name the game.
        self.recording = None if path is None else [str(path)]

    @classmethod
    def read(cls, path: str | Path) -> Transcript:
        """Reads a file.

        Raises `NotATranscript`, with the line, if the file is not a transcript.
        """
        path = Path(path)
        lines: list[dict[str, Any]] = []
        with path.open(encoding="utf-8") as file:
            try:
                for number, text in enumerate(file, 1):
                    line = json.loads(text)
                    if not isinstance(line, dict):
                        raise ValueError("it is not an object")
                    lines.append(line)
            except ValueError as error:
                raise NotATranscript(f"{path}: line {len(lines) + 1}: {error}") from error
        version = str(lines[0].get("arena-transcript", "")) if lines else ""
        if not version:
            raise NotATranscript(f"{path}: line 1: it is not the header of a transcript")
        if version != FORMAT:
            raise NotATranscript(f"{path}: its format is {version}, and this reads {FORMAT} only")
        return cls(lines[0], lines[1:], path)

    @property
    def game(self) -> str:
        """The game: `battleship` or `submarine`."""
        return self.header["rules"]["game"]

    @property
    def rules(self) -> dict[str, Any]:
        """The rules."""
        return self.header["rules"]

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of rows and columns of a board."""
        return self.rules.get("height", 5), self.rules.get("width", 5)

    def bot(self, seat: int) -> str:
        """Returns the label of the bot at a seat, 1 or 2."""
        return self.header["bots"][seat - 1]["label"]

    @property
    def winner(self) -> int | None:
        """The seat that won; `None` for a draw, and for a game that has no end."""
        outcome = self._end().get("outcome")
        return outcome.get("win") if isinstance(outcome, dict) else None

    @property
    def reason(self) -> str | None:
        """The reason of the end; `None` if the file has none."""
        return self._end().get("reason")

    def _end(self) -> dict[str, Any]:
        return next((event for event in reversed(self.events) if event.get("event") == "ended"), {})

    def turns(self) -> list[dict[str, Any]]:
        """Returns a row for each turn and each fault, in order.

        The columns: `game`, `seat`, `bot`, `turn`; `action` is `shot`, `skip`, `attack`, `move` or `fault`; `row`, `column` and `cell`
        of the action, `None` without a cell; `effect` in a word; `fuel`, `None` for a fault; `invalid`, the number of invalid
        attempts before it; `fault` and `detail`, the class and the text of a fault.
        """
        rows = []
        for event in self.events:
            if event.get("event") not in ("acted", "faulted") or not event.get("turn"):
                continue
            action, at = _action(event.get("action"))
            effect = event.get("effect")
            fault = event.get("fault") or {}
            rows.append(
                {
                    "game": self.header["game"],
                    "seat": event["seat"],
                    "bot": self.bot(event["seat"]),
                    "turn": event["turn"],
                    "action": "fault" if fault else action,
                    "row": at[0] if at else None,
                    "column": at[1] if at else None,
                    "cell": cell_name(*at) if at else None,
                    "effect": _word(effect),
                    "fuel": event.get("fuel"),
                    "invalid": (event.get("attempts") or {}).get("invalid", 0),
                    "fault": fault.get("class"),
                    "detail": fault.get("detail"),
                }
            )
        return rows

    def fleet(self, seat: int) -> list[list[tuple[int, int]]]:
        """Returns the cells of each ship of a seat, in the order of the rules' fleet; empty if the seat placed none.

        For submarine, a ship is one cell, at the beginning.
        """
        placed = next((event for event in self.events if _is_by(event, "placed", seat)), None)
        if placed is None:
            return []
        if self.game == "battleship":
            pairs = zip(placed["deployment"], self.rules["fleet"])
            return [ship_cells(place, length) for place, length in pairs]
        return [[(row, column)] for row, column in placed["deployment"]]

    def attacks(self, seat: int, turn: int | None = None) -> list[list[int]]:
        """Returns the opponent's board as a seat knows it after one of its turns, or at the end: UNKNOWN, MISS or HIT.

        Raises `ValueError` for submarine, whose ships move.
        """
        return self._shot_at(seat, turn, [[UNKNOWN] * self.size[1] for _ in range(self.size[0])])

    def board(self, seat: int, turn: int | None = None) -> list[list[int]]:
        """Returns the board of a seat after a turn of the other one, or at the end: WATER, SHIP, MISS or HIT.

        Raises `ValueError` for submarine, whose ships move.
        """
        board = [[WATER] * self.size[1] for _ in range(self.size[0])]
        for row, column in (at for ship in self.fleet(seat) for at in ship):
            board[row][column] = SHIP
        return self._shot_at(3 - seat, turn, board)

    def overlays(self, logs: str | Path | None = None, program: str = "arena") -> list[Overlay]:
        """Returns what the bots drew in their turns, in order, by lines of their logs such as `@mark a7 0.8`.

        `logs` is the folder of `arena run --logs`, or one log; without it, the logs are next to the transcript. The program `arena` reads
        the lines, as it does for its own screens. Raises `ValueError` if the game has no file, `FileNotFoundError` if the program is
        missing, and `RuntimeError` with its message if it fails.
        """
        if self.recording is None:
            raise ValueError("the game is in no file: read it with `Transcript.read` or `Journal.transcript`")
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / "overlays.jsonl"
            command = [program, "replay", *self.recording, "--overlays", str(written)]
            run_program(command + ([] if logs is None else ["--logs", str(logs)]))
            with written.open(encoding="utf-8") as file:
                return [self._overlay(json.loads(line)) for line in file]

    def _overlay(self, drawn: dict[str, Any]) -> Overlay:
        """Returns an overlay over the board as it was known; over an empty one for submarine, whose ships move."""
        is_known = self.game == "battleship"
        rows, columns = self.size
        empty = [[UNKNOWN] * columns for _ in range(rows)]
        return Overlay(drawn, self.attacks(drawn["seat"], drawn["turn"]) if is_known else empty)

    def _shot_at(self, seat: int, turn: int | None, board: list[list[int]]) -> list[list[int]]:
        if self.game != "battleship":
            raise ValueError(f"{self.game} has no board of shots: its ships move")
        for event in self.events:
            if not _is_by(event, "acted", seat):
                continue
            if turn is not None and event["turn"] > turn:
                break
            action, at = _action(event["action"])
            if action == "shot" and at and event["effect"] in ("miss", "hit", "sunk"):
                board[at[0]][at[1]] = MISS if event["effect"] == "miss" else HIT
        return board

    def __repr__(self) -> str:
        return f"<game {self.header['game']} of {self.bot(1)} and {self.bot(2)}>"


def transcripts(folder: str | Path) -> Iterator[Transcript]:
    """Reads the transcripts in a folder, by the number that their names begin with, then by name."""

    def key(path: Path) -> tuple[int, str]:
        number = path.name.split("-")[0]
        return (int(number) if number.isdigit() else 0, path.name)

    for path in sorted(Path(folder).glob("*.jsonl"), key=key):
        yield Transcript.read(path)


def run_program(command: list[str]) -> None:
    """Runs the program `arena`. Raises `RuntimeError` with its message if it fails."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr.strip() or f"{command[0]} ended with {ended.returncode}")


def _is_by(event: dict[str, Any], kind: str, seat: int) -> bool:
    return event.get("event") == kind and event.get("seat") == seat


def _word(value: Any) -> str | None:
    """Returns a value that is a word, or the only key of an object."""
    return next(iter(value), None) if isinstance(value, dict) else value


def _action(action: Any) -> tuple[str | None, tuple[int, int] | None]:
    """Returns the word of an action, and its cell."""
    word = _word(action)
    value = action[word] if isinstance(action, dict) and word else None
    # A move has a list: the ship, and the cell that it moves to.
    inner = value if isinstance(value, list) else []
    at = next((cell for cell in [inner, *inner] if _is_cell(cell)), None)
    return word, None if at is None else (at[0], at[1])


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(number, int) for number in value)
