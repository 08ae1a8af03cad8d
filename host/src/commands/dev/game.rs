//! The build of a game: a quick check, and one game at random.

use super::session::{Session, Verdict};
use crate::admission;
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::output::{DevGameOutput, GameFinding};
use arena_engine::GameChoice;
use arena_experiments::game_trial::{self, Progress, QUICK_GAMES, TriedGame};
use arena_rules::GameRules;
use arena_sandbox::Sandbox;
use arena_text::shown;
use std::path::Path;

impl Session<'_> {
    /// Checks the component of a game, and has it play a game with random actions.
    pub(super) fn measure_game(
        &self,
        path: &Path,
        sandbox: &Sandbox,
        console: &mut Console,
    ) -> Result<Verdict, Failure> {
        if self.asked.is_some() || self.args.keep {
            return Err(Failure::usage(
                format!("{} is a game, and --rules and --keep are for bots", shown(path)),
                "leave them out; builds of a game are checked, and not compared",
            ));
        }
        let stop = self.stop();
        console.begin_progress(QUICK_GAMES as usize, "games");
        let tried = game_trial::play(path, sandbox, QUICK_GAMES, &[], |Progress { played, expected }| {
            console.advance_to(played as usize, expected as usize);
            !stop()
        });
        console.end_progress();
        if stop() {
            return Ok(Verdict::Overtaken);
        }
        admission::note_gaps(sandbox, console);
        let TriedGame { component, answer } = tried?;
        let (file, answer) = (shown(path), answer.as_ref());
        let finding =
            GameFinding { file, component: &component, answer, games: QUICK_GAMES, is_interrupted: false };
        let end = match finding.fault() {
            Some(_) => Err(Failure::Reported(NegativeResult::Faulted)),
            None => Ok(()),
        };
        let mut game = None;
        let choice = GameChoice::new(path.to_owned(), Vec::new(), self.args.game.cache.options());
        if end.is_ok()
            && let GameRules::Loaded(rules) = choice.load()?
        {
            game = game_trial::random_games(&rules, 1, &self.seed.seed, |_| !stop())?.last;
        }
        if stop() {
            return Ok(Verdict::Overtaken);
        }
        let output = DevGameOutput { number: self.number, finding, game: game.as_ref() };
        Ok(Verdict::Game(output.text(), end))
    }
}
