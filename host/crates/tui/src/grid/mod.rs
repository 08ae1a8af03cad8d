//! Boards on a screen.

mod boards;
mod rows;
mod tiles;

pub use boards::{Block, Title};
pub(crate) use boards::{Layout, draw_blocks};
pub use rows::Focus;
pub(crate) use rows::{Window, lines};
