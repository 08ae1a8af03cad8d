//! A game against a bot in a browser, and the server of its pages.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod clients;
mod origin;
mod server;

pub use clients::{Client, Clients, Place, network};
pub use origin::is_own;
pub use server::{END_TIME, Server, Watcher};
