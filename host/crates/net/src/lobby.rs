//! The lobby: clients are accepted in it, and wait for an opponent or for a game to end.

use crate::link::retain_present;
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The number of waiting clients beyond which the system holds further ones. Chosen: with the clients of 256 games, they
/// stay below the 1,024 open files that a process usually may have.
const WAITING_MAX: usize = 256;

/// The time for which accepting may fail before the server gives up, with no game in flight that would free something.
/// Chosen.
const ACCEPT_FAILING_MAX: Duration = Duration::from_secs(10);

/// A client that has been accepted and is not in a game yet.
pub struct Accepted {
    /// The connection. It is a blocking one.
    pub stream: TcpStream,
    /// The other end.
    pub address: SocketAddr,
    /// The place that it takes.
    pub place: ConnectionSlot,
}

/// One of a network's slots, which is taken until it is dropped.
pub struct ConnectionSlot(#[expect(dead_code, reason = "it is held for its count")] Arc<()>);

/// The numbers of places taken, by network.
struct Places {
    taken: HashMap<IpAddr, Weak<()>>,
    per_network_max: usize,
}

impl Places {
    /// A slot for a client of this address, if one is free.
    fn take(&mut self, address: IpAddr) -> Option<ConnectionSlot> {
        self.taken.retain(|_, token| token.strong_count() > 0);
        let taken = self.taken.entry(network(address)).or_default();
        if taken.strong_count() >= self.per_network_max {
            return None;
        }
        let token = taken.upgrade().unwrap_or_default();
        *taken = Arc::downgrade(&token);
        Some(ConnectionSlot(token))
    }
}

/// The network whose clients share their slots: an IPv4 address, or the first 64 bits of an IPv6 address, all of whose
/// addresses one machine may use.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

/// The place where clients are accepted and wait, in the order of their arrival.
pub struct Lobby<'a> {
    listener: &'a TcpListener,
    waiting: Vec<Accepted>,
    places: Places,
    failing_since: Option<Instant>,
}

impl<'a> Lobby<'a> {
    /// An empty lobby. An address may have this number of clients at a time, at least 1, with those that play.
    pub fn new(listener: &'a TcpListener, clients_per_address: usize) -> Self {
        let places = Places { taken: HashMap::new(), per_network_max: clients_per_address.max(1) };
        Self { listener, waiting: Vec::new(), places, failing_since: None }
    }

    /// Accepts the clients that have connected, and forgets those that have gone. It does not wait.
    ///
    /// # Errors
    /// Clients cannot be accepted any more.
    pub fn look(&mut self, busy: usize) -> io::Result<()> {
        retain_present(&mut self.waiting, |client| &client.stream);
        while self.waiting.len() < WAITING_MAX {
            let (stream, address) = match self.listener.accept() {
                Ok(accepted) => accepted,
                Err(error) => return self.not_accepted(error, busy),
            };
            self.failing_since = None;
            // A client without a slot is closed here, and waits no longer.
            let Some(place) = self.places.take(address.ip()) else { continue };
            // Some systems let a socket inherit this from the listener.
            if stream.set_nonblocking(false).is_ok() {
                self.waiting.push(Accepted { stream, address, place });
            }
        }
        Ok(())
    }

    /// The clients that have waited longest, if enough of them are there.
    pub fn take<const N: usize>(&mut self) -> Option<[Accepted; N]> {
        if self.waiting.len() < N {
            return None;
        }
        // A client that went away while it waited is not paired.
        retain_present(&mut self.waiting, |client| &client.stream);
        if self.waiting.len() < N {
            return None;
        }
        self.waiting.drain(..N).collect::<Vec<_>>().try_into().ok()
    }

    /// Skips a client that went away before it was accepted, and a temporary shortage of the system.
    fn not_accepted(&mut self, error: io::Error, busy: usize) -> io::Result<()> {
        match error.kind() {
            ErrorKind::WouldBlock => self.failing_since = None,
            ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset => {}
            _ if busy > 0 => self.failing_since = None,
            _ => {
                let since = *self.failing_since.get_or_insert_with(Instant::now);
                if since.elapsed() > ACCEPT_FAILING_MAX {
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of these addresses that get a slot, if each network has one.
    fn served(addresses: &[&str]) -> usize {
        let mut places = Places { taken: HashMap::new(), per_network_max: 1 };
        let taken: Vec<_> = addresses.iter().map(|address| places.take(address.parse().unwrap())).collect();
        taken.iter().flatten().count()
    }

    #[test]
    fn an_ipv4_address_is_a_network_and_64_bits_of_an_ipv6_address_are() {
        assert_eq!(served(&["192.0.2.1", "192.0.2.1"]), 1);
        assert_eq!(served(&["192.0.2.1", "192.0.2.2"]), 2);
        assert_eq!(served(&["192.0.2.1", "::ffff:192.0.2.1"]), 1);
        assert_eq!(served(&["2001:db8::1", "2001:db8::ffff:0:0:1"]), 1);
        assert_eq!(served(&["2001:db8::1", "2001:db8:0:1::1"]), 2);
    }

    #[test]
    fn a_place_is_free_again_once_it_is_dropped() {
        let mut places = Places { taken: HashMap::new(), per_network_max: 2 };
        let mut take = || places.take(Ipv6Addr::LOCALHOST.into());
        let (first, second) = (take(), take());
        assert!(first.is_some() && second.is_some() && take().is_none());
        drop(first);
        assert!(take().is_some());
    }
}
