//! A game at one moment: the state after some of its events.

mod battleship;
mod inference;
mod submarine;

pub(crate) use battleship::BattleMoment;
pub(crate) use inference::Inference;
pub(crate) use submarine::{Deed, SubmarineMoment};

use arena_referee::Event;
use arena_rules::{GameRules, Outcome, Reason, Seat};

/// An event that does not follow from those before it by the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this does not follow by the rules: {0}")]
pub struct Misfit(String);

impl Misfit {
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

/// Whether what each side knows of the other is kept up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge {
    Kept,
    NotKept,
}

/// A game at one moment.
#[derive(Clone, Debug)]
pub(crate) enum Moment {
    Battleship(Box<BattleMoment>),
    Submarine(Box<SubmarineMoment>),
}

impl Moment {
    /// The game before its first event. The rules have been validated.
    pub(crate) fn new(rules: &GameRules, starter: Seat) -> Self {
        match rules {
            GameRules::Battleship(rules) => Self::Battleship(Box::new(BattleMoment::new(rules, starter))),
            GameRules::Submarine(rules) => {
                Self::Submarine(Box::new(SubmarineMoment::new(rules, starter, Knowledge::Kept)))
            }
        }
    }

    /// The same for where only the truth is shown: what each side knows of the other is not kept where that takes time.
    pub(crate) fn of_truth(rules: &GameRules, starter: Seat) -> Self {
        match rules {
            GameRules::Battleship(_) => Self::new(rules, starter),
            GameRules::Submarine(rules) => {
                Self::Submarine(Box::new(SubmarineMoment::new(rules, starter, Knowledge::NotKept)))
            }
        }
    }

    /// Goes on by one event.
    ///
    /// # Errors
    /// An event that does not follow; the moment is then of no use.
    pub(crate) fn step(&mut self, event: &Event) -> Result<(), Misfit> {
        match self {
            Self::Battleship(moment) => moment.step(event),
            Self::Submarine(moment) => moment.step(event),
        }
    }

    /// Whose turn it is; none before the battle and after its end.
    pub(crate) fn to_move(&self) -> Option<Seat> {
        match self {
            Self::Battleship(moment) => moment.battle.as_ref()?.to_move(),
            Self::Submarine(moment) => moment.game.as_ref()?.to_move(),
        }
    }

    /// How the game ended, once it has.
    pub(crate) fn end(&self) -> Option<(Outcome, Reason)> {
        match self {
            Self::Battleship(moment) => moment.deployments.end,
            Self::Submarine(moment) => moment.deployments.end,
        }
    }
}

/// What both sides placed, and the end of the game.
#[derive(Clone, Debug)]
pub(crate) struct Deployments<F> {
    /// What each side placed, once it has; `Some(None)` where it was not legal.
    placed: [Option<Option<F>>; 2],
    /// The end, once the recording says so.
    pub(crate) end: Option<(Outcome, Reason)>,
}

impl<F: Clone> Deployments<F> {
    fn none() -> Self {
        Self { placed: [None, None], end: None }
    }

    /// What a side placed, if it did and it was legal.
    pub(crate) fn of(&self, seat: Seat) -> Option<&F> {
        self.placed[seat.index()].as_ref()?.as_ref()
    }

    /// Takes a side's deployment. When both have placed legally, gives both.
    fn take(&mut self, seat: Seat, placed: Option<F>) -> Result<Option<[F; 2]>, Misfit> {
        if self.end.is_some() || self.placed[seat.index()].replace(placed).is_some() {
            return Err(Misfit::new("this side has deployed already"));
        }
        Ok(match &self.placed {
            [Some(Some(first)), Some(Some(second))] => Some([first.clone(), second.clone()]),
            _ => None,
        })
    }

    /// Takes the end that a recording tells, which has to be the one by the rules.
    fn finish(
        &mut self,
        told: (Outcome, Reason),
        of_battle: Option<(Outcome, Reason)>,
    ) -> Result<(), Misfit> {
        let by_rules = match &self.placed {
            [Some(first), Some(second)] => {
                arena_rules::judge_deployments([first.as_ref(), second.as_ref()]).err().or(of_battle)
            }
            _ => None,
        };
        if self.end.is_some() || by_rules != Some(told) {
            return Err(Misfit::new(format!("the end {told:?}, where the rules have {by_rules:?}")));
        }
        self.end = Some(told);
        Ok(())
    }
}

/// The complaint about an event that comes out of turn, or belongs to another game.
fn out_of_turn(event: &Event) -> Misfit {
    Misfit::new(format!("{event:?} comes out of turn"))
}
