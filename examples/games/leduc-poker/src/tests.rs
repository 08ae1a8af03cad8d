use crate::games::leduc_poker::types::Action::{self, Call, Fold, Raise};
use crate::games::leduc_poker::types::Card::{self, Jack, King, Queen};
use crate::hand::{Bets, Hand};
use std::collections::BTreeMap;

/// The bets after these actions. Player 0 opens.
fn after(actions: &[Action]) -> Bets {
    let mut bets = Bets::new(0);
    for &action in actions {
        assert!(bets.bet(action).is_some(), "{action:?} after {bets:?}");
    }
    bets
}

#[test]
fn after_a_raise_a_raise_and_a_call_the_same_player_opens_the_next_round() {
    let bets = after(&[Raise, Raise]);
    assert_eq!((bets.player, bets.round, bets.chips), (0, 0, [3, 5]));
    let bets = after(&[Raise, Raise, Call]);
    assert_eq!((bets.player, bets.round, bets.chips), (0, 1, [5, 5]));
}

#[test]
fn a_check_does_not_end_a_round_and_the_second_one_does() {
    for checks in 0..=4 {
        let bets = after(&[Call; 4][..checks]);
        assert_eq!((bets.player, bets.round, bets.is_over()), (checks % 2, checks / 2, checks == 4));
    }
}

#[test]
fn a_player_that_owes_nothing_cannot_fold_and_a_third_raise_is_refused() {
    for (actions, legal) in [
        (&[][..], &[Call, Raise][..]),
        (&[Call], &[Call, Raise]),
        (&[Raise], &[Fold, Call, Raise]),
        (&[Call, Raise, Raise], &[Fold, Call]),
        (&[Raise, Raise, Call], &[Call, Raise]),
        (&[Raise, Fold], &[]),
    ] {
        let mut bets = after(actions);
        assert_eq!(bets.legal(), legal, "{actions:?}");
        let before = bets.clone();
        for action in [Fold, Call, Raise].into_iter().filter(|action| !legal.contains(action)) {
            assert_eq!((bets.bet(action), &bets), (None, &before));
        }
    }
}

#[test]
fn a_pair_wins_before_a_higher_card_and_equal_cards_share() {
    let bets = after(&[Raise, Raise, Call, Raise, Raise, Call]);
    let won = |cards: [Card; 2], table| [0, 1].map(|player| bets.won(player, cards, table));
    assert_eq!(won([Jack, King], Jack), [13, -13]);
    assert_eq!(won([Jack, Queen], King), [-13, 13]);
    assert_eq!(won([Queen, Queen], King), [0, 0]);
    // A fold costs what is in the pot, whatever the cards.
    assert_eq!(after(&[Raise, Raise, Fold]).won(0, [King, Jack], King), -3);
    assert_eq!(after(&[Call, Raise, Fold]).won(1, [King, Jack], King), 1);
}

#[test]
fn each_deal_of_the_deck_is_as_likely() {
    let mut deals = BTreeMap::new();
    for seed in 0..120 {
        let hand = Hand::new(0, seed);
        *deals.entry((hand.cards, hand.resampled(0, seed).cards[0] == hand.cards[0])).or_insert(0) += 1;
    }
    // Two different cards in 2 · 2 · 4 of 120 ways, and a pair in 2 · 4.
    let ways = |cards: [Card; 2]| if cards[0] == cards[1] { 8 } else { 16 };
    assert!(
        deals.len() == 9 && deals.iter().all(|(&(cards, is_kept), &count)| is_kept && count == ways(cards))
    );
}

#[test]
fn only_the_cards_that_a_player_cannot_see_are_dealt_again() {
    let mut hand = Hand::new(0, 7);
    assert_eq!(hand.table(), None);
    hand.bets = after(&[Call, Call]);
    let others: Vec<Hand> = (0..20).map(|seed| hand.resampled(1, seed)).collect();
    assert!(
        others
            .iter()
            .all(|it| it.cards[1] == hand.cards[1] && it.table() == hand.table() && it.bets == hand.bets)
    );
    assert!(others.iter().any(|it| it.cards[0] != hand.cards[0]));
}
