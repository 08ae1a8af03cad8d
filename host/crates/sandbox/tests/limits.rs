//! The counted limits: each is exactly at its figure and is reported in words that an author can use.

mod common;

use arena_sandbox::{Refusal, RefusalKind};
use arena_testkit::bombs;
use common::admit;

/// The refusal of a component by the scan. A component that the scan lets through is refused because it exports nothing,
/// and it is not compiled.
fn scan(component: &[u8]) -> Result<(), Refusal> {
    let refusal = admit(component).expect_err("it exports nothing");
    if refusal.kind == RefusalKind::NotABot { Ok(()) } else { Err(refusal) }
}

/// Checks that the largest number is let through, and that one more is refused with these words.
#[track_caller]
fn check(bomb: fn(usize) -> Vec<u8>, max: usize, words: &str) {
    scan(&bomb(max)).unwrap_or_else(|refusal| panic!("{max}: {refusal}"));
    check_refused(&bomb(max + 1), words);
}

#[track_caller]
fn check_refused(component: &[u8], words: &str) {
    let refusal = scan(component).expect_err("it is over a limit");
    assert_eq!(refusal.kind, RefusalKind::OverLimits, "{refusal}");
    assert!(refusal.message.starts_with(words), "{refusal}");
    // Nothing is cut off, and there is advice to the author.
    assert!(!refusal.message.ends_with('…') && !refusal.next_step.is_empty(), "{refusal}");
}

/// A test for each limit.
macro_rules! limits {
    ($($name:ident: $bomb:expr, $max:expr, $words:expr;)*) => {
        $(#[test]
        fn $name() {
            check($bomb, $max, $words);
        })*
    };
}

limits! {
    functions: bombs::functions, 50_000, "has 50,001 functions; the cap is 50,000, and the most found in an honest bot is 13,482";
    bytes_of_code: bombs::code_bytes, 24 << 20, "has 25,165,825 bytes of code; the cap is 25,165,824";
    bytes_of_data: bombs::data_bytes, 32 << 20, "has 33,554,433 bytes of static data; the cap is 33,554,432";
    segments_of_data: bombs::data_segments, 20_000, "has 20,001 segments of static data; the cap is 20,000";
    core_modules: bombs::modules, 100, "has 101 core modules; the cap is 100";
    core_module_instances: bombs::core_instances, 64, "has 65 core module instances; the cap is 64";
    core_types: bombs::types, 10_000, "has 10,001 core types; the cap is 10,000";
    parameters: bombs::signature, 128, "has 129 parameters and results in one function type; the cap is 128";
    imports_of_modules: bombs::imports, 20_000, "has 20,001 imports of its core modules; the cap is 20,000";
    exports_of_modules: bombs::exports, 40_000, "has 40,001 exports of its core modules; the cap is 40,000";
    globals: bombs::globals, 10_000, "has 10,001 globals; the cap is 10,000";
    constant_operators: bombs::constant_operators, 100_000, "has 100,001 operators in constant expressions; the cap";
    tables: bombs::tables, 4, "has 5 tables; the cap is 4";
    elements_of_a_table: bombs::table_elements, 20_000, "has 20,001 elements in one table; the cap is 20,000";
    segments_of_elements: bombs::element_segments, 1_000, "has 1,001 segments of table elements; the cap is 1,000";
    elements_in_segments: bombs::elements, 60_000, "has 60,001 table elements in segments; the cap is 60,000";

    levels_of_components: bombs::levels_of_components, 8, "has 9 levels of components; the cap is 8";
    instances_of_components: bombs::component_instantiations, 10, "has 11 instances of components; the cap is 10";
    component_instances_and_imports: bombs::copies, 250, "has 251 component instances and imports; the cap is 250";
    component_types_and_exports: bombs::entries, 2_500, "has 2,501 component types and exports; the cap is 2,500";
    items: bombs::items, 40_000, "has 40,001 items outside of its core modules; the cap is 40,000";
    canonicals: bombs::canonicals, 2_000, "has 2,001 functions that are lifted or lowered; the cap is 2,000";
    levels_of_component_types: bombs::levels_of_component_types, 16, "has 17 levels of component types; the cap is 16";
    levels_of_instance_types: bombs::levels_of_instance_types, 16, "has 17 levels of component types; the cap is 16";
    parts_of_a_type: bombs::type_size, 10_000, "has 10,001 parts in one component type; the cap is 10,000";

    bytes_of_a_function: bombs::function_bytes, 2 << 20, "function 0 of core module 0 has 2,097,153 bytes of code; the cap";
    locals: bombs::locals, 5_000, "function 0 of core module 0 has 5,001 locals; the cap is 5,000";
    values_on_the_stack: bombs::values_on_the_stack, 1_000, "function 0 of core module 0 has 1,001 values on its stack;";
    levels_of_blocks: bombs::levels_of_blocks, 5_000, "function 0 of core module 0 has 5,001 levels of blocks; the cap";
    levels_of_loops: bombs::levels_of_loops, 100, "function 0 of core module 0 has 101 levels of loops; the cap is 100";
    values_of_a_block: bombs::block_values, 16, "function 0 of core module 0 has 17 values that one block takes and gives;";
    targets_of_a_br_table: bombs::table_targets, 65_520, "function 0 of core module 0 has 65,521 targets in one `br_table`;";
    // 2,000 blocks that pass on 20,000 values, times 5,000 locals and those values.
    locals_times_branches: |blocks| bombs::locals_times_blocks(5_000, blocks), 2_000, "function 0 of core module 0 has \
        50,045,010 locals times branches; the cap is 50,000,000";
    // It grows with the square of the branches: 8 ns for each pair of them, and 6.8 µs for each one.
    milliseconds_of_a_function: |branches| bombs::branches(1, branches), 18_962, "function 0 of core module 0 has \
        0 locals and 18,963 branches: an estimated 3,001 milliseconds to compile; the cap is 3,000";
    milliseconds_of_all: |functions| bombs::branches(functions, 10_000), 10, "has 440,088 bytes of code, which take an \
        estimated 9,516 milliseconds to compile, 866 of them for function 0 of core module 0; the cap for this amount of \
        code is 9,400";
}

#[test]
fn the_switch_that_took_the_compiler_24_seconds_and_a_gigabyte_is_refused() {
    check_refused(
        &bombs::switch(4_990, 300),
        "function 0 of core module 0 has 300 locals and 4,991 branches: an estimated ",
    );
    // One like the largest in an honest component is not.
    scan(&bombs::switch(910, 60)).expect("it compiles in a moment");
}

#[test]
fn eighty_thousand_functions_that_do_nothing_are_refused() {
    check_refused(&bombs::functions(80_000), "has 80,000 functions");
}

#[test]
fn a_hundred_thousand_nested_blocks_are_refused() {
    check_refused(
        &bombs::levels_of_blocks(100_000),
        "function 0 of core module 0 has 100,000 levels of blocks",
    );
}

#[test]
fn forty_megabytes_of_data_are_refused() {
    check_refused(&bombs::data_bytes(40 << 20), "has 41,943,040 bytes of static data");
}

#[test]
fn nested_parts_are_refused_before_anything_reads_them_by_recursion() {
    // At this depth a reader that calls itself would end the process.
    check_refused(&bombs::levels_of_instance_types(1_000_000), "has 17 levels of component types");
    check_refused(&bombs::levels_of_component_types(1_000_000), "has 17 levels of component types");
    check_refused(&bombs::levels_of_components(2_000), "has 9 levels of components");
}

#[test]
fn types_that_each_instance_copies_are_bounded_in_both_numbers() {
    scan(&bombs::types_of_instances(2_400, 250)).expect("it takes a fifth of a second");
    check_refused(&bombs::types_of_instances(2_500, 1), "has 2,501 component types and exports");
    check_refused(&bombs::types_of_instances(1, 251), "has 251 component instances and imports");
    check_refused(&bombs::types_of_instances(5_000, 900), "has 5,001 component types and exports");
}

#[test]
fn types_that_are_cut_off_are_refused_as_such() {
    let bytes = bombs::levels_of_instance_types(5);
    for length in 9..bytes.len() {
        assert_eq!(scan(&bytes[..length]).expect_err("it is cut off").kind, RefusalKind::Invalid, "{length}");
    }
}

#[test]
fn a_function_over_a_limit_is_reported_by_its_name_if_it_has_one() {
    let locals = "(local i32)".repeat(5_001);
    let text = format!(r#"(component (core module (func) (func (@name "plan\u{{202e}}_all") {locals})))"#);
    let component = arena_testkit::component(&text).expect("it can be made");
    check_refused(
        &component,
        "function 1 (`plan_all`) of core module 0 has 5,001 locals; the cap is 5,000, ",
    );
}
