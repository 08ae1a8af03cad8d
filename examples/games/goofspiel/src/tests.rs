use crate::auction::{Auction, Sale};
use crate::simultaneous::Both;

/// An auction of three prizes in this order, after these bids in turn. Player 1 bids first.
fn after(prizes: &[u8], bids: &[u8]) -> Auction {
    let mut auction = Auction { prizes: prizes.to_vec(), ..Auction::new(3, 1, 7) };
    for &bid in bids {
        assert!(auction.bid(bid), "{bid}");
    }
    auction
}

#[test]
fn the_higher_bid_wins_the_prize_and_equal_bids_win_nothing() {
    let auction = after(&[3, 2, 1], &[3, 1, 1, 2, 2, 3]);
    assert!(auction.is_over());
    assert_eq!((auction.points(0), auction.points(1), auction.winner()), (3, 3, None));
    let auction = after(&[3, 2, 1], &[3, 2, 1, 1, 2, 3]);
    assert_eq!((auction.points(0), auction.points(1), auction.winner()), (1, 3, Some(1)));
}

#[test]
fn a_bid_is_revealed_with_the_second_one_and_its_card_is_gone_then() {
    let mut auction = after(&[3, 2, 1], &[2]);
    assert_eq!((auction.player(), auction.bids.own(1), auction.bids.own(0)), (0, Some(&2), None));
    assert!(auction.sales.is_empty() && auction.hands[1] == [1, 2, 3]);
    assert!(auction.bid(1));
    assert_eq!(auction.sales, [Sale { prize: 3, bids: [1, 2] }]);
    assert_eq!((auction.hands, auction.prizes), ([vec![2, 3], vec![1, 3]], vec![2, 1]));
}

#[test]
fn a_card_that_the_player_has_not_got_changes_nothing() {
    let mut auction = after(&[3, 2, 1], &[3, 2]);
    let before = auction.clone();
    assert!(!auction.bid(3) && !auction.bid(0) && !auction.bid(4));
    assert!(auction == before);
}

#[test]
fn only_what_a_player_cannot_see_is_drawn_again() {
    let auction = after(&[3, 2, 1], &[2]);
    let (mut bids, mut orders) = (Vec::new(), Vec::new());
    for seed in 0..200 {
        let other = auction.resampled(0, seed);
        bids.extend(other.bids.own(1).copied());
        orders.push(other.prizes.clone());
        assert!(other.hands == auction.hands && other.sales == auction.sales && other.player() == 0);
        assert_eq!(auction.resampled(1, seed).bids.own(1), Some(&2));
    }
    bids.sort_unstable();
    bids.dedup();
    orders.sort_unstable();
    orders.dedup();
    assert_eq!((bids, orders), (vec![1, 2, 3], vec![vec![3, 1, 2], vec![3, 2, 1]]));
}

#[test]
fn prizes_come_in_an_order_from_the_seed() {
    let prizes = |seed| Auction::new(13, 0, seed).prizes;
    assert!(prizes(1) == prizes(1) && prizes(1) != prizes(2));
    let mut sorted = prizes(u64::MAX);
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(1..=13));
}

#[test]
fn choices_are_revealed_in_the_order_of_the_players() {
    for first in [0, 1] {
        let mut both = Both::new(first);
        assert!(both.choose("first").is_none() && both.player() == 1 - first);
        let revealed = both.choose("second").expect("both have chosen");
        assert_eq!((revealed[first], revealed[1 - first], both.player()), ("first", "second", first));
    }
}
