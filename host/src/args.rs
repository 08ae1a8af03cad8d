//! The groups of options that several commands have, and the engine's options made from them.

use crate::failure::Failure;
use crate::help::COMMON;
use crate::values::{game_seconds, game_setting, open_seed, seconds, whole};
use arena_cluster::{RemoteOptions, Server, Trust};
use arena_engine::internals::ranking::OrderBy;
use arena_engine::internals::rules_file;
use arena_engine::{FormatKind, GameChoice, GameOptions, TournamentOptions};
use arena_platform::folders::CACHES;
use arena_players::{LimitOptions, TimeOptions};
use arena_record::Seed;
use arena_rules::{GameRules, ScoreRange};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// The format of a tournament.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentArgs {
    /// Games per pairing; seats swap each game [default: 10]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_u32))]
    pub games: Option<u32>,

    /// Format of the tournament [default: round-robin]
    #[arg(long, value_enum, value_name = "NAME")]
    pub format: Option<FormatName>,

    /// Gauntlet: the first N play all others [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), hide_short_help = true)]
    pub challengers: Option<u32>,

    /// Swiss: number of rounds [default: a knockout's]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), hide_short_help = true)]
    pub rounds: Option<u32>,

    /// Swiss, knockout: seed the bots by a journal's ratings
    ///
    /// Without it, the bots are seeded in the order in which they are named. A bot is found in the journal by its component, or else by
    /// its label. Unrated bots are seeded last.
    #[arg(long, value_name = "JOURNAL", hide_short_help = true)]
    pub seeding: Option<PathBuf>,

    /// Disqualify after faults in N games [default: never]
    ///
    /// A disqualified bot plays no more and loses its remaining games. The disqualification applies to its name: a later file under
    /// that name does not play in the season either. 0 removes the limit of a journal.
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    pub max_faults: Option<u32>,
}

/// The form of the standings.
#[derive(Args, Clone, Debug)]
pub struct TableArgs {
    /// Bot whose rating is 0 [default: the one in the middle]
    ///
    /// Ratings are differences to this bot, which is named by its label.
    #[arg(long, value_name = "BOT", hide_short_help = true)]
    pub anchor: Option<String>,

    /// Order of the bots
    ///
    /// The score is one that the game gives, such as shots saved in Battleship. Ratings always follow from results.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t, hide_short_help = true)]
    pub by: OrderName,

    /// Show the first N bots of the table only
    ///
    /// By default a table of more than 60 bots shows its two ends.
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub top: Option<u32>,
}

impl TableArgs {
    /// The number of rows to show.
    pub fn rows_max(&self) -> Option<usize> {
        self.top.map(|top| usize::try_from(top).unwrap_or(usize::MAX))
    }

    /// What the bots are in the order of.
    ///
    /// # Errors
    /// A game by these rules has no scores.
    pub fn order_by(&self, rules: &GameRules) -> Result<OrderBy, Failure> {
        match self.by {
            OrderName::Result => Ok(OrderBy::Result),
            OrderName::Score => scores_of(rules).map(|_| OrderBy::Score),
        }
    }
}

/// The range of the scores that a game by these rules gives, for `--by score`.
///
/// # Errors
/// It gives none.
pub fn scores_of(rules: &GameRules) -> Result<ScoreRange, Failure> {
    rules.score_range().ok_or_else(|| {
        Failure::usage(
            format!("{} has no scores", rules.game()),
            "leave out --by score; a game that is a component has them if it describes their range",
        )
    })
}

/// The name of an order of bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// By place, points or rating, depending on the format
    #[default]
    Result,
    /// By the mean score
    Score,
}

/// The name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Every bot plays every other
    RoundRobin,
    /// The bots named first play all others
    Gauntlet,
    /// Rounds between bots with about the same points
    Swiss,
    /// The loser of a match is out
    Knockout,
}

/// The game and its rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct GameArgs {
    /// Built-in rules or a file [default: the game's]
    ///
    /// The built-in rules are guide, classic and pirates for Battleship, and submarine. `arena rules show` prints them as a file.
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,

    /// A game that is a component, instead of a built-in one
    ///
    /// `arena new NAME --game` makes one, and `arena check` checks it. A journal keeps its game.
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    pub game: Option<PathBuf>,

    /// Value of an option of --game [default: the game's]
    ///
    /// `arena check GAME.wasm` lists the options of a game. Repeat it for several options.
    #[arg(long, value_name = "NAME=N", requires = "game", value_parser = game_setting, hide_short_help = true)]
    pub set: Vec<(String, i64)>,

    /// Columns of the board, 1 to 32 [default: the rules']
    #[arg(long, value_name = "N", value_parser = whole(1..=32_u8), hide_short_help = true)]
    pub width: Option<u8>,

    /// Rows of the board, 1 to 32 [default: the rules']
    #[arg(long, value_name = "N", value_parser = whole(1..=32_u8), hide_short_help = true)]
    pub height: Option<u8>,

    /// Games at the same time [default: number of cores]
    ///
    /// The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
    pub jobs: Option<u16>,

    /// The limits of a bot.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// The random seed of a command that does not keep it secret.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct SeedArgs {
    /// Random seed, to repeat a run [default: a fresh one]
    ///
    /// A number, or 64 hexadecimal digits.
    #[arg(long, value_name = "N|HEX", value_parser = open_seed)]
    pub seed: Option<Seed>,
}

/// The limits of a bot.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = COMMON)]
pub struct LimitArgs {
    /// Fuel per turn [default: the rules' budget]
    ///
    /// It is for a turn with all its retries, and the same for the deployment. A unit is about one WebAssembly instruction.
    #[arg(long, value_name = "UNITS", value_parser = whole(1..=u64::MAX), hide_short_help = true)]
    pub fuel: Option<u64>,

    /// Memory per bot, in MiB [default: 64]
    #[arg(long, value_name = "MIB", value_parser = whole(1..=4_096_u32), hide_short_help = true)]
    pub memory: Option<u32>,

    /// The limits of wall-clock time.
    #[command(flatten)]
    pub times: TimeArgs,
}

/// The limits of wall-clock time.
#[derive(Args, Clone, Copy, Debug)]
pub struct TimeArgs {
    /// Watchdog per turn [default: 10 turn budgets]
    ///
    /// Seconds of wall-clock time. A game that it stops is played again, at most twice.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, hide_short_help = true)]
    pub timeout: Option<Duration>,

    /// Watchdog per game [default: 100 turn budgets]
    ///
    /// Seconds of wall-clock time. Each side has half of it for all its turns.
    #[arg(long, value_name = "SECONDS", value_parser = game_seconds, hide_short_help = true)]
    pub game_timeout: Option<Duration>,
}

/// The cache of compiled bots.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = COMMON)]
pub struct CacheArgs {
    /// The folder of compiled bots.
    #[arg(long, value_name = "DIR", hide_short_help = true, help = format!("Folder of compiled bots [default: {CACHES}arena]"))]
    pub cache: Option<PathBuf>,

    /// Largest cache, in MiB; the least recently used bots are removed first
    #[arg(long, value_name = "MIB", conflicts_with = "no_cache", hide_short_help = true)]
    #[arg(default_value_t = 2_048, value_parser = whole(0..=1_048_576_u32))]
    pub cache_size: u32,

    /// Do not read or write compiled bots
    #[arg(long, conflicts_with = "cache", hide_short_help = true)]
    pub no_cache: bool,
}

/// The looks of a screen.
#[derive(Args, Clone, Copy, Debug)]
pub struct ScreenArgs {
    /// Do not animate shots and sinkings
    #[arg(long, hide_short_help = true)]
    pub no_animation: bool,
}

/// The dashboard of `run`.
#[derive(Args, Clone, Copy, Debug)]
pub struct DashboardArgs {
    /// The looks of the screen.
    #[command(flatten)]
    pub screen: ScreenArgs,

    /// With --watch: close the screen this long after the last game
    ///
    /// A key that is pressed keeps the screen open.
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = seconds, hide_short_help = true)]
    pub linger: Option<Duration>,
}

/// The form in which a result is printed. Each command offers some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Text for a reader
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values, with a header
    Csv,
    /// JSON Lines, a document in each line
    Jsonl,
    /// A line for each stack, with its samples, for other programs
    Folded,
}

impl TournamentArgs {
    /// The tournament that is asked for.
    pub fn options(&self) -> TournamentOptions {
        let format = |name| match name {
            FormatName::RoundRobin => FormatKind::RoundRobin,
            FormatName::Gauntlet => FormatKind::Gauntlet,
            FormatName::Swiss => FormatKind::Swiss,
            FormatName::Knockout => FormatKind::Knockout,
        };
        TournamentOptions {
            games_per_match: self.games,
            format: self.format.map(format),
            challengers: self.challengers,
            neighbours: None,
            resting: None,
            games_before: None,
            full_round: None,
            rounds: self.rounds,
            seeding: self.seeding.clone(),
            max_faults: self.max_faults,
        }
    }
}

impl GameArgs {
    /// The game that is asked for.
    pub fn options(&self) -> GameOptions {
        let Self { rules, game, set, width, height, jobs, limits, cache } = self;
        let game = game.as_ref().map(|file| GameChoice::new(file.clone(), set.clone(), cache.options()));
        let limits = limits.options();
        GameOptions { rules: rules.clone(), game, width: *width, height: *height, jobs: *jobs, limits }
    }
}

/// The rules of trial games: those of this game with values of its options, or those that are named; none for all that are built in.
///
/// # Errors
/// A game, an option or rules that cannot be used, or a failure of the arena.
pub fn trial_rules<'a>(
    game: Option<&PathBuf>,
    settings: &[(String, i64)],
    names: impl IntoIterator<Item = &'a String>,
    cache: &CacheArgs,
) -> Result<Vec<GameRules>, Failure> {
    match game {
        Some(file) => Ok(vec![GameChoice::new(file.clone(), settings.to_vec(), cache.options()).load()?]),
        None => Ok(names.into_iter().map(|name| rules_file::load(name)).collect::<Result<_, _>>()?),
    }
}

impl LimitArgs {
    /// The limits that are asked for.
    pub fn options(&self) -> LimitOptions {
        LimitOptions { fuel_per_turn: self.fuel, memory_mib: self.memory, times: self.times.options() }
    }
}

impl TimeArgs {
    /// The given limits of wall-clock time.
    pub fn options(&self) -> TimeOptions {
        TimeOptions { turn: self.timeout, game: self.game_timeout }
    }
}

/// The options of `arena run` and `arena club serve` for workers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Workers")]
pub struct RemoteArgs {
    /// Play on workers connected to this NATS server
    ///
    /// The address is nats://HOST:4222 or tls://HOST:4222.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub workers: Option<String>,

    /// Percentage of games to replay here, to detect lying workers [default: set by --trust, otherwise 0]
    #[arg(long, value_name = "PERCENT", requires = "workers", hide_short_help = true)]
    #[arg(value_parser = whole(0..=100_u8))]
    pub recheck: Option<u8>,

    /// Trust in the people who run the workers
    #[arg(long, value_name = "LEVEL", requires = "workers", hide_short_help = true)]
    pub trust: Option<TrustLevel>,

    /// Register file of admitted workers; reloaded when it changes
    #[arg(long, value_name = "FILE", requires = "workers", hide_short_help = true)]
    pub admit: Option<PathBuf>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME", requires = "workers", hide_short_help = true)]
    pub contest: Option<String>,
}

/// The trust in the people who run the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TrustLevel {
    /// Your own machines: 1 % of the games are replayed
    Own,
    /// People you know: 5 % are replayed; needs --admit
    Known,
    /// Strangers: 5 %, and two owners play each game; needs --admit
    Strangers,
}

impl RemoteArgs {
    /// The workers that are asked for; `None` to play on this machine.
    ///
    /// # Errors
    /// The address of the server or the name of the contest is invalid.
    pub fn options(&self) -> Result<Option<RemoteOptions>, Failure> {
        let Some(server) = &self.workers else { return Ok(None) };
        let trust = match self.trust {
            None => Trust::Full,
            Some(TrustLevel::Own) => Trust::Own,
            Some(TrustLevel::Known) => Trust::Known,
            Some(TrustLevel::Strangers) => Trust::Strangers,
        };
        Ok(Some(RemoteOptions {
            server: Server::of(server, self.contest.as_deref())?,
            trust,
            recheck: self.recheck,
            register: self.admit.clone(),
        }))
    }
}
