//! `arena verify`: recorded games played again, and compared.

use super::replay_all::replay_all;
use crate::admission;
use crate::args::{CacheArgs, Form, TimeArgs};
use crate::console::{self, Console};
use crate::failure::{self, Failure};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdicts, Verification, Verified};
use crate::values::{form, open_seed, whole};
use arena_engine::internals::builtin;
use arena_engine::internals::kept_bots::KeptBots;
use arena_engine::internals::recordings::{self, NamedRecording, Recordings, SampleOptions};
use arena_engine::{Roster, components};
use arena_experiments::verification::{Verdict, Verifier};
use arena_players::worker_pool;
use arena_record::{Recording, Seed};
use arena_sandbox::Sandbox;
use arena_text::{RecordingName, counted};
use clap::Args;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Arguments of `arena verify`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "arena verify [OPTIONS] <TRANSCRIPT>... <BOT>...\n       arena verify [OPTIONS] --journal <FILE> [BOT]...",
    after_help = "Examples:\n  arena verify games/*.jsonl bots/\n  arena verify --journal arena.db --sample 10\n  arena verify --journal arena.db --replay-all"
)]
pub struct VerifyArgs {
    /// Transcripts (.jsonl files), then the bots: .wasm files, or folders of them
    #[arg(value_names = ["TRANSCRIPT", "BOT"])]
    pub paths: Vec<PathBuf>,

    /// Verify the games of this journal; without bots, with the copies next to it
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Game of the transcripts, if it is a component; a journal has its own
    #[arg(long, value_name = "FILE", conflicts_with = "journal")]
    pub game: Option<PathBuf>,

    /// Require this published chain head: nothing before it has changed
    #[arg(long, value_name = "SHA256", requires = "journal")]
    pub head: Option<String>,

    /// Verify N games of the journal, drawn at random [default: all]
    #[arg(long, value_name = "N", requires = "journal", value_parser = whole(1..=u32::MAX))]
    pub sample: Option<u32>,

    /// Random seed of the sample [default: a fresh one]
    #[arg(long, value_name = "N", requires = "sample", value_parser = whole(0..=u64::MAX))]
    pub sample_seed: Option<u64>,

    /// Play the season of the journal again from its seeds, and compare the head
    ///
    /// The head of a journal's chain follows from the seeds, the rules, the settings of the stages and the bots. All games that the journal
    /// has are played again, in the order of the schedule. Result: the same head, or the first difference. Games that a clock decided are
    /// not reproducible and are counted. A season with a secret seed is closed first, or its secret named with --seed.
    #[arg(long, requires = "journal", conflicts_with_all = ["sample", "verbose"])]
    pub replay_all: bool,

    /// Seed that was secret, as the tournament's table has it [default: the one revealed in the journal]
    #[arg(long, value_name = "N|HEX", value_parser = open_seed)]
    pub seed: Option<Seed>,

    /// Games at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
    pub jobs: Option<u16>,

    /// The limits of wall-clock time.
    #[command(flatten)]
    pub times: TimeArgs,

    /// Print a line for each game that is verified too
    #[arg(short, long)]
    pub verbose: bool,

    /// Form of the result; json has all games
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

impl VerifyArgs {
    fn sample(&self) -> SampleOptions {
        SampleOptions { sample: self.sample, sample_seed: self.sample_seed, head: self.head.clone() }
    }
}

/// The number of recordings that are read before they are played. Chosen: work for many workers, and some megabytes of
/// memory.
const BATCH: usize = 256;

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
                return replay_all(args, journal, &bots, console);
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

/// A recording with its name, and its seed if that was secret and has been revealed.
type Task = (RecordingName, Recording, Option<Seed>);

/// The bots, admitted to a sandbox with some memory limit.
pub(super) struct Admitted {
    memory_bytes: u64,
    pub(super) sandbox: Sandbox,
    pub(super) roster: Roster,
    verifier: Verifier,
    jobs: usize,
}

/// The memory limit of a recording, which the sandbox has to have.
fn memory_bytes(recording: &Recording) -> u64 {
    recording.header.conditions.limits.memory_bytes
}

impl Verifying<'_> {
    fn look_at_all(&mut self, recordings: &mut Recordings, console: &mut Console) -> Result<(), Failure> {
        let mut batch: Vec<Task> = Vec::new();
        while let Some(NamedRecording { name, recording, revealed }) = recordings.read_next()? {
            let recording = recording
                .and_then(|recording| recordings::memory_bytes(&recording.header).map(|_| recording));
            match recording {
                Ok(recording) => {
                    let other = |(_, last, _): &Task| memory_bytes(last) != memory_bytes(&recording);
                    if batch.len() == BATCH || batch.last().is_some_and(other) {
                        self.look_at(&mut batch, console)?;
                    }
                    batch.push((name, recording, self.args.seed.or(revealed)));
                }
                Err(problem) => {
                    self.look_at(&mut batch, console)?;
                    self.tell(name, Verdict::Unreadable(problem), console)?;
                }
            }
        }
        self.look_at(&mut batch, console)
    }

    /// Plays recordings with the same memory limit again.
    fn look_at(&mut self, batch: &mut Vec<Task>, console: &mut Console) -> Result<(), Failure> {
        let Some((_, first, _)) = batch.first() else { return Ok(()) };
        let interrupt = self.interrupt.clone();
        let times = self.args.times.options();
        let admitted = self.admitted(memory_bytes(first), console)?;
        let mut verdicts = Vec::new();
        worker_pool::in_order(
            admitted.jobs,
            batch.len(),
            || interrupt.requested(),
            |index| {
                let (_, recording, revealed) = &batch[index];
                admitted.verifier.verify(recording, *revealed, times)
            },
            |_, verdict| {
                verdicts.push(worker_pool::settled(verdict));
                console.advance();
                ControlFlow::Continue(())
            },
        );
        admission::note_gaps(&admitted.sandbox, console);
        for ((name, ..), verdict) in batch.drain(..).zip(verdicts) {
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

impl Admitted {
    pub(super) fn new(
        memory_bytes: u64,
        args: &VerifyArgs,
        bots: &[PathBuf],
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        let jobs = arena_players::jobs(args.jobs);
        let sandbox = args.cache.sandbox(arena_players::sandbox_limits(jobs, memory_bytes))?;
        let roster = admission::admit_surely(&sandbox, bots, jobs, interrupt, console)?;
        interrupt.answer(console::note_interrupt);
        for refused in &roster.refused {
            console.tell(output::refusal(refused));
        }
        let verifier = Verifier::new(&sandbox, &roster.contestants);
        Ok(Self { memory_bytes, sandbox, roster, verifier, jobs })
    }
}
