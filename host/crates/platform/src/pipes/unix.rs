//! Pipes on Unix, by `poll`.

use super::Awaited;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::process::ChildStdin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Sender(ChildStdin);

impl Sender {
    pub(super) fn new(pipe: ChildStdin) -> io::Result<Self> {
        ioctl_fionbio(&pipe, true)?;
        Ok(Self(pipe))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
}

#[derive(Debug)]
pub(super) struct Receiver(File);

impl Receiver {
    pub(super) fn new(pipe: impl Into<OwnedFd>) -> io::Result<Self> {
        let pipe = File::from(pipe.into());
        ioctl_fionbio(&pipe, true)?;
        Ok(Self(pipe))
    }

    pub(super) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

/// A pipe, which is ready once its other end is closed.
#[derive(Debug)]
pub(super) struct Bell {
    ready: PipeReader,
    closing: Mutex<Option<PipeWriter>>,
}

impl Bell {
    pub(super) fn new() -> io::Result<Self> {
        let (ready, closing) = io::pipe()?;
        Ok(Self { ready, closing: Mutex::new(Some(closing)) })
    }

    pub(super) fn ring(&self) {
        self.closing.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

pub(super) fn wait(awaited: &[Awaited<'_>], at_most: Duration) -> io::Result<Vec<bool>> {
    let polled = awaited.iter().map(|awaited| match awaited {
        Awaited::Sender(pipe) => PollFd::new(&pipe.0.0, PollFlags::OUT),
        Awaited::Receiver(pipe) => PollFd::new(&pipe.0.0, PollFlags::IN),
        Awaited::Bell(bell) => PollFd::new(&bell.0.ready, PollFlags::IN),
    });
    let mut polled: Vec<PollFd<'_>> = polled.collect();
    // A time that is too long for the system never passes.
    match poll(&mut polled, Timespec::try_from(at_most).ok().as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(polled.iter().map(|it| !it.revents().is_empty()).collect()),
        Err(error) => Err(error.into()),
    }
}
