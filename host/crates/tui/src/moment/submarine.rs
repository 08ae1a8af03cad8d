//! A game of submarine at one moment.

use super::{Deployments, Knowledge, Misfit, out_of_turn};
use arena_referee::Event;
use arena_rules::submarine::{Action, Effect, Game, Positions, Report, Rules, SIZE, Ship, Tracker};
use arena_rules::{Coord, Seat};

/// What a side did in its last turn, as the screen marks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// It attacked a cell.
    Attacked(Coord),
    /// A ship went from a cell to another.
    Moved { from: Coord, to: Coord },
}

/// A game of submarine at one moment.
#[derive(Clone, Debug)]
pub(crate) struct SubmarineMoment {
    rules: Rules,
    starter: Seat,
    pub(crate) deployments: Deployments<Positions>,
    /// The game, once both sides have legal positions.
    pub(crate) game: Option<Game>,
    /// The positions that each seat may take the other's ships to have, where that is kept.
    pub(crate) learned: Option<[Tracker; 2]>,
    /// What the last turn was, if there was one.
    pub(crate) last: Option<(Seat, Deed)>,
}

impl SubmarineMoment {
    pub(super) fn new(rules: &Rules, starter: Seat, knowledge: Knowledge) -> Self {
        Self {
            rules: rules.clone(),
            starter,
            deployments: Deployments::none(),
            game: None,
            learned: (knowledge == Knowledge::Kept).then(|| [Tracker::new(), Tracker::new()]),
            last: None,
        }
    }

    pub(super) fn step(&mut self, event: &Event) -> Result<(), Misfit> {
        match event {
            Event::Positioned { seat, positions, .. } => self.deploy(*seat, Some(*positions)),
            Event::Fault { seat, turn: 0, .. } => self.deploy(*seat, None),
            Event::Acted { seat, action, report, .. } => self.act(event, *seat, *action, report),
            Event::Fault { seat, .. } => {
                mover(&mut self.game, event)?.forfeit(*seat);
                Ok(())
            }
            Event::End { outcome, reason, .. } => {
                let of_game = self.game.as_ref().and_then(Game::end);
                self.deployments.finish((*outcome, *reason), of_game)
            }
            Event::Deployed { .. } | Event::Shot { .. } | Event::Skipped { .. } | Event::Wasted { .. } => {
                Err(out_of_turn(event))
            }
        }
    }

    fn deploy(&mut self, seat: Seat, positions: Option<Positions>) -> Result<(), Misfit> {
        if let Some(positions) = self.deployments.take(seat, positions)? {
            self.game = Some(Game::new(&self.rules, positions, self.starter));
        }
        Ok(())
    }

    fn act(&mut self, event: &Event, seat: Seat, action: Action, told: &Report) -> Result<(), Misfit> {
        let from = match action {
            Action::Move(ship, _) => self.place(seat, ship),
            Action::Attack(_) => None,
        };
        let game = mover(&mut self.game, event)?;
        let report = match game.act(seat, action) {
            Effect::Done(report) if report == *told => report,
            effect => return Err(Misfit::new(format!("{told:?} is told, where the rules have {effect:?}"))),
        };
        let sunk = match &report {
            Report::Attacked { hit: Some(ship), .. } => {
                game.ships(seat.other()).iter().all(|own| own.ship != *ship)
            }
            _ => false,
        };
        if let Some(learned) = &mut self.learned {
            let (mine, theirs) = (seat.index(), seat.other().index());
            match &report {
                Report::Attacked { at, hit, near } => {
                    learned[mine].attacked(*at, *hit, near, sunk);
                    learned[theirs].was_attacked(*at);
                }
                Report::Moved { ship, down, right } => learned[theirs].moved(*ship, *down, *right),
            }
        }
        let deed = match action {
            Action::Attack(at) => Deed::Attacked(at),
            // A legal move has a place to come from.
            Action::Move(_, to) => Deed::Moved { from: from.unwrap_or(to), to },
        };
        self.last = Some((seat, deed));
        Ok(())
    }

    /// A side's ships afloat, with hit points and cells: in the game, or as they were placed.
    pub(crate) fn ships(&self, seat: Seat) -> Vec<(Ship, u8, Coord)> {
        match (&self.game, self.deployments.of(seat)) {
            (Some(game), _) => {
                game.ships(seat).into_iter().map(|own| (own.ship, own.hit_points, own.at)).collect()
            }
            (None, Some(positions)) => {
                Ship::ALL.map(|ship| (ship, ship.hit_points(), positions.of(ship))).to_vec()
            }
            (None, None) => Vec::new(),
        }
    }

    /// The hit points of a ship of a side; 0 when it is sunk.
    pub(crate) fn hit_points(&self, seat: Seat, ship: Ship) -> u8 {
        match &self.game {
            None => ship.hit_points(),
            Some(_) => self.ships(seat).iter().find(|(own, _, _)| *own == ship).map_or(0, |own| own.1),
        }
    }

    /// Where a ship of a side is, if it is afloat.
    pub(crate) fn place(&self, seat: Seat, ship: Ship) -> Option<Coord> {
        self.ships(seat).iter().find(|(own, _, _)| *own == ship).map(|own| own.2)
    }

    /// Which ships may be on each cell of the other's board, by all that a seat was told: row by row, strongest first.
    pub(crate) fn possible(&self, seat: Seat) -> Option<(Vec<[bool; 3]>, usize)> {
        let tracker = &self.learned.as_ref()?[seat.index()];
        let mut cells = vec![[false; 3]; SIZE.cells()];
        for state in tracker.states() {
            for (ship, at) in state.into_iter().enumerate() {
                if let Some(index) = at.and_then(|at| SIZE.index(at)) {
                    cells[index][ship] = true;
                }
            }
        }
        Some((cells, tracker.count()))
    }
}

fn mover<'a>(game: &'a mut Option<Game>, event: &Event) -> Result<&'a mut Game, Misfit> {
    match game {
        Some(game) if game.to_move().is_some() && game.to_move() == event.seat() => Ok(game),
        _ => Err(out_of_turn(event)),
    }
}
