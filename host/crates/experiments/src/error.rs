//! The ways in which an experiment fails, each with its data.

use crate::project::WANTED;
use arena_engine::Error;
use arena_record::Label;
use arena_referee::HostError;
use arena_rules::GameKind;
use arena_starter::MANIFEST;
use arena_text::{RecordingName, shown};
use std::path::PathBuf;

/// The next step when `arena.toml` is missing or wrong.
pub(crate) const HOW: &str = "write two lines there, such as\n\n    build = \"make\"\n    bot = \"my-bot.wasm\"\n\n  \
                   or make a folder with `arena new`: it writes the file";

/// The reason why an experiment cannot be made. Its text has the next step in a second line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum ExperimentError {
    /// By these rules, one side cannot play alone.
    #[error("{why}\n  next: choose other rules, or compare two bots with `arena sprt`")]
    NotAlone { why: String },
    /// There is no folder of a bot.
    #[error("{}: there is no such folder\n  next: name the folder of a bot; `arena new` makes one", shown(.folder))]
    NoFolder { folder: PathBuf },
    /// The folder of a bot has no manifest, and its files name no language.
    #[error("{} has no {}, and no {}\n  next: {}", shown(.folder), MANIFEST, WANTED, HOW)]
    NoManifest { folder: PathBuf },
    /// The manifest of a bot is not valid.
    #[error("{}: {why}\n  next: {}", shown(.file), HOW)]
    WrongManifest { file: PathBuf, why: String },
    /// There is a journal already, and a test begins with its first game.
    #[error(
        "{}: there is such a journal, and a test begins with its first game\n  \
         next: name another journal; `arena standings` and `arena games` read this one",
        shown(.journal)
    )]
    JournalExists { journal: PathBuf },
    /// The file of a game has changed since it was judged.
    #[error("{} {why}\n  next: check that nothing writes to it", shown(.file))]
    FileChanged { file: PathBuf, why: String },
    /// A game refuses the values of its options.
    #[error("{} refuses these values of --set: {why}\n  next: choose other values", shown(.file))]
    SettingsRefused { file: PathBuf, why: String },
    /// A bot plays another game than a recording.
    #[error("{file} plays {}, and {recording} is a game of {game}\n  next: name a bot for that game", .plays.in_words())]
    BotOfOtherGame { file: String, plays: GameKind, recording: RecordingName, game: String },
    /// A bot cannot be asked at recorded turns, because the game draws its actions.
    #[error(
        "{file} leaves its actions to the game, which draws none for a recorded turn\n  \
         next: name a bot that chooses its actions itself"
    )]
    BotLeavesTheChoice { file: String },
    /// A bot may have had either seat of a recording.
    #[error(
        "{recording}: which seat should {bot} take? {} and {} played this game\n  \
         next: choose one: --seat 1 or --seat 2", .played[0], .played[1]
    )]
    WhichSeat { recording: RecordingName, bot: Label, played: [Label; 2] },
    /// The engine fails.
    #[error(transparent)]
    Engine(#[from] Error),
}

impl From<HostError> for ExperimentError {
    fn from(error: HostError) -> Self {
        Self::Engine(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Project;
    use std::fs;

    #[test]
    fn a_caller_can_match_what_is_wrong_with_the_folder_of_a_bot() {
        let place = tempfile::tempdir().expect("there is room");
        let read = || Project::read(place.path());
        assert!(matches!(read(), Err(ExperimentError::NoManifest { folder }) if folder == place.path()));
        let file = place.path().join(MANIFEST);
        for (text, problem) in [
            ("build = \" \"\nbot = \"a\"", "`build` is empty"),
            ("bot = \"a\"", "missing field `build`"),
            ("build = \"a\"", "missing field `bot`, or `game`"),
        ] {
            fs::write(&file, text).expect("it can be written");
            let error = read().expect_err(problem);
            assert!(
                error.to_string().starts_with(&format!("{}: {problem}\n  next: write", shown(&file))),
                "{error}"
            );
            assert!(matches!(error, ExperimentError::WrongManifest { why, .. } if why == problem));
        }
        fs::write(&file, [0xff]).expect("it can be written");
        assert!(matches!(read(), Err(ExperimentError::Engine(_))));
        let missing = place.path().join("missing");
        assert!(
            matches!(Project::read(&missing), Err(ExperimentError::NoFolder { folder }) if folder == missing)
        );
    }
}
