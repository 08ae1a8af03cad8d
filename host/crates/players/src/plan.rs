//! The plan of games: everything that they depend on besides their bots.

use arena_record::{Conditions, Limits, RecordedSeed, RulesDigest, Seed};
use arena_rules::GameRules;
use arena_sandbox::{SandboxLimits, TimeLimits, WASMTIME_VERSION, fuel_of_milliseconds};
use std::time::Duration;

/// The watchdog's limit for a turn, in budgets of the rules. Chosen: fuel decides, and a machine that takes ten times
/// as long as the budget is busy with other work.
const TIMEOUT_PER_TURN_BUDGET: u32 = 10;

/// The watchdog's limit for a game, in budgets of the rules: 300 s under `guide`, so 150 s for each side. Chosen: a game of
/// house bots takes less than a tenth of a second, measured, and a bot that computes with its whole budget in each of a
/// hundred turns 5 s. Without it, turns that make the fuel last as long as they can take 20 minutes a side under `guide`, and
/// four hours in submarine.
const GAME_TIMEOUT_PER_TURN_BUDGET: u32 = 100;

/// The memory of a bot unless the user asks for another, in MiB. Chosen: a bot that is built well takes a few, and two games at
/// a time on a small machine have room for ten times that.
pub const MEMORY_MIB: u32 = 64;

/// The plan of games. It follows from what was asked for, once the game of the bots is known.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conditions of all games. Their rules are valid.
    pub conditions: Conditions,
    /// The random seed. The conditions may have only its hash.
    pub seed: RunSeed,
    /// The digest of the rules, which seeds are derived from.
    pub digest: RulesDigest,
    /// The wall-clock times of a turn and of a game, after which the watchdog stops a bot.
    pub times: TimeLimits,
    /// The number of games played at the same time.
    pub jobs: usize,
}

/// The random seed of a run, and the entry of it in the run's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSeed {
    /// The seed.
    pub seed: Seed,
    /// The entry in transcripts and in the journal.
    pub recorded: RecordedSeed,
}

impl From<Seed> for RunSeed {
    /// A seed that is not secret.
    fn from(seed: Seed) -> Self {
        Self { seed, recorded: seed.into() }
    }
}

/// The limits of bots that the user asks for. The others have their defaults.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitOptions {
    /// The fuel of a turn. Usual: what the rules' budget of time is worth.
    pub fuel_per_turn: Option<u64>,
    /// The memory of a bot, in MiB. Usual: [`MEMORY_MIB`].
    pub memory_mib: Option<u32>,
    /// The limits of wall-clock time.
    pub times: TimeOptions,
}

/// The limits of wall-clock time that the user asks for. The others are in proportion to the rules' budget.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeOptions {
    /// The time of a turn.
    pub turn: Option<Duration>,
    /// The time of a game.
    pub game: Option<Duration>,
}

impl Plan {
    /// The plan for games by these rules, on an engine with this hash.
    pub fn of(rules: GameRules, engine: String, seed: RunSeed, limits: &LimitOptions, jobs: usize) -> Self {
        let conditions = limits.conditions(rules, engine, seed.recorded);
        Self {
            seed,
            digest: RulesDigest::of(&conditions.rules),
            times: limits.times.limits(&conditions.rules),
            conditions,
            jobs,
        }
    }
}

impl LimitOptions {
    /// The conditions of games by these rules, on an engine with this hash.
    fn conditions(&self, rules: GameRules, engine: String, seed: RecordedSeed) -> Conditions {
        let by_rules = || fuel_of_milliseconds(rules.turn_budget_ms().into());
        Conditions {
            arena: env!("CARGO_PKG_VERSION").into(),
            wasmtime: WASMTIME_VERSION.into(),
            engine: engine.into(),
            limits: Limits {
                fuel_per_turn: self.fuel_per_turn.unwrap_or_else(by_rules),
                memory_bytes: self.memory_bytes(),
            },
            rules,
            seed,
        }
    }

    /// The limits of a sandbox with room for this number of games at a time. They do not depend on the rules, which are not
    /// known before the bots are.
    pub fn sandbox(&self, workers: usize) -> SandboxLimits {
        sandbox_limits(workers, self.memory_bytes())
    }

    /// These limits, with the journal's for those that are not given.
    #[must_use]
    pub fn or_of(&self, journal: &Limits) -> Self {
        let memory_mib = u32::try_from(journal.memory_bytes >> 20).ok();
        Self {
            fuel_per_turn: self.fuel_per_turn.or(Some(journal.fuel_per_turn)),
            memory_mib: self.memory_mib.or(memory_mib),
            times: self.times,
        }
    }

    fn memory_bytes(&self) -> u64 {
        u64::from(self.memory_mib.unwrap_or(MEMORY_MIB)) << 20
    }
}

/// The limits of a sandbox with room for this number of games at a time, whose bots have this memory.
pub fn sandbox_limits(workers: usize, memory_bytes: u64) -> SandboxLimits {
    let memory_bytes_max = usize::try_from(memory_bytes).unwrap_or(usize::MAX);
    SandboxLimits { workers, memory_bytes_max, ..SandboxLimits::default() }
}

impl TimeOptions {
    /// The watchdog's limits of games by these rules: as asked, or in proportion to the rules' budget.
    pub fn limits(&self, rules: &GameRules) -> TimeLimits {
        let budget = Duration::from_millis(rules.turn_budget_ms().into());
        let budgets = |number| budget.saturating_mul(number);
        TimeLimits {
            turn: self.turn.unwrap_or_else(|| budgets(TIMEOUT_PER_TURN_BUDGET)),
            game: self.game.unwrap_or_else(|| budgets(GAME_TIMEOUT_PER_TURN_BUDGET)),
        }
    }
}

/// The number of games to play at the same time: as asked, or one for each core.
pub fn jobs(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_may_take_ten_budgets_and_a_game_a_hundred_unless_others_are_asked_for() {
        let rules = GameRules::named("guide").expect("they are built in");
        let budget = Duration::from_millis(rules.turn_budget_ms().into());
        let of = |turn, game| TimeOptions { turn, game }.limits(&rules);
        let usual = of(None, None);
        assert_eq!((usual.turn, usual.game), (10 * budget, 100 * budget));
        let asked = of(Some(Duration::from_secs(1)), Some(Duration::from_secs(2)));
        assert_eq!((asked.turn, asked.game), (Duration::from_secs(1), Duration::from_secs(2)));
    }

    #[test]
    fn a_journal_goes_on_with_its_limits_unless_others_are_asked_for() {
        let journal = Limits { fuel_per_turn: 7, memory_bytes: 32 << 20 };
        let of = |asked: LimitOptions| {
            let limits = asked.or_of(&journal);
            (limits.fuel_per_turn, limits.memory_bytes())
        };
        assert_eq!(of(LimitOptions::default()), (Some(7), 32 << 20));
        let asked = LimitOptions { fuel_per_turn: Some(9), memory_mib: Some(48), ..LimitOptions::default() };
        assert_eq!(of(asked), (Some(9), 48 << 20));
        assert_eq!(LimitOptions::default().memory_bytes(), 64 << 20);
    }
}
