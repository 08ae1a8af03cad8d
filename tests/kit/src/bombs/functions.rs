//! Components with too much in one function.

use super::pieces::{
    BLOCK, BR_IF, BR_TABLE, DROP, EMPTY, END, I32_ADD, I32_CONST, LOCAL_GET, LOCAL_SET, LOOP, NOP,
    add_functions, function, function_with_a_type, leb, module, one_function,
};

/// A function of `count` bytes.
pub fn function_bytes(count: usize) -> Vec<u8> {
    // The number of groups of locals takes one byte, and the function's end takes another one.
    one_function(0, &vec![NOP; count - 2])
}

/// A function with `count` locals.
pub fn locals(count: usize) -> Vec<u8> {
    one_function(count, &[])
}

/// A function with `count` values on its stack.
pub fn values_on_the_stack(count: usize) -> Vec<u8> {
    one_function(0, &[[I32_CONST, 0].repeat(count), vec![DROP; count]].concat())
}

/// `count` levels of nested blocks.
pub fn levels_of_blocks(count: usize) -> Vec<u8> {
    one_function(0, &[[BLOCK, EMPTY].repeat(count), vec![END; count]].concat())
}

/// `count` levels of nested loops.
pub fn levels_of_loops(count: usize) -> Vec<u8> {
    one_function(0, &[[LOOP, EMPTY].repeat(count), vec![END; count]].concat())
}

/// A block with `count` parameters.
pub fn block_values(count: usize) -> Vec<u8> {
    let code = [[I32_CONST, 0].repeat(count), vec![BLOCK, 1], vec![DROP; count], vec![END]].concat();
    function_with_a_type((count, 0), 0, &code)
}

/// A `br_table` with `count` targets.
pub fn table_targets(count: usize) -> Vec<u8> {
    let code =
        [vec![BLOCK, EMPTY, I32_CONST, 0, BR_TABLE], leb(count), vec![0; count + 1], vec![END]].concat();
    one_function(0, &code)
}

/// A function with `locals` locals and `blocks` blocks, each of which has five parameters and five results.
pub fn locals_times_blocks(locals: usize, blocks: usize) -> Vec<u8> {
    const VALUES: usize = 5;
    let code = [[I32_CONST, 0].repeat(VALUES), [BLOCK, 1, END].repeat(blocks), vec![DROP; VALUES]].concat();
    function_with_a_type((VALUES, VALUES), locals, &code)
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
