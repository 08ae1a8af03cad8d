//! Deployments of ships: a legal fleet, or a refusal with the reason.

use crate::drawing::Drawing;
use arena_rules::battleship::{Fleet, FleetError, FleetSpec, SHIPS_MAX};
use arena_rules::{Placement, SIDE_MAX, Size};
use std::collections::BTreeMap;

/// Any list of placements, on any board and for any fleet that rules may have, is accepted if and only if it is legal. An
/// accepted fleet lies where it was placed, and a refusal names a wrong ship.
pub fn rules_refuse_or_accept_any_placement(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    let size = drawing.size(SIDE_MAX);
    let may_touch = drawing.is();
    // Lengths that do not fit any board are tried too, up to the longest that fits a byte.
    let lengths: Vec<u8> = (0..drawing.number(0..=SHIPS_MAX as u8))
        .map(|_| match drawing.number(0..=SIDE_MAX) {
            0 => drawing.byte().max(1),
            length => length,
        })
        .collect();
    let placed = match drawing.number(0..=7) {
        0 => usize::from(drawing.number(0..=SHIPS_MAX as u8)),
        _ => lengths.len(),
    };
    let placements: Vec<Placement> = (0..placed).map(|_| drawing.placement(size)).collect();
    let spec = FleetSpec { size, lengths, may_touch };

    let parsed = Fleet::parse(&spec, &placements);
    let ships = legal_ships(&spec, &placements);
    assert_eq!(parsed.is_ok(), ships.is_some(), "{spec:?} {placements:?}");
    match parsed {
        Ok(fleet) => check_fleet(&fleet, &spec, &placements, &ships.unwrap_or_default()),
        Err(error) => check_refusal(&error, &spec, &placements),
    }
}

/// The row and the column of a cell. The cell may be off the board.
type Cell = (i32, i32);

/// The ship on each cell; `None` when the placements are not legal by the page of the rules.
pub(crate) fn legal_ships(spec: &FleetSpec, placements: &[Placement]) -> Option<BTreeMap<Cell, usize>> {
    if placements.len() != spec.lengths.len() {
        return None;
    }
    let mut ships = BTreeMap::new();
    for (ship, (&placement, &length)) in placements.iter().zip(&spec.lengths).enumerate() {
        for cell in cells(placement, length) {
            let reach = if spec.may_touch { 0 } else { 1 };
            let is_near =
                |(row, column): &Cell| (row - cell.0).abs() <= reach && (column - cell.1).abs() <= reach;
            if !is_on(spec.size, cell) || ships.iter().any(|(at, &other)| other != ship && is_near(at)) {
                return None;
            }
            ships.insert(cell, ship);
        }
    }
    Some(ships)
}

fn cells(placement: Placement, length: u8) -> impl Iterator<Item = Cell> {
    let (row, column) = (i32::from(placement.anchor.row), i32::from(placement.anchor.column));
    let (down, right) = placement.direction.step();
    (0..i32::from(length)).map(move |step| (row + step * i32::from(down), column + step * i32::from(right)))
}

fn is_on(size: Size, (row, column): Cell) -> bool {
    (0..i32::from(size.height)).contains(&row) && (0..i32::from(size.width)).contains(&column)
}

fn check_fleet(fleet: &Fleet, spec: &FleetSpec, placements: &[Placement], ships: &BTreeMap<Cell, usize>) {
    assert_eq!(fleet.placements(), placements);
    assert_eq!(fleet.ships().iter().map(|ship| ship.length()).collect::<Vec<_>>(), spec.lengths);
    for at in spec.size.coords() {
        assert_eq!(fleet.ship_index(at), ships.get(&(at.row.into(), at.column.into())).copied(), "{at}");
    }
    for (ship, (&placement, &length)) in fleet.ships().iter().zip(placements.iter().zip(&spec.lengths)) {
        let cells: Vec<Cell> = cells(placement, length).collect();
        let laid: Vec<Cell> = ship.cells().map(|at| (at.row.into(), at.column.into())).collect();
        assert_eq!(laid, cells);
    }
    assert!(Fleet::parse(spec, placements).is_ok_and(|again| again == *fleet));
}

/// Checks that a refusal is one line and names the problem, of the ships that were placed.
fn check_refusal(error: &FleetError, spec: &FleetSpec, placements: &[Placement]) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.chars().any(char::is_control), "{text:?}");
    let is_of = |ship: usize, cell: Cell| {
        let (placement, length) = (placements[ship - 1], spec.lengths[ship - 1]);
        cells(placement, length).any(|other| other == cell)
    };
    match *error {
        FleetError::WrongCount { expected, got } => {
            assert_eq!((expected, got), (spec.lengths.len(), placements.len()));
            assert_ne!(expected, got);
        }
        FleetError::OffBoard { ship, length, placement } => {
            assert_eq!((length, placement), (spec.lengths[ship - 1], placements[ship - 1]));
            assert!(cells(placement, length).any(|cell| !is_on(spec.size, cell)));
        }
        FleetError::Overlap { ship, other, at } => {
            let cell = (i32::from(at.row), i32::from(at.column));
            assert!(other < ship && is_of(ship, cell) && is_of(other, cell));
        }
        FleetError::Touch { ship, other, at } => {
            let (row, column) = (i32::from(at.row), i32::from(at.column));
            let mut around =
                (row - 1..=row + 1).flat_map(|row| (column - 1..=column + 1).map(move |c| (row, c)));
            assert!(!spec.may_touch && other < ship && is_of(ship, (row, column)));
            assert!(!is_of(other, (row, column)) && around.any(|cell| is_of(other, cell)));
        }
    }
}
