//! Random seeds: a run draws a fresh one, or keeps it secret until its last game, and a bot that guesses seeds finds none.

use crate::support::{Place, Run, SEED, signal};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

const MATCH: &str = "run hunter.wasm random.wasm --games 4";
const SECRET: &str = "run hunter.wasm random.wasm --games 4 --seed secret --journal a.db";

/// The note about a seed that a bot can guess.
const SMALL: &str = "note: a bot can guess a seed of fewer than 128 bits";

/// The seed in a line `seed …` of a text.
fn seed_in(text: &str) -> String {
    let seed = text.lines().find_map(|line| line.strip_prefix("seed "));
    seed.unwrap_or_else(|| panic!("no seed in:\n{text}")).to_owned()
}

/// The hash that a run has promised on standard error before its first game.
fn promised(run: &Run) -> String {
    let line = run.stderr.lines().find_map(|line| line.split_once("its SHA-256 is "));
    line.unwrap_or_else(|| panic!("no promise in:\n{}", run.stderr)).1.to_owned()
}

/// The SHA-256 of the bytes that these digits stand for, as the README tells everybody to compute it.
fn sha256_of(digits: &str) -> String {
    let bytes: Vec<u8> =
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect();
    let place = Place::empty();
    place.write("seed", bytes);
    let output = Command::new("sha256sum").arg(place.path("seed")).output().expect("there is sha256sum");
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}

/// The verdicts of `arena verify` by their names.
fn verdicts(place: &Place, words: &str) -> Vec<String> {
    let document = place.arena(&format!("verify {words} -o json")).json();
    let findings = document["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["verdict"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_command_that_plays_draws_a_fresh_seed_and_repeats_a_run_with_it() {
    let place = Place::with_house_bots();
    for words in [
        "run hunter.wasm random.wasm --games 2",
        "bench random.wasm --boards 3",
        "sprt hunter.wasm random.wasm",
    ] {
        let [first, second] = [place.arena(words).expect_code(0), place.arena(words).expect_code(0)];
        let seed = seed_in(&first.stdout);
        assert_eq!(seed.len(), 64, "{words}: {seed}");
        assert_ne!(seed, seed_in(&second.stdout), "{words}");
        let repeated = place.arena(&format!("{words} --seed {seed}")).expect_code(0);
        assert_eq!(repeated.stdout, first.stdout, "{words}");
        assert_eq!(repeated.stderr, "", "{words}");
        let document = place.arena(&format!("{words} --seed {seed} -o json")).expect_code(0).json();
        assert_eq!(document["seed"], seed.as_str(), "{words}");
    }
    let csv = place.arena(&format!("{MATCH} -o csv")).expect_code(0);
    assert_eq!((seed_in(&csv.stderr).len(), csv.stdout.contains("seed")), (64, false));
}

#[test]
fn a_seed_that_a_bot_can_guess_gets_a_note_and_a_large_one_does_not() {
    let place = Place::with_house_bots();
    let small = format!("{}{}", "ff".repeat(16), "00".repeat(16));
    for (seed, noted) in [("1", true), ("18446744073709551615", true), (small.as_str(), true), (SEED, false)]
    {
        for words in ["run hunter.wasm random.wasm --games 1", "bench random.wasm --boards 1"] {
            let run = place.arena(&format!("{words} --seed {seed}")).expect_code(0);
            assert_eq!(run.stderr.contains(SMALL), noted, "{words} --seed {seed}: {}", run.stderr);
        }
    }
}

#[test]
fn a_journal_is_continued_with_its_own_seed() {
    let place = Place::with_house_bots();
    let first = place.arena(&format!("{MATCH} --journal a.db -o json")).expect_code(0).json();
    let more =
        place.arena("run hunter.wasm random.wasm --games 6 --journal a.db --resume -o json").expect_code(0);
    assert_eq!(more.json()["seed"], first["seed"]);
    let all = place.arena("verify --journal a.db .").expect_code(0);
    assert!(all.stdout.ends_with("verified 6 of 6\n"), "{}", all.stdout);
    let secret = place.arena(SECRET).expect_code(2);
    assert!(secret.stderr.contains("the seed of this journal is not secret"), "{}", secret.stderr);
}

#[test]
fn a_secret_seed_is_promised_before_the_first_game_and_told_after_the_last_one() {
    let place = Place::with_house_bots();
    let run = place.arena(&format!("{SECRET} --transcripts t")).expect_code(0);
    let (promise, seed) = (promised(&run), seed_in(&run.stdout));
    assert_eq!(sha256_of(&seed), promise);
    assert!(run.stdout.contains(&format!("known before the first game: {promise}")), "{}", run.stdout);
    assert!(!place.path("a.db.seed").exists());
    let standings = place.arena("standings a.db -o json").expect_code(0).json();
    assert_eq!(
        (&standings["seed"], &standings["seed-sha256"]),
        (&seed.as_str().into(), &promise.as_str().into())
    );

    // The journal verifies as it is; a transcript needs the seed, and is not believed without it.
    assert_eq!(verdicts(&place, "--journal a.db ."), ["same"; 4]);
    let files = place.files("t");
    assert!(files.values().all(|game| !String::from_utf8_lossy(game).contains(&seed)));
    let files: Vec<String> = files.into_keys().map(|name| format!("t/{name}")).collect();
    let files = files.join(" ");
    assert_eq!(verdicts(&place, &format!("{files} .")), ["seed-not-told"; 4]);
    assert_eq!(verdicts(&place, &format!("{files} . --seed {seed}")), ["same"; 4]);
    assert_eq!(verdicts(&place, &format!("{files} . --seed {SEED}")), ["other-seed"; 4]);
    let said = place.arena(&format!("verify {files} .")).expect_code(3).stdout;
    assert!(said.contains("its seeds cannot be checked: the tournament's seed has not been told"), "{said}");

    // Whoever is told the seed plays the same games.
    let open = place.arena(&format!("{MATCH} --seed {seed} -o json")).expect_code(0).json();
    let kept = place.arena(&format!("{SECRET} -o json")).expect_code(0);
    assert_eq!((&open["games"], &open["seed"]), (&kept.json()["games"], &kept.json()["seed"]));
    assert!(!kept.stderr.contains("is secret"), "{}", kept.stderr);
}

#[test]
fn a_seed_that_was_changed_after_the_first_game_has_its_own_verdict() {
    let place = Place::with_house_bots();
    place.arena(&format!("{SECRET} --transcripts t")).expect_code(0);
    let seed = place.arena("standings a.db -o json").json()["seed"].as_str().unwrap().to_owned();
    let mut journal = fs::read(place.path("a.db")).unwrap();
    let at = journal.windows(64).position(|window| window == seed.as_bytes()).expect("it is told");
    journal[at..at + 64].copy_from_slice(SEED.as_bytes());
    place.write("a.db", journal);
    let said = place.arena("verify --journal a.db .").expect_code(2).stderr;
    assert!(said.contains("told-seed 1: it was changed after it was written"), "{said}");
    // The same without a journal, in which the chain of hashes shows it.
    let game = format!("verify t/1-hunter-vs-random.jsonl . --seed {SEED}");
    let said = place.arena(&game).expect_code(3).stdout;
    assert!(said.contains("the seed was changed after the first one"), "{said}");
    // Seeds of the sides that somebody chose are found once the tournament's seed is told.
    let game = "t/1-hunter-vs-random.jsonl";
    place.alter(game, 1, |header| header["bots"][0]["seed"] = "00000000000000ff".into());
    assert_eq!(verdicts(&place, &format!("{game} . --seed {seed}")), ["other-header"]);
}

#[test]
fn a_secret_run_that_is_killed_is_continued_with_its_seed_and_tells_nothing_before() {
    let place = Place::with_house_bots();
    let words = "run hunter.wasm random.wasm sweeper.wasm --games 400 --seed secret --journal a.db -o json";
    for name in ["KILL", "INT", "KILL"] {
        let before = games(&place);
        let mut child = place.start(words);
        while games(&place) < before + 20 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
            thread::sleep(Duration::from_millis(10));
        }
        signal(&child, name);
        let mut said = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
        said += &std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        child.wait().unwrap();
        let secret = fs::read_to_string(place.path("a.db.seed")).unwrap().trim_end().to_owned();
        assert_eq!(fs::metadata(place.path("a.db.seed")).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!said.contains(&secret), "{said}");
        let journal = place.arena("standings a.db -o json").expect_code(0).json();
        assert_eq!((&journal["seed"], &journal["seed-sha256"]), (&Value::Null, &sha256_of(&secret).into()));
        for file in ["a.db", "a.db-wal"].map(|name| place.path(name)).iter().filter(|file| file.exists()) {
            let bytes = fs::read(file).unwrap();
            assert!(!bytes.windows(64).any(|window| window == secret.as_bytes()), "{}", file.display());
        }
    }
    let sample = verdicts(&place, "--journal a.db . --sample 3");
    assert_eq!(sample, ["seed-not-told"; 3]);
    let promise = place.arena("standings a.db -o json").json()["seed-sha256"].clone();
    let run = place.arena(&words.replace("--seed secret", "--resume")).expect_code(0);
    let seed = run.json()["seed"].as_str().expect("it is told").to_owned();
    assert_eq!(sha256_of(&seed), promise.as_str().unwrap());
    let undisturbed = words.replace("--seed secret --journal a.db", &format!("--seed {seed}"));
    assert_eq!(place.arena(&undisturbed).expect_code(0).json()["games"], run.json()["games"]);
    assert_eq!(verdicts(&place, "--journal a.db . --sample 3"), ["same"; 3]);
}

/// The number of games in the journal so far.
fn games(place: &Place) -> u64 {
    let run = place.arena("standings a.db -o json");
    if run.code == 0 { run.json()["games"].as_u64().unwrap() } else { 0 }
}

#[test]
fn a_run_that_was_stopped_before_it_made_its_journal_has_left_its_seed() {
    for begun in [None, Some("")] {
        let place = Place::with_house_bots();
        place.write("a.db.seed", format!("{SEED}\n"));
        begun.into_iter().for_each(|empty| place.write("a.db", empty));
        let run = place.arena(SECRET).expect_code(0);
        assert_eq!((promised(&run), seed_in(&run.stdout)), (sha256_of(SEED), SEED.to_owned()));
    }
}

#[test]
fn a_secret_that_cannot_be_kept_is_refused_before_a_game() {
    let place = Place::with_house_bots();
    for (words, phrase) in [
        ("run hunter.wasm random.wasm --seed secret", "--seed secret needs a journal"),
        ("bench hunter.wasm --seed secret", "is for `arena run` only"),
        ("sprt hunter.wasm random.wasm --seed secret", "is for `arena run` only"),
        ("watch hunter.wasm random.wasm --seed secret", "is for `arena run` only"),
        ("play hunter.wasm --seed secret", "is for `arena run` only"),
        ("serve 0 --seed secret", "is for `arena run` only"),
        ("run hunter.wasm random.wasm --seed soon", "64 hexadecimal digits, or `secret`"),
    ] {
        let run = place.arena(words).expect_code(2);
        assert!(run.stderr.contains(phrase), "{words}: {}", run.stderr);
    }
    let mut child =
        place.start("run hunter.wasm random.wasm --games 100000 --seed secret --journal a.db -o json");
    while games(&place) < 5 {
        thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "KILL");
    child.wait().unwrap();
    fs::rename(place.path("a.db.seed"), place.path("elsewhere")).unwrap();
    let lost = place.arena("run hunter.wasm random.wasm --games 10 --journal a.db").expect_code(2);
    assert!(
        lost.stderr.contains("a.db.seed: the secret seed of the journal is not there"),
        "{}",
        lost.stderr
    );
    place.write("a.db.seed", SEED);
    let other = place.arena("run hunter.wasm random.wasm --games 10 --journal a.db").expect_code(2);
    assert!(other.stderr.contains("has another seed than the one whose hash"), "{}", other.stderr);
    let given =
        place.arena(&format!("run hunter.wasm random.wasm --seed {SEED} --journal a.db")).expect_code(2);
    assert!(given.stderr.contains("the random seed is sha256:"), "{}", given.stderr);
}

/// A place with `foreseer`, which knows the hashes of the house bots, and with the house bots.
fn place_with_foreseer() -> Place {
    let place = Place::with_house_bots();
    let hash = |bot: &str| {
        place.arena(&format!("check {bot}.wasm -o json")).json()["sha256"].as_str().unwrap().to_owned()
    };
    let hashes = ["hunter", "random", "sweeper"].map(hash);
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/foreseer.wasm");
    let built = fs::read(&built)
        .unwrap_or_else(|_| panic!("{} is missing: build it with `cargo xtask bots`", built.display()));
    let bot = arena_testkit::foreseer(&built, &hashes.each_ref().map(String::as_str)).unwrap();
    place.write("foreseer.wasm", bot);
    place
}

/// The points of `foreseer` in ten games against `hunter`, the turns it takes to win, and its log in each game.
fn foreseen(place: &Place, options: &str) -> (f64, Vec<u64>, Vec<String>) {
    let words = format!("run foreseer.wasm hunter.wasm --games 10 -o json --logs logs {options}");
    let document = place.arena(&words).expect_code(0).json();
    let rows = document["standings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["bot"] == "foreseer").unwrap();
    let won = document["games"].as_array().unwrap().iter().filter(|game| game["winner"] == "foreseer");
    let turns = won.map(|game| game["turns"][usize::from(game["seats"][1] == "foreseer")].as_u64().unwrap());
    let logs = place.files("logs").into_values().map(|log| String::from_utf8(log).unwrap());
    let found = (row["points"].as_f64().unwrap(), turns.collect(), logs.collect());
    fs::remove_dir_all(place.path("logs")).unwrap();
    found
}

#[test]
fn a_bot_that_guesses_seeds_foresees_every_ship_if_the_seed_is_small_and_none_otherwise() {
    let place = place_with_foreseer();
    for seed in [1, 42] {
        let (points, turns, logs) = foreseen(&place, &format!("--seed {seed}"));
        assert_eq!((points, turns), (10.0, vec![20; 10]), "it sinks twenty cells in twenty shots: {logs:?}");
        assert!(logs.iter().all(|log| log.contains("the opponent's seed is")), "{logs:?}");
    }
    for options in ["", "--seed secret --journal a.db", &format!("--seed {SEED}")] {
        let (points, turns, logs) = foreseen(&place, options);
        assert_eq!(logs.len(), 10);
        assert!(logs.iter().all(|log| log.trim() == "deploy: no seed was found"), "{options}: {logs:?}");
        // It shoots at random, and `hunter` wins nearly always.
        assert!(points <= 3.0 && turns.iter().all(|&turns| turns > 40), "{options}: {points} {turns:?}");
    }
}
