//! `arena verify`: recorded games played again, and compared.

mod admitted;
mod args;
mod replay_all;

pub use args::VerifyArgs;

use crate::admission;
use crate::args::Form;
use crate::console::Console;
use crate::failure::{self, Failure};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdicts, Verification, Verified};
use admitted::Admitted;
use arena_engine::components;
use arena_engine::internals::builtin;
use arena_engine::internals::kept_bots::KeptBots;
use arena_engine::internals::recordings::Recordings;
use arena_experiments::verification::{Batch, Batches, ReadRecording, Verdict};
use arena_text::{RecordingName, counted};
use std::path::PathBuf;

/// Verifies the recordings that the arguments name, and reports it.
pub fn verify(args: &VerifyArgs, console: &mut Console) -> Result<(), Failure> {
    let kept = args.journal.as_deref().map(KeptBots::of);
    let (mut recordings, bots) = match &args.journal {
        Some(journal) => {
            let bots = match kept.as_ref().and_then(KeptBots::folder) {
                Some(folder) if args.paths.is_empty() => vec![folder.to_owned()],
                _ => args.paths.clone(),
            };
            if args.replay_all {
                return replay_all::replay_all(args, journal, &bots, console);
            }
            (Recordings::of_journal(journal, &args.sample(), &bots)?, bots)
        }
        None => Recordings::of_files(&args.paths, args.game.as_deref())?,
    };
    recordings.notes().iter().for_each(|note| console.tell(note.as_str()));
    if let Some(note) = recordings.trail().and_then(output::trail_note) {
        console.tell(note);
    }
    let bots = match &kept {
        Some(kept) if args.paths.is_empty() && kept.is_all_deleted() => Vec::new(),
        _ => builtin::in_any_game(components(&bots)?),
    };
    let interrupt = Interrupt::listen()?;
    let count = recordings.count();
    let mut session =
        Verifying { args, interrupt, kept, bots, count, admitted: None, verdicts: Verdicts::default() };
    let looked_at = session.look_at_all(&mut recordings, console);
    console.end_progress();
    looked_at?;

    let Verifying { verdicts, admitted, .. } = session;
    if args.output == Form::Table {
        verdicts.shared().try_for_each(|line| console.line(line))?;
    }
    let verified = verdicts.verified;
    let refused = admitted.map(|admitted| admitted.roster.refused).unwrap_or_default();
    let (head, games_left) = (recordings.head(), recordings.games_left());
    let verification = Verification { verified: &verified, refused: &refused, head, games_left };
    // The line about a single recording says it all.
    if args.output == Form::Json || verified.len() != 1 || args.journal.is_some() {
        console.show(&verification, args.output)?;
    }
    if verification.verified_count() == verified.len() {
        Ok(())
    } else {
        Err(Failure::Reported(failure::NegativeResult::Refused))
    }
}

/// A verification under way.
struct Verifying<'a> {
    args: &'a VerifyArgs,
    interrupt: Interrupt,
    /// The components next to the journal.
    kept: Option<KeptBots>,
    bots: Vec<PathBuf>,
    /// The number of recordings.
    count: usize,
    /// The bots under the memory limit of the last recordings: those of a tournament all have the same.
    admitted: Option<Admitted>,
    verdicts: Verdicts,
}

impl Verifying<'_> {
    fn look_at_all(&mut self, recordings: &mut Recordings, console: &mut Console) -> Result<(), Failure> {
        let mut batches = Batches::new(recordings, self.args.seed);
        while let Some(batch) = batches.read_next()? {
            match batch {
                Batch::Recordings { memory_bytes, recordings } => {
                    self.look_at(memory_bytes, recordings, console)?;
                }
                Batch::Unreadable(name, problem) => self.tell(name, Verdict::Unreadable(problem), console)?,
            }
        }
        Ok(())
    }

    /// Plays recordings with the same memory limit again.
    fn look_at(
        &mut self,
        memory_bytes: u64,
        recordings: Vec<ReadRecording>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let interrupt = self.interrupt.clone();
        let times = self.args.times.options();
        let Admitted { verifier, jobs, sandbox, .. } = self.admitted(memory_bytes, console)?;
        let stop = || interrupt.requested();
        let verdicts = verifier.verify_all(&recordings, times, *jobs, stop, || console.advance());
        admission::note_gaps(sandbox, console);
        for (ReadRecording { name, .. }, verdict) in recordings.into_iter().zip(verdicts) {
            let verdict = verdict.map_err(|error| error.in_game(&name))?;
            self.tell(name, verdict, console)?;
        }
        if self.interrupt.requested() {
            let (done, count) = (self.verdicts.verified.len(), self.count);
            let count = counted(count, "game");
            return Err(Failure::Interrupted(format!("interrupted: verified {done} of {count}")));
        }
        Ok(())
    }

    fn admitted(&mut self, memory_bytes: u64, console: &mut Console) -> Result<&Admitted, Failure> {
        let admitted = match self.admitted.take() {
            Some(admitted) if admitted.memory_bytes == memory_bytes => admitted,
            _ => {
                console.end_progress();
                let admitted = Admitted::new(memory_bytes, self.args, &self.bots, &self.interrupt, console)?;
                console.begin_progress(self.count, "games");
                console.advance_to(self.verdicts.verified.len(), self.count);
                admitted
            }
        };
        Ok(self.admitted.insert(admitted))
    }

    /// The verdict, or that a component was deleted if it is missing for this reason.
    fn or_deleted(&self, verdict: Verdict) -> Verdict {
        let is_deleted = |sha256: &str| self.kept.as_ref().is_some_and(|kept| kept.is_deleted(sha256));
        match verdict {
            Verdict::OtherBot { label, sha256, given: None } if is_deleted(sha256.as_str()) => {
                Verdict::BotDeleted { label, sha256 }
            }
            verdict => verdict,
        }
    }

    fn tell(
        &mut self,
        recording: RecordingName,
        verdict: Verdict,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let verified = Verified { recording, verdict: self.or_deleted(verdict) };
        let line = self.verdicts.add(verified, self.args.verbose, self.count == 1);
        line.filter(|_| self.args.output == Form::Table).map_or(Ok(()), |line| Ok(console.line(line)?))
    }
}
