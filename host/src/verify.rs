//! `arena verify`: plays recorded games again and compares.

use crate::admission;
use crate::cli::{Output, VerifyArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::recordings::{Recording, Recordings};
use crate::report::{self, Verification, Verified};
use crate::roster::{self, Roster};
use crate::told;
use crate::verification::{self, Candidate, Here, Verdict};
use crate::workers;
use crate::{plan, plan::Conditions};
use arena_record::Transcript;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Recordings that are read before they are played. Chosen: work for many workers, and some megabytes of memory.
const BATCH: usize = 256;

/// Verifies what the arguments name, and reports it.
pub fn verify(args: &VerifyArgs, console: &mut Console) -> Result<(), Failure> {
    let (mut recordings, bots) = Recordings::open(args)?;
    let bots = roster::components(&bots)?;
    let interrupt = Interrupt::listen()?;
    let count = recordings.count();
    let mut session = Session { args, interrupt, bots, count, house: None, verified: Vec::new() };
    let looked_at = session.look_at_all(&mut recordings, console);
    console.end_progress();
    looked_at?;

    let Session { verified, house, .. } = session;
    let refused = house.map(|house| house.roster.refused).unwrap_or_default();
    let verification = Verification { verified: &verified, refused: &refused };
    match args.output {
        Output::Json => console.line(&verification.json())?,
        Output::Table if verified.len() != 1 => console.line(&verification.summary())?,
        Output::Table => {}
    }
    if verification.verified_count() == verified.len() { Ok(()) } else { Err(told(Failure::Refused)) }
}

/// A verification under way.
struct Session<'a> {
    args: &'a VerifyArgs,
    interrupt: Interrupt,
    bots: Vec<PathBuf>,
    /// Recordings there are.
    count: usize,
    /// For the conditions of the recordings looked at last: those of a tournament all have the same.
    house: Option<House>,
    verified: Vec<Verified>,
}

/// The bots, admitted under the conditions of a recording.
struct House {
    conditions: Conditions,
    engine: String,
    roster: Roster,
    jobs: usize,
}

impl Session<'_> {
    fn look_at_all(&mut self, recordings: &mut Recordings, console: &mut Console) -> Result<(), Failure> {
        let mut batch: Vec<(String, Transcript)> = Vec::new();
        while let Some(Recording { name, transcript }) = recordings.read_next()? {
            match transcript {
                Ok(transcript) if !Conditions::of(&transcript.header).are_possible() => {
                    self.look_at(&mut batch, console)?;
                    let problem = "line 1: its memory limit is more than a bot can have";
                    self.tell(name, Verdict::Unreadable(problem.into()), console)?;
                }
                Ok(transcript) => {
                    let conditions = Conditions::of(&transcript.header);
                    let other = |(_, last): &(String, Transcript)| Conditions::of(&last.header) != conditions;
                    if batch.len() == BATCH || batch.last().is_some_and(other) {
                        self.look_at(&mut batch, console)?;
                    }
                    batch.push((name, transcript));
                }
                Err(problem) => {
                    self.look_at(&mut batch, console)?;
                    self.tell(name, Verdict::Unreadable(problem), console)?;
                }
            }
        }
        self.look_at(&mut batch, console)
    }

    /// Plays recordings that have the same conditions again.
    fn look_at(
        &mut self,
        batch: &mut Vec<(String, Transcript)>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some((_, first)) = batch.first() else { return Ok(()) };
        let interrupt = self.interrupt.clone();
        let house = self.house(Conditions::of(&first.header), console)?;
        let candidates: Vec<Candidate<'_>> = house.candidates().collect();
        let here = Here::with_engine(&house.engine);
        let mut verdicts = Vec::new();
        workers::in_order(
            house.jobs,
            batch.len(),
            || interrupt.requested(),
            |index| verification::verify(&batch[index].1, here, &candidates),
            |_, verdict| {
                verdicts.push(workers::settled(verdict));
                console.advance();
                ControlFlow::Continue(())
            },
        );
        for ((name, _), verdict) in batch.drain(..).zip(verdicts) {
            self.tell(name, verdict?, console)?;
        }
        if self.interrupt.requested() {
            let (done, count) = (self.verified.len(), self.count);
            return Err(Failure::Interrupted(format!("interrupted: {done} of {count} games looked at")));
        }
        Ok(())
    }

    fn house(&mut self, conditions: Conditions, console: &mut Console) -> Result<&House, Failure> {
        let house = match self.house.take() {
            Some(house) if house.conditions == conditions => house,
            _ => {
                console.end_progress();
                let house = House::open(conditions, self.args, &self.bots, &self.interrupt, console)?;
                console.begin_progress(self.count, "games");
                console.advance_to(self.verified.len(), self.count);
                house
            }
        };
        Ok(self.house.insert(house))
    }

    fn tell(&mut self, recording: String, verdict: Verdict, console: &mut Console) -> Result<(), Failure> {
        let verified = Verified { recording, verdict };
        if self.args.output == Output::Table {
            console.line(&verified.text())?;
        }
        self.verified.push(verified);
        Ok(())
    }
}

impl House {
    fn open(
        conditions: Conditions,
        args: &VerifyArgs,
        bots: &[PathBuf],
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        let jobs = plan::jobs(args.jobs);
        let sandbox = admission::sandbox(conditions.sandbox(jobs, args.timeout), &args.cache)?;
        let roster = admission::admit(&sandbox, bots, jobs, interrupt, console)?;
        interrupt.answer(console::note_interrupt);
        for refused in &roster.refused {
            console.note(&report::refusal(refused));
        }
        Ok(Self { conditions, engine: sandbox.engine_hash(), roster, jobs })
    }

    fn candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        self.roster
            .contestants
            .iter()
            .map(|contestant| Candidate { label: &contestant.label, bot: &contestant.bot })
    }
}
