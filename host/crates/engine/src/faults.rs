//! Folders about faults: for each one the game, the view that the bot had, what it printed, and the commands that repeat it.

use crate::error::Error;
use arena_files::{file_word, write_whole};
use arena_players::Played;
use arena_record::{BotId, Replay, Transcript, moment};
use arena_referee::{Event, Fault, HostError, LogMoment};
use arena_rules::{Game, Listed, Seat, with_game};
use arena_text::{quoted, shown};
use serde_json::json;
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
            ("view.json", recorded_call(self.transcript, self.seat, self.place)?.as_bytes()),
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

/// The arguments that a bot was called with before an event of a recorded game, by the event's place from 0, as JSON with the names
/// of the contract. The view is `null` if the call was that for the deployment.
///
/// # Errors
/// The recording, which has been judged by the rules, does not follow them.
pub fn recorded_call<G: Listed>(
    transcript: &Transcript<G>,
    seat: Seat,
    place: usize,
) -> Result<String, HostError> {
    let header = &transcript.header;
    let rules = arena_players::rules::<G>(&header.conditions)?;
    let mut replay = Replay::<G>::new(rules, header.starter, header.fleet_seed);
    for event in &transcript.events[..place] {
        replay.step(event).map_err(HostError::defect)?;
    }
    let info = G::info(rules, header.conditions.limits.fuel_per_turn, header.bots[seat.index()].seed);
    let view = replay.game().map(|game| game.view(seat));
    // One line each: boards with one cell per line would be unreadable.
    let [info, view] = [json!(info), json!(view)];
    Ok(format!("{{\n  \"game\": {info},\n  \"view\": {view}\n}}\n"))
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
game.jsonl  the game
view.json   the arguments of the call, with the names of the contract
log.txt     the end of what the bot printed up to then

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
