//! A recording of a game of the Battleship family.

use super::{Deployments, foreign, same};
use arena_referee::{Event, Verdict};
use arena_rules::{
    Answer, Battle, Effect, Fleet, FleetError, Outcome, Reason, Ruleset, Seat, check_deployment,
};

/// The game so far.
pub(super) struct Replay<'a> {
    rules: &'a Ruleset,
    starter: Seat,
    deployments: Deployments<Fleet>,
    battle: Option<Battle>,
    end: Option<(Outcome, Reason)>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(rules: &'a Ruleset, starter: Seat) -> Self {
        Self { rules, starter, deployments: Deployments::none(), battle: None, end: None }
    }

    pub(super) fn step(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Deployed { seat, fleet, .. } => {
                let fleet = check_deployment(self.rules, fleet)
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
            Event::Positioned { .. } | Event::Acted { .. } => Err(foreign(event)),
            Event::End { outcome, reason, .. } => {
                let end = self.end.or_else(|| self.battle.as_ref()?.end());
                same("the end", &Some((*outcome, *reason)), &end)
            }
        }
    }

    fn deploy(&mut self, seat: Seat, fleet: Option<Fleet>) -> Result<(), String> {
        match self.deployments.take(seat, fleet)? {
            Some(Ok(fleets)) => self.battle = Some(Battle::new(self.rules, fleets, self.starter)),
            Some(Err(end)) => self.end = Some(end),
            None => {}
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
