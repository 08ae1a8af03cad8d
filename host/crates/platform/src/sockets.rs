//! Waiting for several connections at once, and knowing which are gone.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io;
use std::net::TcpStream;
use std::time::Duration;

/// The events by which a connection is gone: its other end has closed its side, or the connection has broken. Linux knows the first of a
/// connection with unread bytes, too.
#[cfg(target_os = "linux")]
const GONE: PollFlags = PollFlags::RDHUP.union(PollFlags::HUP).union(PollFlags::ERR);
/// The same. The first two are always looked for, and Windows refuses to be asked.
#[cfg(not(target_os = "linux"))]
const GONE: PollFlags = PollFlags::empty();

/// What is awaited of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// Bytes to read, or its end.
    Bytes,
    /// Its end alone.
    End,
}

/// Waits until one of these connections has what is awaited of it, at most this long. Returns which of them have it. A wait that a signal
/// ended counts as one without an event.
///
/// # Errors
/// The system refuses to wait.
pub fn wait<'a>(
    connections: impl IntoIterator<Item = (&'a TcpStream, Awaited)>,
    wait: Duration,
) -> io::Result<Vec<bool>> {
    let polled = connections.into_iter().map(|(stream, awaited)| match awaited {
        Awaited::Bytes => PollFd::new(stream, PollFlags::IN | GONE),
        Awaited::End => PollFd::new(stream, GONE),
    });
    let mut polled: Vec<PollFd<'_>> = polled.collect();
    let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
    match poll(&mut polled, Some(&wait)) {
        Ok(_) | Err(Errno::INTR) => Ok(polled.iter().map(|polled| !polled.revents().is_empty()).collect()),
        Err(error) => Err(error.into()),
    }
}
