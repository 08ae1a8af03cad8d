//! Saving a game that somebody looks at or plays.

use crate::archive::write_whole;
use arena_record::Transcript;
use std::path::{Path, PathBuf};

/// Names that are tried before it is given up. Chosen: nobody keeps more games of the same two in one folder.
const NAMES_MAX: u32 = 1_000;

/// Saves a transcript in the current folder under a name that is free, and says which.
///
/// # Errors
/// Why it is not saved, for the person who wished it.
pub fn save(transcript: &Transcript) -> Result<String, String> {
    let [first, second] = transcript.header.bots.each_ref().map(|bot| crate::archive::file_word(&bot.label));
    let path =
        free_name(Path::new("."), &format!("{first}-vs-{second}")).ok_or("too many are there already")?;
    write_whole(&path, |out| transcript.write(out)).map_err(|error| format!("{error:#}"))?;
    Ok(crate::roster::shown(path.strip_prefix(".").unwrap_or(&path)))
}

fn free_name(folder: &Path, stem: &str) -> Option<PathBuf> {
    let name = |number: u32| match number {
        1 => format!("{stem}.jsonl"),
        number => format!("{stem}-{number}.jsonl"),
    };
    (1..=NAMES_MAX).map(|number| folder.join(name(number))).find(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_there_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let name = || free_name(folder.path(), "a-vs-b").unwrap();
        assert_eq!(name(), folder.path().join("a-vs-b.jsonl"));
        std::fs::write(name(), "").unwrap();
        assert_eq!(name(), folder.path().join("a-vs-b-2.jsonl"));
    }
}
