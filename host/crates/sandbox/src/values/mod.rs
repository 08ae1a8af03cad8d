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

/// The longest text of an observation, an action, an effect or a picture, in bytes. Chosen, and a part of the contract: as many as a
/// result may have as values.
pub const TEXT_BYTES_MAX: usize = 256 << 10;
