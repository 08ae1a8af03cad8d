//! The measurements of a component.

use super::caps;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind, mib};
use arena_text::grouped;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The measured amount of something in a component, with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of the measured thing: `data bytes`.
    pub what: &'static str,
    /// The amount found.
    pub found: u64,
    /// The limit.
    pub max: u64,
}

impl fmt::Display for Figure {
    /// The amount and the limit, for a reader: `171 of 50,000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", grouped(self.found), grouped(self.max))
    }
}

/// The measurements of a component that its admission depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    /// The number of functions in all its core modules.
    pub(super) functions: u64,
    /// The size of their bodies, in bytes.
    pub(super) code_bytes: u64,
    /// The size of its data segments, in bytes.
    pub(super) data_bytes: u64,
    /// Its initial memory, in bytes.
    pub(super) memory_bytes: u64,
    /// The initial number of elements in its largest table.
    pub(super) table_elements: u64,
    /// The number of core module instances that it makes.
    pub(super) core_instances: u64,
}

impl Shape {
    /// Refuses a component that starts with more memory than a bot may have, which the organiser decides.
    pub(crate) fn check_memory(&self, bytes_max: usize) -> Result<(), Refusal> {
        let bytes_max = bytes_max as u64;
        if self.memory_bytes <= bytes_max {
            return Ok(());
        }
        let (found, max) = (mib(self.memory_bytes), mib(bytes_max));
        Err(Refusal::new(
            RefusalKind::OverLimits,
            format!("starts with {found} of memory; the cap is {max}"),
            "reduce its static data and its stack, or ask the organiser for more memory (`--memory`)",
        ))
    }

    /// The measurements that have limits of their own, in the order in which they are shown.
    pub(crate) fn figures(&self, size_bytes: usize, limits: &SandboxLimits) -> Vec<Figure> {
        let all = [
            ("file bytes", size_bytes as u64, limits.component_bytes_max as u64),
            ("data bytes", self.data_bytes, caps::DATA_BYTES.max),
            ("memory bytes", self.memory_bytes, limits.memory_bytes_max as u64),
            ("table elements", self.table_elements, caps::TABLE_ELEMENTS.max),
            ("core instances", self.core_instances, caps::CORE_INSTANCES.max),
        ];
        all.map(|(what, found, max)| Figure { what, found, max }).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shown_with_their_digits_in_groups() {
        let shown = |found, max| Figure { what: "functions", found, max }.to_string();
        assert_eq!(shown(0, 999), "0 of 999");
        assert_eq!(shown(171, 50_000), "171 of 50,000");
        assert_eq!(shown(1_000, 25_165_824), "1,000 of 25,165,824");
    }
}
