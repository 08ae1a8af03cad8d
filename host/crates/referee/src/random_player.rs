//! A built-in player, for trial games.

use crate::{HostError, NoReply, Player, Reply};
use arena_rules::random::{self, SeededRng};
use arena_rules::{Game, Unsuited};

/// A player that places and acts at random and is never at fault. It knows no more than its view, and uses no fuel.
#[derive(Clone, Debug)]
pub struct RandomPlayer<G: Game> {
    rules: G::Rules,
    rng: SeededRng,
}

impl<G: Game> RandomPlayer<G> {
    /// A player by these rules, whose choices are drawn from a seed.
    pub fn new(rules: &G::Rules, seed: u64) -> Self {
        Self { rules: rules.clone(), rng: random::seeded(seed) }
    }
}

impl<G: Game> Player<G> for RandomPlayer<G> {
    fn deploy(&mut self, _game: &G::Info, _fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        let setup = G::any_setup(&self.rules, &mut self.rng)
            .map_err(|Unsuited(why)| HostError::Defect(why.into()))?;
        Ok(Reply { answer: G::deployment(&setup), fuel_used: 0 })
    }

    fn play(&mut self, game: &G::Info, view: &G::View, _fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let answer = G::any_action(game, view, &mut self.rng).map_err(HostError::from)?;
        Ok(Reply { answer, fuel_used: 0 })
    }
}
