//! What a component is made of.

use super::caps::{self, Cap};
use crate::limits::SandboxLimits;
use std::fmt;

/// How much there is of something in a component, and how much there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What of, in words: `code bytes`.
    pub what: &'static str,
    /// How much there is.
    pub found: u64,
    /// The most that is admitted.
    pub max: u64,
}

impl fmt::Display for Figure {
    /// How much of how much, for a reader: `171 of 50,000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", grouped(self.found), grouped(self.max))
    }
}

/// A number as a person reads it, its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a component is made of, of all that its admission depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Functions of all its core modules.
    pub functions: u64,
    /// The bytes of their bodies.
    pub code_bytes: u64,
    /// The bytes of the largest body.
    pub largest_function_bytes: u64,
    /// What the function is estimated to take to compile that takes longest.
    pub slowest_function_milliseconds: u64,
    /// What all of it is estimated to take to compile. It is computed from the component alone, and calibrated on one
    /// machine: the same on every machine, and about right on most.
    pub compile_milliseconds: u64,
    /// The bytes of its data segments.
    pub data_bytes: u64,
    /// The memory that it begins with.
    pub memory_bytes: u64,
    /// The elements that its largest table begins with.
    pub table_elements: u64,
    /// The instances of core modules that it makes.
    pub core_instances: u64,
    /// The most memory that it may begin with, or grow to.
    memory_bytes_max: u64,
}

impl Shape {
    pub(super) fn new(limits: &SandboxLimits) -> Self {
        Self { memory_bytes_max: limits.memory_bytes_max as u64, ..Self::default() }
    }

    /// All of it beside its caps, in the order in which it is told.
    pub fn figures(&self) -> Vec<Figure> {
        let figure = |what, found, cap: &Cap| Figure { what, found, max: cap.max };
        vec![
            figure("functions", self.functions, &caps::FUNCTIONS),
            figure("code bytes", self.code_bytes, &caps::CODE_BYTES),
            figure("largest function bytes", self.largest_function_bytes, &caps::FUNCTION_BYTES),
            figure(
                "compile milliseconds, estimated",
                self.compile_milliseconds,
                &caps::estimate_ms(self.code_bytes),
            ),
            figure(
                "of its slowest function",
                self.slowest_function_milliseconds,
                &caps::FUNCTION_ESTIMATE_MS,
            ),
            figure("data bytes", self.data_bytes, &caps::DATA_BYTES),
            Figure { what: "memory bytes", found: self.memory_bytes, max: self.memory_bytes_max },
            figure("table elements", self.table_elements, &caps::TABLE_ELEMENTS),
            figure("core instances", self.core_instances, &caps::CORE_INSTANCES),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_with_their_digits_in_groups() {
        let told = |found, max| Figure { what: "functions", found, max }.to_string();
        assert_eq!(told(0, 999), "0 of 999");
        assert_eq!(told(171, 50_000), "171 of 50,000");
        assert_eq!(told(1_000, 25_165_824), "1,000 of 25,165,824");
    }
}
