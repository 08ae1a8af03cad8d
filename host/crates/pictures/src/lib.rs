//! Pictures of games: boards as cells, positions as data, and events as sentences, for screens and for pages. They know neither a terminal nor HTML.
//!
//! A [`Timeline`] is a game on which a reader can stand anywhere. [`frames`] has all positions of a recorded game, each with its boards,
//! its text and the chances. The parts that differ from game to game are behind one trait, [`Pictured`].
//!
//! ```no_run
//! use arena_pictures::frames;
//! use arena_record::Transcript;
//! use arena_rules::battleship::Battleship;
//!
//! let file = std::io::BufReader::new(std::fs::File::open("game.jsonl")?);
//! let transcript = Transcript::<Battleship>::read(file)?;
//! for frame in frames(&transcript, [None, None])? {
//!     println!("{}", frame.text);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]

mod battleship;
mod chances;
mod frames;
mod grid;
mod heat;
mod loaded;
mod moment;
mod overlay;
mod pictured;
pub mod sentences;
mod sheet;
pub mod submarine;
pub mod text;
mod timeline;
mod tone;
mod visible_position;

#[doc(no_inline)]
pub use arena_record::spot;
pub use chances::Chances;
pub use frames::{Frame, Frames, Map, Painted, Picture, frames};
pub use grid::{Blast, Cell, Emphasis, Grid, Hull, Stroke};
pub use heat::Heat;
pub use moment::{Knowledge, Moment, Viewpoint};
pub use overlay::draw_overlay;
pub use pictured::Pictured;
pub use sheet::{Extent, Sheet};
pub use timeline::{Timeline, TimelineError};
pub use tone::{Piece, Tone, piece};
pub use visible_position::{VisiblePosition, said};
