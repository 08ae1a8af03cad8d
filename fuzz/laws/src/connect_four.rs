//! Connect Four, a game that the program does not list.

use crate::drawing::Drawing;
use crate::model::{Drawn, Step};
use arena_connect_four::{Column, ConnectFour, Info, Neutral, Rules, View};
use arena_rules::random::seeded;
use arena_rules::{Game, GameKind, GameRules, Rules as _, Seat};

impl Drawn for ConnectFour {
    fn recorded(_rules: &Rules) -> GameRules {
        GameRules::default_of(GameKind::Battleship).unwrap()
    }

    /// Draws rules of a small board. The setups are not those of the game, which come from its seed.
    fn begin(drawing: &mut Drawing<'_>) -> Option<(Rules, [Neutral; 2], Seat)> {
        let [columns, rows] = [drawing.number(1..=7), drawing.number(1..=6)];
        let (line, neutral) = (drawing.number(2..=4), drawing.number(0..=3));
        let rules = Rules { columns, rows, line, neutral, ..Rules::default() };
        rules.validate().ok()?;
        let mut rng = seeded(drawing.byte().into());
        let mut setup = || Self::any_setup(&rules, &mut rng).ok();
        let setups = [setup()?, setup()?];
        Some((rules, setups, drawing.seat()))
    }

    fn step(drawing: &mut Drawing<'_>, _: &Info, view: &View) -> Step<Column> {
        match drawing.number(0..=31) {
            31 => Step::Overrun,
            30 => Step::Fail,
            29 => Step::Act(Column(drawing.byte())),
            number => Step::Act(Column(number % view.columns.len() as u8)),
        }
    }

    fn spoil((): &mut ()) {}
}
