//! Laws that hold for any input, as functions of bytes. A function panics if its law does not hold.
//!
//! Each law has a fuzz target in `fuzz/fuzz_targets` and a test in `tests/` of the same name. The fuzzer and the program of this
//! crate search for input that breaks it, for as long as they are let run. The test tries some input on every machine. A law states what
//! the rules or the documentation say, and computes it in a different way than the code.
//!
//! ```
//! arena_laws::client_lines_survive_any_bytes(b"{\"w\":[0,0],\"c\":[1,0]}\n\xff");
//! ```
#![forbid(unsafe_code)]

mod answers;
mod any_code;
mod battles;
#[path = "../../../tests/program/chain.rs"]
mod chain;
mod client_lines;
mod connect_four;
mod drawing;
pub mod driver;
mod fleets;
mod journals;
mod loading;
mod model;
mod overlays;
mod placements;
mod served;
mod shot_board;
mod submarine;
mod text;
mod transcripts;

pub use answers::compiler_answers_get_a_verdict;
pub use any_code::any_code_gets_a_verdict_and_the_same_one_twice;
pub use battles::battles_keep_their_invariants;
pub use client_lines::client_lines_survive_any_bytes;
pub use fleets::legal_fleets_are_found_and_drawn;
pub use journals::{journals_survive_any_bytes, journals_survive_any_row};
pub use loading::loading_never_panics_or_hangs;
pub use overlays::overlays_stay_on_the_board;
pub use placements::rules_refuse_or_accept_any_placement;
pub use served::served_games_survive_any_bytes;
pub use shot_board::shot_board_survives_any_history;
pub use submarine::submarine_keeps_its_invariants;
pub use text::text_from_outside_is_plain;
pub use transcripts::{
    games_without_deployments_replay_as_they_were_played, packed_events_survive_any_bytes,
    recorded_games_replay_as_they_were_played, transcripts_survive_any_bytes,
};

/// A law with its name.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name of the function, of its fuzz target and of the folder with its seeds.
    pub name: &'static str,
    /// The law. It panics if it does not hold for these bytes.
    pub check: fn(&[u8]),
}

/// Makes the list of laws from the names of their functions.
macro_rules! laws {
    ($($law:ident,)*) => { [$(Law { name: stringify!($law), check: $law },)*] };
}

/// All laws.
pub const LAWS: [Law; 18] = laws![
    any_code_gets_a_verdict_and_the_same_one_twice,
    battles_keep_their_invariants,
    client_lines_survive_any_bytes,
    compiler_answers_get_a_verdict,
    games_without_deployments_replay_as_they_were_played,
    journals_survive_any_bytes,
    journals_survive_any_row,
    legal_fleets_are_found_and_drawn,
    loading_never_panics_or_hangs,
    overlays_stay_on_the_board,
    packed_events_survive_any_bytes,
    recorded_games_replay_as_they_were_played,
    rules_refuse_or_accept_any_placement,
    served_games_survive_any_bytes,
    shot_board_survives_any_history,
    submarine_keeps_its_invariants,
    text_from_outside_is_plain,
    transcripts_survive_any_bytes,
];
