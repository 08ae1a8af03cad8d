//! A recording of a game of submarine.

use super::{foreign, same};
use arena_referee::{Event, Verdict};
use arena_rules::submarine::{Effect, Game, Positions, Rules};
use arena_rules::{Outcome, Reason, Seat, judge_deployments};

/// The game so far.
pub(super) struct Replay<'a> {
    rules: &'a Rules,
    starter: Seat,
    positions: [Option<Positions>; 2],
    deployed: [bool; 2],
    game: Option<Game>,
    end: Option<(Outcome, Reason)>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(rules: &'a Rules, starter: Seat) -> Self {
        Self { rules, starter, positions: [None; 2], deployed: [false; 2], game: None, end: None }
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
        if std::mem::replace(&mut self.deployed[seat.index()], true) {
            return Err("this side has deployed already".into());
        }
        self.positions[seat.index()] = positions;
        if self.deployed == [true; 2] {
            match judge_deployments(self.positions) {
                Ok(positions) => self.game = Some(Game::new(self.rules, positions, self.starter)),
                Err(end) => self.end = Some(end),
            }
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
