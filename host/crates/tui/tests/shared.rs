//! Two persons who share a screen.

use crate::common::person_game::PersonGame;
use crate::common::pile::rules;
use crate::common::{SMALL, picture};
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::loaded::Loaded;
use arena_rules::{GameRules, Outcome, Reason, Seat, Size};

#[test]
fn where_the_views_differ_the_screen_is_handed_over_and_shows_nothing_until_then() {
    let mut table = PersonGame::<Loaded>::of_both(&rules(&[("hidden", 1), ("pile", 5), ("again", 1)]));
    let seen = |table: &PersonGame<Loaded>| picture(&table.screen, SMALL);
    let secret = |text: &str, seat: u8| {
        let line = text.lines().find(|line| line.contains(&format!("secret of seat {seat}: ")));
        line.map(|line| line.trim_end().chars().last().unwrap())
    };
    let first = seen(&table);
    assert!(first.contains("turn of seat 1") && secret(&first, 2) == Some('?'), "{first}");
    assert_ne!(secret(&first, 1), Some('?'));
    // Who takes one moves again.
    table.press("take(1)<enter>");
    assert!(seen(&table).contains("turn of seat 1"), "{}", seen(&table));
    table.press("take(2)<enter>");
    insta::assert_snapshot!("hand_over_small", seen(&table));
    for keys in ["x", "<down>", "take(1)"] {
        table.press(keys);
        let text = seen(&table);
        assert!(text.contains("hand the screen over to") && secret(&text, 1).is_none(), "{keys}: {text}");
    }
    table.press("q");
    assert!(seen(&table).contains("leave the game?"), "{}", seen(&table));
    table.press("x<enter>");
    let second = seen(&table);
    assert!(second.contains("turn of seat 2") && secret(&second, 1) == Some('?'), "{second}");
    assert_ne!(secret(&second, 2), Some('?'));
    table.press("take(2)<enter>");
    let over = seen(&table);
    assert!(
        secret(&over, 1).is_some_and(|it| it != '?') && secret(&over, 2).is_some_and(|it| it != '?'),
        "{over}"
    );
    assert_eq!(table.leave().unwrap().0, Outcome::Win(Seat::Second));
}

#[test]
fn where_nothing_is_hidden_the_turn_passes_at_once() {
    let mut table = PersonGame::<Loaded>::of_both(&rules(&[("pile", 4)]));
    table.press("take(1)<enter>");
    let seen = picture(&table.screen, SMALL);
    assert!(seen.contains("turn of seat 2") && seen.contains("legal actions 3"), "{seen}");
    table.press("take(3)<enter>");
    assert_eq!(table.leave().unwrap().0, Outcome::Win(Seat::Second));
}

#[test]
fn a_person_who_resigns_before_the_screen_is_handed_over_loses() {
    let mut table = PersonGame::<Loaded>::of_both(&rules(&[("hidden", 1)]));
    table.press("take(2)<enter>qr");
    assert_eq!(table.leave().unwrap(), (Outcome::Win(Seat::First), Reason::Forfeit));
}

#[test]
fn fleets_are_placed_one_after_the_other() {
    let tiny = Ruleset { fleet: vec![1], ..Ruleset::guide() }.with_size(Size::new(3, 2));
    let mut table = PersonGame::<Battleship>::of_both(&GameRules::Battleship(tiny));
    table.press("a1<enter><enter>");
    let seen = picture(&table.screen, SMALL);
    assert!(seen.contains("hand the screen over to seat 2"), "{seen}");
}
