//! The logs of the bots of a recorded game, as `arena run --logs` writes them: a file for each seat.

use crate::error::Error;
use crate::mistake::Mistake;
use arena_files::{FileError, file_word};
use arena_record::Label;
use arena_text::shown;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The largest file of a log that is read, in bytes. Chosen: sixteen times the longest log that is written.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// The largest number of digits of a game's number: a schedule has at most ten million games.
const NUMBER_DIGITS_MAX: usize = 8;

/// The logs of a game, by seat.
pub type Logs = [Option<String>; 2];

/// A recorded game whose logs are looked for.
#[derive(Clone, Copy, Debug)]
pub enum LoggedGame<'a> {
    /// The game in this transcript. Its logs have the transcript's name.
    Transcript(&'a Path),
    /// The game of a journal with this number, between bots that had these labels when it was played.
    Number(&'a Path, [&'a Label; 2]),
}

impl LoggedGame<'_> {
    /// The logs of the game: those in the folder or file that the user names, otherwise those next to the transcript,
    /// if there are any.
    ///
    /// A bot that printed nothing has no log.
    ///
    /// # Errors
    /// A file that the user names and that cannot be read, or whose name does not contain the seat.
    pub fn logs(self, named: Option<&Path>) -> Result<Logs, Error> {
        let Some(path) = named else {
            let Self::Transcript(transcript) = self else { return Ok(Logs::default()) };
            let folder = transcript.parent().unwrap_or(Path::new(""));
            // The user did not ask for logs, so unreadable ones are ignored.
            return Ok(self.in_folder(folder).map(|log| log.and_then(|path| read(&path).ok())));
        };
        if path.is_dir() {
            let mut logs = Logs::default();
            for (log, path) in logs.iter_mut().zip(self.in_folder(path)) {
                *log = path.map(|path| read(&path)).transpose()?;
            }
            return Ok(logs);
        }
        let log = Some(read(path)?);
        match seat_of_name(path) {
            Some(1) => Ok([log, None]),
            Some(2) => Ok([None, log]),
            _ => Err(Mistake::LogWithoutSeat { file: shown(path) }.into()),
        }
    }

    /// The files of the logs in a folder, by seat.
    fn in_folder(self, folder: &Path) -> [Option<PathBuf>; 2] {
        let stem = match self {
            Self::Transcript(transcript) => {
                transcript.file_stem().map(|stem| stem.to_string_lossy().into_owned())
            }
            Self::Number(number, labels) => stem_of_number(folder, number, labels),
        };
        [1, 2].map(|seat| {
            let path = folder.join(format!("{}.seat{seat}.log", stem.as_ref()?));
            path.is_file().then_some(path)
        })
    }
}

/// The beginning of the names of a game's logs. They have its number with as many digits as the run had.
fn stem_of_number(folder: &Path, number: &Path, labels: [&Label; 2]) -> Option<String> {
    let number: usize = number.to_str()?.parse().ok()?;
    let [first, second] = labels.map(|label| file_word(label));
    let stem = |digits: usize| format!("{number:0digits$}-{first}-vs-{second}");
    let is_there =
        |stem: &String| [1, 2].iter().any(|seat| folder.join(format!("{stem}.seat{seat}.log")).is_file());
    // A folder may have a hundred thousand logs, so it is not listed.
    (number.to_string().len()..=NUMBER_DIGITS_MAX).map(stem).find(is_there)
}

/// The seat in the name of a log.
fn seat_of_name(path: &Path) -> Option<u8> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    name.strip_suffix(".log")?.rsplit_once(".seat")?.1.parse().ok()
}

/// Reads a log. It may be any file, so it need not be text that is safe to print.
fn read(path: &Path) -> Result<String, Error> {
    let failure = |error: FileError| {
        let next = "name a log that `arena run --logs` has written, or the folder of the logs";
        Error::unreadable(shown(path), error, "log", next)
    };
    let bytes = arena_files::read(path, LOG_BYTES_MAX).map_err(failure)?;
    let text = arena_text::unmarked(&bytes).map_err(|why| failure(FileError::NotText(why)))?;
    Ok(String::from_utf8_lossy(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_logs_of_a_game_are_found_by_its_transcript_or_number_or_are_named() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("007-ann-vs-ben.seat2.log"), "of ben").unwrap();
        fs::write(at("notes.txt"), "no seat").unwrap();
        let of_ben: Logs = [None, Some("of ben".into())];
        let transcript = at("007-ann-vs-ben.jsonl");
        let by_file = LoggedGame::Transcript(&transcript);
        assert_eq!(by_file.logs(None).unwrap(), of_ben);
        let labels = ["ann", "ben"].map(Label::from);
        let number = |number| LoggedGame::Number(Path::new(number), labels.each_ref());
        assert_eq!(number("7").logs(Some(place.path())).unwrap(), of_ben);
        assert_eq!(number("7").logs(None).unwrap(), [None, None]);
        assert_eq!(number("8").logs(Some(place.path())).unwrap(), [None, None]);
        let of_seat_1 = at("copy.seat1.log");
        fs::copy(at("007-ann-vs-ben.seat2.log"), &of_seat_1).unwrap();
        assert_eq!(number("8").logs(Some(&of_seat_1)).unwrap(), [Some("of ben".into()), None]);
        let named = number("8").logs(Some(&at("007-ann-vs-ben.seat2.log"))).unwrap();
        assert_eq!(named, of_ben);
        for name in ["notes.txt", "copy.seat3.log"] {
            fs::write(at(name), "a").unwrap();
            let named = number("8").logs(Some(&at(name)));
            assert!(matches!(named, Err(Error::Mistake(Mistake::LogWithoutSeat { .. }))), "{name}");
        }
    }

    #[test]
    fn a_log_has_at_most_a_mebibyte() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("game.seat1.log");
        for (bytes, is_read) in [(1 << 20, true), ((1 << 20) + 1, false)] {
            fs::write(&path, vec![b'a'; bytes]).unwrap();
            assert_eq!(read(&path).is_ok(), is_read, "{bytes}");
            // Unless it was named, it is as if it were not there.
            let logs = LoggedGame::Transcript(&place.path().join("game.jsonl")).logs(None).unwrap();
            assert_eq!(logs[0].is_some(), is_read);
        }
    }
}
