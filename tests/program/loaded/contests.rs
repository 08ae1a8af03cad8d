//! A contest from its first game to its report.

use super::with_journal;
use crate::chain::drop_triggers;
use crate::support::{Place, SEED};
use std::fs;

#[test]
fn the_example_games_are_won_by_their_bots_without_a_fault_and_verified() {
    for (game, bot) in [("connect-four", "one-ahead"), ("dots-and-boxes", "chains"), ("liars-dice", "odds")] {
        let place = Place::with_game(game, bot);
        let run = format!(
            "run --game {game}.wasm {bot}.wasm builtin:random --games 40 --seed {SEED} --journal j.db -o json"
        );
        let document = place.arena(&run).expect_code(0).json();
        let first = &document["standings"][0];
        assert_eq!((&first["bot"], &first["faults"]), (&bot.into(), &0.into()), "{document}");
        assert!(first["wins"].as_u64() >= Some(26), "{game}: {first}");
        let verified = place.arena("verify --journal j.db").expect_code(0).stdout;
        assert!(verified.contains("verified 40 of 40"), "{verified}");
    }
}

#[test]
fn the_bots_of_the_example_games_win_games_without_a_fault_that_are_verified() {
    // Seeds of games follow from the components, and so from the compiler. A hand of Leduc poker is mostly luck.
    for (game, one, two, wins_min) in [
        ("goofspiel", "above", "matching", 15),
        ("hex", "current", "bridges", 15),
        ("leduc-poker", "card", "builtin:random", 1),
        ("rock-paper-scissors", "often", "builtin:random", 1),
        ("leduc-poker", "solver", "card", 1),
    ] {
        let place = Place::with_game(game, one);
        let mut other = two.to_owned();
        if !two.starts_with("builtin:") {
            place.copy_game(game, two);
            other += ".wasm";
        }
        let run = format!(
            "run --game {game}.wasm {one}.wasm {other} --games 20 --seed {SEED} --journal j.db -o json"
        );
        let document = place.arena(&run).expect_code(0).json();
        let standings = document["standings"].as_array().expect("there are standings");
        let first = standings.iter().find(|bot| bot["bot"] == one).expect("the bot is there");
        assert!(first["wins"].as_u64() >= Some(wins_min), "{game}: {document}");
        assert!(standings.iter().all(|bot| bot["faults"] == 0), "{game}: {document}");
        let verified = place.arena("verify --journal j.db").expect_code(0).stdout;
        assert!(verified.contains("verified 20 of 20"), "{verified}");
    }
}

#[test]
fn a_copy_of_a_journal_with_its_bots_is_verified_and_replayed_without_any_other_file() {
    let place = with_journal();
    fs::create_dir(place.path("copy")).expect("it can be made");
    fs::create_dir(place.path("copy/j.db.bots")).expect("it can be made");
    fs::rename(place.path("j.db"), place.path("copy/j.db")).expect("it can be moved");
    for (name, bytes) in place.files("j.db.bots") {
        place.write(&format!("copy/j.db.bots/{name}"), bytes);
    }
    fs::remove_file(place.path("connect-four.wasm")).expect("it is there");
    fs::remove_file(place.path("one-ahead.wasm")).expect("it is there");
    let verified = place.arena("verify --journal copy/j.db").expect_code(0).stdout;
    assert!(verified.contains("verified 4 of 4"), "{verified}");
    let replayed = place.arena("replay copy/j.db 1 --headless").expect_code(0).stdout;
    for phrase in ["connect-four  game 1", "turn 1: one-ahead plays 3: 5", "one-ahead wins"] {
        assert!(replayed.contains(phrase), "`{phrase}` is not in:\n{replayed}");
    }
    place.arena("report copy/j.db --output site").expect_code(0);
    let page = fs::read_to_string(place.path("site/index.html")).expect("there is a page");
    assert!(page.contains("one-ahead") && page.contains("connect-four"), "{page}");
}

#[test]
fn a_contest_continues_with_the_game_of_its_journal() {
    let place = with_journal();
    fs::remove_file(place.path("connect-four.wasm")).expect("it is there");
    let run = "run one-ahead.wasm builtin:random --games 8 --journal j.db --resume";
    let document = place.arena(&format!("{run} -o json")).expect_code(0).json();
    assert_eq!(document["standings"][0]["games"], 8, "{document}");
    let verified = place.arena("verify --journal j.db").expect_code(0).stdout;
    assert!(verified.contains("verified 8 of 8"), "{verified}");
}

#[test]
fn a_changed_game_is_named_with_the_games_before_and_the_right_one_is_taken() {
    let place = with_journal();
    let mut changed = fs::read(place.path("connect-four.wasm")).expect("it is there");
    // A custom section: its size, and its name with its length.
    changed.extend(b"\x00\x05\x04note");
    place.write("changed.wasm", changed);
    let run = "run --game changed.wasm one-ahead.wasm builtin:random --games 8 --journal j.db --resume";
    let refused = place.arena(run).expect_code(2).stderr;
    let expected =
        "j.db: the game's file has changed since game 4 of the journal\n  next: leave out --game to continue";
    assert!(refused.contains(expected), "{refused}");
    let verified = place.arena("verify --journal j.db --game connect-four.wasm").expect_code(0).stdout;
    assert!(verified.contains("verified 4 of 4"), "{verified}");
    let refused = place.arena("verify --journal j.db --game changed.wasm").expect_code(2).stderr;
    assert!(refused.contains("was played in another game than changed.wasm"), "{refused}");
}

#[test]
fn an_option_of_the_game_is_set_and_belongs_to_the_conditions_of_a_journal() {
    let place = Place::with_game("liars-dice", "odds");
    let run = |options: &str| {
        place.arena(&format!(
            "run --game liars-dice.wasm {options} odds.wasm builtin:random --games 2 --journal j.db"
        ))
    };
    run("--set dice=2").expect_code(0);
    let refused = run("--set dice=3").expect_code(2).stderr;
    assert!(refused.contains("j.db"), "{refused}");
    for (options, phrase) in [
        (
            "--set dice=7",
            "the option dice of liars-dice cannot be 7\n  next: choose a whole number from 1 to 6",
        ),
        ("--set coins=1", "liars-dice has no option coins\n  next: it has dice"),
        ("--set dice", "has no `=`"),
        ("--set =3", "has no name before the `=`"),
        ("--set dice=99999999999999999999", "has a number of more than 64 bits after the `=`"),
    ] {
        let refused = run(options).expect_code(2).stderr;
        assert!(refused.contains(phrase), "{options}: {refused}");
    }
}

#[test]
fn a_journal_without_the_code_of_its_game_is_damaged_and_the_game_is_not_charged() {
    let place = with_journal();
    let journal = rusqlite::Connection::open(place.path("j.db")).unwrap();
    drop_triggers(&journal);
    journal.execute("DELETE FROM code", []).unwrap();
    drop(journal);
    for args in [
        "standings j.db",
        "verify --journal j.db one-ahead.wasm",
        "replay j.db 1",
        "report j.db --output site",
        "rerun j.db 1 one-ahead.wasm",
        "run one-ahead.wasm builtin:random --journal j.db --resume",
    ] {
        let refused = place.arena(args).expect_code(2).stderr;
        let phrase = "j.db: the journal is damaged: the code of the game: there is none with the hash ";
        assert!(refused.contains(phrase) && refused.contains("next: restore it"), "{args}: {refused}");
    }
}

#[test]
fn a_game_that_draws_itself_is_drawn_on_its_replay_and_not_in_its_matches() {
    let place = Place::with_game("hex", "bridges");
    let checked = place.arena("check hex.wasm").expect_code(0);
    assert!(checked.stdout.contains("hex"), "{}", checked.stdout);
    let run =
        format!("run --game hex.wasm bridges.wasm builtin:random --games 2 --seed {SEED} --journal j.db");
    place.arena(&run).expect_code(0);
    place.arena("report j.db --output site").expect_code(0);
    let page = fs::read_to_string(place.path("site/games/1.html")).expect("there is a page");
    assert!(page.contains("img-src 'self' data:;") && page.contains("\"drawings\":{"), "{page}");
    assert!(page.contains("\\u003ccircle cx=") && page.contains("\\u003cpolygon points="), "{page}");
    assert!(page.contains("<pre class=\"picture\""), "the text is there for those who hear the page");
}
