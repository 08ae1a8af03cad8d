//! The worth of an action, as sums over all possible positions.
//!
//! Cells are numbers from 0 to 24, row by row, and sets of cells are the bits of a `u32`, so that sums over 13,800
//! positions for each of about 40 actions stay within a turn's fuel. Values that many positions share are counted
//! first, and summed once.

use arena_sdk::Coord;
use arena_sdk::submarine::{Action, SIZE, Ship, Tracker, View};

/// The cells of the battleship, the cruiser and the submarine; [`SUNK`] for a sunk ship.
pub type Cells = [u8; 3];

/// The cell number of a sunk ship, which is off the board.
pub const SUNK: u8 = 25;

/// The worth of a hit in the turn after the next, relative to one in the next turn: by then the enemy may have moved.
/// Measured: with 0.3 the bot wins seven games of ten against itself with 0.6.
const LATER: f64 = 0.3;

/// A number for each cell, and one more for sunk ships, which is not used.
type Counts = [u32; 26];

/// The data for weighing the actions of a turn.
pub struct Scales {
    /// The positions that the enemy may have.
    enemy: Vec<Cells>,
    /// By cell, the number of these positions with a ship on it.
    enemy_counts: Counts,
    /// The sets of cells that the enemy may reach, each with the number of its positions. Far fewer than positions.
    enemy_reach: Vec<(u32, u32)>,
    /// The hit points of the enemy's ships.
    enemy_hit_points: [u8; 3],
    /// The positions that the bot may have, as far as the enemy knows.
    own: Vec<Cells>,
    /// The sets of cells with a ship in these positions, each with its number of positions.
    own_sets: Vec<(u32, u32)>,
    /// The true position of the bot.
    own_cells: Cells,
    /// The weight of a hit by the enemy, relative to a hit by the bot.
    caution: f64,
}

impl Scales {
    /// The scales for a turn. `enemy` are the positions that the enemy may have, `own` those that the enemy thinks the
    /// bot may have.
    pub fn new(view: &View, enemy: Vec<Cells>, own: Vec<Cells>, caution: f64) -> Self {
        let mut enemy_hit_points = [0; 3];
        for ship in &view.enemy {
            enemy_hit_points[ship.ship.index()] = ship.hit_points;
        }
        Self {
            enemy_counts: counts(enemy.iter().copied()),
            enemy_reach: tally(enemy.iter().map(reach)),
            own_sets: tally(own.iter().map(set)),
            own_cells: Ship::ALL.map(|ship| view.at(ship).map_or(SUNK, cell_of)),
            enemy,
            enemy_hit_points,
            own,
            caution,
        }
    }

    /// The worth of a legal action: own hits now and later, minus hits that it allows the enemy.
    pub fn worth(&self, action: Action) -> f64 {
        let (hits, threat) = match action {
            Action::Attack(at) => {
                let at = cell_of(at);
                (self.hits_of_attack(at), self.threat_after_attack(at))
            }
            Action::Move(ship, to) => {
                let (ship, to) = (ship.index(), cell_of(to));
                (self.hits_after_move(ship, to), self.threat_after_move(ship, to))
            }
        };
        hits - self.caution * threat
    }

    /// The expected hits of an attack, and of the best attack after it, which depends on the report.
    fn hits_of_attack(&self, at: u8) -> f64 {
        // The digit of a ship on each cell in the number of the report: 0 for a hit, 1 for near, 2 for neither.
        let nearness: [usize; 26] = std::array::from_fn(|cell| nearness(cell as u8, at));
        let mut after = [[0; 26]; 27];
        for cells in &self.enemy {
            let [battleship, cruiser, submarine] = cells.map(usize::from);
            let report = (nearness[battleship] * 3 + nearness[cruiser]) * 3 + nearness[submarine];
            let counts: &mut Counts = &mut after[report];
            counts[battleship] += 1;
            counts[cruiser] += 1;
            counts[submarine] += 1;
        }
        let reach = reach(&self.own_cells);
        let later = after.iter_mut().enumerate().map(|(report, counts)| {
            let is_hit = [report / 9, report / 3 % 3, report % 3].map(|nearness| nearness == 0);
            if is_hit.iter().zip(&self.enemy_hit_points).any(|(&is_hit, &points)| is_hit && points == 1) {
                // A sunk ship cannot be hit again, and no other ship was on its cell.
                counts[usize::from(at)] = 0;
            }
            most(counts, reach)
        });
        self.share(self.enemy_counts[usize::from(at)]) + LATER * self.share(later.sum())
    }

    /// The expected hits of the best attack after a move.
    fn hits_after_move(&self, ship: usize, to: u8) -> f64 {
        let mut moved = self.own_cells;
        moved[ship] = to;
        LATER * self.share(most(&self.enemy_counts, reach(&moved)))
    }

    /// The expected hits of the enemy after an attack, which reveals that a ship is within a step of the cell.
    fn threat_after_attack(&self, at: u8) -> f64 {
        let attackers = NEAR[usize::from(at)];
        let mut known = [0; 26];
        for &(cells, count) in self.own_sets.iter().filter(|(cells, _)| cells & attackers != 0) {
            for cell in bits(cells) {
                known[cell] += count;
            }
        }
        let targets = Targets::new(&known, set(&self.own_cells));
        // A sunk ship cannot attack. This corrects the sum for the positions in which the attack sinks a ship.
        let mut prevented = 0.0;
        for ship in (0..3).filter(|&ship| self.enemy_hit_points[ship] == 1) {
            for cells in self.enemy.iter().filter(|cells| cells[ship] == at) {
                let mut left = *cells;
                left[ship] = SUNK;
                prevented += targets.hits(reach(cells)) - targets.hits(reach(&left));
            }
        }
        self.threat(&targets) - prevented / self.count()
    }

    /// The expected hits of the enemy after a move, whose distance is reported to it.
    fn threat_after_move(&self, ship: usize, to: u8) -> f64 {
        let (from, to) = (self.own_cells[ship], to);
        // The end of the same move from each cell; `SUNK` if it is off the board.
        let ends: [u8; 26] = std::array::from_fn(|start| end_of_way(start as u8, from, to));
        let known = self.own.iter().filter_map(|cells| {
            let end = ends[usize::from(cells[ship])];
            if end == SUNK || cells.contains(&end) {
                return None;
            }
            let mut moved = *cells;
            moved[ship] = end;
            Some(moved)
        });
        let mut moved = self.own_cells;
        moved[ship] = to;
        self.threat(&Targets::new(&counts(known), set(&moved)))
    }

    /// The expected hits of an enemy that attacks these targets, averaged over the positions that it may have.
    fn threat(&self, targets: &Targets) -> f64 {
        let hits = self.enemy_reach.iter().map(|&(reach, count)| f64::from(count) * targets.hits(reach));
        hits.sum::<f64>() / self.count()
    }

    /// A number of positions, as a share of all positions that the enemy may have.
    fn share(&self, positions: u32) -> f64 {
        f64::from(positions) / self.count()
    }

    fn count(&self) -> f64 {
        self.enemy.len().max(1) as f64
    }
}

/// The targets of the enemy: the cells by the probability of a hit, as far as the enemy knows.
struct Targets {
    /// Sets of equally likely cells, each with its subset of cells with an own ship. The likeliest come first.
    ranks: Vec<(u32, u32)>,
}

impl Targets {
    fn new(counts: &Counts, own: u32) -> Self {
        let mut cells: Vec<usize> = (0..25).filter(|&cell| counts[cell] > 0).collect();
        cells.sort_unstable_by_key(|&cell| std::cmp::Reverse(counts[cell]));
        let ranks = cells.chunk_by(|&one, &other| counts[one] == counts[other]);
        let rank = |cells: &[usize]| {
            let cells = cells.iter().fold(0, |cells, cell| cells | 1 << cell);
            (cells, cells & own)
        };
        Self { ranks: ranks.map(rank).collect() }
    }

    /// The probability of a hit by an enemy that reaches these cells: it attacks one of the likeliest at random.
    fn hits(&self, reach: u32) -> f64 {
        let best = self.ranks.iter().find(|(cells, _)| cells & reach != 0);
        best.map_or(0.0, |(cells, own)| {
            f64::from((own & reach).count_ones()) / f64::from((cells & reach).count_ones())
        })
    }
}

/// The positions that a tracker holds, with [`SUNK`] for sunk ships.
pub fn positions(tracker: &Tracker) -> Vec<Cells> {
    tracker.states().map(|cells| cells.map(|cell| cell.map_or(SUNK, cell_of))).collect()
}

fn cell_of(at: Coord) -> u8 {
    // All cells in a view are on the board.
    SIZE.index(at).map_or(SUNK, |index| index as u8)
}

/// By cell, the number of positions with a ship on it.
fn counts(positions: impl Iterator<Item = Cells>) -> Counts {
    let mut counts = [0; 26];
    for [battleship, cruiser, submarine] in positions.map(|cells| cells.map(usize::from)) {
        counts[battleship] += 1;
        counts[cruiser] += 1;
        counts[submarine] += 1;
    }
    counts
}

/// The greatest count among these cells.
fn most(counts: &Counts, cells: u32) -> u32 {
    bits(cells).map(|cell| counts[cell]).max().unwrap_or(0)
}

/// The cells of a set.
fn bits(mut cells: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(cell)
    })
}

/// The distinct sets, each with its frequency.
fn tally(sets: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut sets: Vec<u32> = sets.collect();
    sets.sort_unstable();
    sets.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u32)).collect()
}

/// The end of a move that begins at `start` and goes as far as from `from` to `to`; [`SUNK`] if it is off the board.
fn end_of_way(start: u8, from: u8, to: u8) -> u8 {
    let side = SIZE.width;
    let is_within_row = from / side == to / side;
    match (start + to).checked_sub(from) {
        Some(end) if start < SUNK && end < SUNK && (!is_within_row || start / side == end / side) => end,
        _ => SUNK,
    }
}

/// The set of cells of the ships that are afloat.
fn set(cells: &Cells) -> u32 {
    cells.iter().fold(0, |set, cell| set | 1 << cell) & !(1 << SUNK)
}

/// The set of cells that ships on these cells can attack.
fn reach(cells: &Cells) -> u32 {
    cells.iter().fold(0, |reach, &cell| reach | NEAR[usize::from(cell)])
}

/// The digit of a ship in the report of an attack: 0 if it is hit, 1 if it is near, 2 if neither.
fn nearness(cell: u8, at: u8) -> usize {
    if cell == at { 0 } else { 2 - usize::from(NEAR[usize::from(at)] >> cell & 1 == 1) }
}

/// By cell, the set of cells within one step, itself included; empty for a sunk ship.
const NEAR: [u32; 26] = {
    let mut near = [0; 26];
    let mut pair = 0;
    while pair < 25 * 25 {
        let (from, to) = (pair / 25, pair % 25);
        if (from / 5_usize).abs_diff(to / 5) <= 1 && (from % 5_usize).abs_diff(to % 5) <= 1 {
            near[from] |= 1 << to;
        }
        pair += 1;
    }
    near
};

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(row: u8, column: u8) -> Coord {
        Coord::new(row, column)
    }

    /// The bot's battleship in the top left corner, its cruiser and submarine in the bottom row.
    const OWN: [Coord; 3] = [at(0, 0), at(4, 1), at(4, 4)];

    fn cells(of: [Coord; 3]) -> Cells {
        of.map(cell_of)
    }

    /// Scales for an enemy with these possible positions, which knows the position of the bot.
    fn scales(enemy: &[[Coord; 3]], caution: f64) -> Scales {
        let enemy = enemy.iter().map(|&of| cells(of)).collect();
        Scales::new(&View::first(OWN), enemy, vec![cells(OWN)], caution)
    }

    #[test]
    fn near_means_the_same_as_in_the_rules() {
        for from in SIZE.coords() {
            for to in SIZE.coords() {
                let is_near = SIZE.neighbours(from).any(|near| near == to);
                let expected = if from == to { 0 } else { 2 - usize::from(is_near) };
                assert_eq!(nearness(cell_of(from), cell_of(to)), expected, "{from} {to}");
            }
        }
        assert_eq!(nearness(SUNK, 0), 2);
        assert_eq!(reach(&[SUNK; 3]) | set(&[SUNK; 3]), 0);
    }

    #[test]
    fn a_move_goes_equally_far_from_every_cell_or_off_the_board() {
        for (from, to) in
            [(at(2, 1), at(2, 4)), (at(2, 4), at(2, 0)), (at(0, 3), at(4, 3)), (at(3, 3), at(2, 3))]
        {
            let far = |from: u8, to: u8| i32::from(to) - i32::from(from);
            for start in SIZE.coords() {
                let ends = SIZE.coords().find(|end| {
                    far(start.row, end.row) == far(from.row, to.row)
                        && far(start.column, end.column) == far(from.column, to.column)
                });
                let found = end_of_way(cell_of(start), cell_of(from), cell_of(to));
                assert_eq!(found, ends.map_or(SUNK, cell_of), "{start}, as from {from} to {to}");
            }
        }
        assert_eq!(end_of_way(SUNK, 6, 5), SUNK);
    }

    #[test]
    fn an_attack_is_worth_its_probability_of_a_hit_and_its_information() {
        let far = [at(2, 3), at(2, 4)];
        let enemy = [[at(0, 1), far[0], far[1]], [at(1, 1), far[0], far[1]]];
        let scales = scales(&enemy, 0.0);
        // Half of the positions have a ship there, and either report makes the position certain.
        let expected = 0.5 + LATER;
        assert!((scales.worth(Action::Attack(at(0, 1))) - expected).abs() < 1e-9);
        // This attack hits nothing and reveals nothing: the ship is near in both positions.
        assert!((scales.worth(Action::Attack(at(0, 0))) - LATER * 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_ship_that_sinks_cannot_be_hit_again() {
        let enemy = [[at(2, 3), at(2, 4), at(0, 1)]];
        assert!((scales(&enemy, 0.0).worth(Action::Attack(at(0, 1))) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_move_is_worth_the_best_attack_after_it() {
        let enemy = [[at(0, 4), at(2, 2), at(2, 3)]];
        let scales = scales(&enemy, 0.0);
        let ahead = Action::Move(Ship::Battleship, at(0, 3));
        assert!((scales.worth(ahead) - LATER).abs() < 1e-9);
        let aside = Action::Move(Ship::Submarine, at(4, 3));
        assert!(scales.worth(aside).abs() < 1e-9);
    }

    #[test]
    fn a_ship_is_in_danger_only_within_reach() {
        // Only the bot's battleship is within reach, and the enemy knows it.
        let enemy = [[at(1, 0), at(2, 3), at(2, 2)]];
        let (bold, wary) = (scales(&enemy, 0.0), scales(&enemy, 1.0));
        let danger = |action| bold.worth(action) - wary.worth(action);
        assert!((danger(Action::Attack(at(4, 4))) - 1.0).abs() < 1e-9);
        assert!(danger(Action::Move(Ship::Battleship, at(0, 4))).abs() < 1e-9, "it moved out of reach");
        assert!(
            (danger(Action::Move(Ship::Battleship, at(0, 1))) - 1.0).abs() < 1e-9,
            "it stayed within reach"
        );
    }

    #[test]
    fn a_sunk_enemy_is_not_dangerous() {
        let enemy = [[at(2, 3), at(2, 2), at(1, 0)]];
        let (bold, wary) = (scales(&enemy, 0.0), scales(&enemy, 1.0));
        let danger = |action| bold.worth(action) - wary.worth(action);
        assert!(danger(Action::Attack(at(1, 0))).abs() < 1e-9);
        assert!((danger(Action::Attack(at(1, 1))) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_enemy_without_knowledge_hits_by_chance() {
        let enemy = vec![cells([at(1, 1), at(1, 3), at(1, 2)])];
        let own = [at(0, 0), at(1, 4), at(2, 2)];
        let scales = Scales::new(&View::first(own), enemy, positions(&Tracker::new()), 1.0);
        let threat = scales.threat_after_attack(cell_of(at(2, 2)));
        // It only learns that a ship is within a step of the middle.
        assert!((threat - 1.0 / 6.0).abs() < 1e-9, "six of the nine cells are within its reach: {threat}");
    }

    #[test]
    fn without_possible_positions_all_actions_are_worth_0() {
        let scales = Scales::new(&View::first(OWN), Vec::new(), Vec::new(), 1.0);
        assert!(View::first(OWN).legal_actions().all(|action| scales.worth(action) == 0.0));
    }
}
