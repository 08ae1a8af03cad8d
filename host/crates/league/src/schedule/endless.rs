//! What is played next in a contest without end, whose field changes while it is played.

use super::Format;

/// The limits of a contest without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndlessLimits {
    /// The games that a new contestant plays against each other one before anything else is played.
    pub first_games: u32,
    /// The most games of two contestants.
    pub games_max: u32,
    /// The most games of a stage, unless one pair of games of each match is more.
    pub stage_games: u32,
}

/// A stage that is played next. All contestants are in its field, so that none of them has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStage {
    /// The format: a gauntlet of one challenger, or a round robin.
    pub format: Format,
    /// The contestants in their order, the challenger first.
    pub field: Vec<usize>,
    /// The number of games of each match after it, with those that were played before. It is even.
    pub games_per_match: u32,
}

/// The stage that is played next between this number of contestants, by the number of games that each two have played; `None` when
/// all is played.
///
/// First, each contestant plays some games with each other one: of those that have not, the one that has played fewest is the
/// challenger of a gauntlet. So several new ones take turns, and each has its first games soon. Then each two play one more pair of
/// games, until they have played the most that the limits allow. A stage has few games, so that a new contestant does not wait long.
///
/// ```
/// use arena_league::{EndlessLimits, Format, next_stage};
///
/// let limits = EndlessLimits { first_games: 20, games_max: 100, stage_games: 400 };
/// // The first two have met, and the third is new.
/// let met = |one: usize, other: usize| if one + other == 1 { 20 } else { 0 };
/// let stage = next_stage(3, met, &limits).expect("there is something to play");
/// assert_eq!(stage.format, Format::Gauntlet { challengers: 1 });
/// assert_eq!((stage.field, stage.games_per_match), (vec![2, 0, 1], 20));
/// ```
pub fn next_stage(
    contestants: usize,
    met: impl Fn(usize, usize) -> u32,
    limits: &EndlessLimits,
) -> Option<NextStage> {
    if contestants < 2 {
        return None;
    }
    let all = || 0..contestants;
    let others = |of: usize| all().filter(move |&other| other != of);
    let games_max = even(limits.games_max);
    let first_games = even(limits.first_games).min(games_max);
    // The games of a match after a stage, if the match of the fewest games has `low`, and the stage has this number of matches.
    let games = |low: u32, matches: usize, most: u32| {
        let matches = u32::try_from(matches).unwrap_or(u32::MAX);
        let more = even(limits.stage_games / matches).max(2);
        even(low).saturating_add(more).min(most)
    };
    let counted = |of: usize| others(of).map(|other| u64::from(met(of, other).min(first_games))).sum::<u64>();
    let is_new = |&of: &usize| others(of).any(|other| met(of, other) < first_games);
    if let Some(challenger) = all().filter(is_new).min_by_key(|&of| counted(of)) {
        let low = others(challenger).map(|other| met(challenger, other)).min()?;
        return Some(NextStage {
            format: Format::Gauntlet { challengers: 1 },
            field: std::iter::once(challenger).chain(others(challenger)).collect(),
            games_per_match: games(low, contestants - 1, first_games),
        });
    }
    let pairs = all().flat_map(|one| (one + 1..contestants).map(move |other| (one, other)));
    let low = pairs.map(|(one, other)| met(one, other)).min()?;
    (low < games_max).then(|| NextStage {
        format: Format::RoundRobin,
        field: all().collect(),
        games_per_match: games(low, contestants * (contestants - 1) / 2, games_max),
    })
}

/// The largest even number that is not larger.
const fn even(number: u32) -> u32 {
    number - number % 2
}
