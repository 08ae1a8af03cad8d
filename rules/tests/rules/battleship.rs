//! Battleship's boards, fleets, rule sets and views, as sentences. Laws for any input are in `fuzz/laws`.

use arena_rules::battleship::{
    Action, Battleship, FLEET_SUNK, Fleet, FleetError, FleetSpec, Placing, Ruleset, RulesetError, scatter,
};
use arena_rules::{
    Coord, Direction, Game, Outcome, Placement, Reason, Seat, Size, judge_deployments, random,
};

#[test]
fn cells_are_numbered_row_by_row_and_back() {
    for size in [Size::new(0, 5), Size::new(7, 0), Size::new(255, 1), Size::new(1, 255)] {
        assert_eq!((size.coords().len(), size.coords().count()), (size.cells(), size.cells()));
    }
    let size = Size::new(7, 5);
    assert_eq!(size.coords().skip(3).len(), 32);
    for (index, at) in size.coords().enumerate() {
        assert_eq!((size.index(at), size.coord(index)), (Some(index), at));
    }
    assert_eq!(size.index(Coord::new(5, 0)), None);
    assert_eq!(size.index(Coord::new(0, 7)), None);
}

#[test]
fn a_cell_in_the_corner_has_two_edge_neighbours_and_three_neighbours() {
    let size = Size::new(3, 3);
    assert_eq!(size.edge_neighbours(Coord::new(0, 0)).count(), 2);
    assert_eq!(size.neighbours(Coord::new(0, 0)).count(), 3);
    assert_eq!(size.neighbours(Coord::new(1, 1)).count(), 8);
}

/// Parses a deployment on a board of 5 by 5 with the fleet 3, 2.
fn parse(may_touch: bool, ships: &[(u8, u8, Direction)]) -> Result<Fleet, FleetError> {
    let spec = FleetSpec { size: Size::new(5, 5), lengths: vec![3, 2], may_touch };
    let placements: Vec<Placement> = ships.iter().copied().map(Placement::from).collect();
    Fleet::parse(&spec, &placements)
}

#[test]
fn a_deployment_that_is_not_legal_is_refused_with_the_reason() {
    use Direction::{East, North, South};
    let refusal = |ships| parse(false, ships).unwrap_err().to_string();
    assert_eq!(refusal(&[]), "the number of ships placed is 0, but the fleet has 2");
    assert_eq!(
        refusal(&[(1, 0, North), (4, 0, East)]),
        "ship 1 (length 3) from (1, 0) northwards leaves the board"
    );
    assert_eq!(refusal(&[(0, 0, East), (0, 2, South)]), "ships 1 and 2 overlap at (0, 2)");
    assert_eq!(refusal(&[(0, 0, East), (1, 3, South)]), "ships 1 and 2 touch at (1, 3)");
}

#[test]
fn ships_that_touch_are_legal_if_the_rules_allow_it_and_ships_that_overlap_are_not() {
    assert!(parse(true, &[(0, 0, Direction::East), (1, 0, Direction::East)]).is_ok());
    let overlapping = parse(true, &[(0, 0, Direction::East), (0, 0, Direction::East)]);
    assert!(matches!(overlapping, Err(FleetError::Overlap { .. })));
}

#[test]
fn rules_with_a_fleet_that_cannot_be_placed_are_refused() {
    let rules = |width, height, fleet: &[u8], may_touch| {
        Ruleset { fleet: fleet.to_vec(), may_touch, ..Ruleset::guide() }
            .with_size(Size::new(width, height))
            .validate()
    };
    let too_large = |result| matches!(result, Err(RulesetError::FleetTooLarge { .. }));
    assert!(too_large(rules(4, 4, &Ruleset::guide().fleet, false)));
    assert!(too_large(rules(3, 3, &[4], true)), "longer than the board");
    assert!(too_large(rules(3, 3, &[3, 3, 3, 1], true)), "more cells than the board");
    assert!(too_large(rules(3, 3, &[1, 1, 1, 1, 1], false)), "five single cells on nine");
    assert!(too_large(rules(2, 2, &[1, 1], false)), "within the area bound, but impossible");
    assert_eq!(rules(3, 3, &[1, 1, 1, 1], false), Ok(()));
    assert_eq!(rules(3, 3, &[3, 3, 3], true), Ok(()));
    assert_eq!(rules(32, 32, &Ruleset::guide().fleet, false), Ok(()));
}

#[test]
fn rules_that_are_not_playable_are_refused() {
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
fn a_missing_setup_loses_and_two_missing_setups_are_no_contest() {
    assert!(judge_deployments([Some(()), Some(())]).is_ok());
    assert_eq!(judge_deployments([Some(()), None]), Err((Outcome::Win(Seat::First), Reason::BadDeploy)));
    assert_eq!(judge_deployments([None, Some(())]), Err((Outcome::Win(Seat::Second), Reason::BadDeploy)));
    assert_eq!(judge_deployments::<()>([None, None]), Err((Outcome::NoContest, Reason::BothBadDeploy)));
}

fn guide_fleet(seed: u64) -> Fleet {
    scatter(&FleetSpec::of(&Ruleset::guide()), &mut random::seeded(seed)).unwrap()
}

/// A game under `guide` with or without announced sinkings, and the fleet of seat 2.
fn game(sinkings_announced: bool) -> (Battleship, Fleet) {
    let rules = Ruleset { sinkings_announced, ..Ruleset::guide() };
    let target = guide_fleet(2);
    (Battleship::new(&rules, [guide_fleet(1), target.clone()], Seat::First), target)
}

#[test]
fn the_lengths_of_ships_afloat_are_longest_first_and_given_only_if_the_rules_announce_sinkings() {
    let whole = &Ruleset::guide().fleet[..];
    let (mut game, target) = game(true);
    assert_eq!(game.view(Seat::First).ships_remaining.as_deref(), Some(whole));
    for cell in target.ships()[1].cells() {
        game.act(Seat::First, &Action::Shot(cell));
        game.act(Seat::Second, &Action::Skip);
    }
    assert_eq!(game.view(Seat::First).ships_remaining, Some(vec![4, 3, 2, 2, 2, 1, 1, 1, 1]));
    assert_eq!(game.view(Seat::Second).ships_remaining.as_deref(), Some(whole));
    let (silent, _) = self::game(false);
    assert_eq!(silent.view(Seat::First).ships_remaining, None);
}

#[test]
fn last_spots_are_those_of_the_last_turn_and_empty_after_a_skip() {
    let (mut game, _) = game(false);
    let spots = |game: &Battleship, seat| (game.view(seat).last_spot, game.view(seat).my_last);
    let shot = |row, column| Action::Shot(Coord::new(row, column));
    assert_eq!(spots(&game, Seat::First), (None, None));
    game.act(Seat::First, &shot(4, 5));
    game.act(Seat::Second, &shot(6, 7));
    assert_eq!(spots(&game, Seat::First), (Some(Coord::new(6, 7)), Some(Coord::new(4, 5))));
    game.act(Seat::First, &Action::Skip);
    assert_eq!(spots(&game, Seat::Second), (None, Some(Coord::new(6, 7))));
    assert_eq!(spots(&game, Seat::First), (Some(Coord::new(6, 7)), None));
}

#[test]
fn a_game_alone_continues_past_the_turn_limit_to_the_last_ship() {
    let rules = Ruleset { turns_max: 1, ..Ruleset::guide() };
    let mut game = Battleship::draw_solo(&rules, 7).unwrap();
    for at in rules.size().coords() {
        let Some(seat) = game.to_move() else { break };
        game.act(seat, &Action::Shot(at));
        assert!(game.end().is_some() || game.overrun(Seat::Second));
    }
    assert_eq!(game.end(), Some((Outcome::Win(Seat::First), FLEET_SUNK)));
}

#[test]
fn a_fleet_that_the_engine_draws_only_by_luck_is_refused_and_others_are_always_drawn() {
    let rules = |ships| Ruleset { fleet: vec![4; ships], ..Ruleset::pirates() };
    for ships in [9, 10] {
        let refusal = rules(ships).validate().unwrap_err();
        assert!(matches!(refusal, RulesetError::FleetUndrawable { .. }), "{ships} ships: {refusal}");
        let placed_by_bots = Ruleset { placing: Placing::Bot, ..rules(ships) };
        assert_eq!(placed_by_bots.validate(), Ok(()), "{ships} ships");
    }
    for ships in [6, 7, 8] {
        let rules = rules(ships);
        assert_eq!(rules.validate(), Ok(()), "{ships} ships");
        for seed in 0..50 {
            assert!(Battleship::drawn(&rules, seed).unwrap().is_ok(), "{ships} ships, seed {seed}");
        }
    }
}

#[test]
fn rules_with_a_fleet_too_tight_to_draw_do_not_suit_games_alone() {
    let tight = Ruleset { fleet: vec![3, 3, 3], may_touch: true, ..Ruleset::guide() };
    assert!(Battleship::suits_one(&tight.clone().with_size(Size::new(3, 3))).is_ok());
    let tight = Ruleset { fleet: vec![2; 25], may_touch: true, ..tight };
    let refusal = Battleship::suits_one(&tight.with_size(Size::new(10, 5))).unwrap_err().to_string();
    assert_eq!(refusal, "the fleet of the rules `guide` is too tight to draw boards at random");
}
