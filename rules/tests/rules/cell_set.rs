//! Sets of cells against sets of the standard library, on boards of all sizes.

use arena_rules::{CellSet, Coord, Direction, Placement, SIDE_MAX, Size, Ways, for_board, random};
use rand::RngExt;
use std::collections::BTreeSet;

/// Calls a check with each size of a board, and the number of words of its sets.
macro_rules! on_all_boards {
    ($check:ident) => {
        for width in 1..=SIDE_MAX {
            for height in 1..=SIDE_MAX {
                let size = Size::new(width, height);
                for_board!(size, WORDS => $check::<WORDS>(size));
            }
        }
    };
}

/// Random sets of cells of a board, always the same for a size: without cells, with few, with many and with all.
fn samples(size: Size) -> Vec<BTreeSet<Coord>> {
    let mut rng = random::seeded(u64::from(size.width) * 100 + u64::from(size.height));
    let shares = [0, 10, 60, 100];
    shares.map(|share| size.coords().filter(|_| rng.random_range(0..100) < share).collect()).to_vec()
}

fn set<const WORDS: usize>(cells: &BTreeSet<Coord>) -> CellSet<WORDS> {
    cells.iter().copied().collect()
}

/// Checks that a set has these cells, through each of its methods.
#[track_caller]
fn check<const WORDS: usize>(set: CellSet<WORDS>, expected: &BTreeSet<Coord>) {
    assert!(set.iter().eq(expected.iter().copied()), "{set:?} instead of {expected:?}");
    assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
    assert_eq!(set.first(), expected.first().copied());
}

fn operators<const WORDS: usize>(size: Size) {
    let samples = samples(size);
    for (one, other) in samples.iter().flat_map(|one| samples.iter().map(move |other| (one, other))) {
        let [left, right] = [one, other].map(set::<WORDS>);
        check(left | right, &(one | other));
        check(left & right, &(one & other));
        check(left - right, &(one - other));
        assert_eq!(left == right, one == other);
        assert_eq!(left.is_subset(right), one.is_subset(other));
        assert_eq!(left.is_disjoint(right), one.is_disjoint(other));
    }
}

#[test]
fn union_intersection_and_difference_are_those_of_the_standard_library() {
    on_all_boards!(operators);
}

fn moves<const WORDS: usize>(size: Size) {
    let board = CellSet::<WORDS>::board(size);
    check(board, &size.coords().collect());
    for cells in samples(size) {
        let set = set::<WORDS>(&cells);
        for direction in Direction::ALL {
            let moved = cells.iter().filter_map(|&at| size.step(at, direction, 1)).collect();
            check(set.shift(direction, board), &moved);
        }
        let near = cells.iter().flat_map(|&at| size.edge_neighbours(at)).collect();
        check(set.edge_neighbours(board), &near);
        let is_diagonal = |one: Coord, other: Coord| one.row != other.row && one.column != other.column;
        let corners = |&at: &Coord| size.neighbours(at).filter(move |&near| is_diagonal(at, near));
        check(set.corner_neighbours(board), &cells.iter().flat_map(corners).collect());
        let mut halo: BTreeSet<Coord> = cells.iter().flat_map(|&at| size.neighbours(at)).collect();
        halo.extend(&cells);
        check(set.halo(board), &halo);
        check(set.halo(board - set), &(&halo - &cells));
    }
}

#[test]
fn sets_move_and_grow_to_the_edges_of_any_board_and_no_further() {
    on_all_boards!(moves);
}

fn spreading<const WORDS: usize>(size: Size) {
    for cells in samples(size) {
        let (start, within) = (size.coord(size.cells() / 2), set::<WORDS>(&cells));
        let mut reached = BTreeSet::from([start]);
        let mut new = vec![start];
        while let Some(at) = new.pop() {
            new.extend(
                size.edge_neighbours(at).filter(|&near| cells.contains(&near) && reached.insert(near)),
            );
        }
        check(CellSet::<WORDS>::of(start).spread(within), &reached);
    }
}

#[test]
fn a_set_spreads_as_far_as_steps_to_neighbours_lead() {
    on_all_boards!(spreading);
}

fn lines<const WORDS: usize>(size: Size) {
    for cells in samples(size) {
        let set = set::<WORDS>(&cells);
        for (length, direction) in
            [1, 2, 5, 32].into_iter().flat_map(|length| Direction::ALL.map(|to| (length, to)))
        {
            let lies_in = |&at: &Coord| {
                (0..length).all(|steps| size.step(at, direction, steps).is_some_and(|at| cells.contains(&at)))
            };
            check(set.anchors(length, direction), &size.coords().filter(lies_in).collect());
            for at in size.coords().step_by(7) {
                let placement = Placement::new(at, direction);
                assert_eq!(set.contains_ship(placement, length), lies_in(&at), "{placement:?} in {set:?}");
                let ship = CellSet::<WORDS>::ship(placement, length) & CellSet::board(size);
                check(ship, &(0..length).filter_map(|steps| size.step(at, direction, steps)).collect());
            }
        }
    }
}

fn ways<const WORDS: usize>(size: Size) {
    for cells in samples(size) {
        let set = set::<WORDS>(&cells);
        for length in [1, 2, 5] {
            let directions = [Direction::East, Direction::South].into_iter().take(length.into());
            let placements = directions.flat_map(|direction| size.coords().map(move |at| (at, direction)));
            let ships = placements.map(|(at, direction)| Placement::new(at, direction));
            let fitting = ships.filter(|&ship| set.contains_ship(ship, length));
            assert!(
                set.ways(length).eq(fitting.map(|ship| CellSet::ship(ship, length))),
                "{length} in {set:?}"
            );
        }
        assert_eq!(set.ways(0).count(), 0);
    }
}

#[test]
fn the_ways_of_a_ship_in_a_set_are_those_that_lie_in_it() {
    on_all_boards!(ways);
}

#[test]
fn ships_lie_in_a_set_where_all_their_cells_do() {
    on_all_boards!(lines);
}

fn numbers<const WORDS: usize>(size: Size) {
    for cells in samples(size) {
        let set = set::<WORDS>(&cells);
        assert_eq!(set.iter().fold(0, |count, at| count + usize::from(cells.contains(&at))), cells.len());
        let sorted: Vec<Coord> = cells.iter().copied().collect();
        for number in (0..=sorted.len()).step_by(3) {
            assert_eq!(set.nth(number), sorted.get(number).copied());
            let mut rest = set.iter();
            assert_eq!(
                (rest.nth(number), rest.len()),
                (set.nth(number), sorted.len().saturating_sub(number + 1))
            );
            assert!(rest.eq(sorted.iter().copied().skip(number + 1)), "after {number} of {set:?}");
        }
    }
}

#[test]
fn a_cell_is_found_by_its_number() {
    on_all_boards!(numbers);
}

fn changes<const WORDS: usize>(size: Size) {
    let mut set = CellSet::<WORDS>::EMPTY;
    let mut expected = BTreeSet::new();
    let mut rng = random::seeded(1);
    for _ in 0..50 {
        let at = size.coord(rng.random_range(0..size.cells()));
        assert_eq!(set.contains(at), expected.contains(&at));
        if rng.random_range(0..3) == 0 {
            assert_eq!(set.remove(at), expected.remove(&at));
        } else {
            assert_eq!(set.insert(at), expected.insert(at));
        }
    }
    check(set, &expected);
    let bits = |row: u8| expected.iter().filter(|at| at.row == row).map(|at| 1 << at.column).sum();
    assert_eq!(CellSet::from_rows((0..size.height).map(bits)), set);
    let values: Vec<bool> = size.coords().map(|at| expected.contains(&at)).collect();
    assert_eq!(CellSet::from_values(size, &values, |&is_in| is_in), set);
}

#[test]
fn cells_come_and_go_one_by_one_or_as_a_board() {
    on_all_boards!(changes);
}

fn tables<const WORDS: usize>(size: Size) {
    for length in [1, 2, 5, 20] {
        let ways = Ways::<WORDS>::new(size, length);
        let directions = [Direction::East, Direction::South].into_iter().take(length.into());
        let mut expected = BTreeSet::new();
        for (at, direction) in directions.flat_map(|direction| size.coords().map(move |at| (at, direction))) {
            let ship: Vec<Coord> = (0..length).map_while(|steps| size.step(at, direction, steps)).collect();
            if ship.len() == usize::from(length) {
                expected.insert(ship);
            }
        }
        let listed: Vec<Vec<Coord>> = ways.all().iter().map(|way| way.iter().collect()).collect();
        assert_eq!(listed.len(), expected.len());
        assert_eq!(BTreeSet::from_iter(listed), expected);
        for at in size.coords().step_by(5) {
            let over: Vec<_> = ways.over(at).collect();
            assert!(
                ways.all().iter().filter(|way| way.contains(at)).eq(over),
                "{length} over {at} of {size}"
            );
        }
        assert_eq!(ways.over(Coord::new(size.height, 0)).count(), 0);
    }
}

#[test]
fn a_table_has_each_way_of_a_ship_once_and_finds_those_over_a_cell() {
    on_all_boards!(tables);
}

#[test]
fn a_cell_that_no_board_of_the_set_has_is_never_in_it() {
    let mut set = CellSet::<2>::board(Size::new(10, 10));
    for at in [Coord::new(0, 10), Coord::new(10, 0), Coord::new(255, 255)] {
        assert!(!set.contains(at) && !set.remove(at), "{at}");
        assert!(!set.contains_ship(Placement::new(at, Direction::North), 1), "{at}");
        assert!(std::panic::catch_unwind(|| CellSet::<2>::of(at)).is_err(), "{at}");
    }
    assert_eq!(set.len(), 100);
    assert!(std::panic::catch_unwind(|| CellSet::<2>::board(Size::new(11, 3))).is_err());
    assert!(std::panic::catch_unwind(|| CellSet::<2>::board(Size::new(3, 11))).is_err());
}

#[test]
fn a_set_prints_its_cells() {
    let set: CellSet = [Coord::new(2, 3), Coord::new(0, 1)].into_iter().collect();
    assert_eq!(format!("{set:?}"), "{(0, 1), (2, 3)}");
}
