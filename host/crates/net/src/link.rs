//! A connection that sends and receives lines, and waits no longer and keeps no more than it is told.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The shortest wait that is asked of the system, which takes a wait of nothing for one without end.
const WAIT_MIN: Duration = Duration::from_millis(1);

/// Bytes read at a time. Chosen: a message has some forty.
const CHUNK_BYTES: usize = 512;

/// What is read and thrown away of a client that talks on after its game, in bytes. Chosen: it is what a system may hold
/// for a socket that nobody reads, and a client that sends more will miss its last line.
const DRAIN_BYTES_MAX: usize = 256 * 1024;

/// Why no line was received or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The time is over.
    TimeOut,
    /// The line is longer than allowed.
    TooLong,
    /// The other end is gone.
    Gone,
}

/// A connection, line by line.
#[derive(Debug)]
pub struct Link {
    stream: TcpStream,
    /// What was received and is no line yet, or comes after one. Never longer than `line_bytes_max`.
    received: Vec<u8>,
    line_bytes_max: usize,
}

impl Link {
    /// Takes a connection over. Lines that are received have at most so many bytes, the line end counted.
    pub fn new(stream: TcpStream, line_bytes_max: usize) -> Self {
        // Two short lines follow each other every turn. Without this the second would wait for the first one's
        // acknowledgement; where it cannot be set, the game is slower and no less right.
        let _ = stream.set_nodelay(true);
        Self { stream, received: Vec::new(), line_bytes_max }
    }

    /// The next line, without its line feed. What came before the deadline counts, even when it is asked for later.
    ///
    /// # Errors
    /// There was no whole line by the deadline, or there will be none.
    pub fn receive(&mut self, deadline: Instant) -> Result<Vec<u8>, LinkError> {
        loop {
            if let Some(end) = self.received.iter().position(|&byte| byte == b'\n') {
                let mut line: Vec<_> = self.received.drain(..=end).collect();
                line.pop();
                return Ok(line);
            }
            let room = self.line_bytes_max.saturating_sub(self.received.len()).min(CHUNK_BYTES);
            if room == 0 {
                return Err(LinkError::TooLong);
            }
            let wait = wait_until(deadline).ok_or(LinkError::TimeOut)?;
            let mut chunk = [0; CHUNK_BYTES];
            let read = self
                .stream
                .set_read_timeout(Some(wait))
                .and_then(|()| (&self.stream).read(&mut chunk[..room]));
            match progress(read)? {
                Progress::Bytes(count) => self.received.extend_from_slice(&chunk[..count]),
                Progress::None => {}
            }
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The other end is gone, or has not taken the line by the deadline. The connection is of no more use for sending.
    pub fn send(&mut self, line: &str, deadline: Instant) -> Result<(), LinkError> {
        let text = format!("{line}\n");
        let mut left = text.as_bytes();
        while !left.is_empty() {
            let wait = wait_until(deadline).ok_or(LinkError::TimeOut)?;
            let written = self.stream.set_write_timeout(Some(wait)).and_then(|()| (&self.stream).write(left));
            match progress(written)? {
                Progress::Bytes(count) => left = &left[count..],
                Progress::None => {}
            }
        }
        Ok(())
    }

    /// Says that nothing more will be sent. What was sent before arrives first.
    pub fn hang_up(&self) {
        // It fails where the other end is gone, which is what it is to bring about.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Ends the connection so that what was sent arrives.
    ///
    /// A connection that is closed with something unread in it is reset, and a reset overtakes what was sent. So the other
    /// end is given until the deadline to close first.
    pub fn close(self, deadline: Instant) {
        self.hang_up();
        let mut stream = &self.stream;
        let mut drained = 0;
        let mut chunk = [0; 8 * CHUNK_BYTES];
        while drained < DRAIN_BYTES_MAX {
            let Some(wait) = wait_until(deadline) else { return };
            let read = stream.set_read_timeout(Some(wait)).and_then(|()| stream.read(&mut chunk));
            match progress(read) {
                Ok(Progress::Bytes(count)) => drained += count,
                Ok(Progress::None) => {}
                Err(_) => return,
            }
        }
    }
}

/// Whether the other end has gone away, as far as is known without waiting. Something it sent before counts as presence.
pub fn is_gone(stream: &TcpStream) -> bool {
    let look = || -> io::Result<usize> {
        stream.set_nonblocking(true)?;
        let seen = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        seen
    };
    match look() {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

enum Progress {
    Bytes(usize),
    None,
}

/// What a read or a write came to. A stream that ends is gone.
fn progress(done: io::Result<usize>) -> Result<Progress, LinkError> {
    match done {
        Ok(0) => Err(LinkError::Gone),
        Ok(count) => Ok(Progress::Bytes(count)),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(Progress::None),
            _ => Err(LinkError::Gone),
        },
    }
}

/// How long to wait at most; none when the deadline is past.
fn wait_until(deadline: Instant) -> Option<Duration> {
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
    Some(left.max(WAIT_MIN))
}
