//! The fuel that host calls cost, so that cheap calls cannot buy host time.
//!
//! The library's functions do not see the store, nor its fuel. So the fuel owed for a function is noted when it is called
//! and taken when the call returns. No call does more than a millisecond's work on credit, because its data is bounded.

use crate::state::State;
use std::mem;
use wasmtime::{CallHook, Result, StoreContextMut, Trap};

/// The cost of a call of a host function, without its data. Measured: a write of one byte takes 0.2 µs; chosen: the fuel
/// that computing for the same time would use.
const HOST_CALL_FUEL: u64 = 1_000;

/// The number of bytes that may be passed in one call of a host function, in either direction. Chosen: streams write 32 KiB
/// at a time, and a hash map's seed takes 16 bytes.
pub(crate) const HOST_CALL_BYTES_MAX: usize = 64 << 10;

impl State {
    /// Notes that a host function is called.
    pub(super) fn called(&mut self) -> &mut Self {
        self.owe(HOST_CALL_FUEL);
        self
    }

    /// Notes a further cost of the call.
    pub(super) fn owe(&mut self, fuel: u64) {
        self.fuel_owed = self.fuel_owed.saturating_add(fuel);
        self.clock.spend(fuel);
    }
}

/// Takes the cost of a host function at its end, whether it has succeeded or not. A bot that cannot pay has run out of
/// fuel. At the beginning of the function the bot's clock is set.
///
/// Instructions that wasmtime does with help from the host, such as growing a memory, come here too. They owe nothing. In
/// them the store's fuel must not be set, because the running code holds the true count. The count visible there is an
/// earlier one, which the clock ignores.
///
/// Where the image of a memory is copied, the call that does it is free, because elsewhere there is none.
///
/// Such an instruction may be inside a host function that asks the bot for room for its result. The cost of the host
/// function is taken at its own end and not before: a charge in between would be lost, and the call would be free.
pub(crate) fn settle(mut store: StoreContextMut<'_, State>, change: CallHook) -> Result<()> {
    match change {
        CallHook::CallingHost => {
            let left = store.get_fuel()?;
            let state = store.data_mut();
            state.clock.set_fuel_left(left);
            state.host_calls_open += 1;
            store.set_hostcall_fuel(HOST_CALL_BYTES_MAX);
        }
        CallHook::ReturningFromHost => {
            let state = store.data_mut();
            state.host_calls_open -= 1;
            if state.host_calls_open > 0 {
                return Ok(());
            }
            let owed = mem::take(&mut state.fuel_owed);
            let result_bytes_max = state.result_bytes_max;
            store.set_hostcall_fuel(result_bytes_max);
            if owed > 0 {
                let Some(left) = store.get_fuel()?.checked_sub(owed) else {
                    return Err(Trap::OutOfFuel.into());
                };
                store.set_fuel(left)?;
            }
        }
        CallHook::CallingWasm => {
            let state = store.data_mut();
            if mem::take(&mut state.caps.has_new_memory) && state.copies_image {
                let left = store.get_fuel()?;
                store.data_mut().fuel_before_copy = Some(left);
                store.set_fuel(u64::MAX)?;
            }
        }
        CallHook::ReturningFromWasm => {
            if let Some(left) = store.data_mut().fuel_before_copy.take() {
                store.set_fuel(left)?;
            }
        }
    }
    Ok(())
}
