//! Games that are taken back: the journal is then the one that never had them.

use crate::independent;
use crate::support::{Played, add, folder, game, open, rows, tournament, with_games};
use arena_store::{JournalError, Reader, Stage, Tournament, Writer};
use proptest::prelude::*;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};

/// A game, and one that somebody made up in its place.
fn lie(tournament: &Tournament, number: u32) -> Played {
    let mut lie = game(tournament, [0, 1], number + 1_000);
    lie.key = game(tournament, [0, 1], number).key;
    lie.header.game = number;
    lie
}

fn open_stage(path: &Path, tournament: &Tournament, settings: &str) -> Writer {
    Writer::open(path, tournament, &Stage::of_all(settings, &tournament.bots)).unwrap()
}

/// A copy of a journal as a process that is killed now leaves it.
fn killed(path: &Path) -> PathBuf {
    let copy = path.with_file_name("killed.db");
    for ending in ["", "-wal"] {
        let [from, to] = [path, &copy].map(|path| format!("{}{ending}", path.display()));
        fs::copy(from, to).unwrap();
    }
    copy
}

#[track_caller]
fn check_same(cut: &Path, never_cut: &Path) {
    assert!(rows(cut) == rows(never_cut));
    let [reader, other] = [cut, never_cut].map(|path| Reader::open(path).unwrap());
    let (content, expected) = (reader.content().unwrap(), other.content().unwrap());
    assert_eq!(content.head, expected.head);
    for game in &expected.games {
        let transcript = reader.transcript(game.number).unwrap();
        assert!(transcript.is_some() && transcript == other.transcript(game.number).unwrap());
    }
    let connection = Connection::open(cut).unwrap();
    assert_eq!(independent::check(&connection), Ok(expected.head.unwrap().sha256));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_journal_that_was_cut_and_continued_is_the_one_that_never_had_those_games(
        earlier in 0u32..3,
        honest in 0u32..6,
        lies in 1u32..6,
        others_cut in 0u32..3,
        left in 0u32..4,
        batch in 1usize..5,
        is_new_stage: bool,
        is_killed: bool,
    ) {
        let (_folder, path) = folder();
        let tournament = tournament(3);
        let settings = if is_new_stage { "new" } else { "old" };
        drop(with_stage(&path, &tournament, "old", 1..=earlier, batch));
        let never_cut = path.with_file_name("never-cut.db");
        fs::copy(&path, &never_cut).unwrap();

        let first_lie = earlier + honest + 1;
        let mut writer = with_stage(&path, &tournament, settings, earlier + 1..=earlier + honest, batch);
        let made_up: Vec<_> = (first_lie..first_lie + lies).map(|number| lie(&tournament, number)).collect();
        made_up.chunks(batch).for_each(|games| add(&mut writer, &games.iter().collect::<Vec<_>>()).unwrap());
        // Games that were never kept, and later ones, are named too.
        let named = (0..=others_cut).map(|number| first_lie + number * lies);
        let named: Vec<_> = named.map(|number| game(&tournament, [0, 1], number).key).rev().collect();
        prop_assert_eq!(writer.cut(named).unwrap(), lies as usize);
        prop_assert_eq!(writer.games(), (earlier + honest) as usize);

        let copy;
        let mut path = &path;
        if is_killed {
            copy = killed(path);
            path = &copy;
            writer = open_stage(path, &tournament, settings);
        }
        let rest = first_lie..first_lie + left;
        add_games(&mut writer, &tournament, rest, batch);
        drop(writer);
        drop(with_stage(&never_cut, &tournament, settings, earlier + 1..=earlier + honest + left, batch));
        check_same(path, &never_cut);
    }
}

fn with_stage(
    path: &Path,
    tournament: &Tournament,
    settings: &str,
    numbers: impl Iterator<Item = u32>,
    batch: usize,
) -> Writer {
    let mut writer = open_stage(path, tournament, settings);
    add_games(&mut writer, tournament, numbers, batch);
    writer
}

fn add_games(writer: &mut Writer, tournament: &Tournament, numbers: impl Iterator<Item = u32>, batch: usize) {
    let games: Vec<_> = numbers.map(|number| game(tournament, [0, 1], number)).collect();
    games.chunks(batch).for_each(|games| add(writer, &games.iter().collect::<Vec<_>>()).unwrap());
}

#[test]
fn games_that_the_journal_does_not_have_are_nothing_to_take_back() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 2);
    let before = rows(&path);
    let mut writer = open(&path, &tournament).unwrap();
    assert_eq!(writer.cut([game(&tournament, [0, 1], 3).key]).unwrap(), 0);
    assert_eq!(writer.cut([]).unwrap(), 0);
    drop(writer);
    assert_eq!(rows(&path), before);
}

#[test]
fn games_of_an_earlier_stage_and_those_before_a_told_seed_stay() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 2);
    let mut writer = open_stage(&path, &tournament, "another");
    let key = |number| game(&tournament, [0, 1], number).key;
    add_games(&mut writer, &tournament, 3..=4, 1);
    let before = rows(&path);
    assert!(matches!(writer.cut([key(2)]), Err(JournalError::Stray)));
    assert_eq!(rows(&path), before);
    assert_eq!(writer.cut([key(4)]).unwrap(), 1);
    add_games(&mut writer, &tournament, 4..=4, 1);
    assert_eq!(rows(&path), before);
    // A number is a seed like any other: it is told in the same way.
    writer.tell_seed(tournament.conditions.seed.open().unwrap()).unwrap();
    assert!(matches!(writer.cut([key(4)]), Err(JournalError::Stray)));
}

#[test]
fn a_transcript_that_was_packed_before_the_dictionary_was_taken_back_is_stray() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 1);
    let mut writer = open(&path, &tournament).unwrap();
    let [first, second] = [1, 2].map(|number| game(&tournament, [0, 1], number));
    let packed = writer.packing().pack(&second.transcript);
    assert_eq!(writer.cut([first.key]).unwrap(), 1);
    let unkept = writer.append(&[second.packed(&packed)]).unwrap_err();
    assert!(matches!(unkept.error, JournalError::Stray), "{unkept:?}");
    add(&mut writer, &[&lie(&tournament, 1)]).unwrap();
    let unkept = writer.append(&[second.packed(&packed)]).unwrap_err();
    assert!(matches!(unkept.error, JournalError::Stray), "{unkept:?}");
}

#[test]
fn rows_cannot_be_removed_after_a_cut_either() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 3);
    let mut writer = open(&path, &tournament).unwrap();
    writer.cut([game(&tournament, [0, 1], 3).key]).unwrap();
    drop(writer);
    let connection = Connection::open(&path).unwrap();
    assert!(connection.execute("DELETE FROM transcript WHERE game = 2", []).is_err());
}
