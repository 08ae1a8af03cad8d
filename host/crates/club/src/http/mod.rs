//! HTTP/1.1, as far as a club needs it: one request for each connection, with limits of size and time on everything that is read.
//!
//! One request for each connection leaves nothing to disagree about with a proxy: there is no second request to smuggle.

pub mod client;
pub mod message;
pub mod server;
pub mod timed;
