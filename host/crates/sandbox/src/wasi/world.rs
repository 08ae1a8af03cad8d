//! The environment that a bot sees: the library's context without access to the outside, in which everything that could
//! differ between two runs is replaced.

use super::HOST_CALL_BYTES_MAX;
use super::clocks::GuestClock;
use super::random;
use crate::log::Prompt;
use crate::state::State;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::p2::pipe::MemoryInputPipe;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

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
        let random = random::Sources::new(seed);
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
