//! `arena watch`: a game between two bots on the screen, while it is played.

use crate::admission::{self, Ready};
use crate::cli::WatchArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::game::{Table, referee};
use crate::screen::{self, Teller};
use arena_league::match_games;
use arena_rules::Seat;
use arena_sandbox::SandboxedPlayer;

/// What to do without a terminal.
const ELSEWHERE: &str = "play it with `arena run`, and look at a transcript with `arena replay --headless`";

/// Plays the game and shows it.
pub fn watch(args: &WatchArgs, console: &mut Console) -> Result<(), Failure> {
    let paths = [args.first.clone(), args.second.clone()];
    let ready = admission::require(&args.game, &paths, console)?;
    let Ready { plan, contestants, engine, interrupt } = &ready;
    let table = Table { plan, engine, contestants };
    let fixture = match_games(0, 1, args.number).last().expect("a match has a game");
    let header = table.header(fixture);

    let shown = arena_tui::watch(header.clone(), screen::options(interrupt), |feed| {
        let seated = |seat: Seat| {
            let player = contestants[fixture.seats[seat.index()]].bot.player(header.bots[seat.index()].seed);
            feed.watched(seat, player, SandboxedPlayer::log)
        };
        let mut players = Seat::BOTH.map(seated);
        let [first, second] = &mut players;
        let mut teller = Teller::new(feed);
        // What is watched is not begun again when the watchdog stops it: it is scored, and says so.
        let ended = referee(&header, (first, second), true, &mut |event| teller.tell(event));
        teller.end(ended)
    });
    screen::finish(shown, ELSEWHERE, &header, console)
}
