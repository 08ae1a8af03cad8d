//! Values of components whose types are known only when they are loaded: the values, their types, and the interfaces that have
//! them.

mod surface;
mod value;
mod value_type;

pub(crate) use surface::read;
pub use surface::{Function, Interface};
pub use value::Value;
pub(crate) use value_type::PARTS_MAX;
pub use value_type::ValueType;

/// The largest result of a function of a game, and of a bot for one, in bytes as in memory, whatever its type. Chosen, and a part of the
/// contract: a picture of 500 by 500 points with a byte for each.
pub const RESULT_BYTES_MAX: usize = 256 << 10;

/// The memory that a result may take as a value of any type, in bytes: each number in a list takes 40, and the names of fields come on top.
/// Chosen: the largest list of bytes takes 10 MiB. Measured: fuel does not pay for making such a value, which takes 60 ms at most, 6 % of the
/// budget of a call of a game; tuples of one number in tuples are the slowest.
pub(crate) const VALUE_BYTES_MAX: usize = RESULT_BYTES_MAX << 6;

/// The longest text of an action, an effect or a picture, in bytes. Chosen, and a part of the contract: transcripts have them.
pub const TEXT_BYTES_MAX: usize = 256 << 10;

/// The longest text of an observation, in bytes. Chosen, and a part of the contract: 32 for each byte of the largest one, and a message of
/// a process has twice as many.
pub const OBSERVATION_TEXT_BYTES_MAX: usize = 8 << 20;
