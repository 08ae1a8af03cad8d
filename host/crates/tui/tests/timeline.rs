//! The bar of a game: its end and its count are whole at each position, and stay in their place.

use crate::common::{LARGE, SMALL, WALL, picture, press, sweepers};
use arena_pictures::Timeline;
use arena_record::Transcript;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::{GameRules, Size};
use arena_tui::{GameScreen, Update};

/// A game with this number of events: the beginning of a longer one.
fn game(events: usize) -> Transcript<Battleship> {
    let rules = Ruleset::guide().with_size(Size::new(20, 20));
    let mut game = sweepers(&GameRules::Battleship(rules), ["hunter", "sweeper"]);
    game.events.truncate(events);
    assert_eq!(game.events.len(), events);
    game
}

fn bar(screen: &GameScreen<Battleship>, size: (u16, u16)) -> String {
    picture(screen, size).lines().rev().nth(1).unwrap().to_owned()
}

/// The column in which a bar ends.
fn end(bar: &str) -> usize {
    bar.chars()
        .enumerate()
        .filter(|(_, glyph)| "━─●".contains(*glyph))
        .map(|(column, _)| column)
        .last()
        .unwrap()
}

#[test]
fn the_end_of_a_timeline_is_whole_and_stays_in_its_place() {
    for (name, size) in [("smallest", (60, 20)), ("small", SMALL), ("large", LARGE), ("wall", WALL)] {
        let mut bars = Vec::new();
        for events in [3, 40, 201, 700] {
            let mut screen = GameScreen::replay(Timeline::of(&game(events)).unwrap());
            let of_game = ["<home>", &"<right>".repeat(events / 2), "<end>"].map(|keys| {
                press(&mut screen, keys);
                bar(&screen, size)
            });
            assert!(of_game.iter().all(|bar| end(bar) == end(&of_game[0])), "{of_game:#?}");
            bars.extend(of_game);
        }
        insta::assert_snapshot!(format!("bars_{name}"), bars.join("\n"));
    }
}

#[test]
fn the_bar_of_a_game_that_goes_on_ends_in_the_same_place() {
    let game = game(201);
    let mut screen = GameScreen::watch(Timeline::new(game.header.clone()).unwrap());
    for event in game.events.clone() {
        screen.receive(Update::Event(event));
    }
    let replayed = GameScreen::replay(Timeline::of(&game).unwrap());
    let live = bar(&screen, LARGE);
    assert_eq!(end(&live), end(&bar(&replayed, LARGE)));
    assert!(live.ends_with("/201…"), "more may come: {live}");
}
