//! The limits of results: in bytes as in memory, whatever their type.

use crate::common::admit;
use arena_loaded::{Game, trial};
use arena_sandbox::RESULT_BYTES_MAX;

/// The fault of a game with this type of an observation, a list or a string, of so many elements.
fn fault_of(observation: &str, elements: usize) -> Option<String> {
    let parts = format!(
        "(memory $memory 40)
        (func $observe (param $state i32) (param $viewer i32) (result i32)
            (call $text (i32.const 0) (i32.const 131072) (i32.const {elements}))
            (i32.const 0))"
    );
    let edit = |wit: &str| {
        let record = "record observation {\n        left: u32,\n        mine: u32,\n    }";
        assert!(wit.contains(record), "{wit}");
        wit.replace(record, observation)
    };
    let bytes = arena_testkit::game_component_with(&parts, edit).unwrap_or_else(|error| panic!("{error:?}"));
    let game = Game::new(admit(&bytes).expect("it is admitted")).unwrap_or_else(|error| panic!("{error}"));
    let trial = trial::play(&game, 1, &[], |_| true).expect("the host does not fail");
    trial.fault.map(|found| found.fault.to_string())
}

const HINT: &str = "return a smaller one, and numbers or a string instead of many records";

#[test]
fn a_list_of_numbers_may_have_as_many_bytes_as_a_string() {
    // A list and a string have eight bytes besides.
    let most = RESULT_BYTES_MAX - 8;
    for (part, width) in
        [("string", 1), ("list<u8>", 1), ("list<bool>", 1), ("list<u16>", 2), ("list<u64>", 8)]
    {
        let observation = format!("type observation = {part};");
        assert_eq!(fault_of(&observation, most / width), None, "{part}");
        let bytes = RESULT_BYTES_MAX + width;
        let expected = format!("`observe` failed: its result has {bytes} bytes; it can have 262144: {HINT}");
        assert_eq!(fault_of(&observation, most / width + 1), Some(expected), "{part}");
    }
}

#[test]
fn a_result_of_too_many_parts_is_one_that_is_too_large() {
    let expected =
        "`observe` failed: its result has more than 262144 bytes, or too many records, lists and names";
    let found = fault_of("type observation = list<tuple<tuple<u8>>>;", 250_000);
    assert_eq!(found, Some(format!("{expected}: {HINT}")));
}

#[test]
fn an_observation_has_more_room_as_text_than_what_a_transcript_has() {
    // Each word is one byte, and 53 as text.
    let name = format!("a{}", "-long-name".repeat(5));
    let observation = format!("enum word {{ {name}, b }}\n    type observation = list<word>;");
    assert_eq!(fault_of(&observation, 150_000), None);
    let found = fault_of(&observation, 170_000).expect("it is too long");
    assert_eq!(found, "`observe` returns 9010000 bytes as text; it can return 8388608: return less");
}
