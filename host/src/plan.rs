//! Arguments made into a plan that can be carried out: everything about it has been checked.

use crate::cli::{LimitArgs, RunArgs};
use crate::failure::Failure;
use crate::roster::Contestant;
use crate::rules_file;
use arena_record::Limits;
use arena_rules::{GameKind, GameRules, Size};
use arena_sandbox::{SandboxLimits, fuel_of_milliseconds};
use std::time::Duration;

/// What is to be played, and within which limits.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game and its rules, valid.
    pub rules: GameRules,
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
    /// The plan that the arguments ask for. Where they name no rules, it is for Battleship until the bots are known.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn new(args: &RunArgs) -> Result<Self, Failure> {
        Ok(Self::by(rules(args)?, args))
    }

    /// The plan for these bots, which have to be for one game.
    ///
    /// # Errors
    /// Bots for two games, or for another game than the arguments are.
    pub fn for_bots(self, args: &RunArgs, contestants: &[Contestant]) -> Result<Self, Failure> {
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

    fn by(rules: GameRules, args: &RunArgs) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let LimitArgs { fuel, memory, .. } = args.limits;
        Self {
            games_per_match: args.games,
            seed: args.seed,
            jobs: args.jobs.map_or(cores, usize::from),
            limits: Limits {
                fuel_per_turn: fuel.unwrap_or_else(|| fuel_of_milliseconds(rules.turn_budget_ms().into())),
                memory_bytes: u64::from(memory) << 20,
            },
            turn_wall_clock: args.limits.watchdog(rules.turn_budget_ms()),
            rules,
        }
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

fn rules(args: &RunArgs) -> Result<GameRules, Failure> {
    let named = match &args.rules {
        Some(name) => rules_file::load(name)?,
        None => GameRules::default_of(GameKind::Battleship),
    };
    let (GameRules::Battleship(named), true) = (&named, args.width.is_some() || args.height.is_some()) else {
        return match named {
            GameRules::Submarine(_) if args.width.is_some() || args.height.is_some() => Err(Failure::input(
                "submarine is played on 5 columns by 5 rows",
                "leave out --width and --height",
            )),
            _ => Ok(named),
        };
    };
    let size = Size::new(args.width.unwrap_or(named.width), args.height.unwrap_or(named.height));
    let rules = named.clone().with_size(size);
    rules
        .validate()
        .map_err(|error| Failure::input(error.to_string(), "choose another --width and --height"))?;
    Ok(GameRules::Battleship(rules))
}
