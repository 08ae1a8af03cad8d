//! The bounds on every bot that runs, for a reader.

use crate::engine::{MEMORIES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};
use crate::limits::SandboxLimits;
use crate::refusal::mib;
use crate::scan::FEATURES;
use arena_text::grouped;

impl SandboxLimits {
    /// The bounds on every bot that runs in the arena's process, each with its name and its value. The budget of a turn is
    /// not among them, because the rules of a game set it.
    pub fn bounds(&self) -> Vec<(&'static str, String)> {
        vec![
            ("features", features()),
            ("start-fuel", format!("{} units", grouped(self.admission_fuel))),
            ("start-time", format!("{} s", self.admission_wall_clock.as_secs())),
            ("memory", mib(self.memory_bytes_max as u64)),
            ("memories", MEMORIES_MAX.to_string()),
            ("tables", TABLES_MAX.to_string()),
            ("table-elements", grouped(TABLE_ELEMENTS_MAX as u64)),
            ("log", format!("{} KiB a game", self.log_bytes_max >> 10)),
            ("file", mib(self.component_bytes_max as u64)),
        ]
    }
}

/// The WebAssembly features that the engine has, as wasmparser names them. All others are off.
fn features() -> String {
    let names = FEATURES.iter_names().map(|(name, _)| name.to_lowercase().replace('_', "-"));
    names.collect::<Vec<_>>().join(", ")
}
