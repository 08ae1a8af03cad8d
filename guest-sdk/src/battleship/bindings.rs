//! Conversions between the generated types of the contract and those of the SDK. For the export macro only.
#![doc(hidden)]

use super::{Bot, Game, Mark, OwnCell, View};
use crate::glue::convert;
use arena_rules::{Coord, Direction, Placement, Size, battleship};
use bytemuck::CheckedBitPattern;
use std::mem::ManuallyDrop;

pub use generated::export_component;
pub use generated::exports::arena::battleship::bot as wit;

/// The code that `wit-bindgen` generates from the contract; a test in `tests/kit` compares them. It is kept here because compiling
/// the generator takes longer than the rest of a bot. It is in a separate module because its macro would clash at the crate's
/// root.
#[allow(missing_docs, unsafe_code, clippy::all)]
#[rustfmt::skip]
pub mod generated;

/// The result of the export `deploy`.
pub type Deployment = Vec<wit::Placement>;

/// The result of the export `play`.
pub type Answer = Option<wit::Coord>;

/// The export `deploy`.
pub fn deploy<B: Bot>(bot: &mut B, game: wit::Game) -> Deployment {
    bot.deploy(&game.into()).into_iter().map(Into::into).collect()
}

/// The export `play`.
pub fn play<B: Bot>(bot: &mut B, game: wit::Game, view: wit::View) -> Answer {
    let game = Game::from(game);
    let view = battleship::View {
        turn: view.turn,
        board: cells(view.board),
        attacks: cells(view.attacks),
        last_spot: view.last_spot.map(Into::into),
        my_last: view.my_last.map(Into::into),
        retry: view.retry,
        ships_remaining: view.ships_remaining,
    };
    let view = View::of(game.size, view);
    bot.play(&game, &view).map(Into::into)
}

/// A cell of a board. In the contract it is a byte.
trait Cell: CheckedBitPattern<Bits = u8> {
    /// Returns true if each of eight bytes is a cell.
    fn are(bytes: [u8; 8]) -> bool;
}

/// A byte in which bit 0 is set in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

impl Cell for OwnCell {
    fn are(bytes: [u8; 8]) -> bool {
        // 0 to 3.
        u64::from_le_bytes(bytes) & (ONES * 0xfc) == 0
    }
}

impl Cell for Mark {
    fn are(bytes: [u8; 8]) -> bool {
        let bytes = u64::from_le_bytes(bytes);
        // 0, 2 or 3: bit 0 is set only together with bit 1.
        bytes & (ONES * 0xfc) == 0 && bytes & !(bytes >> 1) & ONES == 0
    }
}

/// The cells of a board, in the memory that the arena has written them to.
///
/// # Panics
/// If a byte is not a cell. The arena sends no such bytes.
#[allow(unsafe_code)]
fn cells<T: Cell>(bytes: Vec<u8>) -> Vec<T> {
    // Eight at a time, since loops are slow in WebAssembly with fuel.
    let (eights, rest) = bytes.as_chunks();
    let are_cells = eights.iter().all(|&eight| T::are(eight)) && rest.iter().all(T::is_valid_bit_pattern);
    assert!(are_cells, "a board has a byte that is not a cell");
    let mut bytes = ManuallyDrop::new(bytes);
    // SAFETY: `T` has the size and the alignment of a byte, since its bits are one (`CheckedBitPattern`), and each byte
    // has just been found to be one of its values. The vector has given up its memory.
    unsafe { Vec::from_raw_parts(bytes.as_mut_ptr().cast(), bytes.len(), bytes.capacity()) }
}

impl From<wit::Game> for Game {
    fn from(game: wit::Game) -> Self {
        let wit::Game { width, height, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed } =
            game;
        let size = Size::new(width, height);
        Self { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed }
    }
}

convert!(struct wit::Coord => Coord { row, column });
convert!(struct Coord => wit::Coord { row, column });
convert!(enum Direction => wit::Direction { North, East, South, West });
convert!(struct Placement => wit::Placement { anchor, direction });

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    /// A bot that answers with its arguments, and counts its calls.
    #[derive(Default)]
    struct Echo {
        calls: u8,
    }

    impl Bot for Echo {
        const NAME: &'static str = "echo";

        fn deploy(&mut self, game: &Game) -> Vec<Placement> {
            vec![Placement::new(Coord::new(game.size.height, game.size.width), Direction::West)]
        }

        fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
            self.calls += 1;
            let hit = view.hits().next()?;
            Some(Coord::new(hit.row * 10 + hit.column, self.calls))
        }
    }

    fn game() -> wit::Game {
        wit::Game {
            width: 3,
            height: 2,
            fleet: vec![2],
            may_touch: false,
            sinkings_announced: true,
            turns_max: 24,
            fuel_per_turn: 1_000,
            seed: 9,
        }
    }

    #[test]
    fn boards_arrive_with_the_right_rows_and_columns() {
        let mut attacks = vec![0; 6];
        attacks[5] = 3;
        let view = || wit::View {
            turn: 1,
            board: vec![0; 6],
            attacks: attacks.clone(),
            last_spot: None,
            my_last: None,
            retry: false,
            ships_remaining: Some(vec![2]),
        };
        let mut bot = Echo::default();
        for calls in 1..=3 {
            let answer = play(&mut bot, game(), view()).unwrap();
            assert_eq!((answer.row, answer.column), (12, calls), "row 1, column 2; the bot's value stays");
        }
    }

    #[test]
    fn each_byte_of_the_contract_becomes_its_cell() {
        let bytes = [0, 1, 2, 3, 3, 2, 1, 0, 1, 3];
        let own = [OwnCell::Water, OwnCell::Ship, OwnCell::Missed, OwnCell::Hit];
        assert_eq!(cells::<OwnCell>(bytes.to_vec()), bytes.map(|byte| own[usize::from(byte)]));
        let bytes = [0, 2, 3, 0, 0, 3, 2, 2, 3, 0, 2];
        let marks = [Mark::Unknown, Mark::Unknown, Mark::Miss, Mark::Hit];
        assert_eq!(cells::<Mark>(bytes.to_vec()), bytes.map(|byte| marks[usize::from(byte)]));
        assert!(cells::<Mark>(Vec::new()).is_empty());
    }

    /// In each place of a board, so that both whole eights and the rest of a board are checked.
    #[test]
    fn a_byte_that_is_not_a_cell_is_rejected() {
        let is_refused = |take: fn(Vec<u8>), bytes: Vec<u8>| catch_unwind(|| take(bytes)).is_err();
        for place in 0..20 {
            for byte in 0..=u8::MAX {
                let mut bytes = vec![0; 20];
                bytes[place] = byte;
                let own = is_refused(|bytes| drop(cells::<OwnCell>(bytes)), bytes.clone());
                let mark = is_refused(|bytes| drop(cells::<Mark>(bytes)), bytes);
                assert_eq!((own, mark), (byte > 3, byte == 1 || byte > 3), "byte {byte} in place {place}");
            }
        }
    }

    #[test]
    fn a_deployment_is_returned_unchanged() {
        let fleet = deploy(&mut Echo::default(), game());
        assert_eq!(fleet.len(), 1);
        assert_eq!((fleet[0].anchor.row, fleet[0].anchor.column), (2, 3));
        assert_eq!(fleet[0].direction, wit::Direction::West);
    }
}
