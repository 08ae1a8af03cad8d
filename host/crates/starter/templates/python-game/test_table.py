"""The tests of the rules, without WebAssembly: `python3 -m unittest`."""

import unittest

from table import Table

JACK, QUEEN, KING = range(3)


def played(cards: list, *bets: bool) -> Table:
    """A table of one hand, with these cards and what the players do in turn."""
    table = Table(hands=1, seed=0, starter=0)
    table.deals = [cards]
    for is_bet in bets:
        table.act(is_bet)
    return table


class Hands(unittest.TestCase):
    def test_the_higher_card_wins_one_chip_without_a_bet_and_two_with_a_call(self):
        self.assertEqual(played([QUEEN, KING], False, False).chips, -1)
        self.assertEqual(played([QUEEN, JACK], True, True).chips, 2)
        self.assertEqual(played([JACK, KING], False, True, True).chips, -2)

    def test_a_fold_loses_one_chip_with_any_card_and_shows_none(self):
        self.assertEqual(played([JACK, KING], True, False).chips, 1)
        self.assertEqual(played([KING, JACK], False, True, False).chips, -1)
        self.assertEqual(played([JACK, KING], True).act(False), (0, None))

    def test_a_hand_goes_on_until_a_bet_is_answered(self):
        self.assertEqual([played([JACK, QUEEN], *bets).player() for bets in [(), (True,), (False,), (False, True)]], [0, 1, 1, 0])
        self.assertIsNone(played([JACK, QUEEN], True, True).player())

    def test_the_players_begin_hands_in_turn(self):
        table = Table(hands=2, seed=0, starter=1)
        self.assertEqual(table.player(), 1)
        table.act(False)
        table.act(False)
        self.assertEqual(table.player(), 0)


class Chance(unittest.TestCase):
    def test_the_seed_decides_the_cards(self):
        self.assertEqual(Table(20, 1, 0).deals, Table(20, 1, 0).deals)
        self.assertNotEqual(Table(20, 1, 0).deals, Table(20, 2, 0).deals)

    def test_what_is_hidden_is_dealt_again_and_nothing_else(self):
        table = played([QUEEN, KING], True)
        for viewer in (0, 1):
            deals = [table.redealt(viewer, seed).deals[0] for seed in range(50)]
            self.assertEqual({deal[viewer] for deal in deals}, {table.deals[0][viewer]})
            self.assertEqual({deal[1 - viewer] for deal in deals}, set(range(3)) - {table.deals[0][viewer]})
        self.assertEqual(table.redealt(0, 1).bets, [True])


if __name__ == "__main__":
    unittest.main()
