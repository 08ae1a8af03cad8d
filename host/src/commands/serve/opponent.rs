//! The bot that clients play against, and what is drawn for its games.

use super::ServeArgs;
use crate::admission;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use arena_engine::internals::roster::check_path;
use arena_players::{Contestant, Draw, Plan};
use arena_rules::Listed;
use arena_rules::submarine::Submarine;
use arena_sandbox::Sandbox;
use std::slice;

/// The bot that clients play against.
pub(super) struct Opponent {
    pub(super) contestant: Contestant,
    pub(super) seat: arena_net::BotSeat,
    pub(super) sandbox: Sandbox,
}

impl Opponent {
    /// Admits it, if the arguments name one.
    ///
    /// # Errors
    /// It is not a bot for submarine, and as of [`admission::admit_all`].
    pub(super) fn admit(
        args: &ServeArgs,
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.bot else { return Ok(None) };
        check_path(path)?;
        let sandbox = args.cache.sandbox(args.limits.options().sandbox(args.jobs.into()))?;
        let contestant =
            admission::admit_all(&sandbox, None, slice::from_ref(path), 1, interrupt, console)?.remove(0);
        if contestant.bot.kind() != Submarine::KIND {
            return Err(Failure::usage(
                format!("{} plays {}, and submarine is served", contestant.file, contestant.bot.kind()),
                "name a bot for submarine",
            ));
        }
        Ok(Some(Self { contestant, seat: args.bot_seat.into(), sandbox }))
    }
}

/// The random choices of a game, by its number.
pub(super) fn draw(plan: &Plan, opponent: Option<&Opponent>, number: u64) -> Draw {
    let mut hashes = [""; 2];
    if let Some(Opponent { contestant, seat, .. }) = opponent {
        hashes[seat.in_game(number).index()] = &contestant.id.sha256;
    }
    Draw::of(plan, u32::try_from(number).unwrap_or(u32::MAX), hashes)
}
