//! Recordings, read some at a time, so that a journal of any size is verified in flat memory.

use super::{Verdict, Verifier};
use arena_engine::Error;
use arena_engine::internals::recordings::{self, NamedRecording, Recordings};
use arena_players::{TimeOptions, worker_pool};
use arena_record::{Problem, Recording, Seed};
use arena_referee::HostError;
use arena_text::RecordingName;
use std::ops::ControlFlow;

/// The number of recordings that are read before they are played. Chosen: work for many workers, and some megabytes of
/// memory.
const BATCH: usize = 256;

/// A recording to verify.
pub struct ReadRecording {
    /// Its name.
    pub name: RecordingName,
    recording: Recording,
    /// Its seed, if that was secret and has been revealed.
    told: Option<Seed>,
}

/// Recordings that are verified together.
pub enum Batch {
    /// Recordings whose bots had the same memory limit, which the sandbox has to have.
    Recordings {
        /// The limit.
        memory_bytes: u64,
        /// The recordings.
        recordings: Vec<ReadRecording>,
    },
    /// A recording that cannot be read.
    Unreadable(RecordingName, Problem),
}

/// Recordings that are read batch by batch.
pub struct Batches<'a> {
    recordings: &'a mut Recordings,
    told: Option<Seed>,
    /// A recording that was read, and that is not of the last batch.
    next: Option<NamedRecording>,
}

impl<'a> Batches<'a> {
    /// The batches of these recordings, whose secret seed is this one, or else the one that their journal reveals.
    pub fn new(recordings: &'a mut Recordings, told: Option<Seed>) -> Self {
        Self { recordings, told, next: None }
    }

    /// The next batch, if any recording is left.
    ///
    /// # Errors
    /// A file or journal that cannot be read any more.
    pub fn read_next(&mut self) -> Result<Option<Batch>, Error> {
        let (mut read, mut of_batch) = (Vec::new(), None);
        while read.len() < BATCH {
            let next = self.next.take().map_or_else(|| self.recordings.read_next(), |next| Ok(Some(next)))?;
            let Some(NamedRecording { name, recording, revealed }) = next else { break };
            let limit =
                recording.and_then(|it| recordings::memory_bytes(&it.header).map(|limit| (it, limit)));
            match limit {
                Ok((recording, limit)) if *of_batch.get_or_insert(limit) == limit => {
                    read.push(ReadRecording { name, recording, told: self.told.or(revealed) });
                }
                Err(problem) if read.is_empty() => return Ok(Some(Batch::Unreadable(name, problem))),
                other => {
                    self.next = Some(NamedRecording {
                        name,
                        recording: other.map(|(recording, _)| recording),
                        revealed,
                    });
                    break;
                }
            }
        }
        Ok(of_batch.map(|memory_bytes| Batch::Recordings { memory_bytes, recordings: read }))
    }
}

impl Verifier {
    /// Plays recorded games again as [`verify`](Self::verify) does, some at the same time, until `stop` returns true. Returns the verdicts
    /// in the order of the recordings. `advance` is called after each of them.
    pub fn verify_all(
        &self,
        recordings: &[ReadRecording],
        times: TimeOptions,
        jobs: usize,
        stop: impl Fn() -> bool + Sync,
        mut advance: impl FnMut(),
    ) -> Vec<Result<Verdict, HostError>> {
        let mut verdicts = Vec::new();
        worker_pool::in_order(
            jobs,
            recordings.len(),
            stop,
            |index| {
                let ReadRecording { recording, told, .. } = &recordings[index];
                self.verify(recording, *told, times)
            },
            |_, verdict| {
                verdicts.push(worker_pool::settled(verdict));
                advance();
                ControlFlow::Continue(())
            },
        );
        verdicts
    }
}
