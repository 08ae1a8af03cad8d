"""Tests of the bot in practice games, natively: `python3 -m unittest`."""

import unittest

from arena import Attack, Attacked, Coord, EnemyShip, Game, OwnShip, Ship, View
from bot import Bot
from practice import practise

GAME = Game(actions_max=10_000, fuel_per_turn=300_000_000, seed=7)


class TheBot(unittest.TestCase):
    def test_attacks_again_where_it_hit(self) -> None:
        at = Coord(2, 2)
        own = (OwnShip(Ship.BATTLESHIP, 3, Coord(1, 1)),)
        enemy = (EnemyShip(Ship.CRUISER, 1),)
        view = View(turn=2, own=own, enemy=enemy, my_last=Attacked(at, Ship.CRUISER, ()), enemy_last=None)
        self.assertEqual(Bot().play(GAME, view), Attack(at))

    def test_wins_most_games_against_random_actions(self) -> None:
        self.assertGreater(practise(50, 1), 40)


if __name__ == "__main__":
    unittest.main()
