//! Feeds: from a game to a screen, and its end when the screen is gone.

use crate::common;
use crate::common::players::{Sweeper, header};
use arena_referee::{Player, Stopped};
use arena_rules::battleship::Battleship;
use arena_rules::{GameKind, GameRules, Listed, Seat, with_game};
use arena_tui::feed;

fn log_of_sweeper(_: &Sweeper) -> String {
    "sweeping\n".into()
}

fn check_same_game<G: Listed>()
where
    Sweeper: Player<G>,
{
    let rules = GameRules::default_of(G::KIND).unwrap();
    let header = header(&rules, ["left", "right"]);
    let (feed, _updates) = feed::<G>();
    let [mut first, mut second] = Seat::BOTH.map(|seat| feed.watched(seat, Sweeper, log_of_sweeper));
    let mut events = Vec::new();
    common::play(&header, [&mut first, &mut second], &mut |event| events.push(event)).unwrap();
    assert_eq!(events, common::sweepers::<G>(&rules, ["left", "right"]).events);
}

#[test]
fn a_game_of_watched_players_is_the_same_game() {
    for kind in GameKind::ALL {
        with_game!(kind, G => check_same_game::<G>());
    }
}

fn check_unwatched<G: Listed>()
where
    Sweeper: Player<G>,
{
    let header = header(&GameRules::default_of(G::KIND).unwrap(), ["left", "right"]);
    let (feed, updates) = feed::<G>();
    let [mut first, mut second] = Seat::BOTH.map(|seat| feed.watched(seat, Sweeper, log_of_sweeper));
    let mut updates = Some(updates);
    let mut count = 0;
    let end = common::play(&header, [&mut first, &mut second], &mut |_| {
        count += 1;
        if count == 10 {
            updates = None;
        }
    });
    assert_eq!((end, count), (Err(Stopped::Left), 10));
}

#[test]
fn a_game_that_is_no_longer_watched_ends_without_a_result() {
    for kind in GameKind::ALL {
        with_game!(kind, G => check_unwatched::<G>());
    }
}

#[test]
fn sending_to_a_screen_that_is_gone_does_not_fail() {
    let (feed, updates) = feed();
    assert!(feed.is_watched());
    drop(updates);
    assert!(!feed.is_watched());
    let game = common::transcript::<Battleship>("guide");
    feed.event(game.events[0].clone());
    feed.log(Seat::First, "text".into());
}

#[test]
fn a_player_that_is_watched_is_given_back() {
    let (feed, _updates) = feed::<Battleship>();
    let mut watched = feed.watched(Seat::First, Sweeper, log_of_sweeper);
    watched.begin_turn();
    let Sweeper = watched.into_inner();
}
