use super::*;
use arena_sdk::Size;
use arena_sdk::practice::{Ruleset, solo, solo_forgetful};
use std::collections::BTreeSet;
use std::ops::Range;

fn check_mean(rules: &Ruleset, expected: Range<f64>) {
    let score = solo::<Density>(rules, 1_000, 1).unwrap();
    println!("{score}");
    assert!(expected.contains(&score.mean_shots), "{score}");
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "drawing these boards takes a minute without optimisation: use --release"
)]
fn it_needs_about_64_shots_under_guide() {
    check_mean(&Ruleset::guide(), 63.7..64.9);
}

#[test]
fn it_needs_about_44_shots_under_classic() {
    check_mean(&Ruleset::classic(), 43.5..45.6);
}

#[test]
fn it_needs_about_39_shots_under_pirates() {
    check_mean(&Ruleset::pirates(), 38.5..39.7);
}

#[test]
fn it_works_without_its_state() {
    for (rules, most) in [(Ruleset::classic(), 54.0), (Ruleset::pirates(), 44.0)] {
        let score = solo_forgetful::<Density>(&rules, 200, 1).unwrap();
        println!("{score}");
        assert!(score.mean_shots < most, "{score}");
    }
}

#[test]
fn it_plays_any_board_and_fleet() {
    let fleets: [(u8, u8, &[u8]); 6] = [
        (1, 1, &[1]),
        (7, 3, &[3, 1]),
        (1, 20, &[5, 2]),
        (20, 20, &[9, 9, 4, 1]),
        (32, 1, &[32]),
        (32, 32, &[32, 17, 4, 1]),
    ];
    for (width, height, fleet) in fleets {
        for (may_touch, sinkings_announced) in [(false, false), (false, true), (true, false), (true, true)] {
            let fleet = fleet.to_vec();
            let rules = Ruleset { fleet, may_touch, sinkings_announced, ..Ruleset::guide() };
            let score = solo::<Density>(&rules.with_size(Size::new(width, height)), 2, 1).unwrap();
            assert!(score.most_shots <= u32::from(width) * u32::from(height));
        }
    }
}

/// The rules of `guide` on a small board with this fleet.
fn small(width: u8, height: u8, fleet: &[u8]) -> Ruleset {
    Ruleset { fleet: fleet.to_vec(), ..Ruleset::guide() }.with_size(Size::new(width, height))
}

/// Checks the set of its next shots over many games.
#[track_caller]
fn check_shots(rules: &Ruleset, attacks: &str, expected: &[(u8, u8)]) {
    let shots: BTreeSet<Coord> = (0..100)
        .filter_map(|seed| {
            let game = Game::of(rules, seed);
            let attacks = attacks.replace('/', "\n").parse().unwrap();
            Density::default().play(&game, &View { attacks, ..View::first(&game) })
        })
        .collect();
    assert_eq!(shots, expected.iter().copied().map(Coord::from).collect(), "after {attacks}");
}

#[test]
fn it_shoots_where_most_ways_cross() {
    check_shots(&small(3, 3, &[2]), ". . . / . . . / . . .", &[(1, 1)]);
    check_shots(&small(4, 1, &[3]), ". . . .", &[(0, 1), (0, 2)]);
    // Only the last row has room for the ship.
    check_shots(&small(3, 3, &[3]), ". o . / . . o / . . .", &[(2, 0)]);
}

#[test]
fn it_finishes_a_line_of_hits_where_there_is_more_room() {
    check_shots(&small(6, 1, &[4]), ". X X . . .", &[(0, 3)]);
    check_shots(&small(3, 3, &[2, 1]), ". . . / . X . / . o .", &[(0, 1), (1, 0), (1, 2)]);
}

#[test]
fn where_ships_may_not_touch_no_way_lies_next_to_a_hit() {
    // Three ways cover the hit. Where ships may touch, a fourth one lies next to it.
    let rules = small(7, 1, &[3]);
    check_shots(&rules, ". . X . . . .", &[(0, 1), (0, 3)]);
    check_shots(&Ruleset { may_touch: true, ..rules }, ". . X . . . .", &[(0, 3)]);
}

#[test]
fn a_line_of_hits_over_which_no_longer_ship_can_lie_is_sunk() {
    check_shots(&small(5, 1, &[3, 1]), "X X X . .", &[(0, 4)]);
    // It could grow by one cell, but there is no ship of length 3.
    check_shots(&small(5, 1, &[4, 2, 1]), "X X . o .", &[(0, 4)]);
}

#[test]
fn a_ship_on_hits_alone_would_have_been_announced() {
    let rules = Ruleset { sinkings_announced: true, may_touch: true, ..small(4, 1, &[2, 2]) };
    check_shots(&rules, ". X X .", &[(0, 0), (0, 3)]);
}

#[test]
fn it_skips_only_when_no_cell_is_left() {
    check_shots(&small(3, 3, &[2]), "o X o / o X o / o o o", &[]);
    check_shots(&small(3, 3, &[2]), "o X o / o X o / o o .", &[(2, 2)]);
}
