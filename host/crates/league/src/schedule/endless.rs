//! What is played next in a contest without end, whose field changes while it is played.

use super::Format;

/// The work of a match, in times that of the cheapest one, up to which first games are played in the same stage. Chosen: bots in a
/// compiled language differ by less.
const WORKS_TOGETHER: u64 = 10;

/// The limits of a contest without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndlessLimits {
    /// The games of each two contestants that a new one plays first.
    pub games_min: u32,
    /// The most games of two contestants, besides those of full rounds.
    pub games_max: u32,
    /// The most games of a stage, unless one pair of games of each match is more.
    pub stage_games: u32,
    /// The largest distance, in places by rating, of contestants that play on after their first games. At least one.
    pub neighbours: u32,
}

/// A contestant of a contest without end, by the games so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The strength, which puts contestants in order; `None` for one without games, which comes last.
    pub strength: Option<f64>,
    /// The lower end of the rating's interval; `None` when it has none.
    pub low: Option<f64>,
    /// The upper end of the rating's interval; `None` when it has none.
    pub high: Option<f64>,
    /// The share of the machine that it has had, of [`Shares::of`](super::Shares::of).
    pub share: u64,
    /// The work of one of its games; 0 when it is not known.
    pub work: u64,
}

/// A stage that is played next. All contestants are in its field, so that none of them has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStage {
    /// The format: a gauntlet of one challenger, neighbours, or a round robin for a full round.
    pub format: Format,
    /// The contestants in their order: the challenger first, or the strongest. The last ones rest.
    pub field: Vec<usize>,
    /// The number of contestants at the end of the field that rest: they are not part of the schedule.
    pub resting: usize,
    /// The number of games of each match after it, with those that were played before. It is even. In a full round, it is 2: one
    /// more pair of games for each match.
    pub games_per_match: u32,
    /// The number of these games that all of its matches have, so that its schedule begins after them. It is even.
    pub games_before: u32,
}

/// Matches that could be played next.
struct Choice {
    /// The least share of a match: the larger one of its two contestants.
    share: u64,
    stage: NextStage,
}

struct Contest<'a> {
    contestants: &'a [Candidate],
    met: &'a dyn Fn(usize, usize) -> u32,
    limits: &'a EndlessLimits,
    /// The largest difference of shares of contestants that play in the same stage.
    slack: u64,
}

/// The stage that is played next between these contestants; `None` when all is played. `usual` is the usual work of a game
/// ([`Shares::usual`](super::Shares::usual)), `met` the number of games that each two have played, and `is_due` true for each two whose
/// match of a full round is still to be played.
///
/// There are three kinds of matches. First, a new contestant plays some games with each other one, as the challenger of a gauntlet;
/// several new ones take turns. Its games against those who need little work come first, so that it has some games soon. Then comes a full round, if one is due. Then, neighbours by rating play on, until they have played the most
/// games that the limits allow: those whose intervals overlap before the others, and those that have met least before those that have
/// met more. The second game of a pair, with the seats swapped, is always played in the end.
///
/// Each contestant gets an equal share of the machine. A match belongs to the one of its contestants that has had more, and the matches
/// of those who have had least come first. So a contestant whose games take long delays itself only: it rests until the others have had
/// as much, or have nothing else to play. A new contestant and a full round go first for as much work as their games usually take.
///
/// A stage has few games, so that a new contestant does not wait long. The same arguments give the same stage.
///
/// ```
/// use arena_league::{Candidate, EndlessLimits, Format, next_stage};
///
/// let limits = EndlessLimits { games_min: 20, games_max: 100, stage_games: 400, neighbours: 3 };
/// // The first two have met, and the third is new.
/// let met = |one: usize, other: usize| if one + other == 1 { 20 } else { 0 };
/// let stage = next_stage(&[Candidate::default(); 3], 0, &met, &|_, _| false, &limits).expect("there is something to play");
/// assert_eq!(stage.format, Format::Gauntlet { challengers: 1 });
/// assert_eq!((stage.field, stage.games_per_match), (vec![2, 0, 1], 20));
/// ```
pub fn next_stage(
    contestants: &[Candidate],
    usual: u64,
    met: &dyn Fn(usize, usize) -> u32,
    is_due: &dyn Fn(usize, usize) -> bool,
    limits: &EndlessLimits,
) -> Option<NextStage> {
    let slack = usual.saturating_mul(limits.stage_games.into());
    let contest = Contest { contestants, met, limits, slack };
    let others = contestants.len().saturating_sub(1) as u64;
    // The work of this number of games against each other contestant.
    let head_start = |games: u32| usual.saturating_mul(others).saturating_mul(games.into());
    let kinds = [
        (contest.first_games(), head_start(contest.games_min())),
        (contest.full_round(is_due), head_start(2)),
        (contest.half_pairs(), 0),
        (contest.neighbours(), 0),
    ];
    let choices = kinds.into_iter().filter_map(|(choice, head_start)| {
        let Choice { share, stage } = choice?;
        Some((share.saturating_sub(head_start), stage))
    });
    // The first one of those with the least share.
    choices.min_by_key(|(share, _)| *share).map(|(_, stage)| stage)
}

impl Contest<'_> {
    fn all(&self) -> std::ops::Range<usize> {
        0..self.contestants.len()
    }

    fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let contestants = self.contestants.len();
        self.all().flat_map(move |one| (one + 1..contestants).map(move |other| [one, other]))
    }

    /// The contestants by strength, the strongest first, and those without games last.
    fn order(&self) -> Vec<usize> {
        let key = |&of: &usize| self.contestants[of].strength.unwrap_or(f64::NEG_INFINITY);
        let mut order: Vec<usize> = self.all().collect();
        order.sort_by(|one, other| key(other).total_cmp(&key(one)));
        order
    }

    fn games_max(&self) -> u32 {
        even(self.limits.games_max)
    }

    fn games_min(&self) -> u32 {
        even(self.limits.games_min).min(self.games_max())
    }

    /// The share of a match.
    fn share(&self, one: usize, other: usize) -> u64 {
        self.contestants[one].share.max(self.contestants[other].share)
    }

    /// The work of a game of a match; 0 when it is not known.
    fn work(&self, one: usize, other: usize) -> u64 {
        self.contestants[one].work.saturating_add(self.contestants[other].work)
    }

    /// The games of a match after a stage, if the match of the fewest games has `low`, and the stage has this number of matches.
    fn games(&self, low: u32, matches: usize, most: u32) -> u32 {
        let matches = u32::try_from(matches).unwrap_or(u32::MAX).max(1);
        let more = even(self.limits.stage_games / matches).max(2);
        even(low).saturating_add(more).min(most)
    }

    /// The first games of the contestant that has had least of those that have not played theirs.
    fn first_games(&self) -> Option<Choice> {
        let games_min = self.games_min();
        let others = |of: usize| self.all().filter(move |&other| other != of);
        let open = |of: usize| others(of).filter(move |&other| (self.met)(of, other) < games_min);
        let new = |of: usize| {
            let least = open(of).map(|other| self.share(of, other)).min()?;
            let work = open(of).map(|other| self.work(of, other)).min()?;
            let counted =
                others(of).map(|other| u64::from((self.met)(of, other).min(games_min))).sum::<u64>();
            Some((least, work, counted, of))
        };
        let (share, _, _, challenger) = self.all().filter_map(new).min()?;
        let limit = share.saturating_add(self.slack);
        let due = || open(challenger).filter(|&other| self.share(challenger, other) <= limit);
        let work = |other: usize| self.work(challenger, other);
        let cheapest = due().map(work).filter(|&work| work > 0).min();
        let work_max = cheapest.map_or(u64::MAX, |work| work.saturating_mul(WORKS_TOGETHER));
        let opponents: Vec<usize> = due().filter(|&other| work(other) <= work_max).collect();
        let resting: Vec<usize> = others(challenger).filter(|other| !opponents.contains(other)).collect();
        let low = opponents.iter().map(|&other| (self.met)(challenger, other)).min()?;
        let games_per_match = self.games(low, opponents.len(), games_min);
        Some(Choice {
            share,
            stage: NextStage {
                format: Format::Gauntlet { challengers: 1 },
                resting: resting.len(),
                field: [challenger].into_iter().chain(opponents).chain(resting).collect(),
                games_per_match,
                games_before: even(low),
            },
        })
    }

    /// The matches of a full round that are still to be played.
    fn full_round(&self, is_due: &dyn Fn(usize, usize) -> bool) -> Option<Choice> {
        let due: Vec<[usize; 2]> = self.pairs().filter(|&[one, other]| is_due(one, other)).collect();
        let share = due.iter().map(|&[one, other]| self.share(one, other)).min()?;
        let limit = share.saturating_add(self.slack);
        let now = || due.iter().filter(|&&[one, other]| self.share(one, other) <= limit);
        let (playing, resting): (Vec<usize>, Vec<usize>) =
            self.all().partition(|contestant| now().any(|pair| pair.contains(contestant)));
        Some(Choice {
            share,
            stage: NextStage {
                format: Format::RoundRobin,
                resting: resting.len(),
                field: playing.into_iter().chain(resting).collect(),
                games_per_match: 2,
                games_before: 0,
            },
        })
    }

    /// The second game of a pair whose contestants are no neighbours any more: they had one game when a stage was ended.
    fn half_pairs(&self) -> Option<Choice> {
        let near = self.pairs_left(&self.order());
        let half = |&[one, other]: &[usize; 2]| {
            let games = (self.met)(one, other);
            let is_near = || near.iter().any(|pair| pair.contains(&one) && pair.contains(&other));
            !games.is_multiple_of(2) && games >= self.games_min() && !is_near()
        };
        let halves = self.pairs().filter(half).map(|pair| (self.share(pair[0], pair[1]), pair));
        let (share, [one, other]) = halves.min()?;
        let resting = self.all().filter(|&of| of != one && of != other);
        let field: Vec<usize> = [one, other].into_iter().chain(resting).collect();
        Some(Choice {
            share,
            stage: NextStage {
                format: Format::Gauntlet { challengers: 1 },
                resting: field.len() - 2,
                field,
                games_per_match: (self.met)(one, other) + 1,
                games_before: even((self.met)(one, other)),
            },
        })
    }

    /// The games of neighbours by rating.
    fn neighbours(&self) -> Option<Choice> {
        let order = self.order();
        // A match that is decided waits until the others have had more than a stage.
        let share = |&[one, other]: &[usize; 2]| {
            let wait = if self.is_close([one, other]) { 0 } else { self.slack.saturating_add(1) };
            self.share(one, other).saturating_add(wait)
        };
        let left = self.pairs_left(&order);
        let least = left.iter().map(share).min()?;
        let limit = least.saturating_add(self.slack);
        let now = || left.iter().filter(|pair| share(pair) <= limit);
        let (playing, resting): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|contestant| now().any(|pair| pair.contains(contestant)));
        // Without those that rest, some have nearer neighbours.
        let matches = self.pairs_left(&playing);
        let low = matches.iter().map(|&[one, other]| (self.met)(one, other)).min()?;
        let games_per_match = self.games(low, matches.len(), self.games_max());
        Some(Choice {
            share: least,
            stage: NextStage {
                format: Format::Neighbours { neighbours: self.limits.neighbours },
                resting: resting.len(),
                field: playing.into_iter().chain(resting).collect(),
                games_per_match,
                games_before: even(low),
            },
        })
    }

    /// The pairs of neighbours in this order that have not met as often as they may.
    fn pairs_left(&self, order: &[usize]) -> Vec<[usize; 2]> {
        let neighbours = self.limits.neighbours as usize;
        let of = |(place, &one): (usize, &usize)| {
            order[place + 1..].iter().take(neighbours).map(move |&other| [one, other])
        };
        let pairs = order.iter().enumerate().flat_map(of);
        pairs.filter(|&[one, other]| (self.met)(one, other) < self.games_max()).collect()
    }

    /// True if the intervals of two ratings overlap, so that it is open which one is stronger.
    fn is_close(&self, [one, other]: [usize; 2]) -> bool {
        let reaches = |one: &Candidate, other: &Candidate| {
            one.high.zip(other.low).is_none_or(|(high, low)| high >= low)
        };
        let [one, other] = [&self.contestants[one], &self.contestants[other]];
        reaches(one, other) && reaches(other, one)
    }
}

/// The largest even number that is not larger.
const fn even(number: u32) -> u32 {
    number - number % 2
}
