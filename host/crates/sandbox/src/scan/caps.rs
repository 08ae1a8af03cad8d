//! The counted limits of a component, which hold before anything of it is compiled.
//!
//! Nobody promises a bound on a compiler's time and memory: wasmtime calls a denial of service at run time a vulnerability,
//! but not one at compile time. So nothing is compiled before its parts are counted. The comment of each cap names the
//! honest component in which the largest value was measured: the house bots, a bot in Rust without optimisation
//! (`rust-debug`), and bots in Python (`componentize-py` 0.25, 18 MB; `stub` with its WASI replaced by stubs) and JavaScript
//! (`componentize-js` 0.21, 12 MB). Then it gives the measured cost of one of the counted things. Costs that only an
//! estimate can bound are in [`cost`](super::cost). `SECURITY.md` has all caps in a table.

use super::shape::grouped;
use crate::engine::{CORE_INSTANCES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};
use crate::refusal::{Refusal, RefusalKind};

/// A limit on a number of things in a component.
#[derive(Debug)]
pub(super) struct Cap {
    /// The things that are counted, in the plural.
    pub(super) what: &'static str,
    /// The largest number found in an honest component.
    pub(super) largest: u64,
    /// The largest number that is admitted.
    pub(super) max: u64,
    /// The advice to an author who has more.
    pub(super) next_step: &'static str,
}

const SMALLER: &str = "build with optimisation so that unused code is removed, and use fewer dependencies";
const ONE_COMPONENT: &str = "build one component, not a composition of several";
const SPLIT: &str =
    "split the function, move its tables into static data, or tell the compiler to inline less";
const DATA: &str = "reduce its static data, or compute it in `deploy`";
const AT_START: &str = "compute it when the bot starts";
const BY_REFERENCE: &str = "pass a reference to a record instead";
const FLAT_TYPES: &str = "write the types of its interfaces one after the other, and nest them less";
const NO_BLOCK_VALUES: &str = "build without multi-value blocks";

impl Cap {
    const fn new(what: &'static str, largest: u64, max: u64, next_step: &'static str) -> Self {
        Self { what, largest, max, next_step }
    }

    /// Refuses a component that has more.
    pub(super) fn check(&self, found: u64) -> Result<(), Refusal> {
        if found <= self.max { Ok(()) } else { Err(self.refusal(&self.excess(found))) }
    }

    /// The statement that there are too many.
    pub(super) fn excess(&self, found: u64) -> String {
        format!("has {} {}", grouped(found), self.what)
    }

    /// The refusal for more, which begins with the finding.
    pub(super) fn refusal(&self, found: &str) -> Refusal {
        let (max, largest) = (grouped(self.max), grouped(self.largest));
        let message = format!("{found}; the cap is {max}, and the most found in an honest bot is {largest}");
        Refusal::new(RefusalKind::OverLimits, message, self.next_step)
    }
}

// All core modules of a component together.

/// Largest in Python, stub. A function that does nothing takes 42 µs and 6 KB, so this number takes 2 s and 300 MB; 80,000
/// took another wasmtime 11 s.
pub(super) const FUNCTIONS: Cap = Cap::new("functions", 13_482, 50_000, SMALLER);

/// Largest in JavaScript. Honest code takes 1.0 to 1.5 µs a byte, so this size takes some 30 s.
pub(super) const CODE_BYTES: Cap = Cap::new("bytes of code", 9_230_745, 24 << 20, SMALLER);

/// Largest in Python. It is copied, not compiled. Chosen: three times as much.
pub(super) const DATA_BYTES: Cap = Cap::new("bytes of static data", 11_078_930, 32 << 20, DATA);

/// Largest in JavaScript, and the most that its tool makes. They may cost nothing, but if one has an address that is not a
/// plain number, 10,000 take 1.2 s and 290 MB, and 40,000 take 9.5 s and 1.1 GB.
pub(super) const DATA_SEGMENTS: Cap = Cap::new("segments of static data", 10_000, 20_000, DATA);

/// Largest in Python, stub. One takes 90 µs and 130 KB.
pub(super) const MODULES: Cap = Cap::new("core modules", 38, 100, ONE_COMPONENT);

/// Largest in Python, stub. It is also the pool's limit.
pub(super) const CORE_INSTANCES: Cap =
    Cap::new("core module instances", 38, CORE_INSTANCES_MAX as u64, ONE_COMPONENT);

/// Largest in Python, stub. Each one has a piece of code, which takes 45 µs.
pub(super) const TYPES: Cap = Cap::new("core types", 1_325, 10_000, SMALLER);

/// Largest in Python. Code for a type of a thousand takes 9 ms, three times as much for each as for one of a hundred.
pub(super) const SIGNATURE: Cap =
    Cap::new("parameters and results in one function type", 19, 128, BY_REFERENCE);

/// Largest in Python, stub. One takes half a microsecond.
pub(super) const IMPORTS: Cap = Cap::new("imports of its core modules", 2_387, 20_000, SMALLER);

/// Largest in Python, stub. An exported function takes 30 µs, since it can be called from outside.
pub(super) const EXPORTS: Cap = Cap::new("exports of its core modules", 4_445, 40_000, SMALLER);

/// Largest in Python. One takes 0.2 µs, and 26 µs if it is a reference to a function.
pub(super) const GLOBALS: Cap = Cap::new("globals", 874, 10_000, SMALLER);

/// Largest in JavaScript: an address for each segment. An addition takes 4 µs, a reference to a function 26.
pub(super) const CONSTANT_OPERATORS: Cap =
    Cap::new("operators in constant expressions", 10_007, 100_000, AT_START);

/// Largest in all of them. It is also the pool's limit.
pub(super) const TABLES: Cap = Cap::new("tables", 2, TABLES_MAX as u64, SMALLER);

/// Largest in JavaScript. It is also the pool's limit.
pub(super) const TABLE_ELEMENTS: Cap =
    Cap::new("elements in one table", 7_688, TABLE_ELEMENTS_MAX as u64, SMALLER);

/// Largest in Python. A passive one takes 22 µs.
pub(super) const ELEMENT_SEGMENTS: Cap = Cap::new("segments of table elements", 7, 1_000, SMALLER);

/// Largest in JavaScript. One takes up to 6 µs and 2 KB, and 30 µs more if its function is named nowhere else.
pub(super) const ELEMENTS: Cap = Cap::new("table elements in segments", 7_709, 60_000, SMALLER);

// The component itself, with the components in it.

/// Largest in all of them. Nothing else bounds it: 100,000 take more than a minute to validate.
pub(super) const DEPTH: Cap = Cap::new("levels of components", 2, 8, ONE_COMPONENT);

/// Largest in Python. Each repeats everything that it instantiates: twenty components that each instantiate the next one
/// twice make a million. This number makes 36 at most.
pub(super) const COMPONENT_INSTANTIATIONS: Cap = Cap::new("instances of components", 2, 10, ONE_COMPONENT);

/// Instances of components, of any kind, and imports of components. Largest in Python. For each one the validator copies
/// the types of all exports. With this number, and the largest number of entries that they repeat, a file takes a fifth of a
/// second and 120 MiB to validate.
pub(super) const COPIES: Cap = Cap::new("component instances and imports", 54, 250, ONE_COMPONENT);

/// Types with their declarations, and exports of components: the things that each copy repeats. Largest in Python.
pub(super) const ENTRIES: Cap = Cap::new("component types and exports", 613, 2_500, ONE_COMPONENT);

/// All of that, with aliases, core instances and their parts, and lifted or lowered functions. Largest in Python. One takes
/// up to half a microsecond.
pub(super) const ITEMS: Cap = Cap::new("items outside of its core modules", 3_613, 40_000, SMALLER);

/// Largest in Python. One takes 90 µs, and 0.5 µs for each part of its type.
pub(super) const CANONICALS: Cap = Cap::new("functions that are lifted or lowered", 124, 2_000, SMALLER);

/// Largest in all of them. Reading a type is recursive, so some thousand levels overflow the stack.
pub(super) const TYPE_DEPTH: Cap = Cap::new("levels of component types", 1, 16, FLAT_TYPES);

/// Largest in JavaScript, with `wasi:http`. A type of 65,000 parts takes 5 ms for each function that has it.
pub(super) const TYPE_SIZE: Cap = Cap::new("parts in one component type", 204, 10_000, FLAT_TYPES);

// One function.

/// Largest in Python. A straight line of additions takes 1.3 µs and 230 bytes for each.
pub(super) const FUNCTION_BYTES: Cap = Cap::new("bytes of code", 426_843, 2 << 20, SPLIT);

/// Parameters among them. Largest in Rust, debug; Python has 273. The estimate covers their cost with branches;
/// without any, 100,000 additions on this number take 8.5 s.
pub(super) const LOCALS: Cap = Cap::new("locals", 330, 5_000, SPLIT);

/// Largest in JavaScript. Registers run out: 10,000 values at the same time take 0.8 s, and 30,000 take 8 s.
pub(super) const STACK: Cap = Cap::new("values on its stack", 64, 1_000, SPLIT);

/// Largest in Python. 5,000 nested blocks take 0.4 s, and 50,000 take 26 s.
pub(super) const NESTING: Cap = Cap::new("levels of blocks", 781, 5_000, SPLIT);

/// Largest in QuickJS, an interpreter in C; Python and JavaScript have 6. The time grows with the third power: 500 take
/// 0.4 s, and 2,000 take 23 s.
pub(super) const LOOPS: Cap = Cap::new("levels of loops", 21, 100, SPLIT);

/// Largest in all of them. A thousand loops that pass on a hundred values each take 3.5 GB.
pub(super) const BLOCK_VALUES: Cap =
    Cap::new("values that one block takes and gives", 1, 16, NO_BLOCK_VALUES);

/// Largest in JavaScript. It is the compiler's own limit.
pub(super) const TABLE_TARGETS: Cap = Cap::new("targets in one `br_table`", 910, 65_520, SPLIT);

/// Locals and values that blocks pass on, times the blocks of machine code. Largest in JavaScript. The compiler has a table
/// with this number of entries, of some 5 bytes each.
pub(super) const LOOKUPS: Cap = Cap::new("locals times branches", 12_500_000, 50_000_000, SPLIT);

/// Largest in JavaScript. Chosen: four times as much.
pub(super) const FUNCTION_ESTIMATE_MS: Cap = Cap::new("milliseconds to compile", 800, 3_000, SPLIT);

// The estimated time to compile the whole component.

/// The time that any component may take. Chosen: a few seconds, however small its file is.
const ESTIMATE_BASE_MS: u64 = 5_000;

/// The further time for each kilobyte of code. Measured: honest components are estimated at 1.7 to 2.0 ms. Chosen: five
/// times as much.
const ESTIMATE_PER_KILOBYTE_MS: u64 = 10;

/// The time that no component may exceed. Chosen: more than twice the largest honest one, and two thirds of the compiler's
/// limit.
const ESTIMATE_MAX_MS: u64 = 40_000;

/// The largest honest estimate, in JavaScript; 12.6 s were measured.
const ESTIMATE_LARGEST_MS: u64 = 18_292;

/// The cap for a component with this amount of code.
pub(super) fn estimate_ms(code_bytes: u64) -> Cap {
    let for_code = (code_bytes / 1000).saturating_mul(ESTIMATE_PER_KILOBYTE_MS);
    let max = ESTIMATE_BASE_MS.saturating_add(for_code).min(ESTIMATE_MAX_MS);
    Cap::new("milliseconds to compile", ESTIMATE_LARGEST_MS, max, SMALLER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Cap> {
        vec![
            FUNCTIONS,
            CODE_BYTES,
            DATA_BYTES,
            DATA_SEGMENTS,
            MODULES,
            CORE_INSTANCES,
            TYPES,
            SIGNATURE,
            IMPORTS,
            EXPORTS,
            GLOBALS,
            CONSTANT_OPERATORS,
            TABLES,
            TABLE_ELEMENTS,
            ELEMENT_SEGMENTS,
            ELEMENTS,
            DEPTH,
            COMPONENT_INSTANTIATIONS,
            COPIES,
            ENTRIES,
            ITEMS,
            CANONICALS,
            TYPE_DEPTH,
            TYPE_SIZE,
            FUNCTION_BYTES,
            LOCALS,
            STACK,
            NESTING,
            LOOPS,
            BLOCK_VALUES,
            TABLE_TARGETS,
            LOOKUPS,
            FUNCTION_ESTIMATE_MS,
            estimate_ms(u64::MAX),
        ]
    }

    #[test]
    fn each_cap_leaves_honest_components_room() {
        for cap in all() {
            assert!(2 * cap.max >= 3 * cap.largest, "{cap:?}");
        }
    }

    #[test]
    fn security_md_has_a_row_for_each_cap() {
        let text = include_str!("../../../../../SECURITY.md");
        for cap in all() {
            let row = format!("| {} | {} | {} |", cap.what, grouped(cap.max), grouped(cap.largest));
            assert!(text.contains(&row), "no row begins with: {row}");
        }
    }
}
