//! The list of all games of a tournament.

use crate::common::{LARGE, SMALL, picture, press, transcript};
use crate::dashboard::{look, shared};
use arena_rules::battleship::{Battleship, FLEET_SUNK};
use arena_rules::{Outcome, Reason, Seat};
use arena_tui::{DashboardScreen, DashboardState, Ended, GameLine, KeyEffect, Model, OnScreen, Screen};
use std::sync::Arc;
use std::time::Duration;

/// A tournament of 40 games: `hunter` wins all but game 12, and `panics` faults in each third game.
fn shared_with_games() -> Arc<DashboardState<Battleship>> {
    let shared = shared();
    for number in 1..=40 {
        let other = ["数独", "a-bot-with-a-very-long-label-indeed", "panics"][number % 3];
        let labels = if number % 2 == 1 { ["hunter", other] } else { [other, "hunter"] };
        let hunter = if number % 2 == 1 { Seat::First } else { Seat::Second };
        let has_fault = other == "panics";
        shared.add_game(GameLine {
            number: number as u64,
            labels: labels.map(Into::into),
            outcome: Outcome::Win(if number == 12 { hunter.other() } else { hunter }),
            reason: if has_fault { Reason::Forfeit } else { FLEET_SUNK },
            turns: 20 + number as u32,
            faults: if has_fault && hunter == Seat::First { [0, 1] } else { [u32::from(has_fault), 0] },
        });
    }
    shared
}

/// The line with the number of games that are listed.
fn listed<G: OnScreen>(screen: &DashboardScreen<G>) -> String {
    picture(screen, SMALL).lines().nth(3).unwrap().trim().to_owned()
}

#[test]
fn all_games_so_far_are_listed_and_filtered_by_keys() {
    let shared = shared_with_games();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    press(&mut screen, "g");
    insta::assert_snapshot!("games_small", picture(&screen, SMALL));
    insta::assert_snapshot!("games_large", picture(&screen, LARGE));
    insta::assert_snapshot!("games_smallest", picture(&screen, (60, 20)));
    for (keys, expected) in [
        ("f", "13 games with faults"),
        ("u", "1 upset by the ratings so far, the most surprising first"),
        ("a", "40 games"),
        ("b", "14 games of a-bot-with-a-very-long-…"),
        ("b", "40 games of hunter"),
        ("f", "13 games with faults of hunter"),
        ("a", "40 games"),
    ] {
        press(&mut screen, keys);
        assert_eq!(listed(&screen), expected, "{keys}");
    }
    press(&mut screen, "u");
    insta::assert_snapshot!("upsets_small", picture(&screen, SMALL));
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed, "back to the dashboard");
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Nothing, "it never quits");
}

#[test]
fn an_upset_is_a_win_over_a_higher_rated_bot_whatever_the_points_are() {
    let shared = shared_with_games();
    let upsets = |screen: &mut DashboardScreen<Battleship>| {
        press(screen, "gu");
        listed(screen)
    };
    assert!(upsets(&mut DashboardScreen::new(Arc::clone(&shared))).starts_with("1 upset "));
    // `hunter` has most points from games against the weakest: its 39 wins are the surprises, and game 12 is none.
    shared.update(|model| model.standings[0].strength_tenths = Some(-10_000));
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    assert!(upsets(&mut screen).starts_with("39 upsets "), "{}", listed(&screen));
    // Without ratings nothing is surprising.
    shared.update(|model| model.standings.iter_mut().for_each(|row| row.strength_tenths = None));
    assert!(upsets(&mut DashboardScreen::new(shared)).starts_with("0 upsets "));
}

#[test]
fn the_list_grows_as_games_are_played_and_the_cursor_stays() {
    let shared = shared_with_games();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    assert_eq!(press(&mut screen, "g<home><down><down><enter>"), KeyEffect::Open(3));
    shared.add_game(GameLine {
        number: 41,
        labels: ["hunter", "panics"].map(Into::into),
        outcome: Outcome::Draw,
        reason: Reason::TurnsMax,
        turns: 400,
        faults: [0, 0],
    });
    assert!(look(&mut screen));
    assert_eq!(listed(&screen), "41 games");
    assert_eq!(press(&mut screen, "<enter>"), KeyEffect::Open(3));
    assert_eq!(press(&mut screen, "<end><enter>"), KeyEffect::Open(41));
    assert_eq!(press(&mut screen, "<pgup><enter>"), KeyEffect::Open(31));
}

#[test]
fn a_game_of_the_list_is_replayed_and_esc_goes_back_to_the_list() {
    let mut screen = DashboardScreen::new(shared_with_games());
    press(&mut screen, "g");
    screen.opened(7, Err("no game is kept that could be shown".into()));
    assert!(picture(&screen, SMALL).contains("no game is kept that could be shown"));
    assert!(screen.to_save().is_none());
    screen.opened(7, Ok(transcript("guide")));
    assert!(picture(&screen, SMALL).contains("the game is about to begin"));
    press(&mut screen, "<right><right>");
    assert!(screen.to_save().is_some() && picture(&screen, SMALL).contains(" 2/124"));
    assert_eq!(press(&mut screen, " "), KeyEffect::Changed);
    assert!(screen.wait().is_some() && screen.tick(Duration::from_secs(1)), "it plays");
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed);
    assert_eq!(listed(&screen), "40 games");
    assert_eq!(press(&mut screen, "q"), KeyEffect::Changed);
    assert_eq!(press(&mut screen, "q"), KeyEffect::End(Ended::Quit));
}

#[test]
fn a_list_without_games_says_so() {
    let mut screen = DashboardScreen::new(DashboardState::<Battleship>::new(Model::default()));
    assert_eq!(press(&mut screen, "g<enter>"), KeyEffect::Nothing);
    assert!(picture(&screen, SMALL).contains("there are none so far"));
}
