//! Operators of control, variables, tables and bulk memory: their cases are written out.

use super::{Case, REPETITIONS};

/// A line for each case: the operator, the circumstances, and the body of the loop.
const SIMPLE: &[(&str, &str, &str)] = &[
    ("nop", "", "nop"),
    ("block", "", "(block)"),
    ("loop", "without a branch back", "(loop)"),
    ("if", "not taken", "(if (global.get $zero) (then (global.set $one (i32.const 1))))"),
    ("if", "taken", "(if (global.get $one) (then (global.set $one (i32.const 1))))"),
    ("else", "taken", "(if (global.get $zero) (then) (else (global.set $one (i32.const 1))))"),
    ("end", "of a block with a result", "(drop (block (result i32) (global.get $one)))"),
    ("br", "", "(block (br 0))"),
    ("br_if", "taken", "(block (br_if 0 (global.get $one)))"),
    ("br_if", "not taken", "(block (br_if 0 (global.get $zero)))"),
    ("br_table", "one way", "(block (block (br_table 0 1 0 1 (global.get $one))))"),
    ("return", "of a function that is called", "(call $returns)"),
    ("call", "of a function that does nothing", "(call $nothing)"),
    ("call", "with 16 parameters and results", "(call $through (call $sixteen))"),
    ("call_indirect", "of one function", "(call_indirect (global.get $one))"),
    ("drop", "", "(drop (i32.const 1))"),
    (
        "typed_select",
        "",
        "(global.set $float (select (result f64) (global.get $float) (f64.const 1) (global.get $one)))",
    ),
    ("local.get", "", "(global.set $one (local.get $kept))"),
    ("local.set", "", "(local.set $kept (global.get $one))"),
    ("local.tee", "", "(global.set $one (local.tee $kept (global.get $one)))"),
    ("global.get", "", "(local.set $kept (global.get $one))"),
    ("global.set", "", "(global.set $one (i32.const 1))"),
    ("i32.const", "", "(global.set $one (i32.const 1))"),
    ("i64.const", "", "(global.set $long (i64.const 0x123456789abcdef))"),
    ("f32.const", "", "(global.set $short (f32.const 1.5))"),
    ("f64.const", "", "(global.set $float (f64.const 1.5))"),
    ("v128.const", "", "(global.set $vector (v128.const i64x2 1 0x123456789abcdef))"),
    ("memory.size", "", "(global.set $pages (memory.size))"),
    ("memory.grow", "by nothing", "(drop (memory.grow (i32.const 0)))"),
    ("memory.grow", "by a page, until it fails", "(drop (memory.grow (i32.const 1)))"),
    ("data.drop", "", "(data.drop $data)"),
    ("elem.drop", "", "(elem.drop $elements)"),
    ("ref.null", "", "(global.set $reference (ref.null func))"),
    ("ref.is_null", "", "(global.set $zero (ref.is_null (global.get $reference)))"),
    ("ref.func", "", "(global.set $reference (ref.func $nothing))"),
    ("table.get", "of a function", "(global.set $reference (table.get $table (i32.const 1)))"),
    ("table.get", "of nothing", "(global.set $reference (table.get $empty (global.get $next)))"),
    ("table.set", "", "(table.set $table (i32.const 2) (global.get $reference))"),
    ("table.size", "", "(global.set $pages (table.size $table))"),
    ("table.grow", "by nothing", "(drop (table.grow $empty (ref.null func) (i32.const 0)))"),
    ("table.grow", "by one, until it fails", "(drop (table.grow $empty (ref.null func) (i32.const 1)))"),
];

/// The parts that the simple cases use.
const PARTS: &str = r#"
    (memory $memory 16 1000)
    (table $table 20000 funcref)
    (table $empty 1000 2000 funcref)
    (global $zero (mut i32) (i32.const 0)) (global $one (mut i32) (i32.const 1)) (global $next (mut i32) (i32.const 2))
    (global $pages (mut i32) (i32.const 0)) (global $long (mut i64) (i64.const 0))
    (global $short (mut f32) (f32.const 0)) (global $float (mut f64) (f64.const 0))
    (global $vector (mut v128) (v128.const i64x2 0 0)) (global $reference (mut funcref) (ref.null func))
    (data $data "some text that lies in the component, sixty-four bytes of it....")
    (elem $elements func $nothing $returns $nothing $returns)
    (elem $active (table $table) (i32.const 0) func $nothing $nothing $nothing)
    (func $nothing)
    (func $returns return)
    (type $many (func (result i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
    (func $sixteen (type $many)
        (i32.const 1) (i32.const 2) (i32.const 3) (i32.const 4) (i32.const 5) (i32.const 6) (i32.const 7) (i32.const 8)
        (i32.const 1) (i32.const 2) (i32.const 3) (i32.const 4) (i32.const 5) (i32.const 6) (i32.const 7) (i32.const 8))
    (func $through (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32))
"#;

/// Operators whose work depends on a length: the operator with its immediates, and the type of what it moves.
const BULK: &[(&str, &str, &str)] = &[
    ("memory.fill", "", "memory"),
    ("memory.copy", "", "memory"),
    ("memory.init", "$data", "memory"),
    ("table.fill", "$table", "table"),
    ("table.copy", "$table $table", "table"),
    ("table.init", "$table $elements", "table"),
];

pub(super) fn cases() -> Vec<Case> {
    let simple = SIMPLE.iter().map(|(operator, situation, body)| {
        Case::new(operator, *situation, PARTS, "(local $kept i32)", &format!("{body}\n").repeat(REPETITIONS))
    });
    simple.chain(BULK.iter().flat_map(bulk)).collect()
}

/// The cases of an operator with a length: short and long, known to the compiler and not, on places that were used before
/// and on places that were not.
fn bulk((operator, immediates, kind): &(&'static str, &str, &str)) -> Vec<Case> {
    let lengths: &[u32] = match (*operator, *kind) {
        ("memory.init" | "table.init", _) => &[0, 1, 4],
        (_, "table") => &[0, 1, 10, 1_000],
        _ => &[0, 1, 8, 64, 512, 4_096, 65_536, 1 << 20],
    };
    let mut cases = Vec::new();
    for &length in lengths {
        let source = match *operator {
            "memory.fill" => "(i32.const 7)",
            "table.fill" => "(ref.null func)",
            "memory.copy" => "(i32.const 65539)",
            _ => "(i32.const 0)",
        };
        let known = format!("({operator} {immediates} (local.get $at) {source} (i32.const {length}))\n");
        let unknown = format!("({operator} {immediates} (local.get $at) {source} (local.get $length))\n");
        let (parts, start, forward) = if *kind == "table" {
            let start =
                format!("(local $at i32) (local $length i32) (local.set $length (i32.const {length}))");
            (PARTS.to_owned(), start, "")
        } else {
            let start = format!(
                "(local $at i32) (local $length i32) (local.set $length (i32.const {length}))
                 (local.set $at (i32.const 131071))"
            );
            (PARTS.replace("$memory 16", "$memory 1000"), start, FORWARD)
        };
        let situation = |how: &str| format!("of length {length}, {how}");
        for (how, body) in [("known", &known), ("unknown", &unknown)] {
            cases.push(Case::new(operator, situation(how), &parts, &start, &body.repeat(REPETITIONS)));
            if !forward.is_empty() {
                let how = format!("{how}, page after page");
                let body = format!("{body}{forward}");
                cases.push(Case::new(operator, situation(&how), &parts, &start, &body).with_pages());
            }
        }
    }
    cases
}

/// Goes to the next page of memory, and from the last one to the first.
const FORWARD: &str = "
    (local.set $at (i32.add (local.get $at) (i32.const 4096)))
    (if (i32.gt_u (local.get $at) (i32.const 64000000)) (then (local.set $at (i32.const 131071))))";
