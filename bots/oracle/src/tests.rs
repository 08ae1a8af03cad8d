use super::*;
use arena_sdk::practice::{Ruleset, solo, solo_forgetful};
use arena_sdk::{Grid, Mark, Size};
use std::ops::Range;

/// Checks the mean over 15 boards. Its standard error is 1.2 to 2.4 shots; figures over many boards are in bots/README.md.
fn check_mean(rules: &Ruleset, expected: Range<f64>) {
    let score = solo::<Oracle>(rules, 15, 1).unwrap();
    assert!(expected.contains(&score.mean_shots), "{score}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_needs_about_62_shots_under_guide() {
    check_mean(&Ruleset::guide(), 57.5..66.5);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_needs_about_44_shots_under_classic() {
    check_mean(&Ruleset::classic(), 37.0..52.0);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_needs_about_38_shots_under_pirates() {
    check_mean(&Ruleset::pirates(), 33.5..43.5);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_works_without_its_state() {
    for rules in [Ruleset::classic(), Ruleset::pirates()] {
        let score = solo_forgetful::<Oracle>(&rules, 3, 1).unwrap();
        assert!(score.mean_shots < 60.0, "{score}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "it takes a minute without optimisation: use --release")]
fn it_plays_any_board_and_fleet() {
    let fleets: [(u8, u8, &[u8]); 5] =
        [(1, 1, &[1]), (7, 3, &[3, 1]), (1, 20, &[5, 2]), (14, 11, &[9, 9, 4]), (32, 4, &[20, 1])];
    for (width, height, fleet) in fleets {
        for (may_touch, sinkings_announced) in [(false, false), (false, true), (true, false), (true, true)] {
            let fleet = fleet.to_vec();
            let rules = Ruleset { fleet, may_touch, sinkings_announced, ..Ruleset::guide() };
            let score = solo::<Oracle>(&rules.with_size(Size::new(width, height)), 1, 1).unwrap();
            assert!(score.most_shots <= u32::from(width) * u32::from(height));
        }
    }
}

#[test]
fn it_shoots_at_a_legal_cell_even_if_no_fleet_agrees_with_the_board() {
    let game = Game::of(&Ruleset::guide(), 7);
    let mut view = View::first(&game);
    view.attacks = Grid::filled(game.size, Mark::Hit);
    assert_eq!(Oracle::default().play(&game, &view), None);
    view.attacks[Coord::new(3, 4)] = Mark::Unknown;
    assert_eq!(Oracle::default().play(&game, &view), Some(Coord::new(3, 4)));
}

#[test]
fn it_thinks_less_if_fuel_is_scarce_or_the_board_is_large() {
    let looks = |size, fuel_per_turn| {
        let game = Game { fuel_per_turn, ..Game::of(&Ruleset::classic().with_size(size), 7) };
        for_board!(size, WORDS => (Looks::of::<WORDS>(&game), Looks::of::<WORDS>(&game).effort::<WORDS>(&game)))
    };
    let (small, large) = (Size::new(10, 10), Size::new(32, 32));
    let drawn = |size, fuel| looks(size, fuel).1.drawn_max;
    assert!(drawn(small, 50_000_000) < drawn(small, 300_000_000));
    assert!(drawn(large, 300_000_000) < drawn(small, 300_000_000));
    assert_eq!(drawn(large, 0), 1);

    let (plenty, nothing) = (looks(small, 300_000_000).0, looks(small, 0).0);
    assert!(plenty.search(10).1 > plenty.search(2_000).1);
    assert_eq!((nothing.search(10).1, plenty.search(0).1, plenty.search(1_000_000).1), (0, 0, 0));
}

/// All fleets of a small board before the first shot.
fn fleets(lengths: &[u8], is_announced: bool) -> (Game, Fleets) {
    let rules = Ruleset { fleet: lengths.to_vec(), sinkings_announced: is_announced, ..Ruleset::classic() };
    let game = Game::of(&rules.with_size(Size::new(3, 3)), 7);
    let view = View::first(&game);
    let mut tracked = TrackedBoard::default();
    let effort = arena_sdk::battleship::Effort::of(1_000);
    let fleets = game.possible_fleets::<2>(tracked.update(&game, &view), &view, effort, &mut game.rng(1));
    assert!(fleets.is_exact());
    (game, fleets)
}

/// The smallest number of shots in all games of a group that any player can reach: each cell is tried for each shot.
fn optimum(fleets: &Fleets, group: &[usize], shot: CellSet, board: CellSet, is_announced: bool) -> usize {
    let left: Vec<usize> =
        group.iter().copied().filter(|&fleet| !fleets.cells(fleet).is_subset(shot)).collect();
    if left.is_empty() {
        return 0;
    }
    let shown = |fleet: usize, at: Coord, shot: CellSet| {
        let hit = fleets.ships(fleet).iter().position(|ship| ship.contains(at));
        hit.map(|ship| {
            (is_announced && fleets.ships(fleet)[ship].is_subset(shot)).then(|| fleets.lengths()[ship])
        })
    };
    let shots = |at: Coord| {
        let (mut rest, shot) = (left.clone(), shot | CellSet::of(at));
        let mut shots = rest.len();
        while let Some(&first) = rest.first() {
            let seen = shown(first, at, shot);
            let (alike, others): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|&fleet| shown(fleet, at, shot) == seen);
            shots += optimum(fleets, &alike, shot, board, is_announced);
            rest = others;
        }
        shots
    };
    let useful = |at: &Coord| left.iter().any(|&fleet| fleets.cells(fleet).contains(*at));
    (board - shot).iter().filter(useful).map(shots).min().unwrap_or(0)
}

#[test]
fn the_more_shots_are_compared_the_shorter_are_the_games_down_to_the_optimum() {
    for (lengths, is_announced) in
        [(&[2][..], true), (&[3], false), (&[2, 1], true), (&[2, 2], true), (&[3, 2], false)]
    {
        let (game, fleets) = fleets(lengths, is_announced);
        let board = CellSet::board(game.size);
        let shots = |compared| {
            let mut members: Vec<_> = (0..fleets.len()).map(|number| Member::of(&fleets, number)).collect();
            let left = fleets.cells(0).len();
            let looks_left = usize::MAX.into();
            let tree = Tree { fleets: &fleets, board, is_announced, candidates: 9, looks_left };
            tree.best(Group { members: &mut members, shot: CellSet::EMPTY, left }, compared).1
        };
        let all: Vec<usize> = (0..fleets.len()).collect();
        let optimum = optimum(&fleets, &all, CellSet::EMPTY, board, is_announced);
        let compared = [1, 2, 3, 9].map(shots);
        assert!(compared.is_sorted_by(|one, other| one >= other), "{lengths:?}: {compared:?}");
        assert_eq!(compared[3], optimum, "{lengths:?}: {compared:?}");
    }
}

#[test]
fn fleets_of_a_sample_become_equally_likely_members_in_proportion_to_their_weights() {
    let game = Game::of(&Ruleset::guide(), 7);
    let view = View::first(&game);
    let mut tracked = TrackedBoard::default();
    let effort = arena_sdk::battleship::Effort::of(200);
    let mut rng = game.rng(1);
    let fleets = game.possible_fleets::<2>(tracked.update(&game, &view), &view, effort, &mut rng);
    let members = equally_likely(&fleets, &mut rng);
    assert_eq!(members.len(), fleets.len());
    let mean = (0..fleets.len()).map(|fleet| fleets.weight(fleet)).sum::<f64>() / fleets.len() as f64;
    for fleet in 0..fleets.len() {
        let times = members.iter().filter(|member| member.number() == fleet).count() as f64;
        assert!((times - fleets.weight(fleet) / mean).abs() < 1.0);
    }
}

/// The possible fleets on a row of seven cells, for a game with unannounced sinkings.
fn in_a_row(lengths: &[u8], shots: &[(u8, Mark)]) -> (Game, View, Fleets) {
    let rules = Ruleset { fleet: lengths.to_vec(), ..Ruleset::guide() };
    let game = Game::of(&rules.with_size(Size::new(7, 1)), 7);
    let mut view = View::first(&game);
    shots.iter().for_each(|&(column, mark)| view.attacks[Coord::new(0, column)] = mark);
    let mut tracked = TrackedBoard::default();
    let effort = arena_sdk::battleship::Effort::of(1_000);
    let fleets = game.possible_fleets::<2>(tracked.update(&game, &view), &view, effort, &mut game.rng(1));
    (game, view, fleets)
}

fn columns(cells: &[Coord]) -> Vec<u8> {
    cells.iter().map(|at| at.column).collect()
}

#[test]
fn of_equally_likely_cells_the_search_prefers_those_that_may_be_open_sea() {
    // The single is sunk, and the ship of two has four ways: a miss in the middle cell is always next to it.
    let (game, view, fleets) = in_a_row(&[2, 1], &[(0, Mark::Hit), (1, Mark::Miss)]);
    assert_eq!(columns(&view.likeliest(&fleets)), [3, 4, 5]);
    assert_eq!(columns(&search::worthiest(&game, &view, &fleets)), [3, 5]);
}

#[test]
fn of_equally_likely_cells_the_search_prefers_the_one_with_a_new_long_ship() {
    // Each cell has a ship in four of six fleets: the third cell mostly the ship that was hit, the fifth mostly another.
    let (game, view, fleets) = in_a_row(&[3, 1], &[(0, Mark::Hit)]);
    assert_eq!(columns(&view.likeliest(&fleets)), [2, 4]);
    assert_eq!(columns(&search::worthiest(&game, &view, &fleets)), [4]);
}

#[test]
fn the_search_is_for_long_games_without_announcements_whose_ships_may_not_touch() {
    let (game, _, fleets) = in_a_row(&[2, 1], &[(0, Mark::Hit)]);
    assert!(search::is_on(&game, &fleets));
    assert!(!search::is_on(&Game { may_touch: true, ..game.clone() }, &fleets));
    assert!(!search::is_on(&Game { sinkings_announced: true, ..game }, &fleets));
    let (game, _, fleets) = in_a_row(&[2, 1], &[(0, Mark::Hit), (3, Mark::Hit)]);
    assert!(!search::is_on(&game, &fleets), "one cell of three is left");
}
