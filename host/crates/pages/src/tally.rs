//! Sums over the results of a contest, for its pages.

use crate::{Contest, Game};
use arena_league::Format;
use arena_rules::{Outcome, Reason, Seat};
use std::collections::BTreeMap;

/// Two bots, the one with the lower index first.
pub(crate) type Pair = [usize; 2];

/// The sums over the results of a contest.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// The games of each pair of bots that have met, by index.
    pub pairs: BTreeMap<Pair, Vec<usize>>,
    /// The number of played games that ended for each reason, most first.
    pub endings: Vec<(Reason, usize)>,
    /// The number of games that were not played, because a bot was disqualified.
    pub unplayed: usize,
    /// The number of games without a result, because the arena failed.
    pub failed: usize,
    /// The played games by outcome.
    pub seats: SeatTally,
    /// For each bot, the turns that it took in each game that it won on the board, in ascending order.
    pub turns_to_win: Vec<Vec<u32>>,
    /// For each bot, its first and its last game that was played, by index; `None` when it has played none.
    pub played: Vec<Option<[usize; 2]>>,
}

/// Played games by outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SeatTally {
    pub wins: [usize; 2],
    pub draws: usize,
    pub no_contests: usize,
}

/// The points of a bot in games against an opponent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairScore {
    pub half_points: u64,
    /// The games that scored.
    pub games: u64,
}

impl PairScore {
    fn add(&mut self, game: &Game, bot: usize) {
        let seat = if game.seats[0] == bot { Seat::First } else { Seat::Second };
        if let Some(half_points) = game.half_points(seat) {
            self.half_points += u64::from(half_points);
            self.games += 1;
        }
    }
}

/// Two bots that met in a round, with the points of each.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub bots: [usize; 2],
    pub scores: [PairScore; 2],
}

impl Tally {
    /// The sums over a contest's games.
    pub fn of(contest: &Contest) -> Self {
        let mut tally = Self {
            pairs: BTreeMap::new(),
            endings: Vec::new(),
            unplayed: 0,
            failed: 0,
            seats: SeatTally::default(),
            turns_to_win: vec![Vec::new(); contest.bots.len()],
            played: vec![None; contest.bots.len()],
        };
        for (index, game) in contest.games.iter().enumerate() {
            tally.pairs.entry(pair_of(game.seats)).or_default().push(index);
            match (&game.result, game.is_played) {
                (None, _) => tally.failed += 1,
                (Some(_), false) => tally.unplayed += 1,
                (Some(result), true) => {
                    for bot in game.seats {
                        let [_, last] = tally.played[bot].get_or_insert([index; 2]);
                        *last = index;
                    }
                    count_ending(&mut tally.endings, *result.reason);
                    match result.outcome {
                        Outcome::Win(seat) => {
                            tally.seats.wins[seat.index()] += 1;
                            if result.is_won_on_board() {
                                let turns = result.turns[seat.index()];
                                tally.turns_to_win[game.seats[seat.index()]].push(turns);
                            }
                        }
                        Outcome::Draw => tally.seats.draws += 1,
                        Outcome::NoContest => tally.seats.no_contests += 1,
                    }
                }
            }
        }
        sort_endings(&mut tally.endings);
        tally.turns_to_win.iter_mut().for_each(|turns| turns.sort_unstable());
        tally
    }

    /// The games of two bots, in any order, by index.
    pub fn games_of(&self, bots: [usize; 2]) -> &[usize] {
        self.pairs.get(&pair_of(bots)).map_or(&[], Vec::as_slice)
    }

    /// The score of a bot against an opponent; `None` when they have not met.
    pub fn score(&self, contest: &Contest, bot: usize, opponent: usize) -> Option<PairScore> {
        let games = self.games_of([bot, opponent]);
        let mut score = PairScore::default();
        games.iter().for_each(|&index| score.add(&contest.games[index], bot));
        (!games.is_empty()).then_some(score)
    }
}

/// Counts a game that ended for this reason.
fn count_ending(endings: &mut Vec<(Reason, usize)>, reason: Reason) {
    match endings.iter_mut().find(|(counted, _)| *counted == reason) {
        Some((_, count)) => *count += 1,
        None => endings.push((reason, 1)),
    }
}

/// Puts reasons in the order of their counts, most first. Those with the same count stay in the order of their first game.
fn sort_endings(endings: &mut [(Reason, usize)]) {
    endings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
}

/// The rounds of a Swiss that have begun, with their pairings; empty for other formats.
pub(crate) fn rounds(contest: &Contest) -> Vec<Vec<Meeting>> {
    if !matches!(contest.format, Format::Swiss { .. }) {
        return Vec::new();
    }
    // Every round has the same number of games: byes are not played.
    let games_a_round = contest.bots.len() / 2 * contest.games_per_match as usize;
    let round = |games: &[Game]| {
        let mut meetings: Vec<Meeting> = Vec::new();
        for game in games {
            let bots = pair_of(game.seats);
            let at = meetings.iter().position(|meeting| meeting.bots == bots).unwrap_or_else(|| {
                meetings.push(Meeting { bots, scores: Default::default() });
                meetings.len() - 1
            });
            let Meeting { bots, scores } = &mut meetings[at];
            bots.iter().zip(scores).for_each(|(&bot, score)| score.add(game, bot));
        }
        meetings
    };
    contest.games.chunks(games_a_round.max(1)).map(round).collect()
}

/// The two bots of a game, regardless of their seats.
pub(crate) fn pair_of([first, second]: [usize; 2]) -> Pair {
    [first.min(second), first.max(second)]
}

/// The quantile of sorted values for a share; `None` without values.
pub(crate) fn quantile(sorted: &[u32], percent: usize) -> Option<u32> {
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[(last * percent + 50) / 100])
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::{BOTH_SKIPPED, FLEET_SUNK};

    #[test]
    fn each_game_counts_under_its_own_reason_and_the_most_frequent_one_is_first() {
        let mut endings = Vec::new();
        for reason in [BOTH_SKIPPED, Reason::Forfeit, FLEET_SUNK, FLEET_SUNK, Reason::Forfeit, FLEET_SUNK] {
            count_ending(&mut endings, reason);
        }
        sort_endings(&mut endings);
        assert_eq!(endings, [(FLEET_SUNK, 3), (Reason::Forfeit, 2), (BOTH_SKIPPED, 1)]);
    }

    #[test]
    fn reasons_of_equal_counts_stay_in_the_order_of_their_first_game() {
        let mut endings = vec![(Reason::Forfeit, 1), (FLEET_SUNK, 2), (BOTH_SKIPPED, 1)];
        sort_endings(&mut endings);
        assert_eq!(endings, [(FLEET_SUNK, 2), (Reason::Forfeit, 1), (BOTH_SKIPPED, 1)]);
    }

    #[test]
    fn a_quantile_is_the_nearest_value() {
        let of = |percent| quantile(&[1, 2, 3, 4, 5, 6], percent);
        assert_eq!([0, 9, 10, 50, 90, 91, 100].map(of), [1, 1, 2, 4, 6, 6, 6].map(Some));
        assert_eq!(quantile(&[], 50), None);
    }
}
