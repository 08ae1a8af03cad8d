use super::*;
use arena_sdk::practice::{Ruleset, solo, solo_forgetful};
use arena_sdk::{Grid, Mark, Size};
use std::ops::Range;

/// Checks the mean over 100 boards. Its standard error is 0.5 to 0.9 shots.
fn check_mean(rules: &Ruleset, expected: Range<f64>) {
    let score = solo::<Posterior>(rules, 100, 1).unwrap();
    assert!(expected.contains(&score.mean_shots), "{score}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_needs_about_62_shots_under_guide() {
    check_mean(&Ruleset::guide(), 60.0..64.5);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_needs_about_45_shots_under_classic() {
    check_mean(&Ruleset::classic(), 42.0..47.5);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_needs_about_39_shots_under_pirates() {
    check_mean(&Ruleset::pirates(), 36.8..41.2);
}

#[test]
fn it_works_without_its_state() {
    for rules in [Ruleset::classic(), Ruleset::pirates()] {
        let score = solo_forgetful::<Posterior>(&rules, 30, 1).unwrap();
        assert!(score.mean_shots < 52.0, "{score}");
    }
}

#[test]
fn it_plays_any_board_and_fleet() {
    let fleets: [(u8, u8, &[u8]); 5] =
        [(1, 1, &[1]), (7, 3, &[3, 1]), (1, 20, &[5, 2]), (20, 20, &[9, 9, 4, 1]), (32, 8, &[6, 1])];
    for (width, height, fleet) in fleets {
        for (may_touch, sinkings_announced) in [(false, false), (false, true), (true, false), (true, true)] {
            let fleet = fleet.to_vec();
            let rules = Ruleset { fleet, may_touch, sinkings_announced, ..Ruleset::guide() };
            let score = solo::<Posterior>(&rules.with_size(Size::new(width, height)), 1, 1).unwrap();
            assert!(score.most_shots <= u32::from(width) * u32::from(height));
        }
    }
}

#[test]
fn it_draws_fewer_fleets_if_fuel_is_scarce_or_the_board_is_large() {
    let count = |size, fuel_per_turn| {
        let game = Game { fuel_per_turn, ..Game::of(&Ruleset::guide().with_size(size), 7) };
        for_board!(size, WORDS => fleet_count::<WORDS>(&game))
    };
    let (small, large) = (Size::new(10, 10), Size::new(32, 32));
    assert_eq!(count(small, 300_000_000), 600);
    assert!(count(small, 10_000_000) < 600);
    assert!(count(large, 100_000_000) < count(small, 100_000_000));
    assert_eq!(count(large, 0), 1);
}

#[test]
fn it_shoots_at_a_legal_cell_even_if_no_fleet_agrees_with_the_board() {
    let game = Game::of(&Ruleset::guide(), 7);
    let mut view = View::first(&game);
    view.attacks = Grid::filled(game.size, Mark::Hit);
    assert_eq!(Posterior::default().play(&game, &view), None);
    view.attacks[Coord::new(3, 4)] = Mark::Unknown;
    assert_eq!(Posterior::default().play(&game, &view), Some(Coord::new(3, 4)));
}
