//! Builds of a bot: each is measured, and compared with another one.

use crate::ExperimentError;
use crate::boards::{BoardResult, Boards};
use crate::rerun::{AskedTurn, rerun};
use crate::trial::{self, TrialGame};
use arena_engine::{HostError, Sandbox};
use arena_players::{Contestant, Plan};
use arena_record::{Name, Transcript};
use arena_rules::Seat;
use arena_sandbox::Sandboxed;

/// A build with its measurements.
#[derive(Clone, Debug)]
pub struct Build {
    /// The SHA-256 of its component.
    pub sha256: Name,
    /// Its component.
    pub component: Vec<u8>,
    /// Its results on boards alone.
    pub boards: Vec<BoardResult>,
    /// The transcript of its trial game from seat 1.
    pub recording: Vec<u8>,
    /// True if it was at fault in a trial game.
    pub has_faults: bool,
}

/// A build that was measured just now.
pub struct Measured {
    /// The build.
    pub build: Build,
    /// Its trial games.
    pub games: Vec<TrialGame>,
    /// Its decisions at the turns of the trial game of the kept build; empty without one, and for a build that was at fault.
    pub asked: Vec<AskedTurn>,
}

/// Measures the build of a contestant with this component on a number of boards, and asks it at the turns of the kept one. It ends early
/// when `stop` returns true, and is incomplete then.
///
/// # Errors
/// Rules by which one side cannot play alone, or a failure of the arena.
#[expect(clippy::too_many_arguments, reason = "a build depends on all of them")]
pub fn measure<G: Sandboxed>(
    contestant: &Contestant,
    component: Vec<u8>,
    plan: &Plan,
    sandbox: &Sandbox,
    boards: u32,
    kept: Option<&Build>,
    stop: impl Fn() -> bool + Sync,
    mut advance: impl FnMut(),
    name: fn(&G::Rules, &G::Action) -> String,
) -> Result<Measured, ExperimentError> {
    let alone = Boards::<G>::new(sandbox, plan, boards)?;
    let mut games = trial::play_by(contestant, sandbox, plan, || !stop())?;
    let has_faults = trial::has_faults(&games);
    let mut boards = Vec::new();
    alone.play(&contestant.bot, &stop, |board| {
        boards.push(board);
        advance();
    })?;
    let asked = match kept.filter(|_| !stop() && !has_faults) {
        Some(kept) => {
            let recording = Transcript::<G>::read(&kept.recording[..]).map_err(HostError::defect)?;
            rerun(&recording, Seat::First, &contestant.bot, sandbox, plan.times, None, name)?
        }
        None => Vec::new(),
    };
    // A round that ended early may have no game.
    let recording = games.first_mut().and_then(|game| game.played.transcript.take()).unwrap_or_default();
    let build = Build { sha256: contestant.id.sha256.clone(), component, boards, recording, has_faults };
    Ok(Measured { build, games, asked })
}
