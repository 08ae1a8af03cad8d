//! The games: their rules, their state machines, and the geometry below them.
//!
//! One program has all tests of the crate, so that it is linked once.

mod battleship;
mod cell_set;
mod draws;
mod games;
mod inference;
mod shot_board;
mod submarine;
