//! `arena watch`: a game between two bots on the screen, while it is played.

use crate::admission;
use crate::cli::WatchArgs;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::game::{Table, referee};
use crate::interrupt::Interrupt;
use crate::plan::Plan;
use crate::report;
use crate::roster;
use crate::screen::{self, Teller};
use arena_league::match_games;
use arena_rules::Seat;
use arena_sandbox::SandboxedPlayer;

/// What to do without a terminal.
const ELSEWHERE: &str = "play it with `arena run`, and look at a transcript with `arena replay --headless`";

/// Plays the game and shows it.
pub fn watch(args: &WatchArgs, console: &mut Console) -> Result<(), Failure> {
    let plan = Plan::new(&args.game)?;
    let paths = [args.first.clone(), args.second.clone()];
    paths.iter().try_for_each(|path| roster::check_path(path))?;
    let interrupt = Interrupt::listen()?;
    let sandbox = admission::sandbox(plan.sandbox_limits.clone(), &args.game.cache)?;
    let roster = admission::admit(&sandbox, &paths, plan.jobs, &interrupt, console)?;
    if let Some(refused) = roster.refused.first() {
        return Err(Failure::Refused(report::refusal(refused)));
    }
    let plan = plan.for_bots(&args.game, &roster.contestants)?;
    let engine = sandbox.engine_hash();
    let table = Table { plan: &plan, engine: &engine, contestants: &roster.contestants };
    let fixture = match_games(0, 1, args.number).last().expect("a match has a game");
    let header = table.header(fixture);
    interrupt.answer(console::note_interrupt);

    let shown = arena_tui::watch(header.clone(), screen::options(&interrupt), |feed| {
        let seated = |seat: Seat| {
            let player =
                roster.contestants[fixture.seats[seat.index()]].bot.player(header.bots[seat.index()].seed);
            feed.watched(seat, player, SandboxedPlayer::log)
        };
        let mut players = Seat::BOTH.map(seated);
        let [first, second] = &mut players;
        let mut teller = Teller::new(feed);
        // What is watched is not begun again when the watchdog stops it: it is scored, and says so.
        let ended = referee(&header, (first, second), true, &mut |event| teller.tell(event));
        teller.end(ended)
    });
    let (ended, events) = shown.map_err(|error| screen::failure(error, ELSEWHERE))?;
    if let Some(line) = events?.and_then(|events| screen::line(&header, &events)) {
        console.line(&line)?;
    }
    screen::verdict(ended)
}
