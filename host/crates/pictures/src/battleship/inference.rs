//! Conclusions from a side's knowledge of the other's board, cell by cell.

use arena_rules::battleship::Ruleset;
use arena_rules::battleship::shot_board::{Shot, ShotBoard, Sunken};
use arena_rules::{Coord, Direction, Size};

/// The cells that no ship can lie on, though they were not shot at.
///
/// There are two kinds of conclusion, both certain. If ships may not touch, no ship lies at the corner of a hit, next to
/// a ship that is sunk, or at the ends of a row of hits as long as the longest ship. And no ship lies on a cell if even
/// the shortest one does not fit over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    size: Size,
    empty: Vec<bool>,
}

impl Inference {
    /// The conclusions from a shot board. `afloat` has the lengths of the ships that may still be afloat, as far as the side
    /// knows: the whole fleet if sinkings are not announced.
    pub fn new(rules: &Ruleset, board: &ShotBoard<Sunken>, afloat: &[u8]) -> Self {
        let size = board.size();
        let mut inference = Self { size, empty: vec![false; size.cells()] };
        if !rules.may_touch {
            inference.keep_apart(board, rules.fleet.iter().copied().max().unwrap_or(0));
        }
        if let Some(shortest) = afloat.iter().copied().min() {
            inference.leave_room(board, shortest);
        }
        inference
    }

    /// True if the cell was not shot at and no ship can lie on it.
    pub fn is_empty(&self, at: Coord) -> bool {
        self.size.index(at).is_some_and(|index| self.empty[index])
    }

    fn keep_apart(&mut self, board: &ShotBoard<Sunken>, longest: u8) {
        let size = self.size;
        for (at, shot) in board.cells() {
            let is_sunk = matches!(shot, Shot::Sunk(_));
            if !is_sunk && shot != Shot::Hit {
                continue;
            }
            for neighbour in size.neighbours(at) {
                let is_corner = neighbour.row != at.row && neighbour.column != at.column;
                if is_corner || (is_sunk && self.is_settled(board, at)) {
                    self.mark(board, neighbour);
                }
            }
            for direction in [Direction::East, Direction::South] {
                let run = |steps| {
                    size.step(at, direction, steps)
                        .filter(|&next| matches!(board.cell(next), Shot::Hit | Shot::Sunk(_)))
                };
                if longest > 0 && (0..longest).all(|steps| run(steps).is_some()) {
                    let opposite =
                        if direction == Direction::East { Direction::West } else { Direction::North };
                    let ends = [size.step(at, opposite, 1), size.step(at, direction, longest)];
                    ends.into_iter().flatten().for_each(|end| self.mark(board, end));
                }
            }
        }
    }

    /// True if the sunk ship on a cell is settled: it can lie in only one way, so each of its cells is known.
    fn is_settled(&self, board: &ShotBoard<Sunken>, at: Coord) -> bool {
        let Shot::Sunk(ship) = board.cell(at) else { return false };
        board.possible().all(|way| way.ship != ship)
    }

    /// Marks the cells that no ship of a length fits over.
    fn leave_room(&mut self, board: &ShotBoard<Sunken>, length: u8) {
        let size = self.size;
        let open = |index: usize| {
            !self.empty[index] && matches!(board.cell(size.coord(index)), Shot::Unshot | Shot::Hit)
        };
        let mut has_room = vec![false; size.cells()];
        for at in size.coords() {
            for direction in [Direction::East, Direction::South] {
                let cells: Option<Vec<usize>> = (0..length)
                    .map(|steps| size.index(size.step(at, direction, steps)?).filter(|&cell| open(cell)))
                    .collect();
                for cell in cells.into_iter().flatten() {
                    has_room[cell] = true;
                }
            }
        }
        for (index, has_room) in has_room.into_iter().enumerate() {
            if !has_room {
                self.mark(board, size.coord(index));
            }
        }
    }

    fn mark(&mut self, board: &ShotBoard<Sunken>, at: Coord) {
        if let Some(index) = self.size.index(at)
            && board.cell(at) == Shot::Unshot
        {
            self.empty[index] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::{FleetSpec, Ship, scatter};
    use arena_rules::random;
    use proptest::prelude::*;

    /// The board as text: `-` empty by inference, `o` a miss, `X` a hit, `#` sunk, `·` open.
    fn text(inference: &Inference, board: &ShotBoard<Sunken>) -> Vec<String> {
        let glyph = |(at, shot)| match shot {
            Shot::Unshot if inference.is_empty(at) => '-',
            Shot::Unshot => '·',
            Shot::Miss => 'o',
            Shot::Hit => 'X',
            Shot::Sunk(_) => '#',
        };
        let cells: Vec<char> = board.cells().map(glyph).collect();
        cells.chunks(board.size().width.into()).map(|row| row.iter().collect()).collect()
    }

    fn rules(fleet: &[u8], may_touch: bool) -> Ruleset {
        Ruleset { fleet: fleet.to_vec(), may_touch, ..Ruleset::guide() }.with_size(Size::new(6, 5))
    }

    #[test]
    fn no_ship_lies_at_the_corner_of_a_hit_or_at_the_ends_of_the_longest_ship() {
        let mut board = ShotBoard::new(Size::new(6, 5));
        for (row, column) in [(1, 2), (2, 2), (3, 5)] {
            board.hit(Coord::new(row, column));
        }
        let inference = Inference::new(&rules(&[2, 1], false), &board, &[2, 1]);
        assert_eq!(text(&inference, &board), ["·---··", "·-X-··", "·-X--·", "·---·X", "····-·"]);
    }

    #[test]
    fn no_ship_lies_next_to_a_sunk_one() {
        let mut board = ShotBoard::new(Size::new(6, 5));
        board.hit(Coord::new(1, 1));
        board.sank_length(Coord::new(1, 2), 2);
        let inference = Inference::new(&rules(&[3, 2, 1], false), &board, &[3, 1]);
        assert_eq!(text(&inference, &board), ["----··", "-##-··", "----··", "······", "······"]);
    }

    #[test]
    fn no_ship_lies_where_the_shortest_has_no_room() {
        let mut board = ShotBoard::new(Size::new(6, 5));
        for (row, column) in [(0, 1), (1, 0), (1, 1), (2, 5), (3, 3)] {
            board.miss(Coord::new(row, column));
        }
        let inference = Inference::new(&rules(&[3, 3], true), &board, &[3]);
        assert_eq!(text(&inference, &board), ["-o····", "oo····", "·····o", "···o·-", "······"]);
    }

    proptest! {
        #[test]
        fn a_cell_that_is_said_to_be_empty_is_so(seed in any::<u64>(), may_touch in any::<bool>(), announced in any::<bool>(), shots in 1usize..100) {
            let rules = Ruleset { may_touch, sinkings_announced: announced, ..Ruleset::guide() };
            let mut rng = random::seeded(seed);
            let fleet = scatter(&FleetSpec::of(&rules), &mut rng).unwrap();
            let mut board = ShotBoard::new(rules.size());
            let mut left: Vec<u8> = fleet.ships().iter().map(Ship::length).collect();
            // A walk through all cells whose step shares no factor with their number.
            for step in 0..shots {
                let at = rules.size().coord((seed as usize % 100 + step * 37) % 100);
                match fleet.ship_index(at) {
                    None => board.miss(at),
                    Some(ship) => {
                        left[ship] -= 1;
                        if left[ship] == 0 && announced {
                            board.sank_length(at, fleet.ships()[ship].length());
                        } else {
                            board.hit(at);
                        }
                    }
                }
                let afloat: Vec<u8> = fleet.ships().iter().zip(&left)
                    .filter(|&(_, &cells)| cells > 0 || !announced)
                    .map(|(ship, _)| ship.length())
                    .collect();
                let inference = Inference::new(&rules, &board, &afloat);
                for at in rules.size().coords().filter(|&at| inference.is_empty(at)) {
                    prop_assert_eq!(fleet.ship_index(at), None);
                    prop_assert_eq!(board.cell(at), Shot::Unshot);
                }
            }
        }
    }
}
