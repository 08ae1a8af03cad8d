//! `wasi:random`: numbers from the side's seed, the same on every run.

use super::{Given, HOST_CALL_BYTES_MAX};
use crate::state::{State, Stop};
use wasmtime::Result;

pub(super) fn random(given: &mut Given<'_>) -> Result<()> {
    given.function("get-random-bytes", bytes)?;
    given.function("get-random-u64", |state, ()| Ok((state.random.next(),)))
}

pub(super) fn insecure(given: &mut Given<'_>) -> Result<()> {
    given.function("get-insecure-random-bytes", bytes)?;
    given.function("get-insecure-random-u64", |state, ()| Ok((state.random.next(),)))
}

pub(super) fn insecure_seed(given: &mut Given<'_>) -> Result<()> {
    given.function("insecure-seed", |state, ()| Ok((state.random.hash_seed(),)))
}

fn bytes(state: &mut State, (count,): (u64,)) -> Result<(Vec<u8>,)> {
    match usize::try_from(count) {
        Ok(count) if count <= HOST_CALL_BYTES_MAX => {
            state.fuel_owed += count as u64;
            Ok((state.random.bytes(count),))
        }
        _ => Err(Stop::Misuse(format!(
            "asked for {count} random bytes at once; at most {HOST_CALL_BYTES_MAX} are given"
        ))
        .into()),
    }
}
