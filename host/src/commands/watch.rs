//! `arena watch`: a game between two bots on the screen, as it is played.

use super::replay::GAME_KEYS;
use crate::admission::{self, Ready};
use crate::cli::{GameArgs, SeedArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::game::{Playable, Table, referee};
use crate::screen::{self, Teller};
use crate::values::whole;
use arena_league::match_games;
use arena_rules::{Seat, with_game};
use arena_sandbox::SandboxedPlayer;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena watch`.
#[derive(Args, Clone, Debug)]
#[command(after_help = format!("Example: arena watch bots/hunter.wasm bots/random.wasm\n\n{GAME_KEYS}"))]
pub struct WatchArgs {
    /// The bot in seat 1 of the first game
    #[arg(value_name = "BOT")]
    pub first: PathBuf,

    /// The other bot
    #[arg(value_name = "BOT")]
    pub second: PathBuf,

    /// Game of their match; the seats swap each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1_000_000_u32))]
    pub number: u32,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The next step without a terminal.
const ELSEWHERE: &str = "play it with `arena run`, and show a transcript with `arena replay --headless`";

/// Plays the game and shows it.
pub fn watch(args: &WatchArgs, console: &mut Console) -> Result<(), Failure> {
    let paths = [args.first.clone(), args.second.clone()];
    let ready = admission::require(&args.game, &args.seed, &paths, console)?;
    with_game!(ready.plan.conditions.rules.kind(), G => show::<G>(args.number, &ready, console))
}

fn show<G: Playable>(number: u32, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt } = ready;
    let fixture = match_games(0, 1, number).last().expect("a match has a game");
    let header = Table { plan, contestants, keeps_transcripts: false }.header(fixture);
    let seated = |seat: Seat| {
        let (bot, seed) = (fixture.seats[seat.index()], header.bots[seat.index()].seed);
        contestants[bot].bot.player::<G>(seed, plan.times)
    };
    let (first, second) = (seated(Seat::First)?, seated(Seat::Second)?);
    let shown = arena_tui::watch::<G, _>(header.clone(), screen::options(interrupt), |feed| {
        let mut first = feed.watched(Seat::First, first, SandboxedPlayer::log);
        let mut second = feed.watched(Seat::Second, second, SandboxedPlayer::log);
        let mut teller = Teller::new(feed);
        // A watched game is not restarted when the watchdog stops it: it is scored, and says so.
        let ended = referee(&header, [&mut first, &mut second], true, &mut |event| teller.tell(event));
        teller.end(ended)
    });
    screen::finish(shown, ELSEWHERE, &header, console)
}
