//! What holds for any input at all, as functions of bytes that panic where it does not hold.
//!
//! Each law is a fuzz target in `fuzz/fuzz_targets` and a test in `tests/`, by the same name: the fuzzer looks for the
//! input that breaks it for as long as one likes, and the test tries some on every machine. A law states what the rules
//! or the documentation say, worked out another way than the code does.
//!
//! ```
//! arena_laws::client_lines_survive_any_bytes(b"{\"w\":[0,0],\"c\":[1,0]}\n\xff");
//! ```
#![forbid(unsafe_code)]

mod any_code;
mod battles;
mod client_lines;
mod drawing;
mod loading;
mod placements;
mod shot_board;
mod submarine;
mod transcripts;

pub use any_code::any_code_gets_a_verdict_and_the_same_one_twice;
pub use battles::battles_keep_their_invariants;
pub use client_lines::client_lines_survive_any_bytes;
pub use loading::loading_never_panics_or_hangs;
pub use placements::rules_refuse_or_accept_any_placement;
pub use shot_board::shot_board_survives_any_history;
pub use submarine::submarine_keeps_its_invariants;
pub use transcripts::transcripts_survive_any_bytes;

/// A law by its name.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name of the function, of its fuzz target, and of the folder with its seeds.
    pub name: &'static str,
    /// Panics when the law does not hold for these bytes.
    pub check: fn(&[u8]),
}

/// Laws by the names of their functions.
macro_rules! laws {
    ($($law:ident,)*) => { [$(Law { name: stringify!($law), check: $law },)*] };
}

/// All of them.
pub const LAWS: [Law; 8] = laws![
    any_code_gets_a_verdict_and_the_same_one_twice,
    battles_keep_their_invariants,
    client_lines_survive_any_bytes,
    loading_never_panics_or_hangs,
    rules_refuse_or_accept_any_placement,
    shot_board_survives_any_history,
    submarine_keeps_its_invariants,
    transcripts_survive_any_bytes,
];
