//! Arguments made into a plan that can be carried out: everything about it has been checked.

use crate::cli::{LimitArgs, RunArgs};
use crate::failure::Failure;
use crate::rules_file;
use arena_record::Limits;
use arena_rules::{Ruleset, Size};
use arena_sandbox::{SandboxLimits, fuel_of_milliseconds};
use std::time::Duration;

/// The watchdog's limit for a turn, in budgets of the rules. Chosen: fuel is what decides, and a machine that takes ten
/// times as long as the budget says is one that has other things to do.
const TIMEOUT_PER_TURN_BUDGET: u32 = 10;

/// What is to be played, and within which limits.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules, valid.
    pub rules: Ruleset,
    /// Games for each two bots.
    pub games_per_match: u32,
    /// The tournament's seed.
    pub seed: u64,
    /// Games played at the same time.
    pub jobs: usize,
    /// What a turn may use: what a transcript records of the limits.
    pub limits: Limits,
    /// Wall-clock time for a turn, for the watchdog.
    pub turn_wall_clock: Duration,
}

impl Plan {
    /// The plan that the arguments ask for.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn new(args: &RunArgs) -> Result<Self, Failure> {
        let rules = rules(args)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let LimitArgs { fuel, memory, timeout } = args.limits;
        let turn_budget = Duration::from_millis(rules.turn_budget_ms.into());
        Ok(Self {
            games_per_match: args.games,
            seed: args.seed,
            jobs: args.jobs.map_or(cores, usize::from),
            limits: Limits {
                fuel_per_turn: fuel.unwrap_or_else(|| fuel_of_milliseconds(rules.turn_budget_ms.into())),
                memory_bytes: u64::from(memory) << 20,
            },
            turn_wall_clock: timeout.unwrap_or(turn_budget * TIMEOUT_PER_TURN_BUDGET),
            rules,
        })
    }

    /// The limits of a sandbox that carries this plan out.
    pub fn sandbox_limits(&self) -> SandboxLimits {
        SandboxLimits {
            workers: self.jobs,
            memory_bytes_max: usize::try_from(self.limits.memory_bytes).unwrap_or(usize::MAX),
            turn_wall_clock: self.turn_wall_clock,
            ..SandboxLimits::default()
        }
    }
}

fn rules(args: &RunArgs) -> Result<Ruleset, Failure> {
    let named = rules_file::load(&args.rules)?;
    let size = Size::new(args.width.unwrap_or(named.width), args.height.unwrap_or(named.height));
    let rules = if size == named.size() { named } else { named.with_size(size) };
    rules
        .validate()
        .map_err(|error| Failure::input(error.to_string(), "choose another --width and --height"))?;
    Ok(rules)
}
