//! The model of a tournament for the dashboard: the host fills it in.

use super::WorkersTable;
use arena_league::Row;
use arena_referee::FaultClass;
use arena_rules::{Outcome, Reason};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The number of groups of faults that the dashboard keeps. Chosen: more than any terminal has rows.
pub const FAULTS_KEPT_MAX: usize = 200;

/// A tournament as the dashboard shows it. Texts are made plain before they are drawn; times are only for display.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The title: the rules, the board, the seed.
    pub title: String,
    /// The number of games that were played.
    pub games_done: u64,
    /// The number of games of the schedule.
    pub games_planned: u64,
    /// The speed of the tournament, once it is known.
    pub games_per_second: Option<f64>,
    /// An estimate of the time left, once it is known.
    pub time_left: Option<Duration>,
    /// The season's seed as text: what is only for show, such as confetti, follows from it.
    pub seed: String,
    /// The standings, best first.
    pub standings: Vec<StandingsLine>,
    /// The bots that do not play.
    pub refused: Vec<RefusedBot>,
    /// Equal faults by group, the group with the newest one first: see [`Model::fault`].
    pub faults: VecDeque<FaultGroup>,
    /// The workers on other machines, if they play.
    pub workers: Option<WorkersState>,
    /// A note for the user, for example that the games in flight are being finished.
    pub note: Option<String>,
    /// True if the tournament is over.
    pub is_over: bool,
}

impl Model {
    /// Adds a fault as the newest, and forgets the oldest groups beyond [`FAULTS_KEPT_MAX`].
    pub fn fault(&mut self, notice: FaultNotice) {
        let is_same = |group: &FaultGroup| {
            let FaultNotice { label, class, detail, .. } = &group.newest;
            (label, class, detail) == (&notice.label, &notice.class, &notice.detail)
        };
        let found = self.faults.iter().position(is_same).and_then(|place| self.faults.remove(place));
        let count = 1 + found.map_or(0, |group| group.count);
        self.faults.push_front(FaultGroup { newest: notice, count });
        self.faults.truncate(FAULTS_KEPT_MAX);
    }
}

/// The workers on other machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkersState {
    /// Their state in a line.
    pub line: String,
    /// Each of them.
    pub table: WorkersTable,
}

/// A line of the standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandingsLine {
    /// The bot's label.
    pub label: String,
    /// Its rating in Elo with its interval, as text, once it is known.
    pub elo: Option<String>,
    /// The estimate of its strength, in tenths of an Elo above the mean of the bots that it can be compared with, to find surprising
    /// wins; `None` without a rating.
    pub strength_tenths: Option<i64>,
    /// The numbers of its games, wins and faults.
    pub score: Row,
    /// True if the bot shares the place of the line above: nothing but the order in which they were named decides between the two.
    pub is_tied: bool,
    /// True if the bot was disqualified.
    pub is_out: bool,
    /// True if the bot played in an earlier stage and is not in this one.
    pub has_left: bool,
}

impl StandingsLine {
    /// The bot's share of the points of its games, in thousandths; `None` without games.
    pub(super) fn share_per_mille(&self) -> Option<u64> {
        let Row { wins, draws, losses, .. } = self.score;
        let scored = u64::from(wins) + u64::from(draws) + u64::from(losses);
        (u64::from(self.score.half_points()) * 500).checked_div(scored)
    }
}

/// The places of these lines, from 1. Tied bots share the best of their places, and those that are out or have left have none.
pub(super) fn places(standings: &[StandingsLine]) -> Vec<Option<usize>> {
    let (mut counted, mut shared) = (0, 1);
    let place = |row: &StandingsLine| {
        if row.is_out || row.has_left {
            return None;
        }
        counted += 1;
        if !row.is_tied || counted == 1 {
            shared = counted;
        }
        Some(shared)
    };
    standings.iter().map(place).collect()
}

/// How much a win matters for the standings so far, by the labels of winner and loser: the more, the higher the better of the two stands
/// and the nearer the other one is; twice as much if the winner stands lower, since places may change. 0 if one of them has no place, or
/// played no game before.
pub(super) fn stakes(standings: &[StandingsLine], [winner, loser]: [&str; 2]) -> u64 {
    /// The stakes of a win of the first over the second. Chosen: places down to the hundredth differ.
    const LARGEST: usize = 10_000;
    let has_played = |row: &&StandingsLine| row.score.games > 0 && !row.is_out && !row.has_left;
    let place = |label| standings.iter().filter(has_played).position(|row| row.label == label);
    let Some((winner, loser)) = place(winner).zip(place(loser)).filter(|(winner, loser)| winner != loser)
    else {
        return 0;
    };
    let weight = if winner > loser { 2 * LARGEST } else { LARGEST };
    (weight / ((1 + winner.min(loser)) * winner.abs_diff(loser))) as u64
}

/// How surprising a win is: the estimate of the loser's strength above the winner's, in tenths of an Elo; 0 when the winner is the
/// stronger one, or when one of the two has no rating.
pub(super) fn surprise([winner, loser]: [Option<&StandingsLine>; 2]) -> u64 {
    let strength = |standing: Option<&StandingsLine>| standing?.strength_tenths;
    let above = strength(loser).zip(strength(winner)).map(|(loser, winner)| loser.saturating_sub(winner));
    above.and_then(|above| u64::try_from(above).ok()).unwrap_or(0)
}

/// A bot that does not play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedBot {
    /// Its label.
    pub label: String,
    /// The reason why it was refused.
    pub why: String,
}

/// Faults of one bot with one description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultGroup {
    /// The newest of them.
    pub newest: FaultNotice,
    /// Their number.
    pub count: u64,
}

/// The news of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultNotice {
    /// The number of the game in the tournament, from 1.
    pub game: u64,
    /// The bot's label.
    pub label: String,
    /// The bot's turn; 0 is the deployment.
    pub turn: u32,
    /// The kind of fault.
    pub class: FaultClass,
    /// The description, in one line.
    pub detail: String,
}

/// A game that was played, as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLine {
    /// The number of the game in the tournament, from 1.
    pub number: u64,
    /// The labels by seat.
    pub labels: [Arc<str>; 2],
    /// The outcome.
    pub outcome: Outcome,
    /// The reason of the end.
    pub reason: Reason,
    /// The number of turns of the side that had more.
    pub turns: u32,
    /// The number of faults by seat.
    pub faults: [u32; 2],
}
