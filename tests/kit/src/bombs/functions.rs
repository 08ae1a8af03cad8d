//! Components with code that takes the compiler much longer than its size suggests.

use super::pieces::{
    BLOCK, BR_IF, BR_TABLE, DROP, EMPTY, END, I32_ADD, I32_CONST, LOCAL_GET, LOCAL_SET, LOOP, UNREACHABLE,
    add_functions, function, leb, module, one_function,
};
use std::iter::repeat_n;
use wasm_encoder::{CodeSection, FunctionSection, TypeSection, ValType};

/// A function with `count` locals.
pub fn locals(count: usize) -> Vec<u8> {
    one_function(count, &[])
}

/// `count` levels of nested blocks.
pub fn levels_of_blocks(count: usize) -> Vec<u8> {
    one_function(0, &[[BLOCK, EMPTY].repeat(count), vec![END; count]].concat())
}

/// `functions` functions with `branches` branches each, all of which leave the same block.
pub fn branches(functions: usize, branches: usize) -> Vec<u8> {
    let code = [vec![BLOCK, EMPTY], [I32_CONST, 0, BR_IF, 0].repeat(branches), vec![END]].concat();
    let functions = vec![function(0, &code); functions];
    module(|module| add_functions(module, &functions))
}

/// A switch: a `br_table` with a case for each of `targets` targets. Each case changes one of `locals` locals.
pub fn switch(targets: usize, locals: usize) -> Vec<u8> {
    let mut code = [BLOCK, EMPTY].repeat(targets + 1);
    code.extend([LOCAL_GET, 0, BR_TABLE]);
    code.extend(leb(targets));
    (0..=targets).for_each(|target| code.extend(leb(target)));
    for target in 0..targets {
        code.extend([END, LOCAL_GET]);
        code.extend(leb(target % locals));
        code.extend([I32_CONST, 1, I32_ADD, LOCAL_SET]);
        code.extend(leb(target * 7 % locals));
    }
    code.push(END);
    one_function(locals, &code)
}

/// A function with `count` conditional branches out of a block, each of which takes a value along: the compiler's time grows
/// with the square of their number.
pub fn branches_with_a_value(count: usize) -> Vec<u8> {
    const BLOCK_OF_I32: [u8; 2] = [BLOCK, I32];
    const I32: u8 = 0x7f;
    let branch = [I32_CONST, 0, BR_IF, 0];
    one_function(
        0,
        &[BLOCK_OF_I32.to_vec(), vec![I32_CONST, 0], branch.repeat(count), vec![END, DROP]].concat(),
    )
}

/// A function with `count` parameters.
pub fn parameters(count: usize) -> Vec<u8> {
    typed(&[(count, 0)], &[UNREACHABLE])
}

/// A function with `count` results.
pub fn results(count: usize) -> Vec<u8> {
    typed(&[(0, count)], &[UNREACHABLE])
}

/// A loop with `count` parameters, which it drops.
pub fn block_parameters(count: usize) -> Vec<u8> {
    const OF_SECOND_TYPE: u8 = 1;
    let code = [[I32_CONST, 0].repeat(count), vec![LOOP, OF_SECOND_TYPE], vec![DROP; count], vec![END]];
    typed(&[(0, 0), (count, 0)], &code.concat())
}

/// A function with `count` operands at a time.
pub fn operands(count: usize) -> Vec<u8> {
    one_function(0, &[[I32_CONST, 0].repeat(count), vec![DROP; count]].concat())
}

/// A function with this code. The types of functions are given by their numbers of parameters and results; it has the first one.
fn typed(types: &[(usize, usize)], operators: &[u8]) -> Vec<u8> {
    module(|module| {
        let mut section = TypeSection::new();
        for &(parameters, results) in types {
            section.ty().function(repeat_n(ValType::I32, parameters), repeat_n(ValType::I32, results));
        }
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut code = CodeSection::new();
        code.function(&function(0, operators));
        module.section(&section).section(&functions).section(&code);
    })
}
