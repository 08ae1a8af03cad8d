"""Journals: the SQLite files of `arena run --journal`."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import warnings
from pathlib import Path
from typing import Any

from .transcript import Transcript, run_program

APPLICATION_ID = 0x41524E41
"""The letters ARNA, the application identifier of journals among SQLite files."""

FORMAT = "1.0"
"""The version of the format that is read."""


class NotAJournal(ValueError):
    """A file that is not a journal, or one of another format, or one whose games are all in a log that is missing."""


class GamesMayBeMissing(UserWarning):
    """A journal that was written in WAL mode, without its log: a copy of the one file, while a run wrote it or after it was killed."""


def _lacks_log(file: Path) -> bool:
    """Returns true if the header of a file says that it has a write-ahead log, and there is none next to it, or an empty one."""
    with file.open("rb") as opened:
        header = opened.read(20)
    log = Path(f"{file}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    return header.startswith(b"SQLite format 3\0") and header[18:] == b"\x02\x02" and not has_log


class Journal:
    """A journal, opened for reading. A run may still be writing it: each table has the games up to the call.

    The chain of hashes is not checked: `arena verify` does that, and `docs/guide/src/journal-format.md` has a checker. Warns with
    `GamesMayBeMissing` if the file's write-ahead log is not next to it.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise FileNotFoundError(f"{self.path}: no such file")
        file = self.path.resolve()
        lacks_log = _lacks_log(file)
        # Otherwise SQLite makes an empty log next to the file.
        options = "immutable=1" if lacks_log else "mode=ro"
        self._db = sqlite3.connect(f"{file.as_uri()}?{options}", uri=True)
        self._db.row_factory = sqlite3.Row
        try:
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise NotAJournal(f"{self.path}: {error}") from error
        if application == 0 and version == 0 and lacks_log:
            raise NotAJournal(f"{self.path}: it was written in WAL mode, and its games are in {file}-wal: copy that file, too")
        if application != APPLICATION_ID:
            raise NotAJournal(f"{self.path}: it is not a journal of the arena")
        found = f"{version // 1000}.{version % 1000}"
        if found != FORMAT:
            raise NotAJournal(f"{self.path}: its format is {found}, and this reads {FORMAT} only")
        if lacks_log:
            text = f"{self.path}: it was written in WAL mode without its log, so games may be missing; copy {file}-wal, too"
            warnings.warn(text, GamesMayBeMissing, stacklevel=2)

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def rules(self) -> dict[str, Any]:
        """The rules of all games."""
        return json.loads(self._db.execute("SELECT rules FROM conditions NOT INDEXED").fetchone()["rules"])

    def bots(self) -> list[dict[str, Any]]:
        """Returns a row for each bot of the season: `number`, `label`, `name`, `sha256`."""
        return self._rows("SELECT number, label, name, sha256 FROM bot NOT INDEXED ORDER BY number")

    def games(self) -> list[dict[str, Any]]:
        """Returns a row for each game, in the order of the journal.

        The columns: `number`, as in `arena games`; `stage`; `game`, its number in the match of the two bots; `bot1` and `bot2`, the
        labels of the bots at the seats; `winner`, 1, 2 or `None`; `outcome` and `reason`; `score1` and `score2`, which the game gives, or `None`; `turns1`, `turns2`, `fuel1`, `fuel2`;
        `faults1` and `faults2`, the numbers of faults; `reproducible`.
        """
        labels = self._labels()
        rows = []
        for row in self._rows("SELECT * FROM game NOT INDEXED ORDER BY number"):
            faults = [0, 0]
            for fault in json.loads(row["faults"]):
                faults[int(fault["seat"]) - 1] += fault["count"]
            rows.append(
                {
                    "number": row["number"],
                    "stage": row["stage"],
                    "game": row["game"],
                    "bot1": labels(row["stage"], row["first"]),
                    "bot2": labels(row["stage"], row["second"]),
                    "winner": {"first": 1, "second": 2}.get(row["outcome"]),
                    "outcome": row["outcome"],
                    "reason": row["reason"],
                    "score1": row["first_score"],
                    "score2": row["second_score"],
                    "turns1": row["first_turns"],
                    "turns2": row["second_turns"],
                    "fuel1": int(row["first_fuel"]),
                    "fuel2": int(row["second_fuel"]),
                    "faults1": faults[0],
                    "faults2": faults[1],
                    "reproducible": bool(row["reproducible"]),
                }
            )
        return rows

    def transcript(self, number: int, program: str = "arena") -> Transcript:
        """Returns a game of the journal with all its turns.

        A journal has only the players' answers. The program `arena` makes the transcript from them. Raises `FileNotFoundError` if the
        program is missing, and `RuntimeError` with its message if it fails.
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"{number}.jsonl"
            command = [program, "replay", str(self.path), str(number), "--transcript", str(file)]
            run_program(command)
            read = Transcript.read(file)
        read.path, read.recording = None, [str(self.path), str(number)]
        return read

    def _labels(self) -> Any:
        """Returns a function from a stage and a bot's number to the bot's label in that stage."""
        query = "SELECT stage, bot, label FROM entrant NOT INDEXED"
        labels = {(row["stage"], row["bot"]): row["label"] for row in self._rows(query)}
        return lambda stage, bot: labels.get((stage, bot))

    def _rows(self, query: str) -> list[dict[str, Any]]:
        return [dict(row) for row in self._db.execute(query)]
