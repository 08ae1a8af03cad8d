//! The environment that a bot sees: the library's context without access to the outside, in which everything that could
//! differ between two runs is replaced.

use super::HOST_CALL_BYTES_MAX;
use crate::log::Prompt;
use crate::state::State;
use arena_rules::random::{SeededRng, seeded};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::clocks::{HostMonotonicClock, HostWallClock};
use wasmtime_wasi::p2::pipe::MemoryInputPipe;
use wasmtime_wasi::{Rng, WasiCtx, WasiCtxView, WasiView};

/// The number of handles that a bot may hold at a time. Chosen: a standard library holds three streams and a poll or two.
pub(crate) const HANDLES_MAX: usize = 256;

/// The number of resources behind the handles. Each handle has one, and a wait has a second one. The last handle is refused
/// only after its resource has been made.
const RESOURCES_MAX: usize = 2 * (HANDLES_MAX + 1);

/// A bot's WASI state. It is made at the bot's first call of a host function, because many bots never call one.
pub(crate) struct World {
    context: WasiCtx,
    table: ResourceTable,
    face: GuestClock,
}

impl World {
    fn new(seed: u64, prompt: Option<Prompt>) -> Self {
        let face = GuestClock::default();
        let random = Sources::new(seed);
        // The rest of a fresh context is empty: there are no variables, arguments and directories, the input is at
        // its end unless the bot is prompted, and the outputs are closed.
        let context = WasiCtx::builder()
            .stdin(MemoryInputPipe::new(prompt.map_or("", Prompt::line)))
            .wall_clock(face.clone())
            .monotonic_clock(face.clone())
            .secure_random(random.secure)
            .insecure_random(random.insecure)
            .insecure_random_seed(random.hash_seed)
            .max_random_size(HOST_CALL_BYTES_MAX as u64)
            .build();
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES_MAX);
        Self { context, table, face }
    }
}

impl State {
    fn world(&mut self) -> &mut World {
        let (seed, log) = (self.seed, &self.log);
        self.world.get_or_insert_with(|| Box::new(World::new(seed, log.prompted())))
    }

    pub(super) fn table(&mut self) -> &mut ResourceTable {
        &mut self.world().table
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let now = self.clock.now();
        let world = self.world();
        world.face.show(now);
        WasiCtxView { ctx: &mut world.context, table: &mut world.table }
    }
}

/// The start of every bot's wall clock: 1 January 2026, midnight UTC. Chosen: any fixed date would do.
const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// The time source of the library's clocks: the nanoseconds since the bot's instance was made. It is shared with them
/// and set before each reading. Only one thread uses it.
#[derive(Clone, Default)]
struct GuestClock(Arc<AtomicU64>);

impl GuestClock {
    fn show(&self, now: Duration) {
        self.0.store(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl HostMonotonicClock for GuestClock {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl HostWallClock for GuestClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        EPOCH.saturating_add(Duration::from_nanos(self.0.load(Ordering::Relaxed)))
    }
}

/// The sources of the library's numbers. They must be the same on every run and look random; they need not be secret.
struct Sources {
    secure: SeededRng,
    insecure: SeededRng,
    /// The seed for hash maps, which stays the same for the whole game.
    hash_seed: u128,
}

impl Sources {
    fn new(seed: u64) -> Self {
        let mut secure = seeded(seed);
        let hash_seed = u128::from(secure.next_u64()) << 64 | u128::from(secure.next_u64());
        let insecure = seeded(secure.next_u64());
        Self { secure, insecure, hash_seed }
    }
}
