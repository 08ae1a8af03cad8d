//! Saving a game from the screen.

use crate::archive::write_whole;
use arena_record::Transcript;
use arena_rules::Game;
use std::path::{Path, PathBuf};

/// The number of names that are tried. Chosen: nobody keeps more games of the same two in one folder.
const NAMES_MAX: u32 = 1_000;

/// Saves a transcript in the current folder under a free name, and returns the name.
///
/// # Errors
/// The reason why it is not saved, for the person at the screen.
pub fn save<G: Game>(transcript: &Transcript<G>) -> Result<String, String> {
    let [first, second] = transcript.header.labels().map(|label| crate::archive::file_word(label));
    let path =
        free_name(Path::new("."), &format!("{first}-vs-{second}")).ok_or("too many are there already")?;
    write_whole(&path, &transcript.to_bytes()).map_err(|error| error.to_string())?;
    Ok(crate::roster::shown(path.strip_prefix(".").unwrap_or(&path)).to_string())
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
