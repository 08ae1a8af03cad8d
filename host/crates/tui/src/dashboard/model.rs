//! What a dashboard shows of a tournament: the host fills it in.

use arena_referee::FaultClass;
use std::collections::VecDeque;
use std::time::Duration;

/// Faults that the dashboard keeps. Chosen: more than any terminal has rows.
pub const FAULTS_KEPT_MAX: usize = 200;

/// A tournament as the dashboard shows it. Texts are made plain before they are drawn; times are only for show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// What is played: the rules, the board, the seed.
    pub title: String,
    /// Games that were played.
    pub games_done: u64,
    /// Games of the schedule.
    pub games_planned: u64,
    /// How fast they are played, once that is known.
    pub games_per_second: Option<f64>,
    /// How long the rest may take, once that is known.
    pub time_left: Option<Duration>,
    /// The standings, best first.
    pub standings: Vec<Standing>,
    /// The bots that do not play.
    pub refused: Vec<Refused>,
    /// The newest faults, newest first: see [`Model::fault`].
    pub faults: VecDeque<FaultNews>,
    /// Something the user should know: that the games in flight are being finished, say.
    pub note: Option<String>,
    /// Whether the tournament is over.
    pub is_over: bool,
}

impl Model {
    /// Adds a fault as the newest, and forgets the oldest beyond [`FAULTS_KEPT_MAX`].
    pub fn fault(&mut self, news: FaultNews) {
        self.faults.push_front(news);
        self.faults.truncate(FAULTS_KEPT_MAX);
    }
}

/// A line of the standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The bot's label.
    pub label: String,
    /// Twice its points, so that they are exact: a win is 2, a draw 1.
    pub half_points: u32,
    /// Games with a result, no contests included.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Faults of all classes.
    pub faults: u32,
}

impl Standing {
    /// Points of the points there were, in thousandths; none where there were none.
    pub(super) fn share_per_mille(&self) -> Option<u64> {
        let scored = u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses);
        (u64::from(self.half_points) * 500).checked_div(scored).map(|share| share.min(1_000))
    }
}

/// A bot that does not play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// Its label.
    pub label: String,
    /// Why it was refused.
    pub why: String,
}

/// A fault as it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultNews {
    /// The number of the game in the tournament, from 1.
    pub game: u64,
    /// The bot's label.
    pub label: String,
    /// The bot's turn; 0 is the deployment.
    pub turn: u32,
    /// The kind of it.
    pub class: FaultClass,
    /// One line: what happened.
    pub detail: String,
}
