//! `arena play`: a person against a bot, or two persons at one screen.

use crate::admission::{self, Ready};
use crate::args::{GameArgs, ScreenArgs, SeedArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::output;
use crate::screen::{self, Playable, Teller, Watched};
use crate::values::{WrongValue, whole};
use arena_engine::internals::roster;
use arena_live::person_id;
use arena_players::{CalledBots, CalledPlayer, Draw, header, referee};
use arena_record::Label;
use arena_rules::{Seat, with_game};
use arena_web::{LocalPage, Opponent};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena play`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena play builtin:hunter\n          arena play builtin:hunter --web\n          arena play --game my-game.wasm\n\nKeys: arrows and Enter, or a typed cell: b7, or row,column: 7,1; \
                        x a random deployment, ! a hint, ? all keys, q leave. With --game: ↑ ↓ and Enter, or a typed action"
)]
pub struct PlayArgs {
    /// The bot to play against, a .wasm file or `builtin:NAME`; with --game, without one, you play both seats
    #[arg(required_unless_present = "game")]
    pub bot: Option<PathBuf>,

    /// Your seat; seat 1 begins, unless the rules draw who begins
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=2_u8), requires = "bot")]
    pub seat: u8,

    /// Your name, in tables and recordings
    #[arg(long, value_name = "NAME", default_value = "human", value_parser = person)]
    pub name: Label,

    /// Play in a browser: serve a page on this machine, and print its address
    ///
    /// Only browsers on this machine reach the page, by the secret in its address. Ctrl-C ends it.
    #[arg(long, requires = "bot")]
    pub web: bool,

    /// The looks of the screen.
    #[command(flatten)]
    pub screen: ScreenArgs,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Reads the name of a person: one line that is not empty.
fn person(text: &str) -> Result<Label, WrongValue> {
    let name = arena_text::line(text, roster::LABEL_CHARS_MAX);
    match name.trim() {
        "" => Err(WrongValue::new("is not a name", "a name with a letter in it")),
        name => Ok(name.into()),
    }
}

/// The next step without a terminal.
const ELSEWHERE: &str = "play in a terminal of at least 60 columns by 20 rows";

/// Lets the person at the terminal play.
pub fn play(args: &PlayArgs, console: &mut Console) -> Result<(), Failure> {
    let bot = args.bot.clone().unwrap_or_else(|| "builtin:random".into());
    let ready = admission::require(&args.game, &args.seed, &[bot], console)?;
    let mine = if args.seat == 1 { Seat::First } else { Seat::Second };
    if args.web {
        return on_page(mine, args, ready, console);
    }
    with_game!(ready.plan.conditions.rules.kind(), G => match args.bot {
        Some(_) => show::<G>(mine, args, &ready, console),
        None => show_both::<G>(args, &ready, console),
    })
}

/// Serves a page on which the person plays, until the user ends it.
fn on_page(seat: Seat, args: &PlayArgs, ready: Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, mut contestants, interrupt, sandbox } = ready;
    admission::note_gaps(&sandbox, console);
    let contestant = contestants.swap_remove(0);
    let page = LocalPage::open(Opponent { sandbox, contestant, plan, person: args.name.clone(), seat })?;
    console.line(page.address())?;
    console.note("open this address in a browser of this machine; Ctrl-C ends the page");
    let end = page.end();
    interrupt.answer(move || {
        end();
        console::note_interrupt();
    });
    if interrupt.requested() {
        page.end()();
    }
    let games = page.serve()?;
    let seed = games.last().map(|(header, _)| header.conditions.seed);
    for (number, (header, result)) in (1..).zip(games) {
        console.line(output::served(number, header.labels(), &Ok(result)))?;
    }
    if let Some(seed) = seed {
        console.line(format!("seed {seed}"))?;
    }
    Err(Failure::Interrupted("interrupted".into()))
}

/// Lets persons play both seats.
fn show_both<G: Playable>(args: &PlayArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    admission::note_gaps(sandbox, console);
    let bots = [1, 2].map(|seat| person_id(format!("{} {seat}", args.name).into()));
    let draw = Draw::of(plan, 0, [&bots[0].sha256, &bots[1].sha256]);
    // The bot of no game: it only states the contract.
    let header = header(plan, 1, contestants[0].bot.contract(), bots, draw);
    let shown = arena_tui::play_both::<G, _>(
        header.clone(),
        header.starter,
        screen::options(args.screen, interrupt),
        |[mut first, mut second], feed| {
            let mut teller = Teller::new(feed);
            let ended = referee(&header, [&mut first, &mut second], true, &mut |event| teller.tell(event));
            let watched = |events| Watched { header: header.clone(), events };
            Ok(teller.end(ended)?.map(watched).into_iter().collect())
        },
    );
    screen::finish(shown, 1, ELSEWHERE, console)
}

fn show<G: Playable>(
    mine: Seat,
    args: &PlayArgs,
    ready: &Ready,
    console: &mut Console,
) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let opponent = &contestants[0];
    let mut bots = [opponent.id.clone(), opponent.id.clone()];
    bots[mine.index()] = person_id(args.name.clone());
    let draw = Draw::of(plan, 0, [&bots[0].sha256, &bots[1].sha256]);
    let theirs = mine.other();
    let seats = CalledBots::new(sandbox, vec![opponent.bot.clone()], &plan.conditions, plan.times)?;
    admission::note_gaps(sandbox, console);
    let player = seats.seat::<G>(0, draw.sides[theirs.index()])?;
    let header = header(plan, 1, opponent.bot.contract(), bots, draw);

    let shown = arena_tui::play::<G, _>(
        header.clone(),
        mine,
        screen::options(args.screen, interrupt),
        |mut person, feed| {
            let mut bot = feed.watched(theirs, player, CalledPlayer::log);
            let mut teller = Teller::new(feed);
            let mut tell = |event| teller.tell(event);
            // The bot's budgets stay in force; a turn that the watchdog stops is scored, since the game is not restarted.
            let ended = match mine {
                Seat::First => referee(&header, [&mut person, &mut bot], true, &mut tell),
                Seat::Second => referee(&header, [&mut bot, &mut person], true, &mut tell),
            };
            let watched = |events| Watched { header: header.clone(), events };
            Ok(teller.end(ended)?.map(watched).into_iter().collect())
        },
    );
    screen::finish(shown, 1, ELSEWHERE, console)
}
