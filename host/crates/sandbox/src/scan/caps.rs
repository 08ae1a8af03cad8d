//! The counted limits of a component. They are checked before it is validated or compiled.
//!
//! Time and memory of validation and compilation are bounded by the allowance of the child process
//! ([`CompileLimits`](crate::CompileLimits)), for any component. The limits here are for the rest: parts that multiply each
//! other, that are read by recursion, or that cost time in every game without costing fuel. The comment of each cap names
//! the honest component in which the largest value was measured: the house bots, a bot in Rust without optimisation, and
//! bots in Python (`componentize-py` 0.25, 18 MB; `stub` with its WASI replaced by stubs), JavaScript (`componentize-js`
//! 0.21, 12 MB; QuickJS, 1.6 MB) and Go (2.8 MB, and 4.6 MB with `fmt` and `encoding/json`). `SECURITY.md` has all caps in
//! a table.

use crate::engine::{CORE_INSTANCES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};
use crate::refusal::{Refusal, RefusalKind};
use arena_text::grouped;

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
const DATA: &str = "reduce its static data, or compute it in `deploy`";
const AT_START: &str = "compute it when the bot starts";
const SPLIT: &str = "split the function, or build with optimisation";
const IN_MEMORY: &str = "pass them in memory, as toolchains do by default";
const FLAT_TYPES: &str = "write the types of its interfaces one after the other, and nest them less";

impl Cap {
    const fn new(what: &'static str, largest: u64, max: u64, next_step: &'static str) -> Self {
        Self { what, largest, max, next_step }
    }

    /// Refuses a component that has more.
    pub(super) fn check(&self, found: u64) -> Result<(), Refusal> {
        if found <= self.max {
            return Ok(());
        }
        let [found, max, largest] = [found, self.max, self.largest].map(grouped);
        let message = format!(
            "has {found} {}; the cap is {max}, and the most found in an honest bot is {largest}",
            self.what
        );
        Err(Refusal::new(RefusalKind::OverLimits, message, self.next_step))
    }
}

// The core modules of a component. The first four are counted for each instance of a module, because an instance repeats
// them in every game.

/// Largest in Python. They are copied, or mapped if they lie at plain addresses. Chosen: three times as much.
pub(super) const DATA_BYTES: Cap = Cap::new("bytes of static data", 11_078_930, 32 << 20, DATA);

/// Largest in Go, whose linker writes a segment for each run of bytes that are not zero. At plain addresses, as in Go, this
/// number takes 0.1 ms for each instance. If the address of one is computed, all of them are copied one by one, 30 ns each,
/// by a function that takes 3 s to compile for 10,000 of them, so that the allowance of the child ends it. It is also
/// the most that is valid in one module.
pub(super) const DATA_SEGMENTS: Cap = Cap::new("segments of static data", 42_517, 100_000, DATA);

/// Largest in JavaScript.
pub(super) const ELEMENTS: Cap = Cap::new("table elements in segments", 7_709, 60_000, SMALLER);

/// Largest in Go: an address for each segment.
pub(super) const CONSTANT_OPERATORS: Cap =
    Cap::new("operators in constant expressions", 42_530, 200_000, AT_START);

/// Largest in Python, stub. One takes 130 KB to compile.
pub(super) const MODULES: Cap = Cap::new("core modules", 38, 100, ONE_COMPONENT);

/// Largest in Python, stub. It is also the pool's limit.
pub(super) const CORE_INSTANCES: Cap =
    Cap::new("core module instances", 38, CORE_INSTANCES_MAX as u64, ONE_COMPONENT);

/// Largest in all of them. It is also the pool's limit.
pub(super) const TABLES: Cap = Cap::new("tables", 2, TABLES_MAX as u64, SMALLER);

/// Largest in JavaScript. It is also the pool's limit.
pub(super) const TABLE_ELEMENTS: Cap =
    Cap::new("elements in one table", 7_688, TABLE_ELEMENTS_MAX as u64, SMALLER);

/// Without parameters. Largest in Rust, debug; Python has 273. A call sets them to zero without costing fuel: 140 ns for
/// this number.
pub(super) const LOCALS: Cap = Cap::new("locals in one function", 330, 1_000, SPLIT);

/// Largest in a tool in Rust; Python and JavaScript have 18.
pub(super) const PARAMETERS: Cap = Cap::new("parameters of one function", 19, 100, IN_MEMORY);

/// Largest in all of them: no toolchain returns more by default. Every call, branch and end moves them, for a unit or for nothing.
pub(super) const RESULTS: Cap = Cap::new("results of one function or block", 1, 16, IN_MEMORY);

/// No toolchain makes any. Every branch back to a loop moves them.
pub(super) const BLOCK_PARAMETERS: Cap = Cap::new("parameters of one block", 0, 16, IN_MEMORY);

/// Largest in JavaScript. Each has a place in the function's frame, which a call touches page by page.
pub(super) const OPERANDS: Cap = Cap::new("operands at a time in one function", 64, 500, SPLIT);

// The component itself, with the components in it.

/// Largest in QuickJS. Nothing else bounds it: 100,000 take more than a minute to validate.
pub(super) const DEPTH: Cap = Cap::new("levels of components", 3, 8, ONE_COMPONENT);

/// Largest in QuickJS. Each repeats everything that it instantiates: twenty components that each instantiate the next one
/// twice make a million. This number makes 36 at most.
pub(super) const COMPONENT_INSTANTIATIONS: Cap = Cap::new("instances of components", 4, 10, ONE_COMPONENT);

/// Instances of components, of any kind, and imports of components. Largest in Python. For each one the validator copies
/// the types of all exports.
pub(super) const COPIES: Cap = Cap::new("component instances and imports", 54, 250, ONE_COMPONENT);

/// Types with their declarations, and exports of components: the things that each copy repeats. Largest in Python.
pub(super) const ENTRIES: Cap = Cap::new("component types and exports", 613, 2_500, ONE_COMPONENT);

/// The bytes of all of these, with their names, which each copy repeats too. Largest in Python.
pub(super) const ENTRY_BYTES: Cap =
    Cap::new("bytes of component types and names", 13_501, 128 << 10, FLAT_TYPES);

/// Largest in Python.
pub(super) const NAME_BYTES: Cap = Cap::new("bytes in the name of a part", 62, 256, FLAT_TYPES);

/// All of that, with aliases, core instances and their parts, and lifted or lowered functions. Largest in Python.
pub(super) const ITEMS: Cap = Cap::new("items outside of its core modules", 3_613, 40_000, SMALLER);

/// Largest in Python. Every game makes them again.
pub(super) const CANONICALS: Cap = Cap::new("functions that are lifted or lowered", 124, 2_000, SMALLER);

/// Largest in all of them. Reading a type is recursive, so some thousand levels overflow the stack.
pub(super) const TYPE_DEPTH: Cap = Cap::new("levels of component types", 1, 16, FLAT_TYPES);

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Cap; 22] = [
        DATA_BYTES,
        DATA_SEGMENTS,
        ELEMENTS,
        CONSTANT_OPERATORS,
        MODULES,
        CORE_INSTANCES,
        TABLES,
        TABLE_ELEMENTS,
        LOCALS,
        PARAMETERS,
        RESULTS,
        BLOCK_PARAMETERS,
        OPERANDS,
        DEPTH,
        COMPONENT_INSTANTIATIONS,
        COPIES,
        ENTRIES,
        ENTRY_BYTES,
        NAME_BYTES,
        ITEMS,
        CANONICALS,
        TYPE_DEPTH,
    ];

    #[test]
    fn each_cap_leaves_honest_components_room() {
        for cap in &ALL {
            assert!(2 * cap.max >= 3 * cap.largest, "{cap:?}");
        }
    }

    #[test]
    fn security_md_has_a_row_for_each_cap() {
        let text = include_str!("../../../../../SECURITY.md");
        for cap in &ALL {
            let row = format!("| {} | {} | {} |", cap.what, grouped(cap.max), grouped(cap.largest));
            assert!(text.contains(&row), "no row begins with: {row}");
        }
    }
}
