//! The zoo itself: every specimen can be made, says what it does, and has an entry in the table.

use arena_testkit::{
    component, component_with_wasi, specimens, submarine_component, submarine_zoo, zoo, zoo_names, zoo_text,
};

#[test]
fn every_specimen_is_a_component() {
    let names = zoo_names();
    assert!(names.iter().any(|name| name == "sweeper"), "{names:?}");
    for name in names {
        // Bytes 4 to 8 of a component are its version and layer.
        assert_eq!(zoo(&name)[..8], *b"\0asm\x0d\0\x01\0", "{name}");
    }
}

#[test]
fn every_specimen_begins_with_a_comment_that_says_what_it_does() {
    for name in zoo_names() {
        let text = zoo_text(&name);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with(";; ") && first.ends_with('.'), "{name}: {first}");
    }
}

#[test]
fn every_specimen_has_exactly_one_entry_in_the_table() {
    let mut entries: Vec<&str> = specimens().iter().map(|specimen| specimen.name).collect();
    entries.sort_unstable();
    assert_eq!(entries, zoo_names());
}

#[test]
fn a_part_of_the_same_name_replaces_the_bots_own() {
    let with = component(r#"(data $name-text (i32.const 64) "a new name!")"#).expect("it can be made");
    let has = |text: &[u8]| with.windows(text.len()).any(|window| window == text);
    assert!(has(b"a new name!") && !has(b"zoo sweeper"));
}

#[test]
fn wasi_imports_have_the_requested_version() {
    let bytes = component_with_wasi(&zoo_text("shoots-at-random"), "0.2.3").expect("it can be made");
    let has = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(has(b"wasi:random/random@0.2.3") && !has(b"0.2.12"));
}

#[test]
fn a_submarine_specimen_exports_that_game_and_no_other() {
    let bytes = submarine_zoo("sub-sitter");
    let has = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(has(b"arena:submarine/bot@0.1.0") && !has(b"arena:battleship"));

    let with = submarine_component("(func $play (param $args i32) (result i32) (unreachable))");
    assert_ne!(with.expect("it can be made"), bytes);
}

#[test]
fn an_incomplete_text_is_an_error() {
    let error = component("(func $play").expect_err("it is incomplete");
    assert!(error.to_string().contains("parenthesis is missing"), "{error}");
}
