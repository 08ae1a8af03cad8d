//! The operators that count the stack.
//!
//! A module that counts has a variable with the units that are left. A function that counts takes its own when it is entered, or traps in a
//! way of which no bot is capable, and gives them back where it returns. None of the operators costs fuel.

use wasm_encoder::{BlockType, ConstExpr, Encode, GlobalType, HeapType, Instruction, ValType};

/// The counter of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    /// The index of its variable: the number of those of the module.
    pub(super) global: u32,
    pub(super) units: u64,
    /// The results of blocks whose types are added to those of the module.
    pub(super) types: Vec<Vec<ValType>>,
}

fn write(operators: &[Instruction<'_>]) -> Vec<u8> {
    let mut written = Vec::new();
    operators.iter().for_each(|operator| operator.encode(&mut written));
    written
}

/// What takes units where a function is entered, and begins a block of this type if it returns by branches.
pub(super) fn enter(global: u32, units: u64, block: Option<BlockType>) -> Vec<u8> {
    let units = Instruction::I64Const(units as i64);
    let mut written = write(&[
        Instruction::GlobalGet(global),
        units.clone(),
        Instruction::I64LtU,
        Instruction::If(BlockType::Empty),
        Instruction::RefNull(HeapType::FUNC),
        Instruction::RefAsNonNull,
        Instruction::Drop,
        Instruction::End,
        Instruction::GlobalGet(global),
        units,
        Instruction::I64Sub,
        Instruction::GlobalSet(global),
    ]);
    if let Some(block) = block {
        Instruction::Block(block).encode(&mut written);
    }
    written
}

/// What gives units back where a function returns.
pub(super) fn leave(global: u32, units: u64, ends_block: bool) -> Vec<u8> {
    let mut written = if ends_block { write(&[Instruction::End]) } else { Vec::new() };
    written.extend(write(&[
        Instruction::GlobalGet(global),
        Instruction::I64Const(-(units as i64)),
        Instruction::I64Sub,
        Instruction::GlobalSet(global),
    ]));
    written
}

/// The variable of a counter, as an item of its section.
pub(super) fn variable(counter: &Counter) -> Vec<u8> {
    let mut item = Vec::new();
    GlobalType { val_type: ValType::I64, mutable: true, shared: false }.encode(&mut item);
    ConstExpr::i64_const(counter.units as i64).encode(&mut item);
    item
}

/// The type of a block with several results, as an item of its section.
pub(super) fn block_type(results: &[ValType]) -> Vec<u8> {
    const FUNCTION: u8 = 0x60;
    const NO_PARAMETERS: u8 = 0;
    let mut item = vec![FUNCTION, NO_PARAMETERS];
    results.encode(&mut item);
    item
}

/// The type of a value, to be written. The only references that bots have are to functions.
pub(super) fn value_type(of: wasmparser::ValType) -> ValType {
    use wasmparser::ValType as From;
    match of {
        From::I32 => ValType::I32,
        From::I64 => ValType::I64,
        From::F32 => ValType::F32,
        From::F64 => ValType::F64,
        From::V128 => ValType::V128,
        From::Ref(_) => ValType::FUNCREF,
    }
}
