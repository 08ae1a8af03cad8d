//! Journals whose answers differ from the hashed rows: each is refused by the arena, by an independent checker and by the
//! checker of the page about journals.

use crate::documented::checked_by_the_page;
use crate::independent::{self, drop_triggers};
use crate::support::{folder, game, open, tournament, with_games};
use arena_store::{Content, JournalError, Reader};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A journal of three bots and four games, with its content.
fn journal() -> (TempDir, PathBuf, Content) {
    let (folder, path) = folder();
    with_games(&path, 4);
    let content = content(&path).unwrap();
    (folder, path, content)
}

fn content(path: &Path) -> Result<Content, JournalError> {
    Reader::open(path)?.content()
}

/// Runs statements as an attacker could who avoids triggers and checks. Each time is a connection of its own, which reads the
/// schema anew.
fn alter(path: &Path, statements: &str) {
    let connection = Connection::open(path).unwrap();
    drop_triggers(&connection);
    connection
        .execute_batch(&format!(
            "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON; {statements}"
        ))
        .expect(statements);
}

/// Makes an index whose entries are those of the table after `lie`, while the table has its rows as before.
fn add_lying_index(path: &Path, columns: &str, lie: &str, truth: &str) {
    alter(path, &format!("{lie}; CREATE INDEX lying ON {columns}"));
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT rootpage, tbl_name, sql FROM sqlite_schema WHERE name = 'lying'";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (root, table, sql): (i64, String, String) = connection.query_row(sql, [], row).unwrap();
    drop(connection);
    // Without its entry in the schema, the index is not updated.
    alter(path, "DELETE FROM sqlite_schema WHERE name = 'lying'");
    alter(path, truth);
    alter(path, &format!("INSERT INTO sqlite_schema VALUES ('index', 'lying', '{table}', {root}, '{sql}')"));
}

/// Checks that an altered journal is refused by every checker, with this finding.
#[track_caller]
fn check_refused(path: &Path, finding: &str) {
    let error = content(path).map(drop).expect_err(finding);
    assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains(finding), "{finding}: {error}");
    let reader = Reader::open(path).unwrap();
    assert!(reader.games().is_err() && reader.stages().is_err() && reader.tournament().is_err());
    assert!(reader.transcript(1).is_err() && reader.has_link(&"0".repeat(64)).is_err());
    assert!(open(path, &tournament(3)).is_err(), "nothing is added to it either: {finding}");
    assert!(independent::check(&Connection::open(path).unwrap()).is_err(), "{finding}");
    if let Some(checked) = checked_by_the_page(path, None) {
        assert!(!checked.status.success(), "{finding}: {}", String::from_utf8_lossy(&checked.stdout));
    }
}

#[test]
fn an_unaltered_journal_is_accepted_by_every_reader() {
    let (_folder, path, content) = journal();
    let head = content.head.sha256;
    assert_eq!(independent::check(&Connection::open(&path).unwrap()), Ok(head.clone()));
    let Some(checked) = checked_by_the_page(&path, Some(&head)) else { return };
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

const GAME_COLUMNS: &str = "game (number, stage, first, second, pair, game, outcome, reason, first_score, second_score, first_turns, second_turns, \
                            first_fuel, second_fuel, faults, reproducible)";

#[test]
fn an_index_in_which_labels_are_rotated_is_refused() {
    let (_folder, path, _) = journal();
    let rotated = "UPDATE entrant SET label = 'bot-' || ((bot + 1) % 3)";
    let back = "UPDATE entrant SET label = 'bot-' || bot";
    add_lying_index(&path, "entrant (stage, place, bot, label)", rotated, back);
    check_refused(&path, "the schema: the index lying is not one of the format");
}

#[test]
fn an_index_in_which_the_wins_of_a_bot_have_vanished_is_refused() {
    let (_folder, path, _) = journal();
    let kept = "CREATE TABLE kept AS SELECT number, outcome FROM game";
    let back = "UPDATE game SET outcome = (SELECT outcome FROM kept WHERE kept.number = game.number); DROP TABLE kept";
    let lie = format!("{kept}; UPDATE game SET outcome = 'draw'");
    add_lying_index(&path, GAME_COLUMNS, &lie, back);
    check_refused(&path, "the schema: the index lying is not one of the format");
}

#[test]
fn an_index_that_hides_another_one_in_the_schema_is_refused() {
    let (_folder, path, _) = journal();
    // An index of the table of tables, whose entries are those of the schema as it was.
    alter(
        &path,
        "CREATE TABLE honest AS SELECT type, name, tbl_name, sql FROM sqlite_schema;
         DELETE FROM honest WHERE name = 'honest';
         CREATE INDEX hiding ON honest (type, name, tbl_name, sql)",
    );
    alter(
        &path,
        "UPDATE sqlite_schema SET tbl_name = 'sqlite_master', sql = 'CREATE INDEX hiding ON sqlite_master (type, name, tbl_name, sql)'
         WHERE name = 'hiding'",
    );
    check_refused(&path, "the schema");
}

#[test]
fn rows_below_the_first_are_refused() {
    for (insert, finding) in [
        (
            "INSERT INTO conditions SELECT 0, '9.9', wasmtime, engine, rules, fuel_per_turn, memory_bytes, '7' FROM conditions",
            "conditions 0: it is not in the chain",
        ),
        (
            "INSERT INTO bot SELECT -1, 'winner', name, sha256 FROM bot WHERE number = 0",
            "bot -1: it is not in",
        ),
        ("INSERT INTO stage VALUES (0, '{}')", "stage 0: it is not in the chain"),
        ("INSERT INTO entrant VALUES (0, 1, 3, 0, 'winner')", "entrant 0: it is not in the chain"),
        (
            "INSERT INTO game SELECT 0, stage, second, first, pair, game, contract, first_seed, second_seed, fleet_seed, starter, outcome, \
             reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events FROM game WHERE number = 1",
            "game 0: it is not in the chain",
        ),
        ("INSERT INTO told_seed VALUES (0, '7')", "told-seed 0: it is not in the chain"),
        ("INSERT INTO told_seed VALUES (1, '7')", "told-seed 1: it is not in the chain"),
        ("INSERT INTO link SELECT 0, kind, row, sha256 FROM link WHERE number = 1", "link 0 of the chain"),
        ("INSERT INTO link VALUES (99, 'game', 5, x'')", "link 99 of the chain"),
    ] {
        let (_folder, path, _) = journal();
        alter(&path, insert);
        check_refused(&path, finding);
    }
}

#[test]
fn events_that_were_changed_are_refused() {
    for change in [
        "UPDATE game SET events = x'00' WHERE number = 2",
        "UPDATE game SET events = CAST(events || x'00' AS BLOB) WHERE number = 2",
        "UPDATE game SET events = (SELECT events FROM game WHERE number = 1) WHERE number = 2",
        "UPDATE game SET contract = 'arena:battleship@0.2.0' WHERE number = 2",
    ] {
        let (_folder, path, _) = journal();
        alter(&path, change);
        check_refused(&path, "game 2: it was changed after it was written");
    }
}

#[test]
fn a_schema_that_is_not_the_formats_is_refused() {
    for (statements, finding) in [
        ("DROP TRIGGER game_no_update", "the trigger game_no_update is missing"),
        (
            "CREATE TRIGGER late AFTER INSERT ON game BEGIN DELETE FROM link; END",
            "the trigger late is not one of the format",
        ),
        ("CREATE TABLE notes (text)", "the table notes is not one of the format"),
        (
            "CREATE VIEW table_of_honour AS SELECT * FROM bot",
            "the view table_of_honour is not one of the format",
        ),
        (
            "ALTER TABLE game RENAME TO games; CREATE VIEW game AS SELECT * FROM games",
            "is not one of the format",
        ),
        ("ALTER TABLE bot ADD COLUMN team TEXT", "the table bot is not as the arena makes it"),
        (
            "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'bot'",
            "the table bot is not as",
        ),
        (
            "UPDATE sqlite_schema SET sql = replace(sql, 'label TEXT NOT NULL', 'label TEXT AS (name)') WHERE name = 'bot'",
            "the table bot is not as",
        ),
        // Two tables with the pages of one.
        (
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'stage') WHERE name = 'draw'",
            "draw 1: it is not in the chain",
        ),
    ] {
        let (_folder, path, _) = journal();
        alter(&path, statements);
        check_refused(&path, finding);
    }
}

#[test]
fn a_value_of_another_type_that_is_hashed_alike_is_refused() {
    for (table, change, finding) in [
        ("game", "outcome = CAST(outcome AS BLOB) WHERE number = 2", "game 2, `outcome`: it is not a text"),
        (
            "game",
            "first_turns = CAST(first_turns AS BLOB) WHERE number = 2",
            "game 2, `first_turns`: it is not a whole",
        ),
        ("game", "events = CAST(events AS TEXT) WHERE number = 2", "game 2, `events`: it is not a blob"),
        ("entrant", "bot = CAST(bot AS BLOB) WHERE number = 1", "entrant 1, `bot`: it is not a whole number"),
        ("link", "sha256 = CAST(sha256 AS TEXT) WHERE number = 2", "bot 0: it was changed"),
        ("stage", "settings = CAST(settings AS BLOB)", "stage 1, `settings`: it is not a text"),
    ] {
        let (_folder, path, _) = journal();
        // The table takes any value for a moment.
        let loosen = "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')')";
        alter(&path, &format!("{loosen} WHERE name = '{table}'"));
        alter(&path, &format!("UPDATE {table} SET {change}"));
        alter(&path, &format!("UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = '{table}'"));
        check_refused(&path, finding);
    }
}

#[test]
fn a_writer_does_not_find_games_by_an_index_that_lacks_them() {
    let (_folder, path, _) = journal();
    // The index of the keys is one of other games now.
    alter(
        &path,
        "CREATE TABLE other (first INTEGER, second INTEGER, game INTEGER); INSERT INTO other VALUES (7, 8, 9);
         CREATE INDEX of_other ON other (first, second, game)",
    );
    alter(
        &path,
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'of_other')
         WHERE name = 'sqlite_autoindex_game_1';
         DELETE FROM sqlite_schema WHERE name IN ('other', 'of_other')",
    );
    let error = open(&path, &tournament(3)).err().expect("the index is another");
    assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
}

#[test]
fn a_run_that_is_killed_before_its_first_stage_leaves_a_journal_that_can_be_continued() {
    let (_folder, path) = folder();
    let tournament = tournament(2);
    drop(open(&path, &tournament).unwrap());
    alter(
        &path,
        "DELETE FROM link WHERE number > 1; DELETE FROM clock; DELETE FROM entrant; DELETE FROM stage; DELETE FROM bot",
    );
    assert!(content(&path).unwrap().stages.is_empty());
    let mut writer = open(&path, &tournament).unwrap();
    game(&tournament, [0, 1], 1).add_to(&mut writer).unwrap();
    drop(writer);
    assert_eq!(content(&path).unwrap().games.len(), 1);
}
