//! The shot board: told the truth it says nothing that is not so, and told lies it still says something.

use crate::drawing::Drawing;
use arena_rules::shot_board::{ShipKind, Shot, ShotBoard, Sunken};
use arena_rules::{Coord, Fleet, SIDE_MAX};
use std::collections::BTreeSet;

/// Told of any shots at any fleet, a board says what is so and keeps the true way of each sunk ship among those it holds
/// possible; told anything else, in any order and of any lengths, it does not panic, and its text has its form.
pub fn shot_board_survives_any_history(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    match drawing.number(0..=2) {
        0 => tell_anything(&mut drawing),
        _ => tell_the_truth(&mut drawing),
    }
}

/// The most that one board is told. A game has a shot for each cell at most, so a quarter of the largest board will do.
const TOLD_MAX: usize = 256;

fn tell_anything(drawing: &mut Drawing<'_>) {
    let size = drawing.size(SIDE_MAX);
    let mut board = ShotBoard::<Sunken>::new(size);
    let mut told = BTreeSet::new();
    for _ in 0..TOLD_MAX {
        if drawing.is_over() {
            break;
        }
        let at = drawing.cell(size);
        told.insert(at);
        match drawing.number(0..=7) {
            0 => board.miss(at),
            1..=3 => board.hit(at),
            4 => drop(board.sank_length(at, drawing.byte())),
            5 => board.sank(at, Sunken { length: drawing.number(0..=6), number: drawing.number(0..=2) }),
            _ => drop(board.sank_length(at, drawing.number(1..=5))),
        }
        // What it was told of, it never forgets.
        assert!(told.iter().all(|&at| board.cell(at) != Shot::Unshot));
    }
    check_text(&board);
}

fn tell_the_truth(drawing: &mut Drawing<'_>) {
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
            Some(ship) if fleet.ships()[ship].cells.iter().all(|cell| shots.contains(cell)) => {
                names[ship] = Some(board.sank_length(at, fleet.ships()[ship].length()));
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
        let mut cells = ship.cells.clone();
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
