//! The counted limits: each is exact, and its message helps the author.

use crate::common::{admit, spots};
use arena_sandbox::{Refusal, RefusalKind};
use arena_testkit::bombs;

/// The refusal of a component by the scan. A component that passes the scan is refused because it exports nothing, and
/// it is not compiled.
fn scan(component: &[u8]) -> Result<(), Refusal> {
    let refusal = admit(component).expect_err("it exports nothing");
    if refusal.kind == RefusalKind::NotABot { Ok(()) } else { Err(refusal) }
}

/// Checks that the largest number is admitted, and that one more is refused with this text.
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
    bytes_of_data: bombs::data_bytes, 32 << 20, "has 33,554,433 bytes of static data; the cap is 33,554,432, and the most \
        found in an honest bot is 11,078,930";
    bytes_of_data_of_all_instances: bombs::megabytes_of_data, 32, "has 34,603,008 bytes of static data; the cap";
    segments_of_data: bombs::data_segments, 100_000, "has 100,001 segments of static data; the cap is 100,000";
    elements_in_segments: bombs::elements, 60_000, "has 60,001 table elements in segments; the cap is 60,000";
    constant_operators: bombs::constant_operators, 200_000, "has 200,001 operators in constant expressions; the cap";
    core_modules: bombs::modules, 100, "has 101 core modules; the cap is 100";
    core_module_instances: bombs::core_instances, 64, "has 65 core module instances; the cap is 64";
    tables: bombs::tables, 4, "has 5 tables; the cap is 4";
    elements_of_a_table: bombs::table_elements, 20_000, "has 20,001 elements in one table; the cap is 20,000";
    locals_of_a_function: bombs::locals, 1_000, "has 1,001 locals in one function; the cap is 1,000";
    parameters_of_a_function: bombs::parameters, 100, "has 101 parameters of one function; the cap is 100";
    results_of_a_function: bombs::results, 16, "has 17 results of one function or block; the cap is 16";
    parameters_of_a_block: bombs::block_parameters, 16, "has 17 parameters of one block; the cap is 16";
    operands_of_a_function: bombs::operands, 500, "has 501 operands at a time in one function; the cap is 500";

    levels_of_components: bombs::levels_of_components, 8, "has 9 levels of components; the cap is 8";
    instances_of_components: bombs::component_instantiations, 10, "has 11 instances of components; the cap is 10";
    component_instances_and_imports: bombs::copies, 250, "has 251 component instances and imports; the cap is 250";
    component_types_and_exports: bombs::entries, 2_500, "has 2,501 component types and exports; the cap is 2,500";
    bytes_of_types_and_names: bombs::entry_bytes, 128 << 10, "has 131,073 bytes of component types and names; the cap";
    bytes_of_a_name: bombs::name_bytes, 256, "has 257 bytes in the name of a part; the cap is 256";
    items: bombs::items, 40_000, "has 40,001 items outside of its core modules; the cap is 40,000";
    canonicals: bombs::canonicals, 2_000, "has 2,001 functions that are lifted or lowered; the cap is 2,000";
    levels_of_component_types: bombs::levels_of_component_types, 16, "has 17 levels of component types; the cap is 16";
    levels_of_instance_types: bombs::levels_of_instance_types, 16, "has 17 levels of component types; the cap is 16";
}

#[test]
fn as_many_segments_as_go_writes_cost_a_bot_nothing() {
    use std::fmt::Write;
    let segments = |count: usize| {
        let mut text = "(memory $memory 32)".to_owned();
        for at in 0..count {
            write!(text, r#"(data (i32.const {}) "x")"#, (1 << 20) + 16 * at).expect("a text takes it");
        }
        arena_testkit::component(&text).expect("it is a specimen")
    };
    let bot = admit(&segments(42_517)).expect("a Go bot has as many");
    assert_eq!(spots(&bot, 1, 20), spots(&admit(&segments(0)).expect("it is a bot"), 1, 20));
}

#[test]
fn forty_megabytes_of_data_are_refused() {
    check_refused(&bombs::data_bytes(40 << 20), "has 41,943,040 bytes of static data");
}

#[test]
fn nested_parts_are_refused_before_anything_reads_them_by_recursion() {
    // At this depth a reader that calls itself would end the process.
    check_refused(&bombs::levels_of_instance_types(40_000), "has 17 levels of component types");
    check_refused(&bombs::levels_of_component_types(40_000), "has 17 levels of component types");
    check_refused(&bombs::levels_of_components(2_000), "has 9 levels of components");
}

#[test]
fn types_that_each_instance_copies_are_bounded_in_all_numbers() {
    scan(&bombs::types_of_instances(2_400, 250)).expect("it takes a fifth of a second");
    check_refused(&bombs::types_of_instances(2_500, 1), "has 2,501 component types and exports");
    check_refused(&bombs::types_of_instances(1, 251), "has 251 component instances and imports");
    check_refused(&bombs::types_of_instances(5_000, 900), "has 5,001 component types and exports");
    // The file that took twenty gigabytes to validate.
    check_refused(
        &bombs::long_names_of_instances(990, 240, 90_000),
        "has 90,000 bytes in the name of a part",
    );
}

#[test]
fn types_that_are_cut_off_are_refused_as_such() {
    let bytes = bombs::levels_of_instance_types(5);
    for length in 9..bytes.len() {
        assert_eq!(scan(&bytes[..length]).expect_err("it is cut off").kind, RefusalKind::Invalid, "{length}");
    }
}

/// A bot whose `play` shifts `count` values by one with each branch back to a loop, without end.
fn shifting(count: usize, kind: &str) -> Vec<u8> {
    let (values, parameters) =
        (format!("({kind}.const i64x2 0 1)").repeat(count), format!("{kind} ").repeat(count));
    let text = format!(
        "(func $play (param $args i32) (result i32)
            {values} (loop $again (param {parameters}) ({kind}.const i64x2 1 1) (br $again)) (unreachable))"
    );
    arena_testkit::component(&text).expect("it can be made")
}

#[test]
fn a_bot_may_shift_sixteen_values_with_a_branch_and_no_more() {
    admit(&shifting(16, "v128")).expect("its branches are cheap");
    check_refused(&shifting(17, "v128"), "has 17 parameters of one block; the cap is 16");
    check_refused(&shifting(1_000, "v128"), "has 1,000 parameters of one function; the cap is 100");
}
