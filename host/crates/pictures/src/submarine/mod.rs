//! The pictures of Submarine, and the signs on them.

mod glyphs;
mod typed;

pub use glyphs::{WATER, letter, three};

use crate::grid::{Blast, Emphasis, Grid};
use crate::heat::Heat;
use crate::moment::{Knowledge, Moment, Viewpoint};
use crate::pictured::Pictured;
use crate::spot;
use crate::tone::{Piece, Tone, piece};
use arena_record::Replay;
use arena_referee::Event;
use arena_rules::submarine::{Action, OwnShip, Report, Rules, SIZE, Ship, Submarine, Tracker};
use arena_rules::{Coord, Game, Ruling, Seat};

/// The past of a game, as far as the pictures need it.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The positions that the other's ships may have by the knowledge of each seat, if it is kept.
    learned: Option<[Tracker; 2]>,
    /// The last turn: its seat and its report.
    last: Option<(Seat, Report)>,
}

impl Moment<Submarine> {
    /// A side's ships afloat: in the game, or as they were placed.
    pub fn ships(&self, seat: Seat) -> Vec<OwnShip> {
        match (self.game(), self.replay.setup(seat)) {
            (Some(game), _) => game.ships(seat),
            (None, Some(positions)) => Ship::ALL
                .map(|ship| OwnShip { ship, hit_points: ship.hit_points(), at: positions.of(ship) })
                .to_vec(),
            (None, None) => Vec::new(),
        }
    }

    /// A ship of a side, if it is placed and afloat.
    pub fn ship(&self, seat: Seat, ship: Ship) -> Option<OwnShip> {
        self.ships(seat).into_iter().find(|own| own.ship == ship)
    }

    /// The hit points of a ship of a side; 0 if it is sunk.
    fn hit_points(&self, seat: Seat, ship: Ship) -> u8 {
        match self.game() {
            None => ship.hit_points(),
            Some(_) => self.ship(seat, ship).map_or(0, |own| own.hit_points),
        }
    }

    /// The knowledge of a seat about the other's ships, if it is kept.
    fn tracker(&self, seat: Seat) -> Option<&Tracker> {
        Some(&self.memory.learned.as_ref()?[seat.index()])
    }

    /// The board with the cell that the other side attacked in the last turn, and the ship that may be on it.
    fn with_attack(&self, mut grid: Grid, owner: Seat) -> Grid {
        if let Some((mover, Report::Attacked { at, .. })) = self.memory.last
            && mover != owner
            && let Some(cell) = grid.cell_mut(at)
        {
            cell.emphasis = Emphasis::Last;
            let is_water = cell.text[0] == ' ';
            cell.text[if is_water { 1 } else { 2 }] = '!';
            cell.tone = Tone::Hit;
        }
        grid
    }
}

impl Pictured for Submarine {
    type Memory = Memory;

    fn memory(_rules: &Rules, knowledge: Knowledge) -> Memory {
        let learned = (knowledge == Knowledge::Kept).then(|| [Tracker::new(), Tracker::new()]);
        Memory { learned, last: None }
    }

    fn remember(memory: &mut Memory, replay: &Replay<Self>, event: &Event<Self>) {
        let Event::Acted { seat, effect, .. } = event else { return };
        let (mine, theirs) = (seat.index(), seat.other().index());
        if let Some(learned) = &mut memory.learned {
            match effect {
                Report::Attacked { at, hit, near } => {
                    let afloat = replay.game().map_or_else(Vec::new, |game| game.ships(seat.other()));
                    let sunk = hit.is_some_and(|ship| afloat.iter().all(|own| own.ship != ship));
                    learned[mine].attacked(*at, *hit, near, sunk);
                    learned[theirs].was_attacked(*at);
                }
                Report::Moved { ship, down, right } => learned[theirs].moved(*ship, *down, *right),
            }
        }
        memory.last = Some((*seat, effect.clone()));
    }

    fn board(moment: &Moment<Self>, owner: Seat) -> Grid {
        let ships = moment.ships(owner);
        let mut grid = Grid::of_threes(SIZE, |at| match ships.iter().find(|own| own.at == at) {
            Some(own) => (three(own.ship, own.hit_points), Tone::Ship),
            None => WATER,
        });
        if let Some((mover, Report::Moved { ship, down, right })) = &moment.memory.last
            && *mover == owner
            && let Some(to) = moment.ship(owner, *ship).map(|own| own.at)
        {
            // The ship came from a cell of the board.
            let from = Coord::new(to.row.wrapping_add_signed(-down), to.column.wrapping_add_signed(-right));
            let (_, arrow) = distance(*down, *right, ['↓', '↑', '→', '←']);
            grid.put(from, arrow, Tone::Last);
            grid.mark(to, Emphasis::Last);
        }
        moment.with_attack(grid, owner)
    }

    /// On each cell the ships that may be there.
    fn board_seen(moment: &Moment<Self>, owner: Seat) -> Grid {
        let Some(tracker) = moment.tracker(owner.other()) else { return Grid::of_threes(SIZE, |_| WATER) };
        let mut possible = vec![[false; 3]; SIZE.cells()];
        for state in tracker.states() {
            for (ship, at) in state.into_iter().enumerate() {
                if let Some(index) = at.and_then(|at| SIZE.index(at)) {
                    possible[index][ship] = true;
                }
            }
        }
        let grid =
            Grid::of_threes(SIZE, |at| match SIZE.index(at).map_or([false; 3], |index| possible[index]) {
                [false, false, false] => ([' ', '-', ' '], Tone::Faint),
                ships => {
                    let glyph = |ship: Ship| if ships[ship.index()] { letter(ship) } else { '·' };
                    (Ship::ALL.map(glyph), Tone::Text)
                }
            });
        moment.with_attack(grid, owner)
    }

    fn blast(_moment: &Moment<Self>, event: &Event<Self>, _viewpoint: Viewpoint) -> Option<(Seat, Blast)> {
        let Event::Acted { seat, effect: Report::Attacked { at, hit, .. }, .. } = event else { return None };
        let blast = if hit.is_some() { Blast::Hit(*at) } else { Blast::Splash(*at) };
        Some((seat.other(), blast))
    }

    /// All possible positions are known, so the chances are exact.
    fn heat(moment: &Moment<Self>, owner: Seat) -> Option<Heat> {
        let states = moment.tracker(owner.other())?.states();
        let count = states.len();
        let mut ships = vec![0_u32; SIZE.cells()];
        for at in states.flatten().flatten() {
            ships[SIZE.index(at)?] += 1;
        }
        let cells = ships.into_iter().map(|ships| f64::from(ships) / count as f64).collect();
        (count > 0).then_some(Heat { cells, is_exact: true })
    }

    fn fleet_note(moment: &Moment<Self>, owner: Seat, _viewpoint: Viewpoint) -> Vec<Piece<'static>> {
        let mut pieces = vec![piece("  ", Tone::Faint)];
        for ship in Ship::ALL {
            let left = usize::from(moment.hit_points(owner, ship));
            let gone = usize::from(ship.hit_points()) - left;
            let tone = if left == 0 { Tone::Sunk } else { Tone::Ship };
            pieces.push(piece(format!(" {} ", letter(ship)), Tone::Faint));
            pieces.push(piece("■".repeat(left) + &"·".repeat(gone), tone));
        }
        pieces
    }

    fn knowledge_note(moment: &Moment<Self>, owner: Seat) -> Vec<Piece<'static>> {
        let Some(tracker) = moment.tracker(owner.other()) else { return Vec::new() };
        let count = tracker.count() as u64;
        let fit = if count == 1 { "fleet fits" } else { "fleets fit" };
        vec![piece(format!("   {} {fit}", arena_text::grouped(count)), Tone::Faint)]
    }

    fn is_last_ship(moment: &Moment<Self>, owner: Seat) -> bool {
        Ship::ALL.into_iter().filter(|&ship| moment.hit_points(owner, ship) > 0).count() == 1
    }

    fn damage(moment: &Moment<Self>, owner: Seat) -> (u32, u32) {
        let sum = |points: [u8; 3]| points.map(u32::from).iter().sum::<u32>();
        let all = sum(Ship::ALL.map(Ship::hit_points));
        (all - sum(Ship::ALL.map(|ship| moment.hit_points(owner, ship))), all)
    }

    fn read_action(_rules: &Rules, text: &str) -> Result<Action, String> {
        typed::parse(text)
    }

    /// The action is tried out on a copy of the game.
    fn objection(moment: &Moment<Self>, seat: Seat, action: &Action) -> Option<String> {
        let mut trial = moment.game()?.clone();
        if trial.to_move() != Some(seat) {
            return None;
        }
        match trial.act(seat, action) {
            Ruling::Done(_) => None,
            Ruling::Retry(illegal) | Ruling::Lost(illegal) => {
                Some(format!("{}: {}", Self::action_name(moment.rules(), action), typed::why(illegal)))
            }
        }
    }

    fn action_name(_rules: &Rules, action: &Action) -> String {
        match action {
            Action::Attack(at) => format!("attack {}", spot::name(SIZE, *at)),
            Action::Move(ship, to) => format!("move the {ship} to {}", spot::name(SIZE, *to)),
        }
    }

    fn sentence(
        _rules: &Rules,
        seat: Seat,
        action: &Action,
        effect: &Report,
        viewpoint: Viewpoint,
    ) -> String {
        match (action, effect) {
            (_, Report::Attacked { at, hit, near }) => {
                let at = spot::name(SIZE, *at);
                let names: Vec<&str> = near.iter().map(|ship| ship.name()).collect();
                let near = if names.is_empty() {
                    String::new()
                } else {
                    format!(", near the {}", names.join(" and the "))
                };
                match hit {
                    Some(ship) => format!("attacks {at} and hits the {ship}{near}"),
                    None if near.is_empty() => format!("attacks {at}: nothing is near"),
                    None => format!("attacks {at}: no hit{near}"),
                }
            }
            (Action::Move(ship, to), _) if viewpoint.sees(seat) => {
                format!("moves its {ship} to {}", spot::name(SIZE, *to))
            }
            (_, Report::Moved { ship, down, right }) => {
                let (steps, way) = distance(*down, *right, ["down", "up", "to the right", "to the left"]);
                format!("moves its {ship} {steps} {way}")
            }
        }
    }

    fn brief(
        _rules: &Rules,
        seat: Seat,
        action: &Action,
        effect: &Report,
        viewpoint: Viewpoint,
    ) -> (String, Tone) {
        match (action, effect) {
            (_, Report::Attacked { at, hit, near }) => {
                let at = spot::name(SIZE, *at);
                let near: String = near.iter().map(|&ship| letter(ship)).collect();
                let near = if near.is_empty() { near } else { format!(" ~{near}") };
                match hit {
                    Some(ship) => (format!("{at} X{}{near}", letter(*ship)), Tone::Hit),
                    None => (format!("{at} o{near}"), Tone::Miss),
                }
            }
            (Action::Move(ship, to), _) if viewpoint.sees(seat) => {
                (format!("{} to {}", letter(*ship), spot::name(SIZE, *to)), Tone::Text)
            }
            (_, Report::Moved { ship, down, right }) => {
                let (steps, arrow) = distance(*down, *right, ['↓', '↑', '→', '←']);
                (format!("{} {arrow}{steps}", letter(*ship)), Tone::Text)
            }
        }
    }
}

/// The distance of a move, with one of the names for down, up, right and left.
fn distance<T: Copy>(down: i8, right: i8, [south, north, east, west]: [T; 4]) -> (u8, T) {
    match (down, right) {
        (1.., _) => (down.unsigned_abs(), south),
        (..0, _) => (down.unsigned_abs(), north),
        (0, 0..) => (right.unsigned_abs(), east),
        (0, ..0) => (right.unsigned_abs(), west),
    }
}
