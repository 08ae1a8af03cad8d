//! Too much in one function.

use super::pieces::{
    BLOCK, BR_IF, BR_TABLE, DROP, EMPTY, END, I32_ADD, I32_CONST, LOCAL_GET, LOCAL_SET, LOOP, NOP,
    add_functions, function, function_with_a_type, leb, module, one_function,
};

/// A function of so many bytes.
pub fn function_bytes(count: usize) -> Vec<u8> {
    // How many groups of locals there are takes a byte, and so does its end.
    one_function(0, &vec![NOP; count - 2])
}

/// A function of so many locals.
pub fn locals(count: usize) -> Vec<u8> {
    one_function(count, &[])
}

/// A function that has so many values on its stack.
pub fn values_on_the_stack(count: usize) -> Vec<u8> {
    one_function(0, &[[I32_CONST, 0].repeat(count), vec![DROP; count]].concat())
}

/// So many blocks within one another.
pub fn levels_of_blocks(count: usize) -> Vec<u8> {
    one_function(0, &[[BLOCK, EMPTY].repeat(count), vec![END; count]].concat())
}

/// So many loops within one another.
pub fn levels_of_loops(count: usize) -> Vec<u8> {
    one_function(0, &[[LOOP, EMPTY].repeat(count), vec![END; count]].concat())
}

/// A block that takes so many values.
pub fn block_values(count: usize) -> Vec<u8> {
    let code = [[I32_CONST, 0].repeat(count), vec![BLOCK, 1], vec![DROP; count], vec![END]].concat();
    function_with_a_type((count, 0), 0, &code)
}

/// A `br_table` of so many targets.
pub fn table_targets(count: usize) -> Vec<u8> {
    let code =
        [vec![BLOCK, EMPTY, I32_CONST, 0, BR_TABLE], leb(count), vec![0; count + 1], vec![END]].concat();
    one_function(0, &code)
}

/// A function of so many locals and blocks that take five values and give five.
pub fn locals_times_blocks(locals: usize, blocks: usize) -> Vec<u8> {
    const VALUES: usize = 5;
    let code = [[I32_CONST, 0].repeat(VALUES), [BLOCK, 1, END].repeat(blocks), vec![DROP; VALUES]].concat();
    function_with_a_type((VALUES, VALUES), locals, &code)
}

/// So many functions with so many branches each, all of which leave one block.
pub fn branches(functions: usize, branches: usize) -> Vec<u8> {
    let code = [vec![BLOCK, EMPTY], [I32_CONST, 0, BR_IF, 0].repeat(branches), vec![END]].concat();
    let functions = vec![function(0, &code); functions];
    module(|module| add_functions(module, &functions))
}

/// A switch: a `br_table` with a case for each target, each of which changes one of the locals.
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
