//! `arena club`: a standing contest to which authors submit bots over HTTP.

mod class;
mod organiser;
mod people;
mod season;
mod serve;

use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{Marks, Versions};
use crate::values::{club_address, form, formula, whole};
use arena_club::{Address, Folder, Formula, Organiser, PLACES_MAX};
use arena_pages::time_in_words;
use arena_store::JoinLink;
use arena_text::{Line, counted, quoted, shown};
use clap::{Args, Subcommand};
use organiser::OrganiserCommand;
use season::SeasonCommand;
use serve::ServeArgs;
use std::path::PathBuf;

/// The commands of `arena club`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena club serve --data club")]
pub enum ClubCommand {
    /// Serve a club: take bots, judge them, play without end, and publish the standings
    Serve(Box<ServeArgs>),
    /// Invite an author, or the authors of a list, and print each token once
    #[command(
        after_help = "Examples: arena club invite ann --data club > ann.token\n          arena club invite --csv class.csv --data club > tokens.csv"
    )]
    Invite {
        /// The author, in 1 to 24 letters of any language, digits, - and _; the pages show it for the author's bots
        #[arg(value_name = "NAME", required_unless_present = "csv")]
        name: Option<String>,

        /// List with a column `name`, as a spreadsheet saves it; prints it with the columns `author` and `token` before the others
        #[arg(long, value_name = "FILE", conflicts_with = "name")]
        csv: Option<PathBuf>,

        /// The folder; it is made if it does not exist.
        #[command(flatten)]
        data: DataArgs,
    },
    /// Open or close the link by which people become authors, or print its code
    #[command(
        after_help = "Examples: arena club join --places 30 --data club\n          arena club join --close --data club"
    )]
    Join {
        /// The folder; it is made if it does not exist.
        #[command(flatten)]
        data: DataArgs,

        /// Open it with a new code, for this many authors
        #[arg(long, value_name = "N", value_parser = whole(1..=PLACES_MAX), conflicts_with = "close")]
        places: Option<u32>,

        /// Close it
        #[arg(long)]
        close: bool,
    },
    /// Put the pages behind a new code for a class, make them public, or print the code
    #[command(
        after_help = "Examples: arena club code --new --data club\n          arena club code --public --data club"
    )]
    Code {
        /// The folder; it is made if it does not exist.
        #[command(flatten)]
        data: DataArgs,

        /// Show the pages only to those who give a new code
        #[arg(long, conflicts_with = "public")]
        new: bool,

        /// Show the pages to everybody
        #[arg(long)]
        public: bool,
    },
    /// Show an author by another name on the pages
    #[command(
        after_help = "Examples: arena club pseudonym ann --name falcon --data club\n          arena club pseudonym ann --remove --data club"
    )]
    Pseudonym {
        /// The author
        #[arg(value_name = "AUTHOR")]
        author: String,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Name that the pages show, in letters, digits, - and _
        #[arg(long, value_name = "NAME", required_unless_present = "remove", conflicts_with = "remove")]
        name: Option<String>,

        /// Show the author's own name again
        #[arg(long)]
        remove: bool,
    },
    /// Delete an author: name, token, components and logs; the games stay
    #[command(after_help = "Example: arena club delete ann --confirm ann --data club")]
    Delete {
        /// The author
        #[arg(value_name = "AUTHOR")]
        author: String,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// The author again, because this cannot be undone
        #[arg(long, value_name = "AUTHOR")]
        confirm: String,
    },
    /// List the authors with their pseudonyms and states
    #[command(after_help = "Example: arena club authors --data club")]
    Authors(DataArgs),
    /// List what organisers have done, the latest first
    #[command(after_help = "Example: arena club actions --data club")]
    Actions(DataArgs),
    /// Enter, revoke or list the organisers who may sign in at /organiser/
    #[command(subcommand)]
    Organiser(OrganiserCommand),
    /// Make slips for printing from the list that `invite --csv` has printed
    #[command(after_help = "Example: arena club slips tokens.csv slips.html --to https://club.example.org")]
    Slips {
        /// List with the columns `author` and `token`
        #[arg(value_name = "LIST")]
        list: PathBuf,

        /// New file, a page that a browser prints; it has the tokens, so keep it to yourself
        #[arg(value_name = "FILE")]
        page: PathBuf,

        /// Address of the club, as its authors reach it
        #[arg(long, value_name = "URL", value_parser = club_address)]
        to: Address,
    },
    /// Revoke an author's token; the author's bot plays no more, and its games stay
    #[command(after_help = "Example: arena club revoke ann --data club")]
    Revoke {
        /// The author
        #[arg(value_name = "NAME")]
        name: String,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,
    },
    /// Disqualify an author, or undo it; the author's bot plays no more, and its games stay
    #[command(
        after_help = "Examples: arena club disqualify ann --data club --reason 'two bots that help each other'\n          arena club disqualify ann --data club --undo"
    )]
    Disqualify {
        /// The author
        #[arg(value_name = "NAME")]
        name: String,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// The reason, as the author reads it
        #[arg(long, value_name = "TEXT", default_value = "by the organiser", conflicts_with = "undo")]
        reason: Line<200>,

        /// Let the author's bot play again
        #[arg(long)]
        undo: bool,
    },
    /// List the versions of authors and the room that they take, or delete components of them
    #[command(
        after_help = "Examples: arena club versions --data club\n          arena club versions ann --data club --delete 3,4"
    )]
    Versions {
        /// The author [default: all]
        #[arg(value_name = "NAME")]
        name: Option<String>,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Delete the components of the author's versions N; their games stay, and cannot be verified any more
        #[arg(long, value_name = "N", value_delimiter = ',', requires = "name", value_parser = whole(1..=u32::MAX))]
        delete: Vec<u32>,

        /// Form of the list
        #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
        output: Form,
    },
    /// Announce something on the pages and in `arena mine`, or list what was announced
    #[command(
        after_help = "Examples: arena club announce 'Questions: https://example.org/forum' --data club\n          arena club announce --withdraw 3 --data club"
    )]
    Announce {
        /// The text: plain, with empty lines between its paragraphs; addresses in it are links [default: list what was announced]
        #[arg(value_name = "TEXT", conflicts_with = "withdraw")]
        text: Option<String>,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Withdraw announcement N
        #[arg(long, value_name = "N")]
        withdraw: Option<i64>,
    },
    /// List the authors with their standings and marks, also for a spreadsheet
    #[command(
        after_help = "Examples: arena club export --data club -o csv > marks.csv\n          arena club export --data club --mark random=4,hunter=3,density=1"
    )]
    Export {
        /// The folder.
        #[command(flatten)]
        data: DataArgs,

        /// Mark by `percentile`, the share of the others who are behind; or by the last author of a list, such as
        /// `random=4,hunter=3`, who is behind
        #[arg(long, value_name = "FORMULA", value_parser = formula)]
        mark: Option<Formula>,

        /// Form of the list
        #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Csv, Form::Json]))]
        output: Form,
    },
    /// Back up a club to a file, also while it is served
    #[command(after_help = "Example: arena club backup monday.tar --data club")]
    Backup {
        /// New file, a tar archive; it has the season's secret seed, so keep it to yourself
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,
    },
    /// Restore a club from a backup
    #[command(after_help = "Example: arena club restore monday.tar --data club")]
    Restore {
        /// File of `arena club backup`
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// The folder, which is new or empty.
        #[command(flatten)]
        data: DataArgs,
    },
    /// List the seasons of a club, or freeze, end or begin one
    #[command(subcommand)]
    Season(SeasonCommand),
}

/// The folder of a club.
#[derive(Args, Clone, Debug)]
pub struct DataArgs {
    /// Folder of the club: its register, journal, bots and pages
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
}

impl DataArgs {
    fn folder(&self) -> Folder {
        Folder::at(&self.data)
    }

    /// The user of this command at work.
    fn organiser(&self) -> Organiser {
        self.folder().organised_by(None)
    }

    /// The folder as an argument of a shell.
    fn word(&self) -> String {
        quoted(&self.data.to_string_lossy()).into_owned()
    }
}

/// Serves a club, or does something with it.
pub fn club(command: &ClubCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        ClubCommand::Serve(args) => serve::serve(args, console)?,
        ClubCommand::Invite { csv: Some(list), data, .. } => class::invite(list, data, console)?,
        ClubCommand::Invite { name, data, .. } => invite(name.as_deref().unwrap_or_default(), data, console)?,
        ClubCommand::Join { data, places, close } => {
            let link = if places.is_some() || *close {
                data.organiser().set_join_link(*places)?
            } else {
                data.folder().join_link()?
            };
            match link {
                Some(JoinLink { code, places }) => {
                    console.line(code)?;
                    console.note(format!(
                        "{} may join with this code at the path /join of the club",
                        counted(places, "author")
                    ));
                }
                None => console.note("joining by a link is closed"),
            }
        }
        ClubCommand::Code { data, new, public } => people::code(data, *new, *public, console)?,
        ClubCommand::Pseudonym { author, data, name, .. } => {
            data.organiser().set_pseudonym(author, name.as_deref())?;
            console.line(match name {
                Some(name) => format!("{author}: the pages show {name}"),
                None => format!("{author}: the pages show this name"),
            })?;
        }
        ClubCommand::Delete { author, data, confirm } => people::delete(author, data, confirm, console)?,
        ClubCommand::Authors(data) => people::authors(data, console)?,
        ClubCommand::Actions(data) => people::actions(data, console)?,
        ClubCommand::Organiser(command) => organiser::organiser(command, console)?,
        ClubCommand::Slips { list, page, to } => class::slips(list, page, to, console)?,
        ClubCommand::Revoke { name, data } => {
            data.organiser().revoke(name)?;
            console.line(format!("{name}: the token is revoked"))?;
        }
        ClubCommand::Disqualify { name, data, reason, undo } => {
            data.organiser().disqualify(name, (!undo).then_some(reason.as_str()))?;
            console.line(match undo {
                true => format!("{name}: plays again"),
                false => format!("{name}: disqualified: {reason}"),
            })?;
        }
        ClubCommand::Versions { name, data, delete, output } => {
            if let (Some(author), false) = (name, delete.is_empty()) {
                let is_removed = data.organiser().delete_versions(author, delete)?;
                console.note(match is_removed {
                    true => "their files are removed; their games stay, and `arena verify` cannot play them again",
                    false => "the club that is served removes their files within seconds; their games stay, and `arena verify` cannot play them again",
                });
            }
            console.show(&Versions(data.folder().versions(name.as_deref())?), *output)?;
        }
        ClubCommand::Announce { text, data, withdraw } => {
            let organiser = data.organiser();
            if let Some(id) = withdraw {
                organiser.withdraw(*id)?;
            }
            if let Some(text) = text {
                organiser.announce(text)?;
            }
            let all = data.folder().announcements()?;
            let lines = all.iter().map(|it| {
                let text = it.text.replace('\n', "\n  ");
                format!("{}, {}:\n  {text}", it.id, time_in_words(&it.at))
            });
            match all.is_empty() {
                true => console.note("nothing is announced"),
                false => console.line(lines.collect::<Vec<_>>().join("\n"))?,
            }
        }
        ClubCommand::Export { data, mark, output } => {
            console.show(&Marks(data.folder().marks(mark.as_ref())?), *output)?;
        }
        ClubCommand::Backup { file, data } => {
            data.folder().back_up(file)?;
            console.line(format!("{}: has the club; `arena club restore` makes it again", shown(file)))?;
        }
        ClubCommand::Restore { file, data } => {
            data.folder().restore(file)?;
            console.line(format!("{}: is the club of {}", shown(&data.data), shown(file)))?;
            console.note(format!("next: arena club serve --data {}", data.word()));
        }
        ClubCommand::Season(command) => season::season(command, console)?,
    }
    Ok(())
}

fn invite(name: &str, data: &DataArgs, console: &mut Console) -> Result<(), Failure> {
    let organiser = data.organiser();
    let token = organiser.invite(name)?;
    if let Err(error) = console.line(token) {
        // The token is lost, and an author with a token cannot be invited again.
        organiser.revoke(name)?;
        return Err(error.into());
    }
    console.note(format!(
        "{name} is invited; send this token to its owner, because it is printed only once\n  \
         next: the owner keeps it in a file, and runs `arena submit BOT.wasm --to URL --token-file FILE`"
    ));
    Ok(())
}
