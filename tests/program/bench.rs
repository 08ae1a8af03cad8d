//! `arena bench`: the number of shots that a bot needs alone.

use crate::support::{Place, house_bot};
use arena_referee::Event;
use arena_rules::battleship::{Action, Battleship};
use arena_rules::{Outcome, Seat};

#[test]
fn the_figures_of_a_house_bot_are_its_own_and_the_same_each_time() {
    let place = Place::with_house_bots();
    let run = |jobs: u32| {
        place.arena(&format!("bench hunter.wasm --boards 400 --seed 1 --jobs {jobs} -o json")).expect_code(0)
    };
    let first = run(1);
    assert_eq!(first.stdout, run(3).stdout);
    let document = &first.json()["bots"][0];
    let mean = document["shots"]["mean"].as_f64().unwrap();
    let error = document["shots"]["error"].as_f64().unwrap();
    assert!((mean - 66.5).abs() < 2.0 && error > 0.0 && error < 2.0, "{mean} ± {error}");
    let buckets = document["shots"]["histogram"].as_array().unwrap();
    let counted: u64 = buckets.iter().map(|bucket| bucket["boards"].as_u64().unwrap()).sum();
    assert_eq!(counted, 400);
    assert!(document["fuel-per-shot"].as_f64().unwrap() > 1_000.0);
}

#[test]
fn the_figures_are_shown_as_text_with_a_histogram() {
    let place = Place::with_house_bots();
    let run = place.arena("bench random.wasm --boards 200 --rules classic --seed 1").expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots", filters => vec![(r"fuel +\d+", "fuel   <fuel>")]}, {
        insta::assert_snapshot!("bench", run.stdout);
    });
}

#[test]
fn a_bot_that_fails_on_boards_is_reported_with_the_first_board_and_the_reason() {
    let place = Place::with_specimens(&["traps-on-third-play", "sweeper"]);
    let run = place.arena("bench traps-on-third-play.wasm --boards 5 -o json").expect_code(0);
    let document = &run.json()["bots"][0];
    assert_eq!((&document["cleared"], &document["failed"][0]["boards"]), (&0.into(), &5.into()));
    assert_eq!(
        (&document["failed"][0]["class"], &document["failed"][0]["first"]),
        (&"trap".into(), &1.into())
    );
    let text = place.arena("bench traps-on-third-play.wasm --boards 5").expect_code(0).stdout;
    assert!(text.contains("no board was cleared") && text.contains("trap"), "{text}");
}

#[test]
fn several_bots_are_compared_with_the_first_over_the_same_boards() {
    let place = Place::with_house_bots();
    let args = "bench random.wasm sweeper.wasm --boards 200 --seed 1";
    let run = place.arena(args).expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots", filters => vec![(r"  \d{4,}  ", "  <fuel>  ")]}, {
        insta::assert_snapshot!("bench_several", run.stdout);
    });
    let document = place.arena(&format!("{args} -o json")).expect_code(0).json();
    let alone = place.arena("bench sweeper.wasm --boards 200 --seed 1 -o json").expect_code(0).json();
    let bots = document["bots"].as_array().unwrap();
    assert_eq!(bots[1]["shots"], alone["bots"][0]["shots"]);
    assert!(bots[0].get("difference").is_none());
    let difference = &bots[1]["difference"];
    assert_eq!((&difference["to"], &difference["boards"]), (&"random".into(), &200.into()));
    let mean = |bot: usize| bots[bot]["shots"]["mean"].as_f64().unwrap();
    assert!((difference["mean"].as_f64().unwrap() - (mean(1) - mean(0))).abs() < 0.02, "{difference}");
    assert!(difference["error"].as_f64().unwrap() > 0.0);
}

#[test]
fn density_needs_fewer_shots_than_hunter_for_a_tenth_of_the_budget_at_most() {
    let place = Place::with_house_bots();
    place.write("density.wasm", std::fs::read(house_bot("density")).unwrap());
    for (rules, gain, budget) in [("guide", 0.5, 3e8), ("classic", 3.0, 3e8), ("pirates", 3.0, 5e7)] {
        let args = format!("bench density.wasm hunter.wasm --boards 500 --rules {rules} --seed 1 -o json");
        let document = place.arena(&args).expect_code(0).json();
        let [density, hunter] = [0, 1].map(|bot| &document["bots"][bot]);
        assert_eq!(density["cleared"], 500, "{rules}");
        let difference = hunter["difference"]["mean"].as_f64().unwrap();
        assert!(difference > gain, "by {rules} hunter needs {difference} shots more");
        assert!(density["fuel-per-shot"].as_f64().unwrap() < budget / 10.0, "{rules}");
    }
}

#[test]
fn the_bots_that_think_long_clear_boards_of_any_size_for_half_of_the_budget_at_most() {
    let place = Place::empty();
    for bot in ["posterior", "oracle"] {
        place.write(&format!("{bot}.wasm"), std::fs::read(house_bot(bot)).unwrap());
    }
    let games = [
        ("guide", 30, "", 66.0, 3e8),
        ("classic", 30, "", 50.0, 3e8),
        ("pirates", 30, "", 43.0, 5e7),
        ("pirates", 2, "--width 20 --height 20", 200.0, 5e7),
    ];
    for (rules, boards, size, shots_max, budget) in games {
        let args = format!(
            "bench posterior.wasm oracle.wasm --boards {boards} {size} --rules {rules} --seed 1 -o json"
        );
        let document = place.arena(&args).expect_code(0).json();
        for bot in document["bots"].as_array().unwrap() {
            assert_eq!(bot["cleared"], boards, "{args}: {bot}");
            assert!(bot["shots"]["mean"].as_f64().unwrap() < shots_max, "{args}: {bot}");
            assert!(bot["fuel-per-shot"].as_f64().unwrap() < budget / 2.0, "{args}: {bot}");
        }
    }
}

#[test]
fn boards_that_a_bot_fails_on_do_not_count_in_a_comparison() {
    let place = Place::with_specimens(&["sweeper", "traps-on-third-play"]);
    let args = "bench sweeper.wasm traps-on-third-play.wasm --boards 5 --seed 1";
    let document = place.arena(&format!("{args} -o json")).expect_code(0).json();
    assert_eq!(document["bots"][1]["difference"]["boards"], 0);
    assert!(document["bots"][1]["difference"]["mean"].is_null());
    let text = place.arena(args).expect_code(0).stdout;
    assert!(text.contains("traps-on-third-play failed on 5 boards"), "{text}");
}

#[test]
fn a_game_without_solo_play_is_refused_with_the_reason() {
    let place = Place::with_submarine_bots();
    let run = place.arena("bench sub-random.wasm").expect_code(2);
    assert!(run.stderr.contains("submarine cannot be played by one side alone"), "{}", run.stderr);
}

#[test]
fn the_boards_are_listed_one_by_one_and_one_of_them_can_be_played_again() {
    let place = Place::with_specimens(&["sweeper", "log-half-lines"]);
    place.write("random.wasm", std::fs::read(house_bot("random")).unwrap());
    let words = "bench random.wasm sweeper.wasm --boards 20 --seed 1";
    let document = place.arena(&format!("{words} -o json")).expect_code(0).json();
    let csv = place.arena(&format!("{words} -o csv")).expect_code(0).stdout;
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 40);
    let shots = |row: &&Vec<&str>| row[3].parse::<u32>().unwrap();
    let sum: u32 = rows[..20].iter().map(|row| shots(&row)).sum();
    let mean = document["bots"][0]["shots"]["mean"].as_f64().unwrap();
    assert!((f64::from(sum) / 20.0 - mean).abs() < 0.01, "{mean}\n{csv}");

    // The worst board, which is named, is the same one if it is played alone.
    let worst = &document["bots"][0]["worst"][0];
    let most = rows[..20].iter().map(|row| shots(&row)).max().unwrap();
    assert_eq!(worst["shots"], most);
    let board = &worst["board"];
    let again = place.arena(&format!("bench random.wasm --board {board} --seed 1 -o jsonl")).expect_code(0);
    let again: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!((&again["board"], &again["shots"]), (board, &most.into()));
    assert_eq!(again["seed"], rows[board.as_u64().unwrap() as usize - 1][2]);

    place.arena("bench log-half-lines.wasm --boards 2 --seed 1 --logs logs").expect_code(0);
    let logs = place.files("logs");
    assert_eq!(logs.keys().collect::<Vec<_>>(), ["log-half-lines-board1.log", "log-half-lines-board2.log"]);
    assert!(logs.values().all(|log| log.starts_with(b"turn 1: ")), "{logs:?}");
}

#[test]
fn the_transcript_of_a_board_is_a_game_against_nobody_that_can_be_replayed() {
    let place = Place::with_house_bots();
    for rules in ["guide", "classic", "pirates"] {
        let words = format!("bench hunter.wasm --boards 3 --seed 1 --rules {rules}");
        let csv = place.arena(&format!("{words} -o csv --transcripts {rules}")).expect_code(0).stdout;
        let games = place.replayed::<Battleship>(rules);
        assert_eq!(games.len(), 3, "{rules}");
        for (game, row) in games.iter().zip(csv.lines().skip(1)) {
            let is_shot =
                |event: &&Event<Battleship>| matches!(event, Event::Acted { seat: Seat::First, .. });
            let shots = game.events.iter().filter(is_shot).count();
            assert_eq!(Some(shots.to_string().as_str()), row.split(',').nth(3), "{rules}: {row}");
            assert_eq!(game.end().unwrap().0, Outcome::Win(Seat::First), "{rules}");
            let skips = |event: &Event<Battleship>| match event {
                Event::Acted { seat: Seat::Second, action, .. } => *action == Action::Skip,
                _ => true,
            };
            assert!(game.events.iter().all(skips), "{rules}");
        }
        // One board alone has the same transcript, and the screen shows it.
        let alone = format!("bench hunter.wasm --board 2 --seed 1 --rules {rules} --transcripts {rules}-2");
        place.arena(&alone).expect_code(0);
        let file = "hunter-board2.jsonl";
        assert_eq!(place.files(&format!("{rules}-2"))[file], place.files(rules)[file]);
        let shown = place.arena(&format!("replay {rules}/{file} --headless")).expect_code(0).stdout;
        assert!(shown.contains("hunter") && shown.contains("nobody"), "{shown}");
    }
}

#[test]
fn the_transcript_of_a_board_on_which_a_bot_fails_ends_with_its_fault() {
    let place = Place::with_specimens(&["traps-on-third-play"]);
    place.arena("bench traps-on-third-play.wasm --boards 1 --transcripts games").expect_code(0);
    let [game] = &place.replayed::<Battleship>("games")[..] else { panic!("there is one board") };
    let [.., fault, _] = &game.events[..] else { panic!("there are events") };
    assert!(matches!(fault, Event::Faulted { seat: Seat::First, turn: 3, .. }), "{fault:?}");
    assert_eq!(game.end().unwrap().0, Outcome::Win(Seat::Second));
}
