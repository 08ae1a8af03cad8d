//! A connection whose reads and writes end in time.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection with a limit for each pause of the other side, and one for everything together.
#[derive(Debug)]
pub struct Timed {
    stream: TcpStream,
    pause: Duration,
    until: Instant,
}

impl Timed {
    /// A connection with these limits from now on.
    pub fn new(stream: TcpStream, pause: Duration, all: Duration) -> Self {
        Self { stream, pause, until: Instant::now() + all }
    }

    /// Sets the limit for everything together, from now on.
    pub fn allow(&mut self, all: Duration) {
        self.until = Instant::now() + all;
    }

    /// Another handle of the connection, with the same limits.
    ///
    /// # Errors
    /// The system has no room for it.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, pause: self.pause, until: self.until })
    }

    /// Ends the side that is written.
    ///
    /// # Errors
    /// The other side is gone.
    pub fn end_writing(&self) -> io::Result<()> {
        self.stream.shutdown(std::net::Shutdown::Write)
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now()).min(self.pause);
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

/// The system's name for a limit that is over depends on the operation.
fn in_time<T>(done: io::Result<T>) -> io::Result<T> {
    done.map_err(|error| match error.kind() {
        ErrorKind::WouldBlock => ErrorKind::TimedOut.into(),
        _ => error,
    })
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        in_time(self.stream.read(bytes))
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        in_time(self.stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
