//! One game of a tournament at human speed, and a projector that shows it and the standings in turn.

use crate::common::{LARGE, SMALL, WALL, picture, playing, press, transcript};
use crate::dashboard::{busy, look, slots, standing};
use arena_rules::battleship::Battleship;
use arena_tui::{DashboardScreen, DashboardState, KeyEffect, Screen};
use std::sync::Arc;
use std::time::Duration;

/// Plays a recorded game to its end, as game `number`.
fn play(shared: &Arc<DashboardState<Battleship>>, number: u64, name: &str) {
    drop(playing(shared, number, &transcript(name), usize::MAX));
}

#[test]
fn a_showcase_shows_a_game_at_human_speed_while_the_others_go_on() {
    let (shared, mut screen) = busy();
    let _slots = slots(&shared);
    look(&mut screen);
    insta::assert_snapshot!("showcase_waits_wall", picture(&screen, WALL));
    play(&shared, 77, "classic");
    assert!(look(&mut screen), "the game that has ended is shown from its beginning");
    assert!(picture(&screen, LARGE).contains("game 77"), "{}", picture(&screen, LARGE));
    for _ in 0..40 {
        screen.tick(Duration::from_millis(250));
    }
    insta::assert_snapshot!("showcase_large", picture(&screen, LARGE));
    insta::assert_snapshot!("showcase_wall", picture(&screen, WALL));
    press(&mut screen, "v");
    insta::assert_snapshot!("showcase_small", picture(&screen, SMALL));
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed);
    assert!(picture(&screen, SMALL).contains("playing 3"));
}

/// The number of the game that is shown next, by keys that choose it.
fn shown_next(screen: &mut DashboardScreen<Battleship>, keys: &str) -> Option<u64> {
    press(screen, keys);
    screen.tick(Duration::from_millis(100));
    let seen = picture(screen, LARGE);
    let line = seen.lines().skip_while(|line| !line.contains("showcase:")).nth(1)?.trim().to_owned();
    line.strip_prefix("game ")?.split(' ').next()?.parse().ok()
}

#[test]
fn the_showcase_chooses_what_is_at_stake_a_comeback_an_upset_a_fault_or_a_pairing() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.standings = vec![standing("random", [400, 0, 0, 0]), standing("hunter", [0, 0, 400, 0])];
    });
    // In `guide`, `hunter` beats `sweeper`; in `classic` and `pirates`, `random`, which is an upset here.
    play(&shared, 1, "classic");
    play(&shared, 2, "panic");
    play(&shared, 3, "guide");
    assert_eq!(shown_next(&mut screen, "ccc"), Some(2), "the last fault");
    play(&shared, 4, "pirates");
    assert_eq!(shown_next(&mut screen, "ccccn"), Some(4), "the newest of equal upsets");
    let _slot = playing(&shared, 5, &transcript("guide"), 0);
    look(&mut screen);
    assert_eq!(shown_next(&mut screen, "mn"), Some(4), "it waits for a game of the pairing");
    play(&shared, 6, "classic");
    assert_eq!(shown_next(&mut screen, "n"), Some(4));
    play(&shared, 7, "guide");
    assert_eq!(shown_next(&mut screen, "n"), Some(7));
}

#[test]
fn the_game_for_the_higher_places_comes_first_whatever_its_length() {
    let stand = |labels: [&str; 4]| labels.map(|label| standing(label, [4, 0, 4, 0])).to_vec();
    // In `guide`, `hunter` beats `sweeper`; in `classic` and `pirates`, `random`.
    for (labels, expected) in [
        (["hunter", "sweeper", "other", "random"], 1),
        (["other", "random", "hunter", "sweeper"], 2),
        (["other", "hunter", "sweeper", "random"], 1),
    ] {
        let (shared, mut screen) = busy();
        shared.update(|model| model.standings = stand(labels));
        play(&shared, 1, "guide");
        play(&shared, 2, "pirates");
        assert_eq!(shown_next(&mut screen, "<home>"), Some(expected), "{labels:?}");
    }
}

#[test]
fn for_a_projector_standings_and_games_take_turns() {
    let (shared, screen) = busy();
    let mut screen = screen.rotating();
    assert!(shared.wants_game());
    shared.offer(12, transcript("panic"));
    assert!(!shared.wants_game());
    look(&mut screen);
    assert!(shared.wants_game(), "it was taken");
    assert!(!picture(&screen, SMALL).contains("showcase:"));
    screen.tick(Duration::from_secs(12));
    assert!(picture(&screen, SMALL).contains("showcase:"), "{}", picture(&screen, SMALL));
    // The game is shown to its end, and then the standings again.
    let mut ticks = 0;
    while picture(&screen, SMALL).contains("showcase:") {
        screen.tick(Duration::from_secs(1));
        ticks += 1;
        assert!(ticks < 100);
    }
    assert!(ticks > 4, "{ticks}");
}
