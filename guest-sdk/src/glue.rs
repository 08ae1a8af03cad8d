//! The code between a bot and its component that is the same for all games.

/// Exports a bot of a game, whose module is named.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($bot:ty, $game:ident) => {
        const _: &str = <$bot as $crate::$game::Bot>::NAME;

        // For WebAssembly only: the exported names contain an `@`, which native linkers parse as the version of a
        // symbol.
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code, missing_docs)]
        const _: () = {
            use $crate::$game::bindings::{self, wit};

            ::std::thread_local! {
                static BOT: ::std::cell::RefCell<$bot> = ::std::default::Default::default();
            }

            struct Component;

            impl wit::Guest for Component {
                fn name() -> ::std::string::String {
                    <$bot as $crate::$game::Bot>::NAME.into()
                }

                fn deploy(game: wit::Game) -> bindings::Deployment {
                    BOT.with_borrow_mut(|bot| bindings::deploy(bot, game))
                }

                fn play(game: wit::Game, view: wit::View) -> bindings::Answer {
                    BOT.with_borrow_mut(|bot| bindings::play(bot, game, view))
                }
            }

    bindings::export_component!(Component with_types_in bindings::generated);
        };
    };
}

/// Implements `From` between two enums with the same variants, or two structs with the same fields.
macro_rules! convert {
    (enum $from:ty => $to:ty { $($variant:ident),+ }) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value {
                    $(<$from>::$variant => Self::$variant),+
                }
            }
        }
    };
    (struct $from:ty => $to:ty { $($field:ident),+ }) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                Self { $($field: value.$field.into()),+ }
            }
        }
    };
}
pub(crate) use convert;
