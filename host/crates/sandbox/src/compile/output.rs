//! The standard output of a child: the ready message and the answer, sealed, and nothing else.

use super::artifact::Artifact;
use super::ending::{Ending, Exit, Limit};
use super::ready_message::ReadyMessage;
use super::seal::{Key, SealError, SealReader, Sealed};
use crate::digest;
use crate::limits::{CompileBudget, CompileLimits};
use crate::refusal::AdmitError;
use arena_referee::Trouble;
use std::path::Path;
use std::process::ExitStatus;

/// The output of a child as it is read.
pub(super) struct Output {
    ready_message: SealReader,
    answer: SealReader,
}

impl Output {
    /// Begins to read the output of a child that claims to be these judges and answers for this key.
    pub(super) fn new(judges_hash: &str, key: &Key, budget: &CompileBudget) -> Self {
        Self {
            ready_message: SealReader::new(&Key::of_ready_message(judges_hash), 0),
            answer: SealReader::new(key, budget.artifact_bytes),
        }
    }

    /// Takes the next bytes.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<(), SealError> {
        self.answer.take_last(self.ready_message.take(bytes)?)
    }

    /// The ready message and the answer, each if it is complete.
    pub(super) fn finish(self) -> Result<(Option<ReadyMessage>, Option<Sealed>), SealError> {
        let finish = |reader: SealReader| match reader.finish() {
            Err(SealError::Incomplete) => Ok(None),
            finished => finished.map(Some),
        };
        let ready_message = finish(self.ready_message)?
            .map(|sealed| ReadyMessage::from_bytes(sealed.contents()).ok_or(SealError::Foreign))
            .transpose()?;
        Ok((ready_message, finish(self.answer)?))
    }
}

/// The ending that an error in the exchange with a child means.
pub(super) fn cut(program: &Path, error: SealError) -> Ending {
    match error {
        SealError::TooLarge => Ending::Limit(Limit::ArtifactBytes),
        SealError::Io(error) => {
            Ending::Failure(arena_resources::refused("cannot attend to the compiler's process", error))
        }
        error => Ending::failure(
            Trouble::from(format!(
                "{} is not the compiler of this arena: its output is {error}",
                program.display()
            ))
            .with_next("if the file has been replaced, restart the arena"),
        ),
    }
}

/// The verdict on a component if a child of the program `child` had written this output, some bytes at a time, and had ended
/// well: for the laws. Code in the output is never loaded.
///
/// # Errors
/// The component is not admitted.
pub fn verdict_on_output(
    judges_hash: &str,
    component: &[u8],
    output: &[u8],
    at_a_time: usize,
) -> Result<(), AdmitError> {
    let budget = CompileLimits::default().budget(component.len());
    let key = Key::new(&digest::sha256(component), judges_hash);
    let mut heard = Output::new(judges_hash, &key, &budget);
    let heard = output.chunks(at_a_time).try_for_each(|some| heard.take(some)).and_then(|()| heard.finish());
    let ending = match heard {
        Ok((ready_message, answer)) => {
            let has_room = ready_message.map(|ready_message| ready_message.has_room);
            match answer {
                Some(answer) => Ending::of_answer(answer, has_room == Some(true), &budget),
                None => {
                    let status = ExitStatus::default();
                    Ending::of_exit(&Exit { status, cpu_time: None, said: String::new(), has_room }, &budget)
                }
            }
        }
        Err(error) => cut(Path::new("child"), error),
    };
    ending.verdict(&budget).map(|_: Artifact| ())
}
