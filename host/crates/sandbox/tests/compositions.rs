//! Components within a component: one has the bot's code, and there may be stubs, to which nothing can be passed.

use crate::common::{admit, specimen, spots};
use arena_sandbox::RefusalKind;

/// A component of these parts and the zoo's sweeper, whose bot it exports.
fn composition(parts: &str) -> Vec<u8> {
    arena_testkit::composition(parts, "sweeper").unwrap_or_else(|error| panic!("{error:?}"))
}

/// A component with code, in the size of a stub.
fn stub(inside: &str) -> String {
    format!(
        "(component $stub (core module $m (func (export \"f\")) {inside}) (core instance (instantiate $m)))"
    )
}

#[track_caller]
fn check_refused(component: &[u8], words: &str) {
    let refusal = admit(component).expect_err("it is a composition");
    assert_eq!(refusal.kind, RefusalKind::Feature, "{refusal}");
    assert!(refusal.message.contains(words), "{refusal}");
    // The option of jco that makes a bot in JavaScript a composition.
    assert!(refusal.next_step.contains("leave out `--backend-qjs-stub-wasi`"), "{}", refusal.next_step);
}

#[test]
fn a_bot_beside_a_stub_plays_like_the_bot_alone() {
    for stub in ["", &stub(""), &stub("(memory 0)"), &stub("(memory 0) (global i32 (i32.const 7))")] {
        let instance = if stub.is_empty() { "" } else { "(instance (instantiate $stub))" };
        let bot = admit(&composition(&format!("{stub} {instance}")))
            .unwrap_or_else(|refusal| panic!("{stub}: {refusal}"));
        assert_eq!(spots(&bot, 1, 10), spots(&specimen("sweeper"), 1, 10));
    }
}

#[test]
fn a_bot_may_import_a_function_of_a_stub_that_takes_a_text_as_quickjs_does() {
    let stub = r#"(component $stub-component
            (core module $m
                (memory (export "memory") 0)
                (func (export "realloc") (param i32 i32 i32 i32) (result i32) (unreachable))
                (func (export "f") (param i32 i32)))
            (core instance $i (instantiate $m))
            (alias core export $i "memory" (core memory $memory))
            (func $f (param "text" string) (canon lift (core func $i "f") (memory $memory)
                (realloc (core func $i "realloc"))))
            (export "f" (func $f)))
        (instance $stub (instantiate $stub-component))"#;
    let component = arena_testkit::composition_with_import(stub, "sweeper");
    let component = component.unwrap_or_else(|error| panic!("{error:?}"));
    let bot = admit(&component).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(spots(&bot, 1, 10), spots(&specimen("sweeper"), 1, 10));
}

#[test]
fn a_second_component_with_more_code_or_with_room_for_data_is_refused() {
    let large = format!("(data \"{}\") (memory 0)", "x".repeat(5_000));
    for inside in [large.as_str(), "(memory 1)", "(memory 0) (func (drop (memory.grow (i32.const 1))))"] {
        check_refused(&composition(&stub(inside)), "is a composition of components that each have code");
    }
    // However deep it is.
    let nested = format!("(component {})", stub("(memory 1)"));
    check_refused(&composition(&nested), "is a composition of components that each have code");
}

#[test]
fn a_stub_that_could_get_at_more_is_refused() {
    let importing = r#"(component $stub (import "f" (func)) (core module $m (func (export "f"))) (core instance (instantiate $m)))"#;
    let aliasing = r#"(type $t (list u8))
        (component $stub (alias outer 1 $t (type)) (core module $m (func (export "f"))) (core instance (instantiate $m)))"#;
    for stub in [importing, aliasing] {
        check_refused(&composition(stub), "is a composition of components that each have code");
    }
}

#[test]
fn code_is_refused_in_another_place_than_its_own_however_it_gets_there() {
    let module = r#"(core module $m (func (export "f")))"#;
    for (parts, words) in [
        (format!("{module} (component (alias outer 1 $m (core module)))"), "in another place than its own"),
        (format!("{module} (alias outer 0 $m (core module))"), "in another place than its own"),
        ("(component $c) (component (alias outer 1 $c (component)))".into(), "in another place than its own"),
        (r#"(component (import "m" (core module)))"#.into(), "imports a core module"),
        (r#"(component (import "c" (component)))"#.into(), "imports a component"),
        (
            format!("{} (instance (instantiate $stub)) (instance (instantiate $stub))", stub("")),
            "several instances of a component that has code",
        ),
        (
            format!(
                "(component $outer {} (instance (instantiate $stub))) (instance (instantiate $outer)) \
                 (instance (instantiate $outer))",
                stub("")
            ),
            "several instances of a component that has code",
        ),
    ] {
        check_refused(&composition(&parts), words);
    }
}
