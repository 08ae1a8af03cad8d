//! The tests of games that are components.

mod bots;
mod common;
mod contract;
mod drawing;
mod limits;
mod random_games;
mod rules;
mod types;
mod zoo;
