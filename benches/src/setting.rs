//! The rules, bots and boards that are measured.

use arena_referee::{Event, GamePlan, Player, Solo, play_game, play_solo};
use arena_rules::battleship::{Battleship, GameInfo, Ruleset};
use arena_rules::{Game, Listed, Rules, Seat};
use arena_sandbox::{Bot, STACK_BYTES, Sandboxed, SandboxedPlayer, TimeLimits, fuel_of_milliseconds};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The names of the rule sets, as in the tables.
pub const RULES: [&str; 3] = ["guide", "classic", "pirates"];

/// The names of the bots, as in the tables.
pub const BOTS: [&str; 2] = ["random", "hunter"];

/// A bot that thinks for some milliseconds a game, so that what a second worker gains is not hidden by what each game costs the arena.
pub const THINKING_BOT: &str = "posterior";

/// The names of the bots in contests with workers on other machines.
pub const REMOTE_BOTS: [&str; 4] = ["random", "hunter", "density", "posterior"];

/// The clubs whose pages are read while they play: a name in the tables, and their bots. One has quick bots, and one bots that think.
pub const CLUB_BOTS: [(&str, [&str; 2]); 2] =
    [("quick", ["random", "hunter"]), ("thinking", ["posterior", "density"])];

/// The pages that are asked for in a second.
pub const CLUB_PAGES_A_SECOND: u32 = 1_000;

/// A watchdog that no bot waits for.
const WATCHDOG: TimeLimits = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) };

/// The rule set of a name.
///
/// # Panics
/// If there is no such rule set.
pub fn rules(name: &str) -> Ruleset {
    Battleship::built_in()
        .into_iter()
        .find(|rules| rules.name() == name)
        .unwrap_or_else(|| panic!("{name} is not a rule set of Battleship"))
}

/// The file of a house bot, which `cargo xtask bots` builds.
pub fn house_bot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots").join(name).with_extension("wasm")
}

/// The boards of Connect Four, by their names in the results, with their columns and rows: the usual one, and one with more cells than a
/// board of Hex.
pub const CONNECT_FOUR_BOARDS: [(&str, [u8; 2]); 2] =
    [("connect four", [7, 6]), ("connect four of 12 by 12", [12, 12])];

/// The file of Connect Four as a component, which `cargo xtask bots` builds.
pub fn connect_four() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games/connect-four/connect-four.wasm")
}

/// The file of a quick bot for it.
pub fn connect_four_bot() -> PathBuf {
    connect_four().with_file_name("bots/one-ahead/one-ahead.wasm")
}

/// Does work on a thread with the stack of those on which the arena plays: on any other, each call of a bot starts one of its own, and the
/// processor time of the bot is not that of the thread that measures.
///
/// # Panics
/// If the machine has no room for the thread, or if the work panics.
pub fn on_enough_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    arena_resources::on_stack("bench", STACK_BYTES, work).expect("there is room")
}

/// A fresh player of a sandboxed bot.
///
/// # Panics
/// If the bot plays another game.
pub fn sandboxed<G: Sandboxed>(bot: &Bot, seed: u64) -> SandboxedPlayer<G> {
    bot.player(seed, WATCHDOG).expect("the bot plays this game")
}

/// The fuel of a turn by these rules.
pub fn fuel_per_turn(rules: &impl Rules) -> u64 {
    fuel_of_milliseconds(rules.turn_budget_ms().into())
}

/// A board that a bot clears alone, drawn before anything is measured.
#[derive(Clone, Debug)]
pub struct Board {
    info: GameInfo,
    game: Battleship,
}

impl Board {
    /// The board of a seed.
    ///
    /// # Panics
    /// If the rules do not allow a side to play alone.
    pub fn drawn(rules: &Ruleset, seed: u64) -> Self {
        let game = Battleship::draw_solo(rules, seed).expect("a house rule set suits one player");
        Self { info: Battleship::info(rules, fuel_per_turn(rules), seed), game }
    }

    /// The random seed of the player.
    pub fn seed(&self) -> u64 {
        self.info.seed
    }

    /// Lets a player clear the board and returns the number of shots.
    ///
    /// # Panics
    /// If the player faults: a house bot does not.
    pub fn clear(&self, player: &mut dyn Player<Battleship>) -> u32 {
        match play_solo(&self.info, self.game.clone(), self.info.fuel_per_turn, player) {
            Ok(Solo::Cleared { turns, .. }) => turns,
            other => panic!("a house bot clears each board: {other:?}"),
        }
    }
}

/// The random seeds of the two sides in the game of a number.
pub fn side_seeds(number: u64) -> [u64; 2] {
    [2 * number, 2 * number + 1]
}

/// Referees the game of a number and returns its events.
///
/// # Panics
/// If the game has no result.
pub fn play<G: Game>(rules: &G::Rules, number: u64, players: [&mut dyn Player<G>; 2]) -> Vec<Event<G>> {
    let plan = GamePlan {
        rules,
        fuel_per_turn: fuel_per_turn(rules),
        side_seeds: side_seeds(number),
        fleet_seed: number,
        starter: Seat::First,
        score_wall_clock: false,
    };
    let mut events = Vec::new();
    play_game(&plan, players, &mut |event| events.push(event)).expect("the game has a result");
    events
}
