//! One player alone: the number of turns it needs.

use crate::game::check_not_failed;
use crate::{Fault, FaultClass, Player, Reply, Stopped};
use arena_rules::{Game, Ruling, Seat};

/// The result of a game alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solo {
    /// The player reached the end.
    Cleared {
        /// The number of turns it took.
        turns: u32,
        /// The fuel of all its turns.
        fuel: u64,
    },
    /// The player faulted or answered an invalid action: there is nothing to measure.
    Failed(Fault),
}

/// Lets a player play a game alone, made by [`Game::draw_solo`]; the opponent passes every turn.
///
/// The player is not asked to deploy.
///
/// # Errors
/// [`Stopped`] if there is no result.
pub fn play_solo<G: Game>(
    info: &G::Info,
    mut game: G,
    fuel_per_turn: u64,
    player: &mut dyn Player<G>,
) -> Result<Solo, Stopped> {
    let mut fuel = 0;
    check_not_failed(&game)?;
    while let Some(seat) = game.to_move() {
        if seat == Seat::Second {
            game.overrun(seat);
            check_not_failed(&game)?;
            continue;
        }
        player.begin_turn();
        let Reply { answer, fuel_used } = match player.play(info, game.view(seat), fuel_per_turn) {
            Ok(reply) => reply,
            Err(no_reply) => return Ok(Solo::Failed(no_reply.fault()?)),
        };
        fuel += fuel_used;
        let ruling = game.act(seat, &answer);
        check_not_failed(&game)?;
        if let Ruling::Retry(why) | Ruling::Lost(why) = ruling {
            let words = format!("turn {}: {}", game.turns(seat) + 1, G::complaint(&answer, &why));
            return Ok(Solo::Failed(Fault::new(FaultClass::IllegalAction, words)));
        }
    }
    Ok(Solo::Cleared { turns: game.turns(Seat::First), fuel })
}
