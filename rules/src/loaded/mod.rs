//! Games whose code is loaded at run time.
//!
//! [`Loaded`] implements [`Game`](crate::Game) for all of them: the referee, recordings and replays need to know no more. Its
//! [`Rules`] name the code, and have the facts about the game and the values of its options. The code is a [`Code`], which makes a
//! [`State`] for each game; observations, actions and effects are text there. Both are functions of values, for which this crate has only
//! the interface: in what the code runs, and that a state may have to be played again, is known to the crate `arena-loaded` alone.
//!
//! The code's author is trusted with nothing. What the code says is checked, and what it fails to do is a
//! [`Game::failure`](crate::Game::failure): the game has no result, and no side is charged with it.

mod about;
mod bot_contract;
mod code;
mod judge;
mod observation;
mod reproduction;
mod rules;
mod state;

pub use about::{
    About, AboutError, Ending, GAME_TEXT_BYTES_MAX, LIST_MAX, NAME_CHARS_MAX, Parameter, SIDE_TEXT_BYTES_MAX,
    TEXT_CHARS_MAX,
};
pub use bot_contract::{BotContract, BotContractError, Definition, NamedType, Part, Plain};
pub use code::{AnyState, Applied, BoardResult, Code, Observed, State};
pub use judge::{Breach, Judge};
pub use observation::Observation;
pub use reproduction::Reproduction;
pub use rules::Rules;
pub use state::Loaded;
