//! Files of a run: a transcript for each game, and what the bots printed.

use crate::failure::Failure;
use crate::game::Played;
use crate::roster::shown;
use crate::tournament::GameSummary;
use anyhow::Context;
use arena_record::Transcript;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The folders to write into; none of them need be.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    transcripts: Option<PathBuf>,
    logs: Option<PathBuf>,
    digits: usize,
}

impl Archive {
    /// An archive for so many games, in folders that are made where they are missing.
    ///
    /// # Errors
    /// A folder that cannot be made or written to.
    pub fn open(transcripts: Option<&Path>, logs: Option<&Path>, games: usize) -> Result<Self, Failure> {
        for folder in [transcripts, logs].into_iter().flatten() {
            fs::create_dir_all(folder).and_then(|()| try_writing_to(folder)).map_err(|error| {
                Failure::input(
                    format!("{}: cannot be written to: {error}", shown(folder)),
                    "name a folder that can be made and written to",
                )
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
    /// A file that cannot be written. No file is left half written under its name.
    pub fn keep(&self, game: &GameSummary, played: &Played) -> anyhow::Result<()> {
        self.keep_transcript(game.number, &played.transcript)?;
        if let Some(folder) = &self.logs {
            let labels = played.transcript.header.bots.each_ref().map(|bot| bot.label.as_str());
            let stem = self.stem(game.number, labels);
            for (seat, log) in ["1", "2"].into_iter().zip(&played.logs).filter(|(_, log)| !log.is_empty()) {
                let name = folder.join(format!("{stem}.seat{seat}.log"));
                write_whole(&name, |out| out.write_all(log.as_bytes()))?;
            }
        }
        Ok(())
    }

    /// Keeps a game's transcript.
    ///
    /// # Errors
    /// A file that cannot be written. No file is left half written under its name.
    pub fn keep_transcript(&self, number: usize, transcript: &Transcript) -> anyhow::Result<()> {
        let Some(folder) = &self.transcripts else { return Ok(()) };
        let labels = transcript.header.bots.each_ref().map(|bot| bot.label.as_str());
        write_whole(&folder.join(self.transcript_name(number, labels)), |out| transcript.write(out))
    }

    /// Where the transcript of a game is, safe to print.
    pub fn transcript_of(&self, number: usize, labels: [&str; 2]) -> String {
        let folder = self.transcripts.as_deref().unwrap_or(Path::new(""));
        shown(&folder.join(self.transcript_name(number, labels)))
    }

    fn transcript_name(&self, number: usize, labels: [&str; 2]) -> String {
        format!("{}.jsonl", self.stem(number, labels))
    }

    /// A name that sorts in the order of the games, and that is safe whatever the bots' files are called.
    fn stem(&self, number: usize, labels: [&str; 2]) -> String {
        let [first, second] = labels.map(file_word);
        format!("{number:0digits$}-{first}-vs-{second}", digits = self.digits)
    }
}

pub(crate) fn file_word(label: &str) -> String {
    label.chars().map(|c| if c.is_alphanumeric() || "-_.#".contains(c) { c } else { '_' }).collect()
}

/// Whether a file can be made in a folder.
fn try_writing_to(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".arena-probe-{}", std::process::id()));
    File::create(&probe)?;
    fs::remove_file(probe)
}

/// Writes under another name first, so that a file is whole or not there, whenever the machine stops.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let partial = path.with_added_extension("part");
    let written = File::create(&partial).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    let kept = written.and_then(|()| fs::rename(&partial, path));
    if kept.is_err() {
        // The space it takes may be what is missing; that it cannot be removed would say nothing more.
        let _ = fs::remove_file(&partial);
    }
    kept.with_context(|| format!("cannot write {}", shown(path)))
}
