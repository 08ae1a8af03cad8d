//! The fuel that each operator costs, chosen so that a unit takes at most 10 ns, the time that budgets assume for it.
//!
//! `benches/fuel.rs` measures every operator. An operator that is not named here costs one unit, or nothing if it is not
//! code, such as `block`; none of them takes more than 5 ns. The measurements are of a 2-core x86-64 server. An attacker
//! pays for the operands too, one unit each, and the weights rely on that.

use wasmparser::Operator;
use wasmtime::OperatorCost;

/// The cost of a page of growth. Chosen: the maximum of its type. `memory.grow` is free by default and would buy host time
/// for nothing: clearing a page takes some microseconds.
const GROW_FUEL_PER_PAGE: u8 = u8::MAX;

/// The cost of an instruction that wasmtime does by a call into the host. Measured: 20 to 55 ns, while an instruction of an
/// empty loop takes 0.4 ns; chosen: the maximum of its type. Programs use these instructions rarely or never.
const HELPED_FUEL: u8 = u8::MAX;

/// The cost of a load from memory. Measured: 140 to 200 ns if each load depends on the one before and misses caches and page tables; on another
/// day 75 to 90 on the same virtual machine, whose memory others share. House bots use 3 to 5 % more fuel for each unit. Chosen: a fifth more
/// than units of 10 ns for the longest need.
const LOAD_FUEL: u8 = 24;

/// The cost of a store of more than a byte. Measured: 41 ns if it lies across two pages that are in no cache, though nothing waits for it.
/// House bots use 3 to 6 % more fuel than at 1. Chosen: with its two operands, two thirds of a unit of 10 ns are enough.
const STORE_FUEL: u8 = 4;

/// The cost of calling a function, in addition to one unit for entering it. Measured: up to 140 ns if functions are so
/// many that each call misses the caches of code. House bots use 5 % more fuel than at 1.
const CALL_FUEL: u8 = 12;

/// The cost of a division or square root of floating-point numbers. Measured: 40 to 43 ns if the operand or the result is
/// denormal, which the processor handles in microcode.
const DENORMAL_FUEL: u8 = 4;

/// The cost of entering a loop, where fuel and watchdog are checked. It is free by default. Measured: 0.4 ns, but a
/// function can enter thousands of loops in sequence.
const LOOP_FUEL: u8 = 1;

/// The cost of an operator that does nothing. It is free by default. The arena adds such operators where the ones around them do not pay
/// for the work of the compiler's code.
const NOP_FUEL: u8 = 1;

/// Sets the cost of operators, by their names.
macro_rules! set {
    ($costs:ident, $fuel:expr, $($operator:ident)*) => {
        $($costs.$operator = $fuel;)*
    };
}

/// The cost of the operators that count the stack. A bot's own are charged by [`of_free()`].
const COUNTING_FUEL: u8 = 0;

/// The units that a bot's own operator is charged because the engine takes nothing for it.
pub(crate) fn of_free(operator: &Operator<'_>) -> usize {
    use Operator as O;
    usize::from(matches!(
        operator,
        O::GlobalGet { .. } | O::GlobalSet { .. } | O::I64Const { .. } | O::I64Sub | O::I64LtU | O::If { .. }
    ))
}

/// The costs of all operators.
pub(crate) fn table() -> OperatorCost {
    let mut cost = OperatorCost::new();
    cost.variable.memory_grow_per_page = GROW_FUEL_PER_PAGE;
    set!(cost, HELPED_FUEL, MemoryGrow TableGrow RefFunc ElemDrop);
    set!(cost, COUNTING_FUEL, GlobalGet GlobalSet I64Const I64Sub I64LtU If);
    set!(cost, LOOP_FUEL, Loop);
    set!(cost, NOP_FUEL, Nop);
    set!(cost, CALL_FUEL, Call CallIndirect);
    set!(cost, DENORMAL_FUEL, F32Div F64Div F32x4Div F64x2Div F32Sqrt F64Sqrt F32x4Sqrt F64x2Sqrt);
    set!(cost, LOAD_FUEL, I32Load I32Load8S I32Load8U I32Load16S I32Load16U F32Load F64Load);
    set!(cost, LOAD_FUEL, I64Load I64Load8S I64Load8U I64Load16S I64Load16U I64Load32S I64Load32U);
    set!(cost, LOAD_FUEL, V128Load V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S V128Load32x2U);
    set!(cost, LOAD_FUEL, V128Load8Splat V128Load16Splat V128Load32Splat V128Load64Splat V128Load32Zero V128Load64Zero);
    set!(cost, LOAD_FUEL, V128Load8Lane V128Load16Lane V128Load32Lane V128Load64Lane);
    set!(cost, STORE_FUEL, I32Store I32Store16 I64Store I64Store16 I64Store32 F32Store F64Store);
    set!(cost, STORE_FUEL, V128Store V128Store16Lane V128Store32Lane V128Store64Lane);
    cost
}

#[cfg(test)]
mod tests {
    use crate::scan::FEATURES;
    use arena_testkit::operators::PROPOSALS;
    use wasmtime::WasmFeatures;

    /// The features whose operators are measured.
    fn measured() -> WasmFeatures {
        PROPOSALS
            .iter()
            .filter(|proposal| **proposal != "mvp")
            .map(|proposal| WasmFeatures::from_name(&proposal.to_uppercase()).expect("it is a feature"))
            .fold(WasmFeatures::FLOATS, WasmFeatures::union)
    }

    #[test]
    fn the_operators_of_all_features_that_bots_may_use_are_measured() {
        // These have no operators of their own.
        let without_operators = WasmFeatures::MUTABLE_GLOBAL
            .union(WasmFeatures::MULTI_VALUE)
            .union(WasmFeatures::EXTENDED_CONST)
            .union(WasmFeatures::COMPONENT_MODEL);
        assert_eq!(FEATURES, measured().union(without_operators));
    }
}
