//! Submarine: ships of one cell that move and shoot from where they are, on a board of 5 by 5.
//!
//! Each side has a battleship, a cruiser and a submarine, with 3, 2 and 1 hit points. A turn is an attack on a cell within
//! one step of an own ship, diagonals included, or a move of one ship along its row or column, over any distance. Both
//! sides are told what came of it: whether a ship was hit and which ones lie beside the cell, or how far a ship went, but
//! not from where. An action that is not legal loses at once, and so does a turn over its budget.
//!
//! A bot is made as for Battleship. Two lines are other ones, what is used and what is exported, besides what it plays:
//!
//! ```
//! use arena_sdk::submarine::{Action, Bot, Game, View};
//!
//! /// Attacks where it can.
//! #[derive(Default)]
//! struct MyBot;
//!
//! impl Bot for MyBot {
//!     const NAME: &'static str = "my bot";
//!
//!     fn play(&mut self, game: &Game, view: &View) -> Action {
//!         let target = game.rng(view.turn).pick(view.reach());
//!         Action::Attack(target.expect("a ship is afloat, and reaches its own cell at least"))
//!     }
//! }
//!
//! arena_sdk::submarine::export!(MyBot);
//!
//! // Against itself, with no WebAssembly in sight:
//! let score = arena_sdk::submarine::practice::play::<MyBot, MyBot>(20, 7)?;
//! println!("{score}");
//! assert_eq!(score.wins + score.draws + score.losses, 20);
//! # Ok::<(), arena_sdk::submarine::practice::Foul>(())
//! ```
//!
//! What follows from the reports, the [`Tracker`] knows: it holds every position that the enemy may have.

pub mod bindings;
mod game;
pub mod practice;

#[doc(inline)]
pub use crate::__export_submarine as export;
pub use arena_rules::submarine::{Action, EnemyShip, Illegal, OwnShip, Report, SIZE, Ship, Tracker};
pub use game::{Game, View};

use arena_rules::Coord;

/// A submarine bot.
///
/// One value plays one game: it is made with [`Default`] before the first call, and what it remembers stays to the end.
/// There is no second chance in this game, so that memory is never lost on the way.
pub trait Bot: Default + 'static {
    /// The name that people are shown, cut to 64 characters.
    const NAME: &'static str;

    /// Where the battleship, the cruiser and the submarine begin, each on a cell of its own.
    ///
    /// It is called once, before the first turn. Without a `deploy` of its own, a bot's ships begin on random cells,
    /// others in each game.
    fn deploy(&mut self, game: &Game) -> [Coord; 3] {
        game.random_positions(&mut game.rng(0))
    }

    /// The next action: one of `view.legal_actions()`. Any other loses the game.
    fn play(&mut self, game: &Game, view: &View) -> Action;
}

/// Makes the crate a bot: exports a type that implements [`Bot`] as the component's `arena:submarine/bot`.
///
/// Once in a crate, with `crate-type = ["cdylib"]`. In a native build, as for `cargo test`, it only checks that the type
/// is a bot.
#[doc(hidden)]
#[macro_export]
macro_rules! __export_submarine {
    ($bot:ty) => {
        const _: fn() = $crate::submarine::bindings::assert_bot::<$bot>;

        // Only here: the exported names hold an `@`, which native linkers take for the version of a symbol.
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code, missing_docs)]
        const _: () = {
            use $crate::submarine::bindings::{self, wit};

            ::std::thread_local! {
                static BOT: ::std::cell::RefCell<$bot> = ::std::default::Default::default();
            }

            struct Component;

            impl wit::Guest for Component {
                fn name() -> ::std::string::String {
                    bindings::name::<$bot>()
                }

                fn deploy(game: wit::Game) -> wit::Positions {
                    BOT.with_borrow_mut(|bot| bindings::deploy(bot, game))
                }

                fn play(game: wit::Game, view: wit::View) -> wit::Action {
                    BOT.with_borrow_mut(|bot| bindings::play(bot, game, view))
                }
            }

    bindings::export_submarine_component!(Component with_types_in bindings::generated);
        };
    };
}
