//! `arena club season`: the seasons of a club.

use super::DataArgs;
use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Seasons};
use crate::values::{date, form};
use arena_pages::time_in_words;
use arena_store::ZonedTime;
use clap::Subcommand;

/// A date, or none. An alias, so that the argument may be omitted.
type Date = Option<ZonedTime>;

/// The commands of `arena club season`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena club season list --data club")]
pub enum SeasonCommand {
    /// List the seasons with their states, dates and heads, also while the club is served
    #[command(after_help = "Example: arena club season list --data club -o json")]
    List {
        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Form of the list
        #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
        output: Form,
    },
    /// Take no more bots, also while the club is served; those that play go on
    #[command(after_help = "Example: arena club season freeze --data club")]
    Freeze {
        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Take bots again
        #[arg(long)]
        undo: bool,
    },
    /// Set the dates of the season, also while the club is served, and print them
    #[command(
        after_help = "Example: arena club season dates --data club --start 2026-09-07T08:00+02:00 --freeze 2026-12-18T18:00+01:00"
    )]
    Dates {
        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// No game is played before this time; `none` for no date
        #[arg(long, value_name = "TIME", value_parser = date)]
        start: Option<Date>,

        /// No bot is taken from this time on
        #[arg(long, value_name = "TIME", value_parser = date)]
        freeze: Option<Date>,

        /// No bot is taken and no game is played from this time on
        #[arg(long, value_name = "TIME", value_parser = date)]
        end: Option<Date>,
    },
    /// End the season and reveal its secret seed; no game can follow
    #[command(after_help = "Example: arena club season reveal --data club")]
    Reveal {
        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Title of the pages [default: the folder's name]
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
    },
    /// Begin another season with the same authors and their bots
    #[command(after_help = "Example: arena club season new --data club")]
    New(DataArgs),
}

/// Lists the seasons of a club, or changes the current one.
pub(super) fn season(command: &SeasonCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        SeasonCommand::List { data, output } => console.show(&Seasons(data.folder().seasons()?), *output)?,
        SeasonCommand::Freeze { data, undo } => {
            let season = data.organiser().freeze(!undo)?.number;
            console.line(match undo {
                true => format!("season {season} takes bots again"),
                false => {
                    format!("season {season} is frozen: it takes no more bots, and those that play go on")
                }
            })?;
        }
        SeasonCommand::Dates { data, start, freeze, end } => {
            let season = match (start, freeze, end) {
                (None, None, None) => data.folder().season()?,
                _ => data.organiser().change_dates(|dates| {
                    dates.start = start.unwrap_or(dates.start);
                    dates.freeze = freeze.unwrap_or(dates.freeze);
                    dates.end = end.unwrap_or(dates.end);
                })?,
            };
            let dates = season
                .dates
                .set()
                .map(|(what, time)| format!("{what} {time}, which is {}", time_in_words(&time.utc())));
            let dates: Vec<String> = dates.collect();
            console.line(match dates.is_empty() {
                true => format!("season {} has no dates", season.number),
                false => format!("season {}:\n  {}", season.number, dates.join("\n  ")),
            })?;
        }
        SeasonCommand::Reveal { data, title } => {
            let folder = data.folder();
            let (season, revealed) = folder.reveal()?;
            console.line(output::revealed(season.number, &revealed))?;
            let data = data.word();
            console.note(format!(
                "next: `arena club serve --data {data}` serves its pages, and `arena club season new --data {data}` begins another"
            ));
            // Its pages have the seed now, and need no club any more.
            folder.write_site(title.as_deref())?;
        }
        SeasonCommand::New(data) => {
            let season = data.folder().new_season()?.number;
            console.line(format!("season {season} begins with the authors of before, and their bots"))?;
            console.note(format!("next: arena club serve --data {}", data.word()));
        }
    }
    Ok(())
}
