//! `arena club`: a standing contest to which authors submit bots over HTTP.

use crate::admission;
use crate::args::{Form, GameArgs, RemoteArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::log::{self, LogArgs, LogFormat};
use crate::output::{self, Seasons, Versions};
use crate::values::{form, listening, time_of_day, whole};
use arena_club::{Club, ClubOptions, Folder, Listeners};
use arena_text::{Line, counted, quoted, shown};
use clap::{Args, Subcommand};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

/// The commands of `arena club`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena club serve --data club")]
pub enum ClubCommand {
    /// Serve a club: take bots, judge them, play without end, and publish the standings
    Serve(Box<ServeArgs>),
    /// Invite an author, and print the author's token once
    Invite(InviteArgs),
    /// Revoke an author's token; the author's bot plays no more, and its games stay
    Revoke(RevokeArgs),
    /// Disqualify an author, or undo it; the author's bot plays no more, and its games stay
    Disqualify(DisqualifyArgs),
    /// List the versions of authors and the room that they take, or delete components of them
    Versions(VersionsArgs),
    /// Back up a club to a file, also while it is served
    Backup(BackupArgs),
    /// Restore a club from a backup
    Restore(RestoreArgs),
    /// List the seasons of a club, or freeze, end or begin one
    #[command(subcommand)]
    Season(SeasonCommand),
}

/// The commands of `arena club season`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena club season list --data club")]
pub enum SeasonCommand {
    /// List the seasons with their states, dates and heads, also while the club is served
    List(SeasonListArgs),
    /// Take no more bots, also while the club is served; those that play go on
    Freeze(FreezeArgs),
    /// End the season and reveal its secret seed; no game can follow
    Reveal(RevealArgs),
    /// Begin another season with the same authors and their bots
    New(SeasonNewArgs),
}

/// The port of a club unless `--listen` names another one.
const USUAL_PORT: u16 = 8080;

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

/// Arguments of `arena club invite`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club invite ann --data club")]
pub struct InviteArgs {
    /// The author, in 1 to 24 letters of a to z or A to Z, digits, - and _; it is the label of the author's bots
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

/// Arguments of `arena club versions`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena club versions --data club\n          arena club versions ann --data club --delete 3,4"
)]
pub struct VersionsArgs {
    /// The author [default: all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,

    /// Delete the components of the author's versions N; their games stay, and cannot be verified any more
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "name", value_parser = whole(1..=u32::MAX))]
    pub delete: Vec<u32>,

    /// Form of the list
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,
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

/// Arguments of `arena club season list`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club season list --data club -o json")]
pub struct SeasonListArgs {
    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,

    /// Form of the list
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,
}

/// Arguments of `arena club season freeze`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club season freeze --data club")]
pub struct FreezeArgs {
    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,

    /// Take bots again
    #[arg(long)]
    pub undo: bool,
}

/// Arguments of `arena club season new`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club season new --data club")]
pub struct SeasonNewArgs {
    /// The folder.
    #[command(flatten)]
    pub data: DataArgs,
}

/// Arguments of `arena club season reveal`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena club season reveal --data club")]
pub struct RevealArgs {
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
        ClubCommand::Versions(args) => versions(args, console),
        ClubCommand::Backup(args) => backup(args, console),
        ClubCommand::Restore(args) => restore(args, console),
        ClubCommand::Season(SeasonCommand::List(args)) => list_seasons(args, console),
        ClubCommand::Season(SeasonCommand::Freeze(args)) => freeze(args, console),
        ClubCommand::Season(SeasonCommand::Reveal(args)) => reveal(args, console),
        ClubCommand::Season(SeasonCommand::New(args)) => new_season(args, console),
    }
}

/// The folder as an argument of a shell.
fn word(folder: &Path) -> String {
    quoted(&folder.to_string_lossy()).into_owned()
}

fn invite(InviteArgs { name, data }: &InviteArgs, console: &mut Console) -> Result<(), Failure> {
    let folder = Folder::at(&data.data);
    let token = folder.invite(name)?;
    if let Err(error) = console.line(token) {
        // The token is lost, and an author with a token cannot be invited again.
        folder.revoke(name)?;
        return Err(error.into());
    }
    console.note(format!(
        "{name} is invited; send this token to its owner, because it is printed only once\n  \
         next: the owner keeps it in a file, and runs `arena submit BOT.wasm --to URL --token-file FILE`"
    ));
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

fn versions(
    VersionsArgs { name, data, delete, output }: &VersionsArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let folder = Folder::at(&data.data);
    if let (Some(author), false) = (name, delete.is_empty()) {
        let is_removed = folder.delete_versions(author, delete)?;
        console.note(match is_removed {
            true => "their files are removed; their games stay, and `arena verify` cannot play them again",
            false => "the club that is served removes their files within seconds; their games stay, and `arena verify` cannot play them again",
        });
    }
    let versions = folder.versions(name.as_deref())?;
    Ok(console.show(&Versions(versions), *output)?)
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

fn list_seasons(
    SeasonListArgs { data, output }: &SeasonListArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let seasons = Folder::at(&data.data).seasons()?;
    Ok(console.show(&Seasons(seasons), *output)?)
}

fn freeze(FreezeArgs { data, undo }: &FreezeArgs, console: &mut Console) -> Result<(), Failure> {
    let season = Folder::at(&data.data).freeze(!undo)?.number;
    console.line(match undo {
        true => format!("season {season} takes bots again"),
        false => format!("season {season} is frozen: it takes no more bots, and those that play go on"),
    })?;
    Ok(())
}

fn new_season(SeasonNewArgs { data }: &SeasonNewArgs, console: &mut Console) -> Result<(), Failure> {
    let season = Folder::at(&data.data).new_season()?.number;
    console.line(format!("season {season} begins with the authors of before, and their bots"))?;
    console.note(format!("next: arena club serve --data {}", word(&data.data)));
    Ok(())
}

fn reveal(RevealArgs { data, title }: &RevealArgs, console: &mut Console) -> Result<(), Failure> {
    let folder = Folder::at(&data.data);
    let (season, revealed) = folder.reveal()?;
    console.line(output::revealed(season.number, &revealed))?;
    let data = word(folder.path());
    console.note(format!(
        "next: `arena club serve --data {data}` serves its pages, and `arena club season new --data {data}` begins another"
    ));
    // Its pages have the seed now, and need no club any more.
    Ok(folder.write_site(title.as_deref())?)
}

fn serve(args: &ServeArgs, console: &mut Console) -> Result<(), Failure> {
    let folder = Folder::at(&args.data.data);
    let options = ClubOptions {
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
    let data = word(&args.data.data);
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
