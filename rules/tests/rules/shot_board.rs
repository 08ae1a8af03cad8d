//! The text of the shot board, by the games in `data/shot_board.txt`. Laws for any input are in `fuzz/laws`.

use arena_rules::battleship::shot_board::{ClassicShip, ShipKind, ShotBoard, Sunken};
use arena_rules::battleship::{Fleet, FleetSpec, Ruleset};
use arena_rules::{Coord, Direction, Placement, Size};

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
            (other, _) => panic!("{sentence}: no fleet begins with {other}"),
        }
    }
}

fn check<S: ShipKind>(sentence: &str, lines: &str, mut shooting: Shooting<S>) {
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

/// Records on a board that the shot at a cell sank a ship, by its index in the fleet and its length.
type Sink<S> = fn(&mut ShotBoard<S>, Coord, usize, u8);

/// A fleet, and the board of the shots at it.
struct Shooting<S> {
    fleet: Fleet,
    /// The number of cells of each ship that have not been hit.
    left: Vec<usize>,
    board: ShotBoard<S>,
    sink: Sink<S>,
}

fn classic_ship(board: &mut ShotBoard, at: Coord, index: usize, _: u8) {
    board.sank(at, ClassicShip::ALL[index]);
}

fn sunken(board: &mut ShotBoard<Sunken>, at: Coord, _: usize, length: u8) {
    board.sank_length(at, length);
}

impl<S: ShipKind> Shooting<S> {
    fn new(lengths: &[u8], size: Size, placements: &str, sink: Sink<S>) -> Self {
        let spec = FleetSpec { size, lengths: lengths.to_vec(), may_touch: true };
        let placements: Vec<_> = placements.split(' ').map(placement).collect();
        let fleet = Fleet::parse(&spec, &placements).unwrap();
        let left = fleet.ships().iter().map(|ship| ship.length().into()).collect();
        Self { board: ShotBoard::new(size), fleet, left, sink }
    }

    fn shoot(&mut self, at: Coord) {
        let Some(ship) = self.fleet.ship_index(at) else { return self.board.miss(at) };
        self.left[ship] -= 1;
        if self.left[ship] > 0 {
            return self.board.hit(at);
        }
        let length = self.fleet.ships()[ship].length();
        (self.sink)(&mut self.board, at, ship, length);
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
