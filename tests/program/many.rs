//! Tournaments of many bots.

use crate::support::{Place, SEED};
use std::fs;

/// The number of bots. Chosen: enough that work which grows with its square shows, in a few seconds, and that a table is cut.
const BOTS: usize = 64;

/// The component with a custom section that has a number: another bot, which plays in the same way.
fn numbered(component: &[u8], number: usize) -> Vec<u8> {
    let content = format!("\x06number{number:03}");
    let section = [0, u8::try_from(content.len()).expect("it is short")];
    [component, &section, content.as_bytes()].concat()
}

#[test]
fn each_of_many_bots_is_compiled_once_and_meets_all_others() {
    let place = Place::empty();
    fs::create_dir(place.path("bots")).unwrap();
    let sweeper = arena_testkit::zoo("sweeper");
    for number in 0..BOTS {
        place.write(&format!("bots/{number:03}.wasm"), numbered(&sweeper, number));
    }
    let args = format!("run bots --games 1 --rules classic --seed {SEED} --journal j.db --cache c");
    let first = place.arena(&args).expect_code(0);
    let compiled = place.files("c");
    assert_eq!(compiled.len(), 3 * BOTS, "the code, the name and the time of each");

    let games = BOTS * (BOTS - 1) / 2;
    let again = place.arena(&args).expect_code(0);
    assert_eq!(again.stderr, format!("the journal j.db has {games} of {games} games\n"));
    // No game is played now, so there are tables and no lines of games.
    assert!(again.stdout.starts_with('\n') && first.stdout.ends_with(&again.stdout));
    assert!(place.files("c") == compiled);
    assert_eq!(first.stdout.lines().filter(|line| line.contains(" - ")).count(), games);
    let standings = place.arena("standings j.db -o json").expect_code(0).json();
    let rows = standings["standings"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row["games"] == BOTS - 1).count(), BOTS);

    // The table is readable, and says what it leaves out.
    let rows = |args: &str| {
        let text = place.arena(&format!("standings j.db {args}")).expect_code(0).stdout;
        let rows =
            text.lines().filter(|line| line.split_whitespace().nth(1).is_some_and(|bot| bot.len() == 3));
        (rows.filter(|line| line.contains(" 63 ")).count(), text)
    };
    let (shown, text) = rows("");
    assert!(shown == 35 && text.contains("29 bots left out: --top 64 shows all"), "{text}");
    let (shown, text) = rows("--top 3");
    assert!(shown == 3 && text.contains("61 bots left out"), "{text}");
    let (shown, text) = rows("--top 64");
    assert!(shown == BOTS && !text.contains("left out"), "{text}");
    assert_eq!(place.arena("standings j.db -o csv --top 3").expect_code(0).stdout.lines().count(), 1 + BOTS);
}
