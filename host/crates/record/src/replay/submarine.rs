//! A recording of a game of submarine.

use super::{Deployments, foreign, same};
use arena_referee::{Event, Verdict};
use arena_rules::submarine::{Effect, Game, Positions, Rules};
use arena_rules::{Outcome, Reason, Seat};

/// The game so far.
pub(super) struct Replay<'a> {
    rules: &'a Rules,
    starter: Seat,
    deployments: Deployments<Positions>,
    game: Option<Game>,
    end: Option<(Outcome, Reason)>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(rules: &'a Rules, starter: Seat) -> Self {
        Self { rules, starter, deployments: Deployments::none(), game: None, end: None }
    }

    pub(super) fn step(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Positioned { seat, positions, .. } => self.deploy(*seat, Some(*positions)),
            Event::Fault { seat, turn: 0, verdict, .. } => {
                same("the verdict", verdict, &Verdict::NoFleet)?;
                self.deploy(*seat, None)
            }
            Event::Acted { seat, turn, action, report, .. } => {
                let effect = self.mover(*seat, *turn)?.act(*seat, *action);
                same("what the action does", &Effect::Done(report.clone()), &effect)
            }
            Event::Fault { seat, turn, verdict, .. } => {
                same("the verdict", verdict, &Verdict::Loses)?;
                self.mover(*seat, *turn)?.forfeit(*seat);
                Ok(())
            }
            Event::End { outcome, reason, .. } => {
                let end = self.end.or_else(|| self.game.as_ref()?.end());
                same("the end", &Some((*outcome, *reason)), &end)
            }
            Event::Deployed { .. } | Event::Shot { .. } | Event::Skipped { .. } | Event::Wasted { .. } => {
                Err(foreign(event))
            }
        }
    }

    fn deploy(&mut self, seat: Seat, positions: Option<Positions>) -> Result<(), String> {
        match self.deployments.take(seat, positions)? {
            Some(Ok(positions)) => self.game = Some(Game::new(self.rules, positions, self.starter)),
            Some(Err(end)) => self.end = Some(end),
            None => {}
        }
        Ok(())
    }

    fn mover(&mut self, seat: Seat, turn: u32) -> Result<&mut Game, String> {
        let game = self.game.as_mut().ok_or("the battle has not begun")?;
        same("the side to move", &Some(seat), &game.to_move())?;
        same("the turn", &turn, &(game.turns(seat) + 1))?;
        Ok(game)
    }
}
