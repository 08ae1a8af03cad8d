//! Arguments made into a plan that can be carried out: everything about it has been checked.

use crate::cli::{CourseArgs, FormatName, GameArgs, LimitArgs};
use crate::failure::Failure;
use crate::roster::Contestant;
use crate::rules_file;
use crate::tournament::Course;
use arena_league::{Format, Schedule};
use arena_record::{Header, Limits};
use arena_rules::{GameKind, GameRules, Size};
use arena_sandbox::{SandboxLimits, fuel_of_milliseconds};
use std::time::Duration;

/// The watchdog's limit for a turn, in budgets of the rules. Chosen: fuel is what decides, and a machine that takes ten
/// times as long as the budget says is one that has other things to do.
const TIMEOUT_PER_TURN_BUDGET: u32 = 10;

impl LimitArgs {
    /// What a turn may use, as a transcript records it, where the rules have this budget for it.
    pub fn recorded(&self, turn_budget_ms: u32) -> Limits {
        Limits {
            fuel_per_turn: self.fuel.unwrap_or_else(|| fuel_of_milliseconds(turn_budget_ms.into())),
            memory_bytes: u64::from(self.memory) << 20,
        }
    }

    /// A sandbox with room for so many games at a time, where the rules have this budget for a turn.
    pub fn sandbox(&self, workers: usize, turn_budget_ms: u32) -> SandboxLimits {
        let memory_bytes = self.recorded(turn_budget_ms).memory_bytes;
        Conditions { memory_bytes, turn_budget_ms }.sandbox(workers, self.timeout)
    }
}

/// The most memory that a bot may be given: what its 32-bit addresses reach.
const MEMORY_BYTES_MAX: u64 = 4 << 30;

/// What decides how a sandbox has to be for a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    memory_bytes: u64,
    turn_budget_ms: u32,
}

impl Conditions {
    /// Those of a recording.
    pub fn of(header: &Header) -> Self {
        Self { memory_bytes: header.limits.memory_bytes, turn_budget_ms: header.rules.turn_budget_ms() }
    }

    /// Whether there can be a sandbox for them: a header from anywhere may say anything.
    pub fn are_possible(&self) -> bool {
        self.memory_bytes <= MEMORY_BYTES_MAX
    }

    /// A sandbox with room for so many games at a time.
    pub fn sandbox(&self, workers: usize, timeout: Option<Duration>) -> SandboxLimits {
        let by_rules =
            Duration::from_millis(self.turn_budget_ms.into()).saturating_mul(TIMEOUT_PER_TURN_BUDGET);
        SandboxLimits {
            workers,
            memory_bytes_max: usize::try_from(self.memory_bytes).unwrap_or(usize::MAX),
            turn_wall_clock: timeout.unwrap_or(by_rules),
            ..SandboxLimits::default()
        }
    }
}

/// How many games to play at the same time: as asked, or one for each core.
pub fn jobs(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, usize::from)
}

/// What is to be played, and within which limits.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game and its rules, valid.
    pub rules: GameRules,
    /// The tournament's seed.
    pub seed: u64,
    /// Games played at the same time.
    pub jobs: usize,
    /// What a turn may use: what a transcript records of the limits.
    pub limits: Limits,
    /// The limits of a sandbox that carries this plan out.
    pub sandbox_limits: SandboxLimits,
}

impl Plan {
    /// The plan that the arguments ask for. Where they name no rules, it is for Battleship until the bots are known.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn new(args: &GameArgs) -> Result<Self, Failure> {
        Ok(Self::by(rules(args)?, args))
    }

    /// The plan for these bots, which have to be for one game.
    ///
    /// # Errors
    /// Bots for two games, or for another game than the arguments are.
    pub fn for_bots(self, args: &GameArgs, contestants: &[Contestant]) -> Result<Self, Failure> {
        let Some(first) = contestants.first() else { return Ok(self) };
        let game = first.bot.game();
        if let Some(other) = contestants.iter().find(|other| other.bot.game() != game) {
            return Err(Failure::input(
                format!("{} plays {game}, and {} plays {}", first.file, other.file, other.bot.game()),
                "name bots for one game",
            ));
        }
        if game == self.rules.game() {
            return Ok(self);
        }
        if args.rules.is_some() || args.width.is_some() || args.height.is_some() {
            return Err(Failure::input(
                format!("the bots play {game}, and the rules asked for are of {}", self.rules.game()),
                "leave out --rules, --width and --height, or name bots for that game",
            ));
        }
        Ok(Self::by(GameRules::default_of(game), args))
    }

    fn by(rules: GameRules, args: &GameArgs) -> Self {
        let jobs = jobs(args.jobs);
        Self {
            seed: args.seed,
            jobs,
            limits: args.limits.recorded(rules.turn_budget_ms()),
            sandbox_limits: args.limits.sandbox(jobs, rules.turn_budget_ms()),
            rules,
        }
    }
}

/// Whether the arguments about the format belong to it.
///
/// # Errors
/// One that belongs to another.
pub fn check_course(args: &CourseArgs) -> Result<(), Failure> {
    let stray = [
        ("--seeds", args.seeds.is_some(), FormatName::Gauntlet, "gauntlet"),
        ("--rounds", args.rounds.is_some(), FormatName::Swiss, "swiss"),
    ];
    match stray.into_iter().find(|(_, given, format, _)| *given && *format != args.format) {
        Some((option, _, _, format)) => Err(Failure::input(
            format!("{option} is for --format {format}"),
            format!("leave it out, or choose --format {format}"),
        )),
        None => Ok(()),
    }
}

/// How the tournament is held, and its schedule for so many contestants.
///
/// # Errors
/// What cannot be scheduled.
pub fn course(args: &CourseArgs, contestants: usize) -> Result<(Course, Schedule), Failure> {
    let format = match args.format {
        FormatName::RoundRobin => Format::RoundRobin,
        FormatName::Gauntlet => Format::Gauntlet { seeds: args.seeds.unwrap_or(1) },
        FormatName::Swiss => {
            Format::Swiss { rounds: args.rounds.unwrap_or_else(|| rounds_of_a_knockout(contestants)) }
        }
        FormatName::Knockout => Format::Knockout,
    };
    let course = Course { format, games_per_match: args.games, max_faults: args.max_faults };
    let schedule = Schedule::new(format, contestants, args.games)
        .map_err(|error| Failure::input(error.to_string(), "see `arena run --help` for the formats"))?;
    Ok((course, schedule))
}

/// As many rounds as it takes to find one that has won all its matches.
fn rounds_of_a_knockout(contestants: usize) -> u32 {
    contestants.next_power_of_two().ilog2().max(1)
}

fn rules(args: &GameArgs) -> Result<GameRules, Failure> {
    let named = match &args.rules {
        Some(name) => rules_file::load(name)?,
        None => GameRules::default_of(GameKind::Battleship),
    };
    if args.width.is_none() && args.height.is_none() {
        return Ok(named);
    }
    match named {
        GameRules::Submarine(_) => Err(Failure::input(
            "submarine is played on 5 columns by 5 rows",
            "leave out --width and --height",
        )),
        GameRules::Battleship(rules) => {
            let size = Size::new(args.width.unwrap_or(rules.width), args.height.unwrap_or(rules.height));
            let rules = rules.with_size(size);
            match rules.validate() {
                Ok(()) => Ok(GameRules::Battleship(rules)),
                Err(error) => Err(Failure::input(error.to_string(), "choose another --width and --height")),
            }
        }
    }
}
