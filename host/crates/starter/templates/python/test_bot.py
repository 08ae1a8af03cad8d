"""Tests of the bot on practice boards, natively: `python3 -m unittest`."""

import unittest

from arena import HIT, MISS, Coord
from bot import Bot
from practice import first_view, guide, is_legal_fleet, practise, shots


class TheBot(unittest.TestCase):
    def test_places_a_legal_fleet(self) -> None:
        for seed in range(50):
            game = guide(seed)
            self.assertTrue(is_legal_fleet(game, Bot().deploy(game)), seed)

    def test_shoots_beside_a_hit(self) -> None:
        game = guide(7)
        view = first_view(game, {Coord(0, 0): HIT, Coord(0, 1): MISS})
        self.assertEqual(Bot().play(game, view), Coord(1, 0))

    def test_is_better_than_shooting_anywhere(self) -> None:
        # A bot that shoots anywhere needs about 96 shots.
        self.assertLess(practise(50, 1), 90)

    def test_clears_the_same_boards_each_time_under_all_built_in_rules(self) -> None:
        for rules in ("guide", "classic", "pirates"):
            self.assertEqual(shots(5, 1, rules), shots(5, 1, rules, Bot), rules)


if __name__ == "__main__":
    unittest.main()
