//! Games as plain text.

mod common;

use arena_record::Transcript;
use arena_referee::Event;
use arena_rules::Seat;
use arena_tui::{Timeline, TimelineError, headless};
use common::transcript;

fn text(game: &Transcript) -> Vec<String> {
    headless(game).unwrap().collect()
}

#[test]
fn a_game_is_a_title_and_a_block_for_each_event() {
    for name in ["guide", "classic", "pirates", "submarine", "overruns", "panic"] {
        let game = transcript(name);
        let blocks = text(&game);
        assert_eq!(blocks.len(), game.events.len() + 1);
        assert!(blocks.iter().all(|block| block.chars().all(|c| !c.is_control() || c == '\n')));
    }
}

#[test]
fn a_block_says_what_happened_and_shows_both_boards() {
    let blocks = text(&transcript("classic"));
    insta::assert_snapshot!(
        "classic",
        [&blocks[0], &blocks[1], &blocks[40], blocks.last().unwrap()].map(String::as_str).join("\n\n")
    );
    let blocks = text(&transcript("submarine"));
    insta::assert_snapshot!(
        "submarine",
        [&blocks[0], &blocks[10], &blocks[13], blocks.last().unwrap()].map(String::as_str).join("\n\n")
    );
}

#[test]
fn a_game_that_is_lost_by_a_fault_says_by_which() {
    let blocks = text(&transcript("panic"));
    assert_eq!(blocks.last().unwrap(), "hunter wins: panics lost by a fault, trap");
    assert!(blocks[4].starts_with("turn 1: panics: trap, it loses: panicked: no spot left"), "{}", blocks[4]);
}

/// A recorded game after a change that makes it one that cannot be.
fn check_refused(name: &str, change: impl FnOnce(&mut Transcript), words: &str) {
    let mut game = transcript(name);
    change(&mut game);
    let error = headless(&game).err().expect("it cannot be").to_string();
    assert!(error.contains(words), "{error}");
    assert_eq!(Timeline::of(&game).unwrap_err().to_string(), error);
}

#[test]
fn a_recording_that_cannot_be_is_refused_with_its_event() {
    check_refused("guide", |game| game.events.swap(2, 3), "event 3: this does not follow by the rules");
}

#[test]
fn rules_that_are_no_game_are_refused() {
    let mut game = transcript("guide");
    if let arena_rules::GameRules::Battleship(rules) = &mut game.header.rules {
        rules.fleet = vec![99];
    }
    assert!(matches!(Timeline::of(&game), Err(TimelineError::Rules(_))));
}

#[test]
fn events_of_another_game_are_refused() {
    let submarine = transcript("submarine");
    check_refused("guide", |game| game.events[5] = submarine.events[5].clone(), "event 6");
    let guide = transcript("guide");
    check_refused("submarine", |game| game.events[5] = guide.events[5].clone(), "event 6");
}

#[test]
fn a_result_that_is_not_what_the_rules_say_is_refused() {
    let other = |event: &mut Event| match event {
        Event::Shot { result, .. } => *result = arena_rules::ShotResult::Sunk,
        Event::End { outcome, .. } => *outcome = arena_rules::Outcome::Win(Seat::Second),
        event => panic!("{event:?}"),
    };
    check_refused("guide", |game| other(&mut game.events[2]), "event 3");
    check_refused("guide", |game| other(game.events.last_mut().unwrap()), "event 124");
}
