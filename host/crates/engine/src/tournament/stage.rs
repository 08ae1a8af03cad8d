//! A stage of a season: its schedule between bots of the season, and the full round to which it belongs.

use super::Settings;
use arena_league::{Fixture, FormatError, GameScore, Schedule};
use arena_store::GameSet;
use std::collections::HashMap;

/// A stage of a season: from here on, these bots play with these settings.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The settings.
    pub settings: Settings,
    /// The bots by their numbers in the season, in the order of the schedule.
    pub field: Vec<usize>,
    pub(super) schedule: Schedule,
}

/// A full round: one more pair of games for each two bots.
#[derive(Clone, Debug)]
pub(super) struct FullRound {
    pub(super) number: u32,
    /// The number of whole pairs of games that two bots had before it, from their first. Bots that came later have none, so their
    /// games of the round are those of their first pair.
    pairs_before: HashMap<[usize; 2], u32>,
}

/// The games of the stages so far that have a result, which later ones do not play again.
#[derive(Clone, Debug, Default)]
pub(super) struct Decided {
    games: GameSet,
    /// Their scores, in a season whose rounds depend on earlier ones.
    scores: HashMap<Fixture, GameScore>,
}

impl Decided {
    /// Adds a game, with its score if later rounds depend on it.
    pub(super) fn add(&mut self, game: Fixture, score: Option<GameScore>) {
        self.games.insert(game.seats, game.game);
        self.scores.extend(score.map(|score| (game, score)));
    }

    /// Adds the games of a stage.
    pub(super) fn extend(&mut self, stage: Self) {
        self.games.extend(stage.games);
        self.scores.extend(stage.scores);
    }

    pub(super) fn contains(&self, game: Fixture) -> bool {
        self.games.contains(game.seats, game.game)
    }

    /// The score of a game, if later rounds depend on it.
    pub(super) fn score(&self, game: Fixture) -> Option<GameScore> {
        self.scores.get(&game).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.games.len()
    }
}

impl Stage {
    /// A stage between these bots.
    ///
    /// # Errors
    /// The reason why there is no schedule for them.
    pub fn new(settings: Settings, field: Vec<usize>) -> Result<Self, FormatError> {
        let playing = field.len().saturating_sub(settings.resting as usize);
        let games = settings.games_per_match.saturating_sub(settings.games_before);
        let schedule = Schedule::new(settings.format, playing, games)?;
        Ok(Self { settings, field, schedule })
    }

    /// The number of games of its schedule, as far as it is known.
    pub fn games_planned(&self) -> usize {
        planned(&self.schedule)
    }

    /// A game of the schedule as one between bots of the season. Of two bots, the one that came first has seat 1 in their
    /// odd-numbered games, regardless of the order in which a stage names them.
    pub(super) fn of_season(&self, scheduled: Fixture, full_round: Option<&FullRound>) -> Fixture {
        let [first, second] = scheduled.contestants().map(|contestant| self.field[contestant]);
        let pairs_before = full_round.map_or(0, |round| round.pairs_before(first, second));
        let pair = scheduled.pair + self.settings.games_before / 2 + pairs_before;
        fixture([first, second], pair, scheduled.game % 2 == 1)
    }
}

/// One of the two games of a pair between two bots of a season.
fn fixture([one, other]: [usize; 2], pair: u32, is_first: bool) -> Fixture {
    let [low, high] = [one.min(other), one.max(other)];
    match is_first {
        true => Fixture { seats: [low, high], pair, game: 2 * pair + 1 },
        false => Fixture { seats: [high, low], pair, game: 2 * pair + 2 },
    }
}

impl FullRound {
    /// The round that begins with a stage after these games.
    pub(super) fn begin(number: u32, stage: &Stage, decided: &Decided) -> Self {
        let field = &stage.field;
        let bots = field.iter().enumerate();
        let matches =
            bots.flat_map(|(place, &one)| field[place + 1..].iter().map(move |&other| [one, other]));
        let before = |bots: [usize; 2]| {
            let is_whole =
                |pair: &u32| [true, false].iter().all(|&first| decided.contains(fixture(bots, *pair, first)));
            let pairs = (0..).take_while(is_whole).count() as u32;
            ([bots[0].min(bots[1]), bots[0].max(bots[1])], pairs)
        };
        Self { number, pairs_before: matches.map(before).collect() }
    }

    fn pairs_before(&self, one: usize, other: usize) -> u32 {
        self.pairs_before.get(&[one.min(other), one.max(other)]).copied().unwrap_or(0)
    }
}

/// The number of games on the schedule, as far as it is known: ties of a knockout may add more.
pub(super) fn planned(schedule: &Schedule) -> usize {
    usize::try_from(schedule.games_planned().at_least).unwrap_or(usize::MAX)
}
