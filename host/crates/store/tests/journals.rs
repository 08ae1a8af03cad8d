//! The content of a journal, and what it refuses.

use crate::independent::{chain_again, drop_triggers};
use crate::support::{add, folder, game, open, rows, tournament, try_adding, with_games};
use arena_files::FileKind;
use arena_record::{Commitment, RecordedSeed, Recording, Seed};
use arena_rules::battleship::Battleship;
use arena_rules::{GameKind, GameRules};
use arena_store::{Entrant, JournalError, Reader, Stage, Unkept, Writer};
use proptest::prelude::*;
use rusqlite::Connection;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn games_come_back_as_they_were_to_the_byte(
        numbers in prop::collection::btree_set(1u32..500, 1..12),
    ) {
        let (_folder, path) = folder();
        let tournament = tournament(3);
        let mut writer = open(&path, &tournament).unwrap();
        let mut added = Vec::new();
        for (index, &number) in numbers.iter().enumerate() {
            let game = game(&tournament, [[0, 1], [2, 0], [1, 2]][index % 3], number);
            prop_assert_eq!(game.add_to(&mut writer).unwrap(), index as u64 + 1);
            added.push(game);
        }
        // Both during the writer's life and after it.
        for closed in [false, true] {
            if closed {
                drop(std::mem::replace(&mut writer, open(&path.with_extension("other"), &tournament).unwrap()));
            }
            let reader = Reader::open(&path).unwrap();
            prop_assert_eq!(&reader.tournament().unwrap(), &tournament);
            let games = reader.games().unwrap();
            prop_assert_eq!(games.len(), added.len());
            for (stored, game) in games.iter().zip(&added) {
                prop_assert_eq!((&stored.key, &stored.result), (&game.key, &game.result));
                let recording = reader.recording(stored.number).unwrap().unwrap();
                prop_assert_eq!(&recording, &Recording::read(game.transcript.as_slice()).unwrap());
                let kept = reader.kept_game(stored.number).unwrap().unwrap();
                prop_assert_eq!(kept.transcript::<Battleship>().unwrap(), recording.transcript().unwrap());
                prop_assert_eq!(recording.transcript::<Battleship>().unwrap().to_bytes(), game.transcript.clone());
                prop_assert_eq!(reader.transcript(stored.number).unwrap(), Some(game.transcript.clone()));
            }
        }
    }
}

#[test]
fn a_game_that_is_there_is_not_added_again_and_not_replaced() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 2);
    let mut writer = open(&path, &tournament).unwrap();
    let mut game = game(&tournament, [0, 1], 2);
    assert_eq!(game.add_to(&mut writer).unwrap(), 2);
    game.result.turns[0] += 1;
    assert!(matches!(game.add_to(&mut writer), Err(JournalError::Conflict { number: 2 })));
    assert_eq!(writer.reader().games().unwrap().len(), 2);
}

#[test]
fn games_are_added_up_to_the_first_that_cannot_be() {
    let (_folder, path) = folder();
    let tournament = tournament(3);
    let mut writer = open(&path, &tournament).unwrap();
    let mut games: Vec<_> = (1..=9).map(|number| game(&tournament, [0, 1], number)).collect();
    games[6].header.game = 100;
    let games: Vec<_> = games.iter().collect();
    let unkept = try_adding(&mut writer, &games).unwrap_err();
    assert!(matches!(unkept, Unkept { kept: 6, error: JournalError::DoesNotFit }), "{unkept:?}");
    assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), 6);

    add(&mut writer, &[&games[..6], &games[7..]].concat()).unwrap();
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.games().unwrap().len(), 8);
    assert!((1..=8).all(|number| reader.recording(number).unwrap().is_some()));
}

#[test]
fn games_make_the_same_journal_in_any_batches() {
    let dump = |batch: usize| {
        let (_folder, path) = folder();
        let tournament = tournament(3);
        let mut writer = open(&path, &tournament).unwrap();
        let games: Vec<_> = (1..=20).map(|number| game(&tournament, [0, 1], number)).collect();
        games.chunks(batch).for_each(|games| add(&mut writer, &games.iter().collect::<Vec<_>>()).unwrap());
        drop(writer);
        rows(&path)
    };
    assert!(dump(1) == dump(3) && dump(1) == dump(20));
}

#[test]
fn a_game_has_the_contract_of_its_bot_and_the_names_of_the_journal() {
    let (_folder, path) = folder();
    let mut game = game(&with_games(&path, 1), [0, 1], 2);
    game.header.contract = "arena:battleship@0.2.0".into();
    let expected = game.header.clone();
    let GameRules::Battleship(rules) = &mut game.header.conditions.rules else { unreachable!() };
    rules.name = "another name".into();
    game.header.bots[0].bot.name = "Another".into();
    let mut writer = open(&path, &tournament(3)).unwrap();
    assert_eq!(game.add_to(&mut writer).unwrap(), 2);
    assert_eq!(writer.reader().recording(2).unwrap().unwrap().header, expected);
}

#[test]
fn a_secret_seed_is_revealed_once_and_only_if_it_has_the_recorded_hash() {
    let (_folder, path) = folder();
    let [seed, other] = [7, 8].map(|byte| Seed::of_bytes([byte; 32]));
    let mut tournament = tournament(2);
    tournament.conditions.seed = RecordedSeed::Secret(Commitment::to(&seed));
    let mut writer = open(&path, &tournament).unwrap();
    assert!(matches!(writer.tell_seed(other), Err(JournalError::DoesNotFit)));
    assert_eq!(Reader::open(&path).unwrap().revealed_seed().unwrap(), None);
    for _ in 0..2 {
        writer.tell_seed(seed).unwrap();
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.revealed_seed().unwrap(), Some(seed));
        assert_eq!(reader.tournament().unwrap(), tournament);
    }
}

#[test]
fn a_journal_without_a_run_reads_as_none() {
    let (_folder, path) = folder();
    assert!(Reader::open_begun(&path).unwrap().is_none());
    assert!(matches!(Reader::open(&path), Err(JournalError::Missing)));
    fs::write(&path, "").unwrap();
    assert!(Reader::open_begun(&path).unwrap().is_none());
    assert!(matches!(Reader::open(&path), Err(JournalError::Foreign)));
    with_games(&path, 1);
    assert!(Reader::open_begun(&path).unwrap().is_some());
}

#[test]
fn a_game_of_another_tournament_is_not_added() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    let mut writer = open(&path, &tournament).unwrap();
    let mut other_seed = game(&tournament, [0, 1], 2);
    other_seed.header.conditions.seed = 3.into();
    let mut other_bot = game(&tournament, [0, 1], 2);
    other_bot.header.bots[1].bot.sha256 = "f".repeat(64).into();
    let mut other_number = game(&tournament, [0, 1], 2);
    other_number.header.game = 3;
    for stray in [other_seed, other_bot, other_number] {
        assert!(matches!(stray.add_to(&mut writer), Err(JournalError::DoesNotFit)));
    }
    assert_eq!(writer.reader().games().unwrap().len(), 1);
}

#[test]
fn the_same_games_make_the_same_journal() {
    let dump = || {
        let (_folder, path) = folder();
        with_games(&path, 5);
        rows(&path)
    };
    assert!(dump() == dump());
}

#[test]
fn a_closed_journal_is_one_file() {
    let (folder, path) = folder();
    with_games(&path, 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_stage_begins_when_its_bots_labels_or_settings_are_others() {
    let (_folder, path) = folder();
    let two = tournament(2);
    let mut stages = vec![Stage::of_all("a", &two.bots)];
    let mut renamed = stages[0].clone();
    renamed.entrants[1].label = "renamed".into();
    let mut one_left = Stage::of_all("b", &tournament(3).bots);
    one_left.entrants.remove(0);
    for (number, stage) in [(1, Stage::of_all("a", &two.bots)), (2, renamed), (3, one_left)] {
        for _ in 0..2 {
            let writer = Writer::open(&path, &tournament(if number < 3 { 2 } else { 3 }), &stage).unwrap();
            drop(writer);
        }
        stages.truncate(number - 1);
        stages.push(stage);
        let content = Reader::open(&path).unwrap().content().unwrap();
        assert_eq!(content.stages, stages);
    }
    assert_eq!(Reader::open(&path).unwrap().tournament().unwrap().bots.len(), 3);
}

#[test]
fn games_have_the_stage_in_which_they_were_played() {
    let (_folder, path) = folder();
    let first = with_games(&path, 2);
    let three = tournament(4);
    let mut writer = open(&path, &three).unwrap();
    game(&three, [3, 0], 1).add_to(&mut writer).unwrap();
    drop(writer);
    let stages: Vec<_> =
        Reader::open(&path).unwrap().games().unwrap().iter().map(|game| game.stage).collect();
    assert_eq!(stages, [1, 1, 2]);
    // A writer that does not know the new bot would give another one the same number.
    assert!(matches!(open(&path, &first), Err(JournalError::Busy)));
}

#[test]
fn an_entrant_that_is_no_bot_is_stray() {
    let (_folder, path) = folder();
    let entrants = vec![Entrant { bot: 2, label: "nobody".into() }];
    let stage = Stage { settings: "{}".into(), entrants, draw: None };
    assert!(matches!(Writer::open(&path, &tournament(2), &stage), Err(JournalError::DoesNotFit)));
}

#[test]
fn a_journal_that_another_program_has_changed_is_not_added_to() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    let mut writer = open(&path, &tournament).unwrap();
    // What the writer adds itself, and what others read, is no change.
    game(&tournament, [0, 1], 2).add_to(&mut writer).unwrap();
    writer.settle();
    assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), 2);
    assert!(writer.is_alone().unwrap());
    game(&tournament, [0, 1], 3).add_to(&mut writer).unwrap();
    // The lock does not keep out what is no arena.
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute("INSERT INTO code (sha256, bytes) VALUES ('x', x'00')", []).unwrap();
    assert!(!writer.is_alone().unwrap());
    let refused = game(&tournament, [0, 1], 4).add_to(&mut writer).unwrap_err();
    assert!(matches!(refused, JournalError::Changed), "{refused}");
    let stage = Stage { settings: "[]".into(), ..Stage::of_all("{}", &tournament.bots) };
    assert!(matches!(writer.enter(&tournament.bots, &stage), Err(JournalError::Changed)));
    drop(writer);
    assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), 3);
}

#[test]
fn a_writer_goes_on_with_another_stage_and_new_bots() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    let mut writer = open(&path, &tournament).unwrap();
    let more = crate::support::tournament(3);
    let stage = Stage { settings: "[]".into(), ..Stage::of_all("{}", &more.bots) };
    writer.enter(&more.bots, &stage).unwrap();
    game(&more, [2, 0], 1).add_to(&mut writer).unwrap();
    assert!(matches!(
        writer.enter(&more.bots[..2], &Stage::of_all("{}", &more.bots[..2])),
        Err(JournalError::Busy)
    ));
    drop(writer);
    let content = Reader::open(&path).unwrap().content().unwrap();
    assert_eq!((content.stages.len(), content.tournament.bots.len(), content.games.len()), (2, 3, 2));
    assert_eq!(content.games[1].stage, 2);
}

#[test]
fn one_writes_and_others_read() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    let mut writer = open(&path, &tournament).unwrap();
    assert!(matches!(open(&path, &tournament), Err(JournalError::Busy)));
    let reader = Reader::open(&path).unwrap();
    game(&tournament, [0, 1], 2).add_to(&mut writer).unwrap();
    assert_eq!(reader.games().unwrap().len(), 2);
    drop(writer);
    assert!(open(&path, &tournament).is_ok());
}

#[test]
fn a_file_that_is_not_a_journal_is_refused_and_left_as_it_is() {
    let (folder, path) = folder();
    let tournament = tournament(2);
    assert!(matches!(Reader::open(&path), Err(JournalError::Missing)));
    fs::write(&path, "not a database, but text enough to fill the header of one, and more of it to be sure")
        .unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(Reader::open(&path), Err(JournalError::Foreign)));
    assert!(matches!(open(&path, &tournament), Err(JournalError::Foreign)));
    assert_eq!(before, fs::read(&path).unwrap());
    let is_folder = |error: JournalError| matches!(error, JournalError::NotAFile(FileKind::Folder));
    assert!(Reader::open(folder.path()).is_err_and(is_folder));
    assert!(open(folder.path(), &tournament).is_err_and(is_folder));

    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert!(matches!(Reader::open(&foreign), Err(JournalError::Foreign)));
    assert!(matches!(open(&foreign, &tournament), Err(JournalError::Foreign)));

    let nowhere = folder.path().join("no-such-folder/arena.db");
    assert!(matches!(Reader::open(&nowhere), Err(JournalError::Missing)));
    assert!(!open(&nowhere, &tournament).err().unwrap().is_of_the_machine(), "the path is wrong");
}

#[test]
fn a_pipe_in_place_of_a_journal_or_a_file_next_to_it_is_refused_without_waiting() {
    let (_folder, path) = folder();
    let tournament = tournament(2);
    drop(open(&path, &tournament).unwrap());
    for ending in ["-journal", "-wal", "-shm", ""] {
        let mut pipe = path.clone().into_os_string();
        pipe.push(ending);
        let _ = fs::remove_file(&pipe);
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        let is_pipe = |error: JournalError| matches!(error, JournalError::NotAFile(FileKind::Pipe));
        assert!(Reader::open(&path).is_err_and(is_pipe), "{ending}");
        assert!(open(&path, &tournament).is_err_and(is_pipe), "{ending}");
        fs::remove_file(&pipe).unwrap();
    }
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let (_folder, path) = folder();
    fs::write(&path, "").unwrap();
    assert!(open(&path, &tournament(2)).is_ok());
}

#[test]
fn another_version_is_refused() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    for version in [1, 1_001, 1_009, 2_000] {
        Connection::open(&path).unwrap().pragma_update(None, "user_version", version).unwrap();
        assert!(matches!(Reader::open(&path), Err(JournalError::Version(_))));
        assert!(matches!(open(&path, &tournament), Err(JournalError::Version(_))));
    }
}

#[test]
fn events_that_were_exchanged_after_the_journal_was_read_are_an_error() {
    let (_folder, path) = folder();
    with_games(&path, 3);
    let reader = Reader::open(&path).unwrap();
    reader.content().unwrap();
    let connection = Connection::open(&path).unwrap();
    let another = "UPDATE game SET events = (SELECT events FROM game WHERE number = 1) WHERE number = 2";
    assert!(connection.execute(another, []).is_err(), "a journal is only added to");
    drop_triggers(&connection);
    connection.execute(another, []).unwrap();
    chain_again(&connection);
    for reader in [reader.try_clone().unwrap(), reader] {
        assert!(reader.transcript(1).unwrap().is_some());
        let error = reader.transcript(2).expect_err("it is another game's");
        assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
        assert!(reader.recording(4).unwrap().is_none());
    }
}

#[test]
fn a_game_that_was_added_after_the_journal_was_read_has_its_transcript() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    let mut writer = open(&path, &tournament).unwrap();
    let reader = Reader::open(&path).unwrap();
    reader.content().unwrap();
    let second = game(&tournament, [0, 1], 2);
    second.add_to(&mut writer).unwrap();
    assert_eq!(reader.try_clone().unwrap().transcript(2).unwrap().as_ref(), Some(&second.transcript));
    assert_eq!(reader.transcript(2).unwrap().as_ref(), Some(&second.transcript));
}

#[test]
fn values_that_make_no_sense_are_damage_and_not_a_failure_of_the_machine() {
    for (table, change) in [
        ("conditions", "rules = '{}'"),
        ("conditions", "seed = 'seven'"),
        ("game", "outcome = 'third'"),
        ("game", "reason = 'boredom'"),
        ("game", "first_fuel = '-1'"),
        ("game", "first_turns = -1"),
        ("game", "faults = '[{}]'"),
    ] {
        let (_folder, path) = folder();
        with_games(&path, 1);
        let connection = Connection::open(&path).unwrap();
        drop_triggers(&connection);
        connection.execute(&format!("UPDATE {table} SET {change}"), []).unwrap();
        chain_again(&connection);
        let error = Reader::open(&path).unwrap().content().expect_err(change);
        assert!(matches!(error, JournalError::Damaged { .. }), "{change}: {error}");
        let place = format!("{table} 1, `{}`", change.split(' ').next().unwrap());
        assert!(error.to_string().contains(&place), "{change}: {error}");
        assert!(!error.is_of_the_machine());
    }
}

#[test]
fn a_game_ends_only_for_a_reason_of_the_game_of_its_journal() {
    let (_folder, path) = folder();
    with_games(&path, 1);
    let connection = Connection::open(&path).unwrap();
    drop_triggers(&connection);
    connection.execute("UPDATE game SET reason = 'both-skipped'", []).unwrap();
    chain_again(&connection);
    assert!(Reader::open(&path).unwrap().content().is_ok());
    let other_game = serde_json::to_string(&GameRules::default_of(GameKind::Submarine).unwrap()).unwrap();
    connection.execute("UPDATE conditions SET rules = ?1", [other_game]).unwrap();
    chain_again(&connection);
    let error = Reader::open(&path).unwrap().content().unwrap_err();
    assert!(error.to_string().contains("game 1, `reason`"), "{error}");
}
