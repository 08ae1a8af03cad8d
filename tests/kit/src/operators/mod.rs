//! Bots that repeat one operator of WebAssembly for as long as they have fuel, to measure its time for a unit of fuel.
//!
//! Most operators take values and return a value; their bots are made from the list of operators (`plain`). The others
//! have bots of their own (`special`), and so has work other than operators: entering a function (`beyond`), calling the host (`host`), using
//! one of many parts (`modules`). Combinations are drawn at random (`shapes`). What fuel does not cover comes with whole calls (`calls`).

mod beyond;
mod calls;
mod digest;
mod host;
mod list;
mod modules;
mod plain;
mod shapes;
mod special;

pub use digest::digest;
pub use list::{Operator, PROPOSALS, operators};
pub use shapes::{Chance, Shape};

/// A bot that repeats one thing in `play` for as long as it has fuel, or of which a whole call is measured.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the operator in WebAssembly text, such as `i32.add`; or of other work.
    pub operator: String,
    /// The circumstances, such as the operands, in some words.
    pub situation: String,
    /// The text of the bot, for [`component`](crate::component).
    pub text: String,
    /// The fuel of a turn that shows the time of a unit.
    pub fuel: u64,
    /// The time that is measured.
    pub measured: Measured,
}

/// A time of a bot that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The time of a unit, in a turn in which the bot uses up its fuel.
    Unit,
    /// The time of a turn that ends early, by an answer or a trap.
    Turn,
    /// The time of the first call, for which an instance is made, and of its end.
    Start,
}

/// The fuel of most cases. Chosen: at 10 ns a unit it lasts 30 ms, and at 0.1 ns still a hundred times a call of `play`.
const FUEL: u64 = 3_000_000;

/// The fuel of cases with work that comes once for each page of memory. Chosen: a tenth of a turn.
const FUEL_WITH_PAGES: u64 = 30_000_000;

/// The operators without a case: one ends the turn, and one is not valid with any types yet.
pub const UNREPEATABLE: [&str; 2] = ["unreachable", "typed_select_multi"];

/// The repetitions of an operator in one round of a loop. Chosen: the loop itself costs few units in a round.
const REPETITIONS: usize = 32;

/// The deployment of all these bots: it first calls `$set-up`, so that the time in `play` is that of the operator.
const DEPLOY: &str = "
    (func $deploy
        (param i32) (param i32) (param i32) (param i32) (param i32) (param i32) (param i32) (param i64) (param i64)
        (result i32)
        (call $set-up)
        (call $pair (i32.const 1024) (i32.const 10)))";

/// A set-up that does nothing.
const NO_SET_UP: &str = "(func $set-up)";

impl Case {
    /// A bot with these parts (globals, tables, functions) that repeats `body`; `start` comes before the loop, and begins
    /// with declarations of locals.
    fn new(operator: &str, situation: impl Into<String>, parts: &str, start: &str, body: &str) -> Self {
        let set_up = if parts.contains("(func $set-up") { "" } else { NO_SET_UP };
        let text = format!(
            "{parts}\n{DEPLOY}\n{set_up}\n(func $play (param $args i32) (result i32)\n{start}\n\
             (loop $again\n{body}\n(br $again))\n(unreachable))"
        );
        Self::of_text(operator, situation, text)
    }

    /// A bot with this text.
    fn of_text(operator: &str, situation: impl Into<String>, text: String) -> Self {
        Self {
            operator: operator.into(),
            situation: situation.into(),
            text,
            fuel: FUEL,
            measured: Measured::Unit,
        }
    }

    /// The case with fuel for touching all pages.
    fn with_pages(self) -> Self {
        Self { fuel: FUEL_WITH_PAGES, ..self }
    }
}

/// All cases. Each operator that bots may use has at least one, except for [`UNREPEATABLE`].
pub fn cases() -> Vec<Case> {
    let mut cases = special::cases();
    cases.extend(beyond::cases());
    cases.extend(host::cases());
    cases.extend(modules::cases());
    cases.extend(calls::cases());
    for operator in operators() {
        cases.extend(plain::cases(&operator));
    }
    cases
}
