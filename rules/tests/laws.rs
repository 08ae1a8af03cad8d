//! Laws that hold for every fleet, every board and every shot.

use arena_rules::{
    Answer, Battle, Coord, Direction, Effect, Fleet, FleetError, FleetSpec, Mark, Outcome, OwnCell,
    Placeable, Placement, Reason, Ruleset, RulesetError, Seat, ShotResult, Size, judge_deployments, random,
    scatter,
};
use proptest::prelude::*;

fn any_spec() -> impl Strategy<Value = FleetSpec> {
    (1u8..13, 1u8..13, prop::collection::vec(1u8..6, 1..9), any::<bool>()).prop_map(
        |(width, height, mut lengths, may_touch)| {
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            FleetSpec { size: Size::new(width, height), lengths, may_touch }
        },
    )
}

fn any_coord() -> impl Strategy<Value = Coord> {
    prop_oneof![4 => (0u8..12, 0u8..12), 1 => (any::<u8>(), any::<u8>())].prop_map(Coord::from)
}

fn any_placement() -> impl Strategy<Value = Placement> {
    (any_coord(), prop::sample::select(&Direction::ALL[..])).prop_map(|(at, way)| Placement::new(at, way))
}

fn guide_fleet(seed: u64) -> Fleet {
    scatter(&FleetSpec::of(&Ruleset::guide()), &mut random::seeded(seed)).unwrap()
}

/// Cells and ships as the rules define them, worked out another way than the code does.
fn is_legal(spec: &FleetSpec, placements: &[Placement]) -> bool {
    if placements.len() != spec.lengths.len() {
        return false;
    }
    let mut taken: Vec<(i32, i32, usize)> = Vec::new();
    for (ship, (placement, &length)) in placements.iter().zip(&spec.lengths).enumerate() {
        let (down, right) = placement.direction.step();
        for step in 0..i32::from(length) {
            let row = i32::from(placement.anchor.row) + step * i32::from(down);
            let column = i32::from(placement.anchor.column) + step * i32::from(right);
            let on_board = (0..i32::from(spec.size.height)).contains(&row)
                && (0..i32::from(spec.size.width)).contains(&column);
            if !on_board {
                return false;
            }
            let reach = if spec.may_touch { 0 } else { 1 };
            let near = |&(r, c, other): &(i32, i32, usize)| {
                other != ship && (r - row).abs() <= reach && (c - column).abs() <= reach
            };
            if taken.iter().any(near) {
                return false;
            }
            taken.push((row, column, ship));
        }
    }
    true
}

proptest! {
    #[test]
    fn a_fleet_is_accepted_exactly_when_it_is_legal(spec in any_spec(), placements in prop::collection::vec(any_placement(), 0..9)) {
        prop_assert_eq!(Fleet::parse(&spec, &placements).is_ok(), is_legal(&spec, &placements));
    }

    #[test]
    fn scattered_fleets_are_legal_and_there_are_none_only_where_none_fits(spec in any_spec(), seed: u64) {
        match scatter(&spec, &mut random::seeded(seed)) {
            Some(fleet) => prop_assert!(is_legal(&spec, fleet.placements())),
            None => prop_assert!(!matches!(spec.placeable(), Placeable::Yes(_))),
        }
    }

    #[test]
    fn a_fleet_that_a_search_finds_is_legal(spec in any_spec()) {
        if let Placeable::Yes(fleet) = spec.placeable() {
            prop_assert!(is_legal(&spec, fleet.placements()));
        }
    }

    #[test]
    fn any_answers_at_all_are_played_to_the_end_without_a_panic(seed: u64, answers in prop::collection::vec(prop::option::of(any_coord()), 0..900)) {
        let rules = Ruleset { turns_max: 150, ..Ruleset::guide() };
        let mut battle = Battle::new(&rules, [guide_fleet(seed), guide_fleet(seed ^ 1)], Seat::First);
        let mut shots = [0usize; 2];
        for answer in answers {
            let Some(seat) = battle.to_move() else { break };
            let view = battle.view(seat);
            let effect = battle.answer(seat, Answer::from(answer));
            match effect {
                Effect::Shot { at, .. } => {
                    prop_assert_eq!(view.attacks[rules.size().index(at).unwrap()], Mark::Unknown);
                    shots[seat.index()] += 1;
                }
                Effect::Retry { .. } => prop_assert_eq!(battle.to_move(), Some(seat)),
                _ => {}
            }
            for seat in Seat::BOTH {
                let view = battle.view(seat);
                let attacked = view.attacks.iter().filter(|&&mark| mark != Mark::Unknown).count();
                let own = battle.view(seat.other()).board;
                let shot_at = own.iter().filter(|cell| matches!(cell, OwnCell::Missed | OwnCell::Hit)).count();
                prop_assert_eq!(attacked, shots[seat.index()]);
                prop_assert_eq!(attacked, shot_at);
            }
        }
    }

    #[test]
    fn a_side_that_shoots_at_every_cell_sinks_the_fleet_and_sees_every_ship(seed: u64) {
        let rules = Ruleset::guide();
        let target = guide_fleet(seed);
        let mut battle = Battle::new(&rules, [guide_fleet(seed ^ 1), target.clone()], Seat::First);
        let mut sunk = 0;
        let mut cells = rules.size().coords();
        while let Some(seat) = battle.to_move() {
            if seat == Seat::Second {
                // Seat 1 always shoots, so these are never two skips in a row.
                battle.answer(seat, Answer::Skip);
                continue;
            }
            if let Effect::Shot { at, result } = battle.answer(seat, Answer::Shot(cells.next().unwrap())) {
                prop_assert_eq!(result != ShotResult::Miss, target.ship_index(at).is_some());
                sunk += usize::from(result == ShotResult::Sunk);
            }
        }
        prop_assert_eq!(battle.end(), Some((Outcome::Win(Seat::First), Reason::FleetSunk)));
        prop_assert_eq!(sunk, rules.fleet.len());
    }
}

#[test]
fn cells_are_numbered_row_by_row_and_back() {
    let size = Size::new(7, 5);
    for (index, at) in size.coords().enumerate() {
        assert_eq!((size.index(at), size.coord(index)), (Some(index), at));
    }
    assert_eq!(size.index(Coord::new(5, 0)), None);
    assert_eq!(size.index(Coord::new(0, 7)), None);
}

#[test]
fn a_cell_in_the_corner_has_two_edge_neighbours_and_three_in_all() {
    let size = Size::new(3, 3);
    assert_eq!(size.edge_neighbours(Coord::new(0, 0)).count(), 2);
    assert_eq!(size.neighbours(Coord::new(0, 0)).count(), 3);
    assert_eq!(size.neighbours(Coord::new(1, 1)).count(), 8);
}

/// What is wrong with a deployment on a board of 5 by 5 with the fleet 3, 2, in the words the author reads.
fn refusal(placements: &[Placement]) -> String {
    let spec = FleetSpec { size: Size::new(5, 5), lengths: vec![3, 2], may_touch: false };
    Fleet::parse(&spec, placements).unwrap_err().to_string()
}

fn ship(row: u8, column: u8, direction: Direction) -> Placement {
    Placement::new(Coord::new(row, column), direction)
}

#[test]
fn a_deployment_that_is_not_legal_is_told_what_is_wrong_with_it() {
    use Direction::{East, North, South};
    assert_eq!(refusal(&[]), "0 ships were placed where the fleet has 2");
    assert_eq!(
        refusal(&[ship(1, 0, North), ship(4, 0, East)]),
        "ship 1 (length 3) from (1, 0) northwards leaves the board"
    );
    assert_eq!(refusal(&[ship(0, 0, East), ship(0, 2, South)]), "ships 1 and 2 overlap at (0, 2)");
    assert_eq!(refusal(&[ship(0, 0, East), ship(1, 3, South)]), "ships 1 and 2 touch at (1, 3)");
}

#[test]
fn ships_that_touch_are_legal_where_the_rules_allow_it() {
    let spec = FleetSpec { size: Size::new(5, 5), lengths: vec![3, 2], may_touch: true };
    assert!(Fleet::parse(&spec, &[ship(0, 0, Direction::East), ship(1, 0, Direction::East)]).is_ok());
    assert!(matches!(
        Fleet::parse(&spec, &[ship(0, 0, Direction::East), ship(0, 0, Direction::East)]),
        Err(FleetError::Overlap { .. })
    ));
}

#[test]
fn fleets_that_cannot_be_placed_are_found_out() {
    let rules = |width, height, fleet: &[u8], may_touch| {
        Ruleset { fleet: fleet.to_vec(), may_touch, ..Ruleset::guide() }
            .with_size(Size::new(width, height))
            .validate()
    };
    let too_large = |result| matches!(result, Err(RulesetError::FleetTooLarge { .. }));
    assert!(too_large(rules(4, 4, &Ruleset::guide().fleet, false)));
    assert!(too_large(rules(3, 3, &[4], true)), "longer than the board");
    assert!(too_large(rules(3, 3, &[3, 3, 3, 1], true)), "more cells than the board");
    assert!(too_large(rules(3, 3, &[1, 1, 1, 1, 1], false)), "five lone cells on nine");
    assert!(too_large(rules(2, 2, &[1, 1], false)), "enough area, and yet no way");
    assert_eq!(rules(3, 3, &[1, 1, 1, 1], false), Ok(()));
    assert_eq!(rules(3, 3, &[3, 3, 3], true), Ok(()));
    assert_eq!(rules(32, 32, &Ruleset::guide().fleet, false), Ok(()));
}

#[test]
fn rules_that_are_no_game_are_refused() {
    let broken = |change: fn(&mut Ruleset)| {
        let mut rules = Ruleset::guide();
        change(&mut rules);
        rules.validate().unwrap_err()
    };
    assert_eq!(broken(|rules| rules.width = 0), RulesetError::Size(Size::new(0, 10)));
    assert_eq!(broken(|rules| rules.height = 33), RulesetError::Size(Size::new(10, 33)));
    assert_eq!(broken(|rules| rules.fleet.clear()), RulesetError::ShipCount(0));
    assert_eq!(broken(|rules| rules.fleet = vec![1; 65]), RulesetError::ShipCount(65));
    assert_eq!(broken(|rules| rules.fleet = vec![2, 0]), RulesetError::ShipLength(2));
    assert_eq!(broken(|rules| rules.fleet = vec![2, 3]), RulesetError::ShipOrder);
    assert_eq!(broken(|rules| rules.turn_budget_ms = 0), RulesetError::Zero("turn-budget-ms"));
    assert_eq!(broken(|rules| rules.turns_max = 0), RulesetError::Zero("turns-max"));
}

#[test]
fn a_bad_deployment_loses_and_two_are_no_contest() {
    let fleet = || Some(guide_fleet(1));
    assert!(judge_deployments([fleet(), fleet()]).is_ok());
    assert_eq!(judge_deployments([fleet(), None]), Err((Outcome::Win(Seat::First), Reason::BadDeploy)));
    assert_eq!(judge_deployments([None, fleet()]), Err((Outcome::Win(Seat::Second), Reason::BadDeploy)));
    assert_eq!(judge_deployments::<Fleet>([None, None]), Err((Outcome::NoContest, Reason::BothBadDeploy)));
}

#[test]
fn ships_afloat_are_told_longest_first_and_only_where_the_rules_announce_them() {
    let rules = Ruleset { sinkings_announced: true, ..Ruleset::guide() };
    let target = guide_fleet(2);
    let mut battle = Battle::new(&rules, [guide_fleet(1), target.clone()], Seat::First);
    assert_eq!(battle.view(Seat::First).ships_remaining.as_deref(), Some(&rules.fleet[..]));
    for &cell in &target.ships()[1].cells {
        battle.answer(Seat::First, Answer::Shot(cell));
        battle.answer(Seat::Second, Answer::Skip);
    }
    assert_eq!(battle.view(Seat::First).ships_remaining, Some(vec![4, 3, 2, 2, 2, 1, 1, 1, 1]));
    assert_eq!(battle.view(Seat::Second).ships_remaining.as_deref(), Some(&rules.fleet[..]));
    let silent = Battle::new(&Ruleset::guide(), [guide_fleet(1), guide_fleet(2)], Seat::First);
    assert_eq!(silent.view(Seat::First).ships_remaining, None);
}

#[test]
fn last_spots_are_those_of_the_last_turn_and_none_after_a_skip() {
    let mut battle = Battle::new(&Ruleset::guide(), [guide_fleet(1), guide_fleet(2)], Seat::First);
    let spots = |battle: &Battle, seat| (battle.view(seat).last_spot, battle.view(seat).my_last);
    assert_eq!(spots(&battle, Seat::First), (None, None));
    battle.answer(Seat::First, Answer::Shot(Coord::new(4, 5)));
    battle.answer(Seat::Second, Answer::Shot(Coord::new(6, 7)));
    assert_eq!(spots(&battle, Seat::First), (Some(Coord::new(6, 7)), Some(Coord::new(4, 5))));
    battle.answer(Seat::First, Answer::Skip);
    assert_eq!(spots(&battle, Seat::Second), (None, Some(Coord::new(6, 7))));
    assert_eq!(spots(&battle, Seat::First), (Some(Coord::new(6, 7)), None));
}
