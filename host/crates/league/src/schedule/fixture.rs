//! Games to be played: who plays whom, and from which seat.

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixture {
    /// The contestants by seat: the first one's seat is seat 1.
    pub seats: [usize; 2],
    /// The number of the pair of games of these two in the tournament, from 0. Both games of a pair have the same
    /// seeds.
    pub pair: u32,
    /// The number of the game of these two in the tournament, from 1.
    pub game: u32,
}

impl Fixture {
    /// The two contestants in the order in which they are named, whatever their seats.
    pub fn contestants(&self) -> [usize; 2] {
        let [first, second] = self.seats;
        [first.min(second), first.max(second)]
    }
}

/// The games of a match between two contestants, in pairs with the seats swapped. An odd number leaves the last game
/// without its partner.
pub fn match_games(first: usize, second: usize, games: u32) -> impl Iterator<Item = Fixture> {
    match_games_after(0, first, second, games)
}

/// The games of a match between two who have played so many pairs of games in this tournament.
pub(super) fn match_games_after(
    pairs_before: u32,
    first: usize,
    second: usize,
    games: u32,
) -> impl Iterator<Item = Fixture> {
    (2 * pairs_before..2 * pairs_before + games).map(move |index| Fixture {
        seats: if index % 2 == 0 { [first, second] } else { [second, first] },
        pair: index / 2,
        game: index + 1,
    })
}

/// Every contestant against every other: a match for each two, in the order in which they are named.
pub fn round_robin(contestants: usize, games: u32) -> impl Iterator<Item = Fixture> {
    (0..contestants)
        .flat_map(move |first| (first + 1..contestants).map(move |second| (first, second)))
        .flat_map(move |(first, second)| match_games(first, second, games))
}

/// Every seed against everyone who is none: the seeds are the contestants named first, so many of them.
pub(super) fn gauntlet(seeds: usize, contestants: usize, games: u32) -> impl Iterator<Item = Fixture> {
    (0..seeds)
        .flat_map(move |seed| (seeds..contestants).map(move |other| (seed, other)))
        .flat_map(move |(seed, other)| match_games(seed, other, games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn everyone_meets_everyone_equally_often(contestants in 2usize..12, games in 1u32..9) {
            let mut met = HashMap::new();
            for fixture in round_robin(contestants, games) {
                prop_assert_ne!(fixture.seats[0], fixture.seats[1]);
                *met.entry(fixture.contestants()).or_insert(0) += 1;
            }
            prop_assert_eq!(met.len(), contestants * (contestants - 1) / 2);
            prop_assert!(met.values().all(|&played| played == games));
        }

        #[test]
        fn each_has_each_seat_equally_often_when_games_come_in_pairs(contestants in 2usize..12, pairs in 1u32..5) {
            let mut first_seats = vec![0; contestants];
            for fixture in round_robin(contestants, 2 * pairs) {
                first_seats[fixture.seats[0]] += 1;
            }
            prop_assert!(first_seats.iter().all(|&games| games == pairs * (contestants as u32 - 1)));
        }
    }

    #[test]
    fn a_pair_of_games_swaps_the_seats() {
        let games: Vec<_> = match_games(0, 1, 3).collect();
        assert_eq!(games[0], Fixture { seats: [0, 1], pair: 0, game: 1 });
        assert_eq!(games[1], Fixture { seats: [1, 0], pair: 0, game: 2 });
        assert_eq!(games[2], Fixture { seats: [0, 1], pair: 1, game: 3 });
    }
}
