//! The depth at which a stack overflows, with settings of the compiler that stand for other processors.

use super::{STACK_BYTES, config};
use crate::scan;
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, OptLevel, RegallocAlgorithm, Store, Trap};

/// The units of a bot with one module, and the size of a frame: the formulas of [`crate::scan`], written again.
const UNITS: u64 = 4 << 20;

fn frame(locals_and_operands: u64, result_bytes: u64) -> u64 {
    32 + 16 * locals_and_operands + result_bytes / 32
}

/// A component that exports a function of its core module.
fn component(core: &str) -> Vec<u8> {
    let text = format!(
        "(component
            (core module $m {core})
            (core instance $i (instantiate $m))
            (func (export \"deep\") (param \"calls\" u32) (result u32) (canon lift (core func $i \"deep\"))))"
    );
    arena_testkit::component(&text).expect("it is a component")
}

/// Engines whose code has frames of other sizes.
fn engines() -> Vec<Engine> {
    let plain = || config(true).expect("it can be configured");
    let mut optimised = plain();
    optimised.cranelift_opt_level(OptLevel::Speed);
    let mut with_more_spills = plain();
    with_more_spills.cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
    let configs = [plain(), optimised, with_more_spills];
    configs.iter().map(|config| Engine::new(config).expect("an engine can be made")).collect()
}

/// The end of a call with this argument, and the fuel that is left.
fn call(engine: &Engine, component: &Component, calls: u32) -> (Result<u32, Trap>, u64) {
    let mut store = Store::new(engine, ());
    store.set_fuel(u64::MAX / 2).expect("it has fuel");
    store.set_epoch_deadline(1 << 20);
    let instance = Linker::new(engine).instantiate(&mut store, component).expect("it has no imports");
    let deep = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "deep").expect("it is exported");
    let called = deep.call(&mut store, (calls,)).map(|(answer,)| answer);
    let end = called.map_err(|error| *error.downcast_ref().expect("it is a trap"));
    (end, store.get_fuel().expect("it counts"))
}

/// The largest argument with which a function answers, which has to be the same on all engines. With a larger one, it uses up its units, and
/// not the machine's stack.
#[track_caller]
fn deepest(core: &str) -> u32 {
    let bytes = component(core);
    let additions = scan::validate(&bytes).expect("it is valid");
    let written = scan::with_additions(&bytes, &additions).expect("it can be written").into_owned();
    let work = move || {
        let depth = |engine: &Engine| {
            let component = Component::from_binary(engine, &written).expect("it can be compiled");
            let (mut answers, mut overflows) = (0_u32, 1 << 20);
            while answers + 1 < overflows {
                let calls = answers.midpoint(overflows);
                match call(engine, &component, calls).0 {
                    Ok(_) => answers = calls,
                    Err(trap) => {
                        assert_eq!(trap, Trap::NullReference, "after {calls} calls");
                        overflows = calls;
                    }
                }
            }
            answers
        };
        engines().iter().map(depth).collect::<Vec<_>>()
    };
    let depths = arena_resources::on_stack("test", STACK_BYTES, work).expect("there is room");
    assert!(depths.iter().all(|depth| *depth == depths[0]), "{depths:?}");
    depths[0]
}

/// A function that calls itself as often as its parameter says, with more locals.
fn recursion(locals: &str) -> String {
    format!(
        "(func $deep (export \"deep\") (param i32) (result i32) (local {locals})
            (if (result i32) (local.get 0)
                (then (call $deep (i32.sub (local.get 0) (i32.const 1))))
                (else (i32.const 7))))"
    )
}

#[test]
fn a_recursion_is_as_deep_as_its_frames_say() {
    for (locals, number) in [("", 0), ("i32 i64", 2), ("v128 v128 v128 f32", 4), (&"v128 ".repeat(900), 900)]
    {
        // A parameter, two operands, and six results of eight bytes.
        let calls = UNITS / frame(number + 3, 48);
        assert_eq!(u64::from(deepest(&recursion(locals))) + 1, calls, "{number}");
    }
}

/// Functions that call each other in other ways, and that have large frames.
fn specimens() -> [String; 5] {
    let less = "(i32.sub (local.get 0) (i32.const 1))";
    // Two of three functions of a circle do not count, and one way round is longer.
    let circle = format!(
        "(func $deep (export \"deep\") (param i32) (result i32)
            (if (result i32) (i32.and (local.get 0) (i32.const 1)) (then (call $second {less})) (else (call $third (local.get 0)))))
         (func $second (param i32) (result i32) (local i64 v128) (call $third (local.get 0)))
         (func $third (param i32) (result i32)
            (if (result i32) (local.get 0) (then (call $deep {less})) (else (i32.const 7))))"
    );
    let indirect = format!(
        "(type $deep (func (param i32) (result i32)))
         (table funcref (elem $deep $other))
         (func $other (param i32) (result i32) (call_indirect (type $deep) (local.get 0) (i32.const 0)))
         (func $deep (export \"deep\") (param i32) (result i32)
            (if (result i32) (local.get 0)
                (then (call_indirect (type $deep) {less} (i32.and (local.get 0) (i32.const 1))))
                (else (return (i32.const 7)))))"
    );
    let signature = format!("(param {}) (result {})", "v128 ".repeat(99), "v128 ".repeat(16));
    let rest: String = (1..99).map(|at| format!("(local.get {at})")).collect();
    let values = format!(
        "(func $wide (param i32) {signature}
            (if (i32.eqz (local.get 0)) (then (return {zeros})))
            (call $wide {less} (local.get 1) {rest}))
         (func (export \"deep\") (param i32) (result i32) (call $wide (local.get 0) {args}) {drops} (i32.const 7))",
        zeros = "(v128.const i64x2 0 0)".repeat(16),
        args = "(v128.const i64x2 0 0)".repeat(99),
        drops = "drop ".repeat(16),
    );
    [circle, indirect, values, places(2_000, "i64"), places(2_000, "v128")]
}

#[test]
fn a_stack_is_as_deep_on_every_processor_and_never_overflows_the_machines() {
    for core in specimens() {
        assert!(deepest(&core) > 3, "{core:.300}");
    }
}

#[test]
fn counting_changes_no_answer_and_no_fuel() {
    let engine = &engines()[0];
    for core in specimens() {
        let bytes = component(&core);
        let additions = scan::validate(&bytes).expect("it is valid");
        let ends = |additions| {
            let written = scan::with_additions(&bytes, additions).expect("it can be written");
            let component = Component::from_binary(engine, &written).expect("it can be compiled");
            [0, 1, 2, 25].map(|calls| call(engine, &component, calls))
        };
        let counting = ends(&additions);
        assert!(counting.iter().all(|(end, _)| *end == Ok(7)), "{counting:?}");
        assert_eq!(ends(&additions.without_counting()), counting, "{core:.300}");
    }
}

/// A function with a place of its own for each of this number of values, which is as many as the compiler makes: ten values that are there
/// all the time keep it from finding the places that are free again.
fn places(number: usize, of: &str) -> String {
    let [zero, add] = match of {
        "i64" => ["(i64.const 1)", "i64.add"],
        _ => ["(v128.const i64x2 1 1)", "i64x2.add"],
    };
    let first: String = (0..12).map(|at| format!("(local.set $kept{at} (call $value))")).collect();
    let last: String = (0..12)
        .map(|at| format!("(local.set $sum ({add} (local.get $sum) (local.get $kept{at})))"))
        .collect();
    let kept: String = (0..12).map(|at| format!("(local $kept{at} {of})")).collect();
    let values = format!(
        "(local.set $a (call $value)) (local.set $sum ({add} (local.get $sum) (local.get $b)))
         (local.set $b (call $value)) (local.set $sum ({add} (local.get $sum) (local.get $a)))"
    );
    format!(
        "(func $value (result {of}) {zero})
         (func $deep (export \"deep\") (param i32) (result i32) (local $a {of}) (local $b {of}) (local $sum {of}) {kept}
            (if (i32.eqz (local.get 0)) (then (return (i32.const 7))))
            {first} {values} {last} (global.set $out (local.get $sum))
            (call $deep (i32.sub (local.get 0) (i32.const 1))))
         (global $out (mut {of}) {zero})",
        values = values.repeat(number / 2)
    )
}
