//! Conversions between the generated types of the contract and those of the SDK. For the export macro only.
#![doc(hidden)]

use super::{Action, Bot, EnemyShip, Game, OwnShip, Report, Ship, View};
use crate::glue::convert;
use arena_rules::Coord;

pub use generated::export_submarine_component as export_component;
pub use generated::exports::arena::submarine::bot as wit;

/// The code that `wit-bindgen` generates from the contract; a test in `tests/kit` compares them. It is kept here because compiling
/// the generator takes longer than the rest of a bot. It is in a separate module because its macro would clash at the crate's
/// root.
#[allow(missing_docs, unsafe_code, clippy::all)]
#[rustfmt::skip]
pub mod generated;

/// The result of the export `deploy`.
pub type Deployment = wit::Positions;

/// The result of the export `play`.
pub type Answer = wit::Action;

/// The export `deploy`.
pub fn deploy<B: Bot>(bot: &mut B, game: wit::Game) -> Deployment {
    let [battleship, cruiser, submarine] = bot.deploy(&game.into()).map(Into::into);
    Deployment { battleship, cruiser, submarine }
}

/// The export `play`.
pub fn play<B: Bot>(bot: &mut B, game: wit::Game, view: wit::View) -> Answer {
    bot.play(&game.into(), &view.into()).into()
}

impl From<wit::View> for View {
    fn from(view: wit::View) -> Self {
        Self {
            turn: view.turn,
            own: view.own.into_iter().map(Into::into).collect(),
            enemy: view.enemy.into_iter().map(Into::into).collect(),
            my_last: view.my_last.map(Into::into),
            enemy_last: view.enemy_last.map(Into::into),
        }
    }
}

impl From<wit::Report> for Report {
    fn from(report: wit::Report) -> Self {
        match report {
            wit::Report::Attacked(wit::Attacked { at, hit, near }) => Self::Attacked {
                at: at.into(),
                hit: hit.map(Into::into),
                near: near.into_iter().map(Into::into).collect(),
            },
            wit::Report::Moved(wit::Moved { ship, down, right }) => {
                Self::Moved { ship: ship.into(), down, right }
            }
        }
    }
}

impl From<Action> for wit::Action {
    fn from(action: Action) -> Self {
        match action {
            Action::Attack(at) => Self::Attack(at.into()),
            Action::Move(ship, to) => Self::Move(wit::Sail { ship: ship.into(), to: to.into() }),
        }
    }
}

convert!(struct wit::Game => Game { actions_max, fuel_per_turn, seed });
convert!(struct wit::Coord => Coord { row, column });
convert!(struct Coord => wit::Coord { row, column });
convert!(enum wit::Ship => Ship { Battleship, Cruiser, Submarine });
convert!(enum Ship => wit::Ship { Battleship, Cruiser, Submarine });
convert!(struct wit::OwnShip => OwnShip { ship, hit_points, at });
convert!(struct wit::EnemyShip => EnemyShip { ship, hit_points });

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot that keeps its arguments, and answers with a part of them.
    #[derive(Default)]
    struct Echo {
        given: Option<(Game, View)>,
    }

    impl Bot for Echo {
        const NAME: &'static str = "echo";

        fn deploy(&mut self, _: &Game) -> [Coord; 3] {
            [Coord::new(0, 1), Coord::new(2, 3), Coord::new(4, 5)]
        }

        fn play(&mut self, game: &Game, view: &View) -> Action {
            self.given = Some((game.clone(), view.clone()));
            let own = view.own[0];
            if view.turn == 1 { Action::Attack(own.at) } else { Action::Move(own.ship, own.at) }
        }
    }

    fn game() -> wit::Game {
        wit::Game { actions_max: 100, fuel_per_turn: 1_000, seed: 9 }
    }

    fn view(turn: u32) -> wit::View {
        wit::View {
            turn,
            own: vec![wit::OwnShip {
                ship: wit::Ship::Cruiser,
                hit_points: 2,
                at: wit::Coord { row: 1, column: 3 },
            }],
            enemy: vec![wit::EnemyShip { ship: wit::Ship::Submarine, hit_points: 1 }],
            my_last: Some(wit::Report::Attacked(wit::Attacked {
                at: wit::Coord { row: 4, column: 2 },
                hit: Some(wit::Ship::Battleship),
                near: vec![wit::Ship::Submarine],
            })),
            enemy_last: Some(wit::Report::Moved(wit::Moved {
                ship: wit::Ship::Submarine,
                down: -3,
                right: 2,
            })),
        }
    }

    #[test]
    fn all_arguments_arrive_unchanged() {
        let mut bot = Echo::default();
        play(&mut bot, game(), view(1));
        let (game, seen) = bot.given.expect("it was called");
        assert_eq!(game, Game { actions_max: 100, fuel_per_turn: 1_000, seed: 9 });
        assert_eq!(
            seen,
            View {
                turn: 1,
                own: vec![OwnShip { ship: Ship::Cruiser, hit_points: 2, at: Coord::new(1, 3) }],
                enemy: vec![EnemyShip { ship: Ship::Submarine, hit_points: 1 }],
                my_last: Some(Report::Attacked {
                    at: Coord::new(4, 2),
                    hit: Some(Ship::Battleship),
                    near: vec![Ship::Submarine],
                }),
                enemy_last: Some(Report::Moved { ship: Ship::Submarine, down: -3, right: 2 }),
            }
        );
    }

    #[test]
    fn answers_are_returned_unchanged() {
        let mut bot = Echo::default();
        let wit::Action::Attack(at) = play(&mut bot, game(), view(1)) else { panic!("an attack") };
        assert_eq!((at.row, at.column), (1, 3));
        let wit::Action::Move(sail) = play(&mut bot, game(), view(2)) else { panic!("a move") };
        assert_eq!((sail.ship, sail.to.row, sail.to.column), (wit::Ship::Cruiser, 1, 3));

        let positions = deploy(&mut bot, game());
        let cells = [positions.battleship, positions.cruiser, positions.submarine];
        assert_eq!(cells.map(|at| (at.row, at.column)), [(0, 1), (2, 3), (4, 5)]);
    }
}
