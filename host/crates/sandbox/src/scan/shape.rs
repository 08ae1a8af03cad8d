//! The measurements of a component.

use super::caps;
use crate::limits::SandboxLimits;
use std::fmt;

/// The measured amount of something in a component, beside its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The thing that is measured, in words: `code bytes`.
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

/// Writes a number for a reader, with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let mut text = number.to_string();
    let mut at = text.len();
    while at > 3 {
        at -= 3;
        text.insert(at, ',');
    }
    text
}

/// The measurements of a component that its admission depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The number of functions in all its core modules.
    pub functions: u64,
    /// The size of their bodies, in bytes.
    pub code_bytes: u64,
    /// The size of the largest body, in bytes.
    pub largest_function_bytes: u64,
    /// The estimated time to compile the function that takes longest.
    pub slowest_function_milliseconds: u64,
    /// The estimated time to compile all of it. The estimate is computed from the component alone and was calibrated on
    /// one machine: it is the same on every machine, and about right on most.
    pub compile_milliseconds: u64,
    /// The size of its data segments, in bytes.
    pub data_bytes: u64,
    /// Its initial memory, in bytes.
    pub memory_bytes: u64,
    /// The initial number of elements in its largest table.
    pub table_elements: u64,
    /// The number of core module instances that it makes.
    pub core_instances: u64,
    /// The limit on its memory, initial or grown.
    memory_bytes_max: u64,
}

impl Shape {
    pub(super) fn new(limits: &SandboxLimits) -> Self {
        Self { memory_bytes_max: limits.memory_bytes_max as u64, ..Self::default() }
    }

    /// All measurements beside their limits, in the order in which they are shown.
    pub fn figures(&self) -> Vec<Figure> {
        let all = [
            ("functions", self.functions, caps::FUNCTIONS.max),
            ("code bytes", self.code_bytes, caps::CODE_BYTES.max),
            ("largest function bytes", self.largest_function_bytes, caps::FUNCTION_BYTES.max),
            (
                "compile milliseconds, estimated",
                self.compile_milliseconds,
                caps::estimate_ms(self.code_bytes).max,
            ),
            ("of its slowest function", self.slowest_function_milliseconds, caps::FUNCTION_ESTIMATE_MS.max),
            ("data bytes", self.data_bytes, caps::DATA_BYTES.max),
            ("memory bytes", self.memory_bytes, self.memory_bytes_max),
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
