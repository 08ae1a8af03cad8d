//! Pipes on Windows: a thread for each, because the system waits for a single one.

use super::Awaited;
use crate::refusals::is_reader_gone;
use std::io::{self, Read, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The bytes of a pipe that are kept at most. Chosen: what a pipe holds on Linux.
const BYTES_MAX: usize = 64 << 10;

/// Notified when any pipe or bell has changed. Everything that changes is changed under its lock.
static CHANGED: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());

/// Changes something that may be waited for.
fn change<T>(what: impl FnOnce() -> T) -> T {
    let _lock = CHANGED.0.lock().unwrap_or_else(PoisonError::into_inner);
    let done = what();
    CHANGED.1.notify_all();
    done
}

/// The bytes between a pipe's thread and its owner.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when the owner has changed the state.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// True once the owner is gone.
    is_dropped: bool,
    /// The end of the pipe: an error, or none at its usual end.
    end: Option<Option<io::ErrorKind>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the owner is gone, or has made this true.
    fn wait_for_owner(&self, is_so: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let must_wait = |state: &mut State| !state.is_dropped && !is_so(state);
        self.changed.wait_while(self.state(), must_wait).unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, error: Option<io::ErrorKind>) {
        change(|| self.state().end = Some(error));
    }

    fn drop_owner(&self) {
        self.state().is_dropped = true;
        self.changed.notify_all();
    }
}

#[derive(Debug)]
pub(super) struct Sender(Arc<Shared>);

impl Sender {
    pub(super) fn new(mut pipe: ChildStdin) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let of_thread = Arc::clone(&shared);
        Builder::new().name("to a child".into()).spawn(move || {
            loop {
                let mut state = of_thread.wait_for_owner(|state| !state.bytes.is_empty());
                if state.bytes.is_empty() {
                    return;
                }
                let bytes = std::mem::take(&mut state.bytes);
                drop(state);
                change(|| ());
                if let Err(error) = pipe.write_all(&bytes) {
                    let is_gone = is_reader_gone(&error);
                    return of_thread.end(Some(if is_gone {
                        io::ErrorKind::BrokenPipe
                    } else {
                        error.kind()
                    }));
                }
            }
        })?;
        Ok(Self(shared))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.state();
        match state.end {
            // Whatever has happened to it, nothing can be sent.
            Some(error) => Err(error.unwrap_or(io::ErrorKind::BrokenPipe).into()),
            None if !state.bytes.is_empty() => Err(io::ErrorKind::WouldBlock.into()),
            None => {
                let bytes = &bytes[..bytes.len().min(BYTES_MAX)];
                state.bytes.extend_from_slice(bytes);
                self.0.changed.notify_all();
                Ok(bytes.len())
            }
        }
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.drop_owner();
    }
}

#[derive(Debug)]
pub(super) struct Receiver(Arc<Shared>);

impl Receiver {
    pub(super) fn new(mut pipe: impl Read + Send + 'static) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let of_thread = Arc::clone(&shared);
        Builder::new().name("from a child".into()).spawn(move || {
            let mut chunk = vec![0; BYTES_MAX];
            loop {
                match pipe.read(&mut chunk) {
                    Ok(0) => return of_thread.end(None),
                    Ok(count) => change(|| of_thread.state().bytes.extend_from_slice(&chunk[..count])),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return of_thread.end(Some(error.kind())),
                }
                if of_thread.wait_for_owner(|state| state.bytes.is_empty()).is_dropped {
                    return;
                }
            }
        })?;
        Ok(Self(shared))
    }

    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.state();
        if state.bytes.is_empty() {
            return match state.end {
                Some(None) => Ok(0),
                Some(Some(error)) => Err(error.into()),
                None => Err(io::ErrorKind::WouldBlock.into()),
            };
        }
        let count = state.bytes.len().min(into.len());
        into[..count].copy_from_slice(&state.bytes[..count]);
        state.bytes.drain(..count);
        self.0.changed.notify_all();
        Ok(count)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.0.drop_owner();
    }
}

#[derive(Debug, Default)]
pub(super) struct Bell(AtomicBool);

impl Bell {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self::default())
    }

    pub(super) fn ring(&self) {
        change(|| self.0.store(true, Ordering::SeqCst));
    }
}

impl Awaited<'_> {
    fn is_ready(&self) -> bool {
        match self {
            Self::Sender(pipe) => {
                let state = pipe.0.0.state();
                state.bytes.is_empty() || state.end.is_some()
            }
            Self::Receiver(pipe) => {
                let state = pipe.0.0.state();
                !state.bytes.is_empty() || state.end.is_some()
            }
            Self::Bell(bell) => bell.0.0.load(Ordering::SeqCst),
        }
    }
}

pub(super) fn wait(awaited: &[Awaited<'_>], at_most: Duration) -> io::Result<Vec<bool>> {
    // A time that is too long for the clock never passes.
    let until = Instant::now().checked_add(at_most);
    let mut lock = CHANGED.0.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let ready: Vec<bool> = awaited.iter().map(Awaited::is_ready).collect();
        let left = until.map_or(at_most, |until| until.saturating_duration_since(Instant::now()));
        if left.is_zero() || ready.contains(&true) {
            return Ok(ready);
        }
        lock = CHANGED.1.wait_timeout(lock, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}
