//! `arena watch`: games between two bots on the screen, as they are played.

use super::replay::GAME_KEYS;
use super::tv::tv;
use crate::admission::{self, Ready};
use crate::args::{GameArgs, ScreenArgs, SeedArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::screen::{self, Playable, Teller, Watched};
use crate::values::{WrongValue, one_of, whole};
use arena_league::{Fixture, match_games};
use arena_players::{CalledBots, CalledPlayer, Runner, referee};
use arena_referee::HostError;
use arena_resources::NewThread;
use arena_rules::{Seat, with_game};
use arena_tui::{Ended, Feed};
use arena_web::WatchPage;
use clap::Args;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

/// Arguments of `arena watch`.
#[derive(Args, Clone, Debug)]
#[command(after_help = format!("Example: arena watch bots/hunter.wasm bots/random.wasm\n\n{GAME_KEYS}"))]
pub struct WatchArgs {
    /// The bot in seat 1 of the first game, a .wasm file or `builtin:NAME`
    #[arg(value_name = "BOT", required_unless_present = "tv")]
    pub first: Option<PathBuf>,

    /// The other bot
    #[arg(value_name = "BOT", required_unless_present = "tv")]
    pub second: Option<PathBuf>,

    /// Show a journal on a projector: standings and its best games
    #[arg(long, value_name = "JOURNAL", conflicts_with_all = ["first", "second", "number", "games", "boards", "seed"])]
    pub tv: Option<PathBuf>,

    /// Number of the first game in their match; the seats swap each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1_000_000_u32))]
    pub number: u32,

    /// Games to watch in sequence
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1_000_000_u32))]
    pub games: u32,

    /// Games side by side, 2 or 4
    #[arg(long, value_name = "N", value_parser = boards)]
    pub boards: Option<u32>,

    /// Watch in a browser: serve a page on this machine, and print its address
    ///
    /// Only browsers on this machine reach the page, by the secret in its address. Each shows the games at its own speed. The next game of
    /// a series begins when one of them has shown the one before. Ctrl-C ends it.
    #[arg(long, conflicts_with_all = ["tv", "boards", "no_animation"])]
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

/// The stack of a board's thread. Chosen: twice as much as the standard library gives a thread.
const STACK_BYTES: usize = 4 << 20;

/// Parses the number of boards.
fn boards(text: &str) -> Result<u32, WrongValue> {
    match text {
        "2" => Ok(2),
        "4" => Ok(4),
        _ => Err(WrongValue::new("is not a number of games that fit side by side", one_of(&[2, 4]))),
    }
}

/// The next step without a terminal.
const ELSEWHERE: &str = "play it with `arena run`, and show a transcript with `arena replay --headless`";

/// Plays the games and shows them.
pub fn watch(args: &WatchArgs, console: &mut Console) -> Result<(), Failure> {
    if let Some(journal) = &args.tv {
        return tv(journal, args.screen);
    }
    let bots: Vec<PathBuf> = args.first.iter().chain(&args.second).cloned().collect();
    let ready = admission::require(&args.game, &args.seed, &bots, console)?;
    with_game!(ready.plan.conditions.rules.kind(), G => show::<G>(args, &ready, console))
}

fn show<G: Playable>(args: &WatchArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let runner = Runner { plan, contestants, keeps_transcripts: false, keeps_journal: false };
    let bots = contestants.iter().map(|contestant| contestant.bot.clone()).collect();
    let seats = CalledBots::new(sandbox, bots, &plan.conditions, plan.times)?;
    admission::note_gaps(sandbox, console);
    let boards = args.boards.unwrap_or(1);
    let games = args.games.max(boards);
    let last = args.number.saturating_add(games - 1);
    let fixtures: Vec<Fixture> =
        match_games(0, 1, last).skip(args.number as usize - 1).take(games as usize).collect();
    if args.web {
        return on_page::<G>(&runner, &seats, &fixtures, &ready.interrupt, console);
    }
    let boards = boards as usize;
    let headers = fixtures.iter().take(boards).map(|&fixture| runner.header(fixture)).collect();
    let options = screen::options(args.screen, interrupt);
    let shown = arena_tui::watch::<G, _>(headers, games, options, |feeds| {
        thread::scope(|scope| {
            let (runner, seats) = (&runner, &seats);
            let play = |(number, feed)| {
                let share = fixtures.iter().skip(number).step_by(boards);
                let play = move || series(runner, seats, share.copied(), feed);
                NewThread::named("board").with_stack(STACK_BYTES).start_in(scope, play)
            };
            let boards: Vec<_> = feeds.into_iter().enumerate().map(play).collect();
            let mut watched = Vec::new();
            for board in boards {
                watched.extend(board?.join().unwrap_or_else(|panic| resume_unwind(panic))?);
            }
            watched.sort_by_key(|watched: &Watched<G>| watched.header.game);
            Ok(watched)
        })
    });
    screen::finish(shown, games, ELSEWHERE, console)
}

/// Plays the games for pages in browsers, until the user ends it.
fn on_page<G: Playable>(
    runner: &Runner<'_>,
    seats: &CalledBots,
    fixtures: &[Fixture],
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<(), Failure> {
    let games = fixtures.len() as u32;
    let (page, feed) = WatchPage::open::<G>(runner.header(fixtures[0]), games)?;
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
    let (served, watched) = thread::scope(|scope| {
        let play = move || series(runner, seats, fixtures.iter().copied(), feed);
        let playing = NewThread::named("board").with_stack(STACK_BYTES).start_in(scope, play);
        if playing.is_err() {
            page.end()();
        }
        let served = page.serve();
        let watched = playing.map(|playing| playing.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (served, watched)
    });
    served?;
    screen::finish(Ok((Ended::Interrupted, watched?)), games, ELSEWHERE, console)
}

/// Plays games in sequence, each when the one before has been seen. Returns those that have a result.
fn series<G: Playable>(
    runner: &Runner<'_>,
    seats: &CalledBots,
    fixtures: impl Iterator<Item = Fixture>,
    feed: Feed<G>,
) -> Result<Vec<Watched<G>>, HostError> {
    let mut watched = Vec::new();
    for (number, fixture) in fixtures.enumerate() {
        let header = runner.header(fixture);
        // The screen has begun the first one.
        if number > 0 && !feed.begin(header.clone()) {
            break;
        }
        let seated = |seat: Seat| {
            let (bot, seed) = (fixture.seats[seat.index()], header.bots[seat.index()].seed);
            Ok::<_, HostError>(feed.watched(seat, seats.seat::<G>(bot, seed)?, CalledPlayer::log))
        };
        let (mut first, mut second) = (seated(Seat::First)?, seated(Seat::Second)?);
        let mut teller = Teller::new(feed.clone());
        // A watched game is not restarted when the watchdog stops it: it is scored and marked.
        let ended = referee(&header, [&mut first, &mut second], true, &mut |event| teller.tell(event));
        match teller.end(ended)? {
            Some(events) => watched.push(Watched { header, events }),
            None => break,
        }
    }
    Ok(watched)
}
