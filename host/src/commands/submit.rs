//! `arena submit`: a bot of an author for a club.

use crate::args::Form;
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::values::{club_address, form};
use arena_club::{Address, ChallengeProgress, Refused, SeenChallenge, Standing, Submitted, SubmittedState};
use arena_engine::Error;
use arena_text::shown;
use clap::Args;
use std::env;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The variable with a token.
const TOKEN: &str = "ARENA_TOKEN";

/// The largest file that is read for a token, in bytes. Chosen: it has 43 letters and a line end.
const TOKEN_BYTES_MAX: u64 = 256;

/// The games after which `--wait` ends. Chosen: those that a version plays against another one first.
const GAMES_AWAITED: u32 = 20;

/// The time between two questions. Chosen: a stage takes as long.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// The time for a club that cannot be reached to come back. Chosen: it is started again in seconds, and after an update in a minute.
const LOST_MAX: Duration = Duration::from_secs(120);

/// The club, and the author's token for it.
#[derive(Args, Clone, Debug)]
pub struct ToArgs {
    /// Address of the club, such as `https://club.example.org`
    #[arg(long, value_name = "URL", value_parser = club_address)]
    pub to: Address,

    /// File with your token [default: the variable ARENA_TOKEN]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// Arguments of `arena submit`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Example: arena submit my_bot.wasm --to https://club.example.org --token-file token --wait"
)]
pub struct SubmitArgs {
    /// The bot, a .wasm file; one that you have submitted before plays again
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// The club.
    #[command(flatten)]
    pub to: ToArgs,

    /// Agree that the club publishes the bot's file when the season is over
    #[arg(long)]
    pub publish: bool,

    /// Do not let it play yet
    #[arg(long)]
    pub draft: bool,

    /// Play 10 games that count for nothing against the bot of an author; a new version is a draft
    #[arg(long, value_name = "AUTHOR")]
    pub challenge: Option<String>,

    /// Wait until 20 games of it are counted, or fewer if no more are planned, and print its rating
    #[arg(long)]
    pub wait: bool,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,
}

impl ToArgs {
    /// The token. It is never an argument, which other users of the machine could read.
    pub(super) fn token(&self, console: &Console) -> Result<String, Failure> {
        let token = match &self.token_file {
            Some(file) => read_token(file)?,
            None => env::var(TOKEN).map_err(|error| {
                let next = format!(
                    "name its file with --token-file, or set {TOKEN}; the organiser of the club gives you one"
                );
                match error {
                    env::VarError::NotPresent => Failure::usage("there is no token for the club", next),
                    env::VarError::NotUnicode(_) => {
                        Failure::usage(format!("{TOKEN} is not valid UTF-8"), next)
                    }
                }
            })?,
        };
        let token = arena_text::without_mark(&token).trim().to_owned();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::usage(
                "the token is not one of a club",
                "copy it as the organiser has sent it",
            ));
        }
        if self.to.is_open() {
            console.note("note: others on the way can read the token, because the address is not https");
        }
        Ok(token)
    }
}

fn read_token(file: &Path) -> Result<String, Failure> {
    arena_files::read_text(file, TOKEN_BYTES_MAX).map_err(|error| {
        let next = "name the file with the token that the organiser has sent";
        Error::unreadable(shown(file), error, "token", next).into()
    })
}

/// The failure of a request that the club has not answered as wished.
pub(super) fn failure(refused: Refused) -> Failure {
    match refused {
        Refused::ByClub(complaint) => {
            Failure::usage(format!("the club: {}", complaint.error), complaint.next.as_str())
        }
        Refused::Failed(error) => error.into(),
    }
}

/// Submits a bot, and reports the verdict.
pub fn submit(args: &SubmitArgs, console: &mut Console) -> Result<(), Failure> {
    let ToArgs { to, .. } = &args.to;
    let token = args.to.token(console)?;
    let interrupt = Interrupt::listen()?;
    let is_draft = args.draft || args.challenge.is_some();
    let submitted = arena_club::submit(to, &token, &args.bot, args.publish, is_draft).map_err(failure)?;
    let is_awaited = |it: &Submitted| match it.state {
        SubmittedState::Waiting => true,
        _ if it.challenges.iter().any(is_to_be_played) => true,
        SubmittedState::Plays => {
            let has_more = |standing: &Standing| standing.games < GAMES_AWAITED && it.awaits_games;
            args.wait && it.standing.as_ref().is_none_or(has_more)
        }
        _ => false,
    };
    let wait = |submitted| wait_while(is_awaited, submitted, to, &token, &interrupt, console);
    let mut submitted = wait(submitted)?;
    if let (Some(opponent), false) = (&args.challenge, is_awaited(&submitted) || is_refused(submitted.state))
    {
        submitted = arena_club::challenge(to, &token, submitted.id, opponent).map_err(failure)?;
        submitted = wait(submitted)?;
    }
    console.show(&submitted, args.output)?;
    match submitted.state {
        _ if is_awaited(&submitted) => {
            Err(Failure::Interrupted("interrupted; the club goes on, and `arena mine` has the result".into()))
        }
        SubmittedState::Faulted | SubmittedState::Paused => Err(Failure::Reported(NegativeResult::Faulted)),
        state if is_refused(state) => Err(Failure::Reported(NegativeResult::Refused)),
        _ => Ok(()),
    }
}

/// True for a challenge of this author whose games are to come.
fn is_to_be_played(challenge: &SeenChallenge) -> bool {
    challenge.asked && challenge.progress == ChallengeProgress::Waiting
}

/// True for a version that does not play, and will not.
fn is_refused(state: SubmittedState) -> bool {
    match state {
        SubmittedState::Refused
        | SubmittedState::Faulted
        | SubmittedState::Disqualified
        | SubmittedState::Replaced
        | SubmittedState::Deleted => true,
        SubmittedState::Waiting
        | SubmittedState::Plays
        | SubmittedState::Superseded
        | SubmittedState::Draft
        | SubmittedState::Paused => false,
    }
}

/// Waits while a version is so, or until it is interrupted, and says what it waits for.
fn wait_while(
    is_awaited: impl Fn(&Submitted) -> bool,
    mut submitted: Submitted,
    to: &Address,
    token: &str,
    interrupt: &Interrupt,
    console: &Console,
) -> Result<Submitted, Failure> {
    let (mut told, mut lost) = (None, None::<Instant>);
    while is_awaited(&submitted) && !interrupt.requested() {
        let note = match submitted.state {
            _ if submitted.challenges.iter().any(is_to_be_played) => {
                Some(format!("version {} waits for the games of its challenge", submitted.version))
            }
            SubmittedState::Plays => Some(match submitted.standing {
                None if !submitted.awaits_games => {
                    format!("version {} plays; waiting for an opponent", submitted.version)
                }
                _ => format!("version {} plays; waiting for {GAMES_AWAITED} games", submitted.version),
            }),
            // The arena has failed to judge it.
            _ => Some(submitted.finding.clone()).filter(|finding| !finding.is_empty()),
        };
        if told != note {
            note.iter().for_each(|note| console.note(note.as_str()));
            told = note;
        }
        thread::sleep(ASK_EVERY);
        match arena_club::submission(to, token, submitted.id) {
            Ok(now) => (submitted, lost) = (now, None),
            Err(Refused::Failed(error)) if lost.is_none() => {
                console.note(format!("{error}; trying again"));
                lost = Some(Instant::now());
            }
            Err(Refused::Failed(_)) if lost.is_some_and(|lost| lost.elapsed() < LOST_MAX) => {}
            Err(refused) => {
                let version = submitted.version;
                console.note(format!("the club has version {version}; `arena mine` has its result later"));
                return Err(failure(refused));
            }
        }
    }
    Ok(submitted)
}
