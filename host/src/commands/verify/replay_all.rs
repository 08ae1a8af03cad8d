//! `arena verify --replay-all`: a season is played again, and the head of its chain compared.

use super::VerifyArgs;
use super::admitted::Admitted;
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::AgainOutput;
use arena_engine::internals::again::{AgainOptions, SeasonAgain};
use arena_engine::internals::builtin;
use arena_engine::{Control, components};
use arena_text::counted;
use std::path::{Path, PathBuf};

/// Plays the season of a journal again with these bots, and reports it.
pub(super) fn replay_all(
    args: &VerifyArgs,
    journal: &Path,
    bots: &[PathBuf],
    console: &mut Console,
) -> Result<(), Failure> {
    let again = SeasonAgain::read(journal, bots, args.seed)?;
    if let Some(game) = &args.game {
        again.check_game(game)?;
    }
    again.notes().into_iter().for_each(|note| console.tell(note));
    if let Some(head) = &args.head {
        again.check_head(head)?;
    }
    let bots = builtin::in_any_game(components(bots)?);
    let interrupt = Interrupt::listen()?;
    let Admitted { sandbox, roster, .. } =
        Admitted::new(again.memory_bytes()?, args, &bots, &interrupt, console)?;
    let options = AgainOptions { jobs: args.jobs, times: args.times.options() };
    let control = Control::of_flag(interrupt.flag());
    let mut played = 0;
    console.begin_progress(again.games(), "games");
    let compared = again.play(&sandbox, &roster, options, &control, &mut || {
        played += 1;
        console.advance();
    });
    console.end_progress();
    let Some(compared) = compared? else {
        let games = counted(again.games(), "game");
        return Err(Failure::Interrupted(format!("interrupted: played {played} of {games} again")));
    };
    let output = AgainOutput(&compared);
    console.show(&output, args.output)?;
    if output.is_reproduced() { Ok(()) } else { Err(Failure::Reported(NegativeResult::Refused)) }
}
