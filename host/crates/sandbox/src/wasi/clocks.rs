//! `wasi:clocks`: time as the bot's own fuel tells it.

use super::{Given, Pollable};
use crate::state::State;
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::{ComponentType, Lower, Resource};

/// When every bot's life begins, by its wall clock: 1 January 2026, midnight UTC. Chosen: any fixed date would do.
const EPOCH_SECONDS: u64 = 1_767_225_600;

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct Datetime {
    seconds: u64,
    nanoseconds: u32,
}

pub(super) fn monotonic(given: &mut Given<'_>) -> Result<()> {
    given.function("now", |state, ()| Ok((nanoseconds(state.clock.now()),)))?;
    given.function("resolution", |_, ()| Ok((1_u64,)))?;
    given.function("subscribe-instant", |state, (when,): (u64,)| {
        state.clock.sleep_until(Duration::from_nanos(when));
        Ok((ready(),))
    })?;
    given.function("subscribe-duration", |state: &mut State, (duration,): (u64,)| {
        let when = state.clock.now().saturating_add(Duration::from_nanos(duration));
        state.clock.sleep_until(when);
        Ok((ready(),))
    })
}

pub(super) fn wall(given: &mut Given<'_>) -> Result<()> {
    given.function("now", |state, ()| {
        let now = state.clock.now();
        let seconds = EPOCH_SECONDS.saturating_add(now.as_secs());
        Ok((Datetime { seconds, nanoseconds: now.subsec_nanos() },))
    })?;
    given.function("resolution", |_, ()| Ok((Datetime { seconds: 0, nanoseconds: 1 },)))
}

/// A bot that asks to be told when a time has come is told at once, with its clock put forward: nobody sleeps here.
fn ready() -> Resource<Pollable> {
    Resource::new_own(0)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
