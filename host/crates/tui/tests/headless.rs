//! Games as plain text.

use crate::common::transcript;
use arena_pictures::{Timeline, TimelineError};
use arena_record::Transcript;
use arena_referee::Event;
use arena_rules::battleship::{Battleship, Effect, ShotResult};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Outcome, Seat};
use arena_tui::{OnScreen, headless};

fn text<G: OnScreen>(name: &str) -> Vec<String> {
    headless(Timeline::of(&transcript::<G>(name)).unwrap()).collect()
}

fn check_blocks<G: OnScreen>(name: &str) {
    let blocks = text::<G>(name);
    assert_eq!(blocks.len(), transcript::<G>(name).events.len() + 1);
    assert!(blocks.iter().all(|block| block.chars().all(|c| !c.is_control() || c == '\n')));
}

#[test]
fn a_game_is_a_title_and_a_block_for_each_event() {
    for name in ["guide", "classic", "pirates", "overruns", "panic"] {
        check_blocks::<Battleship>(name);
    }
    check_blocks::<Submarine>("submarine");
}

#[test]
fn a_block_says_what_happened_and_shows_both_boards() {
    let blocks = text::<Battleship>("classic");
    insta::assert_snapshot!(
        "classic",
        [&blocks[0], &blocks[1], &blocks[40], blocks.last().unwrap()].map(String::as_str).join("\n\n")
    );
    let blocks = text::<Submarine>("submarine");
    insta::assert_snapshot!(
        "submarine",
        [&blocks[0], &blocks[10], &blocks[13], blocks.last().unwrap()].map(String::as_str).join("\n\n")
    );
}

#[test]
fn a_game_that_is_lost_by_a_fault_says_by_which() {
    let blocks = text::<Battleship>("panic");
    assert_eq!(blocks.last().unwrap(), "hunter wins: panics lost by a fault, trap");
    assert!(blocks[4].starts_with("turn 1: panics: trap, it loses: panicked: no spot left"), "{}", blocks[4]);
}

#[test]
fn the_lines_that_a_bot_printed_are_below_the_boards_of_their_turn() {
    let [first, second] =
        ["deploy: a fleet\nturn 1: one\nturn 1: two\x1b[31m\nturn 3: three\nno turn\n", "turn 9999: late\n"]
            .map(|log| Some(log.to_owned()));
    let blocks: Vec<String> =
        headless(Timeline::of(&transcript::<Battleship>("classic")).unwrap().with_logs([first, second]))
            .collect();
    let logged = |block: &String| -> Vec<String> {
        block.lines().filter_map(|line| Some(line.split_once("log of ")?.1.to_owned())).collect()
    };
    let found: Vec<(usize, Vec<String>)> =
        blocks.iter().map(logged).enumerate().filter(|(_, lines)| !lines.is_empty()).collect();
    insta::assert_debug_snapshot!(found);
}

#[test]
fn what_a_bot_marks_is_on_the_boards_of_its_turn_for_each_game() {
    fn check<G: OnScreen>(name: &str) {
        let game = transcript::<G>(name);
        let log = || Some("turn 2: @mark c1 0.7\nturn 2: @mark c1 x\nturn 2: @mark A1 1\n".to_owned());
        let plain: Vec<String> = headless(Timeline::of(&game).unwrap()).collect();
        let marked: Vec<String> = headless(Timeline::of(&game).unwrap().with_logs([log(), log()])).collect();
        let boards = |block: &String| -> String {
            block.lines().filter(|line| !line.contains("log of ")).collect::<Vec<_>>().join("\n")
        };
        let differing: Vec<usize> = (0..plain.len()).filter(|&at| boards(&marked[at]) != plain[at]).collect();
        let turns = game.events.iter().map(|event| (event.seat(), event.turn()));
        let of_turn_2: Vec<usize> =
            (1..).zip(turns).filter(|(_, (_, turn))| *turn == Some(2)).map(|(at, _)| at).collect();
        assert!(differing.contains(&of_turn_2[0]) && differing.contains(&of_turn_2[1]), "{differing:?}");
        assert!(boards(&marked[of_turn_2[0]]).lines().any(|line| line.contains('7')));
    }
    check::<Battleship>("classic");
    check::<Submarine>("submarine");
}

/// Checks that a recorded game is refused after a change.
fn check_refused<G: OnScreen>(name: &str, change: impl FnOnce(&mut Transcript<G>), words: &str) {
    let mut game = transcript(name);
    change(&mut game);
    let error = Timeline::of(&game).expect_err("it is not a game").to_string();
    assert!(error.contains(words), "{error}");
    assert_eq!(Timeline::of(&game).unwrap_err().to_string(), error);
}

#[test]
fn a_recording_with_a_wrong_event_is_refused_with_its_number() {
    check_refused::<Battleship>(
        "guide",
        |game| game.events.swap(2, 3),
        "event 3: the side to move is recorded as seat 2, but by the rules it is seat 1",
    );
}

#[test]
fn rules_that_are_not_playable_are_refused() {
    let mut game = transcript::<Battleship>("guide");
    if let GameRules::Battleship(rules) = &mut game.header.conditions.rules {
        rules.fleet = vec![99];
    }
    assert!(matches!(Timeline::of(&game), Err(TimelineError::Rules(_))));
}

#[test]
fn rules_of_another_game_are_refused() {
    let mut game = transcript::<Battleship>("guide");
    game.header = transcript::<Submarine>("submarine").header;
    assert!(matches!(Timeline::of(&game), Err(TimelineError::OtherGame)));
}

#[test]
fn events_of_another_game_are_refused() {
    let lines = |name: &str| std::fs::read_to_string(format!("tests/data/{name}.jsonl")).unwrap();
    let header_of = |name: &str| lines(name).lines().next().unwrap().to_owned();
    let of_another_game = |name: &str, other: &str| lines(name).replace(&header_of(name), &header_of(other));
    let error = Transcript::<Battleship>::read(of_another_game("submarine", "guide").as_bytes()).unwrap_err();
    assert_eq!(error.line, 2);
    let error = Transcript::<Submarine>::read(of_another_game("guide", "submarine").as_bytes()).unwrap_err();
    assert_eq!(error.line, 2);
}

#[test]
fn a_result_that_is_not_what_the_rules_say_is_refused() {
    let other = |event: &mut Event<Battleship>| match event {
        Event::Acted { effect, .. } => *effect = Effect::Shot(ShotResult::Sunk),
        Event::Ended { outcome, .. } => *outcome = Outcome::Win(Seat::Second),
        event => panic!("{event:?}"),
    };
    check_refused::<Battleship>("guide", |game| other(&mut game.events[2]), "event 3");
    check_refused::<Battleship>("guide", |game| other(game.events.last_mut().unwrap()), "event 124");
}
