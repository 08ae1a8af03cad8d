//! A bot of the SDK as a player without a sandbox.

use arena_referee::{NoReply, Player, Reply};
use arena_rules::Placement;
use arena_rules::battleship::{self, Action, Battleship, GameInfo};
use arena_sdk::Grid;
use arena_sdk::battleship::{Bot, Game, View};

/// A bot of the SDK, called directly: the limit of what a component can reach behind the same referee.
#[derive(Debug, Default)]
pub struct Native<B> {
    bot: B,
    /// The facts of the game. They are the same in every call.
    game: Option<Game>,
}

impl<B: Bot> Player<Battleship> for Native<B> {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let game = self.game.get_or_insert_with(|| facts(game));
        Ok(Reply { answer: self.bot.deploy(game), fuel_used: 0 })
    }

    fn play(
        &mut self,
        game: &GameInfo,
        view: &battleship::View,
        _fuel: u64,
    ) -> Result<Reply<Action>, NoReply> {
        let game = self.game.get_or_insert_with(|| facts(game));
        let view = View {
            turn: view.turn,
            board: Grid::from_cells(game.size, view.board.clone()),
            attacks: Grid::from_cells(game.size, view.attacks.clone()),
            last_spot: view.last_spot,
            my_last: view.my_last,
            retry: view.retry,
            ships_remaining: view.ships_remaining.clone(),
        };
        Ok(Reply { answer: self.bot.play(game, &view).into(), fuel_used: 0 })
    }
}

fn facts(info: &GameInfo) -> Game {
    let GameInfo { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed } =
        info.clone();
    Game { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed }
}
