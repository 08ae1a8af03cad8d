//! Submarine, compared with a second referee that has the ships afloat in maps.

use crate::drawing::Drawing;
use crate::model::{Drawn, Model, ModelGame, Step, play_against};
use arena_rules::submarine::{
    Action, EnemyShip, FLEET_SUNK, GameInfo, Illegal, OwnShip, Positions, Report, Rules, SIZE, Ship,
    Submarine, Tracker, View,
};
use arena_rules::{Coord, GameRules, Outcome, Reason, Ruling, Seat};
use std::collections::BTreeMap;

/// Any actions have the effects that the rules say. Each has the same effect for a second referee, hit points only
/// fall, ships stay on the board and on different cells, an illegal action loses at once, and the game ends exactly when the
/// rules end it. A tracker that gets every report always has the true positions among the possible ones, and every possible
/// one agrees with all reports.
pub fn submarine_keeps_its_invariants(data: &[u8]) {
    play_against::<Submarine, Maps>(data);
}

impl Drawn for Submarine {
    fn recorded(rules: &Rules) -> GameRules {
        GameRules::Submarine(rules.clone())
    }

    fn begin(drawing: &mut Drawing<'_>) -> Option<(Rules, [Positions; 2], Seat)> {
        let rules = Rules { actions_max: u32::from(drawing.byte()) + 1, ..Rules::default() };
        let starter = drawing.seat();
        let placed = [(); 2].map(|()| {
            let cells = [(); 3].map(|()| drawing.spot(SIZE));
            let positions = Positions::new(cells).ok();
            assert_eq!(positions.is_some(), are_legal(cells), "{cells:?}");
            positions
        });
        let [Some(first), Some(second)] = placed else { return None };
        Some((rules, [first, second], starter))
    }

    fn step(drawing: &mut Drawing<'_>, _: &GameInfo, view: &View) -> Step<Action> {
        // An own ship, another one in each turn.
        let OwnShip { ship, at: from, .. } = view.own[(view.turn - 1) as usize % view.own.len()];
        Step::Act(match drawing.byte() {
            255 => return Step::Overrun,
            254 => return Step::Fail,
            byte => match byte % 4 {
                0 => Action::Attack(drawing.spot(SIZE)),
                1 => Action::Move(drawing.one_of(&Ship::ALL), drawing.spot(SIZE)),
                // Near the own ship, or in line with it, where actions are most often legal.
                2 => {
                    let mut beside = |from: u8| (from + drawing.number(0..=2)).saturating_sub(1).min(4);
                    Action::Attack(Coord::new(beside(from.row), beside(from.column)))
                }
                _ => {
                    let to = drawing.number(0..=4);
                    let in_row = drawing.is();
                    let to = if in_row { Coord::new(from.row, to) } else { Coord::new(to, from.column) };
                    Action::Move(ship, to)
                }
            },
        })
    }

    fn spoil(cells: &mut [Coord; 3]) {
        cells[1] = cells[0];
    }
}

fn are_legal(cells: [Coord; 3]) -> bool {
    cells.iter().all(|at| at.row < 5 && at.column < 5)
        && cells[0] != cells[1]
        && cells[0] != cells[2]
        && cells[1] != cells[2]
}

/// A ship afloat: its hit points and its cell.
type Afloat = (u8, Coord);

/// A game as the page of the rules describes it.
struct Maps {
    actions_max: u32,
    sides: [BTreeMap<Ship, Afloat>; 2],
    last: [Option<Report>; 2],
    /// All reports, with the side that acted.
    reports: Vec<(Seat, Report)>,
    trackers: [Tracker; 2],
}

/// The largest number of possible positions that are checked. Chosen: a few turns bring most trackers below it.
const POSSIBLE_CHECKED_MAX: usize = 300;

impl Maps {
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
        let far = |from: u8, to: u8| (i16::from(to) - i16::from(from)) as i8;
        Ok(Report::Moved { ship, down: far(from.row, to.row), right: far(from.column, to.column) })
    }

    /// Returns true if the enemy of a side can have these positions now, with none for a sunk ship: the reports are undone
    /// one after the other, and each must be the one that these positions give.
    fn can_be(&self, seat: Seat, mut enemy: [Option<Coord>; 3]) -> bool {
        self.reports.iter().rev().all(|(actor, report)| match report {
            Report::Attacked { at, hit, near } if *actor == seat => {
                if let Some(hit) = hit {
                    // If it is sunk, this hit sank it.
                    enemy[hit.index()].get_or_insert(*at);
                }
                Ship::ALL.iter().all(|ship| {
                    let cell = enemy[ship.index()];
                    let is_near = cell.is_some_and(|cell| cell != *at && is_within_a_step(cell, *at));
                    (cell == Some(*at)) == (*hit == Some(*ship)) && is_near == near.contains(ship)
                })
            }
            Report::Attacked { at, .. } => enemy.iter().flatten().any(|&cell| is_within_a_step(cell, *at)),
            Report::Moved { ship, down, right } if *actor != seat => {
                let Some(to) = enemy[ship.index()] else { return false };
                let row = to.row.checked_add_signed(-down);
                let from = row.zip(to.column.checked_add_signed(-right)).map(Coord::from);
                let is_free = from.is_some_and(|from| SIZE.contains(from) && !enemy.contains(&Some(from)));
                enemy[ship.index()] = from;
                is_free
            }
            Report::Moved { .. } => true,
        })
    }

    fn own(&self, seat: Seat) -> Vec<OwnShip> {
        let own = |(&ship, &(hit_points, at)): (&Ship, &Afloat)| OwnShip { ship, hit_points, at };
        self.sides[seat.index()].iter().map(own).collect()
    }
}

impl Model<Submarine> for Maps {
    fn new(rules: &Rules, positions: &[Positions; 2]) -> Self {
        let side = |positions: &Positions| {
            let points = [(Ship::Battleship, 3), (Ship::Cruiser, 2), (Ship::Submarine, 1)];
            points.map(|(ship, points)| (ship, (points, positions.of(ship)))).into()
        };
        Self {
            actions_max: rules.actions_max,
            sides: positions.each_ref().map(side),
            last: [None, None],
            reports: Vec::new(),
            trackers: [Tracker::new(), Tracker::new()],
        }
    }

    fn act(&mut self, course: &mut ModelGame, seat: Seat, action: &Action) -> Ruling<Submarine> {
        let report = match *action {
            Action::Attack(at) => self.attack(seat, at),
            Action::Move(ship, to) => self.sail(seat, ship, to),
        };
        let report = match report {
            Ok(report) => report,
            Err(illegal) => {
                course.lose(seat);
                return Ruling::Lost(illegal);
            }
        };
        self.last[seat.index()] = Some(report.clone());
        self.reports.push((seat, report.clone()));
        course.end_turn(seat);
        if self.sides[seat.other().index()].is_empty() {
            course.end = Some((Outcome::Win(seat), FLEET_SUNK));
        } else if course.turns[0] + course.turns[1] == self.actions_max {
            course.end = Some((Outcome::Draw, Reason::TurnsMax));
        }
        Ruling::Done(report)
    }

    fn overrun(&mut self, course: &mut ModelGame, seat: Seat) -> bool {
        course.lose(seat);
        false
    }

    fn view(&self, course: &ModelGame, seat: Seat) -> View {
        let enemy = |OwnShip { ship, hit_points, .. }| EnemyShip { ship, hit_points };
        View {
            turn: course.turns[seat.index()] + 1,
            own: self.own(seat),
            enemy: self.own(seat.other()).into_iter().map(enemy).collect(),
            my_last: self.last[seat.index()].clone(),
            enemy_last: self.last[seat.other().index()].clone(),
        }
    }

    fn check(&self, game: &Submarine) {
        for seat in Seat::BOTH {
            let ships = game.ships(seat);
            assert_eq!(ships, self.own(seat));
            let mut cells: Vec<Coord> = ships.iter().map(|ship| ship.at).collect();
            cells.sort_unstable();
            cells.dedup();
            assert!(cells.len() == ships.len() && cells.iter().all(|&at| SIZE.contains(at)));
        }
    }

    /// Checks that the true positions of the other side are among the possible ones of this side's tracker, and that these
    /// agree with all reports.
    fn see(&mut self, seat: Seat, view: &View) {
        self.trackers[seat.index()].observe(view);
        let tracker = &self.trackers[seat.index()];
        if tracker.count() <= POSSIBLE_CHECKED_MAX {
            let wrong = tracker.states().find(|&state| !self.can_be(seat, state));
            assert_eq!(wrong, None, "{:?}", self.reports);
        }
        let truth = Ship::ALL.map(|ship| self.sides[seat.other().index()].get(&ship).map(|&(_, at)| at));
        assert!(tracker.states().any(|state| state == truth), "{truth:?} is not among {}", tracker.count());
    }
}

fn is_within_a_step(from: Coord, to: Coord) -> bool {
    from.row.abs_diff(to.row) <= 1 && from.column.abs_diff(to.column) <= 1
}
