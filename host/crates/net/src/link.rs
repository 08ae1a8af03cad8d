//! A connection that sends and receives lines, with a limit on each wait and on what it keeps.

use arena_platform::sockets::{self, Awaited};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The shortest wait that is asked of the system, because a wait of 0 has no end.
const WAIT_MIN: Duration = Duration::from_millis(1);

/// The number of bytes read at a time. Chosen: a message has some forty.
const CHUNK_BYTES: usize = 512;

/// The number of bytes read and dropped of a client that keeps sending after its game. Chosen: a system may hold as much for
/// a socket that is not read, and a client that sends more will miss its last line.
const DRAIN_BYTES_MAX: usize = 256 * 1024;

/// The reason why no line was received or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The deadline has passed.
    TimeOut,
    /// The line is longer than allowed.
    TooLong,
    /// The other end is gone.
    Gone,
    /// The connection that is watched is gone.
    WatchedGone,
}

/// A connection, line by line.
#[derive(Debug)]
pub struct Link {
    stream: Arc<TcpStream>,
    /// The bytes received that are not a line yet, or come after one. Never more than `line_bytes_max`.
    received: Vec<u8>,
    line_bytes_max: usize,
}

impl Link {
    /// Takes over a connection. A line that is received has at most `line_bytes_max` bytes, with its line end.
    pub fn new(stream: TcpStream, line_bytes_max: usize) -> Self {
        // Two short lines follow each other every turn. Without this the second would wait for the first one's
        // acknowledgement; if it cannot be set, the game is slower but correct.
        let _ = stream.set_nodelay(true);
        Self { stream: Arc::new(stream), received: Vec::new(), line_bytes_max }
    }

    /// The connection, to be watched while another one is waited for.
    pub fn stream(&self) -> Arc<TcpStream> {
        Arc::clone(&self.stream)
    }

    /// The next line, without its line feed. A line that arrived before the deadline counts, even if it is asked for later,
    /// and so does one that arrived before the watched connection was gone.
    ///
    /// # Errors
    /// There was no complete line by the deadline, or there will be none, or the caller no longer waits.
    pub fn receive(&mut self, deadline: Instant, watched: Option<&TcpStream>) -> Result<Vec<u8>, LinkError> {
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
            if let Some(watched) = watched {
                self.wait_beside(watched, deadline)?;
            }
            let mut chunk = [0; CHUNK_BYTES];
            let count = self.read(&mut chunk[..room], deadline)?;
            self.received.extend_from_slice(&chunk[..count]);
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The other end is gone, or has not taken the line by the deadline. Then the connection cannot be used for sending any
    /// more.
    pub fn send(&mut self, line: &str, deadline: Instant) -> Result<(), LinkError> {
        let text = format!("{line}\n");
        let mut left = text.as_bytes();
        while !left.is_empty() {
            let wait = wait_until(deadline)?;
            let written =
                self.stream.set_write_timeout(Some(wait)).and_then(|()| (&*self.stream).write(left));
            left = &left[progress(written)?..];
        }
        Ok(())
    }

    /// Closes this side of the connection. Everything sent before arrives first.
    pub fn hang_up(&self) {
        // It fails if the other end is gone already.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Ends the connection so that everything sent arrives.
    ///
    /// A connection that is closed with something unread in it is reset, and a reset overtakes what was sent. So the other
    /// end is given until the deadline to close first.
    pub fn close(self, deadline: Instant) {
        self.hang_up();
        let mut drained = 0;
        let mut chunk = [0; 8 * CHUNK_BYTES];
        while drained < DRAIN_BYTES_MAX {
            let Ok(count) = self.read(&mut chunk, deadline) else { return };
            drained += count;
        }
    }

    /// Reads some bytes. It may return none before the deadline.
    fn read(&self, chunk: &mut [u8], deadline: Instant) -> Result<usize, LinkError> {
        let wait = wait_until(deadline)?;
        progress(self.stream.set_read_timeout(Some(wait)).and_then(|()| (&*self.stream).read(chunk)))
    }

    /// Waits until there is something to read, including the end of the stream.
    fn wait_beside(&self, watched: &TcpStream, deadline: Instant) -> Result<(), LinkError> {
        loop {
            let wait = wait_until(deadline)?;
            let connections = [(&*self.stream, Awaited::Bytes), (watched, Awaited::End)];
            let found = sockets::wait(connections, wait).map_err(|_| LinkError::Gone)?;
            match [found[0], found[1]] {
                [true, _] => return Ok(()),
                [false, true] => return Err(LinkError::WatchedGone),
                [false, false] => {}
            }
        }
    }
}

/// Keeps only the connections whose other ends have not gone away, as far as is known without waiting.
pub fn retain_present<T>(connections: &mut Vec<T>, stream: impl Fn(&T) -> &TcpStream) {
    let awaited = connections.iter().map(|one| (stream(one), Awaited::End));
    if let Ok(gone) = sockets::wait(awaited, Duration::ZERO) {
        let mut gone = gone.into_iter();
        connections.retain(|_| !gone.next().expect("each has been looked at"));
    }
}

/// The number of bytes read or written. It is 0 after a wait without an event. A stream that has ended is gone.
fn progress(done: io::Result<usize>) -> Result<usize, LinkError> {
    match done {
        Ok(0) => Err(LinkError::Gone),
        Ok(count) => Ok(count),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(0),
            _ => Err(LinkError::Gone),
        },
    }
}

/// The longest time to wait, unless the deadline has passed.
fn wait_until(deadline: Instant) -> Result<Duration, LinkError> {
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
    left.map(|left| left.max(WAIT_MIN)).ok_or(LinkError::TimeOut)
}
