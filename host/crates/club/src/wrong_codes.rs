//! The wrong codes of each client, so that the code by which people join, and that of a class, cannot be guessed.

use crate::counts::Counts;
use crate::uploads::Refusal;
use arena_web::network;
use axum::http::StatusCode;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};

/// The wrong codes of a client in an hour. Chosen: a class behind one address that types badly; of 2^50 codes, it never finds one.
pub(crate) const WRONG_CODES_MAX: u32 = 30;

/// The clients whose wrong codes are counted one by one; further ones are counted together. Chosen: a megabyte.
const CLIENTS_MAX: usize = 10_000;

const HOUR_SECONDS: i64 = 3_600;

/// The wrong codes of each client in an hour, which is counted from 1970.
#[derive(Default)]
pub(crate) struct WrongCodes(Counts<IpAddr, HOUR_SECONDS>);

impl WrongCodes {
    /// Refuses a client that has tried too many wrong codes at this time, in seconds since 1970.
    pub(crate) fn may_try(&self, client: IpAddr, now: i64) -> Result<(), Refusal> {
        if self.count(client, now, |count| *count) < WRONG_CODES_MAX {
            return Ok(());
        }
        let what = format!("there were {WRONG_CODES_MAX} wrong codes from your address in this hour");
        Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, what, "try again after the full hour"))
    }

    /// Counts a wrong code of a client.
    pub(crate) fn add(&self, client: IpAddr, now: i64) {
        self.count(client, now, |count| *count += 1);
    }

    fn count<T>(&self, client: IpAddr, now: i64, work: impl FnOnce(&mut u32) -> T) -> T {
        let client = network(client);
        let counted_as = |counts: &HashMap<IpAddr, u32>| {
            let is_counted = counts.contains_key(&client) || counts.len() < CLIENTS_MAX;
            if is_counted { client } else { Ipv4Addr::UNSPECIFIED.into() }
        };
        self.0.count(now, counted_as, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_clients_are_counted_one_by_one_and_further_ones_together() {
        let counts = WrongCodes::default();
        let client = |number: u32| IpAddr::from(Ipv4Addr::from_bits(0x0a00_0000 + number));
        (0..10_000).for_each(|number| counts.add(client(number), 0));
        assert!(counts.may_try(client(10_001), 0).is_ok());
        (0..WRONG_CODES_MAX).for_each(|number| counts.add(client(10_000 + number), 0));
        assert!(counts.may_try(client(20_000), 0).is_err());
        assert!(counts.may_try(client(9_999), 0).is_ok(), "it has had one");
        assert!(counts.may_try(client(20_000), HOUR_SECONDS).is_ok());
    }
}
