//! `arena club serve`: takes bots, judges them, plays without end, and publishes the standings.

use super::DataArgs;
use crate::admission;
use crate::args::{GameArgs, RemoteArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::log::{self, LogArgs, LogFormat};
use crate::values::{listening, time_of_day, whole};
use arena_club::{Clock, Club, ClubOptions, Listeners};
use arena_text::counted;
use clap::Args;
use std::net::{SocketAddr, TcpListener};

/// The port of a club unless `--listen` names another one.
const USUAL_PORT: u16 = 8080;

/// Arguments of `arena club serve`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena club serve --data club\n          arena club serve --data club --listen 0.0.0.0:8080 --rules classic --games 200"
)]
pub struct ServeArgs {
    /// The folder; it is made if it does not exist.
    #[command(flatten)]
    pub data: DataArgs,

    /// Address to listen on; for TLS, put a proxy in front
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080", value_parser = listening(Some(USUAL_PORT)))]
    pub listen: SocketAddr,

    /// Title of the pages [default: the folder's name]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Most games of two bots, besides full rounds; an odd number counts as one less
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(2..=1_000_000_u32))]
    pub games: u32,

    /// Games that a new bot plays with each other one first, up to --games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(2..=1_000_000_u32))]
    pub games_min: u32,

    /// Places between bots that play on after their first games
    ///
    /// A bot plays on with this number of bots above it and below it in the order of the ratings.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1..=1_000_u32))]
    pub neighbours: u32,

    /// Time of the day, in UTC, at which each two bots play a pair of games [default: never]
    #[arg(long, value_name = "HH:MM", value_parser = time_of_day)]
    pub full_round: Option<u32>,

    /// Disqualify after faults in N games [default: never]
    ///
    /// A disqualified author does not play any more in the season. 0 removes the limit of before.
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    pub max_faults: Option<u32>,

    /// Most MiB that the bots, logs and replays of an author take together
    ///
    /// An upload that does not fit is refused, and a bot whose games add too much is paused.
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = 2_048,
        value_parser = whole(1..=1_048_576_u32),
        hide_short_help = true
    )]
    pub quota: u32,

    /// Let visitors play against the bots in a browser, N games at a time [default: none]
    ///
    /// Each bot's page has a link then. Such games are not rated and in no journal, and take a tenth of the machine at most.
    #[arg(long, value_name = "N", value_parser = whole(1..=200_u16))]
    pub visitors: Option<u16>,

    /// Trust a proxy, which sends all requests, about the addresses of its clients
    ///
    /// The proxy adds them to the header X-Forwarded-For. Without a proxy, any client could name any address.
    #[arg(long)]
    pub behind_proxy: bool,

    /// Another address to listen on, with numbers for Prometheus at /metrics [default: none]
    #[arg(long, value_name = "ADDR", value_parser = listening(None))]
    pub metrics: Option<SocketAddr>,

    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
    /// Workers on other machines.
    #[command(flatten)]
    pub remote: RemoteArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Serves a club until the user ends it.
pub(super) fn serve(args: &ServeArgs, console: &mut Console) -> Result<(), Failure> {
    admission::require_confinement("club serve")?;
    let folder = args.data.folder();
    let options = ClubOptions {
        clock: Clock::System,
        game: args.game.options(),
        games_min: args.games_min,
        games_max: args.games,
        neighbours: args.neighbours,
        workers: args.remote.options()?,
        title: args.title.clone(),
        full_round: args.full_round,
        max_faults: args.max_faults,
        author_bytes_max: Some(u64::from(args.quota) << 20),
        is_behind_proxy: args.behind_proxy,
        visitors_max: args.visitors.unwrap_or(0).into(),
    };
    let club = Club::open(&folder, options)?;
    let (address, pages) = listen(args.listen, "--listen")?;
    let metrics = args.metrics.map(|address| listen(address, "--metrics")).transpose()?;
    let interrupt = Interrupt::listen()?;
    let sandbox = args.game.cache.sandbox(club.sandbox_limits())?;
    console.line(format!("http://{address}"))?;
    console.outlive_reader();
    let authors = club.authors()?;
    // A program that reads the log finds the same in it.
    if args.log.log_format == LogFormat::Text {
        note_begin(args, &club, authors, metrics.as_ref().map(|(address, _)| *address), console);
    }
    let _log = log::begin(&args.log, console.shared())?;
    tracing::info!(%address, commitment = club.commitment(), authors, "serving");
    let end = club.end();
    interrupt.answer(move || {
        end();
        console::note_interrupt();
    });
    if interrupt.requested() {
        return Err(Failure::Interrupted("interrupted: nothing was played".into()));
    }
    let listeners = Listeners { pages, metrics: metrics.map(|(_, listener)| listener) };
    club.serve(&listeners, &sandbox)?;
    admission::note_gaps(&sandbox, console);
    Err(Failure::Interrupted("interrupted: all games that were played are kept".into()))
}

/// Notes what an organiser needs to know at the beginning.
fn note_begin(
    args: &ServeArgs,
    club: &Club,
    authors: usize,
    metrics: Option<SocketAddr>,
    console: &mut Console,
) {
    if let Some(address) = metrics {
        console.note(format!("the numbers are at http://{address}/metrics"));
    }
    console.note(format!("all seeds follow from a secret whose SHA-256 is {}", club.commitment()));
    let data = args.data.word();
    if args.remote.workers.is_some() {
        console.note("the games are played by workers: start `arena worker` with the address of --workers");
    }
    console.note(match authors {
        _ if club.is_over() => format!(
            "season {} is over: its pages are served, and nothing is played\n  next: arena club season new --data {data}",
            club.season()
        ),
        0 => format!("no author is invited yet\n  next: arena club invite NAME --data {data}"),
        authors => format!(
            "{} invited; Ctrl-C ends the club, and the same command goes on",
            counted(authors, "author")
        ),
    });
}

/// Listens on the address of an option. Port 0 is a free one.
fn listen(address: SocketAddr, option: &str) -> Result<(SocketAddr, TcpListener), Failure> {
    let listener = TcpListener::bind(address).and_then(|listener| Ok((listener.local_addr()?, listener)));
    listener.map_err(|error| {
        let next = format!("choose another address with {option}");
        Failure::machine(format!("cannot listen on {address}"), error, next)
    })
}
