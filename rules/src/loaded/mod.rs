//! Games whose code is loaded at run time.
//!
//! [`Loaded`] implements [`Game`](crate::Game) for all of them: the referee, recordings and replays need to know no more. Its
//! [`Rules`] name the code, and have the facts about the game and the values of its options. The code is a [`Code`], which makes a
//! [`State`] for each game; observations, actions and effects are text there. Nothing here knows in what the code runs.
//!
//! The code's author is trusted with nothing. What the code says is checked, and what it fails to do is a
//! [`Game::failure`](crate::Game::failure): the game has no result, and no side is charged with it.

mod about;
mod bot_contract;
mod code;
mod course;
mod rules;
mod said;
mod state;

pub use about::{
    About, AboutError, Ending, GAME_TEXT_BYTES_MAX, LIST_MAX, NAME_CHARS_MAX, Parameter, SIDE_TEXT_BYTES_MAX,
    TEXT_CHARS_MAX,
};
pub use bot_contract::{BotContract, BotContractError, Definition, NamedType, Part, Plain};
pub use code::{Applied, Code, Penalty, Sight, State};
pub use course::Course;
pub use rules::Rules;
pub use state::{Loaded, Observation};
