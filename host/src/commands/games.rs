//! `arena games`: the games of a journal, to find the one to look at.

use crate::args::Form;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::output::{FaultsList, GamesList};
use crate::values::{form, whole};
use arena_engine::internals::labels;
use arena_engine::{GameFilter, GameOrder, StoredSeason};
use arena_record::BotId;
use arena_text::{quoted, shown};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena games`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena games arena.db --upsets\n          arena games arena.db --lost-by hunter --longest -o csv"
)]
pub struct GamesArgs {
    /// The journal, also of a running tournament
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Games of this bot
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,

    /// Games against this bot
    #[arg(long, value_name = "BOT")]
    pub against: Option<String>,

    /// Games that this bot won
    #[arg(long, value_name = "BOT")]
    pub won_by: Option<String>,

    /// Games that this bot lost
    #[arg(long, value_name = "BOT")]
    pub lost_by: Option<String>,

    /// Faults, grouped by bot and description; with --bot those of that bot
    #[arg(long, conflicts_with_all = ["upsets", "longest", "shortest"])]
    pub faults: bool,

    /// Wins with a chance below 50 % by the ratings, the most surprising first
    #[arg(long, conflicts_with_all = ["longest", "shortest"])]
    pub upsets: bool,

    /// The longest games first
    #[arg(long, conflicts_with = "shortest")]
    pub longest: bool,

    /// The shortest games first
    #[arg(long)]
    pub shortest: bool,

    /// List the first N only [default: as many as the terminal has rows, or all]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub top: Option<u32>,

    /// Form of the list, with a line for each game or kind of fault
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Csv, Form::Jsonl]))]
    pub output: Form,
}

/// The rows of a terminal that are not for games: the header, the last lines, and the next prompt. Chosen to fit the table.
const OTHER_ROWS: usize = 7;

/// Lists the games.
pub fn games(args: &GamesArgs, console: &mut Console) -> Result<(), Failure> {
    let (kept, _) = StoredSeason::read(&args.journal)?;
    kept.notes.iter().for_each(|note| console.tell(note.as_str()));
    let choice = choice(args, &kept.content.tournament.bots)?;
    let screenful = || console::rows().filter(|_| args.output == Form::Table);
    let top = match args.top {
        Some(top) => usize::try_from(top).ok(),
        None => screenful().map(|rows| rows.saturating_sub(OTHER_ROWS).max(1)),
    };
    let report = GamesList::new(&kept, &choice, top);
    let first = report.first();
    match args.faults {
        false => console.show(&report, args.output)?,
        true => console.show(&FaultsList(report), args.output)?,
    }
    if let (Form::Table, Some(number)) = (args.output, first) {
        console.line(format!("to see one: arena replay {} {number}", quoted(&shown(&args.journal))))?;
    }
    Ok(())
}

/// The filter that the arguments give for games of these bots.
fn choice(args: &GamesArgs, bots: &[BotId]) -> Result<GameFilter, Failure> {
    let find = |label: &Option<String>| label.as_deref().map(|label| labels::find(label, bots)).transpose();
    let named = [find(&args.bot)?, find(&args.against)?];
    let order = match (args.upsets, args.longest, args.shortest) {
        (true, ..) => GameOrder::Upsets,
        (_, true, _) => GameOrder::Longest,
        (_, _, true) => GameOrder::Shortest,
        _ => GameOrder::Schedule,
    };
    Ok(GameFilter {
        bots: named.into_iter().flatten().collect(),
        won_by: find(&args.won_by)?,
        lost_by: find(&args.lost_by)?,
        with_faults: args.faults,
        order,
    })
}
