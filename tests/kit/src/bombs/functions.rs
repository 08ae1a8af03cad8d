//! Components with code that takes the compiler much longer than its size suggests.

use super::pieces::{
    BLOCK, BR_IF, BR_TABLE, DROP, EMPTY, END, I32_ADD, I32_CONST, LOCAL_GET, LOCAL_SET, add_functions,
    function, leb, module, one_function,
};

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
