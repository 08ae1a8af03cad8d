//! At no size is a word of the arena cut off. Texts that are cut end in an ellipsis, as all drawing goes through one place.

use crate::common::{picture, press, replay, transcript};
use crate::{dashboard, playing};
use arena_pictures::Timeline;
use arena_rules::battleship::Battleship;
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Seat};
use arena_tui::{
    DashboardScreen, DashboardState, GameScreen, Model, Screen, Slot, StandingsLine, WallScreen,
};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The sizes of terminals.
fn any_size() -> impl Strategy<Value = (u16, u16)> {
    (60u16..=240, 20u16..=70)
}

/// A screen with the help open or not must show whole words.
fn check_words(screen: &impl Screen, size: (u16, u16)) -> Result<(), TestCaseError> {
    let picture = picture(screen, size);
    prop_assert!(!picture.contains('…'), "{size:?}\n{picture}");
    Ok(())
}

/// Each key at the bottom of the widest screen is there at this size too, or in its help.
fn check_keys(screen: &mut impl Screen, size: (u16, u16)) -> Result<(), TestCaseError> {
    let footer = |picture: String| picture.lines().last().unwrap_or_default().to_owned();
    let (wide, here) = (footer(picture(screen, (240, 70))), footer(picture(screen, size)));
    press(screen, "?");
    let help: String = picture(screen, size).replace(' ', "");
    press(screen, "?");
    for entry in wide.split("  ").map(str::trim).filter(|entry| !entry.is_empty()) {
        let key = entry.split(' ').next().unwrap_or_default();
        prop_assert!(
            here.contains(entry) || help.contains(key),
            "{entry:?} is nowhere at {size:?}\n{here}\n{help}"
        );
    }
    Ok(())
}

/// Checks the keys of a screen, and the words on it after some keys.
fn check(screen: &mut impl Screen, keys: &str, size: (u16, u16)) -> Result<(), TestCaseError> {
    check_keys(screen, size)?;
    if !keys.is_empty() {
        press(screen, keys);
    }
    check_words(screen, size)
}

fn four(names: [&str; 4]) -> WallScreen<Battleship> {
    let game = |name| GameScreen::replay(Timeline::of(&transcript::<Battleship>(name)).unwrap());
    WallScreen::new(names.map(game).into(), 10)
}

fn standing(label: &str, [wins, draws, losses]: [u32; 3], elo: Option<&str>) -> StandingsLine {
    StandingsLine { elo: elo.map(str::to_owned), ..dashboard::standing(label, [wins, draws, losses, 0]) }
}

/// A tournament without texts of bots, with running games of these recordings and a list of games.
fn tournament(games: &[&str]) -> (Arc<DashboardState<Battleship>>, Vec<Slot<Battleship>>) {
    let shared = DashboardState::new(Model {
        standings: vec![
            standing("hunter", [400, 3, 9], Some("620 (+410 -180)")),
            standing("sweeper", [310, 0, 101], Some("120 ± 35")),
            standing("random", [120, 1, 290], Some("0")),
            standing("newcomer", [0, 0, 0], None),
        ],
        refused: Vec::new(),
        faults: VecDeque::new(),
        ..dashboard::model()
    });
    let slots = dashboard::slots_of(&shared, games.iter().map(|name| (*name, 40)));
    dashboard::list_wins(&shared, ["hunter", "sweeper"], 40);
    (shared, slots)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_game_has_whole_words_at_every_size(
        name in select(vec!["guide", "classic"]),
        keys in select(vec!["", "h", "b", "bb", "?", "g", "<end>", "<home>"]),
        steps in 0usize..130,
        size in any_size(),
    ) {
        let mut screen = replay::<Battleship>(name);
        press(&mut screen, &"<right>".repeat(steps + 1));
        check(&mut screen, keys, size)?;
    }

    #[test]
    fn a_game_of_submarine_has_whole_words_at_every_size(
        keys in select(vec!["", "h", "b", "bb", "?", "g", "<end>"]),
        steps in 0usize..60,
        size in any_size(),
    ) {
        let mut screen = replay::<Submarine>("submarine");
        press(&mut screen, &"<right>".repeat(steps + 1));
        check(&mut screen, keys, size)?;
    }

    #[test]
    fn several_games_have_whole_words_at_every_size(
        keys in select(vec!["", "?", "<tab>", "<tab><tab><tab>", "h", "b", "<end>"]),
        steps in 0usize..130,
        size in any_size(),
    ) {
        let mut screen = four(["guide", "classic", "guide", "classic"]);
        press(&mut screen, &"<right>".repeat(steps + 1));
        check(&mut screen, keys, size)?;
    }

    #[test]
    fn a_dashboard_has_whole_words_at_every_size(
        games in select(vec![&["guide", "classic"][..], &[], &["classic"], &["guide", "classic", "guide", "classic"]]),
        keys in select(vec!["", "?", "g", "g?", "gu", "gf", "gb", "v", "<enter>"]),
        is_over in any::<bool>(),
        size in any_size(),
    ) {
        let (shared, slots) = tournament(games);
        if is_over {
            drop(slots);
            shared.update(|model| {
                model.is_over = true;
                model.games_done = model.games_planned;
            });
        }
        let mut screen = DashboardScreen::new(shared);
        screen.tick(Duration::from_millis(100));
        check(&mut screen, keys, size)?;
    }
}

proptest! {
    // Each has a referee on a thread.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_person_sees_whole_words_at_every_size(
        keys in select(vec!["", "x", "x<enter>", "x<enter>b7<enter>", "x<enter>b", "x<enter>!", "x<enter>?", "?", "q"]),
        size in any_size(),
    ) {
        let mut table = playing::sit_down(&GameRules::named("guide").unwrap(), Seat::First);
        table.press(keys);
        check_words(&table.screen, size)?;
        let mut table = playing::submarine();
        table.press(&keys.replace("b7", "b3"));
        check_words(&table.screen, size)?;
    }
}
