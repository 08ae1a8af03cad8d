//! The processor, and the kind of machine that code is compiled for.

use std::fs;
use std::sync::OnceLock;
use target_lexicon::Triple;

/// The kind of this machine, by the compiler's name for it.
pub fn target() -> String {
    Triple::host().to_string()
}

/// The level of processors to compile for, by the compiler's name for it; `None` for all processors of this kind. On x86-64, every
/// processor from Intel since 2009, from AMD since 2011, and from Intel's small series since 2013 reaches it. Measured against the
/// first level, which has no instructions to round vectors, to permute them and to count bits: rounding a vector takes 3.4 ns instead
/// of 7 to 14, and permuting one is no longer among the slow operators. Chosen: the next level would exclude more machines, and
/// nothing is left that is slow for the lack of it.
pub const LEVEL: Option<&str> = if cfg!(target_arch = "x86_64") { Some("x86-64-v2") } else { None };

/// An instruction set of the level, and whether this processor has it.
pub type Instructions = (&'static str, fn() -> bool);

/// The instruction sets of the level.
#[cfg(target_arch = "x86_64")]
pub const INSTRUCTIONS: &[Instructions] = &[
    ("SSE3", || std::is_x86_feature_detected!("sse3")),
    ("SSSE3", || std::is_x86_feature_detected!("ssse3")),
    ("SSE4.1", || std::is_x86_feature_detected!("sse4.1")),
    ("SSE4.2", || std::is_x86_feature_detected!("sse4.2")),
    ("POPCNT", || std::is_x86_feature_detected!("popcnt")),
    ("CMPXCHG16B", || std::is_x86_feature_detected!("cmpxchg16b")),
];

/// There is no level to reach.
#[cfg(not(target_arch = "x86_64"))]
pub const INSTRUCTIONS: &[Instructions] = &[];

/// The kind of processor, as far as the system reports it.
pub fn kind_of_processor() -> &'static str {
    static KIND: OnceLock<String> = OnceLock::new();
    KIND.get_or_init(|| {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let kinds = ["model name", "CPU part", "CPU implementer"];
        let is_kind = |line: &&str| kinds.iter().any(|what| line.starts_with(what));
        // All cores are assumed to be of the same kind.
        let first = text.split("\n\n").next().unwrap_or_default();
        first.lines().filter(is_kind).collect()
    })
}
