//! Journals with a right chain and values that no run writes: each is refused in one clear line, or is a valid journal.

use crate::independent::{chain_again, drop_triggers};
use crate::support::{folder, open, tournament, with_games};
use arena_record::{Commitment, Seed};
use arena_rules::Seat;
use arena_store::{
    BOTS_MAX, Content, Draw, ENTRANTS_MAX, JournalError, Reader, SETTINGS_BYTES_MAX, STAGES_MAX, Stage,
    TRANSCRIPT_BYTES_MAX, Writer,
};
use rusqlite::Connection;
use std::collections::HashSet;
use std::path::Path;

/// The longest message, in characters. Chosen: five lines of a terminal.
const MESSAGE_CHARS_MAX: usize = 400;

/// Changes a journal, and gives it the chain of its rows: in the order in which a run would have linked them.
pub fn alter(path: &Path, change: impl FnOnce(&Connection)) {
    let connection = Connection::open(path).unwrap();
    drop_triggers(&connection);
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN").unwrap();
    change(&connection);
    connection.execute("DELETE FROM link", []).unwrap();
    for kind in ["conditions", "bot", "stage", "entrant", "draw", "game", "told-seed"] {
        let sql = format!(
            "INSERT INTO link (kind, row, sha256) SELECT '{kind}', rowid, x'' FROM {} ORDER BY rowid",
            kind.replace('-', "_")
        );
        connection.execute(&sql, []).unwrap();
    }
    chain_again(&connection);
    connection.execute_batch("COMMIT").unwrap();
}

fn alter_by(path: &Path, statements: &str) {
    alter(path, |connection| connection.execute_batch(statements).expect(statements));
}

pub fn content(path: &Path) -> Result<Content, JournalError> {
    Reader::open(path)?.content()
}

#[track_caller]
fn check_refused(statements: &str, finding: &str) {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 4);
    alter_by(&path, statements);
    let error = content(&path).map(|content| check_sound(&content)).expect_err(statements);
    check_message(&error);
    assert!(error.to_string().contains(finding), "{statements}: {error}");
    assert!(open(&path, &tournament).is_err(), "{statements}");
}

/// Checks that an error is of the file, and is one line.
#[track_caller]
pub fn check_message(error: &JournalError) {
    let message = error.to_string();
    assert!(matches!(error, JournalError::Damaged { .. }), "{message}");
    assert!(message.chars().count() <= MESSAGE_CHARS_MAX && !message.contains('\n'), "{message}");
}

/// Checks the properties that the rest of the arena relies on.
pub fn check_sound(content: &Content) {
    let Content { tournament, stages, games, .. } = content;
    assert!(tournament.bots.len() <= BOTS_MAX && stages.len() <= STAGES_MAX);
    for Stage { settings, entrants, .. } in stages {
        let bots: HashSet<_> = entrants.iter().map(|entrant| entrant.bot).collect();
        let labels: HashSet<_> = entrants.iter().map(|entrant| &entrant.label).collect();
        assert!(bots.len() == entrants.len() && labels.len() == entrants.len());
        assert!(entrants.len() <= ENTRANTS_MAX && settings.len() <= SETTINGS_BYTES_MAX);
        assert!(bots.iter().all(|&bot| bot < tournament.bots.len()));
    }
    let mut keys = HashSet::new();
    for (number, game) in (1..).zip(games) {
        assert_eq!(game.number, number);
        assert!(keys.insert(game.key), "{:?} is there twice", game.key);
        let field = &stages[game.stage - 1].entrants;
        let [first, second] = game.key.seats;
        assert!(first != second && game.key.seats.iter().all(|&seat| field.iter().any(|of| of.bot == seat)));
        assert_eq!(game.key.pair, (game.key.game - 1) / 2);
        for seat in Seat::BOTH {
            // Neither the sum nor a million games of it overflow.
            assert!(u64::from(game.result.fault_count(seat)) <= TRANSCRIPT_BYTES_MAX);
        }
    }
}

#[test]
fn bots_and_stages_that_do_not_exist_are_refused() {
    for (statements, finding) in [
        ("UPDATE entrant SET bot = 3 WHERE number = 2", "entrant 2: there is no such bot"),
        ("UPDATE entrant SET bot = -1 WHERE number = 2", "entrant 2, `bot`: -1 is out of range"),
        ("UPDATE entrant SET stage = 2 WHERE number = 3", "entrant 3: there is no stage 2"),
        ("UPDATE entrant SET stage = 0 WHERE number = 3", "entrant 3: there is no stage 0"),
        ("UPDATE entrant SET stage = 9223372036854775807 WHERE number = 3", "entrant 3: there is no stage"),
        (
            "UPDATE entrant SET place = 9 WHERE number = 3",
            "entrant 3: the places of its stage are not in order",
        ),
        ("UPDATE game SET stage = 0 WHERE number = 2", "game 2: its stage is over, or does not exist"),
        ("UPDATE game SET stage = 2 WHERE number = 2", "game 2: its stage is over, or does not exist"),
        ("UPDATE game SET first = 3 WHERE number = 2", "game 2: a bot of it is not in its stage"),
        ("UPDATE game SET first = -7 WHERE number = 2", "game 2, `first`: -7 is out of range"),
        ("UPDATE game SET first = 1, second = 1 WHERE number = 2", "game 2: a bot plays against itself"),
        (
            "INSERT INTO stage VALUES (2, '{}'); UPDATE game SET stage = 2 WHERE number = 2",
            "game 2: a bot of it is not in its stage",
        ),
    ] {
        check_refused(statements, finding);
    }
}

#[test]
fn what_is_there_once_is_not_there_twice() {
    for (statements, finding) in [
        ("UPDATE entrant SET bot = 0 WHERE number = 2", "entrant 2: its bot is in the stage twice"),
        (
            "UPDATE entrant SET label = 'bot-0' WHERE number = 2",
            "entrant 2: another bot of the stage has the same label",
        ),
        // They are cut to the same 48 characters.
        (
            "UPDATE entrant SET label = 'a bot with a very long name, far too long for a table, ' || bot",
            "entrant 2: another bot of the stage has the same label",
        ),
        (
            "UPDATE entrant SET label = 'same' || char(8234 + bot)",
            "entrant 2: another bot of the stage has the same label",
        ),
    ] {
        check_refused(statements, finding);
    }
}

#[test]
fn numbers_that_a_game_cannot_have_are_refused() {
    let faults = |faults: &str| format!("UPDATE game SET faults = '{faults}' WHERE number = 3");
    let fault = |count: u64, turn: u64| {
        format!(r#"{{"seat":1,"class":"out-of-fuel","count":{count},"first-turn":{turn},"detail":"x"}}"#)
    };
    let deep = "[".repeat(200_000);
    let scores = "game 3: it has scores that no such game of this journal can have";
    let too_many = "game 3: it has more turns or faults than its events can have";
    for (statements, finding) in [
        (faults(&format!("[{}]", fault(4_294_967_295, 1))), too_many),
        (faults(&format!("[{}]", fault(1, 4_294_967_295))), too_many),
        (faults(&format!("[{}]", fault(0, 1))), too_many),
        (faults(&format!("[{}]", fault(4_294_967_296, 1))), "game 3, `faults`: "),
        (faults(&format!("[{},{}]", fault(1, 1), fault(2, 1))), "game 3: a class of faults is there twice"),
        (faults(&deep), "game 3, `faults`: "),
        (faults("[{}]"), "game 3, `faults`: missing field"),
        ("UPDATE game SET first_turns = 4294967295 WHERE number = 3".into(), too_many),
        (
            "UPDATE game SET first_turns = 4294967296 WHERE number = 3".into(),
            "game 3, `first_turns`: 4294967296 is out",
        ),
        ("UPDATE game SET first_score = -1 WHERE number = 3".into(), scores),
        ("UPDATE game SET second_score = 401 WHERE number = 3".into(), scores),
        ("UPDATE game SET first_score = NULL, second_score = NULL WHERE number = 3".into(), scores),
        ("UPDATE game SET outcome = 'no-contest' WHERE number = 3".into(), scores),
        ("UPDATE game SET outcome = 'first', reason = 'forfeit', first_score = 399, second_score = 0 WHERE number = 3".into(), scores),
        (
            "UPDATE game SET first_score = NULL WHERE number = 3".into(),
            "game 3, `second_score`: only one side has a score",
        ),
        (
            "UPDATE game SET second_score = NULL WHERE number = 3".into(),
            "game 3, `second_score`: it is not a whole number",
        ),
        (
            "UPDATE game SET pair = 7 WHERE number = 3".into(),
            "game 3: its pair does not follow from its number",
        ),
        (
            "UPDATE game SET game = 0, pair = 0 WHERE number = 3".into(),
            "game 3: its pair does not follow from its number",
        ),
        (
            "UPDATE game SET game = 4294967296 WHERE number = 3".into(),
            "game 3, `game`: 4294967296 is out of range",
        ),
        ("UPDATE game SET starter = 3 WHERE number = 3".into(), "game 3: no seat starts it"),
        (
            "UPDATE game SET reproducible = 2 WHERE number = 3".into(),
            "game 3, `reproducible`: 2 is neither 0 nor 1",
        ),
        (
            "UPDATE game SET first_fuel = '18446744073709551616' WHERE number = 3".into(),
            "game 3, `first_fuel`: ",
        ),
        (
            "UPDATE game SET fleet_seed = 'x' WHERE number = 3".into(),
            "game 3, `fleet_seed`: it is not 16 hexadecimal",
        ),
        ("UPDATE game SET events = x'' WHERE number = 3".into(), "game 3: they are cut off"),
        ("UPDATE game SET events = x'01' WHERE number = 3".into(), too_many),
        (
            "UPDATE game SET events = x'ffffff7f' WHERE number = 3".into(),
            "game 3: it has more turns than any game",
        ),
        ("UPDATE game SET events = x'ffffffffff' WHERE number = 3".into(), "game 3: they are cut off"),
    ] {
        check_refused(&statements, finding);
    }
}

#[test]
fn more_than_a_journal_can_hold_is_refused() {
    let some = |count: usize| {
        format!("WITH RECURSIVE some(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < {count})")
    };
    let bots =
        format!("INSERT INTO bot (label, name, sha256) {} SELECT 'x', 'x', 'x' FROM some", some(BOTS_MAX));
    check_refused(&bots, "a journal has at most 65536 bots");
    let stages = format!("INSERT INTO stage (settings) {} SELECT '{{}}' FROM some", some(STAGES_MAX));
    check_refused(&stages, "stage 65537: a journal has at most 65536 stages");
    let entrants = format!(
        "{}; INSERT INTO entrant (stage, place, bot, label) {} SELECT 1, n + 2, n + 2, n FROM some",
        bots.replace("65536", "4096"),
        some(ENTRANTS_MAX)
    );
    check_refused(&entrants, "entrant 4097: its stage has more bots than one can have");
    check_refused(
        "UPDATE stage SET settings = hex(zeroblob(9000))",
        "stage 1: its settings have more than 16384 bytes",
    );
}

#[test]
fn more_faults_than_sums_of_them_can_be_are_refused() {
    // A million in each game, which the claimed number of turns allows: 1,000,000 in LEB128.
    let (_folder, path) = folder();
    with_games(&path, 1);
    let games = 4_400;
    alter_by(
        &path,
        &format!(
            r#"UPDATE game SET faults = '[{{"seat":1,"class":"trap","count":1000000,"first-turn":0,"detail":""}}]', events = x'c0843d';
            WITH RECURSIVE some(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM some WHERE n < {games})
            INSERT INTO game SELECT n, stage, first, second, (n - 1) / 2, n, contract, first_seed, second_seed, fleet_seed, starter,
            outcome, reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events
            FROM game, some WHERE number = 1"#
        ),
    );
    let error = content(&path).map(drop).expect_err("their sum does not fit 32 bits");
    check_message(&error);
    assert!(error.to_string().contains("game 4295: the games have more faults"), "{error}");
}

#[test]
fn a_revealed_seed_is_that_of_the_conditions() {
    check_refused("INSERT INTO told_seed VALUES (1, '7')", "told-seed 1: it is not the seed");
    check_refused("INSERT INTO told_seed VALUES (1, 'seven')", "told-seed 1, `seed`: ");
}

#[test]
fn a_seed_of_a_stage_is_drawn_before_its_games_and_follows_from_its_beacon() {
    let secret = format!("INSERT INTO draw VALUES (1, 1, 'sha256:{}', NULL)", "0".repeat(64));
    for (statements, finding) in [
        ("INSERT INTO draw VALUES (1, 2, '7', NULL)", "draw 1: it is not of the latest stage"),
        ("INSERT INTO draw VALUES (1, 0, '7', NULL)", "draw 1: it is not of the latest stage"),
        ("INSERT INTO draw VALUES (1, 1, 'seven', NULL)", "draw 1, `seed`: "),
        (
            &secret,
            "draw 1: it is revealed although the seed of the conditions is open, or the other way round",
        ),
        ("INSERT INTO draw VALUES (1, 1, '7', '3 17 22')", "draw 1: it does not follow from its beacon"),
        ("INSERT INTO draw VALUES (1, 1, '7', '3  17')", "draw 1: its beacon is not one plain line"),
        ("INSERT INTO draw VALUES (1, 1, '7', '')", "draw 1: its beacon is not one plain line"),
    ] {
        check_refused(statements, finding);
    }
}

#[test]
fn the_seeds_of_the_stages_follow_from_the_revealed_secret() {
    let [secret, other] = [7, 8].map(Seed::from);
    let hash = |seed| Commitment::to(&seed).to_string();
    let statements = |drawn: Seed| {
        format!(
            "UPDATE conditions SET seed = '{}'; INSERT INTO draw VALUES (1, 1, '{}', NULL);
             UPDATE clock SET links = links + 1; INSERT INTO told_seed VALUES (1, '7')",
            hash(secret),
            hash(drawn)
        )
    };
    check_refused(&statements(other), "told-seed 1: the seed of stage 1 does not follow from it");
    let (_folder, path) = folder();
    let bots = with_games(&path, 4).bots;
    let drawn = Stage::of_all("{}", &bots).drawn(1, Some(&secret), &bots);
    alter_by(&path, &statements(drawn));
    check_sound(&content(&path).unwrap());
}

#[test]
fn stages_that_share_a_seed_or_come_after_the_close_are_refused() {
    let tournament = tournament(3);
    let stage = |settings: &str, seed: u64| {
        let draw = Some(Draw { seed: seed.into(), beacon: None });
        Stage { draw, ..Stage::of_all(settings, &tournament.bots) }
    };
    for (second, closes, finding) in [
        (8, false, None),
        (7, false, Some("draw 2: an earlier stage has the same seed")),
        (8, true, Some("draw 2: the season was closed before it")),
    ] {
        let (_folder, path) = folder();
        let mut writer = Writer::open(&path, &tournament, &stage("{}", 7)).unwrap();
        if closes {
            writer.tell_seed(tournament.conditions.seed.open().unwrap()).unwrap();
        }
        writer.enter(&tournament.bots, &stage("[]", second)).unwrap();
        drop(writer);
        let found = content(&path).map(drop).map_err(|error| error.to_string());
        match finding {
            None => assert_eq!(found, Ok(())),
            Some(finding) => assert!(found.as_ref().is_err_and(|error| error.contains(finding)), "{found:?}"),
        }
    }
}

#[test]
fn a_time_that_no_run_writes_is_refused() {
    for (statements, finding) in [
        ("UPDATE clock SET at = 'soon'", "entry 1 of the clock: it is no time in UTC"),
        ("UPDATE clock SET at = '2026-01-31T12:00:00+01:00'", "entry 1 of the clock: it is no time in UTC"),
        ("UPDATE clock SET links = 1", "entry 1 of the clock: it is before the first stage"),
        ("UPDATE clock SET links = 99", "entry 1 of the clock: it is not of this chain of games"),
        ("UPDATE clock SET links = -1", "entry 1 of the clock: its links are out of range"),
    ] {
        check_refused(statements, finding);
    }
}

#[test]
fn a_stage_that_no_journal_can_hold_is_not_written() {
    let (_folder, path) = folder();
    let tournament = tournament(3);
    let stage = Stage::of_all("{}", &tournament.bots);
    let [mut twice, mut same_label, mut long] = [stage.clone(), stage.clone(), stage];
    twice.entrants[1].bot = 0;
    same_label.entrants[1].label = same_label.entrants[0].label.clone();
    long.settings = " ".repeat(SETTINGS_BYTES_MAX + 1);
    for stage in [twice, same_label, long] {
        let error = arena_store::Writer::open(&path, &tournament, &stage).err();
        assert!(matches!(error, Some(JournalError::DoesNotFit)), "{error:?}");
    }
}
