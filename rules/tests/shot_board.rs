//! The shot board: its text, by games written down in `data/shot_board.txt`, and the laws that make it worth trusting.

use arena_rules::shot_board::{ClassicShip, ShipKind, Shot, ShotBoard, Sunken};
use arena_rules::{Coord, Direction, Fleet, FleetSpec, Placement, Ruleset, Size, random, scatter};
use proptest::prelude::*;
use rand::seq::SliceRandom;

#[test]
fn every_board_in_the_file_shows_what_is_written() {
    let games = std::fs::read_to_string("tests/data/shot_board.txt").unwrap();
    let games: Vec<_> = games.split("\n## ").skip(1).collect();
    assert!(games.len() > 5);
    for game in games {
        let (sentence, lines) = game.split_once('\n').unwrap();
        let (fleet, lines) = lines.split_once('\n').unwrap();
        match fleet.split_once(' ').unwrap() {
            ("fleet", placements) => {
                let rules = Ruleset::classic();
                check(sentence, lines, Shooting::new(&rules.fleet, rules.size(), placements, classic_ship));
            }
            ("lengths", fleet) => {
                let (lengths, placements) = fleet.split_once(", ").unwrap();
                let lengths: Vec<u8> = lengths.split(' ').map(|length| length.parse().unwrap()).collect();
                check(sentence, lines, Shooting::new(&lengths, Size::new(5, 4), placements, sunken));
            }
            (other, _) => panic!("{sentence}: {other} begins no fleet"),
        }
    }
}

fn check<S: ShipKind + std::fmt::Debug>(sentence: &str, lines: &str, mut shooting: Shooting<S>) {
    for step in lines.split("\n\n").flat_map(|lines| lines.split_inclusive("shows\n")) {
        match step.lines().next() {
            Some(line) if line.starts_with("shots ") || line == "shows" => {
                for word in line.split(' ').skip(1) {
                    shooting.shoot(coord(word));
                }
            }
            Some(_) => assert_eq!(shooting.board.to_string().trim_end(), step.trim_end(), "{sentence}"),
            None => {}
        }
    }
}

/// Shots at a fleet, and what they teach.
struct Shooting<S> {
    fleet: Fleet,
    left: Vec<usize>,
    /// The ships by index, as the board names them once they are sunk.
    sunk: Vec<Option<S>>,
    board: ShotBoard<S>,
    /// How the board is told that the ship with an index sank.
    sink: fn(&mut ShotBoard<S>, Coord, usize, u8) -> S,
}

fn classic_ship(board: &mut ShotBoard, at: Coord, index: usize, _: u8) -> ClassicShip {
    board.sank(at, ClassicShip::ALL[index]);
    ClassicShip::ALL[index]
}

fn sunken(board: &mut ShotBoard<Sunken>, at: Coord, _: usize, length: u8) -> Sunken {
    board.sank_length(at, length)
}

impl<S: ShipKind + std::fmt::Debug> Shooting<S> {
    fn new(
        lengths: &[u8],
        size: Size,
        placements: &str,
        sink: fn(&mut ShotBoard<S>, Coord, usize, u8) -> S,
    ) -> Self {
        let spec = FleetSpec { size, lengths: lengths.to_vec(), may_touch: true };
        let placements: Vec<_> = placements.split(' ').map(placement).collect();
        Self::at(Fleet::parse(&spec, &placements).unwrap(), sink)
    }

    fn at(fleet: Fleet, sink: fn(&mut ShotBoard<S>, Coord, usize, u8) -> S) -> Self {
        let left: Vec<usize> = fleet.ships().iter().map(|ship| ship.cells.len()).collect();
        Self { board: ShotBoard::new(fleet.size()), sunk: vec![None; left.len()], fleet, left, sink }
    }

    fn shoot(&mut self, at: Coord) {
        let Some(ship) = self.fleet.ship_index(at) else { return self.board.miss(at) };
        self.left[ship] -= 1;
        if self.left[ship] > 0 {
            return self.board.hit(at);
        }
        let length = self.fleet.ships()[ship].length();
        self.sunk[ship] = Some((self.sink)(&mut self.board, at, ship, length));
    }

    /// Shoots at cells in an order, and checks after each shot that the board says nothing that is not so.
    fn check_laws(mut self, shots: &[Coord]) {
        for (count, &at) in shots.iter().enumerate() {
            self.shoot(at);
            self.check_cells(&shots[..=count]);
            self.check_sunk_ships();
        }
    }

    fn check_cells(&self, shots: &[Coord]) {
        for (at, known) in self.board.cells() {
            let ship = self.fleet.ship_index(at);
            match known {
                Shot::Unshot => assert!(!shots.contains(&at), "{at} was shot at"),
                Shot::Miss => assert!(shots.contains(&at) && ship.is_none(), "{at} is no miss"),
                Shot::Hit => assert!(shots.contains(&at) && ship.is_some(), "{at} is no hit"),
                Shot::Sunk(named) => {
                    assert!(shots.contains(&at));
                    assert_eq!(self.sunk[ship.unwrap()], Some(named), "{at} is not of that ship");
                }
            }
        }
    }

    fn check_sunk_ships(&self) {
        let possible: Vec<_> = self.board.possible().collect();
        let mut open = 0;
        for (ship, named) in self.fleet.ships().iter().zip(&self.sunk) {
            let Some(named) = named else { continue };
            let ways: Vec<_> = possible.iter().filter(|way| way.ship == *named).collect();
            open += ways.len();
            if ways.is_empty() {
                let settled = |&at: &Coord| self.board.cell(at) == Shot::Sunk(*named);
                assert!(ship.cells.iter().all(settled), "{named:?} has no way left, and is not settled");
            } else {
                assert!(ways.len() > 1, "{named:?} has one way left and is not settled");
                let mut cells = ship.cells.clone();
                cells.sort_unstable();
                let is_true = ways.iter().any(|way| way.cells().eq(cells.iter().copied()));
                assert!(is_true, "the way in which {named:?} lies is among those that are possible");
            }
        }
        assert_eq!(open, possible.len(), "only ships that are sunk have ways");
    }
}

/// All cells of a board in a random order.
fn shots(size: Size, seed: u64) -> Vec<Coord> {
    let mut shots: Vec<Coord> = size.coords().collect();
    shots.shuffle(&mut random::seeded(seed));
    shots
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_classic_board_that_is_told_the_truth_says_nothing_that_is_not_so(seed: u64) {
        let rules = Ruleset::classic();
        let fleet = scatter(&FleetSpec::of(&rules), &mut random::seeded(seed)).unwrap();
        Shooting::at(fleet, classic_ship).check_laws(&shots(rules.size(), seed));
    }

    /// On small boards full of ships nearly everything touches.
    #[test]
    fn a_board_that_is_told_only_lengths_says_nothing_that_is_not_so(
        seed: u64,
        width in 1u8..8,
        height in 1u8..8,
        lengths in prop::collection::vec(1u8..5, 1..7),
        may_touch: bool,
    ) {
        let spec = FleetSpec { size: Size::new(width, height), lengths, may_touch };
        let Some(fleet) = scatter(&spec, &mut random::seeded(seed)) else { return Ok(()) };
        Shooting::at(fleet, sunken).check_laws(&shots(spec.size, seed));
    }

    /// What it says is meaningless, but it says something.
    #[test]
    fn a_board_that_is_told_lies_does_not_panic(
        told in prop::collection::vec(((0u8..6, 0u8..5), 0u8..7), 0..60),
    ) {
        let mut board = ShotBoard::<Sunken>::new(Size::new(5, 6));
        for (at, what) in told {
            match what {
                0 => board.miss(at.into()),
                1 => board.hit(at.into()),
                length => drop(board.sank_length(at.into(), length)),
            }
        }
        prop_assert!(board.to_strings().len() >= 14);
    }
}

#[test]
fn the_classic_ships_are_the_classic_fleet_in_its_order() {
    assert_eq!(ClassicShip::ALL.map(ShipKind::length).as_slice(), Ruleset::classic().fleet);
    assert_eq!(ClassicShip::ALL.map(ShipKind::symbol), ['C', 'B', 'S', 'D', 'P']);
    assert_eq!(ShotBoard::classic().size(), Ruleset::classic().size());
}

fn coord(word: &str) -> Coord {
    let letters = word.as_bytes();
    Coord::new(letters[0] - b'a', letters[1] - b'a')
}

fn placement(word: &str) -> Placement {
    let direction = if word.ends_with('h') { Direction::East } else { Direction::South };
    Placement::new(coord(word), direction)
}
