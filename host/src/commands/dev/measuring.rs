//! The measuring of a build, and its comparison with the kept one.

use super::session::{Session, Verdict};
use crate::admission;
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::output::{DevOutput, KeptBuild, first_difference};
use crate::screen::Playable;
use arena_engine::Roster;
use arena_engine::internals::{plan, roster};
use arena_experiments::builds::{self, Build, Measured};
use arena_experiments::finding::{Finding, Trial};
use arena_experiments::rerun::AskedTurn;
use arena_players::{Contestant, Plan};
use arena_record::Transcript;
use arena_referee::HostError;
use arena_rules::{Seat, with_game};
use arena_sandbox::{RefusalKind, Sandbox};
use arena_text::{Text, shown};
use std::fs;
use std::path::Path;

/// A bot to measure, and what that needs.
#[derive(Clone, Copy)]
struct Measuring<'a> {
    roster: &'a Roster,
    contestant: &'a Contestant,
    plan: &'a Plan,
    sandbox: &'a Sandbox,
}

impl Session<'_> {
    /// Admits a component and measures it.
    pub(super) fn measure(&self, path: &Path, console: &mut Console) -> Result<Verdict, Failure> {
        let unreadable = |error: std::io::Error| {
            Failure::machine(format!("cannot read {}", shown(path)), error, "check its permissions")
        };
        let stop = self.stop();
        roster::check_path(path)?;
        let component = fs::read(path).map_err(unreadable)?;
        let jobs = arena_players::jobs(self.args.game.jobs);
        let limits = self.options.limits.sandbox(jobs);
        let sandbox = self.args.game.cache.sandbox_of_project(limits, &self.project.folder)?;
        if let Some(watch) = &self.watch {
            let stopping = sandbox.clone();
            watch.answer(move || stopping.stop_compiling());
        }
        let admitted = admission::admit(&sandbox, &[path.to_owned()], jobs, &self.interrupt, console);
        if stop() {
            return Ok(Verdict::Overtaken);
        }
        let roster = admitted?;
        roster.require_no_failure()?;
        // Another build may have replaced the file in the meantime.
        if fs::read(path).map_err(unreadable)? != component {
            return self.measure(path, console);
        }
        if roster.refused.first().is_some_and(|refused| refused.kind == RefusalKind::Game.name()) {
            return self.measure_game(path, &sandbox, console);
        }
        let Some(contestant) = roster.contestants.first() else {
            let text = format!("{}\nbuild {}: refused", Finding::of(&roster).text(), self.number);
            return Ok(Verdict::NoBot(text.into(), Failure::Reported(NegativeResult::Refused)));
        };
        let plan = plan::plan(
            &self.options,
            self.asked.clone(),
            sandbox.engine_hash(),
            &roster.contestants,
            self.seed,
        )?;
        with_game!(plan.conditions.rules.kind(), G => {
            let it = Measuring { roster: &roster, contestant, plan: &plan, sandbox: &sandbox };
            let measured = self.play::<G>(it, component, console);
            if stop() {
                return Ok(Verdict::Overtaken);
            }
            admission::note_gaps(&sandbox, console);
            let (text, build) = measured?;
            Ok(Verdict::Measured(text, Box::new(build)))
        })
    }

    /// Measures a build, and compares it with the kept one. It ends early if the round must end.
    fn play<G: Playable>(
        &self,
        it: Measuring<'_>,
        component: Vec<u8>,
        console: &mut Console,
    ) -> Result<(Text, Build), Failure> {
        let Measuring { roster, contestant, plan, sandbox } = it;
        let (boards, kept) = (self.args.boards, self.kept.as_ref());
        console.begin_progress(boards as usize, "boards");
        let measured = builds::measure::<G>(
            contestant,
            component,
            plan,
            sandbox,
            boards,
            kept,
            self.stop(),
            || console.advance(),
            G::action_name,
        );
        console.end_progress();
        let Measured { build, games, asked } = measured?;
        let mut view = None;
        if let (Some(kept), Some(AskedTurn { event, .. })) = (kept, first_difference(&asked)) {
            let recording = Transcript::<G>::read(&kept.recording[..]).map_err(HostError::defect)?;
            view = Some(arena_tui::view(&recording, Seat::First, *event).map_err(HostError::defect)?);
        }
        let kept = kept.map(|kept| KeptBuild {
            is_same: kept.sha256 == build.sha256,
            boards: &kept.boards,
            asked: &asked,
            view: view.as_deref(),
        });
        let trial = Trial { bot: &contestant.bot, games: &games };
        let finding = Finding::of(roster).with_games(Some(&games));
        let output = DevOutput { number: self.number, contestant, plan, trial, boards: &build.boards, kept };
        Ok((output.text(&finding), build))
    }
}
