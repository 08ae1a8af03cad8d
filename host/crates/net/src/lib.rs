//! Submarine over TCP: the only crate that knows sockets.
//!
//! It speaks the line protocol of `submarine_game`'s server, so that clients written for that server play here unchanged.
//! To the referee a [`Client`] is a player like any other; the [`Server`] pairs clients and plays many games at once. A
//! client that breaks the protocol (it sends garbage, is silent, does not read, goes away) loses its game, and the server
//! continues. Every wait and every buffer has a limit: see [`ClientLimits`].
//!
//! The referee has the rules and the verdicts, and the caller makes bots. This crate does not print.
//!
//! ```
//! use arena_net::{Options, Server};
//! use std::io::{BufRead, BufReader, Write};
//! use std::net::{Ipv4Addr, TcpStream};
//! use std::ops::ControlFlow;
//!
//! let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0)?;
//! let address = server.local_addr()?;
//! let mut clients = [TcpStream::connect(address)?, TcpStream::connect(address)?];
//! for client in &mut clients {
//!     client.write_all(b"{\"w\":[0,0],\"c\":[1,0],\"s\":[2,0]}\n")?;
//! }
//! // The first to connect moves first: here it attacks a cell out of its reach, and so loses.
//! clients[0].write_all(b"{\"attack\":{\"to\":[4,4]}}\n")?;
//!
//! let options = Options { games_max: Some(1), ..Options::default() };
//! let tally = server.serve(&options, || false, |game| {
//!     println!("game {}: {:?}", game.number, game.outcome);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(tally.wins, [0, 1]);
//!
//! let heard: Vec<_> = BufReader::new(&clients[1]).lines().collect::<Result<_, _>>()?;
//! assert_eq!(heard.first().unwrap(), "you are connected. please send me initial state.");
//! assert_eq!(heard.last().unwrap(), "you win");
//! # Ok::<(), std::io::Error>(())
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod client;
mod json;
mod link;
mod lobby;
mod served;
mod server;

pub mod wire;

pub use client::{Client, ClientLimits};
pub use served::{Participant, ServedGame, Tally};
pub use server::{BotMaker, BotSeat, Options, Server, SideSeeds};
