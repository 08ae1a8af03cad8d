//! Playing a recording again by the rules alone, without the bots.

use crate::Transcript;
use arena_referee::{Event, Verdict};
use arena_rules::{
    Answer, Battle, Effect, Fleet, FleetError, Outcome, Reason, Seat, check_deployment, judge_deployments,
};

/// Why a recording cannot be what happened: by the rules, these events do not follow from each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {problem}")]
pub struct ReplayError {
    /// The event, from 1; its line in the file is one more.
    pub event: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl Transcript {
    /// Plays the recorded answers again by the rules, and checks that everything else follows from them: whose turn it
    /// is, its number, what each shot met, and how the game ended.
    ///
    /// It gives the events back, for a screen to show. The bots are not asked; whether they would answer so is for
    /// verification to say.
    ///
    /// # Errors
    /// The first event that does not follow from those before it.
    pub fn replay(&self) -> Result<&[Event], ReplayError> {
        let mut replay =
            Replay { transcript: self, fleets: [None, None], deployed: [false; 2], battle: None, end: None };
        for (index, event) in self.events.iter().enumerate() {
            replay.step(event).map_err(|problem| ReplayError { event: index + 1, problem })?;
        }
        Ok(&self.events)
    }
}

struct Replay<'a> {
    transcript: &'a Transcript,
    fleets: [Option<Fleet>; 2],
    deployed: [bool; 2],
    battle: Option<Battle>,
    end: Option<(Outcome, Reason)>,
}

impl Replay<'_> {
    fn step(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Deployed { seat, fleet, .. } => {
                let fleet = check_deployment(&self.transcript.header.rules, fleet)
                    .map_err(|error: FleetError| format!("the fleet is not legal: {error}"))?;
                self.deploy(*seat, Some(fleet))
            }
            Event::Fault { seat, turn: 0, verdict, .. } => {
                same("the verdict", verdict, &Verdict::NoFleet)?;
                self.deploy(*seat, None)
            }
            Event::Shot { seat, turn, at, result, .. } => {
                let expected = Effect::Shot { at: *at, result: *result };
                self.answer(*seat, *turn, Answer::Shot(*at), expected)
            }
            Event::Wasted { seat, turn, at, why, result, .. } => {
                let expected = Effect::Wasted { at: *at, why: *why, result: *result };
                self.answer(*seat, *turn, Answer::Shot(*at), expected)
            }
            Event::Skipped { seat, turn, .. } => self.answer(*seat, *turn, Answer::Skip, Effect::Skipped),
            Event::Fault { seat, turn, verdict, .. } => {
                let battle = self.mover(*seat, *turn)?;
                match verdict {
                    Verdict::TurnSkipped if battle.overrun(*seat) => Ok(()),
                    Verdict::Loses => {
                        battle.forfeit(*seat);
                        Ok(())
                    }
                    Verdict::TurnSkipped | Verdict::NoFleet => {
                        Err(format!("the verdict {verdict:?} is not in these rules"))
                    }
                }
            }
            Event::End { outcome, reason, .. } => {
                let end = self.end.or_else(|| self.battle.as_ref()?.end());
                same("the end", &Some((*outcome, *reason)), &end)
            }
        }
    }

    fn deploy(&mut self, seat: Seat, fleet: Option<Fleet>) -> Result<(), String> {
        if std::mem::replace(&mut self.deployed[seat.index()], true) {
            return Err("this side has deployed already".into());
        }
        self.fleets[seat.index()] = fleet;
        if self.deployed == [true; 2] {
            match judge_deployments(std::mem::take(&mut self.fleets)) {
                Ok(fleets) => {
                    let header = &self.transcript.header;
                    self.battle = Some(Battle::new(&header.rules, fleets, header.starter));
                }
                Err(end) => self.end = Some(end),
            }
        }
        Ok(())
    }

    fn mover(&mut self, seat: Seat, turn: u32) -> Result<&mut Battle, String> {
        let battle = self.battle.as_mut().ok_or("the battle has not begun")?;
        same("the side to move", &Some(seat), &battle.to_move())?;
        same("the turn", &turn, &(battle.turns(seat) + 1))?;
        Ok(battle)
    }

    fn answer(&mut self, seat: Seat, turn: u32, answer: Answer, expected: Effect) -> Result<(), String> {
        let effect = self.mover(seat, turn)?.answer(seat, answer);
        same("what the answer does", &expected, &effect)
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, recorded: &T, actual: &T) -> Result<(), String> {
    if recorded == actual {
        Ok(())
    } else {
        Err(format!("{what} is recorded as {recorded:?}, and by the rules it is {actual:?}"))
    }
}
