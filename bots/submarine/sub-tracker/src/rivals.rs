//! Opponents for the tests, with the ideas of players that people wrote for this game.

use crate::cells::{BOARD, NEAR, WAYS, bits, cell_of, moved};
use arena_sdk::submarine::{Action, Bot, EnemyShip, Game, Report, SIZE, Ship, View};
use arena_sdk::{Coord, Rng};

/// By ship, the cells on which it may be, independent of the other ships; empty for a sunk ship.
struct Chart([u32; 3]);

impl Default for Chart {
    fn default() -> Self {
        Self([BOARD; 3])
    }
}

impl Chart {
    /// Processes the report of an attack on these ships.
    fn attacked(&mut self, at: Coord, hit: Option<Ship>, near: &[Ship], is_sunk: bool) {
        let at = cell_of(at);
        match hit {
            Some(ship) => self.0[ship.index()] = if is_sunk { 0 } else { 1 << at },
            None => self.0.iter_mut().for_each(|cells| *cells &= !(1 << at)),
        }
        for ship in near {
            self.0[ship.index()] &= NEAR[usize::from(at)] & !(1 << at);
        }
    }

    /// Processes the report of a move.
    fn moved(&mut self, ship: Ship, down: i8, right: i8) {
        let from = if down < 0 || right < 0 { 24 } else { 0 };
        let to = (from as i8 + down * 5 + right) as u8;
        self.0[ship.index()] = moved(self.0[ship.index()], from, to);
    }

    /// The cell of a ship that can only be on one.
    fn certain(&self) -> impl Iterator<Item = (usize, u8)> {
        let ships = self.0.iter().enumerate().filter(|(_, cells)| cells.count_ones() == 1);
        ships.map(|(ship, cells)| (ship, cells.trailing_zeros() as u8))
    }
}

/// The knowledge of a rival: of the enemy, and of itself as the enemy sees it.
#[derive(Default)]
struct Knowledge {
    enemy: Chart,
    own: Chart,
}

impl Knowledge {
    fn observe(&mut self, view: &View) {
        match &view.my_last {
            Some(Report::Attacked { at, hit, near }) => {
                let sunk = hit.is_some_and(|hit| view.enemy.iter().all(|enemy| enemy.ship != hit));
                self.enemy.attacked(*at, *hit, near, sunk);
            }
            Some(Report::Moved { ship, down, right }) => self.own.moved(*ship, *down, *right),
            None => {}
        }
        match &view.enemy_last {
            Some(Report::Attacked { at, hit, near }) => {
                let sunk = hit.is_some_and(|hit| view.at(hit).is_none());
                self.own.attacked(*at, *hit, near, sunk);
            }
            Some(Report::Moved { ship, down, right }) => self.enemy.moved(*ship, *down, *right),
            None => {}
        }
        // The rivals' charts are approximate: in the end they may contradict the reports.
        for EnemyShip { ship, .. } in &view.enemy {
            if self.enemy.0[ship.index()] == 0 {
                self.enemy.0[ship.index()] = BOARD;
            }
        }
        for own in &view.own {
            let (seen, cell) = (&mut self.own.0[own.ship.index()], 1 << cell_of(own.at));
            if *seen & cell == 0 {
                *seen = cell;
            }
        }
    }

    /// The own ship that was just hit, if it is afloat.
    fn hit(view: &View) -> Option<Ship> {
        match &view.enemy_last {
            Some(Report::Attacked { hit: Some(ship), .. }) if view.at(*ship).is_some() => Some(*ship),
            _ => None,
        }
    }

    /// True if the ship that was hit may fight it out: it reaches an enemy whose cell is known, and has no fewer hit points.
    fn fights(&self, view: &View, hit: Ship) -> Option<u8> {
        let own = view.own.iter().find(|own| own.ship == hit)?;
        let mut known = self.enemy.certain();
        known.find_map(|(ship, cell)| {
            let enemy = view.enemy.iter().find(|enemy| enemy.ship.index() == ship)?;
            let reaches = NEAR[usize::from(cell_of(own.at))] >> cell & 1 == 1;
            (reaches && own.hit_points >= enemy.hit_points).then_some(cell)
        })
    }
}

fn coord(cell: usize) -> Coord {
    SIZE.coord(cell)
}

fn reach_of(view: &View) -> u32 {
    view.reach().fold(0, |cells, at| cells | 1 << cell_of(at))
}

fn any_of(cells: u32, rng: &mut Rng) -> Option<u8> {
    rng.pick(bits(cells)).map(|cell| cell as u8)
}

fn anything(view: &View, rng: &mut Rng) -> Action {
    rng.pick(view.legal_actions()).expect("a ship is afloat, and may attack its own cell")
}

/// Plays random legal actions, as `sub-random` does.
#[derive(Default)]
pub struct Anything;

impl Bot for Anything {
    const NAME: &'static str = "anything";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        anything(view, &mut game.rng(view.turn))
    }
}

/// Attacks cells on which a ship may be, keeps attacking a ship that it has found, moves closer if none is in reach, and
/// flees with a ship that is hit, unless that ship can hit back.
#[derive(Default)]
pub struct Hunter {
    known: Knowledge,
    prey: Option<usize>,
}

impl Bot for Hunter {
    const NAME: &'static str = "hunter";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        let rng = &mut game.rng(view.turn);
        self.known.observe(view);
        if let Some(Report::Attacked { hit: Some(ship), .. }) = view.my_last {
            self.prey = Some(ship.index());
        }
        let enemy = self.known.enemy.0;
        self.prey = self.prey.filter(|&ship| enemy[ship] != 0);
        if let Some(hit) = Knowledge::hit(view) {
            match self.known.fights(view, hit) {
                Some(cell) => self.prey = enemy.iter().position(|&cells| cells == 1 << cell),
                None => return self.flee(view, hit, rng),
            }
        }
        let afloat = (0..3).filter(|&ship| enemy[ship] != 0);
        let prey = self.prey.unwrap_or_else(|| rng.pick(afloat).expect("an enemy is afloat"));
        let reach = reach_of(view);
        let certain = self.known.enemy.certain().map(|(_, cell)| cell).find(|cell| reach >> cell & 1 == 1);
        if let Some(cell) = any_of(enemy[prey] & reach, rng).or(certain) {
            return Action::Attack(coord(cell.into()));
        }
        let goal = coord(any_of(enemy[prey], rng).expect("it is somewhere").into());
        let nearer = view.own.iter().flat_map(|own| {
            let ends = [Coord::new(goal.row, own.at.column), Coord::new(own.at.row, goal.column)];
            ends.map(|end| Action::Move(own.ship, end))
        });
        rng.pick(nearer.filter(|&action| view.is_legal(action))).unwrap_or_else(|| anything(view, rng))
    }
}

impl Hunter {
    fn flee(&self, view: &View, ship: Ship, rng: &mut Rng) -> Action {
        let danger =
            self.known.enemy.0.iter().flat_map(|&cells| bits(cells)).fold(0, |set, cell| set | NEAR[cell]);
        let safe = view.destinations(ship).filter(|&to| danger >> cell_of(to) & 1 == 0);
        let to = rng.pick(safe).or_else(|| rng.pick(view.destinations(ship)));
        to.map_or_else(|| anything(view, rng), |to| Action::Move(ship, to))
    }
}

/// Begins with its ships far apart, searches where it learns most without moving, moves the ship of which the enemy knows
/// least to attack a ship that it has found, flees when it is hit, and always moves with its last ship, as far as it can, unless
/// it reaches a ship that it has found.
#[derive(Default)]
pub struct Stalker {
    known: Knowledge,
    tried: u32,
}

impl Bot for Stalker {
    const NAME: &'static str = "stalker";

    fn deploy(&mut self, game: &Game) -> [Coord; 3] {
        let rng = &mut game.rng(0);
        let draws = (0..6).map(|_| game.random_positions(rng));
        let apart = |[one, other, third]: &[Coord; 3]| {
            let square = |a: Coord, b: Coord| {
                u32::from(a.row.abs_diff(b.row)).pow(2) + u32::from(a.column.abs_diff(b.column)).pow(2)
            };
            square(*one, *other) + square(*one, *third) + square(*other, *third)
        };
        draws.max_by_key(apart).expect("there are six")
    }

    fn play(&mut self, game: &Game, view: &View) -> Action {
        let rng = &mut game.rng(view.turn);
        self.known.observe(view);
        let reach = reach_of(view);
        let found: Vec<u8> = self.known.enemy.certain().map(|(_, cell)| cell).collect();
        let reached = found.iter().copied().find(|cell| reach >> cell & 1 == 1);
        let danger = found.iter().fold(0, |set, &cell| set | NEAR[usize::from(cell)]);
        if let [last] = view.own[..] {
            if let Some(cell) = reached {
                return Action::Attack(coord(cell.into()));
            }
            if let Some(action) = self.steal_away(view, last.ship, danger) {
                return action;
            }
        } else if let Some(ship) = Knowledge::hit(view) {
            if let Some(cell) = self.known.fights(view, ship) {
                return Action::Attack(coord(cell.into()));
            }
            self.tried = 0;
            if let Some(action) = self.flee(view, ship, danger) {
                return action;
            }
        }
        if let Some(&prey) = found.last() {
            self.tried = 0;
            if let Some(cell) = reached {
                return Action::Attack(coord(cell.into()));
            }
            if let Some(action) = self.close_in(view, prey) {
                return action;
            }
        }
        self.search(view, reach, rng)
    }
}

impl Stalker {
    /// The number of cells that the enemy thinks possible for a ship after it moved.
    fn cover_after(&self, view: &View, ship: Ship, to: Coord) -> u32 {
        let from = view.at(ship).map_or(0, cell_of);
        moved(self.known.own.0[ship.index()], from, cell_of(to)).count_ones()
    }

    /// The move of the last ship that keeps its cover, and goes far.
    fn steal_away(&self, view: &View, ship: Ship, danger: u32) -> Option<Action> {
        let from = view.at(ship)?;
        let before = self.known.own.0[ship.index()].count_ones();
        let safe = view.destinations(ship).filter(|&to| danger >> cell_of(to) & 1 == 0);
        let worth = |to: &Coord| {
            let far = u32::from(from.row.abs_diff(to.row) + from.column.abs_diff(to.column));
            far + self.cover_after(view, ship, *to) / before.max(1) * 25
        };
        safe.first_max_by_key(worth).map(|to| Action::Move(ship, to))
    }

    /// The move of a ship that was hit: far away, and near to strong ships of its own.
    fn flee(&self, view: &View, ship: Ship, danger: u32) -> Option<Action> {
        let from = view.at(ship)?;
        let safe = view.destinations(ship).filter(|&to| danger >> cell_of(to) & 1 == 0);
        let worth = |to: &Coord| {
            let far = u32::from(from.row.abs_diff(to.row) + from.column.abs_diff(to.column));
            let friends = view.own.iter().filter(|own| own.ship != ship);
            let near = friends.filter(|own| NEAR[usize::from(cell_of(*to))] >> cell_of(own.at) & 1 == 1);
            let help =
                near.map(|own| u32::from(own.hit_points) * self.known.own.0[own.ship.index()].count_ones());
            far * 5 + help.sum::<u32>()
        };
        safe.first_max_by_key(worth).map(|to| Action::Move(ship, to))
    }

    /// The move by which a ship reaches the prey, or comes to do so with the next one, of a ship that keeps some cover.
    fn close_in(&self, view: &View, prey: u8) -> Option<Action> {
        let around = NEAR[usize::from(prey)];
        let moves = || {
            let ships = view.own.iter().map(|own| own.ship);
            ships.flat_map(|ship| view.destinations(ship).map(move |to| (ship, to)))
        };
        let cover = |&(ship, to): &(Ship, Coord)| self.cover_after(view, ship, to);
        let direct = moves().filter(|&(_, to)| around >> cell_of(to) & 1 == 1);
        let halfway = moves().filter(|&(_, to)| WAYS[usize::from(cell_of(to))] & around != 0);
        let best = direct.first_max_by_key(cover).or_else(|| halfway.first_max_by_key(cover))?;
        (self.cover_after(view, best.0, best.1) > 1 || view.own.len() == 1)
            .then_some(Action::Move(best.0, best.1))
    }

    /// The attack by which it learns most, on cells that it has not tried since it last knew something.
    fn search(&mut self, view: &View, reach: u32, rng: &mut Rng) -> Action {
        let enemy = self.known.enemy.0;
        let worth = |cell: usize| {
            let afloat = enemy.iter().filter(|&&cells| cells != 0);
            let learns = afloat.map(|&cells| {
                let (near, hit) = ((cells & NEAR[cell] & !(1 << cell)).count_ones(), cells >> cell & 1);
                (f64::from(near) + 1.5 * f64::from(hit)) * 25.0 / f64::from(cells.count_ones())
            });
            learns.sum::<f64>()
        };
        let left = reach & !self.tried;
        if left == 0 {
            self.tried = 0;
            return anything(view, rng);
        }
        let cell =
            bits(left).max_by(|&one, &other| worth(one).total_cmp(&worth(other))).expect("one is left");
        self.tried |= 1 << cell;
        Action::Attack(coord(cell))
    }
}

/// The first of the greatest items.
trait FirstMaxByKey: Iterator + Sized {
    fn first_max_by_key<K: Ord>(self, key: impl Fn(&Self::Item) -> K) -> Option<Self::Item> {
        let mut best: Option<(K, Self::Item)> = None;
        for item in self {
            let key = key(&item);
            if best.as_ref().is_none_or(|(most, _)| key > *most) {
                best = Some((key, item));
            }
        }
        best.map(|(_, item)| item)
    }
}

impl<I: Iterator> FirstMaxByKey for I {}
