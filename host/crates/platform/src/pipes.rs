//! Waiting for several pipes at once, until a deadline.
//!
//! Reading and writing never wait: they return [`WouldBlock`](std::io::ErrorKind::WouldBlock) instead.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

/// The pipes to and from a child.
#[derive(Debug)]
pub struct Pipes {
    /// To its standard input.
    pub input: Sender,
    /// From its standard output.
    pub output: Receiver,
    /// From its standard error.
    pub errors: Receiver,
}

/// The end of a pipe that is written to. The other end sees the end of the pipe when it is dropped.
#[derive(Debug)]
pub struct Sender(system::Sender);

/// The end of a pipe that is read.
#[derive(Debug)]
pub struct Receiver(system::Receiver);

/// Something that is ready from the moment in which it is rung, for those who wait for a pipe and for something else.
#[derive(Debug)]
pub struct Bell(system::Bell);

/// Something that can be waited for.
#[derive(Clone, Copy, Debug)]
pub enum Awaited<'a> {
    /// Room in a pipe.
    Sender(&'a Sender),
    /// Bytes in a pipe, or its end.
    Receiver(&'a Receiver),
    /// A ring.
    Bell(&'a Bell),
}

impl Sender {
    pub(crate) fn new(pipe: ChildStdin) -> io::Result<Self> {
        system::Sender::new(pipe).map(Self)
    }
}

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Receiver {
    pub(crate) fn of_output(pipe: ChildStdout) -> io::Result<Self> {
        system::Receiver::new(pipe).map(Self)
    }

    pub(crate) fn of_errors(pipe: ChildStderr) -> io::Result<Self> {
        system::Receiver::new(pipe).map(Self)
    }
}

impl Read for Receiver {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Bell {
    /// A bell that has not been rung.
    ///
    /// # Errors
    /// The system has no descriptor left.
    pub fn new() -> io::Result<Self> {
        system::Bell::new().map(Self)
    }

    /// Rings it. It stays ready.
    pub fn ring(&self) {
        self.0.ring();
    }
}

/// Waits until one of these is ready, but at most this long, and returns for each whether it is. After a signal to this process, it
/// returns early.
///
/// # Errors
/// The system cannot wait.
pub fn wait(awaited: &[Awaited<'_>], at_most: Duration) -> io::Result<Vec<bool>> {
    system::wait(awaited, at_most)
}

#[cfg(test)]
mod tests;
