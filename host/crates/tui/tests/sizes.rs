//! Screens on terminals of any size: they say when there is no room, can be left at each size, and draw a bounded area.

use crate::common::person_game::PersonGame;
use crate::common::{self, picture, replay};
use crate::dashboard::{busy, look};
use arena_rules::battleship::Battleship;
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Seat};
use arena_tui::{DashboardScreen, Ended, KeyEffect, Playback, Screen, WallScreen};
use crossterm::event::Event;

fn key(code: &str) -> Event {
    Event::Key(common::keys(code)[0])
}

#[test]
fn while_the_terminal_is_too_small_only_leaving_and_the_keys_of_the_terminal_have_an_effect() {
    let mut screen = replay::<Battleship>("guide");
    for code in ["<right>", " ", "?", "<enter>", "<ctrl-q>", "<ctrl-d>"] {
        assert_eq!(screen.event(&key(code), (59, 40)), KeyEffect::Nothing, "{code}");
    }
    assert_eq!((screen.position(), screen.playback()), (0, Playback::Paused));
    for (code, effect) in [
        ("<ctrl-c>", KeyEffect::End(Ended::Interrupted)),
        ("<ctrl-z>", KeyEffect::Suspend),
        ("<ctrl-l>", KeyEffect::Redraw),
        ("q", KeyEffect::End(Ended::Quit)),
    ] {
        assert_eq!(screen.event(&key(code), (80, 19)), effect, "{code}");
    }
    assert_eq!(screen.event(&Event::Resize(60, 20), (59, 20)), KeyEffect::Changed);
    assert_eq!(screen.event(&key("<right>"), (60, 20)), KeyEffect::Changed);
}

/// The sizes at which nothing but leaving is possible, up to the last one.
const TOO_SMALL: [(u16, u16); 6] = [(0, 0), (1, 1), (20, 6), (40, 12), (59, 20), (60, 19)];

#[test]
fn q_ends_each_screen_at_each_size_whatever_is_open_on_it() {
    fn check<S: Screen>(mut screen: impl FnMut() -> S, opened: &str) {
        for size in TOO_SMALL {
            let mut screen = screen();
            common::keys(opened).iter().for_each(|key| _ = screen.key_event(key));
            assert_eq!(screen.event(&key("q"), size), KeyEffect::End(Ended::Quit), "{opened:?} at {size:?}");
        }
    }
    for opened in ["", "?", "g12", "<end>"] {
        check(|| replay::<Battleship>("guide"), opened);
        check(|| replay::<Submarine>("submarine"), opened);
    }
    for opened in ["", "?", "<enter>", "<enter>g"] {
        check(|| WallScreen::new(vec![replay::<Battleship>("guide"), replay("pirates")], 2), opened);
    }
    for opened in ["", "?", "g", "v", "<enter>"] {
        check(|| busy().1, opened);
    }
}

#[test]
fn a_terminal_that_is_too_small_says_what_q_does() {
    let (shared, mut dashboard) = busy();
    let line = |screen: &DashboardScreen<Battleship>| picture(screen, (59, 19)).trim().to_owned();
    assert!(line(&dashboard).ends_with("is 59×19\nq closes, games go on"), "{}", line(&dashboard));
    shared.update(|model| model.is_over = true);
    look(&mut dashboard);
    assert!(line(&dashboard).ends_with("is 59×19\nq quits"), "{}", line(&dashboard));
    let wall = WallScreen::new(vec![replay::<Battleship>("guide")], 1);
    assert!(picture(&wall, (40, 12)).trim().ends_with("\nq quits"));
}

#[test]
fn a_person_is_asked_before_a_game_is_left_and_the_second_q_leaves() {
    let small = (59, 19);
    for opened in ["", "?", "x", "q"] {
        let mut table = PersonGame::<Battleship>::of(&GameRules::named("guide").unwrap(), Seat::First);
        table.press(opened);
        let was_asked = opened == "q";
        if !was_asked {
            assert!(picture(&table.screen, small).trim_end().ends_with("q leaves the game"), "{opened:?}");
            assert_eq!(table.screen.event(&key("q"), small), KeyEffect::Changed, "{opened:?}");
        }
        assert!(picture(&table.screen, small).trim_end().ends_with("leave? q yes, esc no"), "{opened:?}");
        assert_eq!(table.screen.event(&key("<enter>"), small), KeyEffect::Nothing, "no move is made blindly");
        assert_eq!(table.screen.event(&key("q"), small), KeyEffect::End(Ended::Quit), "{opened:?}");
        table.leave().unwrap_err();
    }
    let mut table = PersonGame::<Battleship>::of(&GameRules::named("guide").unwrap(), Seat::First);
    table.screen.event(&key("q"), small);
    table.screen.event(&key("<esc>"), small);
    assert!(picture(&table.screen, small).trim_end().ends_with("q leaves the game"));
    table.leave().unwrap_err();
}
