//! A tournament: the games of a schedule and their score. A season consists of several stages, between which bots are
//! added, changed and retired.

mod contest;
mod judge;
mod round_games;
mod stage;
#[cfg(test)]
mod tests;

pub use contest::{Contest, Receiver};
pub use judge::Delivery;
pub use round_games::{Asked, RoundGames};
pub use stage::Stage;

use arena_league::{
    Fixture, Format, GameScore, MeanScores, Placings, RatedGame, RatedGames, Score, Side, Standings,
};
use arena_players::Played;
use arena_record::{Disqualified, GameResult};
use arena_referee::HostError;
use arena_rules::{Outcome, Reason, Seat};
use arena_text::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The settings of a tournament, which a journal keeps next to the conditions and the bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// The format: who plays whom.
    pub format: Format,
    /// The number of games of a match.
    pub games_per_match: u32,
    /// The number of games with faults after which a bot is disqualified; `None` when no bot ever is.
    pub max_faults: Option<u32>,
    /// The number of bots at the end of the field that rest in this stage. They have not left.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub resting: u32,
    /// The number of games of each match that come before those of the schedule, because all of its matches have them. It is even, and
    /// less than `games_per_match`, which counts them, too.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub games_before: u32,
    /// The number of the full round to which the stage belongs, if it belongs to one. The games of a match in all stages of the round
    /// come after those before the round, so a match of two games is one more pair of games for each two bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_round: Option<u32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(round) = self.full_round {
            write!(f, "full round {round}: ")?;
        }
        write!(f, "{}, {} a match", self.format, counted(self.games_per_match, "game"))?;
        if self.games_before > 0 {
            write!(f, " after {}", self.games_before)?;
        }
        if self.resting > 0 {
            write!(f, ", {} resting", counted(self.resting, "bot"))?;
        }
        match self.max_faults {
            Some(games) => write!(f, ", disqualified after faults in {}", counted(games, "game")),
            None => Ok(()),
        }
    }
}

/// A game without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The number of the game in the tournament, from 1.
    pub number: usize,
    /// The contestants by seat, and the number of the game in their match.
    pub fixture: Fixture,
    /// The result, or the reason why there is none.
    pub result: Result<GameResult, HostError>,
    /// True for each seat whose bot is disqualified. Then the game was not played, and the result follows from this.
    pub disqualified: [bool; 2],
}

impl GameSummary {
    /// True if the game was played and has a result.
    pub fn is_played(&self) -> bool {
        self.result.is_ok() && self.disqualified == [false; 2]
    }

    /// The game as ratings count it; `None` if it was not played or has no result.
    pub fn rated(&self) -> Option<RatedGame> {
        let result = self.result.as_ref().ok().filter(|_| self.is_played())?;
        let Fixture { seats, pair, .. } = self.fixture;
        Some(RatedGame { seats, pair, score: score(result.outcome) })
    }

    /// True if the sums cover it: it was played, has a result, and no faults.
    fn is_plain(&self) -> bool {
        self.is_played() && self.result.as_ref().is_ok_and(|result| result.faults.is_empty())
    }
}

/// The results of a tournament so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// The games that have been delivered, stage by stage, in the order of the schedule. A contest that
    /// sums games up leaves out those of which the sums say enough.
    pub games: Vec<GameSummary>,
    /// The sums over all games.
    pub sums: Sums,
    /// The standings.
    pub standings: Standings,
    /// The bots that are disqualified, in that order.
    pub disqualified: Vec<Disqualified>,
    /// The bot in the middle of the first stage, the anchor of a season from its second stage on; `None` before.
    pub anchor: Option<usize>,
    /// The places after the rounds that are complete, in formats that have places.
    pub placings: Option<Placings>,
    /// The bots that play now, by their numbers; the others are retired.
    pub field: Vec<usize>,
    /// The number of games of the season and on the schedule, as far as it is known.
    pub games_planned: usize,
    /// True if the schedule is played to its end.
    pub complete: bool,
}

/// The sums over the games of a tournament. Their size does not depend on the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// The number of games that have been delivered.
    pub delivered: usize,
    /// The number of these that were played and have a result.
    pub played: usize,
    /// The games that count for ratings: those that were played and have a result.
    pub rated: RatedGames,
    /// The scores of these games, if the game gives any.
    pub scores: MeanScores,
    /// The number of the last game; 0 before the first.
    last: usize,
}

/// The source of a game.
#[derive(Clone, Debug)]
pub enum Source {
    /// The game was played now.
    Played(Box<Played>),
    /// The game was played before.
    Taken(GameResult),
    /// The game has not been played and will not be.
    Missing,
}

impl Results {
    /// No results of this number of bots.
    pub fn new(bots: usize) -> Self {
        Self {
            games: Vec::new(),
            sums: Sums::new(bots),
            standings: Standings::new(bots),
            disqualified: Vec::new(),
            anchor: None,
            placings: None,
            field: Vec::new(),
            games_planned: 0,
            complete: false,
        }
    }

    /// Counts a game, and the bots that are disqualified after it. It is kept, too, unless it `is_summed_up`.
    pub fn count(&mut self, summary: GameSummary, disqualified: Vec<Disqualified>, is_summed_up: bool) {
        if let Ok(result) = &summary.result {
            let GameScore { score, faults, .. } = game_score(result);
            self.standings.add(summary.fixture.seats, score, faults);
        }
        self.sums.add(&summary);
        self.disqualified.extend(disqualified);
        if !is_summed_up {
            self.games.push(summary);
        }
    }
}

impl Sums {
    fn new(bots: usize) -> Self {
        Self { delivered: 0, played: 0, rated: RatedGames::new(bots), scores: MeanScores::default(), last: 0 }
    }

    fn add(&mut self, summary: &GameSummary) {
        self.delivered += 1;
        self.last = summary.number;
        if let Some(rated) = summary.rated() {
            self.played += 1;
            self.rated.add(rated);
            if let Ok(GameResult { scores: Some(scores), .. }) = summary.result {
                self.scores.add(rated.seats, rated.pair, scores);
            }
        }
    }
}

/// The result of a game that was not played because of disqualifications: a disqualified bot loses, and between two of
/// them it is no contest. There are no scores: nothing was played.
fn unplayed(disqualified: [bool; 2]) -> GameResult {
    let outcome = match disqualified {
        [true, true] => Outcome::NoContest,
        [true, false] => Outcome::Win(Seat::Second),
        _ => Outcome::Win(Seat::First),
    };
    GameResult {
        outcome,
        reason: Reason::Forfeit,
        scores: None,
        turns: [0; 2],
        fuel: [0; 2],
        faults: BTreeMap::new(),
        reproducible: true,
    }
}

fn game_score(result: &GameResult) -> GameScore {
    let faults = Seat::BOTH.map(|seat| result.fault_count(seat));
    GameScore { score: score(result.outcome), faults, turns: result.turns }
}

/// The score of a game with this outcome.
pub fn score(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Win(Seat::First) => Score::Win(Side::First),
        Outcome::Win(Seat::Second) => Score::Win(Side::Second),
        Outcome::Draw => Score::Draw,
        Outcome::NoContest => Score::NoContest,
    }
}
