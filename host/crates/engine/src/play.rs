//! A whole run in one call.

use crate::control::Control;
use crate::error::Error;
use crate::roster::Roster;
use crate::run::{Local, Observer, PreparedRun, Run, RunOptions, Supplier};
use crate::sandboxes::{sandbox, usual_cache};
use arena_sandbox::Sandbox;
use std::path::PathBuf;

/// Plays a run between the components at these paths, from its options to its close. Files that are refused do not play;
/// [`PlannedRun::roster`](crate::PlannedRun::roster) has them, by [`Run::planned`].
///
/// # Errors
/// A mistake in the options, bots that cannot play each other, or a failure of the machine or of the arena.
pub fn play(
    options: RunOptions,
    bots: &[PathBuf],
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Run, Error> {
    play_with(options, bots, control, observer, |sandbox, run| Local::start(sandbox, run, false))
}

/// Plays a run as [`play`] does, with games from a supplier that is made for it.
///
/// # Errors
/// As of [`play`], or the supplier cannot be made.
pub fn play_with<S: Supplier, E: From<Error>>(
    options: RunOptions,
    bots: &[PathBuf],
    control: &Control,
    observer: &mut dyn Observer,
    supplier: impl FnOnce(&Sandbox, &Run) -> Result<S, E>,
) -> Result<Run, E> {
    let prepared = PreparedRun::new(options)?;
    let sandbox = sandbox(prepared.sandbox_limits(), usual_cache())?;
    let bots = prepared.paths(bots.to_vec());
    let mut roster = Roster::admit(&sandbox, &bots, prepared.jobs(), || {})?;
    prepared.refuse_other_types(&mut roster)?;
    prepared.restore(&sandbox, &mut roster)?;
    let mut run = prepared.plan(&sandbox, roster)?.open()?;
    let supplier = supplier(&sandbox, &run)?;
    run.play(&supplier, &|_| None, control, observer)?;
    if run.is_over() {
        supplier.over();
    }
    Ok(run)
}
