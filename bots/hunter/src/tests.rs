use super::*;
use arena_sdk::Size;
use arena_sdk::practice::{Ruleset, solo, solo_forgetful};
use std::collections::BTreeSet;
use std::ops::Range;

fn check_mean(rules: &Ruleset, expected: Range<f64>) {
    let score = solo::<Hunter>(rules, 2_000, 1).unwrap();
    println!("{score}");
    assert!(expected.contains(&score.mean_shots), "{score}");
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "drawing these boards takes a minute without optimisation: use --release"
)]
fn it_needs_about_67_shots_under_guide() {
    check_mean(&Ruleset::guide(), 66.0..68.0);
}

#[test]
fn it_needs_about_51_shots_under_classic() {
    check_mean(&Ruleset::classic(), 50.3..52.3);
}

#[test]
fn it_needs_about_44_shots_under_pirates() {
    check_mean(&Ruleset::pirates(), 43.4..45.4);
}

#[test]
fn it_works_without_its_state() {
    for rules in [Ruleset::classic(), Ruleset::pirates()] {
        let score = solo_forgetful::<Hunter>(&rules, 200, 1).unwrap();
        assert!(score.mean_shots < 62.0, "{score}");
    }
}

#[test]
fn it_plays_any_board_and_fleet() {
    let fleets: [(u8, u8, &[u8]); 4] =
        [(1, 1, &[1]), (7, 3, &[3, 1]), (1, 20, &[5, 2]), (20, 20, &[9, 9, 4, 1])];
    for (width, height, fleet) in fleets {
        for (may_touch, sinkings_announced) in [(false, false), (false, true), (true, false), (true, true)] {
            let fleet = fleet.to_vec();
            let rules = Ruleset { fleet, may_touch, sinkings_announced, ..Ruleset::guide() };
            let score = solo::<Hunter>(&rules.with_size(Size::new(width, height)), 3, 1).unwrap();
            assert!(score.most_shots <= u32::from(width) * u32::from(height));
        }
    }
}

#[test]
fn it_skips_only_when_no_cell_is_left() {
    check_shots(&small(&[2]), "o X o / o X o / o o o", &[]);
    check_shots(&small(&[2]), "o X o / o X o / o o .", &[(2, 2)]);
}

/// The rules of `guide` on a board of 3 by 3.
fn small(fleet: &[u8]) -> Ruleset {
    Ruleset { fleet: fleet.to_vec(), ..Ruleset::guide() }.with_size(Size::new(3, 3))
}

/// The next shot of a fresh bot.
fn shot(game: &Game, view: &View) -> Option<Coord> {
    Hunter::default().play(game, view)
}

/// Checks the set of its next shots over many games.
fn check_shots(rules: &Ruleset, attacks: &str, expected: &[(u8, u8)]) {
    let shots: BTreeSet<Coord> = (0..200)
        .filter_map(|seed| {
            let game = Game::of(rules, seed);
            let attacks = attacks.replace('/', "\n").parse().unwrap();
            shot(&game, &View { attacks, ..View::first(&game) })
        })
        .collect();
    assert_eq!(shots, expected.iter().copied().map(Coord::from).collect(), "after {attacks}");
}

#[test]
fn it_shoots_at_all_sides_of_a_single_hit() {
    check_shots(&small(&[3, 1]), ". . . / . X . / . . .", &[(0, 1), (1, 0), (1, 2), (2, 1)]);
    check_shots(&small(&[3, 1]), ". o . / . X . / . . .", &[(1, 0), (1, 2), (2, 1)]);
}

#[test]
fn it_shoots_at_the_ends_of_a_line_of_hits() {
    check_shots(&small(&[3, 1]), ". X . / . X . / . . .", &[(2, 1)]);
    let rules = Ruleset { may_touch: true, ..small(&[3, 1]) };
    check_shots(&rules, ". . . / . X . / . X .", &[(0, 1)]);
}

#[test]
fn if_ships_may_not_touch_a_closed_line_is_sunk_and_surrounded_by_water() {
    check_shots(&small(&[2, 1]), "X . . / X . . / o . .", &[(0, 2), (1, 2), (2, 2)]);
    check_shots(&small(&[2, 1]), "X o . / o . . / . . .", &[(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)]);
}

#[test]
fn if_ships_may_not_touch_a_line_as_long_as_the_longest_ship_left_is_sunk() {
    check_shots(&small(&[2, 1]), ". . . / . . . / X X .", &[(0, 0), (0, 1), (0, 2)]);
    // The ship of length 2 is found, so the other hit is the ship of length 1.
    check_shots(&small(&[2, 1, 1]), "X X . / . . . / X . .", &[(2, 2)]);
}

#[test]
fn if_ships_may_touch_a_closed_line_may_be_two_ships_side_by_side() {
    let rules = Ruleset { may_touch: true, ..small(&[3, 2]) };
    check_shots(&rules, "X X o / . . . / . . .", &[(1, 0), (1, 1)]);
}

#[test]
fn it_searches_one_colour_while_no_ship_of_length_1_is_left() {
    let rules = small(&[3]);
    for (seed, colour) in [(0, 0), (1, 1)] {
        let game = Game::of(&rules, seed);
        for turn in 1..100 {
            let shot = shot(&game, &View { turn, ..View::first(&game) }).unwrap();
            assert_eq!((shot.row + shot.column) % 2, colour);
        }
    }
    check_shots(&rules, "o . o / . o . / o . o", &[(0, 1), (1, 0), (1, 2), (2, 1)]);
}

#[test]
fn an_announced_ship_is_left_alone_and_the_one_it_touches_is_finished() {
    let rules = Ruleset { sinkings_announced: true, may_touch: true, ..small(&[3, 2]) };
    let game = Game::of(&rules, 7);
    let mut bot = Hunter::default();
    let mut shot_after = |attacks: &str, my_last, afloat: &[u8]| {
        let attacks = attacks.replace('/', "\n").parse().unwrap();
        let (my_last, ships_remaining) = (Some(Coord::from(my_last)), Some(afloat.to_vec()));
        bot.play(&game, &View { attacks, my_last, ships_remaining, ..View::first(&game) }).unwrap()
    };
    // The hits of two ships: the short one in the first row, the long one in the second.
    shot_after("o X . / . X . / . o .", (1, 1), &[3, 2]);
    let shot = shot_after("o X X / . X . / . o .", (0, 2), &[3]);
    assert_eq!(shot.row, 1, "the wounded ship is finished first: {shot}");
}
