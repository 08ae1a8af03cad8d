//! The rules of submarine, as sentences. Laws for any input are in `fuzz/laws`.

use arena_rules::submarine::{
    self, Action, FLEET_SUNK, Illegal, Positions, PositionsError, Report, Rules, SIZE, Ship, Tracker, View,
};
use arena_rules::{Coord, Game, Outcome, Reason, Ruling, Seat, random};
use rand::RngExt;

use Action::{Attack, Move};
use Ship::{Battleship, Cruiser, Submarine};

const fn at(row: u8, column: u8) -> Coord {
    Coord::new(row, column)
}

/// A game with ships on these cells. Seat 1 moves first.
fn game_of(rules: &Rules, cells: [[Coord; 3]; 2]) -> submarine::Submarine {
    Game::new(rules, cells.map(|cells| Positions::new(cells).unwrap()), Seat::First)
}

/// A game in which seat 1 has its ships on (0,0), (0,1), (1,0) and seat 2 on (2,2), (2,3), (4,4).
fn game() -> submarine::Submarine {
    game_of(&Rules::default(), [[at(0, 0), at(0, 1), at(1, 0)], [at(2, 2), at(2, 3), at(4, 4)]])
}

type Done = Ruling<submarine::Submarine>;

fn attacked(at: Coord, hit: Option<Ship>, near: &[Ship]) -> Done {
    Ruling::Done(Report::Attacked { at, hit, near: near.to_vec() })
}

fn moved(ship: Ship, down: i8, right: i8) -> Done {
    Ruling::Done(Report::Moved { ship, down, right })
}

/// Plays actions in turn, from the side to move on, and returns the ruling of the last one.
fn play(game: &mut submarine::Submarine, actions: &[Action]) -> Done {
    let act = |action| game.act(game.to_move().expect("the game goes on"), action);
    actions.iter().map(act).last().expect("there is an action")
}

/// The ruling of the first action of a game.
fn first(action: Action) -> Done {
    play(&mut game(), &[action])
}

#[test]
fn an_attack_reaches_one_step_diagonals_and_own_cells_included() {
    for cell in [at(1, 1), at(0, 0), at(2, 1), at(0, 2)] {
        assert!(matches!(first(Attack(cell)), Ruling::Done(_)), "{cell}");
    }
    for cell in [at(2, 2), at(0, 3), at(3, 0)] {
        assert_eq!(first(Attack(cell)), Ruling::Lost(Illegal::OutOfReach), "{cell}");
    }
}

#[test]
fn a_miss_next_to_ships_names_them_and_other_misses_do_not() {
    assert_eq!(first(Attack(at(1, 1))), attacked(at(1, 1), None, &[Battleship]));
    assert_eq!(first(Attack(at(0, 0))), attacked(at(0, 0), None, &[]));
}

#[test]
fn a_hit_takes_a_point_and_names_the_ships_next_to_it_too() {
    let mut game = game();
    play(&mut game, &[Move(Battleship, at(3, 0)), Attack(at(1, 2))]);
    let ruling = play(&mut game, &[Move(Battleship, at(3, 2)), Attack(at(1, 2)), Attack(at(2, 2))]);
    assert_eq!(ruling, attacked(at(2, 2), Some(Battleship), &[Cruiser]));
    assert_eq!(game.ships(Seat::Second)[0].hit_points, 2);
}

#[test]
fn a_move_is_straight_over_any_distance_and_is_reported_as_a_displacement() {
    let mut game = game();
    let over_an_own_ship = play(&mut game, &[Move(Battleship, at(4, 0))]);
    assert_eq!(over_an_own_ship, moved(Battleship, 4, 0));
    let onto_an_enemy_ship = play(&mut game, &[Move(Submarine, at(4, 0))]);
    assert_eq!(onto_an_enemy_ship, moved(Submarine, 0, -4));
}

#[test]
fn an_action_that_is_not_legal_loses_at_once() {
    for (action, why) in [
        (Move(Battleship, at(0, 0)), Illegal::NoDistance),
        (Move(Battleship, at(1, 1)), Illegal::NotStraight),
        (Move(Battleship, at(0, 5)), Illegal::OffBoard),
        (Move(Battleship, at(0, 1)), Illegal::Occupied),
        (Attack(at(4, 4)), Illegal::OutOfReach),
        (Attack(at(9, 9)), Illegal::OffBoard),
    ] {
        let mut game = game();
        assert_eq!(play(&mut game, &[action]), Ruling::Lost(why));
        assert_eq!(game.end(), Some((Outcome::Win(Seat::Second), Reason::Forfeit)));
    }
}

#[test]
fn a_sunk_ship_leaves_the_game_and_can_neither_move_nor_shoot() {
    let mut game = game();
    // Seat 2's submarine moves next to seat 1's battleship, and is sunk by it.
    play(&mut game, &[Move(Battleship, at(4, 0)), Move(Submarine, at(4, 1)), Attack(at(4, 1))]);
    assert_eq!(game.view(Seat::First).enemy.len(), 2);
    assert_eq!(game.view(Seat::Second).own.len(), 2);
    assert_eq!(play(&mut game.clone(), &[Move(Submarine, at(4, 2))]), Ruling::Lost(Illegal::Sunk));
    assert_eq!(play(&mut game, &[Attack(at(4, 0))]), Ruling::Lost(Illegal::OutOfReach));
}

#[test]
fn a_side_whose_ships_are_all_sunk_loses() {
    let cells = [[at(0, 0), at(4, 4), at(4, 3)], [at(0, 1), at(1, 1), at(1, 0)]];
    let mut game = game_of(&Rules::default(), cells);
    for cell in [at(0, 1), at(0, 1), at(0, 1), at(1, 1), at(1, 1), at(1, 0)] {
        assert_eq!(game.end(), None);
        play(&mut game, &[Attack(cell)]);
        if let Some(seat) = game.to_move() {
            // It attacks its own cells, without effect.
            let own = game.ships(seat)[0].at;
            play(&mut game, &[Attack(own)]);
        }
    }
    assert_eq!(game.end(), Some((Outcome::Win(Seat::First), FLEET_SUNK)));
}

#[test]
fn after_the_last_action_the_game_is_a_draw() {
    let rules = Rules { actions_max: 3, ..Rules::default() };
    let mut game = game_of(&rules, [[at(0, 0), at(0, 1), at(1, 0)], [at(4, 4), at(4, 3), at(3, 4)]]);
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

#[test]
fn rules_with_a_switch_of_zero_are_refused_and_a_side_cannot_play_alone() {
    let refused = |rules: Rules| arena_rules::Rules::validate(&rules).unwrap_err();
    let error = refused(Rules { actions_max: 0, ..Rules::default() });
    assert_eq!(
        (&*error.switch, error.to_string().as_str()),
        ("actions-max", "actions-max must be at least 1")
    );
    assert_eq!(refused(Rules { turn_budget_ms: 0, ..Rules::default() }).switch, "turn-budget-ms");
    assert!(submarine::Submarine::suits_one(&Rules::default()).is_err());
}

#[test]
fn a_tracker_begins_with_all_positions() {
    assert_eq!(Tracker::new().count(), 25 * 24 * 23);
}

#[test]
fn the_first_view_is_the_view_of_a_new_game() {
    let cells = [at(0, 0), at(3, 1), at(4, 4)];
    assert_eq!(&View::first(cells), game_of(&Rules::default(), [cells; 2]).view(Seat::First));
}

/// All attacks and moves, with illegal ones off the board.
fn all_actions() -> impl Iterator<Item = Action> {
    let cells = || (0..7).flat_map(|row| (0..7).map(move |column| at(row, column)));
    let moves = move |ship| cells().map(move |to| Move(ship, to));
    cells().map(Attack).chain(Ship::ALL.into_iter().flat_map(moves))
}

#[test]
fn the_legal_actions_of_a_view_are_those_that_take_a_turn() {
    let mut rng = random::seeded(3);
    for _ in 0..20 {
        let mut cells: Vec<Coord> = SIZE.coords().collect();
        let mut draw = || cells.swap_remove(rng.random_range(0..cells.len()));
        let placed = [[draw(), draw(), draw()], [draw(), draw(), draw()]];
        // Random games, so that some views have sunk ships.
        let mut game = game_of(&Rules::default(), placed);
        while let Some(seat) = game.to_move() {
            let view = game.view(seat);
            let legal: Vec<Action> = view.legal_actions().collect();
            if view.turn.is_multiple_of(10) {
                for action in all_actions() {
                    let is_done = matches!(game.clone().act(seat, &action), Ruling::Done(_));
                    assert_eq!(is_done, legal.contains(&action), "{action:?} {view:?}");
                    assert_eq!(is_done, view.is_legal(action));
                }
            }
            game.act(seat, &legal[rng.random_range(0..legal.len())]);
        }
    }
}
