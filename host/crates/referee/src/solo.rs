//! One player against a silent board: how many shots it needs.

use crate::{Fault, FaultClass, NoReply, Player, Stopped};
use arena_rules::{Answer, Battle, Effect, Fleet, GameInfo, Ruleset, Seat};

/// What a solo game came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solo {
    /// The fleet was sunk.
    Cleared {
        /// Shots it took.
        shots: u32,
        /// Fuel of all its turns.
        fuel: u64,
    },
    /// The player faulted, skipped or shot at no valid spot: there is nothing to measure.
    Failed(Fault),
}

/// Lets a player shoot at a fleet until it is sunk; the opponent never shoots.
///
/// The player is not asked to deploy. Its own board shows the first fleet, the second is the one it shoots at.
///
/// # Errors
/// [`Stopped`] when the arena failed.
pub fn play_solo(
    rules: &Ruleset,
    fuel_per_turn: u64,
    seed: u64,
    player: &mut dyn Player,
    [own, target]: [Fleet; 2],
) -> Result<Solo, Stopped> {
    // The opponent passes every turn, which must not count as a draw or a loss here.
    let rules = Ruleset { two_skips_draw: false, skip: arena_rules::OnSkip::Skip, ..rules.clone() };
    let info = GameInfo::new(&rules, fuel_per_turn, seed);
    let mut battle = Battle::new(&rules, [own, target], Seat::First);
    let (mut shots, mut fuel) = (0, 0);
    while let Some(seat) = battle.to_move() {
        if seat == Seat::Second {
            battle.answer(seat, Answer::Skip);
            continue;
        }
        player.begin_turn();
        let reply = match player.play(&info, &battle.view(seat), fuel_per_turn) {
            Ok(reply) => reply,
            Err(NoReply::Fault(fault)) => return Ok(Solo::Failed(fault)),
            Err(NoReply::Host(error)) => return Err(error.into()),
        };
        fuel += reply.fuel_used;
        match battle.answer(seat, Answer::from(reply.answer)) {
            Effect::Shot { .. } => shots += 1,
            effect => {
                let detail = format!("shot {} was no valid one: {effect:?}", shots + 1);
                return Ok(Solo::Failed(Fault::new(FaultClass::IllegalAction, detail)));
            }
        }
    }
    Ok(Solo::Cleared { shots, fuel })
}
