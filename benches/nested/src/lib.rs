//! For benchmarks only: a bot behind a contract with boards as nested lists of enums, the obvious first design.
//!
//! Each bot in `examples` is a component. It also exports the arena's contract, because the house bot that it is made of
//! does; the benchmark does not call that.
#![warn(missing_docs)]

use arena_sdk::battleship::{Bot, Game, Mark, OwnCell, View};
use arena_sdk::{Coord, Direction, Grid, Placement, Size};

pub use generated::export_component;
pub use generated::exports::bench::nested::bot as wit;

/// The code that `wit-bindgen` generates from the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
pub mod generated {
    wit_bindgen::generate!({
        path: "wit",
        world: "nested-bot",
        pub_export_macro: true,
        export_macro_name: "export_component",
        default_bindings_module: "arena_bench_nested::generated",
    });
}

/// Exports a bot behind the contract with nested lists.
#[macro_export]
macro_rules! export {
    ($bot:ty) => {
        // For WebAssembly only, as in the SDK.
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code, missing_docs)]
        const _: () = {
            ::std::thread_local! {
                static BOT: ::std::cell::RefCell<$bot> = ::std::default::Default::default();
            }

            struct Component;

            impl $crate::wit::Guest for Component {
                fn deploy(game: $crate::wit::Game) -> ::std::vec::Vec<$crate::wit::Placement> {
                    BOT.with_borrow_mut(|bot| $crate::deploy(bot, game))
                }

                fn play(
                    game: $crate::wit::Game,
                    view: $crate::wit::View,
                ) -> ::std::option::Option<$crate::wit::Coord> {
                    BOT.with_borrow_mut(|bot| $crate::play(bot, game, view))
                }
            }

    $crate::export_component!(Component with_types_in $crate::generated);
        };
    };
}

/// The export `deploy`.
pub fn deploy<B: Bot>(bot: &mut B, game: wit::Game) -> Vec<wit::Placement> {
    bot.deploy(&game.into()).into_iter().map(Into::into).collect()
}

/// The export `play`.
pub fn play<B: Bot>(bot: &mut B, game: wit::Game, view: wit::View) -> Option<wit::Coord> {
    let game = Game::from(game);
    let cells = |rows: Vec<Vec<wit::OwnCell>>| rows.into_iter().flatten().map(OwnCell::from).collect();
    let marks = |rows: Vec<Vec<wit::Mark>>| rows.into_iter().flatten().map(Mark::from).collect();
    let view = View {
        turn: view.turn,
        board: Grid::from_cells(game.size, cells(view.board)),
        attacks: Grid::from_cells(game.size, marks(view.attacks)),
        last_spot: view.last_spot.map(Coord::from),
        my_last: view.my_last.map(Coord::from),
        retry: view.retry,
        ships_remaining: view.ships_remaining,
    };
    bot.play(&game, &view).map(Into::into)
}

impl From<wit::Game> for Game {
    fn from(game: wit::Game) -> Self {
        let wit::Game { width, height, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed } =
            game;
        let size = Size::new(width, height);
        Self { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed }
    }
}

impl From<wit::Coord> for Coord {
    fn from(at: wit::Coord) -> Self {
        Self::new(at.row, at.column)
    }
}

impl From<Coord> for wit::Coord {
    fn from(at: Coord) -> Self {
        Self { row: at.row, column: at.column }
    }
}

impl From<Placement> for wit::Placement {
    fn from(placement: Placement) -> Self {
        let direction = match placement.direction {
            Direction::North => wit::Direction::North,
            Direction::East => wit::Direction::East,
            Direction::South => wit::Direction::South,
            Direction::West => wit::Direction::West,
        };
        Self { anchor: placement.anchor.into(), direction }
    }
}

impl From<wit::OwnCell> for OwnCell {
    fn from(cell: wit::OwnCell) -> Self {
        match cell {
            wit::OwnCell::Water => Self::Water,
            wit::OwnCell::Ship => Self::Ship,
            wit::OwnCell::Missed => Self::Missed,
            wit::OwnCell::Hit => Self::Hit,
        }
    }
}

impl From<wit::Mark> for Mark {
    fn from(mark: wit::Mark) -> Self {
        match mark {
            wit::Mark::Unknown => Self::Unknown,
            wit::Mark::Miss => Self::Miss,
            wit::Mark::Hit => Self::Hit,
        }
    }
}
