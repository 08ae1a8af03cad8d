//! `arena report`: a contest as a static site.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::values::{WrongValue, whole};
use arena_pages::{Downloads, Replays, SiteOptions, StoredContest};
use arena_text::{counted, grouped, shown};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `arena report`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena report arena.db -o site --title \"Autumn contest\"")]
pub struct ReportArgs {
    /// The journal, also of a running contest
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Folder of the site; an existing site is replaced as a whole
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Title of the site [default: the journal's name]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Address at which the site will be, for pictures in previews of links
    #[arg(long, value_name = "URL", value_parser = address)]
    pub url: Option<String>,

    /// Games with a replay: all, none, or the N most interesting ones
    #[arg(long, value_name = "all|none|N", default_value = "200", value_parser = replays)]
    pub replays: Replays,

    /// Logs of the bots, as `run --logs` writes them, to show next to the replays
    #[arg(long, value_name = "DIR")]
    pub logs: Option<PathBuf>,

    /// Copies in the site, for those who verify the games
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Offered::Journal)]
    pub downloads: Offered,

    /// Games to read at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
    pub jobs: Option<u16>,
}

/// The copies that a site has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Offered {
    /// Nothing
    None,
    /// A copy of the journal
    Journal,
    /// The journal, and the bots' components that are kept next to it
    All,
}

/// The largest number of games that `--replays` takes: the most that a tournament has.
const REPLAYS_MAX: u64 = arena_league::GAMES_MAX;

/// Reads the choice of replays.
fn replays(text: &str) -> Result<Replays, WrongValue> {
    match text {
        "all" => Ok(Replays::All),
        "none" => Ok(Replays::None),
        number => whole(1..=REPLAYS_MAX)(number)
            .map(|most| Replays::Most(most as usize))
            .map_err(|wrong| WrongValue { wanted: format!("all, none or {}", wrong.wanted), ..wrong }),
    }
}

/// Reads the address of a site. The result ends with a `/`.
fn address(text: &str) -> Result<String, WrongValue> {
    let is_web =
        ["https://", "http://"].iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>?#\\".contains(&byte));
    if !is_web || !is_plain {
        return Err(WrongValue::new(
            "is not the address of a site",
            "an address like https://example.org/autumn/",
        ));
    }
    Ok(format!("{}/", text.trim_end_matches('/')))
}

/// Writes the site of a journal.
pub fn report(args: &ReportArgs, console: &mut Console) -> Result<(), Failure> {
    if let Some(folder) = args.logs.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(Failure::usage(
            format!("{}: is not a folder of logs", shown(folder)),
            "name the folder that `arena run --logs` has written",
        ));
    }
    let options = SiteOptions {
        title: args.title.clone(),
        url: args.url.clone(),
        logs: args.logs.clone(),
        downloads: match args.downloads {
            Offered::None => Downloads::None,
            Offered::Journal => Downloads::Journal,
            Offered::All => Downloads::All,
        },
        ..SiteOptions::default()
    };
    let stored = StoredContest::read(&args.journal, &options)?;
    stored.note().into_iter().for_each(|note| console.tell(note));
    let interrupt = Interrupt::listen()?;
    let contest = &stored.contest;
    console.begin_progress(contest.games.len(), "games");
    let jobs = arena_players::jobs(args.jobs);
    let stop = || interrupt.requested();
    let written = stored.write_site(&args.output, args.replays, jobs, stop, || console.advance());
    console.end_progress();
    let replays = written?;
    console.line(format!(
        "{}: {} of {}, {} with a replay",
        shown(&args.output.join("index.html")),
        games(contest.games.len()),
        counted(contest.bots.len(), "bot"),
        grouped(replays as u64),
    ))?;
    Ok(())
}

fn games(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} game{plural}", grouped(count as u64))
}
