//! The text and the JSON that a row has for a result.

use arena_record::{FaultCount, GameResult};
use arena_referee::{Detail, FaultClass, Frame};
use arena_rules::{Outcome, Seat};
use serde::{Deserialize, Serialize};

/// The words for the outcomes.
pub(crate) const OUTCOMES: [(&str, Outcome); 4] = [
    ("first", Outcome::Win(Seat::First)),
    ("second", Outcome::Win(Seat::Second)),
    ("draw", Outcome::Draw),
    ("no-contest", Outcome::NoContest),
];

/// A fault in its stored form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct StoredFault {
    seat: Seat,
    class: FaultClass,
    count: u32,
    first_turn: u32,
    detail: Detail,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    stack: Vec<Frame>,
}

impl StoredFault {
    /// The fault as results have it.
    pub(crate) fn into_count(self) -> ((Seat, FaultClass), FaultCount) {
        let Self { seat, class, count, first_turn, detail, stack } = self;
        ((seat, class), FaultCount { count, first_turn, detail, stack })
    }
}

/// The stored word for an outcome.
pub(crate) fn outcome_text(of: Outcome) -> &'static str {
    OUTCOMES.iter().find(|(_, outcome)| *outcome == of).expect("every outcome has a word").0
}

/// The stored form of a result's faults.
pub(crate) fn faults_text(result: &GameResult) -> String {
    let fault = |(&(seat, class), fault): (&(Seat, FaultClass), &FaultCount)| StoredFault {
        seat,
        class,
        count: fault.count,
        first_turn: fault.first_turn,
        detail: fault.detail.clone(),
        stack: fault.stack.clone(),
    };
    let faults: Vec<StoredFault> = result.faults.iter().map(fault).collect();
    serde_json::to_string(&faults).expect("faults are plain data")
}
