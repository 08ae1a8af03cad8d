//! Folders about faults: for each one the game, the calls of the bot, what it printed, and the commands that repeat it.

use crate::error::Error;
use arena_files::{file_word, write_whole};
use arena_players::Played;
use arena_record::{BotId, Replay, Transcript, moment};
use arena_referee::{Event, Fault, HostError, LogMoment};
use arena_rules::{Game, Listed, Seat, with_game};
use arena_text::{quoted, shown};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The most folders that one run makes. Chosen: more would not be read, and a bot at fault in every game of a night
/// would otherwise fill the disk.
pub const FOLDERS_MAX: usize = 100;

/// The most lines of a log in a folder. Chosen: some screens.
const LOG_LINES_MAX: usize = 200;

/// The folder for faults, if one was asked for.
#[derive(Debug, Default)]
pub struct Faults {
    folder: Option<PathBuf>,
    /// The number of folders that were made, and of those that were left out because of the limit.
    made: usize,
    left_out: usize,
}

impl Faults {
    /// Folders in this one, which is made if it does not exist.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn open(folder: Option<&Path>) -> Result<Self, Error> {
        if let Some(folder) = folder {
            arena_files::make_folder(folder).map_err(|error| {
                let what = format!("cannot make the folder {}", shown(folder));
                Error::machine(what, error, "name a folder that you can create and write to")
            })?;
        }
        Ok(Self { folder: folder.map(Path::to_owned), ..Self::default() })
    }

    /// True if folders are wanted: the transcripts and logs of games have to be kept for them.
    pub fn are_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// Makes a folder for the first fault of each class of each bot in a game. The name is its number, or another word that is
    /// different for each game; the files are those of the bots, by seat, and empty for a side without one, which has no faults.
    ///
    /// # Errors
    /// A folder or file that cannot be written.
    pub fn keep(&mut self, name: &str, played: &Played, files: [&str; 2]) -> Result<(), Error> {
        if played.result.faults.is_empty() {
            return Ok(());
        }
        with_game!(played.header.conditions.rules.kind(), G => self.keep_all::<G>(name, played, files))
    }

    fn keep_all<G: Listed>(&mut self, name: &str, played: &Played, files: [&str; 2]) -> Result<(), Error> {
        let (Some(folder), Some(bytes)) = (&self.folder, &played.transcript) else { return Ok(()) };
        let Some(transcript) = played.recording::<G>()? else { return Ok(()) };
        for &(seat, class) in played.result.faults.keys() {
            if self.made == FOLDERS_MAX {
                self.left_out += 1;
                continue;
            }
            let is_it = |event: &Event<G>| matches!(event, Event::Faulted { seat: by, fault, .. } if *by == seat && fault.class == class);
            let place = transcript.events.iter().position(is_it);
            let place = place.ok_or_else(|| HostError::Defect("a fault is not in its transcript".into()))?;
            let case = Case { transcript: &transcript, seat, place };
            case.write(folder, name, bytes, &played.logs[seat.index()], files[seat.index()])?;
            self.made += 1;
        }
        Ok(())
    }

    /// The note about folders that were not made; `None` when all were.
    pub fn note(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            format!("--faults: {} more have no folder: {FOLDERS_MAX} are made at most", self.left_out)
        })
    }
}

/// A fault in a game.
struct Case<'a, G: Game> {
    transcript: &'a Transcript<G>,
    seat: Seat,
    /// The place of its event, from 0.
    place: usize,
}

impl<G: Listed> Case<'_, G> {
    fn write(&self, folder: &Path, game: &str, bytes: &[u8], log: &str, file: &str) -> Result<(), Error> {
        let Event::Faulted { turn, fault, .. } = &self.transcript.events[self.place] else {
            unreachable!("the place is that of a fault")
        };
        let bot = &self.transcript.header.bots[self.seat.index()].bot;
        let name = format!("{game}-{}-{}", file_word(&bot.label), moment(*turn).replace(' ', "-"));
        let folder = folder.join(name);
        let files = [
            ("README.txt", about(&folder, file, bot, self.seat, *turn, fault).as_bytes()),
            ("game.jsonl", bytes),
            ("calls.jsonl", recorded_calls(self.transcript, self.seat, self.place)?.as_bytes()),
            ("log.txt", tail(log, *turn).as_bytes()),
        ]
        .map(|(name, bytes)| (folder.join(name), bytes.to_vec()));
        let written = fs::create_dir_all(&folder)
            .and_then(|()| files.iter().try_for_each(|(path, bytes)| write_whole(path, bytes)));
        written.map_err(|error| {
            let what = format!("cannot write to the folder {}", shown(&folder));
            Error::machine(what, error, "name another folder")
        })
    }
}

/// The most retries of a turn in [`recorded_calls`]. Chosen: a bot that needs more learns nothing from them, and a recording could name
/// billions.
const RETRIES_MAX: u32 = 100;

/// The calls of a bot in a recorded game since its memory was empty, up to the one before an event, by the event's place from 0: a line of
/// JSON for each, with the names of the contract. The view is `null` in the call for the deployment, and the answer if none was recorded.
///
/// # Errors
/// The recording, which has been judged by the rules, does not follow them.
pub fn recorded_calls<G: Listed>(
    transcript: &Transcript<G>,
    seat: Seat,
    place: usize,
) -> Result<String, HostError> {
    let header = &transcript.header;
    let rules = arena_players::rules::<G>(&header.conditions)?;
    let info = json!(G::info(rules, header.conditions.limits.fuel_per_turn, header.bots[seat.index()].seed));
    let mut replay = Replay::<G>::new(rules, header.starter, header.fleet_seed);
    let mut calls = String::new();
    for (at, event) in transcript.events[..=place].iter().enumerate() {
        if event.seat() == Some(seat) {
            let mut view = json!(replay.game().map(|game| game.view(seat)));
            let (answer, attempts) = match event {
                Event::Acted { action, attempts, .. } => (json!(action), attempts),
                Event::Placed { deployment, fuel: Some(_), .. } => (json!(deployment), &None),
                Event::Placed { .. } | Event::Faulted { .. } | Event::Ended { .. } => (Value::Null, &None),
            };
            let call = |view: &Value, answer: Value| {
                let call = json!({ "game": info, "view": view, "answer": answer });
                format!("{call}\n")
            };
            // The last call is the first one of its turn.
            let invalid = attempts.as_ref().filter(|_| at < place).map_or(0, |attempts| attempts.invalid);
            for _ in 0..invalid.min(RETRIES_MAX) {
                calls += &call(&view, Value::Null);
                if let Some(retry) = view.get_mut("retry") {
                    *retry = true.into();
                }
            }
            calls += &call(&view, answer);
        }
        if at < place {
            // After a fault, a bot begins with empty memory.
            if matches!(event, Event::Faulted { seat: by, .. } if *by == seat) {
                calls.clear();
            }
            replay.step(event).map_err(HostError::defect)?;
        }
    }
    Ok(calls)
}

/// The end of a log up to the end of a turn.
fn tail(log: &str, turn: u32) -> String {
    let is_later = |line: &str| LogMoment::of_line(line).is_some_and(|moment| moment.turn() > turn);
    let lines: Vec<&str> = log.lines().take_while(|line| !is_later(line)).collect();
    lines[lines.len().saturating_sub(LOG_LINES_MAX)..].iter().flat_map(|line| [line, "\n"]).collect()
}

/// The text about a fault: its line and stack, and how to repeat it.
fn about(folder: &Path, file: &str, bot: &BotId, seat: Seat, turn: u32, fault: &Fault) -> String {
    let mut text = format!("{}, {}: {fault}\n", bot.label.as_str(), moment(turn));
    for frame in &fault.stack {
        text += &format!("  in {}\n", frame.as_str());
    }
    let game = shown(&folder.join("game.jsonl"));
    let (game, bot) = (quoted(&game), quoted(file));
    text += &format!(
        "
game.jsonl   the game
calls.jsonl  the calls of the bot up to the fault, for `practice --calls` in its folder
log.txt      the end of what the bot printed up to then

To repeat it, or to try another build in its place, where the run was started:
  arena rerun {game} {bot} --seat {} --turn {turn}
To see the game:
  arena replay {game}
",
        u8::from(seat)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_record::GameResult;
    use arena_rules::battleship::Battleship;

    #[test]
    fn a_hundred_faults_have_a_folder_and_a_note_counts_the_others() {
        let bytes = include_bytes!("../../tui/tests/data/panic.jsonl");
        let transcript: Transcript<Battleship> = Transcript::read(&bytes[..]).unwrap();
        let result = GameResult::of(&transcript.events).unwrap();
        assert_eq!(result.faults.len(), 1);
        let (header, transcript) = (transcript.header, Some(bytes.to_vec()));
        let played = Played { header, result, transcript, packed: None, logs: Default::default() };
        let place = tempfile::tempdir().unwrap();
        let mut faults = Faults::open(Some(place.path())).unwrap();
        let mut folders = |name: &str| {
            faults.keep(name, &played, ["one.wasm", "other.wasm"]).unwrap();
            (std::fs::read_dir(place.path()).unwrap().count(), faults.note())
        };
        for number in 1..=100 {
            assert_eq!(folders(&number.to_string()), (number, None));
        }
        let note = "--faults: 1 more have no folder: 100 are made at most";
        assert_eq!(folders("101"), (100, Some(note.to_owned())));
    }

    #[test]
    fn a_log_in_a_folder_ends_with_the_turn_of_the_fault() {
        let log = "deploy: a\nturn 1: b\nturn 2: c\nturn 2: turn 9: d\nturn 4: e\n";
        for (turn, end) in [(0, 1), (1, 2), (2, 4), (3, 4), (4, 5), (9, 5)] {
            let expected: Vec<&str> = log.lines().take(end).collect();
            assert_eq!(tail(log, turn).lines().collect::<Vec<_>>(), expected, "turn {turn}");
        }
        let long: String = (1..=300).map(|number| format!("turn 1: {number}\n")).collect();
        assert!(tail(&long, 1).starts_with("turn 1: 101\n"));
    }
}
