//! The engine, with a reason next to every setting.

use crate::cost;
use crate::limits::SandboxLimits;
use crate::processor;
use crate::scan::{ALL_UNITS_MAX, FEATURES};
use arena_platform::memory::IS_FIRST_MEMORY_MAPPED;
use arena_referee::{HostError, Trouble};
use sha2::{Digest, Sha256};
use std::hash::{Hash, Hasher};
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use wasmtime::{
    CacheStore, Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
    WasmBacktraceDetails, WasmFeatures,
};

/// The size of a WebAssembly page.
pub(crate) const PAGE_BYTES: usize = 64 << 10;

/// The number of linear memories of one component. Measured: Rust, JavaScript and Python bots all have one, and QuickJS has
/// an additional empty one, in a stub.
pub(crate) const MEMORIES_MAX: usize = 2;

/// The bytes of a memory below which it may have an image of which little is data. wasmtime's own value.
pub(crate) const SPARSE_IMAGE_BYTES_MAX: u64 = 16 << 20;

/// The number of tables of one component. Measured: Rust and Python bots have two; chosen: twice that.
pub(crate) const TABLES_MAX: usize = 4;

/// The number of elements of one table. Measured: a Python bot needs some 10,000; chosen: twice that.
pub(crate) const TABLE_ELEMENTS_MAX: usize = 20_000;

/// The number of core module instances of one component. Measured: 4 for Rust, 14 for Python, 38 for Python with its WASI
/// replaced by stubs; chosen: some more than that.
pub(crate) const CORE_INSTANCES_MAX: usize = 64;

/// The size of the host's own records of one component's instances. Chosen: a function takes some 32 bytes, and a Python
/// bot has 13,400 functions; this is eight times as much.
const INSTANCE_BYTES_MAX: usize = 4 << 20;

/// The part of a bot's pages that stays in memory when its slot is given back. Measured: a store, its instance, a first
/// call and the drop cost 8 µs with this and the page-map scan, 44 µs with 1 MiB, 36 µs without a pool.
const KEEP_RESIDENT_BYTES: usize = 64 << 10;

/// The features of the code that the compiler itself makes to connect two components: it copies from one memory to another.
/// A bot's own code does not get it: it is validated without, and a component of a bot has one memory.
const ADAPTER_FEATURES: WasmFeatures = WasmFeatures::MULTI_MEMORY;

/// The feature of the operator that stops a bot whose count of the stack is used up. A bot's own code does not get it either, so no bot
/// can be stopped by it otherwise.
const COUNTING_FEATURES: WasmFeatures = WasmFeatures::FUNCTION_REFERENCES;

/// The most bytes of the machine's stack for a unit that a bot's functions [count](crate::scan). Measured: up to 1.0 with the
/// compiler's settings; if each value of a large function has a place of its own, 16 with the optimiser, and 31 with a compiler that gives no
/// place to two values. Chosen: as many as can be.
pub(crate) const STACK_BYTES_PER_UNIT: u64 = 32;

/// The machine's stack for the code of a bot, so large that its own count of it is used up before. It is address space until it is used.
/// Chosen: some more, for the functions that do not count.
const MACHINE_STACK_BYTES: usize = (ALL_UNITS_MAX * STACK_BYTES_PER_UNIT) as usize + (16 << 20);

/// The stack of a thread on which bots run. Chosen: the host's own calls need room besides.
pub const STACK_BYTES: usize = MACHINE_STACK_BYTES + (4 << 20);

/// The most functions on a stack that are looked at. Chosen: a panic in Rust has some ten of its own before the author's, of
/// which [`FRAMES_MAX`](crate::crash_message::FRAMES_MAX) are kept.
const FRAMES_SEEN_MAX: usize = 32;

/// The memory that 32-bit addresses reach.
const ADDRESSABLE_BYTES: usize = 4 << 30;

/// The engine that all bots of a sandbox run on.
pub(crate) fn engine(limits: &SandboxLimits) -> Result<Engine, HostError> {
    if limits.memory_bytes_max > ADDRESSABLE_BYTES {
        let what = format!(
            "a bot's memory can be {ADDRESSABLE_BYTES} bytes at most, because its addresses have 32 bits"
        );
        return Err(HostError::Machine(what.into()));
    }
    processor::check()?;
    let mut config = config(IS_FIRST_MEMORY_MAPPED)?;
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits)?));
    // Gives `perf` the names of bots' functions. It does not change their code. The compiler may not open files, so there
    // it is turned off.
    #[cfg(feature = "perf-map")]
    config.profiler(wasmtime::ProfilingStrategy::PerfMap);
    Engine::new(&config).map_err(|error| {
        let what = format!("cannot reserve address space for {} bots", limits.bots_max());
        let cause = error.root_cause();
        match arena_resources::errno(cause) {
            Some(number) => arena_resources::refused(what, io::Error::from_raw_os_error(number)),
            None => HostError::machine(what, cause.to_string()),
        }
    })
}

/// An engine that compiles for the one that bots run on and runs nothing itself. It has no pool: a pool takes address
/// space and does not affect the code.
pub(crate) fn compiler() -> Result<Engine, HostError> {
    Engine::new(&config(IS_FIRST_MEMORY_MAPPED)?).map_err(|error| no_compiler(&error))
}

/// A compiler that looks for compiled functions in a store before it compiles them, and makes the same code.
pub(crate) fn compiler_with(store: Arc<dyn CacheStore>) -> Result<Engine, HostError> {
    let mut config = config(IS_FIRST_MEMORY_MAPPED)?;
    config
        .enable_incremental_compilation(store)
        .and_then(|config| Engine::new(config))
        .map_err(|error| no_compiler(&error))
}

fn no_compiler(error: &wasmtime::Error) -> HostError {
    HostError::machine("cannot set up the compiler", error.root_cause().to_string())
}

/// The hash over everything that decides whether compiled code of one engine can run on another, in hexadecimal.
pub(crate) fn hash(engine: &Engine) -> String {
    let mut hasher = Digesting(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    let mut hash = format!("{:x}", hasher.0.finalize());
    hash.truncate(ENGINE_HASH_CHARS);
    hash
}

/// The number of characters of the engine's hash. Chosen: the hash distinguishes engines; it is not a defence.
pub(crate) const ENGINE_HASH_CHARS: usize = 16;

/// SHA-256 as a hasher, because the standard one may differ between two releases of Rust.
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

/// The settings that decide the code that is made of a component. Memories have images where the system can map them.
fn config(has_images: bool) -> Result<Config, HostError> {
    let mut config = Config::new();
    processor::choose(&mut config)?;
    config
        // Fuel decides a turn, because it is the same on every machine.
        .consume_fuel(true)
        .operator_cost(cost::table())
        // The watchdog stops what fuel does not count. It costs 18 % on a hot loop, measured.
        .epoch_interruption(true)
        // Without it a typed call takes 140 ns instead of some 600, measured; bots do not need it.
        .concurrency_support(false)
        // The optimiser computes a value again in each place that uses it and is not on the way to another: a thousand square roots that
        // fuel has paid for once run in each of a thousand branches, 220 ns a unit and more. Without it, code runs where it stands, if it
        // is paid for. Toolchains optimise before. It makes bots that think 12 to 15 % slower, and saves a quarter of compiling, measured.
        .cranelift_opt_level(OptLevel::None)
        // The bits of NaNs are the only values that differ between machines.
        .cranelift_nan_canonicalization(true)
        // Everything that no toolchain for bots needs is off: there is less to trust, and nothing differs between machines.
        .wasm_features(WasmFeatures::all(), false)
        .wasm_features(FEATURES.union(ADAPTER_FEATURES).union(COUNTING_FEATURES), true)
        .shared_memory(false)
        .memory_init_cow(has_images)
        .memory_guaranteed_dense_image_size(SPARSE_IMAGE_BYTES_MAX)
        .max_wasm_stack(MACHINE_STACK_BYTES)
        // Nothing here is asynchronous, but it must not be less.
        .async_stack_size(MACHINE_STACK_BYTES)
        // A trace is taken only when a bot is stopped: a game without faults pays nothing, and one that ends by an overflow of
        // the stack, the longest trace, 0.08 ms, measured.
        .wasm_backtrace_max_frames(NonZeroUsize::new(FRAMES_SEEN_MAX))
        // A stack has names of functions and no places in them. Without this table an artifact is a tenth smaller.
        .generate_address_map(false)
        // Files and lines would be read from the bot's debugging information, which is untrusted.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    Ok(config)
}

/// A pool with a slot for each bot that may be live, so that making an instance takes a few microseconds and the number of
/// instances is bounded.
fn pool(limits: &SandboxLimits) -> Result<PoolingAllocationConfig, HostError> {
    let bots = limits.bots_max();
    let count = |per_bot: usize| {
        u32::try_from(bots.saturating_mul(per_bot)).map_err(|_| {
            let what = format!("cannot make room for {} workers", limits.workers);
            HostError::Machine(Trouble::from(what).with_next("use fewer"))
        })
    };
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count(1)?)
        .total_core_instances(count(CORE_INSTANCES_MAX)?)
        .total_memories(count(MEMORIES_MAX)?)
        .total_tables(count(TABLES_MAX)?)
        // Nothing here is asynchronous. Without this, stacks of 2 GiB in total would be mapped for that case.
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
        // Only the pages that a bot has written to are cleared, if the kernel reports them.
        .pagemap_scan(Enabled::Auto);
    Ok(pool)
}

#[cfg(test)]
mod counted_stack;
#[cfg(test)]
mod images;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_many_branches_use_is_computed_in_one_place() {
        let code_bytes = |branches: usize| {
            let value = "f64.sqrt ".repeat(100);
            let uses = "(if (local.get 0) (then (global.set $out (local.get $value))))".repeat(branches);
            let text = format!(
                "(global $out (mut f64) (f64.const 0))
                 (func $uses (param i32) (local $value f64) (f64.convert_i32_u (local.get 0)) {value} (local.set $value) {uses})"
            );
            let component = arena_testkit::component(&text).expect("it is a specimen");
            let code = compiler().expect("a compiler can be made").precompile_component(&component);
            code.expect("it is valid").len()
        };
        // The optimiser makes 303,128 bytes more.
        let more = code_bytes(101) - code_bytes(1);
        assert!(more < 20_000, "{more} bytes for a hundred branches");
    }

    #[test]
    fn every_engine_runs_what_another_has_compiled_with_other_limits() {
        let compiler = hash(&compiler().expect("a compiler can be made"));
        assert_eq!(compiler.len(), ENGINE_HASH_CHARS);
        for (workers, memory_bytes_max) in [(1, 1 << 20), (2, 64 << 20), (5, 4 << 30)] {
            let limits = SandboxLimits { workers, memory_bytes_max, ..SandboxLimits::default() };
            let engine = engine(&limits).expect("an engine can be made");
            assert_eq!(hash(&engine), compiler, "{workers} workers, {memory_bytes_max} bytes");
        }
    }
}
