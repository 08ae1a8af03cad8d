//! The result of a game in little memory: pages are made from those of all games.

use arena_record::{FaultCount, GameResult};
use arena_referee::FaultClass;
use arena_rules::{Outcome, Reason, Scores, Seat};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The faults in a game, by seat and class.
pub type Faults = BTreeMap<(Seat, FaultClass), FaultCount>;

/// The faults of a game without any.
static NO_FAULTS: Faults = Faults::new();

/// The result of a game, in half the memory of a [`GameResult`]: what few games have is apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactResult {
    /// The winner, if there is one.
    pub outcome: Outcome,
    /// The reason why it ended. Games with the same reason share it.
    pub reason: Arc<Reason>,
    /// The number of turns taken, by seat.
    pub turns: [u32; 2],
    /// The fuel of all calls that ended well, by seat.
    pub fuel: [u64; 2],
    /// `None` in a game without scores and faults.
    rare: Option<Box<Rare>>,
    reproducible: bool,
}

/// The parts of a result that few games have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rare {
    scores: Option<Scores>,
    faults: Faults,
}

/// The reasons of a contest's games, each once.
#[derive(Debug, Default)]
pub struct Reasons(Vec<Arc<Reason>>);

impl Reasons {
    fn share(&mut self, reason: Reason) -> Arc<Reason> {
        if let Some(known) = self.0.iter().find(|known| ***known == reason) {
            return known.clone();
        }
        let new = Arc::new(reason);
        self.0.push(new.clone());
        new
    }
}

impl CompactResult {
    /// A result, which shares its reason with others.
    pub fn of(result: &GameResult, reasons: &mut Reasons) -> Self {
        let &GameResult { outcome, reason, scores, turns, fuel, ref faults, reproducible } = result;
        Self {
            outcome,
            reason: reasons.share(reason),
            turns,
            fuel,
            rare: (scores.is_some() || !faults.is_empty())
                .then(|| Box::new(Rare { scores, faults: faults.clone() })),
            reproducible,
        }
    }

    /// The whole result.
    pub fn whole(&self) -> GameResult {
        GameResult {
            outcome: self.outcome,
            reason: *self.reason,
            scores: self.rare.as_ref().and_then(|rare| rare.scores),
            turns: self.turns,
            fuel: self.fuel,
            faults: self.faults().clone(),
            reproducible: self.reproducible,
        }
    }

    /// The faults.
    pub fn faults(&self) -> &Faults {
        self.rare.as_ref().map_or(&NO_FAULTS, |rare| &rare.faults)
    }

    /// True if a side won on the board, not by a fault of the other.
    pub fn is_won_on_board(&self) -> bool {
        matches!(self.outcome, Outcome::Win(_)) && self.reason.is_own()
    }

    /// The number of faults of all classes by a seat.
    pub fn fault_count(&self, seat: Seat) -> u32 {
        self.faults().iter().filter(|((by, _), _)| *by == seat).map(|(_, fault)| fault.count).sum()
    }
}

impl From<GameResult> for CompactResult {
    fn from(result: GameResult) -> Self {
        Self::of(&result, &mut Reasons::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn a_result_comes_back_whole_in_less_memory_and_shares_its_reason() {
        let fault = FaultCount { count: 3, first_turn: 7, detail: "x".into(), stack: Vec::new() };
        let plain = GameResult {
            outcome: Outcome::Win(Seat::First),
            reason: Reason::TurnsMax,
            scores: None,
            turns: [7, 8],
            fuel: [u64::MAX, 1],
            faults: Faults::new(),
            reproducible: true,
        };
        let other = GameResult {
            outcome: Outcome::Draw,
            scores: Some([-1, i64::MAX]),
            faults: [((Seat::Second, FaultClass::Trap), fault)].into(),
            reproducible: false,
            ..plain.clone()
        };
        let mut reasons = Reasons::default();
        let compact = [&plain, &other].map(|result| CompactResult::of(result, &mut reasons));
        assert_eq!(compact.each_ref().map(CompactResult::whole), [plain.clone(), other]);
        assert!(Arc::ptr_eq(&compact[0].reason, &compact[1].reason));
        assert_eq!(Seat::BOTH.map(|seat| compact[1].fault_count(seat)), [0, 3]);
        let forfeit = CompactResult::of(&GameResult { reason: Reason::Forfeit, ..plain }, &mut reasons);
        assert_eq!((*forfeit.reason, reasons.0.len()), (Reason::Forfeit, 2));
        // A report of a million games has a million of them.
        assert!(size_of::<Game>() <= 104, "{}", size_of::<Game>());
    }
}
