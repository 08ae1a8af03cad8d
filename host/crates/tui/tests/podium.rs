//! The end of a tournament.

use crate::common::{LARGE, SMALL, WALL, picture, press};
use crate::dashboard::{busy, look, shared, standing};
use arena_rules::battleship::Battleship;
use arena_tui::{DashboardScreen, Ended, KeyEffect, Screen, StandingsLine};
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

/// The end of a tournament between these bots, best first.
fn end(standings: Vec<StandingsLine>) -> DashboardScreen<Battleship> {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        (model.standings, model.seed) = (standings, "1".into());
        model.refused.clear();
        model.faults.clear();
        model.is_over = true;
    });
    look(&mut screen);
    screen
}

#[test]
fn tied_bots_share_a_place_and_the_height_of_its_step() {
    let tied = |label| StandingsLine { is_tied: true, ..standing(label, [3, 0, 3, 0]) };
    let screen = end(vec![standing("anna", [3, 0, 3, 0]), tied("ben"), standing("cem", [1, 0, 5, 0])]);
    insta::assert_snapshot!("podium_of_two_first_small", picture(&screen, SMALL));
    let screen = end(vec![standing("anna", [5, 0, 1, 0]), standing("ben", [2, 0, 4, 0]), tied("cem")]);
    let seen = picture(&screen, SMALL);
    let places: Vec<&str> =
        seen.lines().skip(4).take(3).map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(places, ["1", "2", "2"], "{seen}");
}

#[test]
fn of_fewer_than_three_bots_only_their_steps_are_there_in_the_middle() {
    let two = [standing("hunter", [5, 0, 1, 0]), standing("random", [1, 0, 5, 0])];
    insta::assert_snapshot!("podium_of_two_small", picture(&end(two.to_vec()), SMALL));
    insta::assert_snapshot!("podium_of_two_large", picture(&end(two.to_vec()), LARGE));
    insta::assert_snapshot!("podium_of_one_small", picture(&end(two[..1].to_vec()), SMALL));
    let nobody = picture(&end(vec![standing("newcomer", [0, 0, 0, 0])]), SMALL);
    assert!(!nobody.contains('█'), "{nobody}");
}

#[test]
fn confetti_falls_for_the_champion_the_same_in_each_show_and_ends() {
    let three = || ["hunter", "random", "sweeper"].map(|label| standing(label, [1, 1, 1, 0])).to_vec();
    let show = |seed: &str| {
        let (shared, mut screen) = busy();
        screen.offer(false, true);
        shared.update(|model| {
            (model.standings, model.seed, model.is_over) = (three(), seed.into(), true);
        });
        look(&mut screen);
        let mut frames = vec![picture(&screen, LARGE)];
        while let Some(wait) = screen.wait() {
            screen.tick(wait);
            frames.push(picture(&screen, LARGE));
        }
        frames
    };
    let frames = show("1");
    assert_eq!(frames.len(), 76, "after its last frame, the screen waits for nothing");
    assert_eq!(frames.last(), Some(&picture(&end_of(three()), LARGE)), "and nothing is left of it");
    assert_eq!(frames, show("1"));
    assert_ne!(frames, show("2"));
    for frame in ["1", "2", "3"].into_iter().flat_map(show) {
        assert_eq!(
            frame.replace('\n', " \n").matches(" 1.5 points ").count(),
            3,
            "no piece falls between words: {frame}"
        );
    }
    insta::assert_snapshot!("podium_with_confetti_large", frames[30]);
}

/// The end of a tournament between these bots with the faults of [`busy`], without animations.
fn end_of(standings: Vec<StandingsLine>) -> DashboardScreen<Battleship> {
    let (shared, mut screen) = busy();
    shared.update(|model| (model.standings, model.is_over) = (standings, true));
    look(&mut screen);
    assert_eq!(screen.wait(), None);
    screen
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
