//! The facts that fleets must agree with.

use crate::battleship::FleetSpec;
use crate::battleship::shot_board::{Shot, ShotBoard, Sunken};
use crate::{CellSet, Size, Ways};

/// The facts about a fleet from the shots at it.
pub(super) struct Evidence<const WORDS: usize> {
    pub size: Size,
    pub board: CellSet<WORDS>,
    pub hits: CellSet<WORDS>,
    pub misses: CellSet<WORDS>,
    pub may_touch: bool,
    /// True if it is known which ships are afloat.
    pub is_announced: bool,
    /// The ships of the fleet by length, longest first.
    pub kinds: Vec<Kind<WORDS>>,
    /// The ships that are known to be sunk.
    pub sunk: Vec<Sunk<WORDS>>,
}

/// The ships of one length.
pub(super) struct Kind<const WORDS: usize> {
    pub length: u8,
    /// The number of ships of this length in the fleet.
    pub count: usize,
    /// The number of ships in the fleet that are longer.
    pub longer: usize,
    pub ways: Ways<WORDS>,
    /// For each way, the cells that no other ship can use.
    pub halos: Vec<CellSet<WORDS>>,
}

/// A ship that is sunk.
pub(super) struct Sunk<const WORDS: usize> {
    /// The index of its length in the list of kinds.
    pub kind: usize,
    /// The ways in which it may lie.
    pub ways: Vec<CellSet<WORDS>>,
    /// True if it has the ways of the ship before it in the list, so that the two are interchangeable.
    pub is_twin: bool,
}

impl<const WORDS: usize> Evidence<WORDS> {
    pub fn new(spec: &FleetSpec, board: &ShotBoard<Sunken>, afloat: Option<&[u8]>) -> Self {
        let mut evidence = Self {
            size: spec.size,
            board: CellSet::board(spec.size),
            hits: CellSet::EMPTY,
            misses: CellSet::EMPTY,
            may_touch: spec.may_touch,
            is_announced: afloat.is_some(),
            kinds: Vec::new(),
            sunk: Vec::new(),
        };
        evidence.add_kinds(spec);
        let mut seen_to_sink: Vec<(Sunken, CellSet<WORDS>)> = Vec::new();
        for (at, shot) in board.cells() {
            match shot {
                Shot::Unshot => {}
                Shot::Miss => drop(evidence.misses.insert(at)),
                Shot::Hit => drop(evidence.hits.insert(at)),
                Shot::Sunk(ship) => {
                    evidence.hits.insert(at);
                    match seen_to_sink.iter_mut().find(|(other, _)| *other == ship) {
                        Some((_, cells)) => drop(cells.insert(at)),
                        None => seen_to_sink.push((ship, CellSet::of(at))),
                    }
                }
            }
        }
        let possible: Vec<_> = board.possible().collect();
        for (ship, cells) in seen_to_sink {
            let mut ways: Vec<CellSet<WORDS>> =
                possible.iter().filter(|way| way.ship == ship).map(|way| way.cells().collect()).collect();
            if ways.is_empty() {
                // The ship is settled: these are all of its cells.
                ways.push(cells);
            }
            if let Some(kind) = evidence.kind_of(ship.length) {
                evidence.sunk.push(Sunk { kind, ways, is_twin: false });
            }
        }
        if let Some(afloat) = afloat {
            evidence.add_unseen(afloat);
        }
        evidence
    }

    fn add_kinds(&mut self, spec: &FleetSpec) {
        let mut lengths = spec.lengths.clone();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        let mut longer = 0;
        for ships in lengths.chunk_by(|one, other| one == other) {
            let ways = Ways::new(spec.size, ships[0]);
            let halo = |way: &CellSet<WORDS>| self.halo(*way);
            let halos = ways.all().iter().map(halo).collect();
            self.kinds.push(Kind { length: ships[0], count: ships.len(), longer, ways, halos });
            longer += ships.len();
        }
    }

    /// Adds the ships that are neither afloat nor were seen to sink. They lie somewhere on the hits.
    fn add_unseen(&mut self, afloat: &[u8]) {
        for kind in 0..self.kinds.len() {
            let Kind { length, count, ref ways, .. } = self.kinds[kind];
            let afloat = afloat.iter().filter(|&&other| other == length).count();
            let seen = self.sunk.iter().filter(|ship| ship.kind == kind).count();
            let on_hits = |way: &CellSet<WORDS>| way.is_subset(self.hits);
            let ways: Vec<CellSet<WORDS>> = ways.all().iter().copied().filter(on_hits).collect();
            for number in seen + afloat..count {
                self.sunk.push(Sunk { kind, ways: ways.clone(), is_twin: number > seen + afloat });
            }
        }
    }

    fn kind_of(&self, length: u8) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.length == length)
    }

    /// The cells that a ship takes from others.
    pub fn halo(&self, ship: CellSet<WORDS>) -> CellSet<WORDS> {
        if self.may_touch { ship } else { ship.halo(self.board) }
    }
}
