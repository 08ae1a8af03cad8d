//! The fleets that agree with shots, compared with a list of all legal fleets on small boards.

use arena_rules::battleship::inference::{Effort, chances, possible_fleets};
use arena_rules::battleship::shot_board::{ShotBoard, Sunken};
use arena_rules::battleship::{Fleet, FleetSpec, Ship, scatter, uniform};
use arena_rules::{Coord, Placement, Size, for_board, random};
use rand::RngExt as _;

/// The memory of a shooter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Knows {
    /// The rules do not announce sinkings.
    Hits,
    /// It knows which shot sank a ship of which length.
    Sinkings,
    /// It knows which ships are afloat, but not where the others sank.
    Afloat,
}

/// The knowledge after shots at a fleet: the board, and the ships that are afloat if that is announced.
fn shoot(fleet: &Fleet, shots: &[Coord], knows: Knows) -> (ShotBoard<Sunken>, Option<Vec<u8>>) {
    let mut board = ShotBoard::new(fleet.size());
    let mut left: Vec<u8> = fleet.ships().iter().map(Ship::length).collect();
    for &at in shots {
        let Some(ship) = fleet.ship_index(at) else {
            board.miss(at);
            continue;
        };
        left[ship] -= 1;
        if left[ship] == 0 && knows == Knows::Sinkings {
            board.sank_length(at, fleet.ships()[ship].length());
        } else {
            board.hit(at);
        }
    }
    let mut afloat: Vec<u8> = fleet
        .ships()
        .iter()
        .zip(&left)
        .filter(|(_, left)| **left > 0)
        .map(|(ship, _)| ship.length())
        .collect();
    afloat.sort_unstable();
    (board, (knows != Knows::Hits).then_some(afloat))
}

/// All legal fleets. Fleets in which equal ships have swapped places count as two.
fn all_fleets(spec: &FleetSpec) -> Vec<Fleet> {
    let mut placements: Vec<Vec<Placement>> = vec![Vec::new()];
    for &length in &spec.lengths {
        let longer = |begun: &Vec<Placement>| {
            let begun = begun.clone();
            spec.ways(length).map(move |way| [&begun[..], &[way]].concat()).collect::<Vec<_>>()
        };
        placements = placements.iter().flat_map(longer).collect();
    }
    placements.iter().filter_map(|placements| Fleet::parse(spec, placements).ok()).collect()
}

/// The share of the fleets with a ship on each cell that was not shot at, among those that look the same after the shots.
fn shares(fleets: &[Fleet], fleet: &Fleet, shots: &[Coord], knows: Knows) -> Vec<f64> {
    let seen = shoot(fleet, shots, knows);
    let alike: Vec<&Fleet> = fleets.iter().filter(|other| shoot(other, shots, knows) == seen).collect();
    let share = |at: Coord| {
        let with_ship = alike.iter().filter(|other| other.ship_index(at).is_some()).count();
        if shots.contains(&at) { 0.0 } else { with_ship as f64 / alike.len() as f64 }
    };
    fleet.size().coords().map(share).collect()
}

fn furthest(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

#[test]
fn exact_chances_are_the_shares_of_all_fleets_that_look_the_same() {
    let boards: [(u8, u8, &[u8]); 5] =
        [(4, 3, &[3, 2]), (5, 1, &[2, 1]), (3, 4, &[2, 2, 1]), (4, 4, &[2, 1, 1]), (2, 6, &[3, 2, 2])];
    let mut rng = random::seeded(1);
    let mut checked = 0;
    for (width, height, lengths) in boards {
        for may_touch in [false, true] {
            let spec = FleetSpec { size: Size::new(width, height), lengths: lengths.to_vec(), may_touch };
            let fleets = all_fleets(&spec);
            for knows in [Knows::Hits, Knows::Sinkings, Knows::Afloat] {
                for _ in 0..if fleets.is_empty() { 0 } else { 40 } {
                    let fleet = &fleets[rng.random_range(0..fleets.len())];
                    let mut shots: Vec<Coord> = spec.size.coords().collect();
                    shots.sort_by_cached_key(|_| rng.random::<u64>());
                    shots.truncate(rng.random_range(0..shots.len()));
                    let (board, afloat) = shoot(fleet, &shots, knows);
                    let chances = chances(&spec, &board, afloat.as_deref(), 1_000_000, &mut rng).unwrap();
                    assert!(chances.is_exact);
                    let expected = shares(&fleets, fleet, &shots, knows);
                    assert!(
                        furthest(&chances.cells, &expected) < 1e-9,
                        "{spec:?} {knows:?}\n{board}{:?}\n{expected:?}",
                        chances.cells
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 900, "{checked}");
}

#[test]
fn chances_of_a_sample_are_close_to_the_exact_ones() {
    let mut rng = random::seeded(2);
    for (lengths, may_touch, knows) in [
        (vec![3, 2, 2, 1], false, Knows::Hits),
        (vec![4, 3, 2], true, Knows::Sinkings),
        (vec![3, 2, 2], true, Knows::Afloat),
    ] {
        let spec = FleetSpec { size: Size::new(6, 6), lengths, may_touch };
        for shots in [0, 4, 8] {
            let fleet = uniform(&spec, &mut rng).unwrap();
            let mut cells: Vec<Coord> = spec.size.coords().collect();
            cells.sort_by_cached_key(|_| rng.random::<u64>());
            let (board, afloat) = shoot(&fleet, &cells[..shots], knows);
            let exact = chances(&spec, &board, afloat.as_deref(), 10_000_000, &mut rng).unwrap();
            let sample = possible_fleets::<2>(&spec, &board, afloat.as_deref(), Effort::of(2_000), &mut rng);
            assert!(exact.is_exact && sample.len() <= 2_000);
            // The standard error of a share of 2,000 draws is at most 0.011, and more with unequal weights.
            let furthest = furthest(&exact.cells, &sample.chances().unwrap().cells);
            assert!(furthest < 0.06, "{spec:?} {knows:?} {furthest}\n{board}");
        }
    }
}

#[test]
fn any_board_and_any_shots_leave_fleets_that_agree_with_them() {
    let mut rng = random::seeded(3);
    let boards: [(u8, u8, &[u8]); 6] = [
        (1, 1, &[1]),
        (10, 10, &[4, 3, 3, 2, 2, 2, 1, 1, 1, 1]),
        (20, 20, &[5, 4, 3, 3, 2, 2, 1, 1]),
        (32, 32, &[9, 8, 5, 4, 3, 3, 2, 1]),
        (32, 5, &[20, 3, 1]),
        (9, 9, &[2; 20]),
    ];
    let mut found = 0;
    for (width, height, lengths) in boards {
        for may_touch in [false, true] {
            let spec = FleetSpec { size: Size::new(width, height), lengths: lengths.to_vec(), may_touch };
            let Some(fleet) = scatter(&spec, &mut rng) else { continue };
            for knows in [Knows::Hits, Knows::Sinkings, Knows::Afloat] {
                let mut shots: Vec<Coord> = spec.size.coords().collect();
                shots.sort_by_cached_key(|_| rng.random::<u64>());
                shots.truncate(spec.size.cells() / 3);
                let (board, afloat) = shoot(&fleet, &shots, knows);
                let ship_cells = spec.lengths.iter().copied().map(usize::from).sum::<usize>();
                let hits = shots.iter().filter(|&&at| fleet.ship_index(at).is_some()).count();
                for_board!(spec.size, WORDS => {
                    let fleets = possible_fleets::<WORDS>(&spec, &board, afloat.as_deref(), Effort::of(50), &mut rng);
                    found += usize::from(!fleets.is_empty());
                    for number in 0..fleets.len() {
                        let cells = fleets.cells(number);
                        assert_eq!(cells.len(), ship_cells - hits);
                        assert!(cells.iter().all(|at| !shots.contains(&at)));
                        assert_eq!(fleets.ships(number).len(), spec.lengths.len());
                    }
                });
            }
        }
    }
    // With as few as 50 draws, some boards with many scattered hits give none.
    assert!(found > 25, "{found}");
}

#[test]
fn a_board_that_contradicts_itself_leaves_no_fleet() {
    let spec = FleetSpec { size: Size::new(4, 4), lengths: vec![2], may_touch: false };
    let mut board = ShotBoard::new(spec.size);
    board.hit(Coord::new(0, 0));
    board.hit(Coord::new(3, 3));
    for afloat in [None, Some(&[2][..]), Some(&[]), Some(&[7, 7])] {
        assert_eq!(chances(&spec, &board, afloat, 100, &mut random::seeded(1)), None);
    }
}

#[test]
fn a_board_that_is_too_large_has_no_chances() {
    let spec = FleetSpec { size: Size::new(33, 4), lengths: vec![2], may_touch: false };
    assert_eq!(chances(&spec, &ShotBoard::new(spec.size), None, 100, &mut random::seeded(1)), None);
}
