//! Saving a game from the screen.

use arena_files::{file_word, write_whole};
use arena_record::Transcript;
use arena_rules::Game;
use arena_text::shown;
use std::path::{Path, PathBuf};

/// The number of names that are tried. Chosen: more than the games of the same two bots that anyone keeps in one
/// folder.
const NAMES_MAX: u32 = 1_000;

/// Saves a transcript in the current folder under a free name, and returns the name. A game that is saved already is not
/// saved twice.
///
/// # Errors
/// The reason why it is not saved, for the person at the screen.
pub fn save<G: Game>(transcript: &Transcript<G>) -> Result<String, String> {
    let [first, second] = transcript.header.labels().map(|label| file_word(label));
    let bytes = transcript.to_bytes();
    let found = name_for(Path::new("."), &format!("{first}-vs-{second}"), &bytes);
    let (path, is_there) = found.ok_or("too many are there already")?;
    if !is_there {
        write_whole(&path, &bytes).map_err(|error| error.to_string())?;
    }
    Ok(shown(path.strip_prefix(".").unwrap_or(&path)).to_string())
}

/// The name for a game in a folder, and true if a file with this name has it already.
fn name_for(folder: &Path, stem: &str, bytes: &[u8]) -> Option<(PathBuf, bool)> {
    let name = |number: u32| match number {
        1 => format!("{stem}.jsonl"),
        number => format!("{stem}-{number}.jsonl"),
    };
    // One more byte shows that a longer file is another game.
    let has_it = |path: &Path| {
        let size_max = bytes.len() as u64 + 1;
        arena_files::read(path, size_max).is_ok_and(|there| there == bytes)
    };
    (1..=NAMES_MAX).map(|number| folder.join(name(number))).find_map(|path| match path.exists() {
        false => Some((path, false)),
        true => has_it(&path).then_some((path, true)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_there_is_never_written_over_and_never_saved_twice() {
        let folder = tempfile::tempdir().unwrap();
        let name = |game: &str| name_for(folder.path(), "a-vs-b", game.as_bytes()).unwrap();
        let first = folder.path().join("a-vs-b.jsonl");
        assert_eq!(name("one"), (first.clone(), false));
        std::fs::write(&first, "one").unwrap();
        assert_eq!(name("one"), (first, true));
        let second = folder.path().join("a-vs-b-2.jsonl");
        assert_eq!(name("other"), (second.clone(), false));
        std::fs::write(&second, "other, and longer").unwrap();
        assert_eq!(name("other"), (folder.path().join("a-vs-b-3.jsonl"), false));
    }
}
