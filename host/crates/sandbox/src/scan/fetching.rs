//! The charges for code that is in no cache, in components that have more of it than caches hold.
//!
//! The processor fetches code ahead as long as it runs straight on. Where it goes on elsewhere, it waits for the memory, if so much other
//! code has run since then that this place is in no cache any more. A component chooses how much code runs in a round, and what of it is passed
//! over. Little code stays in the caches, so only a component with much code is charged.

use wasmparser::Operator;

/// The code of a component, in bytes, that is not charged. Measured: an operator of two bytes makes up to 100 bytes of machine code, and 12
/// MB of machine code take 2.5 ns a unit in the worst case, 25 MB 12.8, 50 MB 77. Chosen: this makes 15 MB at most. Bots in Rust have a quarter
/// of it.
const CODE_FREE: usize = 512 << 10;

/// The most units for going on at another place. Measured: 154 ns, if each place is in a page of its own; chosen: a fifth more than units of
/// 10 ns need, with the branch and its operand. A place that is nearer takes 0.35 ns for each byte of machine code between them, which is up
/// to 11 for a byte of WebAssembly: so a byte costs a unit.
const LANDING_MAX: usize = 18;

/// The further units for entering a function. Chosen: with those of a call, for two places, that of the function and the one after the call.
const ENTRY: usize = 10;

/// The further units for an operator that may make much machine code. Measured: 60 bytes for a unit take 22 to 30 ns. Chosen: with its own, for
/// 140 bytes.
const LARGE: usize = 4;

/// The charges of a component's code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fetching {
    is_charged: bool,
}

impl Fetching {
    /// Those of a component with this number of bytes of code.
    pub(super) const fn of(code_bytes: usize) -> Self {
        Self { is_charged: code_bytes > CODE_FREE }
    }

    /// The units for going on at a place past this number of bytes.
    pub(super) fn landing(self, bytes: usize) -> usize {
        if self.is_charged { bytes.min(LANDING_MAX) } else { 0 }
    }

    /// The units for entering a function.
    pub(super) const fn entry(self) -> usize {
        if self.is_charged { ENTRY } else { 0 }
    }

    /// The further units of an operator.
    pub(super) fn operator(self, operator: &Operator<'_>) -> usize {
        if self.is_charged && !is_small(operator) { LARGE } else { 0 }
    }
}

/// True for an operator that makes little machine code for what it costs, or none.
fn is_small(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::Nop | O::Unreachable | O::Block { .. } | O::Loop { .. } | O::If { .. } | O::Else | O::End
            | O::Br { .. } | O::BrIf { .. } | O::Return | O::Call { .. } | O::CallIndirect { .. }
            | O::Drop | O::Select | O::LocalGet { .. } | O::LocalSet { .. } | O::LocalTee { .. }
            | O::GlobalGet { .. } | O::GlobalSet { .. }
            | O::I32Const { .. } | O::I64Const { .. } | O::F32Const { .. } | O::F64Const { .. }
            // They cost several units.
            | O::I32Load { .. } | O::I64Load { .. } | O::F32Load { .. } | O::F64Load { .. }
            | O::I32Load8S { .. } | O::I32Load8U { .. } | O::I32Load16S { .. } | O::I32Load16U { .. }
            | O::I64Load8S { .. } | O::I64Load8U { .. } | O::I64Load16S { .. } | O::I64Load16U { .. }
            | O::I64Load32S { .. } | O::I64Load32U { .. } | O::V128Load { .. }
            | O::I32Store { .. } | O::I64Store { .. } | O::F32Store { .. } | O::F64Store { .. }
            | O::I32Store8 { .. } | O::I32Store16 { .. } | O::I64Store8 { .. } | O::I64Store16 { .. }
            | O::I64Store32 { .. } | O::V128Store { .. }
            | O::I32Eqz | O::I32Eq | O::I32Ne | O::I32LtS | O::I32LtU | O::I32GtS | O::I32GtU
            | O::I32LeS | O::I32LeU | O::I32GeS | O::I32GeU
            | O::I64Eqz | O::I64Eq | O::I64Ne | O::I64LtS | O::I64LtU | O::I64GtS | O::I64GtU
            | O::I64LeS | O::I64LeU | O::I64GeS | O::I64GeU
            | O::I32Clz | O::I32Ctz | O::I32Popcnt | O::I32Add | O::I32Sub | O::I32Mul | O::I32And | O::I32Or
            | O::I32Xor | O::I32Shl | O::I32ShrS | O::I32ShrU | O::I32Rotl | O::I32Rotr
            | O::I64Clz | O::I64Ctz | O::I64Popcnt | O::I64Add | O::I64Sub | O::I64Mul | O::I64And | O::I64Or
            | O::I64Xor | O::I64Shl | O::I64ShrS | O::I64ShrU | O::I64Rotl | O::I64Rotr
            | O::I32WrapI64 | O::I64ExtendI32S | O::I64ExtendI32U
            | O::I32Extend8S | O::I32Extend16S | O::I64Extend8S | O::I64Extend16S | O::I64Extend32S
            | O::I32ReinterpretF32 | O::I64ReinterpretF64 | O::F32ReinterpretI32 | O::F64ReinterpretI64
    )
}
