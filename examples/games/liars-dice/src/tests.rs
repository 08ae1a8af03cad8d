use crate::round::Round;

/// A round with these dice, in which player 0 begins.
fn round(first: &[u8], second: &[u8]) -> Round {
    Round { dice: [first.to_vec(), second.to_vec()], bids: Vec::new(), player: 0, winner: None }
}

#[test]
fn a_bid_has_to_be_higher_and_possible() {
    let mut round = round(&[1, 2], &[2, 3]);
    assert!(round.raise((2, 3)) && round.raise((2, 4)) && round.raise((3, 1)));
    for claim in [(3, 1), (2, 6), (5, 1), (3, 7), (4, 0)] {
        assert!(!round.raise(claim), "{claim:?}");
    }
}

#[test]
fn a_challenge_is_won_by_the_player_who_is_right() {
    for (claim, winner) in [((2, 2), 0), ((3, 2), 1)] {
        let mut round = round(&[1, 2], &[2, 3]);
        assert_eq!(round.challenge(), None);
        assert!(round.raise(claim));
        assert_eq!((round.challenge(), round.winner), (Some(2), Some(winner)));
    }
}

#[test]
fn only_the_dice_of_the_opponent_are_rolled_again() {
    let round = Round::new(6, 0, 7);
    assert_eq!(round, Round::new(6, 0, 7));
    let other = round.rolled_again(1, 8);
    assert_eq!(other.dice[1], round.dice[1]);
    assert_ne!(other.dice[0], round.dice[0]);
}
