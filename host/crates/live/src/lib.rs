//! A game as it is played: the feed of its events, and persons as players. A terminal and a browser show it.
//!
//! A [`Feed`] takes the events of a game to a screen, and a [`Person`] is a player whose answers come from one. The referee asks a person
//! like any other player.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod feed;
mod person;

pub use feed::{Feed, Update, Updates, Watched, feed};
pub use person::{Decision, Patience, Person, Question, person_id};
