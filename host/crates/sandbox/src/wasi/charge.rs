//! What host calls cost, so that cheap calls do not buy host time.
//!
//! A function of the library's does not see the store, and so not its fuel. It is noted when the function is called what
//! is owed for it, and it is taken when the call returns. No call does more than a tenth of a millisecond's work on
//! credit: what crosses in it is bounded.

use crate::state::State;
use wasmtime::{CallHook, Result, StoreContextMut, Trap};

/// What a call of a host function costs the bot, besides what its data costs. Measured: a write of one byte takes 0.2
/// µs; chosen: the fuel that computing for as long would use.
const HOST_CALL_FUEL: u64 = 1_000;

/// The most bytes that cross in one call of a host function, in either direction. Chosen: streams write 4 KiB at a
/// time, and a hash map's seed takes 16 bytes.
pub(crate) const HOST_CALL_BYTES_MAX: usize = 64 << 10;

impl State {
    /// Notes that a host function is called.
    pub(super) fn called(&mut self) -> &mut Self {
        self.owe(HOST_CALL_FUEL);
        self
    }

    /// Notes what the call costs besides.
    pub(super) fn owe(&mut self, fuel: u64) {
        self.fuel_owed = self.fuel_owed.saturating_add(fuel);
        self.clock.spend(fuel);
    }
}

/// Takes what a host function has cost, at its end, whether it has succeeded or not; a bot that cannot pay has run out
/// of fuel. At its beginning the bot's clock is set.
///
/// Instructions that wasmtime does with help of its own, like the growth of a memory, come here too. They owe nothing,
/// and in them the store's fuel must not be set: the running code holds the true count. The one that is seen there is an
/// earlier one, which the clock knows to leave alone.
///
/// Such an instruction may be inside of a host function, when that asks the bot for room for its result. What the host
/// function has cost is taken at its own end and not before: a charge in there would be lost, and the call be free.
pub(crate) fn settle(mut store: StoreContextMut<'_, State>, change: CallHook) -> Result<()> {
    match change {
        CallHook::CallingHost => {
            let left = store.get_fuel()?;
            let state = store.data_mut();
            state.clock.set_fuel_left(left);
            state.host_calls_open += 1;
        }
        CallHook::ReturningFromHost => {
            let state = store.data_mut();
            state.host_calls_open -= 1;
            if state.host_calls_open > 0 {
                return Ok(());
            }
            let owed = std::mem::take(&mut state.fuel_owed);
            if owed > 0 {
                let Some(left) = store.get_fuel()?.checked_sub(owed) else {
                    return Err(Trap::OutOfFuel.into());
                };
                store.set_fuel(left)?;
            }
        }
        CallHook::CallingWasm | CallHook::ReturningFromWasm => {}
    }
    Ok(())
}
