//! What compiling a function is estimated to take, from one walk over its operators.
//!
//! The compiler takes about as long as a function is large, except where something multiplies: values that are carried
//! through many joins of control flow, branches among many branches, many arguments for two bytes of a call. The terms
//! below are those products, and their weights are measured: components that are bad in one way each were made at several
//! sizes and compiled with this engine's settings, and the weights are such that none of the four hundred takes longer
//! than half as much again as its estimate, where no cap of [`caps`](super::caps) refuses it anyway. Honest components are
//! estimated at 1.1 to 1.5 times what they take: 10.7 s for 9.7 s of Python, 16.6 s for 11.5 s of JavaScript, 0.19 s for
//! 0.16 s of a small bot in Rust.
//!
//! An estimate is a number for a list of operators. It does not depend on the machine, so a verdict does not either.

use wasmparser::{BlockType, BrTable, CompositeInnerType, Operator, SubType, WasmModuleResources};

/// A function that does nothing. Measured: 80,000 of them take 3.4 s.
const FUNCTION_NS: u64 = 40_000;

/// A local, however it is declared. Measured: 2,000 functions of 50,000 locals each take 3.8 s.
const LOCAL_NS: u64 = 40;

/// An operator that only moves a value, or ends something. Chosen: a quarter of the others.
const LIGHT_NS: u64 = 500;

/// Any operator that is not named here. Measured: it takes 0.5 to 3 µs, of memory, floating point and vectors too.
const OPERATOR_NS: u64 = 2_000;

/// A block. Measured: 100,000 take 0.1 s.
const BLOCK_NS: u64 = 1_000;

/// A conditional branch: in a row of them it takes 5 µs.
const BRANCH_NS: u64 = 6_000;

/// An `if`, with both its ways and what comes after. Measured: 8 µs.
const IF_NS: u64 = 8_000;

/// A loop: at its head fuel and the watchdog are asked for. Measured: 30 µs.
const LOOP_NS: u64 = 35_000;

/// A value that a branch or a block hands on. Measured: 0.1 µs; chosen: somewhat more.
const HANDED_ON_NS: u64 = 300;

/// A `br_table`, and one of its targets. Measured: a table of a thousand takes 0.8 ms.
const TABLE_NS: u64 = 10_000;
const TARGET_NS: u64 = 1_000;

/// A call, and each of its arguments and results. Measured: 5 µs; 2.9 to 6.5 µs for one of many arguments.
const CALL_NS: u64 = 6_000;
const ARGUMENT_NS: u64 = 4_000;

/// A call through a table: with a check of its type, and of whether the table's entry is made. Measured: 40 µs.
const INDIRECT_CALL_NS: u64 = 45_000;

/// An operator on a whole range of memory, which pays fuel for each byte. Measured: 50 to 60 µs.
const BULK_NS: u64 = 60_000;

/// Operators on tables. Measured: 180 µs for a copy, 90 µs for growth, 30 µs for one entry.
const TABLE_COPY_NS: u64 = 200_000;
const TABLE_GROW_NS: u64 = 100_000;
const TABLE_ENTRY_NS: u64 = 30_000;

/// A shift by a variable, or a division: the processor has them for certain registers only. Measured: 35 µs.
const FIXED_REGISTER_NS: u64 = 35_000;

/// For each two operators of a function that contend: branches, and what is made of branches or needs a certain register.
/// Measured: 4 to 11 ns, and 50,000 nested `if`s take 26 s.
const CONTENTION_NS: u64 = 8;

/// For each local and each block of machine code: each is looked up in each. Measured: 0.1 to 0.2 µs.
const LOOKUP_NS: u64 = 150;

/// A local that has two values where ways join. Measured: 5,000 joins of 300 locals take 7.6 s.
const JOINED_NS: u64 = 5_000;

/// Such a local, for each two of the ways that join. Measured: 1,000 ways with 300 locals take 2.3 s, with 1,000 locals
/// 14 s.
const WAYS_NS: u64 = 10;

/// For each local and each use of any local: they want the same registers. Measured: 100,000 operators on 2,000 locals
/// take 6.6 s, of which this is the larger part.
const PRESSURE_NS: u64 = 20;

/// What one function comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// What compiling it is estimated to take.
    pub(super) estimate_ns: u64,
    /// Entries of the compiler's table of values and blocks: locals and what blocks hand on, times the blocks of machine
    /// code. Measured: some 5 bytes each.
    pub(super) lookups: u64,
    /// Ways from one place of it to another, but the next.
    pub(super) branches: u64,
    /// How deep its loops nest.
    pub(super) loops_deep: u64,
    /// The most values that one block takes and gives.
    pub(super) block_values: u64,
    /// The most targets of one `br_table`.
    pub(super) table_targets: u64,
}

/// Counts what a function is made of. Its memory is used again for the next one.
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
    /// What blocks hand on.
    handed_on: u64,
    /// Open loops.
    loops: u64,
    /// The `br_table`s so far, so that a target is counted once in each.
    tables: u64,
    /// Whether the operator before was a constant, so that a shift is one by a constant.
    after_constant: bool,
    /// When each local was last written, on a clock that counts writes and blocks.
    written: Vec<u64>,
    clock: u64,
    open: Vec<Open>,
}

/// A block, loop, `if` or function that is open.
#[derive(Debug)]
struct Open {
    kind: Kind,
    /// When it began.
    since: u64,
    /// Different locals that are written in it, less those that are counted in something inside of it as well.
    written: i64,
    /// Branches to its label.
    branches: u64,
    /// Values that such a branch hands on.
    handed_on: u64,
    /// The last `br_table` that has it as a target.
    table: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Function,
    Block,
    Loop,
    If,
}

impl Meter {
    /// Begins a function with so many locals, its parameters among them.
    pub(super) fn begin(&mut self, locals: u32) {
        let (mut written, mut open) = (std::mem::take(&mut self.written), std::mem::take(&mut self.open));
        written.clear();
        written.resize(locals as usize, 0);
        open.clear();
        *self = Self { written, open, locals: locals.into(), clock: 1, ..Self::default() };
        self.open.push(Open::new(Kind::Function, self.clock, 0));
        self.add(FUNCTION_NS);
        self.add(u64::from(locals) * LOCAL_NS);
    }

    /// Takes the next operator. It need not be valid.
    pub(super) fn operator(&mut self, operator: &Operator<'_>, module: &impl WasmModuleResources) {
        use Operator as O;

        let after_constant = std::mem::replace(
            &mut self.after_constant,
            matches!(operator, O::I32Const { .. } | O::I64Const { .. }),
        );
        match operator {
            O::Block { blockty } => self.enter(Kind::Block, values_of_block(module, *blockty)),
            O::Loop { blockty } => self.enter(Kind::Loop, values_of_block(module, *blockty)),
            O::If { blockty } => self.enter(Kind::If, values_of_block(module, *blockty)),
            O::End => self.leave(),
            O::Br { relative_depth } => {
                self.add(BLOCK_NS);
                self.branch(*relative_depth);
            }
            O::BrIf { relative_depth } => {
                self.split(BRANCH_NS, 2, 1);
                self.branch(*relative_depth);
            }
            O::BrTable { targets } => self.table(targets),
            O::LocalGet { .. } => {
                self.uses += 1;
                self.add(LIGHT_NS);
            }
            O::LocalSet { local_index } | O::LocalTee { local_index } => self.write(*local_index),
            O::Call { function_index } => {
                let type_index = module.type_index_of_function(*function_index);
                let values = values_of_function(type_index.and_then(|index| module.sub_type_at(index)));
                self.add(CALL_NS + ARGUMENT_NS * (values.0 + values.1));
            }
            O::CallIndirect { type_index, .. } => {
                let values = values_of_function(module.sub_type_at(*type_index));
                self.split(INDIRECT_CALL_NS + ARGUMENT_NS * (values.0 + values.1), 4, 1);
            }
            O::MemoryCopy { .. } | O::MemoryFill { .. } | O::MemoryInit { .. } | O::MemoryGrow { .. } => {
                self.split(BULK_NS, 6, 1);
            }
            O::TableCopy { .. } | O::TableInit { .. } => self.split(TABLE_COPY_NS, 12, 2),
            O::TableGrow { .. } | O::TableFill { .. } => self.split(TABLE_GROW_NS, 6, 1),
            O::TableGet { .. } | O::TableSet { .. } => self.split(TABLE_ENTRY_NS, 3, 1),
            O::I32DivS
            | O::I32DivU
            | O::I32RemS
            | O::I32RemU
            | O::I32Shl
            | O::I32ShrS
            | O::I32ShrU
            | O::I32Rotl
            | O::I32Rotr
            | O::I64DivS
            | O::I64DivU
            | O::I64RemS
            | O::I64RemU
            | O::I64Shl
            | O::I64ShrS
            | O::I64ShrU
            | O::I64Rotl
            | O::I64Rotr
                if !after_constant =>
            {
                self.split(FIXED_REGISTER_NS, 0, 1);
            }
            O::I32Const { .. }
            | O::I64Const { .. }
            | O::F32Const { .. }
            | O::F64Const { .. }
            | O::Drop
            | O::Nop
            | O::Else
            | O::Return
            | O::Unreachable => self.add(LIGHT_NS),
            _ => self.add(OPERATOR_NS),
        }
    }

    /// What the function comes to.
    pub(super) fn end(&mut self) -> Cost {
        self.add(self.contending.saturating_mul(self.contending).saturating_mul(CONTENTION_NS));
        self.add(self.locals.saturating_mul(self.blocks).saturating_mul(LOOKUP_NS));
        self.add(self.locals.saturating_mul(self.uses).saturating_mul(PRESSURE_NS));
        self.cost.lookups = (self.locals + self.handed_on).saturating_mul(self.blocks);
        self.cost
    }

    fn add(&mut self, ns: u64) {
        self.cost.estimate_ns = self.cost.estimate_ns.saturating_add(ns);
    }

    /// Counts an operator that the machine code has blocks for, and how much it contends with others.
    fn split(&mut self, ns: u64, blocks: u64, contending: u64) {
        self.add(ns);
        self.blocks += blocks;
        self.contending += contending;
    }

    fn enter(&mut self, kind: Kind, (taken, given): (u64, u64)) {
        match kind {
            Kind::Loop => self.split(LOOP_NS, 6, 1),
            Kind::If => {
                self.cost.branches += 2;
                self.split(IF_NS, 3, 1);
            }
            Kind::Block | Kind::Function => self.split(BLOCK_NS, 1, 0),
        }
        self.add(HANDED_ON_NS * (taken + given));
        self.handed_on += taken + given;
        self.cost.block_values = self.cost.block_values.max(taken + given);
        if kind == Kind::Loop {
            self.loops += 1;
            self.cost.loops_deep = self.cost.loops_deep.max(self.loops);
        }
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
            // Into an `if` there are two ways, and either may come out at its end.
            Kind::If => left.branches + 2,
            _ if left.branches == 0 => 0,
            _ => left.branches + 1,
        };
        // What returns has no use for locals any more.
        if let Some(outer) = self.open.last_mut() {
            outer.written += left.written;
            if ways > 0 {
                let joined = u64::try_from(left.written).unwrap_or(0);
                let for_ways = ways.saturating_mul(ways).saturating_mul(WAYS_NS);
                self.add(joined.saturating_mul(JOINED_NS.saturating_add(for_ways)));
            }
        }
    }

    fn label(&mut self, depth: u32) -> Option<&mut Open> {
        let at = self.open.len().checked_sub(depth as usize)?.checked_sub(1)?;
        self.open.get_mut(at)
    }

    fn branch(&mut self, depth: u32) {
        self.cost.branches += 1;
        let Some(label) = self.label(depth) else { return };
        label.branches += 1;
        let values = label.handed_on;
        self.add(HANDED_ON_NS * values);
    }

    fn table(&mut self, targets: &BrTable<'_>) {
        self.tables += 1;
        self.cost.table_targets = self.cost.table_targets.max(targets.len().into());
        self.split(TABLE_NS, targets.len().into(), 1);
        let table = self.tables;
        for target in targets.targets().flatten().chain([targets.default()]) {
            self.cost.branches += 1;
            self.add(TARGET_NS);
            let Some(label) = self.label(target) else { continue };
            // The same target twice is one way to it.
            if label.table != table {
                label.table = table;
                label.branches += 1;
            }
            let values = label.handed_on;
            self.add(HANDED_ON_NS * values);
        }
    }

    /// Counts a local as written in all that is open, once in each: what was open when it was written last has counted it.
    fn write(&mut self, local: u32) {
        self.uses += 1;
        self.add(LIGHT_NS);
        self.clock += 1;
        let Some(written) = self.written.get_mut(local as usize) else { return };
        let before = std::mem::replace(written, self.clock);
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
    fn new(kind: Kind, since: u64, handed_on: u64) -> Self {
        Self { kind, since, written: 0, branches: 0, handed_on, table: 0 }
    }
}

/// How many values a block takes and gives.
fn values_of_block(module: &impl WasmModuleResources, block: BlockType) -> (u64, u64) {
    match block {
        BlockType::Empty => (0, 0),
        BlockType::Type(_) => (0, 1),
        BlockType::FuncType(index) => values_of_function(module.sub_type_at(index)),
    }
}

/// How many values a function takes and gives.
fn values_of_function(of: Option<&SubType>) -> (u64, u64) {
    match of.map(|of| &of.composite_type.inner) {
        Some(CompositeInnerType::Func(function)) => {
            (function.params().len() as u64, function.results().len() as u64)
        }
        _ => (0, 0),
    }
}
