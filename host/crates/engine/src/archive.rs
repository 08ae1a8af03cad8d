//! Files of a run: a transcript for each game, and the output of the bots.

use crate::error::Error;
use crate::tournament::GameSummary;
use arena_files::{file_word, write_whole};
use arena_players::Played;
use arena_record::Label;
use arena_text::{RecordingName, shown};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folders to write into; either may be missing.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    transcripts: Option<PathBuf>,
    logs: Option<PathBuf>,
    digits: usize,
}

impl Archive {
    /// An archive for this number of games. Folders that do not exist are created.
    ///
    /// # Errors
    /// A folder that cannot be created or written to.
    pub fn open(transcripts: Option<&Path>, logs: Option<&Path>, games: usize) -> Result<Self, Error> {
        for folder in [transcripts, logs].into_iter().flatten() {
            arena_files::make_folder(folder).and_then(|()| try_writing_to(folder)).map_err(|error| {
                let what = format!("cannot write to the folder {}", shown(folder));
                Error::machine(what, error, "name a folder that you can create and write to")
            })?;
        }
        Ok(Self {
            transcripts: transcripts.map(Path::to_owned),
            logs: logs.map(Path::to_owned),
            digits: games.to_string().len(),
        })
    }

    /// Keeps a game: its transcript, and a log for each bot that printed anything.
    ///
    /// # Errors
    /// A file that cannot be written. No incomplete file is left under its name.
    pub fn keep(&self, game: &GameSummary, played: &Played) -> Result<(), Error> {
        let labels = played.header.labels();
        if let (Some(_), Some(transcript)) = (&self.transcripts, &played.transcript) {
            self.keep_transcript(game.number, labels, transcript)?;
        }
        let stem = self.stem(game.number, labels);
        for (seat, log) in (1..).zip(&played.logs).filter(|(_, log)| !log.is_empty()) {
            keep_file(self.logs.as_deref(), &format!("{stem}.seat{seat}.log"), log.as_bytes())?;
        }
        Ok(())
    }

    /// Keeps the transcript of a game between bots with these labels.
    ///
    /// # Errors
    /// A file that cannot be written. No incomplete file is left under its name.
    pub fn keep_transcript(
        &self,
        number: usize,
        labels: [&Label; 2],
        transcript: &[u8],
    ) -> Result<(), Error> {
        keep_file(self.transcripts.as_deref(), &self.transcript_name(number, labels), transcript)
    }

    /// The path of the transcript of a game.
    pub fn transcript_of(&self, number: usize, labels: [&Label; 2]) -> RecordingName {
        let folder = self.transcripts.as_deref().unwrap_or(Path::new(""));
        shown(&folder.join(self.transcript_name(number, labels))).as_str().into()
    }

    fn transcript_name(&self, number: usize, labels: [&Label; 2]) -> String {
        format!("{}.jsonl", self.stem(number, labels))
    }

    /// A name that sorts in the order of the games, and that is safe for any labels.
    fn stem(&self, number: usize, labels: [&Label; 2]) -> String {
        let [first, second] = labels.map(|label| file_word(label));
        format!("{}-{first}-vs-{second}", self.number(number))
    }

    /// The number of a game, with as many digits as that of each other game.
    pub fn number(&self, number: usize) -> String {
        format!("{number:0digits$}", digits = self.digits)
    }
}

/// Checks that a file can be made in a folder.
fn try_writing_to(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".arena-probe-{}", std::process::id()));
    arena_files::create(&probe)?;
    fs::remove_file(probe)
}

fn keep_file(folder: Option<&Path>, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let Some(path) = folder.map(|folder| folder.join(name)) else { return Ok(()) };
    write_whole(&path, bytes).map_err(|error| {
        let what = format!("cannot write {}", shown(&path));
        Error::machine(what, error, "name another folder")
    })
}
