//! The estimated time to compile a function, from one walk over its operators.
//!
//! The compiler's time grows with the size of a function, except where something multiplies: values that are carried
//! through many joins of control flow, branches among many branches, many arguments for two bytes of a call. The terms
//! below are those products, and their weights are measured: components that are bad in one way each were made at several
//! sizes and compiled with this engine's settings. The weights are such that none of the four hundred takes longer than
//! 1.5 times its estimate, unless a cap of [`caps`](super::caps) refuses it anyway. Honest components are estimated at 1.1
//! to 1.5 times their real time: 10.7 s for 9.7 s of Python, 16.6 s for 11.5 s of JavaScript, 0.19 s for 0.16 s of a small
//! bot in Rust.
//!
//! An estimate depends on the operators alone and not on the machine, so a verdict does not depend on it either.

use std::mem;
use wasmparser::{BlockType, BrTable, CompositeInnerType, Operator, SubType, WasmModuleResources};

/// A function that does nothing. Measured: 80,000 of them take 3.4 s.
const FUNCTION_NS: u64 = 40_000;

/// A local, however it is declared. Measured: 2,000 functions of 50,000 locals each take 3.8 s.
const LOCAL_NS: u64 = 40;

/// An operator that only moves a value or ends something. Chosen: a quarter of the others.
const LIGHT_NS: u64 = 500;

/// Any operator that is not named here. Measured: it takes 0.5 to 3 µs, of memory, floating point and vectors too.
const OPERATOR_NS: u64 = 2_000;

/// A block. Measured: 100,000 take 0.1 s.
const BLOCK_NS: u64 = 1_000;

/// A conditional branch. Measured: in a row of them it takes 5 µs.
const BRANCH_NS: u64 = 6_000;

/// An `if`, with both its ways and the code after it. Measured: 8 µs.
const IF_NS: u64 = 8_000;

/// A loop, at whose head fuel and the watchdog are checked. Measured: 30 µs.
const LOOP_NS: u64 = 35_000;

/// A value that a branch or a block passes on. Measured: 0.1 µs; chosen: somewhat more.
const PASSED_ON_NS: u64 = 300;

/// A `br_table`, and one of its targets. Measured: a table of a thousand takes 0.8 ms.
const TABLE_NS: u64 = 10_000;
const TARGET_NS: u64 = 1_000;

/// A call, and each of its arguments and results. Measured: 5 µs; 2.9 to 6.5 µs for one of many arguments.
const CALL_NS: u64 = 6_000;
const ARGUMENT_NS: u64 = 4_000;

/// A call through a table, which checks the type and whether the table's entry has been made. Measured: 40 µs.
const INDIRECT_CALL_NS: u64 = 45_000;

/// An operator on a range of memory, which pays fuel for each byte. Measured: 50 to 60 µs.
const BULK_NS: u64 = 60_000;

/// Operators on tables. Measured: 180 µs for a copy, 90 µs for growth, 30 µs for one entry.
const TABLE_COPY_NS: u64 = 200_000;
const TABLE_GROW_NS: u64 = 100_000;
const TABLE_ENTRY_NS: u64 = 30_000;

/// A shift by a variable, or a division: the processor can do them in certain registers only. Measured: 35 µs.
const FIXED_REGISTER_NS: u64 = 35_000;

/// A pair of operators of a function that contend: branches, operators that are compiled to branches, and operators that
/// need a certain register. Measured: 4 to 11 ns, and 50,000 nested `if`s take 26 s.
const CONTENTION_NS: u64 = 8;

/// A local in a block of machine code: each one is looked up in each block. Measured: 0.1 to 0.2 µs.
const LOOKUP_NS: u64 = 150;

/// A local that has two values at a join of ways. Measured: 5,000 joins of 300 locals take 7.6 s.
const JOINED_NS: u64 = 5_000;

/// Such a local, for each pair of the ways that join. Measured: 1,000 ways with 300 locals take 2.3 s, and with 1,000
/// locals 14 s.
const WAYS_NS: u64 = 10;

/// A local and a use of any local, which need the same registers. Measured: 100,000 operators on 2,000 locals take 6.6 s,
/// of which this is the larger part.
const PRESSURE_NS: u64 = 20;

/// The totals of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// The estimated time to compile it.
    pub(super) estimate_ns: u64,
    /// Entries of the compiler's table of values and blocks: locals and values that blocks pass on, times the blocks of
    /// machine code. Measured: some 5 bytes each.
    pub(super) lookups: u64,
    /// Ways from an operator to another one than the next.
    pub(super) branches: u64,
    /// The depth of its nested loops.
    pub(super) loops_deep: u64,
    /// The largest number of values that one block takes and gives.
    pub(super) block_values: u64,
    /// The largest number of targets of one `br_table`.
    pub(super) table_targets: u64,
}

/// A counter of a function's operators. Its memory is used again for the next function.
#[derive(Debug, Default)]
pub(super) struct Meter {
    cost: Cost,
    locals: u64,
    /// Uses of locals.
    uses: u64,
    /// Blocks of machine code.
    blocks: u64,
    /// Operators that contend.
    contending: u64,
    /// Values that blocks pass on.
    passed_on: u64,
    /// Open loops.
    loops: u64,
    /// The number of `br_table`s so far, so that a target is counted once in each.
    tables: u64,
    /// True if the operator before was a constant, so that a shift is by a constant.
    after_constant: bool,
    /// The time of the last write to each local, on a clock that counts writes and blocks.
    written: Vec<u64>,
    clock: u64,
    open: Vec<Open>,
}

/// An open block, loop, `if` or function.
#[derive(Debug)]
struct Open {
    kind: Kind,
    /// The time at which it was opened.
    since: u64,
    /// The number of different locals that are written in it, without those that are also counted in a block inside it.
    written: i64,
    /// Branches to its label.
    branches: u64,
    /// Values that such a branch passes on.
    passed_on: u64,
    /// The last `br_table` that has it as a target.
    table: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Block,
    Loop,
    If,
}

impl Meter {
    /// Begins a function with this number of locals, including its parameters.
    pub(super) fn begin(&mut self, locals: u32) {
        let (mut written, mut open) = (mem::take(&mut self.written), mem::take(&mut self.open));
        written.clear();
        written.resize(locals as usize, 0);
        open.clear();
        *self = Self { written, open, locals: locals.into(), clock: 1, ..Self::default() };
        self.open.push(Open::new(Kind::Block, self.clock, 0));
        self.add(FUNCTION_NS);
        self.add(u64::from(locals) * LOCAL_NS);
    }

    /// Counts the next operator, which need not be valid.
    pub(super) fn operator(&mut self, operator: &Operator<'_>, module: &impl WasmModuleResources) {
        use Operator::*;

        let after_constant =
            mem::replace(&mut self.after_constant, matches!(operator, I32Const { .. } | I64Const { .. }));
        match operator {
            Block { blockty } => self.enter(Kind::Block, values_of_block(module, *blockty)),
            Loop { blockty } => self.enter(Kind::Loop, values_of_block(module, *blockty)),
            If { blockty } => self.enter(Kind::If, values_of_block(module, *blockty)),
            End => self.leave(),
            Br { relative_depth } => {
                self.add(BLOCK_NS);
                self.branch(*relative_depth, None);
            }
            BrIf { relative_depth } => {
                self.split(BRANCH_NS, 2, 1);
                self.branch(*relative_depth, None);
            }
            BrTable { targets } => self.table(targets),
            LocalGet { .. } => {
                self.uses += 1;
                self.add(LIGHT_NS);
            }
            LocalSet { local_index } | LocalTee { local_index } => self.write(*local_index),
            Call { function_index } => {
                let type_index = module.type_index_of_function(*function_index);
                let values = values_of_function(type_index.and_then(|index| module.sub_type_at(index)));
                self.add(CALL_NS + ARGUMENT_NS * (values.0 + values.1));
            }
            CallIndirect { type_index, .. } => {
                let values = values_of_function(module.sub_type_at(*type_index));
                self.split(INDIRECT_CALL_NS + ARGUMENT_NS * (values.0 + values.1), 4, 1);
            }
            MemoryCopy { .. } | MemoryFill { .. } | MemoryInit { .. } | MemoryGrow { .. } => {
                self.split(BULK_NS, 6, 1);
            }
            TableCopy { .. } | TableInit { .. } => self.split(TABLE_COPY_NS, 12, 2),
            TableGrow { .. } | TableFill { .. } => self.split(TABLE_GROW_NS, 6, 1),
            TableGet { .. } | TableSet { .. } => self.split(TABLE_ENTRY_NS, 3, 1),
            I32DivS | I32DivU | I32RemS | I32RemU | I32Shl | I32ShrS | I32ShrU | I32Rotl | I32Rotr
            | I64DivS | I64DivU | I64RemS | I64RemU | I64Shl | I64ShrS | I64ShrU | I64Rotl | I64Rotr
                if !after_constant =>
            {
                self.split(FIXED_REGISTER_NS, 0, 1);
            }
            I32Const { .. } | I64Const { .. } | F32Const { .. } | F64Const { .. } => self.add(LIGHT_NS),
            Drop | Nop | Else | Return | Unreachable => self.add(LIGHT_NS),
            _ => self.add(OPERATOR_NS),
        }
    }

    /// The totals of the function.
    pub(super) fn end(&mut self) -> Cost {
        self.add(self.contending.saturating_mul(self.contending).saturating_mul(CONTENTION_NS));
        self.add(self.locals.saturating_mul(self.blocks).saturating_mul(LOOKUP_NS));
        self.add(self.locals.saturating_mul(self.uses).saturating_mul(PRESSURE_NS));
        self.cost.lookups = (self.locals + self.passed_on).saturating_mul(self.blocks);
        self.cost
    }

    fn add(&mut self, ns: u64) {
        self.cost.estimate_ns = self.cost.estimate_ns.saturating_add(ns);
    }

    /// Counts an operator with its blocks of machine code and the number of times that it contends with others.
    fn split(&mut self, ns: u64, blocks: u64, contending: u64) {
        self.add(ns);
        self.blocks += blocks;
        self.contending += contending;
    }

    fn enter(&mut self, kind: Kind, (taken, given): (u64, u64)) {
        match kind {
            Kind::Loop => {
                self.split(LOOP_NS, 6, 1);
                self.loops += 1;
                self.cost.loops_deep = self.cost.loops_deep.max(self.loops);
            }
            Kind::If => {
                self.cost.branches += 2;
                self.split(IF_NS, 3, 1);
            }
            Kind::Block => self.split(BLOCK_NS, 1, 0),
        }
        self.add(PASSED_ON_NS * (taken + given));
        self.passed_on += taken + given;
        self.cost.block_values = self.cost.block_values.max(taken + given);
        self.clock += 1;
        self.open.push(Open::new(kind, self.clock, if kind == Kind::Loop { taken } else { given }));
    }

    fn leave(&mut self) {
        self.add(LIGHT_NS);
        let Some(left) = self.open.pop() else { return };
        if left.kind == Kind::Loop {
            self.loops -= 1;
        }
        let ways = match left.kind {
            // Two ways lead into an `if`, and either may leave at its end.
            Kind::If => left.branches + 2,
            _ if left.branches == 0 => 0,
            _ => left.branches + 1,
        };
        // After a return no locals are needed.
        if let Some(outer) = self.open.last_mut() {
            outer.written += left.written;
            if ways > 0 {
                let joined = u64::try_from(left.written).unwrap_or(0);
                let for_ways = ways.saturating_mul(ways).saturating_mul(WAYS_NS);
                self.add(joined.saturating_mul(JOINED_NS.saturating_add(for_ways)));
            }
        }
    }

    /// Counts a branch, which may be one of a `br_table`.
    fn branch(&mut self, depth: u32, table: Option<u64>) {
        self.cost.branches += 1;
        let Some(label) = self.open.iter_mut().rev().nth(depth as usize) else { return };
        // A target that a table names twice is one way.
        if table.is_none() || label.table != table {
            label.table = table;
            label.branches += 1;
        }
        let values = label.passed_on;
        self.add(PASSED_ON_NS * values);
    }

    fn table(&mut self, targets: &BrTable<'_>) {
        self.tables += 1;
        self.cost.table_targets = self.cost.table_targets.max(targets.len().into());
        self.split(TABLE_NS, targets.len().into(), 1);
        for target in targets.targets().flatten().chain([targets.default()]) {
            self.add(TARGET_NS);
            self.branch(target, Some(self.tables));
        }
    }

    /// Counts a local as written in everything that is open, once in each. Blocks that were open at its last
    /// write have counted it.
    fn write(&mut self, local: u32) {
        self.uses += 1;
        self.add(LIGHT_NS);
        self.clock += 1;
        let Some(written) = self.written.get_mut(local as usize) else { return };
        let before = mem::replace(written, self.clock);
        if let Some(innermost) = self.open.last_mut() {
            innermost.written += 1;
        }
        let since_before = self.open.partition_point(|open| open.since <= before);
        if let Some(counted) = since_before.checked_sub(1).and_then(|at| self.open.get_mut(at)) {
            counted.written -= 1;
        }
    }
}

impl Open {
    fn new(kind: Kind, since: u64, passed_on: u64) -> Self {
        Self { kind, since, written: 0, branches: 0, passed_on, table: None }
    }
}

/// The numbers of values that a block takes and gives.
fn values_of_block(module: &impl WasmModuleResources, block: BlockType) -> (u64, u64) {
    match block {
        BlockType::Empty => (0, 0),
        BlockType::Type(_) => (0, 1),
        BlockType::FuncType(index) => values_of_function(module.sub_type_at(index)),
    }
}

/// The numbers of values that a function takes and gives.
fn values_of_function(of: Option<&SubType>) -> (u64, u64) {
    match of.map(|of| &of.composite_type.inner) {
        Some(CompositeInnerType::Func(function)) => {
            (function.params().len() as u64, function.results().len() as u64)
        }
        _ => (0, 0),
    }
}
