//! Submarine, against a second referee that is written from the rules' page alone.

use crate::drawing::Drawing;
use arena_rules::submarine::{
    Action, Effect, Game, Illegal, OwnShip, Positions, Report, Rules, SIZE, Ship, Tracker,
};
use arena_rules::{Coord, Outcome, Reason, Seat};
use std::collections::BTreeMap;

/// Any actions do what the rules say: each does what a second referee has it do, hit points only fall, ships stay on the
/// board and apart from their own, an illegal action loses at once, the game ends exactly when the rules end it, and a
/// tracker that is told every report always has the true positions among those it holds possible.
pub fn submarine_keeps_its_invariants(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    let rules = Rules { actions_max: u32::from(drawing.byte()) + 1, ..Rules::default() };
    let starter = drawing.seat();
    let mut placed = [None; 2];
    for side in &mut placed {
        let cells = [(); 3].map(|()| drawing.spot(SIZE));
        *side = Positions::new(cells).ok();
        assert_eq!(side.is_some(), are_legal(cells), "{cells:?}");
    }
    let [Some(first), Some(second)] = placed else { return };

    let mut game = Game::new(&rules, [first, second], starter);
    let mut model = Model::new([first, second], starter);
    let mut trackers = [Tracker::new(), Tracker::new()];
    model.compare(&game);
    while let Some(seat) = game.to_move() {
        if drawing.is_over() {
            return;
        }
        let tracker = &mut trackers[seat.index()];
        tracker.observe(&game.view(seat));
        model.check_tracker(seat, tracker);

        let action = match drawing.number(0..=3) {
            0 => Action::Attack(drawing.spot(SIZE)),
            1 => Action::Move(drawing.one_of(&Ship::ALL), drawing.spot(SIZE)),
            // Where it is most often legal: about an own ship, along a line.
            2 => Action::Attack(near(&mut drawing, model.any(seat))),
            _ => {
                let (ship, from) = model.any(seat);
                let to = drawing.number(0..=4);
                let to = if drawing.is() { Coord::new(from.row, to) } else { Coord::new(to, from.column) };
                Action::Move(ship, to)
            }
        };
        let effect = game.act(seat, action);
        assert_eq!(effect, model.act(seat, action, rules.actions_max), "{action:?}");
        model.compare(&game);
    }
    let end = game.end();
    Seat::BOTH.into_iter().for_each(|seat| game.forfeit(seat));
    assert_eq!(game.end(), end);
}

fn are_legal(cells: [Coord; 3]) -> bool {
    cells.iter().all(|at| at.row < 5 && at.column < 5)
        && cells[0] != cells[1]
        && cells[0] != cells[2]
        && cells[1] != cells[2]
}

fn near(drawing: &mut Drawing<'_>, (_, at): (Ship, Coord)) -> Coord {
    let mut beside = |from: u8| (from + drawing.number(0..=2)).saturating_sub(1).min(4);
    Coord::new(beside(at.row), beside(at.column))
}

/// A ship afloat: its hit points and where it is.
type Afloat = (u8, Coord);

struct Model {
    sides: [BTreeMap<Ship, Afloat>; 2],
    mover: Seat,
    turns: [u32; 2],
    last: [Option<Report>; 2],
    end: Option<(Outcome, Reason)>,
}

impl Model {
    fn new(positions: [Positions; 2], starter: Seat) -> Self {
        let side = |positions: Positions| {
            let points = [(Ship::Battleship, 3), (Ship::Cruiser, 2), (Ship::Submarine, 1)];
            points.map(|(ship, points)| (ship, (points, positions.of(ship)))).into()
        };
        Self { sides: positions.map(side), mover: starter, turns: [0; 2], last: [None, None], end: None }
    }

    /// A ship of a side, another one in each of its turns.
    fn any(&self, seat: Seat) -> (Ship, Coord) {
        let side = &self.sides[seat.index()];
        let index = self.turns[seat.index()] as usize % side.len();
        side.iter().nth(index).map(|(&ship, &(_, at))| (ship, at)).expect("a side in play has a ship")
    }

    fn act(&mut self, seat: Seat, action: Action, actions_max: u32) -> Effect {
        let done = match action {
            Action::Attack(at) => self.attack(seat, at),
            Action::Move(ship, to) => self.sail(seat, ship, to),
        };
        let report = match done {
            Ok(report) => report,
            Err(illegal) => {
                self.end = Some((Outcome::Win(seat.other()), Reason::Forfeit));
                return Effect::Illegal(illegal);
            }
        };
        self.turns[seat.index()] += 1;
        self.last[seat.index()] = Some(report.clone());
        self.mover = seat.other();
        if self.sides[seat.other().index()].is_empty() {
            self.end = Some((Outcome::Win(seat), Reason::FleetSunk));
        } else if self.turns[0] + self.turns[1] == actions_max {
            self.end = Some((Outcome::Draw, Reason::TurnsMax));
        }
        Effect::Done(report)
    }

    fn attack(&mut self, seat: Seat, at: Coord) -> Result<Report, Illegal> {
        if !(at.row < 5 && at.column < 5) {
            return Err(Illegal::OffBoard);
        }
        if !self.sides[seat.index()].values().any(|&(_, own)| is_within_a_step(own, at)) {
            return Err(Illegal::OutOfReach);
        }
        let target = &mut self.sides[seat.other().index()];
        let hit = target.iter().find(|(_, ship)| ship.1 == at).map(|(&ship, _)| ship);
        let near = target.iter().filter(|(_, ship)| ship.1 != at && is_within_a_step(ship.1, at));
        let near = near.map(|(&ship, _)| ship).collect();
        if let Some(ship) = hit {
            let (points, _) = target[&ship];
            match points {
                1 => drop(target.remove(&ship)),
                _ => drop(target.insert(ship, (points - 1, at))),
            }
        }
        Ok(Report::Attacked { at, hit, near })
    }

    fn sail(&mut self, seat: Seat, ship: Ship, to: Coord) -> Result<Report, Illegal> {
        let side = &mut self.sides[seat.index()];
        let &(points, from) = side.get(&ship).ok_or(Illegal::Sunk)?;
        if !(to.row < 5 && to.column < 5) {
            return Err(Illegal::OffBoard);
        }
        if to == from {
            return Err(Illegal::NoDistance);
        }
        if to.row != from.row && to.column != from.column {
            return Err(Illegal::NotStraight);
        }
        if side.values().any(|&(_, at)| at == to) {
            return Err(Illegal::Occupied);
        }
        side.insert(ship, (points, to));
        let (down, right) =
            (i16::from(to.row) - i16::from(from.row), i16::from(to.column) - i16::from(from.column));
        Ok(Report::Moved { ship, down: down as i8, right: right as i8 })
    }

    fn compare(&self, game: &Game) {
        assert_eq!(game.end(), self.end);
        assert_eq!(game.to_move(), self.end.is_none().then_some(self.mover));
        for seat in Seat::BOTH {
            let (own, other) = (seat.index(), seat.other().index());
            assert_eq!(game.turns(seat), self.turns[own]);
            let ships: Vec<OwnShip> = self.sides[own]
                .iter()
                .map(|(&ship, &(hit_points, at))| OwnShip { ship, hit_points, at })
                .collect();
            assert_eq!(game.ships(seat), ships);
            let view = game.view(seat);
            assert_eq!(view.turn, self.turns[own] + 1);
            assert_eq!(view.own, ships);
            let enemy: Vec<(Ship, u8)> =
                view.enemy.iter().map(|enemy| (enemy.ship, enemy.hit_points)).collect();
            let expected: Vec<(Ship, u8)> =
                self.sides[other].iter().map(|(&ship, &(points, _))| (ship, points)).collect();
            assert_eq!(enemy, expected);
            assert_eq!((&view.my_last, &view.enemy_last), (&self.last[own], &self.last[other]));
            let mut cells: Vec<Coord> = ships.iter().map(|ship| ship.at).collect();
            cells.sort_unstable();
            cells.dedup();
            assert!(cells.len() == ships.len() && cells.iter().all(|&at| SIZE.contains(at)));
        }
    }

    /// The true positions of the other side are among those that a side's tracker holds possible.
    fn check_tracker(&self, seat: Seat, tracker: &Tracker) {
        let truth = Ship::ALL.map(|ship| self.sides[seat.other().index()].get(&ship).map(|&(_, at)| at));
        assert!(tracker.states().any(|state| state == truth), "{truth:?} is not among {}", tracker.count());
    }
}

fn is_within_a_step(from: Coord, to: Coord) -> bool {
    from.row.abs_diff(to.row) <= 1 && from.column.abs_diff(to.column) <= 1
}
