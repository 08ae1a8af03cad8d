//! Long names: where a place is too small for one, it is whole elsewhere on the screen, or in the list or the help.

use crate::common::{LARGE, SMALL, picture, press, transcript};
use crate::dashboard::{list_wins, look, model, slots_of, standing};
use arena_pictures::Timeline;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::{GameRules, Size};
use arena_tui::{DashboardScreen, DashboardState, GameScreen, Model, Screen, WallScreen};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

/// Two labels as long as the arena gives them: 24 characters.
const LONG: [&str; 2] = ["hunter-of-the-deep-sea24", "posterior-with-long-name"];

const SMALLEST: (u16, u16) = (60, 20);

fn game(labels: [&str; 2]) -> GameScreen<Battleship> {
    let mut game = transcript::<Battleship>("guide");
    for (seat, label) in game.header.bots.iter_mut().zip(labels) {
        seat.bot.label = label.into();
    }
    let mut screen = GameScreen::replay(Timeline::of(&game).unwrap());
    press(&mut screen, "g30<enter>");
    screen
}

#[test]
fn the_title_has_both_names_if_one_is_cut_above_a_board() {
    let screen = game(LONG);
    insta::assert_snapshot!("game_smallest", picture(&screen, SMALLEST));
    insta::assert_snapshot!("game_small", picture(&screen, SMALL));
    let title =
        |screen: &GameScreen<Battleship>, size| picture(screen, size).lines().next().unwrap().to_owned();
    assert!(title(&screen, LARGE).starts_with(" guide"), "they are whole above the boards");
    assert!(title(&game(["hunter", "sweeper"]), SMALLEST).starts_with(" guide"));
}

#[test]
fn the_end_of_a_game_has_its_reason_where_the_sentence_does_not_fit() {
    let mut screen = game([LONG[0], LONG[1]]);
    press(&mut screen, "<end>");
    let seen = picture(&screen, SMALLEST);
    assert!(seen.contains(" hunter-of-the-deep-sea24 wins: fleet sunk"), "{seen}");
}

#[test]
fn the_help_has_both_names() {
    let mut screen = game(LONG);
    press(&mut screen, "b?");
    let help = picture(&screen, SMALLEST);
    assert!(help.contains("hunter-of-the-deep-sea24 v posterior-with-long-name"), "{help}");
}

#[test]
fn a_view_of_one_side_leaves_room_for_the_title() {
    let mut screen = game(LONG);
    press(&mut screen, "b");
    let title = |size| picture(&screen, size).lines().next().unwrap().trim_start().to_owned();
    assert_eq!(title(SMALLEST), "guide  10×10  game 1  seed 1     as seat 1 sees it  paused");
    assert!(title(SMALL).ends_with("as 1 hunter-of-the-deep-sea24 sees it  paused"), "{}", title(SMALL));
}

#[test]
fn a_board_that_is_shown_in_part_cuts_the_name_and_not_the_rows() {
    let rules = Ruleset::guide().with_size(Size::new(32, 32));
    let game = crate::common::sweepers(&GameRules::Battleship(rules), LONG);
    let screen = GameScreen::<Battleship>::replay(Timeline::of(&game).unwrap());
    let seen = picture(&screen, SMALL);
    assert!(seen.contains("hunter-of-the-deep-sea… rows 0–14") || seen.contains("… rows 0–14"), "{seen}");
    assert!(seen.contains("hunter-of-the-deep-sea24 v posterior-with-long-name"), "{seen}");
}

/// A tournament with long labels.
fn shared() -> Arc<DashboardState<Battleship>> {
    let mut standings: Vec<_> =
        [LONG[0], LONG[1], "random"].map(|label| standing(label, [400, 3, 9, 0])).into();
    for (standing, elo) in standings.iter_mut().zip(["620 (+410 -180)", "120 ± 35", "0"]) {
        standing.elo = Some(elo.into());
    }
    let shared = DashboardState::new(Model { standings, ..model() });
    list_wins(&shared, LONG, 3);
    shared
}

#[test]
fn labels_in_the_standings_are_whole_and_bars_give_way() {
    let mut screen = DashboardScreen::new(shared());
    look(&mut screen);
    for (name, size) in [("small", SMALL), ("large", LARGE)] {
        let seen = picture(&screen, size);
        assert!(LONG.iter().all(|label| seen.contains(label)), "{seen}");
        insta::assert_snapshot!(
            format!("standings_{name}"),
            seen.lines().skip(3).take(4).collect::<Vec<_>>().join("\n")
        );
    }
}

#[test]
fn the_selected_game_of_the_list_has_both_names() {
    let mut screen = DashboardScreen::new(shared());
    press(&mut screen, "g");
    insta::assert_snapshot!("list_smallest", picture(&screen, SMALLEST));
    let below = |size: (u16, u16)| picture(&screen, size).lines().rev().nth(1).unwrap().to_owned();
    assert_eq!(below(SMALLEST), " game 3: hunter-of-the-deep-sea24 v posterior-with-long-name");
    assert_eq!(below(LARGE), "", "they are whole in their row");
}

#[test]
fn a_running_game_that_is_enlarged_has_both_names_below_its_boards() {
    let shared = shared();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    let _slots = slots_of(&shared, [("guide", 70)]);
    look(&mut screen);
    press(&mut screen, "<enter>");
    let seen = picture(&screen, SMALLEST);
    assert!(seen.contains(" game 1235: hunter v sweeper"), "{seen}");
}

/// Both long names are whole on the screen or in its help.
fn check_names(screen: &mut impl Screen, keys: &str, size: (u16, u16)) -> Result<(), TestCaseError> {
    if !keys.is_empty() {
        press(screen, keys);
    }
    let seen = picture(screen, size);
    press(screen, "?");
    let help = picture(screen, size);
    for label in LONG {
        prop_assert!(seen.contains(label) || help.contains(label), "{size:?}\n{seen}\n{help}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn names_are_whole_on_the_screen_or_in_its_help_at_every_size(
        keys in select(vec!["", "b", "h", "l", "<end>", "<home>"]),
        size in (60u16..=240, 20u16..=70),
    ) {
        check_names(&mut game(LONG), keys, size)?;
        check_names(&mut WallScreen::new(vec![game(LONG), game(LONG)], 2), keys, size)?;
    }
}
