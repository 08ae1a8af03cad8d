//! The one engine, with a reason beside every setting.

use crate::limits::SandboxLimits;
use crate::scan::FEATURES;
use arena_referee::HostError;
use sha2::{Digest, Sha256};
use std::hash::{Hash, Hasher};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, OperatorCost, PoolingAllocationConfig,
    WasmBacktraceDetails, WasmFeatures,
};

/// A WebAssembly page.
pub(crate) const PAGE_BYTES: usize = 64 << 10;

/// Linear memories of one component. Measured: Rust, JavaScript and Python bots all have one.
pub(crate) const MEMORIES_MAX: usize = 1;

/// Tables of one component. Measured: Rust and Python bots have two; chosen: twice that.
pub(crate) const TABLES_MAX: usize = 4;

/// Elements of one table. Measured: a Python bot needs some 10,000; chosen: twice that.
pub(crate) const TABLE_ELEMENTS_MAX: usize = 20_000;

/// Core module instances of one component. Measured: 4 for Rust, 14 for Python, 38 for Python with its WASI replaced by
/// stubs; chosen: room above that.
pub(crate) const CORE_INSTANCES_MAX: usize = 64;

/// The host's own records of one component's instances. Chosen: a function takes some 32 bytes, and a Python bot has
/// 13,400 of them; this is eight times as much.
const INSTANCE_BYTES_MAX: usize = 4 << 20;

/// What stays in memory of a bot's pages when its slot is given back. Measured: a store, its instance, a first call and
/// the drop cost 8 µs with this and the page-map scan, 44 µs with 1 MiB, 36 µs without a pool.
const KEEP_RESIDENT_BYTES: usize = 64 << 10;

/// What a page of growth costs. Chosen: the most that its type holds. `memory.grow` is free by default, and would buy
/// host time for nothing: clearing a page takes some microseconds.
const GROW_FUEL_PER_PAGE: u8 = u8::MAX;

/// What an instruction costs that wasmtime does by a call into the host. Measured: 20 to 55 ns, where an instruction of
/// an empty loop takes 0.4; chosen: the most that its type holds. Programs meet them rarely if ever.
const HELPED_FUEL: u8 = u8::MAX;

/// What a load from memory costs. Measured: 45 ns where each depends on the one before and misses caches and page
/// tables, so that at 1 a budget of "3 seconds" is 14 seconds of chasing pointers; house bots use 6 % more fuel at 2, 18 %
/// at 4 and 30 % at 6. Chosen: 4, which leaves 11 ns for a unit at the worst, against the 10 that budgets are given at.
const LOAD_FUEL: u8 = 4;

/// The most memory that 32-bit addresses reach.
const ADDRESSABLE_BYTES: usize = 4 << 30;

/// The engine that all bots of a sandbox run on.
pub(crate) fn engine(limits: &SandboxLimits) -> Result<Engine, HostError> {
    if limits.memory_bytes_max > ADDRESSABLE_BYTES {
        return Err(HostError(format!(
            "a bot's memory is at most {ADDRESSABLE_BYTES} bytes: its addresses have 32 bits"
        )));
    }
    let mut config = config()?;
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits)?));
    Engine::new(&config).map_err(|error| {
        HostError(format!(
            "cannot reserve address space for {} bots: {}; use fewer workers, or lift the limit on virtual memory \
             (`ulimit -v unlimited`)",
            limits.bots_max(),
            error.root_cause()
        ))
    })
}

/// An engine that compiles for the one that bots run on, and that runs nothing itself: it has no pool, which takes
/// address space, and has no part in what code is made.
pub(crate) fn compiler() -> Result<Engine, HostError> {
    Engine::new(&config()?)
        .map_err(|error| HostError(format!("cannot set up the compiler: {}", error.root_cause())))
}

/// A hash over all that decides whether compiled code of one engine can run on another, in hexadecimal.
pub(crate) fn hash(engine: &Engine) -> String {
    let mut hasher = Digesting(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.0.finalize().iter().take(ENGINE_HASH_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of the engine's hash that are kept. Chosen: it tells engines apart, it defends against nobody.
const ENGINE_HASH_BYTES: usize = 8;

/// The characters of the engine's hash.
pub(crate) const ENGINE_HASH_CHARS: usize = 2 * ENGINE_HASH_BYTES;

/// SHA-256 as a hasher, since the standard one may differ between two releases of Rust.
struct Digesting(Sha256);

impl Hasher for Digesting {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest = self.0.clone().finalize();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest has more than eight bytes"))
    }
}

/// What bots are compiled for: the plainest machine of its kind and not the one at hand, so that the compiled code, and
/// with it how deep a recursion may go, is the same wherever a match is played again. Measured: it costs nothing. Where
/// there is none for the platform, it is the machine at hand.
const TARGET: Option<&str> = if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
    Some("x86_64-unknown-linux-gnu")
} else if cfg!(all(target_arch = "aarch64", target_os = "linux")) {
    Some("aarch64-unknown-linux-gnu")
} else {
    None
};

/// Everything that decides what code is made of a component.
fn config() -> Result<Config, HostError> {
    let mut config = Config::new();
    if let Some(target) = TARGET {
        config.target(target).map_err(|error| HostError(format!("cannot compile for {target}: {error}")))?;
    }
    config
        // Fuel decides a turn, since it is the same on every machine.
        .consume_fuel(true)
        .operator_cost(cost())
        // The watchdog, for what fuel does not count: it costs 18 % on a hot loop, measured.
        .epoch_interruption(true)
        // A typed call drops from some 600 ns to 140 ns without it, measured; a bot has no use for it.
        .concurrency_support(false)
        // A NaN's bits are the only values that differ between machines.
        .cranelift_nan_canonicalization(true)
        // Everything that no toolchain for bots needs is off: less to trust, and what differs between machines is gone.
        .wasm_features(WasmFeatures::all(), false)
        .wasm_features(FEATURES, true)
        .shared_memory(false)
        // A trace would be thrown away: a fault's line must be the same on every run, and name no place of ours.
        .wasm_backtrace_max_frames(None)
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    Ok(config)
}

/// What instructions cost: one unit, but for those that take much longer than others.
fn cost() -> OperatorCost {
    let mut cost = OperatorCost::new();
    cost.variable.memory_grow_per_page = GROW_FUEL_PER_PAGE;
    for helped in [&mut cost.MemoryGrow, &mut cost.TableGrow, &mut cost.RefFunc, &mut cost.ElemDrop] {
        *helped = HELPED_FUEL;
    }
    for load in [
        &mut cost.I32Load,
        &mut cost.I32Load8S,
        &mut cost.I32Load8U,
        &mut cost.I32Load16S,
        &mut cost.I32Load16U,
        &mut cost.I64Load,
        &mut cost.I64Load8S,
        &mut cost.I64Load8U,
        &mut cost.I64Load16S,
        &mut cost.I64Load16U,
        &mut cost.I64Load32S,
        &mut cost.I64Load32U,
        &mut cost.F32Load,
        &mut cost.F64Load,
        &mut cost.V128Load,
        &mut cost.V128Load8x8S,
        &mut cost.V128Load8x8U,
        &mut cost.V128Load16x4S,
        &mut cost.V128Load16x4U,
        &mut cost.V128Load32x2S,
        &mut cost.V128Load32x2U,
        &mut cost.V128Load8Splat,
        &mut cost.V128Load16Splat,
        &mut cost.V128Load32Splat,
        &mut cost.V128Load64Splat,
        &mut cost.V128Load32Zero,
        &mut cost.V128Load64Zero,
        &mut cost.V128Load8Lane,
        &mut cost.V128Load16Lane,
        &mut cost.V128Load32Lane,
        &mut cost.V128Load64Lane,
    ] {
        *load = LOAD_FUEL;
    }
    cost
}

/// A slot for each bot that may be live, so that making an instance is a few microseconds, and the number of instances
/// has a bound.
fn pool(limits: &SandboxLimits) -> Result<PoolingAllocationConfig, HostError> {
    let bots = limits.bots_max();
    let count = |per_bot: usize| {
        u32::try_from(bots.saturating_mul(per_bot))
            .map_err(|_| HostError(format!("{} workers are too many", limits.workers)))
    };
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count(1)?)
        .total_core_instances(count(CORE_INSTANCES_MAX)?)
        .total_memories(count(MEMORIES_MAX)?)
        .total_tables(count(TABLES_MAX)?)
        // Nothing here is asynchronous; without this, stacks of 2 GiB in all are mapped for what might be.
        .total_stacks(0)
        .max_core_instances_per_component(CORE_INSTANCES_MAX as u32)
        .max_memories_per_component(MEMORIES_MAX as u32)
        .max_tables_per_component(TABLES_MAX as u32)
        .max_tables_per_module(TABLES_MAX as u32)
        .max_core_instance_size(INSTANCE_BYTES_MAX)
        .max_component_instance_size(INSTANCE_BYTES_MAX)
        .table_elements(TABLE_ELEMENTS_MAX)
        .max_memory_size(limits.memory_bytes_max.next_multiple_of(PAGE_BYTES))
        .linear_memory_keep_resident(KEEP_RESIDENT_BYTES)
        .table_keep_resident(KEEP_RESIDENT_BYTES)
        // Only the pages that a bot has written to are cleared, where the kernel can tell.
        .pagemap_scan(Enabled::Auto);
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_engine_compiles_every_other_runs_whatever_its_limits() {
        let compiler = hash(&compiler().expect("a compiler can be made"));
        assert_eq!(compiler.len(), ENGINE_HASH_CHARS);
        for (workers, memory_bytes_max) in [(1, 1 << 20), (2, 64 << 20), (5, 4 << 30)] {
            let limits = SandboxLimits { workers, memory_bytes_max, ..SandboxLimits::default() };
            let engine = engine(&limits).expect("an engine can be made");
            assert_eq!(hash(&engine), compiler, "{workers} workers, {memory_bytes_max} bytes");
        }
    }
}
