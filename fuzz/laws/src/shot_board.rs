//! The shot board: after true results its answers are true, and after false ones it does not panic.

use crate::drawing::Drawing;
use arena_rules::battleship::Fleet;
use arena_rules::battleship::shot_board::{ShipKind, Shot, ShotBoard, Sunken};
use arena_rules::{Coord, SIDE_MAX};
use std::collections::BTreeSet;

/// After any shots at any fleet, a board's answers are true, and the true way of each sunk ship is among the possible ones. That
/// holds if ships sink with their names, and if only their lengths are announced. After any other results, of any lengths and
/// in any order, it does not panic, and its text is well-formed.
pub fn shot_board_survives_any_history(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    match drawing.number(0..=2) {
        0 => check_any_results(&mut drawing),
        1 => check_true_results(&mut drawing, false),
        _ => check_true_results(&mut drawing, true),
    }
}

/// The largest number of false results for a board. Chosen: a shot at each cell of a quarter of the largest board.
const RESULTS_MAX: usize = 256;

fn check_any_results(drawing: &mut Drawing<'_>) {
    let size = drawing.size(SIDE_MAX);
    let mut board = ShotBoard::<Sunken>::new(size);
    let mut shots = BTreeSet::new();
    for _ in 0..RESULTS_MAX {
        if drawing.is_over() {
            break;
        }
        let at = drawing.cell(size);
        shots.insert(at);
        match drawing.number(0..=7) {
            0 => board.miss(at),
            1..=3 => board.hit(at),
            4 => drop(board.sank_length(at, drawing.byte())),
            5 => board.sank(at, Sunken { length: drawing.number(0..=6), number: drawing.number(0..=2) }),
            _ => drop(board.sank_length(at, drawing.number(1..=5))),
        }
        // Every shot is still on the board.
        assert!(shots.iter().all(|&at| board.cell(at) != Shot::Unshot));
    }
    check_text(&board);
}

/// Shoots at a fleet. Its ships have names before they sink, or only their lengths are announced.
fn check_true_results(drawing: &mut Drawing<'_>, have_names: bool) {
    let size = drawing.size(10);
    let may_touch = drawing.is();
    let Some((_, [fleet, _])) = drawing.fleets(size, may_touch, 8) else { return };
    let mut board = ShotBoard::<Sunken>::new(size);
    let mut shots = BTreeSet::new();
    let mut names: Vec<Option<Sunken>> = vec![None; fleet.ships().len()];
    while !drawing.is_over() {
        let at = drawing.cell(size);
        if !shots.insert(at) {
            continue;
        }
        match fleet.ship_index(at) {
            None => board.miss(at),
            Some(ship) if fleet.ships()[ship].cells().all(|cell| shots.contains(&cell)) => {
                let length = fleet.ships()[ship].length();
                names[ship] = Some(if have_names {
                    let name = Sunken { length, number: ship as u8 };
                    board.sank(at, name);
                    name
                } else {
                    board.sank_length(at, length)
                });
            }
            Some(_) => board.hit(at),
        }
        check_cells(&board, &fleet, &shots, &names);
        check_ways(&board, &fleet, &names);
    }
    check_text(&board);
}

fn check_cells(board: &ShotBoard<Sunken>, fleet: &Fleet, shots: &BTreeSet<Coord>, names: &[Option<Sunken>]) {
    for (at, known) in board.cells() {
        let ship = fleet.ship_index(at);
        match known {
            Shot::Unshot => assert!(!shots.contains(&at), "{at}"),
            Shot::Miss => assert!(shots.contains(&at) && ship.is_none(), "{at}"),
            Shot::Hit => assert!(shots.contains(&at) && ship.is_some(), "{at}"),
            Shot::Sunk(name) => {
                assert_eq!(ship.and_then(|ship| names[ship]), Some(name), "{at}");
            }
        }
    }
}

fn check_ways(board: &ShotBoard<Sunken>, fleet: &Fleet, names: &[Option<Sunken>]) {
    let possible: Vec<_> = board.possible().collect();
    let mut ways = 0;
    for (ship, &name) in fleet.ships().iter().zip(names) {
        let Some(name) = name else { continue };
        assert_eq!(name.length(), ship.length());
        let of_ship: Vec<_> = possible.iter().filter(|way| way.ship == name).collect();
        ways += of_ship.len();
        let mut cells: Vec<_> = ship.cells().collect();
        cells.sort_unstable();
        match of_ship.len() {
            0 => assert!(cells.iter().all(|&at| board.cell(at) == Shot::Sunk(name)), "{name:?}"),
            1 => panic!("{name:?} has one way left and is not settled"),
            _ => assert!(of_ship.iter().any(|way| way.cells().eq(cells.iter().copied())), "{name:?}"),
        }
    }
    assert_eq!(ways, possible.len(), "ways are of sunk ships");
}

fn check_text(board: &ShotBoard<Sunken>) {
    let lines = board.to_strings();
    let size = board.size();
    let rows = 2 + 2 * usize::from(size.height);
    assert_eq!(lines.len(), rows + board.possible().count());
    let width = 3 + 4 * usize::from(size.width);
    assert!(lines[..rows].iter().all(|line| line.chars().count() == width), "{lines:?}");
    assert!(lines.iter().all(|line| !line.chars().any(char::is_control)));
}
