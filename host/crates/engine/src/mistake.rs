//! The mistakes that the engine finds in its input, a variant for each case.

use arena_files::FileError;
use arena_league::{Format, FormatError, GAMES_MAX};
use arena_record::{BotId, Label, Name, Problem, SeedError};
use arena_rules::{GameKind, RulesError, Size};
use arena_store::{Difference, JournalError};
use arena_text::{RecordingName, ShownPath, counted, some_of};
use std::io::ErrorKind;

/// Wrong input: nothing was played or written. The text is the problem with its place and, in a second line, the next step.
///
/// ```
/// use arena_engine::{Error, JournalError, Mistake, StoredSeason};
///
/// let refused = StoredSeason::read("missing.db".as_ref()).err().expect("there is no such file");
/// assert!(matches!(refused, Error::Mistake(Mistake::Journal { error: JournalError::Missing, .. })));
/// assert_eq!(
///     refused.to_string(),
///     "missing.db: there is no such journal\n  next: check the path; `arena run --journal FILE` makes a journal",
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the variants are documented, and the fields are named after what they have")]
pub enum Mistake {
    // Files and names.
    /// A file cannot be read, or is not what it should be, such as a bot.
    #[error("{file}: {}\n  next: {next}", .error.as_wanted(.wanted))]
    File { file: String, error: FileError, wanted: &'static str, next: String },
    /// A folder has no components.
    #[error(
        "{folder}: this folder has no .wasm files\n  next: name a folder with .wasm files, or the files themselves"
    )]
    NoComponents { folder: ShownPath },
    /// No built-in opponent has this name.
    #[error(
        "{name}: there is no such built-in opponent\n  next: name one of {}, or a file as ./{name}", .known.join(", ")
    )]
    NoSuchOpponent { name: ShownPath, known: Vec<String> },
    /// No bot with this label has played.
    #[error(
        "there is no bot \"{label}\" among those that played\n  next: name one of: {}",
        some_of(.known.iter().map(ToString::to_string), .known.len(), LABELS_SHOWN_MAX, ", ")
    )]
    NoSuchBot { label: Name, known: Vec<Label> },
    /// A log does not have its seat in its name.
    #[error(
        "{file}: the seat is not in the file's name\n  \
         next: name a file that ends with .seat1.log or .seat2.log, or its folder"
    )]
    LogWithoutSeat { file: ShownPath },

    // Rules and games.
    /// No built-in rules have this name.
    #[error(
        "there are no rules named \"{name}\"\n  next: choose one of: {}; or name a file",
        .known.join(", ")
    )]
    NoSuchRules { name: Name, known: Vec<String> },
    /// A line of a file with rules is wrong.
    #[error(
        "{file}:{line}: {problem}\n  \
         next: `arena rules show NAME` shows the switches of built-in rules; `like = \"NAME\"` names the rules that a file changes"
    )]
    RulesFile { file: ShownPath, line: usize, problem: Problem },
    /// The game has no boards of different sizes.
    #[error("{game} has no board of different sizes\n  next: leave out --width and --height{}", set_instead(.kind))]
    NoBoardSizes { game: String, kind: GameKind },
    /// The game is played on a board of one size.
    #[error("{game} is played on {size}\n  next: leave out --width and --height")]
    OneBoardSize { game: GameKind, size: Size },
    /// The rules cannot be played on a board of this size.
    #[error("{0}\n  next: choose another --width and --height")]
    BoardSize(RulesError),
    /// A file is not a game.
    #[error(
        "{file}: {problem}\n  next: name the component of a game; `arena check` says what is wrong with one"
    )]
    NotAGame { file: ShownPath, problem: String },
    /// A game does not have this option.
    #[error("{game} has no option {option}\n  next: it has {}", options(.known))]
    NoSuchGameOption { game: String, option: String, known: Vec<String> },
    /// The option of a game has a value out of its range.
    #[error(
        "the option {option} of {game} cannot be {value}\n  next: choose a whole number from {minimum} to {maximum}"
    )]
    GameOptionRange { game: String, option: String, value: i64, minimum: i64, maximum: i64 },
    /// The option of a game is given twice.
    #[error("the option {option} of {game} is set twice\n  next: name each option once with --set")]
    GameOptionTwice { game: String, option: String },
    /// A game does not take these options together.
    #[error(
        "{file}: the game refuses these options together, `{options}`: {problem}\n  \
         next: choose values that fit together; `arena check {file}` lists the options with their ranges"
    )]
    GameOptionsRefused { file: ShownPath, options: String, problem: String },
    /// A bot is for a game that is a component, and no game is named.
    #[error(
        "{file} plays a game that is a component, and no game is named\n  next: name the game with `--game GAME.wasm`"
    )]
    BotWithoutGame { file: String },
    /// A bot is for another game than the rules.
    #[error(
        "{file} plays {}, and the rules `{rules}` are for {}\n  \
         next: leave out --rules or --game, or name bots for that game", .plays.in_words(), .game.in_words()
    )]
    BotOfOtherGame { file: String, plays: GameKind, rules: Name, game: GameKind },
    /// The bots are for different games.
    #[error(
        "{first} plays {}, and {other} plays {}\n  next: name bots for one game", .game.in_words(), .plays.in_words()
    )]
    BotsOfTwoGames { first: String, game: GameKind, other: String, plays: GameKind },
    /// A bot has other types than its game, which is a component.
    #[error("{file} {difference}\n  next: {}", BUILD_AGAINST_THE_GAME)]
    BotOfOtherContract { file: String, difference: String },
    /// Bots were refused, and none may be.
    #[error("{refused} refused: with --strict nothing is played\n  next: mend or leave out what was refused")]
    BotsRefused { refused: usize },
    /// The bots that were not refused are too few for a match.
    #[error(
        "{} left, and a match needs two: nothing is played\n  next: mend what was refused, or name other bots",
        if *.playing == 1 { "one bot is" } else { "no bots are" }
    )]
    TooFewBotsLeft { playing: usize },

    // Recordings.
    /// No transcript is named.
    #[error("no transcript is named\n  next: write `{command}`")]
    NoTranscript { command: &'static str },
    /// No bots are named that could play a recording again.
    #[error(
        "no bots are named to replay the games with\n  next: name the bots that played, or a folder with them: `{command}`"
    )]
    NoBots { command: String },
    /// A file is not a transcript.
    #[error("{file}: {problem}\n  next: {next}")]
    NotATranscript { file: ShownPath, problem: &'static str, next: String },
    /// A recording is damaged.
    #[error(
        "{recording}: {problem}\n  \
         next: check that the copy of the file is complete, or use the arena that wrote it"
    )]
    Recording { recording: RecordingName, problem: Problem },
    /// A recording was played in a game that is a component, and no game is named.
    #[error(
        "{recording}: was played in {game}, a game that is a component\n  \
         next: name the game's file with --game; a journal has its game"
    )]
    RecordingWithoutGame { recording: ShownPath, game: String },
    /// A recording was played in a built-in game, and another game is named.
    #[error("{recording}: was played in a built-in game\n  next: leave out --game")]
    RecordingOfBuiltInGame { recording: String },
    /// A recording was played in another game than the one that is named.
    #[error(
        "{recording}: was played in another game than {file}: in {game} with the hash {sha256}\n  \
         next: name the file with that game; `sha256sum` prints the hash of a file"
    )]
    RecordingOfOtherGame { recording: String, file: ShownPath, game: String, sha256: String },

    // Journals.
    /// A journal cannot be used.
    #[error("{journal}: {}\n  next: {next}", problem_of(.error))]
    Journal { journal: ShownPath, error: JournalError, next: &'static str },
    /// The journal that should be continued does not exist.
    #[error("{journal}: no such journal to continue\n  next: leave out --resume to start one")]
    NothingToContinue { journal: ShownPath },
    /// A journal has no games.
    #[error(
        "{journal}: has no games yet\n  next: wait until its run has played some, or play some with `arena run --journal`"
    )]
    NoGames { journal: ShownPath },
    /// A journal has no game with this number.
    #[error("{journal}: has no game \"{number}\": its games are numbered from 1 to {last}\n  next: {next}")]
    NoSuchGame { journal: ShownPath, number: ShownPath, last: usize, next: String },
    /// A journal has no stage with this number.
    #[error("{journal}: there is no such stage\n  next: its stages are 1 to {stages}")]
    NoSuchStage { journal: ShownPath, stages: usize },
    /// A moment is before the first stage.
    #[error("{journal}: no stage had begun at {at}\n  next: the first one began at {first}")]
    BeforeFirstStage { journal: ShownPath, at: String, first: String },
    /// A published head is not in the chain of a journal.
    #[error(
        "{journal}: its chain has no link {head}\n  \
         next: check the digits; if they are right, this journal was truncated or rewritten after they were printed"
    )]
    UnknownHead { journal: ShownPath, head: Name },
    /// A journal may lack its last games, because its write-ahead log is not next to it.
    #[error("{note}\n  next: close it when the file with its last games is there")]
    NoLog { note: String },
    /// A bot that has played is not among those that should play again.
    #[error(
        "{journal}: {} is not among the bots given: no file has the hash {}\n  \
         next: name the file that played; without it, `arena verify` replays the games of the others", .bot.label, .bot.sha256
    )]
    BotMissing { journal: ShownPath, bot: Box<BotId> },
    /// The games of a journal cannot be played again here, because this arena is another one.
    #[error(
        "{journal}: {difference}, so its head cannot be reproduced here\n  next: play it again with the arena that wrote it"
    )]
    OtherConditions { journal: ShownPath, difference: Difference },

    // Seasons.
    /// The options do not belong to the format. `formats` has those to which they do.
    #[error("{option} is for --format {formats}\n  next: leave it out, or choose --format {formats}")]
    OptionOfAnotherFormat { option: &'static str, formats: &'static str },
    /// The bots cannot play a contest in this format.
    #[error("{0}\n  next: {next}", next = next_format(.0))]
    Format(FormatError),
    /// The stages of a season have too many games.
    #[error(
        "the stages of this season plan {planned} games, and a season has at most {max}\n  \
         next: begin another journal, or choose fewer --games", max = GAMES_MAX
    )]
    TooManyGames { planned: usize },
    /// The contest in a journal cannot be continued as another one.
    #[error(
        "{journal}: its {format} cannot continue: {difference}\n  \
         next: name another journal, or leave these arguments out to continue this one"
    )]
    OtherContest { journal: ShownPath, format: Format, difference: Difference },
    /// The season is closed, and should be continued or closed.
    #[error("{journal}: the season is closed{}", after_closing(.journal, *.again))]
    SeasonClosed { journal: ShownPath, again: bool },
    /// A season has games left, and should be closed.
    #[error(
        "{journal}: {played} of {} are played, and no more can be after it is closed\n  \
         next: play them with `arena run --resume`, or close it without them by --unfinished", counted(*.planned, "game")
    )]
    SeasonUnfinished { journal: ShownPath, played: usize, planned: usize },
    /// The season has begun, so its seed cannot be drawn before it.
    #[error(
        "{journal}: the season has begun, so its seed has been drawn\n  \
         next: name a new journal; `arena journal info {journal}` prints the seed or its hash"
    )]
    SeasonBegun { journal: ShownPath },

    // Seeds.
    /// A chosen seed and a beacon are given.
    #[error(
        "--seed with a chosen seed and --beacon cannot be used together\n  \
         next: leave one of them out; `--seed secret` goes with --beacon"
    )]
    SeedWithBeacon,
    /// A secret seed is asked for without a journal.
    #[error(
        "--seed secret needs a journal: it stores the hash of the seed before the first game\n  next: add --journal FILE"
    )]
    SecretWithoutJournal,
    /// The seed or beacon of a stage that has begun is another one.
    #[error(
        "{journal}: the {what} of this stage is {recorded} in the journal and {given} now\n  \
         next: leave it out to continue the stage: its seed was drawn when it began"
    )]
    OtherDraw { journal: ShownPath, what: &'static str, recorded: String, given: String },
    /// The seed or beacon of a new stage is that of an earlier one.
    #[error(
        "{journal}: stage {stage} used the {what} {given}: it is public already, so a bot could be built for it\n  \
         next: leave it out to have a fresh seed drawn, or choose another"
    )]
    KnownDraw { journal: ShownPath, what: &'static str, given: String, stage: usize },
    /// A secret seed is asked for in a season whose seeds are open.
    #[error(
        "{journal}: the seeds of this season are not secret: the seed of its first stage was known before the first game\n  \
         next: leave out --seed to continue it, or name another journal"
    )]
    SeedsOpen { journal: ShownPath },
    /// A seed is chosen in a season whose seeds follow from its secret.
    #[error(
        "{journal}: the seeds of this season follow from its secret, and not from one that you choose\n  \
         next: leave out --seed to continue it, or name another journal"
    )]
    SeedsSecret { journal: ShownPath },
    /// The games of a season cannot be played again before its secret is revealed.
    #[error(
        "{journal}: its seed is still secret, and all games follow from it\n  \
         next: play it again after `arena journal close`, or name the secret with --seed"
    )]
    SecretNotRevealed { journal: ShownPath },
    /// The seed is not the secret of the season.
    #[error(
        "{journal}: the seed that you name is not the secret of this season\n  \
         next: leave it out if the season is closed; the journal has its secret then"
    )]
    NotTheSecret { journal: ShownPath },
    /// The file with the secret of a journal does not exist.
    #[error(
        "{file}: the secret seed of the journal is not there, so it cannot be continued\n  \
         next: move the file back next to the journal; `arena standings` prints the games so far"
    )]
    SecretMissing { file: ShownPath },
    /// The file next to a journal has the secret of another one.
    #[error(
        "{file}: has another seed than the one whose hash is in the journal\n  \
         next: restore the files of this journal from a copy"
    )]
    SecretOfOtherJournal { file: ShownPath },
    /// The file with the secret of a journal is damaged.
    #[error("{file}: {error}\n  next: restore the file from a copy")]
    SecretDamaged { file: ShownPath, error: SeedError },

    /// A mistake that a program above the engine has found.
    #[error("{what}\n  next: {next}")]
    Other { what: String, next: String },
}

/// The largest number of labels that an error lists. Chosen: they fit some lines of a terminal.
const LABELS_SHOWN_MAX: usize = 20;

/// The next step of the author of a bot that does not fit its game.
pub(crate) const BUILD_AGAINST_THE_GAME: &str =
    "build it against the contract that `arena wit GAME.wasm` prints for this game";

impl Mistake {
    /// The problem, and the next step.
    pub(crate) fn parts(&self) -> (String, String) {
        let text = self.to_string();
        // A cause may have such a line, too, and the next step has one line.
        let (what, next) = text.rsplit_once("\n  next: ").unwrap_or((&text, ""));
        (what.into(), next.into())
    }
}

/// The next step after settings that allow no schedule.
fn next_format(error: &FormatError) -> String {
    match error {
        FormatError::TooFewContestants(_) => "name two bots or more".into(),
        FormatError::NoGames => "choose a number of --games from 1".into(),
        FormatError::OddGames { games_per_match, .. } => format!("choose --games {}", games_per_match + 1),
        FormatError::Challengers { contestants, .. } => {
            let most = contestants.saturating_sub(1);
            format!("choose --challengers {most} or fewer, or name more bots")
        }
        FormatError::NoNeighbours => "choose a distance from 1".into(),
        FormatError::NoRounds => "choose a number of --rounds from 1".into(),
        FormatError::TooManyForSwiss(_) => "choose another --format, or name fewer bots".into(),
        FormatError::TooManyGames(_) => "choose fewer --games, or name fewer bots".into(),
    }
}

/// How to choose the size of the board of a game that is a component.
fn set_instead(kind: &GameKind) -> &'static str {
    if *kind == GameKind::Loaded { "; `--set NAME=N` sets an option of the game" } else { "" }
}

/// The options that a game has.
fn options(known: &[String]) -> String {
    if known.is_empty() { "no options".into() } else { known.join(", ") }
}

/// The problem with a journal.
fn problem_of(error: &JournalError) -> String {
    match error {
        JournalError::Io(cause) if cause.kind() == ErrorKind::NotFound => "its folder does not exist".into(),
        error => error.to_string(),
    }
}

/// The end of the text about a closed season, which cannot be continued or closed `again`.
fn after_closing(journal: &ShownPath, again: bool) -> String {
    if again {
        format!(" already\n  next: `arena journal info {journal}` prints its seeds")
    } else {
        format!(
            ", and its seed is revealed\n  next: begin another journal; `arena standings {journal}` prints this one"
        )
    }
}
