//! Tournaments that are not a journal's: the error names the first difference.

use crate::support::{folder, game, open, tournament, with_games};
use arena_record::{BotId, Seed};
use arena_rules::GameRules;
use arena_rules::battleship::Ruleset;
use arena_store::{JournalError, Tournament, other_field};
use std::fs;

#[track_caller]
fn check_other(change: impl Fn(&mut Tournament), phrase: &str) {
    let (_folder, path) = folder();
    let mut now = with_games(&path, 1);
    let before = fs::read(&path).unwrap();
    change(&mut now);
    match open(&path, &now) {
        Err(JournalError::Other(difference)) => {
            assert!(difference.to_string().contains(phrase), "{difference}");
        }
        other => panic!("{:?}", other.err()),
    }
    assert_eq!(before, fs::read(&path).unwrap(), "it is left as it was");
}

#[test]
fn other_conditions_are_refused_with_the_difference() {
    check_other(
        |now| now.conditions.arena = "9.9.9".into(),
        "the arena's version is 0.1.0 in the journal and 9.9.9 now",
    );
    check_other(|now| now.conditions.wasmtime = "49.0.0".into(), "wasmtime's version");
    check_other(|now| now.conditions.engine = "ff".into(), "the hash of the engine");
    check_other(
        |now| now.conditions.seed = Seed::of_bytes([7; 32]).into(),
        &format!("the random seed is 18446744073709551614 in the journal and {} now", "07".repeat(32)),
    );
    check_other(|now| now.conditions.limits.fuel_per_turn = 7, "the fuel of a turn");
    check_other(
        |now| now.conditions.limits.memory_bytes = 16 << 20,
        "the memory of a bot is 64 MiB in the journal and 16 MiB now",
    );
    check_other(
        |now| now.conditions.limits.memory_bytes += 1,
        "64 MiB in the journal and 67108865 bytes now",
    );
}

#[test]
fn a_version_with_the_same_first_number_continues_a_journal_from_1_on() {
    for (begun_by, now_by, is_continued) in [
        ("1.0.0", "1.4.2", true),
        ("1.4.2", "1.0.0", true),
        ("1.9.9", "2.0.0", false),
        ("0.1.0", "0.1.1", false),
        ("0.9.0", "1.0.0", false),
    ] {
        let (_folder, path) = folder();
        let by = |version: &str| {
            let mut tournament = tournament(2);
            tournament.conditions.arena = version.into();
            tournament
        };
        let [begun, now] = [begun_by, now_by].map(by);
        let mut writer = open(&path, &begun).expect("it is new");
        game(&begun, [0, 1], 1).add_to(&mut writer).expect("it is of this journal");
        drop(writer);
        match open(&path, &now) {
            Ok(mut writer) if is_continued => {
                assert_eq!(game(&now, [0, 1], 2).add_to(&mut writer).expect("it is of this journal, too"), 2);
            }
            Err(JournalError::Other(_)) if !is_continued => {}
            other => panic!("{now_by} after {begun_by}: {:?}", other.err()),
        }
    }
}

#[test]
fn other_rules_are_refused_with_the_first_switch_that_differs() {
    let (_folder, path) = folder();
    let rules = |rules| move |now: &mut Tournament| now.conditions.rules = GameRules::clone(&rules);
    check_other(rules(GameRules::Battleship(Ruleset::classic())), "of the rules is");
    check_other(
        rules(GameRules::Battleship(Ruleset { turns_max: 7, ..Ruleset::guide() })),
        "`turns-max` of the rules is 400 in the journal and 7 now",
    );
    let other_game = GameRules::built_in().pop().unwrap();
    check_other(rules(other_game), "the game is battleship in the journal and submarine now");

    let mut renamed = with_games(&path, 1);
    renamed.conditions.rules =
        GameRules::Battleship(Ruleset { name: "friday night".into(), ..Ruleset::guide() });
    let mut writer = open(&path, &renamed).expect("rules are the same by any name");
    assert_eq!(game(&renamed, [0, 1], 2).add_to(&mut writer).unwrap(), 2);
}

#[track_caller]
fn check_other_field(change: impl Fn(&mut Vec<BotId>), phrase: &str) {
    let journal = tournament(3).bots;
    let mut now = journal.clone();
    change(&mut now);
    let difference = other_field(&journal, &now).expect("they differ");
    assert!(difference.to_string().contains(phrase), "{difference}");
}

#[test]
fn a_field_of_other_bots_differs_in_words() {
    check_other_field(|now| now[1].sha256 = "f".repeat(64).into(), "the SHA-256 of bot-1 is 00000001");
    check_other_field(
        |now| drop(now.pop()),
        "the bot bot-2 is a contestant in the journal and not a contestant now",
    );
    let another = tournament(4).bots.pop().unwrap();
    check_other_field(
        move |now| now.push(another.clone()),
        "the bot bot-3 is not a contestant in the journal",
    );
    let list = "the list of the bots is bot-0 (00000000), bot-1 (00000001), bot-2";
    check_other_field(|now| now.push(now[0].clone()), list);
    check_other_field(|now| now.swap(0, 1), list);
    check_other_field(
        |now| {
            now.swap(0, 1);
            now[0].label = "bot-0".into();
            now[1].label = "bot-1".into();
        },
        list,
    );
    let mut renamed = tournament(3).bots;
    renamed[0].label = "renamed".into();
    assert_eq!(other_field(&tournament(3).bots, &renamed), None);
}

#[test]
fn another_label_for_the_same_bot_is_the_same_tournament() {
    let (_folder, path) = folder();
    let mut now = with_games(&path, 1);
    now.bots[0].label = "renamed".into();
    assert!(open(&path, &now).is_ok());
}
