//! The clients of the server, by their addresses: each has a part of the connections and of the streams, so that one cannot take them all.

use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// The header to which a proxy adds the address of its client.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client that has sent a request, as its handler is told.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

/// The connections of each client, or its streams.
#[derive(Clone)]
pub struct Clients {
    places_max: u32,
    open: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

/// A connection or stream of a client, until it is dropped.
pub struct ClientSlot {
    clients: Clients,
    client: IpAddr,
}

impl Clients {
    /// Clients, each of which has at most this number of places.
    pub fn new(places_max: u32) -> Self {
        Self { places_max, open: Arc::default() }
    }

    /// A place for one more of a client; `None` if it has its part already.
    pub fn enter(&self, client: IpAddr) -> Option<ClientSlot> {
        let client = network(client);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(client).or_default();
        if *count >= self.places_max {
            return None;
        }
        *count += 1;
        Some(ClientSlot { clients: self.clone(), client })
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let mut open = self.clients.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.client);
            }
        }
    }
}

/// The client for which a proxy has sent a request. It is the last address in the header, which the proxy has added; those before it are
/// the client's own words. Without the header, it is the proxy itself.
pub(crate) fn forwarded(headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    let last = headers.get_all(FORWARDED_FOR).iter().next_back();
    let last = last.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or(peer)
}

/// The part of an address that belongs to one client: all of version 4, and the network of version 6, of which a client has each
/// address.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("it is an address")
    }

    #[test]
    fn a_client_has_a_number_of_connections_and_others_have_theirs() {
        let clients = Clients::new(2);
        let mut places: Vec<_> = (0..2).map(|_| clients.enter(address("10.0.0.1"))).collect();
        assert!(places.iter().all(Option::is_some));
        for same in ["10.0.0.1", "::ffff:10.0.0.1"] {
            assert!(clients.enter(address(same)).is_none(), "{same}");
        }
        assert!(clients.enter(address("10.0.0.2")).is_some());
        places.pop();
        assert!(clients.enter(address("10.0.0.1")).is_some());
        let network = [clients.enter(address("2001:db8::1")), clients.enter(address("2001:db8::2"))];
        assert!(network.iter().all(Option::is_some));
        assert!(clients.enter(address("2001:db8::3")).is_none(), "it is the same network");
        assert!(clients.enter(address("2001:db8:0:1::3")).is_some());
        drop((places, network));
        assert!(clients.open.lock().expect("no panic").is_empty());
    }

    #[test]
    fn the_client_of_a_proxy_is_the_address_that_the_proxy_has_added() {
        let peer = address("127.0.0.1");
        for (lines, client) in [
            (&[][..], "127.0.0.1"),
            (&["10.0.0.1"], "10.0.0.1"),
            (&["1.2.3.4, 10.0.0.1"], "10.0.0.1"),
            (&["1.2.3.4", "5.6.7.8,2001:db8::1"], "2001:db8::1"),
            (&["1.2.3.4, nonsense"], "127.0.0.1"),
            (&[""], "127.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(FORWARDED_FOR, line.parse().expect("it is a header"));
            }
            assert_eq!(forwarded(&headers, peer), address(client), "{lines:?}");
        }
    }
}
