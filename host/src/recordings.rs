//! Recorded games, read one after the other from where they are.

use crate::cli::VerifyArgs;
use crate::failure::Failure;
use crate::roster::shown;
use arena_record::Transcript;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// A recorded game.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Which, safe to print.
    pub name: String,
    /// What is recorded, or why it cannot be read.
    pub transcript: Result<Transcript, String>,
}

/// Recordings to be read.
#[derive(Debug)]
pub struct Recordings {
    files: std::vec::IntoIter<PathBuf>,
}

impl Recordings {
    /// The recordings that the arguments name, and the paths that are for bots.
    ///
    /// # Errors
    /// A path that is no recording's.
    pub fn open(args: &VerifyArgs) -> Result<(Self, Vec<PathBuf>), Failure> {
        let [first, rest @ ..] = args.paths.as_slice() else { unreachable!("a path is required") };
        let is_recording = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
        let (more, bots): (Vec<_>, Vec<_>) = rest.iter().partition(is_recording);
        let files: Vec<PathBuf> = std::iter::once(first).chain(more).cloned().collect();
        files.iter().try_for_each(|path| check(path))?;
        if bots.is_empty() {
            return Err(Failure::input(
                "no bot is named to play the recording again with",
                "name the components that played, or a folder with them: arena verify game.jsonl bots/",
            ));
        }
        Ok((Self { files: files.into_iter() }, bots.into_iter().cloned().collect()))
    }

    /// How many are left.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// The next one, if any is left.
    pub fn read_next(&mut self) -> Result<Option<Recording>, Failure> {
        let Some(path) = self.files.next() else { return Ok(None) };
        let name = shown(&path);
        let file = File::open(&path).map_err(|error| {
            Failure::input(format!("{name}: cannot be read: {error}"), "check who may read it")
        })?;
        let transcript = Transcript::read(BufReader::new(file)).map_err(|error| error.to_string());
        Ok(Some(Recording { name, transcript }))
    }
}

/// Whether a path can be a recording's, before anything is played.
fn check(path: &Path) -> Result<(), Failure> {
    let name = shown(path);
    let mut start = [0; 4];
    let read = File::open(path).and_then(|file| file.take(4).read(&mut start));
    match read {
        Ok(4) if start == *b"\0asm" => Err(Failure::input(
            format!("{name}: is a component, and a recording is expected first"),
            "name the transcript first, then the bots: arena verify game.jsonl bots/",
        )),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::input(
            format!("{name}: cannot be read: {error}"),
            "name a transcript, as `arena run --transcripts DIR` writes them",
        )),
    }
}
