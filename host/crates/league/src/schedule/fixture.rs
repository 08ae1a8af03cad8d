//! Fixtures: the games to be played, with the contestants by seat.

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixture {
    /// The contestants by seat, seat 1 first.
    pub seats: [usize; 2],
    /// The number of the pair of games between these two in the tournament, from 0. Both games of a pair have the same
    /// random seeds.
    pub pair: u32,
    /// The number of the game between these two in the tournament, from 1.
    pub game: u32,
}

impl Fixture {
    /// The two contestants in ascending order, regardless of their seats.
    pub fn contestants(&self) -> [usize; 2] {
        let [first, second] = self.seats;
        [first.min(second), first.max(second)]
    }
}

/// The games of a match between two contestants, in pairs with the seats swapped. If the number of games is odd, the
/// last one has no partner.
pub fn match_games(first: usize, second: usize, games: u32) -> impl Iterator<Item = Fixture> {
    match_games_after(0, first, second, games)
}

/// The games of a match between two contestants who have already played this number of pairs in the tournament.
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

/// The games of a round robin, a match for every two contestants; or of a gauntlet, a match for each of the first
/// `challengers` contestants against each of the others.
pub(super) fn one_round(
    contestants: usize,
    challengers: Option<usize>,
    games: u32,
) -> impl Iterator<Item = Fixture> {
    (0..challengers.unwrap_or(contestants))
        .flat_map(move |first| {
            (challengers.unwrap_or(first + 1)..contestants).map(move |second| (first, second))
        })
        .flat_map(move |(first, second)| match_games(first, second, games))
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
            for fixture in one_round(contestants, None, games) {
                prop_assert_ne!(fixture.seats[0], fixture.seats[1]);
                *met.entry(fixture.contestants()).or_insert(0) += 1;
            }
            prop_assert_eq!(met.len(), contestants * (contestants - 1) / 2);
            prop_assert!(met.values().all(|&played| played == games));
        }

        #[test]
        fn each_has_each_seat_equally_often_when_games_come_in_pairs(contestants in 2usize..12, pairs in 1u32..5) {
            let mut first_seats = vec![0; contestants];
            for fixture in one_round(contestants, None, 2 * pairs) {
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
