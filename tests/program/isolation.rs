//! Bots cannot see or change one another, earlier games, the time, the machine or chance. The specimens that try choose
//! their shots by what they have seen, and their games are the same, byte for byte, in any place and with any others.

use crate::support::{Place, Run, command};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::sync::LazyLock;

/// Specimens that look for data that is not theirs, and choose their shots by what they see.
const PEEKING: [&str; 9] = [
    "peeks-at-memory",
    "peeks-at-the-world",
    "peeks-at-the-clock",
    "peeks-at-handles",
    "peeks-at-chance",
    "hash-order",
    "shoots-at-random",
    "remembers",
    "looks-around",
];

/// Specimens that try to leave something behind for later bots.
const STAINING: [&str; 7] = [
    "stains",
    "scribbles",
    "fills-to-the-cap",
    "log-flood",
    "sleeps-for-ever",
    "leaks-handles",
    "traps-in-play",
];

type Games = BTreeMap<String, Vec<u8>>;

fn place() -> Place {
    Place::with_specimens(&[&PEEKING[..], &STAINING].concat())
}

fn files(names: &[&str]) -> String {
    names.iter().map(|name| format!("{name}.wasm")).collect::<Vec<_>>().join(" ")
}

/// The games that peeking bots play against each other, alone in a tournament.
static ALONE: LazyLock<Games> = LazyLock::new(|| {
    let place = place();
    place
        .arena(&format!("run {} --games 2 --seed 1 --jobs 1 --transcripts alone", files(&PEEKING)))
        .expect_code(0);
    let games = place.games("alone");
    assert_eq!(games.len(), 2 * 36);
    games
});

/// The games between two peeking bots.
fn of_peeking(mut games: Games) -> Games {
    games.retain(|name, _| !STAINING.iter().any(|staining| name.contains(staining)));
    games
}

/// Checks that the same games have the same bytes.
fn expect_same(games: &Games, others: &Games) {
    assert!(games.keys().eq(others.keys()));
    for (name, game) in games {
        assert!(*game == others[name], "{name} is another game");
    }
}

#[test]
fn games_are_the_same_at_another_time_in_another_place_with_other_variables_files_and_input() {
    let place = place();
    LazyLock::force(&ALONE);
    fs::create_dir_all(place.path("elsewhere/secrets")).unwrap();
    place.write("elsewhere/secrets/key.txt", "not for bots");
    place.write("elsewhere/.env", "TOKEN=1");
    place.write("elsewhere/input.txt", "read me");
    let bots: Vec<String> = PEEKING.iter().map(|name| format!("../{name}.wasm")).collect();
    let args = format!("run {} --games 2 --seed 1 --jobs 1 --transcripts there", bots.join(" "));
    let mut command = command(&place.path("elsewhere"), &args.split(' ').collect::<Vec<_>>());
    command.envs([
        ("TOKEN", "secret"),
        ("TZ", "Pacific/Kiritimati"),
        ("LANG", "ja_JP.UTF-8"),
        ("RUST_BACKTRACE", "1"),
    ]);
    command.env("HOME", place.path("elsewhere")).env("RUST_LOG", "trace").env("COLUMNS", "200");
    command.stdin(Stdio::from(fs::File::open(place.path("elsewhere/input.txt")).unwrap()));
    // The time of day differs by itself.
    Run::of(&mut command).expect_code(0);
    expect_same(&ALONE, &place.games("elsewhere/there"));
}

#[test]
fn games_are_the_same_at_the_start_of_a_process_and_after_a_hundred_that_left_stains() {
    let place = place();
    let bots = files(&[&STAINING[..], &PEEKING].concat());
    place.arena(&format!("run {bots} --games 2 --seed 1 --jobs 1 --transcripts crowd")).expect_code(0);
    let late: Games = place.games("crowd").into_iter().skip(100).collect();
    assert!(of_peeking(late).len() >= 30, "many games of theirs come after a hundred others");
    expect_same(&ALONE, &of_peeking(place.games("crowd")));
}

#[test]
fn games_are_the_same_while_others_are_played_in_parallel() {
    let place = place();
    // The kinds alternate, so that games of both are played at the same time.
    let mut bots = Vec::new();
    for (index, peeking) in PEEKING.iter().enumerate() {
        bots.push(*peeking);
        bots.extend(STAINING.get(index));
    }
    let bots = files(&bots);
    place.arena(&format!("run {bots} --games 2 --seed 1 --jobs 8 --transcripts beside")).expect_code(0);
    expect_same(&ALONE, &of_peeking(place.games("beside")));
}

/// The cell that a transcript writes as a list of its row and its column; `None` when there is no such list.
fn cell(cell: &Value) -> Option<(u64, u64)> {
    Some((cell[0].as_u64()?, cell[1].as_u64()?))
}

/// The shots of one side in a game's transcript, without the attempts that were not valid.
fn shots(game: &[u8], label: &str) -> Vec<(u64, u64)> {
    let text = std::str::from_utf8(game).expect("a transcript is text");
    let mut events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let header = events.next().expect("it has a header");
    let seat = if header["bots"][0]["label"] == label { 1 } else { 2 };
    let shot = |event: Value| (event["seat"] == seat).then(|| cell(&event["action"]["shot"]))?;
    events.filter_map(shot).collect()
}

#[test]
fn a_bot_that_looks_for_traces_of_others_sees_nothing_against_any_opponent() {
    let place = place();
    let bots = files(&[&["peeks-at-memory", "peeks-at-the-world"], &STAINING[..]].concat());
    place.arena(&format!("run {bots} --games 2 --seed 1 --jobs 1 --transcripts t")).expect_code(0);
    let mut seen = 0;
    for name in ["peeks-at-memory", "peeks-at-the-world"] {
        for (game, bytes) in place.games("t").iter().filter(|(game, _)| game.contains(name)) {
            // A bot that sees nothing shoots at every seventh cell.
            for (turn, shot) in (0..).zip(shots(bytes, name)) {
                assert_eq!(shot, (turn * 7 % 100 / 10, turn * 7 % 10), "{name} in {game}");
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen} shots were looked at");
}

#[test]
fn chance_and_the_clock_come_from_the_seed_and_fuel_alone() {
    let place = place();
    let bots = files(&["peeks-at-chance", "peeks-at-the-clock", "hash-order"]);
    let play = |folder: &str, seed: u64| {
        place.arena(&format!("run {bots} --games 2 --seed {seed} --transcripts {folder}")).expect_code(0);
        place.games(folder)
    };
    let (one, again, other) = (play("one", 1), play("again", 1), play("other", 2));
    expect_same(&one, &again);
    for (game, bytes) in &one {
        for (name, follows_the_seed) in
            [("peeks-at-chance", true), ("hash-order", true), ("peeks-at-the-clock", false)]
        {
            if game.contains(name) {
                let same = shots(bytes, name).iter().zip(shots(&other[game], name)).all(|(a, b)| *a == b);
                assert_eq!(same, !follows_the_seed, "{name} in {game}");
            }
        }
    }
}
