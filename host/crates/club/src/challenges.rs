//! Challenges: an author tries a version in games against another bot of the club, before it plays or besides. The games count for nothing.
//!
//! They are played by the judge, in the turns and on the accounts of [`judging`](crate::judging), one challenge at a time, with limits of
//! wall-clock time. Each challenge has a journal of its own with its own seed, so the season has nothing of it. Both authors see the games,
//! each with the log of their own bot. Other people do not.

use crate::club::Club;
use crate::error::ClubError;
use crate::folder::Folder;
use crate::logs::Logs;
use crate::requests::{ChallengeProgress, SeenChallenge, SeenGame, SeenResult, Submitted};
use crate::stages;
use crate::state::State;
use crate::upload;
use crate::uploads::Refusal;
use arena_engine::{
    Control, GameChoice, GameOptions, GameSummary, Local, Observer, Played, PreparedRun, Results, Roster,
    RunOptions, Sandbox, TournamentOptions,
};
use arena_rules::{Outcome, Seat};
use arena_store::{
    Author, CHALLENGES_KEPT, Challenge, ChallengeState, Challenged, Challenger, RegisterError,
};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// The games of a challenge. Chosen: a difference that matters shows, and quick bots play them in a second.
pub(crate) const GAMES: u32 = 10;

/// The time after which no further game of a challenge begins. Chosen: house bots take a twentieth of it.
const TIME: Duration = Duration::from_secs(20);

/// The wall-clock time of a game, of which each side has half. The watchdog may have to stop it three times. Chosen: bots that compute
/// with their whole budget need a quarter of it, and so a challenge holds up the judge no longer than a large component does.
const GAME_TIME: Duration = Duration::from_secs(20);

/// The name of the journal in the folder of a challenge.
pub(crate) const JOURNAL: &str = "games.db";

/// The most challenges in the list of an author. Chosen: the author's own, and as many of others.
const LISTED: usize = 2 * CHALLENGES_KEPT as usize;

/// A challenge in the list of an author, with the number of the author's version.
pub(crate) struct ChallengeRow {
    pub(crate) version: u32,
    pub(crate) seen: SeenChallenge,
}

/// A game of a challenge in the register. Numbers are by side: that of the author who has asked for it is the first.
#[derive(Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) number: usize,
    /// The side in seat 1.
    pub(crate) first: usize,
    /// The results by side.
    results: [SeenResult; 2],
    ending: String,
    turns: [u32; 2],
    faults: [u32; 2],
}

impl Recorded {
    fn of(game: &GameSummary) -> Option<Self> {
        let result = game.result.as_ref().ok()?;
        let first = game.fixture.seats[0];
        // By side: each has a seat.
        let seats = if first == 0 { Seat::BOTH } else { [Seat::Second, Seat::First] };
        let outcome = if result.reproducible { result.outcome } else { Outcome::NoContest };
        Some(Self {
            number: game.number,
            first,
            results: seats.map(|seat| SeenResult::of(outcome, seat)),
            ending: if result.reproducible { result.reason.to_string() } else { "took too long".into() },
            turns: seats.map(|seat| result.turns[seat.index()]),
            faults: seats.map(|seat| result.fault_count(seat)),
        })
    }

    fn seen_by(&self, side: usize) -> SeenGame {
        SeenGame {
            number: self.number,
            seat: if self.first == side { 1 } else { 2 },
            result: self.results[side],
            ending: self.ending.as_str().into(),
            turns: self.turns[side],
            faults: self.faults[side],
        }
    }
}

/// The challenges of an author and to this author's bots, for the version with this number in the register.
pub(crate) fn seen(challenges: &[Challenge], version: i64) -> Vec<SeenChallenge> {
    let of_version = |challenge: &Challenge| {
        let side = challenge.sides.iter().position(|side| side.version == version)?;
        let Challenger { shown, number, .. } = &challenge.sides[1 - side];
        let recorded: Vec<Recorded> = serde_json::from_str(&challenge.games).unwrap_or_default();
        Some(SeenChallenge {
            id: challenge.id,
            asked: side == 0,
            opponent: shown.as_str().into(),
            opponent_version: *number,
            asked_at: challenge.asked_at.as_str().into(),
            progress: match challenge.state {
                ChallengeState::Waiting => ChallengeProgress::Waiting,
                ChallengeState::Played => ChallengeProgress::Played,
                ChallengeState::Failed => ChallengeProgress::Failed,
            },
            games: recorded.iter().map(|game| game.seen_by(side)).collect(),
        })
    };
    challenges.iter().filter_map(of_version).collect()
}

/// The challenges of the versions of an author, which are taken from them, the latest first. One between two of these versions is there once,
/// as that of the version that has asked for it.
pub(crate) fn rows(versions: &mut [Submitted]) -> Vec<ChallengeRow> {
    let of_version = |it: &mut Submitted| {
        let version = it.version;
        mem::take(&mut it.challenges).into_iter().map(move |seen| ChallengeRow { version, seen })
    };
    let mut rows: Vec<ChallengeRow> = versions.iter_mut().flat_map(of_version).collect();
    rows.sort_by_key(|it| (Reverse(it.seen.id), !it.seen.asked));
    rows.dedup_by_key(|it| it.seen.id);
    rows.truncate(LISTED);
    rows
}

impl Folder {
    /// The folder of a challenge.
    pub(crate) fn challenge(&self, id: i64) -> PathBuf {
        self.challenges().join(id.to_string())
    }

    fn challenges(&self) -> PathBuf {
        self.path().join("challenges")
    }
}

impl State {
    /// Removes the games of challenges that the register has no more.
    pub(crate) fn forget_challenges(&self) -> Result<(), ClubError> {
        let folders = fs::read_dir(self.folder.challenges()).into_iter().flatten().flatten();
        for folder in folders {
            let Some(id) = folder.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            self.register(|register| match register.has_challenge(id)? {
                true => Ok(()),
                false => fs::remove_dir_all(folder.path()).map_err(RegisterError::Io),
            })?;
        }
        Ok(())
    }

    /// Enters a challenge of an author's version to the bot of another author, or to the author's own that plays.
    pub(crate) async fn challenge(
        self: &Arc<Self>,
        author: &Author,
        version: i64,
        opponent: String,
    ) -> Result<(), Refusal> {
        upload::require_author_may_play(self, author).await?;
        let (of_author, name) = (author.clone(), opponent.clone());
        let entered = self.with_register(move |register| register.challenge(&of_author, version, &name));
        let refuse = |status, what: String, next: &str| Err(Refusal::new(status, what, next));
        match entered.await? {
            Challenged::Waits(_) => {
                self.note_change();
                Ok(())
            }
            Challenged::NoVersion => refuse(
                StatusCode::NOT_FOUND,
                "you have no such version that was admitted".into(),
                "choose one in the list of your versions",
            ),
            Challenged::NoOpponent => refuse(
                StatusCode::NOT_FOUND,
                format!("no other bot of {opponent:?} plays"),
                "choose the name of an author in the standings",
            ),
            Challenged::Busy => refuse(
                StatusCode::TOO_MANY_REQUESTS,
                "another challenge of yours waits".into(),
                "wait until its games are played",
            ),
        }
    }
}

/// The observer of the games of a challenge.
struct Observed<'a> {
    state: &'a State,
    logs: Logs,
    control: Control,
    until: Instant,
}

impl Observer for Observed<'_> {
    fn game(&mut self, game: &GameSummary, played: Option<&Played>, _: &Results) -> ControlFlow<()> {
        if let Some(played) = played {
            let (_, note) = self.logs.keep(game.number, played);
            note.into_iter().for_each(|note| self.state.note(note));
        }
        if Instant::now() >= self.until {
            self.control.cancel();
        }
        if self.state.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Plays the games of a challenge, unless the club ends meanwhile: then it waits for the next process.
///
/// # Errors
/// The arena fails.
pub(crate) fn play(club: &Club, sandbox: &Sandbox, challenge: &Challenge) -> Result<(), ClubError> {
    let state = &club.state;
    let folder = state.folder.challenge(challenge.id);
    let unwritable = |error: io::Error| state.folder.unwritable(&folder, error);
    // An earlier process may have begun.
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unwritable(error)),
        _ => arena_files::make_folder(&folder).map_err(unwritable)?,
    }
    arena_platform::folders::make_private(&state.folder.challenges()).map_err(unwritable)?;
    let mut contestants = Vec::new();
    for Challenger { version, shown, number, .. } in &challenge.sides {
        let known = state.register(|register| register.version(*version))?;
        let contestant = known.map(|version| stages::contestant(club, sandbox, &version)).transpose()?;
        let Some(mut contestant) = contestant.flatten() else { return end(club, challenge, None) };
        contestant.id.label = format!("{shown}, version {number}").as_str().into();
        contestants.push(contestant);
    }
    let mut limits = club.options.game.limits;
    limits.times.game = Some(GAME_TIME);
    let prepared = PreparedRun::new(RunOptions {
        game: GameOptions {
            game: Some(GameChoice::of(club.rules.clone())),
            jobs: Some(1),
            limits,
            ..GameOptions::default()
        },
        tournament: TournamentOptions { games_per_match: Some(GAMES), ..TournamentOptions::default() },
        journal: Some(folder.join(JOURNAL)),
        forgets_bots: true,
        keeps_each_game: true,
        ..RunOptions::default()
    })?;
    let roster = Roster { contestants, refused: Vec::new(), failed: Vec::new() };
    let mut run = prepared.plan(sandbox, roster)?.open()?;
    let control = Control::default();
    let mut observed = Observed {
        state,
        logs: Logs::at(folder.join("logs")),
        control: control.clone(),
        until: Instant::now() + TIME,
    };
    let local = Local::start(sandbox, &run, false)?;
    run.play(&local, &|_| None, &control, &mut observed)?;
    if state.is_over() {
        return Ok(());
    }
    let games: Vec<Recorded> = run.results().games.iter().filter_map(Recorded::of).collect();
    tracing::info!(author = %challenge.sides[0].author, games = games.len(), "challenge played");
    end(club, challenge, Some(&games))
}

/// Notes that the arena has failed to play a challenge.
pub(crate) fn fail(club: &Club, challenge: &Challenge, error: &ClubError) -> Result<(), ClubError> {
    club.state.note(format!("a challenge of {} is not played: {error}", challenge.sides[0].author));
    end(club, challenge, None)
}

fn end(club: &Club, challenge: &Challenge, games: Option<&[Recorded]>) -> Result<(), ClubError> {
    let state = if games.is_some() { ChallengeState::Played } else { ChallengeState::Failed };
    let text = serde_json::to_string(games.unwrap_or_default()).unwrap_or_default();
    club.state.register(|register| register.end_challenge(challenge, state, &text))?;
    club.state.note_change();
    club.state.forget_challenges()
}
