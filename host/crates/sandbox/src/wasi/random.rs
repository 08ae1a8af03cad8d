//! `wasi:random`: numbers from the side's seed, the same on every run, by the library's functions, for fuel.

use super::HOST_CALL_BYTES_MAX;
use crate::state::{State, Stop};
use wasmtime::Result;
use wasmtime_wasi::p2::bindings::random::{insecure, random};
use wasmtime_wasi::random::WasiRandomView;

/// The cost of a random byte. Measured: 9 to 11 ns, since the library draws each by itself, and the bot's page may be a new one. Chosen: three
/// units of 10 ns.
const RANDOM_BYTE_FUEL: u64 = 3;

impl random::Host for State {
    fn get_random_bytes(&mut self, count: u64) -> Result<Vec<u8>> {
        self.owe_random_bytes(count)?;
        random::Host::get_random_bytes(self.random(), count)
    }

    fn get_random_u64(&mut self) -> Result<u64> {
        random::Host::get_random_u64(self.random())
    }
}

impl insecure::Host for State {
    fn get_insecure_random_bytes(&mut self, count: u64) -> Result<Vec<u8>> {
        self.owe_random_bytes(count)?;
        insecure::Host::get_insecure_random_bytes(self.random(), count)
    }

    fn get_insecure_random_u64(&mut self) -> Result<u64> {
        insecure::Host::get_insecure_random_u64(self.random())
    }
}

impl State {
    /// Limits the number of bytes, as the library does, but with a fault that says what the bot did wrong.
    fn owe_random_bytes(&mut self, count: u64) -> Result<()> {
        if count > HOST_CALL_BYTES_MAX as u64 {
            return Err(Stop::Misuse(format!(
                "asked for {count} random bytes at once; at most {HOST_CALL_BYTES_MAX} are given"
            ))
            .into());
        }
        self.owe(RANDOM_BYTE_FUEL * count);
        Ok(())
    }
}
