//! A game of the Battleship family at one moment.

use super::{Deployments, Misfit, out_of_turn};
use arena_referee::{Event, Verdict};
use arena_rules::shot_board::{ShotBoard, Sunken};
use arena_rules::{Answer, Battle, Coord, Effect, Fleet, Ruleset, Seat, ShotResult, check_deployment};

/// A game of the Battleship family at one moment.
#[derive(Clone, Debug)]
pub(crate) struct BattleMoment {
    pub(crate) rules: Ruleset,
    starter: Seat,
    pub(crate) deployments: Deployments<Fleet>,
    /// The battle, once both sides have a legal fleet.
    pub(crate) battle: Option<Battle>,
    /// What each seat's shots have taught it of the other's board.
    pub(crate) learned: [ShotBoard<Sunken>; 2],
    /// Each seat's shot of its last turn, if it shot in it.
    pub(crate) last: [Option<Coord>; 2],
}

impl BattleMoment {
    pub(super) fn new(rules: &Ruleset, starter: Seat) -> Self {
        let board = ShotBoard::new(rules.size());
        Self {
            rules: rules.clone(),
            starter,
            deployments: Deployments::none(),
            battle: None,
            learned: [board.clone(), board],
            last: [None, None],
        }
    }

    pub(super) fn step(&mut self, event: &Event) -> Result<(), Misfit> {
        match event {
            Event::Deployed { seat, fleet, .. } => {
                let fleet =
                    check_deployment(&self.rules, fleet).map_err(|error| Misfit::new(error.to_string()))?;
                self.deploy(*seat, Some(fleet))
            }
            Event::Fault { seat, turn: 0, .. } => self.deploy(*seat, None),
            Event::Shot { seat, at, result, .. } => {
                self.answer(event, Answer::Shot(*at), Effect::Shot { at: *at, result: *result })?;
                self.learn(*seat, *at, *result);
                self.last[seat.index()] = Some(*at);
                Ok(())
            }
            Event::Wasted { seat, at, why, result, .. } => {
                let effect = Effect::Wasted { at: *at, why: *why, result: *result };
                self.answer(event, Answer::Shot(*at), effect)?;
                self.last[seat.index()] = Some(*at);
                Ok(())
            }
            Event::Skipped { seat, .. } => {
                self.answer(event, Answer::Skip, Effect::Skipped)?;
                self.last[seat.index()] = None;
                Ok(())
            }
            Event::Fault { seat, verdict, .. } => {
                let battle = mover(&mut self.battle, event)?;
                if *verdict == Verdict::TurnSkipped {
                    if !battle.overrun(*seat) {
                        return Err(Misfit::new("a turn is skipped where the rules have a loss"));
                    }
                    self.last[seat.index()] = None;
                } else {
                    battle.forfeit(*seat);
                }
                Ok(())
            }
            Event::End { outcome, reason, .. } => {
                let of_battle = self.battle.as_ref().and_then(Battle::end);
                self.deployments.finish((*outcome, *reason), of_battle)
            }
            Event::Positioned { .. } | Event::Acted { .. } => Err(out_of_turn(event)),
        }
    }

    fn deploy(&mut self, seat: Seat, fleet: Option<Fleet>) -> Result<(), Misfit> {
        if let Some(fleets) = self.deployments.take(seat, fleet)? {
            self.battle = Some(Battle::new(&self.rules, fleets, self.starter));
        }
        Ok(())
    }

    fn answer(&mut self, event: &Event, answer: Answer, told: Effect) -> Result<(), Misfit> {
        let battle = mover(&mut self.battle, event)?;
        // The mover is the event's seat, so there is one.
        let Some(seat) = event.seat() else { return Err(out_of_turn(event)) };
        let effect = battle.answer(seat, answer);
        if effect == told {
            Ok(())
        } else {
            Err(Misfit::new(format!("{told:?} is told, where the rules have {effect:?}")))
        }
    }

    /// Takes in what a shot taught the side that shot: a sinking only where it is announced.
    fn learn(&mut self, seat: Seat, at: Coord, result: ShotResult) {
        let announced = self.rules.sinkings_announced;
        let ship = self.fleet(seat.other()).and_then(|fleet| {
            let index = fleet.ship_index(at)?;
            Some(fleet.ships()[index].length())
        });
        let board = &mut self.learned[seat.index()];
        match (result, ship) {
            (ShotResult::Miss, _) => board.miss(at),
            (ShotResult::Sunk, Some(length)) if announced => {
                board.sank_length(at, length);
            }
            (ShotResult::Hit | ShotResult::Sunk, _) => board.hit(at),
        }
    }

    /// A side's fleet, once it is placed.
    pub(crate) fn fleet(&self, seat: Seat) -> Option<&Fleet> {
        self.deployments.of(seat)
    }

    /// The lengths of a side's ships still afloat, longest first.
    pub(crate) fn afloat(&self, seat: Seat) -> Vec<u8> {
        match &self.battle {
            Some(battle) => battle.afloat(seat),
            None => self.rules.fleet.clone(),
        }
    }

    /// Whether a cell of a side's board was shot at.
    pub(crate) fn was_shot(&self, owner: Seat, at: Coord) -> bool {
        self.learned[owner.other().index()].cell(at) != arena_rules::shot_board::Shot::Unshot
    }
}

/// The battle, if it is the turn of the event's side.
fn mover<'a>(battle: &'a mut Option<Battle>, event: &Event) -> Result<&'a mut Battle, Misfit> {
    match battle {
        Some(battle) if battle.to_move().is_some() && battle.to_move() == event.seat() => Ok(battle),
        _ => Err(out_of_turn(event)),
    }
}
