//! A journal of each released format, which every later arena reads.
//!
//! The files in `tests/data` are never changed and never removed. A new minor version adds its file: the test below makes
//! it if it is missing, and fails until it is committed. The file's name is the version.

use arena_record::{BotId, Conditions, FaultCount, GameResult, Limits, Recording, Seed};
use arena_referee::{FaultClass, Frame};
use arena_rules::battleship::{Battleship, FLEET_SUNK, Ruleset};
use arena_rules::{GameRules, Outcome, Seat};
use arena_store::{
    FORMAT, GameKey, GameRange, NewGame, PackedTranscript, Reader, Stage, StoredGame, Tournament, TrailEntry,
    TrailEvent, Writer,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The minor version that took the times out of the chain of games.
const CLOCK_SINCE: u32 = 9;

/// The minor version that brought the trail of workers.
const TRAIL_SINCE: u32 = 7;

const SETTINGS: &str = r#"{"format":"round-robin"}"#;

/// The transcripts of the two games, as files.
const TRANSCRIPTS: [&str; 2] = [include_str!("data/game-1.jsonl"), include_str!("data/game-14.jsonl")];

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn tournament() -> Tournament {
    let bot = |index: usize| BotId {
        label: format!("bot-{index}").into(),
        name: format!("Bot Nº {index}").into(),
        sha256: format!("{index:064x}").into(),
    };
    Tournament {
        conditions: Conditions {
            arena: "0.1.0".into(),
            wasmtime: "48.0.8".into(),
            engine: "00ff".into(),
            rules: GameRules::Battleship(Ruleset {
                name: "tiny".into(),
                width: 3,
                height: 2,
                fleet: vec![2],
                turn_budget_ms: 50,
                turns_max: 30,
                ..Ruleset::baseline()
            }),
            limits: Limits { fuel_per_turn: u64::MAX, memory_bytes: 64 << 20 },
            seed: Seed::of_bytes([0xab; 32]).into(),
        },
        bots: vec![bot(0), bot(1)],
    }
}

fn stage() -> Stage {
    Stage::of_all(SETTINGS, &tournament().bots)
}

fn games() -> [StoredGame; 2] {
    let fault = |count, first_turn, detail: &str, stack: &[&str]| {
        let stack = stack.iter().map(|name| Frame::new(name)).collect();
        FaultCount { count, first_turn, detail: detail.into(), stack }
    };
    let clean = GameResult {
        outcome: Outcome::Win(Seat::Second),
        reason: FLEET_SUNK,
        turns: [5, 5],
        fuel: [18_000_000_000_000_010_200, 9_184],
        faults: BTreeMap::new(),
        reproducible: true,
    };
    let faulty = GameResult {
        outcome: Outcome::Win(Seat::First),
        reason: FLEET_SUNK,
        turns: [5, 4],
        fuel: [7_076, 16_874],
        faults: BTreeMap::from([
            ((Seat::First, FaultClass::OutOfFuel), fault(1, 1, "it \"dawdled\"\nfor long", &[])),
            ((Seat::First, FaultClass::WallClock), fault(1, 3, "no answer in 10 s", &[])),
        ]),
        reproducible: false,
    };
    [
        StoredGame { number: 1, stage: 1, key: GameKey { seats: [0, 1], pair: 0, game: 1 }, result: clean },
        StoredGame { number: 2, stage: 1, key: GameKey { seats: [1, 0], pair: 6, game: 14 }, result: faulty },
    ]
}

fn recording(transcript: &str) -> Recording {
    Recording::read(transcript.as_bytes()).unwrap()
}

/// Adds both games to a journal. Existing ones are not added again.
fn add_games(path: &Path) {
    let mut writer = Writer::open(path, &tournament(), &stage()).unwrap();
    if writer.reader().content().unwrap().trail.entries.is_empty() {
        writer.note(&[excluded()]).unwrap();
    }
    for (game, transcript) in games().iter().zip(TRANSCRIPTS) {
        let header = recording(transcript).header;
        let events = recording(transcript).transcript::<Battleship>().unwrap();
        // The second one has a line end in a text, which no later arena writes: so it is kept as a file.
        let transcript = &match events.to_bytes() == transcript.as_bytes() {
            true => PackedTranscript::of(&events),
            false => writer.packing().pack_file(transcript.as_bytes()),
        };
        let StoredGame { key, result, .. } = game;
        writer.append(&[NewGame { key: *key, result, header: &header, transcript }]).unwrap();
    }
}

/// The entry of the trail of workers, but for the time.
fn excluded() -> TrailEntry {
    TrailEntry {
        at: "".into(),
        event: TrailEvent::Excluded,
        key: "UAB".into(),
        name: "north".into(),
        owner: "alice".into(),
        why: "its game 1 is another one".into(),
        games: vec![GameRange { bots: [0, 1], first: 1, last: 14 }],
    }
}

fn check(path: &Path) {
    let reader = Reader::open(path).unwrap();
    let content = reader.content().unwrap();
    assert_eq!(content.tournament, tournament());
    assert_eq!(content.stages, [stage()]);
    assert_eq!(content.games, games());
    for (game, transcript) in games().iter().zip(TRANSCRIPTS) {
        assert_eq!(reader.recording(game.number).unwrap(), Some(recording(transcript)));
        assert_eq!(reader.transcript(game.number).unwrap().as_deref(), Some(transcript.as_bytes()));
    }
    assert_eq!(reader.recording(3).unwrap(), None);
    assert_eq!(reader.version().minor >= CLOCK_SINCE, content.clock.is_some());
    let trail: Vec<TrailEntry> =
        content.trail.entries.into_iter().map(|entry| TrailEntry { at: "".into(), ..entry }).collect();
    let has_trail = reader.version().minor >= TRAIL_SINCE;
    assert_eq!(trail, if has_trail { vec![excluded()] } else { Vec::new() });
}

#[test]
fn the_format_that_is_written_has_a_kept_journal() {
    let path = data().join(format!("{FORMAT}.db"));
    if !path.exists() {
        let folder = tempfile::TempDir::new_in(data()).unwrap();
        let made = folder.path().join("arena.db");
        add_games(&made);
        fs::rename(made, &path).unwrap();
        panic!("{} was missing and has been made: commit it", path.display());
    }
}

#[test]
fn a_kept_journal_of_every_minor_version_is_read_and_added_to() {
    let folder = tempfile::TempDir::new().unwrap();
    for minor in 0..=FORMAT.minor {
        let name = format!("{}.{minor}.db", FORMAT.major);
        check(&data().join(&name));
        let copy = folder.path().join(&name);
        fs::copy(data().join(&name), &copy).unwrap();
        add_games(&copy);
        check(&copy);
    }
}
