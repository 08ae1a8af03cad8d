//! From arguments to a sandbox with bots in it: strangers' components are compiled in child processes of this program,
//! and the result is cached for the next run.

use crate::args::{CacheArgs, GameArgs, SeedArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use arena_engine::internals::{builtin, plan, roster, seed};
use arena_engine::{Roster, usual_cache};
use arena_platform::confine::IS_CONFINED;
use arena_players::{Contestant, Plan};
use arena_record::Seed;
use arena_rules::GameRules;
use arena_sandbox::{CacheOptions, Sandbox, SandboxLimits};
use std::path::{Path, PathBuf};
use std::sync::Once;

impl CacheArgs {
    /// A sandbox for these limits, with this cache of compiled bots, whose bots play in confined processes.
    ///
    /// # Errors
    /// The machine has no room for it.
    pub fn sandbox(&self, limits: SandboxLimits) -> Result<Sandbox, Failure> {
        Ok(arena_engine::sandbox(limits, self.options())?)
    }

    /// A sandbox as [`sandbox`](Self::sandbox) makes it, for the builds of a bot in this folder. The user is its author.
    ///
    /// # Errors
    /// The machine has no room for it.
    pub fn sandbox_of_project(&self, limits: SandboxLimits, folder: &Path) -> Result<Sandbox, Failure> {
        let project = dunce::canonicalize(folder).ok();
        Ok(arena_engine::sandbox(limits, self.options().map(|cache| CacheOptions { project, ..cache }))?)
    }

    /// The cache; `None` when it is turned off, or when the user has no cache folder.
    pub fn options(&self) -> Option<CacheOptions> {
        if self.no_cache {
            return None;
        }
        let bytes_max = u64::from(self.cache_size) << 20;
        let at = self.cache.clone().map(CacheOptions::at).or_else(usual_cache);
        at.map(|at| CacheOptions { bytes_max, ..at })
    }
}

/// Admits the bots at these paths as [`Roster::admit`] does. The user can interrupt it.
///
/// # Errors
/// As of [`Roster::admit`], and an interruption by the user.
pub fn admit(
    sandbox: &Sandbox,
    paths: &[PathBuf],
    jobs: usize,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Roster, Failure> {
    let stopping = sandbox.clone();
    interrupt.answer(move || stopping.stop_compiling());
    if interrupt.requested() {
        sandbox.stop_compiling();
    }
    console.begin_progress(paths.len(), "bots ready");
    let roster = Roster::admit(sandbox, paths, jobs, || console.advance());
    console.end_progress();
    if interrupt.requested() {
        return Err(Failure::Interrupted(
            "interrupted before the bots were ready: nothing was played".into(),
        ));
    }
    note_gaps(sandbox, console);
    if let (Some(trouble), Some(next)) = (sandbox.cache_trouble(), sandbox.cache_step()) {
        console.note(format!("note: {trouble}\n  next: {next}"));
    }
    if let Some(trouble) = sandbox.functions_trouble() {
        console.note(format!(
            "note: {trouble}\n  next: nothing is wrong with the bot; a machine that is less busy may do it, with an empty --cache"
        ));
    }
    Ok(roster?)
}

/// Refuses a command for strangers on a system that cannot confine what they send.
///
/// # Errors
/// This is one.
pub fn require_confinement(command: &str) -> Result<(), Failure> {
    if IS_CONFINED {
        return Ok(());
    }
    let what = format!("`arena {command}` is open to strangers, and only Linux can confine their bots");
    Err(Failure::usage(what, "run it on Linux, in a container, or in WSL"))
}

/// Notes the unavailable measures of a child process, once in a run: all its sandboxes have the same. Notes as well that there are
/// fewer threads or processes than asked for.
pub fn note_gaps(sandbox: &Sandbox, console: &Console) {
    static NOTED: Once = Once::new();
    console.note_fewer();
    if let Some(note) = sandbox.confinement().and_then(output::missing_measures) {
        NOTED.call_once(|| console.note(note));
    }
}

/// Admits bots as [`admit`] does, and fails if one cannot be judged.
///
/// # Errors
/// As of [`admit`], and a failure of the arena with a bot.
pub fn admit_surely(
    sandbox: &Sandbox,
    paths: &[PathBuf],
    jobs: usize,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Roster, Failure> {
    let roster = admit(sandbox, paths, jobs, interrupt, console)?;
    roster.require_no_failure()?;
    Ok(roster)
}

/// Admits bots as [`admit`] does, all of which are required. A bot for another game than a loaded one of these rules is refused.
///
/// # Errors
/// The refusal of a bot, and as of [`admit_surely`].
pub fn admit_all(
    sandbox: &Sandbox,
    rules: Option<&GameRules>,
    paths: &[PathBuf],
    jobs: usize,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Vec<Contestant>, Failure> {
    let mut roster = admit_surely(sandbox, paths, jobs, interrupt, console)?;
    if let Some(rules) = rules {
        roster.refuse_other_types(rules)?;
    }
    let Roster { contestants, refused, .. } = roster;
    match refused.first() {
        Some(refused) => Err(Failure::Refused(output::refusal(refused))),
        None => Ok(contestants),
    }
}

/// Notes that a seed is small enough to be guessed.
pub fn note_small_seed(asked: Option<Seed>, console: &Console) {
    if asked.is_some_and(|seed| seed.is_small()) {
        console.note(format!(
            "note: a bot can guess a seed of fewer than {} bits, and then foresee its opponent\n  \
             next: use it for tests; for a competition leave out --seed",
            Seed::SAFE_BITS
        ));
    }
}

/// The admitted bots of a command that requires all of them.
pub struct Ready {
    /// The plan.
    pub plan: Plan,
    /// The bots, in the order in which they are named.
    pub contestants: Vec<Contestant>,
    /// The user's interrupt. It is answered with a note from now on.
    pub interrupt: Interrupt,
    /// The sandbox of the bots.
    pub sandbox: Sandbox,
}

/// Admits the bots of a command that requires all of them.
///
/// # Errors
/// The problem with the arguments, and as of [`admit_all`].
pub fn require(
    game: &GameArgs,
    seed: &SeedArgs,
    paths: &[PathBuf],
    console: &mut Console,
) -> Result<Ready, Failure> {
    let options = game.options();
    let asked = plan::rules_asked(&options)?;
    paths.iter().try_for_each(|path| roster::check_path(path))?;
    let interrupt = Interrupt::listen()?;
    let jobs = arena_players::jobs(game.jobs);
    let sandbox = game.cache.sandbox(options.limits.sandbox(jobs))?;
    let paths = builtin::in_game(asked.as_ref(), paths.to_vec());
    let contestants = admit_all(&sandbox, asked.as_ref(), &paths, jobs, &interrupt, console)?;
    let seed = seed::given_or_fresh(seed.seed)?;
    let plan = plan::plan(&options, asked, sandbox.engine_hash(), &contestants, seed)?;
    interrupt.answer(console::note_interrupt);
    Ok(Ready { plan, contestants, interrupt, sandbox })
}
