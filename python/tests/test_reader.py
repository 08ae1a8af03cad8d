"""Tests of the reader, on the recordings and journals of the repository: `python3 -m unittest discover tests`."""

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

from arena_reader import HIT, MISS, SHIP, GamesMayBeMissing, Journal, NotAJournal, NotATranscript, Overlay, Transcript, array, frame, transcripts

PYTHON = Path(__file__).resolve().parents[1]
CRATES = PYTHON.parent / "host" / "crates"
RECORDINGS = CRATES / "tui" / "tests" / "data"
JOURNAL = PYTHON.parent / "fuzz" / "corpus" / "journals_survive_any_bytes" / "a-closed-season"


class ATranscript(unittest.TestCase):
    def test_has_a_row_for_each_turn(self) -> None:
        game = Transcript.read(RECORDINGS / "guide.jsonl")
        rows = game.turns()
        self.assertEqual(rows[0]["cell"], "j5")
        self.assertEqual((rows[0]["effect"], rows[0]["fuel"], rows[0]["bot"]), ("miss", 150105, "hunter"))
        self.assertEqual((game.winner, game.reason, game.size), (1, "fleet-sunk", (10, 10)))
        self.assertEqual(rows[-1]["effect"], "sunk")
        self.assertEqual([row["turn"] for row in rows if row["seat"] == 1], list(range(1, rows[-1]["turn"] + 1)))

    def test_has_boards_on_which_the_loser_has_no_ship_left(self) -> None:
        for path in RECORDINGS.glob("*.jsonl"):
            game = Transcript.read(path)
            if game.game != "battleship" or game.reason != "fleet-sunk":
                continue
            loser = 3 - game.winner
            cells = {at for ship in game.fleet(loser) for at in ship}
            self.assertEqual(len(cells), sum(game.rules["fleet"]))
            board, attacks = game.board(loser), game.attacks(game.winner)
            self.assertTrue(all(board[row][column] == HIT for row, column in cells), path)
            self.assertFalse(any(SHIP in row for row in board))
            self.assertEqual(board, attacks, "the winner has seen each cell that it shot at")
            shots = [turn for turn in game.turns() if turn["seat"] == game.winner and turn["action"] == "shot"]
            misses = sum(row.count(MISS) for row in attacks)
            self.assertEqual(misses + len(cells), len(shots), path)
            self.assertEqual(sum(map(sum, game.attacks(game.winner, turn=0))), 0)

    def test_has_faults_with_their_class(self) -> None:
        rows = Transcript.read(RECORDINGS / "overruns.jsonl").turns()
        faults = [row for row in rows if row["action"] == "fault"]
        self.assertEqual({row["fault"] for row in faults}, {"out-of-fuel"})
        self.assertTrue(all(row["fuel"] is None and row["cell"] is None for row in faults))

    def test_of_submarine_has_cells_and_no_board_of_shots(self) -> None:
        game = Transcript.read(RECORDINGS / "submarine.jsonl")
        self.assertEqual({row["action"] for row in game.turns()}, {"attack", "move"})
        self.assertEqual(game.turns()[0]["cell"], "c1")
        self.assertTrue(all(row["cell"] for row in game.turns()))
        self.assertEqual(game.fleet(1), [[(4, 3)], [(0, 1)], [(3, 0)]])
        with self.assertRaises(ValueError):
            game.attacks(1)

    def test_of_a_file_that_is_not_one_is_refused_with_its_line(self) -> None:
        header = (RECORDINGS / "guide.jsonl").read_text().splitlines()[0]
        later = header.replace('"arena-transcript":"1.0"', '"arena-transcript":"2.0"')
        for text, words in [
            ("", "line 1"),
            ("{}\n", "line 1"),
            ("[1]\n", "line 1"),
            (header + "\n{\n", "line 2"),
            (later + "\n", "its format is 2.0"),
        ]:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "a.jsonl"
                path.write_text(text)
                with self.assertRaisesRegex(NotATranscript, words):
                    Transcript.read(path)

    def test_folder_is_read_in_the_order_of_its_numbers(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for number in (10, 2, 1):
                shutil.copy(RECORDINGS / "panic.jsonl", Path(folder) / f"{number}-a-vs-b.jsonl")
            names = [game.path.name.split("-")[0] for game in transcripts(folder)]
        self.assertEqual(names, ["1", "2", "10"])


class AJournal(unittest.TestCase):
    def test_has_its_bots_and_games(self) -> None:
        with Journal(JOURNAL) as journal:
            self.assertEqual(journal.rules["game"], "battleship")
            self.assertEqual(len(journal.bots()), 2)
            games = journal.games()
        self.assertEqual([(row["number"], row["stage"], row["game"]) for row in games], [(1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 2, 4)])
        self.assertEqual({row["bot1"] for row in games}, {"builtin:random", "sweeper"})

    def test_of_another_format_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.db"
            shutil.copy(JOURNAL, path)
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA user_version = 1001")
            with self.assertRaisesRegex(NotAJournal, "its format is 1.1, and this reads 1.0 only"):
                Journal(path)

    def test_of_a_file_that_is_not_one_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.db"
            with self.assertRaises(FileNotFoundError):
                Journal(path)
            path.write_bytes(b"no database at all, but long enough to be looked at" * 9)
            with self.assertRaises(NotAJournal):
                Journal(path)
            path.unlink()
            sqlite3.connect(path).execute("CREATE TABLE game (number)").connection.close()
            with self.assertRaisesRegex(NotAJournal, "not a journal"):
                Journal(path)

    def test_without_its_log_warns_that_games_may_be_missing(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            whole, copy, empty = (Path(folder) / name for name in ("a.db", "a copy?.db", "empty.db"))
            shutil.copy(JOURNAL, whole)
            with contextlib.closing(sqlite3.connect(whole)) as run:
                run.execute("PRAGMA journal_mode = WAL")
                run.execute("INSERT INTO stage (settings) VALUES ('{}')")
                run.commit()
                shutil.copy(whole, copy)
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    Journal(whole).close()
                for _ in range(2):
                    with self.assertWarnsRegex(GamesMayBeMissing, "a copy\\?.db-wal, too"), Journal(copy) as journal:
                        self.assertEqual(len(journal.games()), 4)
            self.assertFalse(Path(f"{copy}-wal").exists())
            with contextlib.closing(sqlite3.connect(empty)) as run:
                run.execute("PRAGMA journal_mode = WAL")
                shutil.copy(empty, copy)
            with self.assertRaisesRegex(NotAJournal, "copy that file"):
                Journal(copy)

    @unittest.skipUnless(os.environ.get("ARENA_PROGRAM"), "ARENA_PROGRAM does not name the program")
    def test_gives_a_game_with_its_turns_through_the_program(self) -> None:
        program = os.environ["ARENA_PROGRAM"]
        with tempfile.TemporaryDirectory() as folder:
            bots = [PYTHON.parent / "bots" / f"{name}.wasm" for name in ("random", "sweeper")]
            run = [program, "run", *map(str, bots), "--games", "2", "--seed", "1", "-q", "--journal", f"{folder}/a.db"]
            subprocess.run([*run, "--transcripts", f"{folder}/games"], check=True, capture_output=True)
            journal = Journal(f"{folder}/a.db")
            for row, written in zip(journal.games(), transcripts(f"{folder}/games")):
                game = journal.transcript(row["number"], program)
                self.assertEqual((game.header, game.events), (written.header, written.events))
                self.assertEqual(game.winner, row["winner"])
                self.assertEqual(max(turn["turn"] for turn in game.turns() if turn["seat"] == 1), row["turns1"])
            with self.assertRaisesRegex(RuntimeError, "99"):
                journal.transcript(99, program)


class AnOverlay(unittest.TestCase):
    DRAWN = {
        "seat": 1,
        "turn": 2,
        "cells": [{"cell": [0, 1], "number": 3.0, "shade": 9}, {"cell": [1, 0], "number": 1.0, "shade": 3}],
        "texts": [{"cell": [1, 1], "text": "<&"}],
        "lines": [[[0, 0], [1, 1]]],
        "note": "a <b> \x1b note",
    }

    def test_is_a_board_with_shades_texts_lines_and_a_note(self) -> None:
        overlay = Overlay(self.DRAWN, [[MISS, 0], [0, 0]])
        self.assertEqual(str(overlay), "   a  b\n 0 o  9\n 1 3  <&\nline a0 to b1\na <b> ? note")
        self.assertEqual((overlay.numbers[0, 1], overlay.lines), (3.0, [((0, 0), (1, 1))]))

    def test_in_a_notebook_has_its_digits_and_no_markup_of_the_bot(self) -> None:
        shown = Overlay(self.DRAWN, [[MISS, HIT], [0, 0]])._repr_html_()
        self.assertIn("&lt;&amp;</text>", shown)
        self.assertIn("a &lt;b&gt; ? note", shown)
        self.assertEqual((shown.count("<line "), shown.count("fill-opacity")), (1, 1), "a cell that was shot at has no shade")
        self.assertIn(">3</text>", shown)

    def test_of_a_game_that_is_in_no_file_is_refused(self) -> None:
        game = Transcript.read(RECORDINGS / "guide.jsonl")
        with self.assertRaisesRegex(ValueError, "in no file"):
            Transcript(game.header, game.events).overlays()

    @unittest.skipUnless(os.environ.get("ARENA_PROGRAM"), "ARENA_PROGRAM does not name the program")
    def test_is_read_by_the_program_from_the_log(self) -> None:
        program = os.environ["ARENA_PROGRAM"]
        lines = ["turn 1: @mark a0 2", "turn 1: @mark z9 1", "turn 1: @text b0 x1", "turn 1: @line a0 j9", "turn 2: hello", "turn 3: @note hi"]
        with tempfile.TemporaryDirectory() as folder:
            for name in ("guide", "submarine"):
                path = Path(folder) / f"{name}.jsonl"
                shutil.copy(RECORDINGS / path.name, path)
                path.with_suffix(".seat1.log").write_text("\n".join(lines))
                game = Transcript.read(path)
                first, last = game.overlays(program=program)
                self.assertEqual((first.seat, first.turn, first.shades, first.texts), (1, 1, {(0, 0): 9}, {(0, 1): "x1"}))
                self.assertEqual(first.lines, [((0, 0), (9, 9))] if name == "guide" else [], "a line off the board is none")
                self.assertEqual((last.turn, last.note, last.shades), (3, "hi", {}))
                self.assertEqual(len(first.board), game.size[0])
            with self.assertRaisesRegex(RuntimeError, "missing"):
                game.overlays(logs=Path(folder) / "missing.seat1.log", program=program)


class Tables(unittest.TestCase):
    def test_use_pandas_and_numpy_where_they_are_installed(self) -> None:
        game = Transcript.read(RECORDINGS / "guide.jsonl")
        for module, make, value in [("pandas", frame, game.turns()), ("numpy", array, game.board(1))]:
            try:
                __import__(module)
            except ModuleNotFoundError:
                with self.assertRaises(ModuleNotFoundError):
                    make(value)
            else:
                self.assertEqual(len(make(value)), len(value))


class TheNotebook(unittest.TestCase):
    def test_runs_and_finds_wasted_shots_of_random_and_none_of_hunter(self) -> None:
        notebook = json.loads((PYTHON / "examples" / "wasted_shots.ipynb").read_text(encoding="utf-8"))
        names: dict[str, object] = {}
        printed = io.StringIO()
        before = Path.cwd()
        os.chdir(PYTHON / "examples")
        try:
            with contextlib.redirect_stdout(printed):
                for number, cell in enumerate(notebook["cells"]):
                    if cell["cell_type"] == "code":
                        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        finally:
            os.chdir(before)
        corners = {
            bot: sum(row["reason"] == "corner of a hit" for row in rows) for bot, rows in names["wasted"].items()
        }
        self.assertEqual(corners["hunter"], 0, "hunter never shoots at a corner of a hit")
        self.assertGreater(corners["random"], 20, printed.getvalue())
        self.assertTrue(all(not cell.get("outputs") for cell in notebook["cells"]), "the notebook is stored without outputs")


if __name__ == "__main__":
    unittest.main()
