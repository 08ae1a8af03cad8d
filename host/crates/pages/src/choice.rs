//! The choice of the games that get a replay: the most interesting ones.

use crate::Contest;
use arena_engine::Rating;
use arena_league::Format;
use arena_rules::Outcome;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// The games that get a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replays {
    /// All games that were played.
    All,
    /// No game.
    None,
    /// At most this number: the most interesting ones.
    Most(usize),
}

/// The reason why a game is interesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Interest {
    LastRound,
    Upset,
    Fault,
    Shortest,
    Longest,
}

impl Interest {
    /// A few words, for a table.
    pub const fn text(self) -> &'static str {
        match self {
            Self::LastRound => "last round",
            Self::Upset => "upset",
            Self::Fault => "fault",
            Self::Shortest => "short",
            Self::Longest => "long",
        }
    }

    /// The heading of a list of such games.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::LastRound => "The last round",
            Self::Upset => "Upsets",
            Self::Fault => "Faults",
            Self::Shortest => "The shortest wins",
            Self::Longest => "The longest games",
        }
    }
}

/// The games that have a replay.
#[derive(Clone, Debug)]
pub(crate) struct ReplayChoice {
    pub replays: Replays,
    /// True if every played game has a replay.
    pub is_all: bool,
    /// The chosen games, by index, with their interests; empty if all or none are chosen.
    chosen: BTreeMap<usize, Vec<Interest>>,
    /// The games with a replay by interest, best first.
    pub lists: Vec<(Interest, Vec<usize>)>,
    /// The games that the front page shows, chosen before all others.
    pub highlights: Highlights,
    /// The ratings of the bots, by index, in Elo.
    elo: Vec<Option<f64>>,
}

/// The games that the front page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Highlights {
    /// The win of the bot with the lowest expected score, by index, with that score, 0 to 1.
    pub upset: Option<(usize, f64)>,
    /// The game with the most turns.
    pub longest: Option<usize>,
    /// True if they are of the last seven days of the games that have times; otherwise of all games.
    pub is_of_week: bool,
}

/// The length of a week, in seconds.
const WEEK_SECONDS: i64 = 7 * 24 * 60 * 60;

impl Highlights {
    /// The highlights among these lists of a contest's games.
    fn of(contest: &Contest, lists: &[(Interest, Vec<usize>)], elo: &[Option<f64>]) -> Self {
        let latest = contest.games.iter().filter_map(|game| game.at).max();
        let is_recent = |&&index: &&usize| match latest {
            Some(latest) => contest.games[index].at.is_some_and(|at| at > latest - WEEK_SECONDS),
            None => true,
        };
        let first = |interest: Interest| {
            let (_, games) = lists.iter().find(|(of, _)| *of == interest)?;
            games.iter().find(is_recent).copied()
        };
        let expected = |index: usize| {
            let game = &contest.games[index];
            let winner = game.winner()?;
            let loser = game.seats.into_iter().find(|&bot| bot != winner)?;
            Some((index, arena_league::score_of_elo(elo[winner]? - elo[loser]?)))
        };
        Self {
            upset: first(Interest::Upset).and_then(expected),
            longest: first(Interest::Longest),
            is_of_week: latest.is_some(),
        }
    }

    /// The games, each with its interest.
    fn games(&self) -> impl Iterator<Item = (Interest, usize)> {
        let upset = self.upset.map(|(index, _)| (Interest::Upset, index));
        upset.into_iter().chain(self.longest.map(|index| (Interest::Longest, index)))
    }
}

impl ReplayChoice {
    /// The choice among a contest's games.
    pub fn of(contest: &Contest, replays: Replays) -> Self {
        let played = contest.games.iter().filter(|game| game.played().is_some()).count();
        let is_all = match replays {
            Replays::All => true,
            Replays::None => false,
            Replays::Most(most) => played <= most,
        };
        let elo = ratings(contest);
        let mut lists = lists(contest, &elo);
        let highlights = Highlights::of(contest, &lists, &elo);
        let chosen = match replays {
            Replays::Most(most) if !is_all => in_turn(highlights.games(), &lists, most),
            _ => BTreeMap::new(),
        };
        for (_, games) in &mut lists {
            games.retain(|index| is_all || chosen.contains_key(index));
            games.shrink_to_fit();
        }
        Self { replays, is_all, chosen, lists, highlights, elo }
    }

    /// True if a game has a replay, by its index.
    pub fn has(&self, contest: &Contest, index: usize) -> bool {
        contest.games[index].played().is_some() && (self.is_all || self.chosen.contains_key(&index))
    }

    /// True if the winner of a game has the lower rating.
    pub fn is_upset(&self, contest: &Contest, index: usize) -> bool {
        let game = &contest.games[index];
        let [winner, loser] = [game.winner(), game.winner().map(|bot| game.seats[0] + game.seats[1] - bot)]
            .map(|bot| self.elo[bot?]);
        winner.zip(loser).is_some_and(|(winner, loser)| winner < loser)
    }

    /// The interests for which a game was chosen.
    pub fn interests(&self, index: usize) -> &[Interest] {
        self.chosen.get(&index).map_or(&[], Vec::as_slice)
    }
}

/// The ratings of the bots, by index, in Elo.
fn ratings(contest: &Contest) -> Vec<Option<f64>> {
    let mut elo = vec![None; contest.bots.len()];
    for standing in &contest.standings {
        elo[standing.score.contestant] = standing.rating.as_ref().and_then(Rating::about);
    }
    elo
}

/// The games by interest, best first; each list has the games with that interest.
fn lists(contest: &Contest, elo: &[Option<f64>]) -> Vec<(Interest, Vec<usize>)> {
    let played = || {
        let games = contest.games.iter().enumerate();
        games.filter_map(|(index, game)| Some((index, game, game.played()?)))
    };
    let last_round = match contest.format {
        Format::Swiss { .. } | Format::Knockout => {
            let mut games: Vec<usize> = played().map(|(index, ..)| index).collect();
            games.reverse();
            games
        }
        Format::RoundRobin | Format::Gauntlet { .. } | Format::Neighbours { .. } => Vec::new(),
    };
    let upsets = played().filter_map(|(index, game, result)| {
        let Outcome::Win(seat) = result.outcome else { return None };
        let [winner, loser] = [seat, seat.other()].map(|seat| elo[game.seats[seat.index()]]);
        let difference = loser? - winner?;
        // A fault is a interest of its own.
        (difference > 0.0 && result.faults().is_empty()).then_some((index, difference))
    });
    let mut upsets: Vec<_> = upsets.collect();
    upsets.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut seen = HashSet::new();
    let mut faults: Vec<_> = played()
        .filter(|(.., result)| !result.faults().is_empty())
        .map(|(index, game, result)| {
            // The first fault of each class of each bot comes before similar ones.
            let kinds = result.faults().keys().map(|&(seat, class)| (game.seats[seat.index()], class));
            let is_new = kinds.fold(false, |is_new, kind| seen.insert(kind) | is_new);
            (!is_new, index)
        })
        .collect();
    faults.sort_unstable();
    let turns =
        |&index: &usize| contest.games[index].played().and_then(|result| result.turns.into_iter().max());
    let won = played().filter(|(.., result)| result.is_won_on_board());
    let mut shortest: Vec<usize> = won.map(|(index, ..)| index).collect();
    shortest.sort_by_cached_key(turns);
    let mut longest: Vec<usize> = played().map(|(index, ..)| index).collect();
    longest.sort_by_cached_key(|index| Reverse(turns(index)));
    let lists = [
        (Interest::LastRound, last_round),
        (Interest::Upset, upsets.into_iter().map(|(index, _)| index).collect()),
        (Interest::Fault, faults.into_iter().map(|(_, index)| index).collect()),
        (Interest::Shortest, shortest),
        (Interest::Longest, longest),
    ];
    lists.into_iter().filter(|(_, games)| !games.is_empty()).collect()
}

/// Takes these first games, then the next game of each list in turn, until there are as many as asked for or all are taken.
fn in_turn(
    first: impl Iterator<Item = (Interest, usize)>,
    lists: &[(Interest, Vec<usize>)],
    most: usize,
) -> BTreeMap<usize, Vec<Interest>> {
    let mut chosen: BTreeMap<usize, Vec<Interest>> = BTreeMap::new();
    for (interest, index) in first.take(most) {
        chosen.entry(index).or_default().push(interest);
    }
    let mut rest: Vec<_> = lists.iter().map(|(interest, games)| (*interest, games.iter())).collect();
    loop {
        let before = chosen.len();
        for (interest, games) in &mut rest {
            if chosen.len() >= most {
                return chosen;
            }
            // A game that another list has given is skipped, with this interest added.
            for &index in games.by_ref() {
                let interests = chosen.entry(index).or_default();
                let is_new = interests.is_empty();
                if !interests.contains(interest) {
                    interests.push(*interest);
                }
                if is_new {
                    break;
                }
            }
        }
        if chosen.len() == before {
            return chosen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_many_games_are_chosen_as_asked_for_and_there_are(
            lists in prop::collection::vec(prop::collection::vec(0usize..40, 0..30), 1..5),
            most in 0usize..50,
        ) {
            let interests = [Interest::Upset, Interest::Fault, Interest::Shortest, Interest::Longest];
            let all: HashSet<usize> = lists.iter().flatten().copied().collect();
            let lists: Vec<_> = interests.into_iter().zip(lists).collect();
            let first = lists.iter().find_map(|(interest, games)| Some((*interest, *games.first()?)));
            let chosen = in_turn(first.into_iter(), &lists, most);
            prop_assert_eq!(chosen.len(), most.min(all.len()));
            prop_assert!(most == 0 || first.is_none_or(|(_, index)| chosen.contains_key(&index)));
            prop_assert!(chosen.values().all(|interests| !interests.is_empty()));
        }
    }
}
