//! Feeds: how a game gets to a screen, and ends when nobody watches.

mod common;

use arena_referee::{Stopped, SubmarinePlayer};
use arena_rules::{GameRules, Seat};
use arena_tui::feed;
use common::players::{Sweeper, header};

fn log_of_sweeper(_: &Sweeper) -> String {
    "sweeping\n".into()
}

#[test]
fn a_game_of_watched_players_is_the_same_game() {
    for rules in ["guide", "submarine"] {
        let rules = GameRules::named(rules).unwrap();
        let header = header(&rules, ["left", "right"]);
        let (feed, _updates) = feed();
        let [mut first, mut second] = Seat::BOTH.map(|seat| feed.watched(seat, Sweeper, log_of_sweeper));
        let mut events = Vec::new();
        common::play(&header, [&mut first, &mut second], &mut |event| events.push(event)).unwrap();
        assert_eq!(events, common::sweepers(&rules, ["left", "right"]).events);
    }
}

#[test]
fn a_game_that_nobody_watches_ends_without_a_result() {
    for rules in ["guide", "submarine"] {
        let header = header(&GameRules::named(rules).unwrap(), ["left", "right"]);
        let (feed, updates) = feed();
        let [mut first, mut second] = Seat::BOTH.map(|seat| feed.watched(seat, Sweeper, log_of_sweeper));
        let mut updates = Some(updates);
        let mut told = 0;
        let end = common::play(&header, [&mut first, &mut second], &mut |_| {
            told += 1;
            if told == 10 {
                updates = None;
            }
        });
        assert!(matches!(&end, Err(Stopped::Host(error)) if error.0.contains("nobody watches")), "{end:?}");
        assert_eq!(told, 10);
    }
}

#[test]
fn telling_a_screen_that_is_gone_is_no_failure() {
    let (feed, updates) = feed();
    assert!(feed.is_watched());
    drop(updates);
    assert!(!feed.is_watched());
    let game = common::transcript("guide");
    feed.event(game.events[0].clone());
    feed.log(Seat::First, "text".into());
}

#[test]
fn a_player_that_is_watched_is_given_back() {
    let (feed, _updates) = feed();
    let mut watched = feed.watched(Seat::First, Sweeper, log_of_sweeper);
    SubmarinePlayer::begin_turn(&mut watched);
    let Sweeper = watched.into_inner();
}
