//! The messages of a process, which come from itself or through a worker: they are decoded and bounded here.

use super::parent::Process;
use arena_referee::{HostError, Trouble};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// A process and what it has sent so far. The arena sends it [frames](frame_of), and it answers with a sequence of messages in postcard.
pub struct Connection {
    /// `None` when the messages came through a worker, and are all there.
    process: Option<Process>,
    heard: Vec<u8>,
    /// The number of bytes in front that have been understood.
    understood: usize,
    /// The messages that were understood, if they are to be passed on.
    recorded: Option<Vec<u8>>,
    /// The longest message, in bytes.
    message_bytes_max: usize,
    /// The moment until which it must have answered.
    pub deadline: Instant,
    /// True once it has sent an invalid message, or is gone: it is not used any more.
    pub is_broken: bool,
    /// Only held: the process counts as one of its pool until then.
    pub(super) alive: Option<Arc<()>>,
}

/// Messages of a process that are not as they have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The bytes are no message.
    #[error("a process for games sent an invalid message")]
    Invalid,
    /// Messages follow the last one.
    #[error("a process for games sent more messages than the game has")]
    TooMany,
}

impl Connection {
    /// A connection that begins, to a process whose messages have at most this number of bytes.
    pub fn new(process: Process, message_bytes_max: usize, deadline: Instant) -> Self {
        Self { process: Some(process), message_bytes_max, deadline, ..Self::replaying(Vec::new()) }
    }

    /// A connection over messages that a process sent on another machine.
    pub fn replaying(messages: Vec<u8>) -> Self {
        Self {
            process: None,
            heard: messages,
            understood: 0,
            recorded: None,
            message_bytes_max: usize::MAX,
            deadline: Instant::now(),
            is_broken: false,
            alive: None,
        }
    }

    /// The number of the process; `None` when the messages came through a worker.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Starts recording the messages that are understood.
    pub fn record(&mut self) {
        self.recorded = Some(Vec::new());
    }

    /// Takes the recorded messages.
    pub fn take_recorded(&mut self) -> Vec<u8> {
        self.recorded.take().unwrap_or_default()
    }

    /// Checks that all messages were understood.
    ///
    /// # Errors
    /// There are more.
    pub fn end(&mut self) -> Result<(), HostError> {
        if self.has_more() { Err(self.broken(MessageError::TooMany)) } else { Ok(()) }
    }

    /// True if it has sent more messages than it was asked for.
    pub fn has_more(&self) -> bool {
        !self.pending().is_empty()
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// The process is gone.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), HostError> {
        let sent = match &mut self.process {
            Some(process) => process.send(frame, self.deadline),
            None => Err(HostError::Process("there is no process to send to".into())),
        };
        self.is_broken |= sent.is_err();
        sent
    }

    /// The next message.
    ///
    /// # Errors
    /// The process is gone, or sends an invalid message.
    pub fn message<T: DeserializeOwned>(&mut self) -> Result<T, HostError> {
        let (message, end) = self.peek(0)?;
        self.understand(end);
        Ok(message)
    }

    /// The next message, which is not recorded.
    ///
    /// # Errors
    /// As of [`message`](Self::message).
    pub fn unrecorded_message<T: DeserializeOwned>(&mut self) -> Result<T, HostError> {
        let recorded = self.recorded.take();
        let message = self.message();
        self.recorded = recorded;
        message
    }

    /// The message that begins at this place among the bytes that are not understood yet, and the place of its end. It stays there.
    ///
    /// # Errors
    /// As of [`message`](Self::message).
    pub fn peek<T: DeserializeOwned>(&mut self, at: usize) -> Result<(T, usize), HostError> {
        loop {
            let pending = self.pending();
            match postcard::take_from_bytes(&pending[at..]) {
                Ok((message, after)) => return Ok((message, pending.len() - after.len())),
                Err(postcard::Error::DeserializeUnexpectedEnd)
                    if pending.len() - at < self.message_bytes_max => {}
                Err(_) => return Err(self.broken(MessageError::Invalid)),
            }
            self.receive()?;
        }
    }

    /// The bytes that have not been understood yet, as far as they are here.
    #[inline]
    pub fn pending(&self) -> &[u8] {
        &self.heard[self.understood..]
    }

    /// Notes that this number of the pending bytes has been understood.
    #[inline]
    pub fn understand(&mut self, bytes: usize) {
        if let Some(recorded) = &mut self.recorded {
            recorded.extend_from_slice(&self.heard[self.understood..self.understood + bytes]);
        }
        self.understood += bytes;
    }

    /// Waits until the process sends more.
    ///
    /// # Errors
    /// It is gone, or has sent all.
    fn receive(&mut self) -> Result<(), HostError> {
        self.heard.drain(..self.understood);
        self.understood = 0;
        let received = match &mut self.process {
            Some(process) => process.receive(&mut self.heard, self.deadline),
            None => Err(HostError::Process("the messages of a game end before the game does".into())),
        };
        self.is_broken |= received.is_err();
        received
    }

    /// The failure of a process that violates its protocol. It is not used any more.
    pub fn broken(&mut self, error: impl Error + Send + Sync + 'static) -> HostError {
        self.is_broken = true;
        HostError::Process(Trouble::of(error))
    }
}

/// A frame with this content, as a process reads it: its length in four bytes, little-endian, and the content.
pub(super) fn frame(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("frames are short");
    [&length.to_le_bytes(), content].concat()
}

/// A frame with a message in postcard: its length in four bytes, little-endian, and the message.
pub fn frame_of(message: &impl Serialize) -> Vec<u8> {
    frame(&postcard::to_allocvec(message).expect("a message is plain data"))
}
