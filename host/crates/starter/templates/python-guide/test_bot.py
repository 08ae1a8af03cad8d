"""Tests of the bot on practice boards, natively: `python3 -m unittest`."""

import unittest

from bot import deploy, play
from practice import HEIGHT, WIDTH, is_legal_fleet, practise


class TheBot(unittest.TestCase):
    def test_places_a_legal_fleet(self) -> None:
        for _ in range(20):
            self.assertTrue(is_legal_fleet(deploy(WIDTH, HEIGHT)))

    def test_shoots_beside_a_success(self) -> None:
        board = [[0] * WIDTH for _ in range(HEIGHT)]
        attacks = [[0] * WIDTH for _ in range(HEIGHT)]
        attacks[0][0], attacks[0][1] = 2, 1
        self.assertEqual(play(board, attacks, (None, None), (0, 1), False), (1, 0))

    def test_is_better_than_shooting_anywhere(self) -> None:
        # A bot that shoots anywhere needs about 96 shots.
        self.assertLess(practise(50, 1), 90)


if __name__ == "__main__":
    unittest.main()
