//! Random seeds: a run draws a fresh one, or keeps it secret until the season is closed, and a bot that guesses or
//! knows seeds cannot predict anything.

use crate::support::{Place, Run, SEED, signal};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

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

/// The SHA-256 of the bytes that these digits stand for, as the guide says to compute it.
fn sha256_of(digits: &str) -> String {
    let bytes: Vec<u8> =
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect();
    let place = Place::empty();
    place.write("seed", bytes);
    let output = Command::new("sha256sum").arg(place.path("seed")).output().expect("there is sha256sum");
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}

/// The verdicts of `arena verify` by their names.
fn verdicts(place: &Place, args: &str) -> Vec<String> {
    let document = place.arena(&format!("verify {args} -o json")).json();
    let findings = document["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["verdict"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_command_that_plays_draws_a_fresh_seed_and_repeats_a_run_with_it() {
    let place = Place::with_house_bots();
    for args in [
        "run hunter.wasm random.wasm --games 2",
        "bench random.wasm --boards 3",
        "sprt hunter.wasm random.wasm",
    ] {
        let [first, second] = [place.arena(args).expect_code(0), place.arena(args).expect_code(0)];
        let seed = seed_in(&first.stdout);
        assert_eq!(seed.len(), 64, "{args}: {seed}");
        assert_ne!(seed, seed_in(&second.stdout), "{args}");
        let repeated = place.arena(&format!("{args} --seed {seed}")).expect_code(0);
        assert_eq!(repeated.stdout, first.stdout, "{args}");
        assert_eq!(repeated.stderr, "", "{args}");
        let document = place.arena(&format!("{args} --seed {seed} -o json")).expect_code(0).json();
        assert_eq!(document["seed"], seed.as_str(), "{args}");
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
        let run = place.arena(&format!("run hunter.wasm random.wasm --games 1 --seed {seed}")).expect_code(0);
        assert_eq!(run.stderr.contains(SMALL), noted, "--seed {seed}: {}", run.stderr);
    }
    // There, a bot has no opponent that it could foresee.
    let bench = place.arena("bench random.wasm --boards 1 --seed 1").expect_code(0);
    assert!(!bench.stderr.contains(SMALL), "{}", bench.stderr);
}

/// The seeds of the stages of `a.db`, as the command prints them.
fn seeds_of_stages(place: &Place) -> Vec<Value> {
    let info = place.arena("journal info a.db -o json").expect_code(0).json();
    info["stages"].as_array().unwrap().iter().map(|stage| stage["seed"].clone()).collect()
}

#[test]
fn a_stage_is_continued_with_its_seed_and_the_next_one_draws_another() {
    let place = Place::with_house_bots();
    let first = place.arena(&format!("{MATCH} --journal a.db -o json")).expect_code(0).json();
    let again = place.arena(&format!("{MATCH} --journal a.db --resume -o json")).expect_code(0).json();
    assert_eq!(again["seed"], first["seed"]);
    let more =
        place.arena("run hunter.wasm random.wasm --games 6 --journal a.db --resume -o json").expect_code(0);
    assert_ne!(more.json()["seed"], first["seed"]);
    assert_eq!(seeds_of_stages(&place), [first["seed"].clone(), more.json()["seed"].clone()]);
    let all = place.arena("verify --journal a.db .").expect_code(0);
    assert!(all.stdout.ends_with("verified 6 of 6\n"), "{}", all.stdout);

    let seed = first["seed"].as_str().unwrap();
    for (args, phrase) in [
        (SECRET.to_owned(), "the seeds of this season are not secret"),
        (
            format!("run hunter.wasm random.wasm --games 8 --journal a.db --seed {seed}"),
            "it is public already, so a bot could be built for it",
        ),
        (
            "run hunter.wasm random.wasm --games 6 --journal a.db --seed 5".into(),
            "the random seed of this stage is",
        ),
    ] {
        let run = place.arena(&args).expect_code(2);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }
    assert_eq!(seeds_of_stages(&place).len(), 2, "nothing was written");
}

#[test]
fn a_secret_seed_is_committed_before_the_first_game_and_revealed_when_the_season_is_closed() {
    let place = Place::with_house_bots();
    let run = place.arena(&format!("{SECRET} --transcripts t")).expect_code(0);
    let promise = promised(&run);
    assert!(!run.stdout.contains("\nseed "), "{}", run.stdout);
    // A week later there is another bot, and so another stage.
    let more = "run hunter.wasm random.wasm sweeper.wasm --games 4 --journal a.db --transcripts t";
    assert_eq!(promised(&place.arena(more).expect_code(0)), promise);
    assert_eq!(seeds_of_stages(&place), [Value::Null, Value::Null]);
    assert_eq!(verdicts(&place, "--journal a.db ."), ["seed-not-told"; 12]);
    let hashes = place.arena("journal info a.db -o json").json()["stages"].clone();

    let closed = place.arena("journal close a.db").expect_code(0).stdout;
    let line = |start: &str| {
        let line = closed.lines().find_map(|line| line.strip_prefix(start));
        line.unwrap_or_else(|| panic!("no {start} in:\n{closed}")).to_owned()
    };
    let (secret, seeds) = (line("secret seed: "), ["seed of stage 1: ", "seed of stage 2: "].map(line));
    assert_eq!(sha256_of(&secret), promise);
    assert!(!place.path("a.db.seed").exists());
    assert_eq!(seeds_of_stages(&place), seeds.each_ref().map(|seed| seed.as_str()));
    for (stage, seed) in seeds.iter().enumerate() {
        assert_eq!(hashes[stage]["seed-sha256"], sha256_of(seed).as_str(), "it was known before its games");
    }
    assert_eq!(verdicts(&place, "--journal a.db ."), ["same"; 12]);

    // A transcript needs the seed of its stage, and is not accepted without it.
    let files = place.files("t");
    assert!(files.values().all(|game| !String::from_utf8_lossy(game).contains(&seeds[0])));
    let game = "t/01-hunter-vs-random.jsonl";
    let game = if place.path(game).exists() { game } else { "t/1-hunter-vs-random.jsonl" };
    assert_eq!(verdicts(&place, &format!("{game} .")), ["seed-not-told"]);
    assert_eq!(verdicts(&place, &format!("{game} . --seed {}", seeds[0])), ["same"]);
    assert_eq!(verdicts(&place, &format!("{game} . --seed {}", seeds[1])), ["other-seed"]);
    assert_eq!(verdicts(&place, &format!("{game} . --seed {secret}")), ["other-seed"]);
    let said = place.arena(&format!("verify {game} .")).expect_code(3).stdout;
    assert!(
        said.contains("its seeds cannot be checked: the tournament's seed has not been revealed"),
        "{said}"
    );

    // A revealed seed cannot be played with again.
    for args in [more, SECRET, "journal close a.db"] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains("the season is closed"), "{args}: {}", run.stderr);
    }
    // The revealed seed repeats the same games.
    let open = place.arena(&format!("{MATCH} --seed {} -o json", seeds[0])).expect_code(0).json();
    let kept = place.arena("games a.db -o jsonl").expect_code(0).stdout;
    let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let turns = |game: &Value| (game["turns"].clone(), game["fuel"].clone());
    let open = open["games"].as_array().unwrap();
    assert!(open.iter().zip(&kept).all(|(one, other)| turns(one) == turns(other)), "{open:?}\n{kept:?}");
}

#[test]
fn a_season_is_closed_when_its_games_are_played_or_its_organiser_says_so() {
    let place = Place::with_house_bots();
    place.arena(SECRET).expect_code(0);
    let run = "run hunter.wasm random.wasm --games 100000 --journal a.db -o json";
    let mut child = place.start_and_play(run, "a.db", 10);
    signal(&child, "KILL");
    child.wait().unwrap();
    let early = place.arena("journal close a.db").expect_code(2);
    assert!(early.stderr.contains("are played, and no more can be after it is closed"), "{}", early.stderr);
    assert!(place.path("a.db.seed").exists());
    place.arena("journal close a.db --unfinished").expect_code(0);
    assert_eq!(verdicts(&place, "--journal a.db . --sample 3"), ["same"; 3]);

    place.arena(&format!("{MATCH} --journal open.db")).expect_code(0);
    place.arena("journal close open.db").expect_code(0);
    let run = place.arena("run hunter.wasm random.wasm --games 6 --journal open.db").expect_code(2);
    assert!(run.stderr.contains("the season is closed"), "{}", run.stderr);
}

#[test]
fn a_beacon_draws_a_seed_that_cannot_be_chosen() {
    let place = Place::with_house_bots();
    let with = |beacon: &str, bots: &str| {
        let line = ["run"]
            .into_iter()
            .chain(bots.split(' '))
            .chain(["--games", "2", "-o", "json", "--beacon", beacon]);
        Run::of(&mut crate::support::command(place.folder(), &line.collect::<Vec<_>>())).expect_code(0).json()
    };
    let first = with("lottery of 21 November: 3 17 22", "hunter.wasm random.wasm");
    let reversed = with("lottery of 21 November: 3 17 22", "random.wasm hunter.wasm");
    assert_eq!(first["seed"], reversed["seed"], "the order of the bots does not matter");
    assert_ne!(first["seed"], with("lottery of 21 November: 3 17 23", "hunter.wasm random.wasm")["seed"]);
    assert_ne!(first["seed"], with("lottery of 21 November: 3 17 22", "hunter.wasm sweeper.wasm")["seed"]);

    // With a secret that was committed to before, neither the organiser nor the lottery decides.
    let hash = place.arena("journal seed a.db").expect_code(0).stdout;
    let run = place.arena(&format!("{SECRET} --beacon 3-17-22")).expect_code(0);
    assert!(hash.contains(&promised(&run)), "{hash}");
    place.arena("journal close a.db").expect_code(0);
    assert_eq!(verdicts(&place, "--journal a.db ."), ["same"; 4]);
    for (args, phrase) in [
        ("journal seed a.db", "the season has begun"),
        ("run hunter.wasm random.wasm --seed 5 --beacon x", "--seed with a chosen seed"),
    ] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }

    place.arena(&format!("{MATCH} --journal b.db --beacon monday")).expect_code(0);
    let again =
        place.arena("run hunter.wasm random.wasm --games 6 --journal b.db --beacon monday").expect_code(2);
    assert!(again.stderr.contains("stage 1 used the beacon monday"), "{}", again.stderr);
    place.arena("run hunter.wasm random.wasm --games 6 --journal b.db --beacon tuesday").expect_code(0);
    assert_eq!(verdicts(&place, "--journal b.db ."), ["same"; 6]);
}

#[test]
fn a_seed_that_was_changed_after_the_first_game_has_its_own_verdict() {
    let place = Place::with_house_bots();
    place.arena(&format!("{SECRET} --transcripts t")).expect_code(0);
    let told = place.arena("journal close a.db").expect_code(0).stdout;
    let seed = told.lines().find_map(|line| line.strip_prefix("seed of stage 1: ")).unwrap().to_owned();
    let secret = told.lines().find_map(|line| line.strip_prefix("secret seed: ")).unwrap();
    let mut journal = fs::read(place.path("a.db")).unwrap();
    let at = journal.windows(64).position(|window| window == secret.as_bytes()).expect("it is told");
    journal[at..at + 64].copy_from_slice(SEED.as_bytes());
    place.write("a.db", journal);
    let said = place.arena("verify --journal a.db .").expect_code(2).stderr;
    assert!(said.contains("told-seed 1: it was changed after it was written"), "{said}");
    // The same without a journal, in which the chain of hashes shows it.
    let game = format!("verify t/1-hunter-vs-random.jsonl . --seed {SEED}");
    let said = place.arena(&game).expect_code(3).stdout;
    assert!(said.contains("the seed was changed after the first one"), "{said}");
    // Chosen seeds of the sides are detected once the tournament's seed is revealed.
    let game = "t/1-hunter-vs-random.jsonl";
    place.alter(game, 1, |header| header["bots"][0]["seed"] = "00000000000000ff".into());
    assert_eq!(verdicts(&place, &format!("{game} . --seed {seed}")), ["other-header"]);
}

#[test]
fn a_killed_secret_run_is_continued_with_its_seed_and_reveals_nothing_before() {
    let place = Place::with_house_bots();
    let args = "run hunter.wasm random.wasm sweeper.wasm --games 400 --seed secret --journal a.db -o json";
    for name in ["KILL", "INT", "KILL"] {
        let mut child = place.start_and_play(args, "a.db", 20);
        signal(&child, name);
        let mut said = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
        said += &std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        child.wait().unwrap();
        let secret = fs::read_to_string(place.path("a.db.seed")).unwrap().trim_end().to_owned();
        assert_eq!(fs::metadata(place.path("a.db.seed")).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!said.contains(&secret), "{said}");
        let journal = place.arena("journal info a.db -o json").expect_code(0).json();
        assert_eq!((&journal["seed"], &journal["seed-sha256"]), (&Value::Null, &sha256_of(&secret).into()));
        for file in ["a.db", "a.db-wal"].map(|name| place.path(name)).iter().filter(|file| file.exists()) {
            let bytes = fs::read(file).unwrap();
            assert!(!bytes.windows(64).any(|window| window == secret.as_bytes()), "{}", file.display());
        }
    }
    let sample = verdicts(&place, "--journal a.db . --sample 3");
    assert_eq!(sample, ["seed-not-told"; 3]);
    let run = place.arena(&args.replace("--seed secret", "--resume")).expect_code(0).json();
    assert_eq!(run["seed"], Value::Null);
    place.arena("journal close a.db").expect_code(0);
    let [seed] = seeds_of_stages(&place).try_into().unwrap();
    let undisturbed =
        args.replace("--seed secret --journal a.db", &format!("--seed {}", seed.as_str().unwrap()));
    assert_eq!(place.arena(&undisturbed).expect_code(0).json()["games"], run["games"]);
    assert_eq!(verdicts(&place, "--journal a.db . --sample 3"), ["same"; 3]);
}

/// The number of games in the journal so far.
#[test]
fn a_run_that_was_stopped_before_it_made_its_journal_has_left_its_seed() {
    for begun in [None, Some("")] {
        let place = Place::with_house_bots();
        place.write("a.db.seed", format!("{SEED}\n"));
        begun.into_iter().for_each(|empty| place.write("a.db", empty));
        let run = place.arena(SECRET).expect_code(0);
        assert_eq!(promised(&run), sha256_of(SEED));
        let closed = place.arena("journal close a.db").expect_code(0).stdout;
        assert!(closed.contains(&format!("secret seed: {SEED}\n")), "{closed}");
    }
}

#[test]
fn a_secret_that_cannot_be_kept_is_refused_before_a_game() {
    let place = Place::with_house_bots();
    for (args, phrase) in [
        ("run hunter.wasm random.wasm --seed secret", "--seed secret needs a journal"),
        ("bench hunter.wasm --seed secret", "is for `arena run` only"),
        ("sprt hunter.wasm random.wasm --seed secret", "is for `arena run` only"),
        ("watch hunter.wasm random.wasm --seed secret", "is for `arena run` only"),
        ("play hunter.wasm --seed secret", "is for `arena run` only"),
        ("serve 0 --seed secret", "is for `arena run` only"),
        ("run hunter.wasm random.wasm --seed soon", "64 hexadecimal digits, or `secret`"),
    ] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }
    let run = "run hunter.wasm random.wasm --games 100000 --seed secret --journal a.db -o json";
    let mut child = place.start_and_play(run, "a.db", 5);
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
    assert!(
        given.stderr.contains("follow from its secret, and not from one that you choose"),
        "{}",
        given.stderr
    );
}

/// A place with `foreseer`, which knows the hashes of the house bots, and with the house bots.
fn place_with_foreseer() -> Place {
    let place = Place::with_house_bots();
    bring_foreseer(&place, &[]);
    place
}

/// Brings `foreseer`, which knows the hashes of the house bots and these seeds.
fn bring_foreseer(place: &Place, seeds: &[&str]) {
    let hash = |bot: &str| {
        place.arena(&format!("check {bot}.wasm -o json")).json()["sha256"].as_str().unwrap().to_owned()
    };
    let hashes = ["hunter", "random", "sweeper"].map(hash);
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/foreseer.wasm");
    let built = fs::read(&built)
        .unwrap_or_else(|_| panic!("{} is missing: build it with `cargo xtask bots`", built.display()));
    let bot = arena_testkit::foreseer(&built, &hashes.each_ref().map(String::as_str), seeds).unwrap();
    place.write("foreseer.wasm", bot);
}

/// The points of `foreseer` in ten games against `hunter`, the turns it takes to win, and its log in each game.
fn foreseen(place: &Place, options: &str) -> (f64, Vec<u64>, Vec<String>) {
    let args = format!("run foreseer.wasm hunter.wasm --games 10 -o json --logs logs {options}");
    let document = place.arena(&args).expect_code(0).json();
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

/// The points of `foreseer` against `hunter` in ten games of a stage, of those that both have played in it.
fn points_in_stage(place: &Place, options: &str) -> f64 {
    let args =
        format!("run foreseer.wasm hunter.wasm random.wasm --games 10 -o json --journal a.db {options}");
    let document = place.arena(&args).expect_code(0).json();
    let meetings = document["crosstable"].as_array().unwrap();
    let names = |meeting: &Value| [0, 1].map(|side| meeting["bots"][side].as_str().unwrap().to_owned());
    let meeting = meetings.iter().find(|it| {
        let mut names = names(it);
        names.sort();
        names == ["foreseer", "hunter"]
    });
    let meeting = meeting.unwrap();
    assert_eq!(meeting["games"], 10);
    let side = usize::from(names(meeting)[1] == "foreseer");
    meeting["points"][side].as_f64().unwrap()
}

#[test]
fn a_bot_that_knows_the_seeds_of_the_stages_before_foresees_nothing() {
    for options in ["", "--seed secret", "--beacon monday"] {
        let place = Place::with_house_bots();
        let first = format!("run hunter.wasm random.wasm --games 10 --journal a.db {options}");
        place.arena(&first).expect_code(0);
        // Everything that can be known by then: the published values, and for a secret season the content of its file on the
        // organiser's machine.
        let told = match seeds_of_stages(&place)[0].as_str() {
            Some(seed) => seed.to_owned(),
            None => fs::read_to_string(place.path("a.db.seed")).unwrap().trim_end().to_owned(),
        };
        bring_foreseer(&place, &[&told]);
        // The bot has the intended strength: on that seed it wins every game.
        let (points, ..) = foreseen(&place, &format!("--seed {told}"));
        assert_eq!(points, 10.0);
        let next = if options.starts_with("--beacon") { "--beacon tuesday" } else { "" };
        let points = points_in_stage(&place, next);
        assert!(points <= 3.0, "{options}: {points} of 10");
    }
}
