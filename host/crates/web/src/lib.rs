//! A game against a bot in a browser, and the server of its pages.
//!
//! A person who plays in a browser has a room, whose address is a secret. The referee is that of every game, on a thread of this process; the
//! bot is in a confined process, and the person is a player like in a terminal ([`arena_live::Person`]). The page shows what the person may
//! see, which comes by a stream, and sends decisions, each of which is checked here.
//!
//! [`LocalPage`] is a page on this machine, for its user, and [`WatchPage`] shows games of bots as they are played. [`Rooms`] of visitors and their [`routes`] are a part of a club's pages; visitors have
//! limits, and their bots get a tenth of the machine. [`Server`] answers requests with limits against slow clients and too many of them.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod clients;
mod form;
mod lane;
mod local;
mod origin;
mod played;
mod rooms;
mod routes;
mod server;
mod table;
mod watched;
mod watching;

pub use clients::{Client, ClientSlot, Clients, network};
pub use local::LocalPage;
pub use origin::{is_own, is_tls};
pub use rooms::{NoGame, Rooms};
pub use routes::{routes, with_strict_headers};
pub use server::{END_TIME, Server, Watcher};
pub use table::Opponent;
pub use watching::WatchPage;
