//! `arena club`: a standing contest to which authors submit bots over HTTP.

use crate::admission;
use crate::args::GameArgs;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::log::{self, LogArgs, LogFormat};
use crate::output::{self, Finding, Trial};
use crate::pages::{self, Downloads, GameReader};
use crate::values::whole;
use arena_club::{Club, ClubOptions, Folder, House, Listeners};
use arena_engine::Roster;
use arena_engine::logs::Logs;
use arena_experiments::trial::TrialGame;
use arena_report::{Contest, Page, Replays, Report};
use arena_text::{Line, counted, quoted, shown};
use clap::{Args, Subcommand};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of games with a replay in the pages. Chosen: as in `arena report`.
const REPLAYS: usize = 200;

/// The commands of `arena club`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena club serve --data club")]
pub enum ClubCommand {
    /// Serve a club: take bots, judge them, play without end, and publish the standings
    Serve(ServeArgs),
    /// Invite an author, and print the author's token once
    Invite(InviteArgs),
    /// Revoke an author's token; the author's bot plays no more, and its games stay
    Revoke(RevokeArgs),
    /// Disqualify an author, or undo it; the author's bot plays no more, and its games stay
    Disqualify(DisqualifyArgs),
    /// Back up a club to a file, also while it is served
    Backup(BackupArgs),
    /// Restore a club from a backup
    Restore(RestoreArgs),
    /// Close the season and reveal its secret seed; no game can follow
    Close(CloseArgs),
}

/// The folder of a club.
#[derive(Args, Clone, Debug)]
pub struct DataArgs {
    /// Folder of the club: its register, journal, bots and pages
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
}

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
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Title of the pages [default: the folder's name]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Most games of two bots; an odd number counts as one less
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(2..=1_000_000_u32))]
    pub games: u32,

    /// Disqualify after faults in N games [default: never]
    ///
    /// A disqualified author does not play any more in the season. 0 removes the limit of before.
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    pub max_faults: Option<u32>,

    /// Trust a proxy, which sends all requests, about the addresses of its clients
    ///
    /// The proxy adds them to the header X-Forwarded-For. Without a proxy, any client could name any address.
    #[arg(long)]
    pub behind_proxy: bool,

    /// Another address to listen on, with numbers for Prometheus at /metrics [default: none]
    #[arg(long, value_name = "ADDR")]
    pub metrics: Option<SocketAddr>,

    /// The log.
    #[command(flatten)]
    pub log: LogArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Arguments of `arena club invite`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club invite ann --data club")]
pub struct InviteArgs {
    /// The author, in 1 to 24 letters of a to z, digits, - and _; it is the label of the author's bots
    #[arg(value_name = "NAME")]
    pub name: String,

    /// The folder; it is made if it does not exist.
    #[command(flatten)]
    pub data: DataArgs,
}

/// Arguments of `arena club revoke`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club revoke ann --data club")]
pub struct RevokeArgs {
    /// The author
    #[arg(value_name = "NAME")]
    pub name: String,

    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,
}

/// Arguments of `arena club disqualify`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena club disqualify ann --data club --reason 'two bots that help each other'\n          arena club disqualify ann --data club --undo"
)]
pub struct DisqualifyArgs {
    /// The author
    #[arg(value_name = "NAME")]
    pub name: String,

    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,

    /// The reason, as the author reads it
    #[arg(long, value_name = "TEXT", default_value = "by the organiser", conflicts_with = "undo")]
    pub reason: Line<200>,

    /// Let the author's bot play again
    #[arg(long)]
    pub undo: bool,
}

/// Arguments of `arena club backup`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club backup monday.tar --data club")]
pub struct BackupArgs {
    /// New file, a tar archive; it has the season's secret seed, so keep it to yourself
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,
}

/// Arguments of `arena club restore`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club restore monday.tar --data club")]
pub struct RestoreArgs {
    /// File of `arena club backup`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The folder, which is new or empty.
    #[command(flatten)]
    pub data: DataArgs,
}

/// Arguments of `arena club close`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club close --data club")]
pub struct CloseArgs {
    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,

    /// Title of the pages [default: the folder's name]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

/// Serves a club, or does something with it.
pub fn club(command: &ClubCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        ClubCommand::Serve(args) => serve(args, console),
        ClubCommand::Invite(args) => invite(args, console),
        ClubCommand::Revoke(args) => revoke(args, console),
        ClubCommand::Disqualify(args) => disqualify(args, console),
        ClubCommand::Backup(args) => backup(args, console),
        ClubCommand::Restore(args) => restore(args, console),
        ClubCommand::Close(args) => close(args, console),
    }
}

/// The folder as an argument of a shell.
fn word(folder: &Path) -> String {
    quoted(&folder.to_string_lossy()).into_owned()
}

fn invite(InviteArgs { name, data }: &InviteArgs, console: &mut Console) -> Result<(), Failure> {
    let token = Folder::at(&data.data).invite(name)?;
    console.note(format!(
        "{name} is invited; send this token to its owner, because it is printed only once\n  \
         next: the owner keeps it in a file, and runs `arena submit BOT.wasm --to URL --token-file FILE`"
    ));
    console.line(token)?;
    Ok(())
}

fn revoke(RevokeArgs { name, data }: &RevokeArgs, console: &mut Console) -> Result<(), Failure> {
    Folder::at(&data.data).revoke(name)?;
    console.line(format!("{name}: the token is revoked"))?;
    Ok(())
}

fn disqualify(
    DisqualifyArgs { name, data, reason, undo }: &DisqualifyArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    Folder::at(&data.data).disqualify(name, (!undo).then_some(reason.as_str()))?;
    console.line(match undo {
        true => format!("{name}: plays again"),
        false => format!("{name}: disqualified: {reason}"),
    })?;
    Ok(())
}

fn backup(BackupArgs { file, data }: &BackupArgs, console: &mut Console) -> Result<(), Failure> {
    Folder::at(&data.data).back_up(file)?;
    console.line(format!("{}: has the club; `arena club restore` makes it again", shown(file)))?;
    Ok(())
}

fn restore(RestoreArgs { file, data }: &RestoreArgs, console: &mut Console) -> Result<(), Failure> {
    Folder::at(&data.data).restore(file)?;
    console.line(format!("{}: is the club of {}", shown(&data.data), shown(file)))?;
    console.note(format!("next: arena club serve --data {}", word(&data.data)));
    Ok(())
}

fn close(CloseArgs { data, title }: &CloseArgs, console: &mut Console) -> Result<(), Failure> {
    let folder = Folder::at(&data.data);
    let closed = folder.close()?;
    console.line(output::closed(&closed, &shown(&folder.journal())))?;
    // Its pages have the seed now.
    let title = title_of(title.as_deref(), folder.path());
    Reading::of(&title, &folder.journal())?.write_site(&folder.site(), &|| false)
}

fn serve(args: &ServeArgs, console: &mut Console) -> Result<(), Failure> {
    let folder = Folder::at(&args.data.data);
    let options = ClubOptions {
        game: args.game.options(),
        games_max: args.games,
        max_faults: args.max_faults,
        is_behind_proxy: args.behind_proxy,
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
    log::begin(&args.log, console.shared());
    tracing::info!(%address, commitment = club.commitment(), authors, "serving");
    let end = club.end();
    interrupt.answer(move || {
        end();
        console::note_interrupt();
    });
    if interrupt.requested() {
        return Err(Failure::Interrupted("interrupted: nothing was played".into()));
    }
    let house = Outputs { title: title_of(args.title.as_deref(), folder.path()), latest: Mutex::default() };
    let listeners = Listeners { pages, metrics: metrics.map(|(_, listener)| listener) };
    club.serve(&listeners, &sandbox, &house)?;
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
    let data = word(&args.data.data);
    console.note(match authors {
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

/// The title of a club's pages.
fn title_of(title: Option<&str>, folder: &Path) -> String {
    let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    title.map_or(name, str::to_owned)
}

/// The outputs of a club.
struct Outputs {
    title: String,
    /// The contest of the latest pages, from which replays are made.
    latest: Mutex<Option<Arc<Reading>>>,
}

/// A contest that was read from a journal.
struct Reading {
    journal: PathBuf,
    contest: Arc<Contest>,
    source: GameReader,
}

impl Reading {
    fn of(title: &str, journal: &Path) -> Result<Self, Failure> {
        let paths = [journal.to_owned()];
        let (mut contest, source) = pages::contest(&paths, Some(title), None, None, Downloads::Journal)?;
        contest.is_served = true;
        let [journal] = paths;
        Ok(Self { journal, contest: Arc::new(contest), source })
    }

    fn write_site(&self, site: &Path, is_over: &(dyn Fn() -> bool + Sync)) -> Result<(), Failure> {
        let report = Report::new(&self.contest, Replays::Most(REPLAYS));
        // The games have the other cores.
        pages::write_site(&report, &self.contest, &self.source, site, 1, is_over, || {})
    }
}

impl Outputs {
    fn latest(&self) -> MutexGuard<'_, Option<Arc<Reading>>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House for Outputs {
    fn finding(&self, roster: &Roster, games: Option<&[TrialGame]>) -> String {
        let contestant = roster.contestants.first();
        let trial = contestant.zip(games).map(|(contestant, games)| Trial { bot: &contestant.bot, games });
        Finding::of(roster).with_trial(trial).text().as_str().to_owned()
    }

    fn write_site(
        &self,
        journal: &Path,
        site: &Path,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Arc<Contest>, String> {
        let written = Reading::of(&self.title, journal).and_then(|reading| {
            reading.write_site(site, is_over)?;
            Ok(reading)
        });
        let reading = written.map_err(|failure| failure.to_string())?;
        let contest = Arc::clone(&reading.contest);
        *self.latest() = Some(Arc::new(reading));
        Ok(contest)
    }

    fn replay(&self, journal: &Path, number: usize, logs: Logs) -> Result<Option<[Page; 2]>, String> {
        let latest = self.latest().clone().filter(|latest| latest.journal == journal);
        let reading = match latest {
            Some(latest) => latest,
            // The pages are those of an earlier process.
            None => {
                let reading = Reading::of(&self.title, journal).map(Arc::new);
                let reading = reading.map_err(|failure| failure.to_string())?;
                *self.latest() = Some(Arc::clone(&reading));
                reading
            }
        };
        let pages = pages::replay(&reading.contest, &reading.source, number, logs);
        pages.map_err(|failure| failure.to_string())
    }
}
