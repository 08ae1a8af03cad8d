//! The end of a tournament.

use crate::common::{LARGE, SMALL, WALL, picture, press};
use crate::dashboard::{busy, look, shared, standing};
use arena_tui::{DashboardScreen, Ended, KeyEffect, Screen};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn the_end_of_the_tournament_is_shown_until_the_user_leaves() {
    let shared = shared();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    shared.update(|model| {
        model.games_done = model.games_planned;
        model.is_over = true;
        model.note = Some("all results are in out.db".into());
    });
    assert!(look(&mut screen));
    insta::assert_snapshot!("over_small", picture(&screen, SMALL));
    assert!(!picture(&screen, SMALL).contains("enlarge"), "there is no game to enlarge");
    assert_eq!(screen.wait(), None);
    assert_eq!(press(&mut screen, "q"), KeyEffect::End(Ended::Quit));
}

#[test]
fn a_bot_that_has_left_is_marked_and_gets_no_step_of_the_podium() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.standings[1].has_left = true;
        model.games_done = model.games_planned;
        model.is_over = true;
    });
    look(&mut screen);
    insta::assert_snapshot!("podium_without_one_that_left_small", picture(&screen, SMALL));
}

#[test]
fn the_end_has_a_podium() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.games_done = model.games_planned;
        model.is_over = true;
    });
    look(&mut screen);
    insta::assert_snapshot!("podium_small", picture(&screen, SMALL));
    insta::assert_snapshot!("podium_large", picture(&screen, LARGE));
    insta::assert_snapshot!("podium_wall", picture(&screen, WALL));
}

#[test]
fn after_the_end_the_screen_closes_by_itself_if_no_key_is_pressed() {
    let (shared, screen) = busy();
    let mut screen = screen.lingering(Some(Duration::from_secs(10)));
    screen.tick(Duration::from_secs(60));
    assert_eq!(screen.ended(), None, "the tournament goes on");
    shared.update(|model| model.is_over = true);
    look(&mut screen);
    assert!(picture(&screen, SMALL).contains("over, ends in 10 s"), "{}", picture(&screen, SMALL));
    assert!(screen.tick(Duration::from_secs(9)) && screen.ended().is_none());
    press(&mut screen, "<down>");
    screen.tick(Duration::from_secs(9));
    assert_eq!(screen.ended(), None, "somebody is there");
    screen.tick(Duration::from_secs(1));
    assert_eq!(screen.ended(), Some(Ended::Quit));
    let (shared, mut screen) = busy();
    shared.update(|model| model.is_over = true);
    look(&mut screen);
    screen.tick(Duration::from_secs(100_000));
    assert_eq!((screen.ended(), screen.wait()), (None, None), "without a time, it stays");
}

#[test]
fn one_point_is_a_point() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.standings = vec![standing("hunter", [2, 0, 0, 0]), standing("random", [1, 0, 1, 0])];
        model.refused.clear();
        model.faults.clear();
        model.is_over = true;
    });
    look(&mut screen);
    let seen = picture(&screen, LARGE);
    assert!(
        seen.contains(" 2 points") && seen.contains(" 1 point ") && !seen.contains(" 1 points"),
        "{seen}"
    );
    assert!(seen.lines().any(|line| line.ends_with(" none")), "no fault can follow: {seen}");
}
