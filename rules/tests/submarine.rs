//! Submarine: its rules as sentences, and laws over all games.

use arena_rules::submarine::{
    Action, Effect, Game, Illegal, Positions, PositionsError, Report, Rules, SIZE, Ship, Tracker, View,
};
use arena_rules::{Coord, Outcome, Reason, Seat};
use proptest::prelude::*;

use Action::{Attack, Move};
use Ship::{Battleship, Cruiser, Submarine};

const fn at(row: u8, column: u8) -> Coord {
    Coord::new(row, column)
}

/// A game in which seat 1 has its ships on (0,0), (0,1), (1,0) and seat 2 on (2,2), (2,3), (4,4).
fn game() -> Game {
    let positions = [[at(0, 0), at(0, 1), at(1, 0)], [at(2, 2), at(2, 3), at(4, 4)]];
    Game::new(&Rules::default(), positions.map(|cells| Positions::new(cells).unwrap()), Seat::First)
}

fn attacked(cell: Coord, hit: Option<Ship>, near: &[Ship]) -> Effect {
    Effect::Done(Report::Attacked { at: cell, hit, near: near.to_vec() })
}

/// Plays actions in turn, from seat 1 on, and gives what the last one did.
fn play(game: &mut Game, actions: &[Action]) -> Effect {
    let mut last = None;
    for &action in actions {
        last = Some(game.act(game.to_move().expect("the game goes on"), action));
    }
    last.expect("there is an action")
}

#[test]
fn an_attack_reaches_one_step_diagonals_and_own_cells_included() {
    for cell in [at(1, 1), at(0, 0), at(2, 1), at(0, 2)] {
        assert!(matches!(game().act(Seat::First, Attack(cell)), Effect::Done(_)), "{cell}");
    }
    for cell in [at(2, 2), at(0, 3), at(3, 0)] {
        assert_eq!(game().act(Seat::First, Attack(cell)), Effect::Illegal(Illegal::OutOfReach), "{cell}");
    }
}

#[test]
fn a_miss_beside_ships_names_them_and_a_miss_elsewhere_names_none() {
    assert_eq!(game().act(Seat::First, Attack(at(1, 1))), attacked(at(1, 1), None, &[Battleship]));
    assert_eq!(game().act(Seat::First, Attack(at(0, 0))), attacked(at(0, 0), None, &[]));
}

#[test]
fn a_hit_takes_a_point_and_names_the_ships_beside_it_too() {
    let mut game = game();
    play(&mut game, &[Move(Battleship, at(3, 0)), Attack(at(1, 2))]);
    let effect = play(&mut game, &[Move(Battleship, at(3, 2)), Attack(at(1, 2)), Attack(at(2, 2))]);
    assert_eq!(effect, attacked(at(2, 2), Some(Battleship), &[Cruiser]));
    assert_eq!(game.ships(Seat::Second)[0].hit_points, 2);
}

#[test]
fn a_move_is_straight_over_any_distance_and_is_told_as_a_displacement() {
    let mut game = game();
    let effect = game.act(Seat::First, Move(Battleship, at(4, 0)));
    assert_eq!(
        effect,
        Effect::Done(Report::Moved { ship: Battleship, down: 4, right: 0 }),
        "it jumps over its own"
    );
    let effect = game.act(Seat::Second, Move(Submarine, at(4, 0)));
    assert_eq!(
        effect,
        Effect::Done(Report::Moved { ship: Submarine, down: 0, right: -4 }),
        "it joins an enemy"
    );
}

#[test]
fn a_move_that_is_not_legal_loses_at_once() {
    for (to, why) in [
        (at(0, 0), Illegal::NoDistance),
        (at(1, 1), Illegal::NotStraight),
        (at(0, 5), Illegal::OffBoard),
        (at(0, 1), Illegal::Occupied),
    ] {
        let mut game = game();
        assert_eq!(game.act(Seat::First, Move(Battleship, to)), Effect::Illegal(why));
        assert_eq!(game.end(), Some((Outcome::Win(Seat::Second), Reason::Forfeit)));
    }
}

#[test]
fn an_attack_that_is_not_legal_loses_at_once() {
    for cell in [at(4, 4), at(9, 9)] {
        let mut game = game();
        assert!(matches!(game.act(Seat::First, Attack(cell)), Effect::Illegal(_)));
        assert_eq!(game.end(), Some((Outcome::Win(Seat::Second), Reason::Forfeit)));
    }
}

#[test]
fn a_sunk_ship_leaves_the_game_and_can_neither_move_nor_shoot() {
    let mut game = game();
    // Seat 2's submarine goes next to seat 1's battleship, which sinks it.
    play(&mut game, &[Move(Battleship, at(4, 0)), Move(Submarine, at(4, 1)), Attack(at(4, 1))]);
    assert_eq!(game.view(Seat::First).enemy.len(), 2);
    assert_eq!(game.view(Seat::Second).own.len(), 2);
    assert_eq!(game.clone().act(Seat::Second, Move(Submarine, at(4, 2))), Effect::Illegal(Illegal::Sunk));
    assert_eq!(game.act(Seat::Second, Attack(at(4, 0))), Effect::Illegal(Illegal::OutOfReach));
}

#[test]
fn a_side_whose_ships_are_all_sunk_loses() {
    let positions = [[at(0, 0), at(4, 4), at(4, 3)], [at(0, 1), at(1, 1), at(1, 0)]];
    let positions = positions.map(|cells| Positions::new(cells).unwrap());
    let mut game = Game::new(&Rules::default(), positions, Seat::First);
    for cell in [at(0, 1), at(0, 1), at(0, 1), at(1, 1), at(1, 1), at(1, 0)] {
        assert_eq!(game.end(), None);
        game.act(Seat::First, Attack(cell));
        if let Some(seat) = game.to_move() {
            // It wastes its turns on the water where its own ships are.
            let own = game.ships(seat)[0].at;
            game.act(seat, Attack(own));
        }
    }
    assert_eq!(game.end(), Some((Outcome::Win(Seat::First), Reason::FleetSunk)));
}

#[test]
fn after_all_actions_the_game_is_even() {
    let rules = Rules { actions_max: 3, ..Rules::default() };
    let positions = [[at(0, 0), at(0, 1), at(1, 0)], [at(4, 4), at(4, 3), at(3, 4)]];
    let mut game = Game::new(&rules, positions.map(|cells| Positions::new(cells).unwrap()), Seat::First);
    play(&mut game, &[Attack(at(0, 0)), Attack(at(4, 4)), Attack(at(0, 0))]);
    assert_eq!(game.end(), Some((Outcome::Draw, Reason::TurnsMax)));
}

#[test]
fn positions_are_on_the_board_and_each_on_its_own_cell() {
    let refused = |cells| Positions::new(cells).unwrap_err();
    assert_eq!(refused([at(0, 5), at(0, 1), at(1, 0)]), PositionsError::OffBoard(Battleship, at(0, 5)));
    assert_eq!(
        refused([at(0, 0), at(0, 1), at(0, 0)]),
        PositionsError::Shared(Battleship, Submarine, at(0, 0))
    );
}

fn any_coord() -> impl Strategy<Value = Coord> {
    prop_oneof![9 => (0u8..5, 0u8..5), 1 => (any::<u8>(), any::<u8>())].prop_map(Coord::from)
}

fn any_action() -> impl Strategy<Value = Action> {
    let ship = prop::sample::select(&Ship::ALL[..]);
    prop_oneof![any_coord().prop_map(Attack), (ship, any_coord()).prop_map(|(ship, to)| Move(ship, to))]
}

fn any_positions() -> impl Strategy<Value = Positions> {
    let cells = prop::sample::subsequence(SIZE.coords().collect::<Vec<_>>(), 3).prop_shuffle();
    cells.prop_map(|cells| Positions::new([cells[0], cells[1], cells[2]]).unwrap())
}

/// The legal actions of a side, found by trying all of them.
fn legal_actions(game: &Game, seat: Seat) -> Vec<Action> {
    let attacks = SIZE.coords().map(Attack);
    let moves = SIZE.coords().flat_map(|to| Ship::ALL.map(|ship| Move(ship, to)));
    attacks.chain(moves).filter(|&action| matches!(game.clone().act(seat, action), Effect::Done(_))).collect()
}

fn hit_points(view: &View) -> u32 {
    view.own.iter().map(|own| u32::from(own.hit_points)).sum()
}

proptest! {
    #[test]
    fn any_actions_at_all_are_played_to_the_end_without_a_panic(first in any_positions(), second in any_positions(), actions in prop::collection::vec(any_action(), 0..200)) {
        let mut game = Game::new(&Rules::default(), [first, second], Seat::Second);
        for action in actions {
            let Some(seat) = game.to_move() else { break };
            let before = Seat::BOTH.map(|seat| hit_points(&game.view(seat)));
            let effect = game.act(seat, action);
            for seat in Seat::BOTH {
                prop_assert!(hit_points(&game.view(seat)) <= before[seat.index()]);
                let ships = game.ships(seat);
                prop_assert!(ships.iter().all(|ship| SIZE.contains(ship.at)));
                let mut cells: Vec<_> = ships.iter().map(|ship| ship.at).collect();
                cells.sort();
                cells.dedup();
                prop_assert_eq!(cells.len(), ships.len());
            }
            prop_assert_eq!(matches!(effect, Effect::Illegal(_)), matches!(game.end(), Some((_, Reason::Forfeit))));
        }
    }

    #[test]
    fn told_every_report_a_tracker_never_loses_the_true_positions(first in any_positions(), second in any_positions(), choices in prop::collection::vec(any::<prop::sample::Index>(), 1..40)) {
        let mut game = Game::new(&Rules::default(), [first, second], Seat::First);
        let mut trackers = [Tracker::new(), Tracker::new()];
        prop_assert_eq!(trackers[0].count(), 13_800);
        for choice in choices {
            let Some(seat) = game.to_move() else { break };
            let tracker = &mut trackers[seat.index()];
            tracker.observe(&game.view(seat));
            let mut truth = [None; 3];
            game.ships(seat.other()).iter().for_each(|ship| truth[ship.ship.index()] = Some(ship.at));
            prop_assert!(tracker.states().any(|state| state == truth), "{:?} is not among {}", truth, tracker.count());
            let actions = legal_actions(&game, seat);
            game.act(seat, actions[choice.index(actions.len())]);
        }
    }
}
