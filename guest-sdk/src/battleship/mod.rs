//! The Battleship games: everything for a bot that plays by the rules `guide`, `classic`, `pirates`, or one's own.

pub mod bindings;
mod game;
mod lookout;
pub mod practice;

#[doc(inline)]
pub use crate::__export_battleship as export;
pub use arena_rules::{Mark, OwnCell};
pub use game::{Game, View};
pub use lookout::Lookout;

use arena_rules::{Coord, Placement};

/// A Battleship bot.
///
/// One value plays one game: it is made with [`Default`] before the first call, and what it remembers stays between the
/// calls. Treat that memory as a cache and never as the truth: a bot that overran its budget goes on as a fresh value,
/// in the middle of the game. Whatever is needed to go on is in [`Game`] and [`View`], so the safest bot is a function
/// of them.
pub trait Bot: Default + 'static {
    /// The name that people are shown, cut to 64 characters.
    const NAME: &'static str;

    /// Where the fleet lies: one placement for each length in `game.fleet`, in that order.
    ///
    /// It is called once, before the first turn, unless the rules place the fleets themselves. Without a `deploy` of its
    /// own, a bot's fleet is a legal random one, another in each game.
    fn deploy(&mut self, game: &Game) -> Vec<Placement> {
        game.random_fleet(&mut game.rng(0))
    }

    /// The next shot, or `None` to skip the turn.
    ///
    /// A shot at a cell of `view.targets()` is legal under all rules. Other answers are asked for again under some
    /// rules, and lose the game under others, and so does skipping.
    fn play(&mut self, game: &Game, view: &View) -> Option<Coord>;
}

/// Makes the crate a bot: exports a type that implements [`Bot`] as the component's `arena:battleship/bot`.
///
/// Once in a crate, with `crate-type = ["cdylib"]`. In a native build, as for `cargo test`, it only checks that the type
/// is a bot.
#[doc(hidden)]
#[macro_export]
macro_rules! __export_battleship {
    ($bot:ty) => {
        const _: fn() = $crate::battleship::bindings::assert_bot::<$bot>;

        // Only here: the exported names hold an `@`, which native linkers take for the version of a symbol.
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code, missing_docs)]
        const _: () = {
            use $crate::battleship::bindings::{self, wit};

            ::std::thread_local! {
                static BOT: ::std::cell::RefCell<$bot> = ::std::default::Default::default();
            }

            struct Component;

            impl wit::Guest for Component {
                fn name() -> ::std::string::String {
                    bindings::name::<$bot>()
                }

                fn deploy(game: wit::Game) -> ::std::vec::Vec<wit::Placement> {
                    BOT.with_borrow_mut(|bot| bindings::deploy(bot, game))
                }

                fn play(game: wit::Game, view: wit::View) -> ::std::option::Option<wit::Coord> {
                    BOT.with_borrow_mut(|bot| bindings::play(bot, game, view))
                }
            }

    bindings::export_component!(Component with_types_in bindings::generated);
        };
    };
}
