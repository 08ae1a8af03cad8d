//! Modules with many parts: variables, tables and instances that are in no cache, and functions of other components.

use super::Case;
use std::fmt::Write;

/// The globals of a case. Chosen: they take a megabyte, as much as the caches of a core; with 150,000, branches
/// on them take 2.9 ns a unit.
const GLOBALS: usize = 60_000;

/// The step from one global to the next that is used. Chosen: a prime, so that all are used, and each is far from the one before.
const STEP: usize = 7_919;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = globals();
    cases.extend(instances());
    cases.push(stub());
    cases
}

/// Globals that are used in an order in which no line of the cache is used twice in a row. The text of a use has `$this` and `$other`.
fn globals() -> Vec<Case> {
    let declared: String = (0..GLOBALS).fold(String::new(), |mut text, at| {
        // Zero or one, without a pattern.
        let value = at.wrapping_mul(0x9E37_79B9) >> 13 & 1;
        writeln!(text, "(global $g{at} (mut i32) (i32.const {value}))").expect("a text takes it");
        text
    });
    let no = "(global $no (mut i32) (i32.const 0))";
    [
        ("global.get", "of 60,000 globals", "(global.set $no (global.get $this))"),
        ("global.set", "of 60,000 globals", "(global.set $this (i32.const 1))"),
        ("br_if", "on each of 60,000 globals", "(block (br_if 0 (global.get $this)) (global.set $no (i32.const 0)))"),
        ("br_if", "on each of 60,000 globals, which change",
         "(block (br_if 0 (global.get $this)) (global.set $other (i32.xor (global.get $other) (i32.const 1))))"),
        ("select", "on each of 60,000 globals",
         "(global.set $no (select (global.get $no) (global.get $other) (global.get $this)))"),
    ]
    .into_iter()
    .map(|(operator, how, text)| {
        let body: String = (0..GLOBALS)
            .map(|number| {
                let at = number * STEP % GLOBALS;
                text.replace("$this", &format!("$g{at}"))
                    .replace("$other", &format!("$g{}", (at * 3 + 1) % GLOBALS)) + "\n"
            })
            .collect();
        // In functions, because one of this size takes long to compile.
        in_functions(operator, how, &format!("{declared}{no}"), &body)
    })
    .collect()
}

/// A case that does the lines of a body, in functions of 5,000 lines each.
fn in_functions(operator: &str, how: &str, parts: &str, body: &str) -> Case {
    const LINES: usize = 5_000;
    let lines: Vec<&str> = body.lines().collect();
    let mut functions = String::new();
    let mut calls = String::new();
    for (number, lines) in lines.chunks(LINES).enumerate() {
        writeln!(functions, "(func $part{number} {})", lines.join("\n")).expect("a text takes it");
        writeln!(calls, "call $part{number}").expect("a text takes it");
    }
    Case::new(operator, how, &format!("{parts}{functions}"), "", &calls)
}

/// Calls of functions, and uses of globals, of sixty other instances.
fn instances() -> Vec<Case> {
    const INSTANCES: usize = 60;
    const EACH: usize = 150;
    let mut exports = String::new();
    let (mut functions, mut variables) = (String::new(), String::new());
    for at in 0..EACH {
        writeln!(exports, "(global (export \"g{at}\") (mut i32) (i32.const 1)) (func (export \"f{at}\"))")
            .expect("a text takes it");
    }
    let mut outer = format!("(outer (core module $many {exports})");
    let mut given = String::new();
    for instance in 0..INSTANCES {
        writeln!(outer, "(core instance $many{instance} (instantiate $many))").expect("a text takes it");
        for at in 0..EACH {
            let name = format!("{instance}-{at}");
            writeln!(
                given,
                "(export \"g{name}\" (global $many{instance} \"g{at}\")) (export \"f{name}\" (func $many{instance} \"f{at}\"))"
            )
            .expect("a text takes it");
            writeln!(functions, "(import \"own\" \"f{name}\" (func $f{name}))").expect("a text takes it");
            writeln!(variables, "(import \"own\" \"g{name}\" (global $g{name} (mut i32)))")
                .expect("a text takes it");
        }
    }
    writeln!(outer, "(core instance $own {given}))").expect("a text takes it");
    let number = INSTANCES * EACH;
    let names = || {
        (0..number)
            .map(move |at| at * STEP % number)
            .map(|at| format!("{}-{}", at % INSTANCES, at / INSTANCES))
    };
    let calls: String = names().map(|name| format!("call $f{name}\n")).collect();
    let uses: String = names()
        .map(|name| format!("(global.set $g{name} (i32.add (global.get $g{name}) (i32.const 1)))\n"))
        .collect();
    vec![
        in_functions("call", "of functions of 60 other instances", &format!("{outer}{functions}"), &calls),
        in_functions("global.set", "of globals of 60 other instances", &format!("{outer}{variables}"), &uses),
    ]
}

/// Calls of a stub: a component of its own, so that there is an adapter between them.
fn stub() -> Case {
    let parameters: String = (0..16).map(|at| format!("(param \"p{at}\" f64) ")).collect();
    let core = "f64 ".repeat(16);
    let stub = format!(
        "(component $stub-component
            (core module $m (func (export \"f\") (param {core}) (result f64) (local.get 15)))
            (core instance $i (instantiate $m))
            (func $f {parameters} (result f64) (canon lift (core func $i \"f\")))
            (export \"f\" (func $f)))
         (instance $stub (instantiate $stub-component))"
    );
    let import = format!(
        "(outer
            (import \"f\" (func $f {parameters} (result f64)))
            (core func $lowered (canon lower (func $f)))
            (core instance $own (export \"f\" (func $lowered))))
         (import \"own\" \"f\" (func $f (param {core}) (result f64)))"
    );
    let body = format!("(drop (call $f {}))", "(f64.const 1)".repeat(16));
    let case = Case::new("call", "of a stub, with 16 parameters", &import, "", &body.repeat(8));
    let text = crate::component(&case.text)
        .and_then(|bot| crate::composition_of(&stub, &bot, "", r#"(with "f" (func $stub "f"))"#))
        .and_then(wasmprinter::print_bytes)
        .unwrap_or_else(|error| panic!("{error:?}"));
    Case { text, ..case }
}
