//! Fixtures: the games to be played, with the contestants by seat.

use super::Format;
use std::sync::Arc;

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
    (2 * pairs_before..2 * pairs_before + games).map(move |index| game_of_match(first, second, index))
}

/// The game of a match with this number, from 0.
fn game_of_match(first: usize, second: usize, index: u32) -> Fixture {
    Fixture {
        seats: if index.is_multiple_of(2) { [first, second] } else { [second, first] },
        pair: index / 2,
        game: index + 1,
    }
}

/// The games of a round, in their order. Those of a format whose games are all in one round are worked out when they are asked for, so that
/// ten million of them need no memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixtures(List);

#[derive(Clone, Debug, PartialEq, Eq)]
enum List {
    Each(Arc<[Fixture]>),
    /// A match of this number of games for each of the meetings.
    OneRound {
        meetings: Arc<[[usize; 2]]>,
        games: u32,
    },
}

impl Fixtures {
    /// The games of a format whose games are all in one round, with a match for each of its meetings.
    ///
    /// They are ordered so that the table is fair at any moment: first one pair of games of each match, then the second pair of each, and so
    /// on; and within these in turns in which each contestant meets one opponent, as far as the numbers allow.
    pub(super) fn of_one_round(format: Format, contestants: usize, games: u32) -> Self {
        let meetings = match format {
            Format::Gauntlet { challengers } => challengers_with_others(challengers as usize, contestants),
            Format::Neighbours { neighbours } => neighbours_with_each_other(neighbours as usize, contestants),
            Format::RoundRobin | Format::Swiss { .. } | Format::Knockout => {
                everyone_with_everyone(contestants)
            }
        };
        Self(List::OneRound { meetings: meetings.into(), games })
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        match &self.0 {
            List::Each(fixtures) => fixtures.len(),
            List::OneRound { meetings, games } => meetings.len() * *games as usize,
        }
    }

    /// True if there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game at this place, from 0; `None` after the last one.
    pub fn get(&self, place: usize) -> Option<Fixture> {
        let (meetings, games) = match &self.0 {
            List::Each(fixtures) => return fixtures.get(place).copied(),
            List::OneRound { meetings, games } => (meetings, *games),
        };
        if place >= self.len() {
            return None;
        }
        // A pair of games of each match takes this number of places; the last game of an odd number takes one for each match.
        let of_pair = 2 * meetings.len();
        let (pair, rest) = ((place / of_pair) as u32, place % of_pair);
        let (meeting, swapped) = if 2 * pair + 2 <= games { (rest / 2, rest % 2) } else { (rest, 0) };
        let [first, second] = meetings[meeting];
        Some(game_of_match(first, second, 2 * pair + swapped as u32))
    }

    /// The games, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Fixture> {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

impl FromIterator<Fixture> for Fixtures {
    fn from_iter<I: IntoIterator<Item = Fixture>>(fixtures: I) -> Self {
        Self(List::Each(fixtures.into_iter().collect()))
    }
}

/// The meetings of a round robin, by the circle method: the first contestant keeps its place and the others move on by one after
/// each turn, as in the Berger tables of the FIDE Handbook, C.05, annex 1. With an odd number, one rests in each turn. The first two
/// meet first.
fn everyone_with_everyone(contestants: usize) -> Vec<[usize; 2]> {
    let places = contestants.next_multiple_of(2);
    let turns = places.saturating_sub(1);
    (0..turns)
        .flat_map(|turn| {
            (0..places / 2).map(move |place| match place {
                0 => [0, 1 + turn],
                _ => [1 + (turn + place) % turns, 1 + (turn + turns - place) % turns],
            })
        })
        .map(|[one, other]| [one.min(other), one.max(other)])
        .filter(|[_, second]| *second < contestants)
        .collect()
}

/// The meetings of a gauntlet: in each turn every challenger meets another one of the others.
fn challengers_with_others(challengers: usize, contestants: usize) -> Vec<[usize; 2]> {
    let others = contestants - challengers;
    (0..others)
        .flat_map(|turn| {
            (0..challengers).map(move |challenger| [challenger, challengers + (challenger + turn) % others])
        })
        .collect()
}

/// The meetings of contestants with those at most this number of places away, the nearest first.
fn neighbours_with_each_other(neighbours: usize, contestants: usize) -> Vec<[usize; 2]> {
    let at = |distance: usize| {
        let (first, second): (Vec<usize>, Vec<usize>) =
            (0..contestants.saturating_sub(distance)).partition(|place| (place / distance).is_multiple_of(2));
        first.into_iter().chain(second).map(move |place| [place, place + distance])
    };
    (1..=neighbours.min(contestants.saturating_sub(1))).flat_map(at).collect()
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
            for fixture in Fixtures::of_one_round(Format::RoundRobin, contestants, games).iter() {
                prop_assert_ne!(fixture.seats[0], fixture.seats[1]);
                *met.entry(fixture.contestants()).or_insert(0) += 1;
            }
            prop_assert_eq!(met.len(), contestants * (contestants - 1) / 2);
            prop_assert!(met.values().all(|&played| played == games));
        }

        #[test]
        fn each_has_each_seat_equally_often_when_games_come_in_pairs(contestants in 2usize..12, pairs in 1u32..5) {
            let mut first_seats = vec![0; contestants];
            for fixture in Fixtures::of_one_round(Format::RoundRobin, contestants, 2 * pairs).iter() {
                first_seats[fixture.seats[0]] += 1;
            }
            prop_assert!(first_seats.iter().all(|&games| games == pairs * (contestants as u32 - 1)));
        }
    }

    #[test]
    fn each_match_has_its_games_in_pairs_and_an_odd_last_one() {
        let of_match = |games| {
            let fixtures = Fixtures::of_one_round(Format::RoundRobin, 3, games);
            assert_eq!(fixtures.get(fixtures.len()), None);
            fixtures.iter().filter(|it| it.contestants() == [0, 2]).collect::<Vec<_>>()
        };
        for games in 1..6 {
            assert_eq!(of_match(games), match_games(0, 2, games).collect::<Vec<_>>());
        }
        let last: Vec<_> = Fixtures::of_one_round(Format::RoundRobin, 3, 3).iter().skip(6).collect();
        assert!(last.iter().all(|it| it.game == 3) && last.len() == 3, "{last:?}");
    }

    /// Checks that at every moment no two matches differ by more than one pair of games.
    fn check_fair(format: Format, contestants: usize, pairs: u32) {
        let mut pairs_begun: HashMap<[usize; 2], u32> = Fixtures::of_one_round(format, contestants, 2)
            .iter()
            .map(|fixture| (fixture.contestants(), 0))
            .collect();
        for fixture in Fixtures::of_one_round(format, contestants, 2 * pairs).iter() {
            pairs_begun.insert(fixture.contestants(), fixture.pair + 1);
            let (fewest, most) = (pairs_begun.values().min(), pairs_begun.values().max());
            assert!(most.unwrap() - fewest.unwrap() <= 1, "{fixture:?}");
        }
    }

    #[test]
    fn matches_go_on_at_the_same_time_pair_by_pair() {
        check_fair(Format::RoundRobin, 6, 4);
        check_fair(Format::Gauntlet { challengers: 3 }, 7, 4);
        check_fair(Format::Neighbours { neighbours: 2 }, 7, 4);
    }

    proptest! {
        #[test]
        fn within_a_turn_each_contestant_plays_once(contestants in 2usize..20) {
            let meetings = everyone_with_everyone(contestants);
            prop_assert_eq!(meetings.len(), contestants * (contestants - 1) / 2);
            for turn in meetings.chunks(contestants / 2) {
                let mut players: Vec<_> = turn.iter().flatten().collect();
                players.sort_unstable();
                players.dedup();
                prop_assert_eq!(players.len(), 2 * turn.len());
            }
        }

        #[test]
        fn a_gauntlet_is_every_challenger_against_each_of_the_others(challengers in 1usize..6, others in 1usize..6) {
            let mut meetings = challengers_with_others(challengers, challengers + others);
            meetings.sort_unstable();
            let all = (0..challengers).flat_map(|one| (0..others).map(move |other| [one, challengers + other]));
            prop_assert_eq!(meetings, all.collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn each_meets_its_neighbours_and_nobody_else_and_plays_once_in_a_turn(
            contestants in 2_usize..20,
            neighbours in 1_usize..25,
        ) {
            let meetings = neighbours_with_each_other(neighbours, contestants);
            let near = |one: usize, other: usize| other - one <= neighbours;
            let all = (0..contestants).flat_map(|one| (one + 1..contestants).map(move |other| [one, other]));
            let expected: Vec<_> = all.filter(|&[one, other]| near(one, other)).collect();
            let mut sorted = meetings.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, expected);
            for distance in 1..=neighbours.min(contestants - 1) {
                let at: Vec<_> = meetings.iter().filter(|[one, other]| other - one == distance).collect();
                let first = at.iter().take_while(|[one, _]| (one / distance) % 2 == 0).count();
                for turn in [&at[..first], &at[first..]] {
                    let mut players: Vec<_> = turn.iter().flat_map(|meeting| **meeting).collect();
                    players.sort_unstable();
                    players.dedup();
                    prop_assert_eq!(players.len(), 2 * turn.len());
                }
            }
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
