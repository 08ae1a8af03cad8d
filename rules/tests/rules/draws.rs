//! Fleets drawn from a seed: they never change, and all legal fleets are equally likely.

use arena_rules::battleship::{Fleet, FleetSpec, Placeable, Ruleset, scatter, uniform};
use arena_rules::{Coord, Direction, Placement, Size, random};
use rand::Rng;
use std::collections::HashMap;

/// Boards of many sizes, tight and loose, with ships that may touch and with ships that may not.
fn specs() -> Vec<FleetSpec> {
    let spec = |width, height, lengths: &[u8], may_touch| FleetSpec {
        size: Size::new(width, height),
        lengths: lengths.to_vec(),
        may_touch,
    };
    vec![
        FleetSpec::of(&Ruleset::guide()),
        spec(10, 10, &[5, 4, 3, 3, 2], true),
        spec(10, 10, &[5, 4, 3, 3, 2], false),
        spec(7, 4, &[4, 1, 2], false),
        spec(3, 12, &[3, 3, 3], true),
        spec(1, 9, &[4, 3], false),
        spec(32, 32, &[32, 20, 9, 1], false),
    ]
}

/// Recordings depend on the fleets of a seed, so neither the fleets nor the count of random numbers drawn for them may ever
/// change.
#[test]
fn a_seed_always_draws_the_same_fleets() {
    let mut drawn = String::new();
    for spec in specs() {
        for seed in [1, 2] {
            let mut rng = random::seeded(seed);
            for _ in 0..2 {
                let fleet = uniform(&spec, &mut rng).unwrap();
                drawn += &serde_json::to_string(fleet.placements()).unwrap();
                drawn.push('\n');
            }
            drawn += &format!("next {:08x}\n", rng.next_u32());
        }
    }
    let expected = std::fs::read_to_string("tests/data/drawn_fleets.txt").unwrap();
    assert_eq!(drawn, expected);
}

#[test]
fn another_seed_draws_another_fleet() {
    let spec = FleetSpec::of(&Ruleset::guide());
    let draw = |seed| uniform(&spec, &mut random::seeded(seed)).unwrap();
    assert_eq!(draw(9), draw(9));
    assert_ne!(draw(9), draw(10));
}

/// A bot that scatters its fleet has one under all rules that are valid: the search that found the rules valid finds a fleet.
#[test]
fn a_fleet_that_can_be_placed_at_all_is_scattered() {
    let spec = |width, height, lengths: &[u8], may_touch| FleetSpec {
        size: Size::new(width, height),
        lengths: lengths.to_vec(),
        may_touch,
    };
    for spec in [
        spec(10, 10, &[4; 10], false),
        spec(8, 8, &[4; 16], true),
        spec(5, 4, &[5; 4], true),
        spec(7, 7, &[1; 16], false),
    ] {
        assert!(matches!(spec.placeable(), Placeable::Yes(_)), "{spec:?}");
        for seed in 0..5 {
            assert!(scatter(&spec, &mut random::seeded(seed)).is_some(), "{spec:?}, seed {seed}");
        }
    }
}

#[test]
fn fleets_for_impossible_boards_or_ships_are_not_drawn() {
    for (width, height, length) in [(0, 5, 1), (5, 0, 1), (33, 5, 2), (5, 200, 2), (5, 5, 0), (5, 5, 6)] {
        for may_touch in [false, true] {
            let spec = FleetSpec { size: Size::new(width, height), lengths: vec![length], may_touch };
            assert_eq!(uniform(&spec, &mut random::seeded(1)), None, "{spec:?}");
            assert!(!spec.can_be_drawn(), "{spec:?}");
        }
    }
}

/// All legal fleets of a board are equally likely: on small ones, where they are listed by trying all lists of placements.
#[test]
fn uniform_fleets_are_uniform() {
    for (width, height, lengths, may_touch, fleets) in SMALL_BOARDS {
        let spec =
            FleetSpec { size: Size::new(*width, *height), lengths: lengths.to_vec(), may_touch: *may_touch };
        let mut legal: Vec<Vec<Placement>> = vec![vec![]];
        for &length in &spec.lengths {
            let ways: Vec<Placement> = spec.ways(length).collect();
            let longer = legal.iter().flat_map(|laid| ways.iter().map(|&way| [&laid[..], &[way]].concat()));
            legal = longer.filter(|laid| is_legal(&spec, laid)).collect();
        }
        assert_eq!(legal.len(), *fleets, "{spec:?}");
        check_frequencies(&spec, 200, legal.into_iter().map(|fleet| (fleet, 1)).collect(), <[_]>::to_vec);
    }
}

/// Width, height and fleet of small boards, true if ships may touch, and the number of legal fleets.
const SMALL_BOARDS: &[(u8, u8, &[u8], bool, usize)] = &[
    (3, 3, &[2, 1], false, 24),
    (3, 3, &[2, 1], true, 84),
    // The only fleets are in the corners.
    (3, 3, &[1, 1, 1, 1], false, 24),
    (4, 3, &[1, 1, 1], false, 204),
    (4, 3, &[2, 2], false, 66),
    (2, 7, &[2, 2, 1], false, 360),
    (9, 1, &[2, 1, 2], false, 60),
    (6, 5, &[4, 3], false, 386),
    (5, 5, &[3, 2, 1], false, 3944),
    (4, 3, &[3, 2, 2], true, 656),
    // The ships lie in four rows or in four columns.
    (4, 4, &[4, 4, 4, 4], true, 48),
    // No cell stays free.
    (4, 3, &[4, 3, 3, 2], true, 8),
];

/// Returns true if the first ships of a fleet are legal together.
fn is_legal(spec: &FleetSpec, laid: &[Placement]) -> bool {
    let lengths = spec.lengths[..laid.len()].to_vec();
    Fleet::parse(&FleetSpec { lengths, ..spec.clone() }, laid).is_ok()
}

/// The carrier of `pirates` lies in each of its ways as often as there are legal fleets with it there.
///
/// They are counted exactly: for each carrier all battleships, cruisers and submarines are tried, and the patrol boats
/// that still fit are counted. A quarter of the carriers is enough, because mirrored fleets are legal too.
#[test]
fn the_engines_fleets_for_pirates_are_uniform() {
    let spec = FleetSpec::of(&Ruleset::pirates());
    let counts = carriers(&spec);
    assert_eq!(counts.len(), 120);
    // 1,925,751,392 sets of ships, each of which is two fleets: the cruiser and the submarine can change places.
    assert_eq!(counts.values().sum::<u64>(), 2 * 1_925_751_392);
    check_frequencies(&spec, 500, counts, |placements| placements[0]);
}

/// Draws fleets, `draws_per_kind` for each kind on average, and compares the frequency of each kind with its weight.
///
/// The bound is that of a chi-squared test at one in a million. The seed is fixed, so the test always passes or always fails.
fn check_frequencies<K: Eq + std::hash::Hash>(
    spec: &FleetSpec,
    draws_per_kind: usize,
    weights: HashMap<K, u64>,
    kind: impl Fn(&[Placement]) -> K,
) {
    let draws = draws_per_kind * weights.len();
    let mut counts: HashMap<K, f64> = HashMap::new();
    let mut rng = random::seeded(5);
    for _ in 0..draws {
        *counts.entry(kind(uniform(spec, &mut rng).unwrap().placements())).or_default() += 1.0;
    }
    assert!(counts.keys().all(|kind| weights.contains_key(kind)), "every fleet drawn is legal");
    assert_eq!(counts.len(), weights.len(), "every kind of fleet comes up");
    let total: u64 = weights.values().sum();
    let deviation = |(kind, &weight): (&K, &u64)| {
        let expected = draws as f64 * weight as f64 / total as f64;
        (counts[kind] - expected).powi(2) / expected
    };
    let chi_squared: f64 = weights.iter().map(deviation).sum();
    // Wilson and Hilferty's approximation of the quantile of chi squared, at 4.75 standard deviations.
    let freedom = (weights.len() - 1) as f64;
    let bound = freedom * (1.0 - 2.0 / (9.0 * freedom) + 4.75 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
    assert!(chi_squared < bound, "chi squared {chi_squared:.1} of at most {bound:.1}");
}

/// The number of legal fleets with the first ship in each of its ways, counted one by one.
fn carriers(spec: &FleetSpec) -> HashMap<Placement, u64> {
    let [five, four, three, also_three, two] = spec.lengths[..] else { panic!("five ships") };
    assert_eq!(three, also_three);
    let twos: Vec<u128> = spec.ways(two).map(|way| cells(way, two)).collect();
    let ship = |way, length| Ship::new(way, length, &twos);
    let fours: Vec<Ship> = spec.ways(four).map(|way| ship(way, four)).collect();
    let threes: Vec<Ship> = spec.ways(three).map(|way| ship(way, three)).collect();
    let mut counts = HashMap::new();
    for carrier in spec.ways(five) {
        // The first of the mirror images of this way, left to right and top to bottom.
        let (down, right) = if carrier.direction == Direction::South { (five - 1, 0) } else { (0, five - 1) };
        let Coord { row, column } = carrier.anchor;
        let turned = Coord::new(row.min(9 - row - down), column.min(9 - column - right));
        let counted = counts.get(&Placement::new(turned, carrier.direction)).copied();
        let count = counted.unwrap_or_else(|| ship(carrier, five).count_completions(&fours, &threes));
        counts.insert(carrier, count);
    }
    counts
}

/// A ship as bits of a board of 10 by 10 cells.
struct Ship {
    cells: u128,
    /// Its cells and those around it.
    halo: u128,
    /// The patrol boats that fit next to it, as bits.
    twos: [u128; 2],
}

impl Ship {
    fn new(way: Placement, length: u8, all_twos: &[u128]) -> Self {
        let cells = cells(way, length);
        let edge = |column: u32| (0..10).map(|row| 1u128 << (row * 10 + column)).sum::<u128>();
        let wide = cells | (cells & !edge(9)) << 1 | (cells & !edge(0)) >> 1;
        let halo = wide | wide << 10 | wide >> 10;
        let mut twos = [0; 2];
        for (index, _) in all_twos.iter().enumerate().filter(|(_, two)| *two & halo == 0) {
            twos[index / 128] |= 1 << (index % 128);
        }
        Self { cells, halo, twos }
    }

    /// The fleets with this ship, counted over every battleship, cruiser and submarine.
    fn count_completions(&self, fours: &[Self], threes: &[Self]) -> u64 {
        let mut count = 0;
        for four in fours.iter().filter(|four| four.cells & self.halo == 0) {
            let taken = self.halo | four.halo;
            let threes: Vec<_> = threes.iter().filter(|three| three.cells & taken == 0).collect();
            for cruiser in &threes {
                let twos = [0, 1].map(|half| self.twos[half] & four.twos[half] & cruiser.twos[half]);
                for submarine in threes.iter().filter(|three| three.cells & cruiser.halo == 0) {
                    let left = [0, 1].map(|half| (twos[half] & submarine.twos[half]).count_ones());
                    count += u64::from(left[0] + left[1]);
                }
            }
        }
        count
    }
}

/// The cells of a ship that lies eastwards or southwards.
fn cells(way: Placement, length: u8) -> u128 {
    let stride = if way.direction == Direction::East { 1 } else { 10 };
    let first = u32::from(way.anchor.row) * 10 + u32::from(way.anchor.column);
    (0..u32::from(length)).map(|step| 1 << (first + step * stride)).sum()
}
