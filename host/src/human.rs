//! `arena play`: a person against a bot.

use crate::admission::{self, Ready};
use crate::cli::PlayArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::game::{Draw, Table, referee};
use crate::screen::{self, Teller};
use arena_record::{Contestant, Header};
use arena_rules::Seat;
use arena_sandbox::SandboxedPlayer;
use std::slice;

/// What a person is called in tables and recordings, which others may read.
const PERSON: &str = "human";

/// What to do without a terminal.
const ELSEWHERE: &str = "play in a terminal of at least 60 columns by 20 rows";

/// Lets the person at the terminal play.
pub fn play(args: &PlayArgs, console: &mut Console) -> Result<(), Failure> {
    let ready = admission::require(&args.game, slice::from_ref(&args.bot), console)?;
    let Ready { plan, contestants, engine, interrupt } = &ready;
    let opponent = &contestants[0];
    let mine = if args.seat == 1 { Seat::First } else { Seat::Second };
    let header = header(&Table { plan, engine, contestants }, mine);

    let shown = arena_tui::play(header.clone(), mine, screen::options(interrupt), |mut person, feed| {
        let theirs = mine.other();
        let player = opponent.bot.player(header.bots[theirs.index()].seed);
        let mut bot = feed.watched(theirs, player, SandboxedPlayer::log);
        let mut teller = Teller::new(feed);
        let mut tell = |event| teller.tell(event);
        // The bot's budgets stay in force; what the watchdog stops is scored, for nobody begins again.
        let ended = match mine {
            Seat::First => referee(&header, (&mut person, &mut bot), true, &mut tell),
            Seat::Second => referee(&header, (&mut bot, &mut person), true, &mut tell),
        };
        teller.end(ended)
    });
    screen::finish(shown, ELSEWHERE, &header, console)
}

/// The header of the game: a person has no component, and so no hash.
fn header(table: &Table<'_>, mine: Seat) -> Header {
    let opponent = &table.contestants[0];
    let mut hashes = [opponent.bot.hash(); 2];
    hashes[mine.index()] = "";
    let draw = Draw::of(&table.plan.rules, table.plan.seed, 0, hashes);
    let entry = |seat: Seat| {
        let seed = draw.sides[seat.index()];
        if seat == mine {
            Contestant { label: PERSON.into(), name: PERSON.into(), sha256: String::new(), seed }
        } else {
            opponent.entry(seed)
        }
    };
    table.header_of(1, opponent.contract(), Seat::BOTH.map(entry), draw)
}
