//! Threads. The system may refuse each of them.

use crate::refused;
use arena_referee::HostError;
use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};

thread_local! {
    /// The stack with which this thread was started, in bytes; 0 if no size was asked for, or if the arena has not started it.
    static STACK_BYTES: Cell<usize> = const { Cell::new(0) };
}

/// A thread to be started. This is the only way to start one in the arena.
#[derive(Debug)]
pub struct NewThread {
    name: &'static str,
    builder: Builder,
    stack_bytes: usize,
}

impl NewThread {
    /// A thread with this name, and with the stack that the standard library gives it.
    pub fn named(name: &'static str) -> Self {
        Self { name, builder: Builder::new().name(name.into()), stack_bytes: 0 }
    }

    /// The same with a number after its name, for one of several.
    #[must_use]
    pub fn numbered(mut self, number: impl Into<u64>) -> Self {
        self.builder = self.builder.name(format!("{} {}", self.name, number.into()));
        self
    }

    /// The same with a stack of this size.
    #[must_use]
    pub fn with_stack(mut self, bytes: usize) -> Self {
        self.builder = self.builder.stack_size(bytes);
        self.stack_bytes = bytes;
        self
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses it: the error names the limit.
    #[expect(clippy::disallowed_methods, reason = "this is where threads are started")]
    pub fn start<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, HostError> {
        let Self { name, builder, stack_bytes } = self;
        builder
            .spawn(working(stack_bytes, work))
            .map_err(|error| refused(format!("cannot start a thread ({name})"), error))
    }

    /// Starts the thread in a scope.
    ///
    /// # Errors
    /// As of [`start`](Self::start).
    #[expect(clippy::disallowed_methods, reason = "this is where threads are started")]
    pub fn start_in<'scope, T: Send + 'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> Result<ScopedJoinHandle<'scope, T>, HostError> {
        let Self { name, builder, stack_bytes } = self;
        builder
            .spawn_scoped(scope, working(stack_bytes, work))
            .map_err(|error| refused(format!("cannot start a thread ({name})"), error))
    }
}

/// Does work on this thread if it was started with at least this stack, and otherwise on a new one with this name, whose end it waits for.
///
/// # Errors
/// The system refuses the new thread: the error names the limit.
pub fn on_stack<T: Send>(
    name: &'static str,
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, HostError> {
    if STACK_BYTES.get() >= bytes {
        return Ok(work());
    }
    thread::scope(|scope| {
        let thread = NewThread::named(name).with_stack(bytes).start_in(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// The work of a thread with a stack of this size.
fn working<T>(stack_bytes: usize, work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    move || {
        STACK_BYTES.set(stack_bytes);
        work()
    }
}

/// A number of threads or processes that was smaller than asked for, so that work goes on with fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fewer {
    /// The plural of what was asked for: `threads`.
    pub what: &'static str,
    /// The number that was asked for.
    pub asked: usize,
    /// The number that there is.
    pub got: usize,
    /// The reason, with the limit.
    pub why: HostError,
}

/// The first lack. It is a fact about the process, so it does not matter in which of its runs it happens.
static FEWER: OnceLock<Fewer> = OnceLock::new();

/// True once the first lack was taken.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Notes that work goes on with fewer threads or processes than it was to have. Only the first lack of a process counts.
pub fn note_fewer(fewer: Fewer) {
    let _ = FEWER.set(fewer);
}

/// Takes the first lack, once, for the front end to report.
pub fn take_fewer() -> Option<Fewer> {
    FEWER.get().filter(|_| !IS_TAKEN.swap(true, Ordering::SeqCst)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    /// No system has room for a stack of this size.
    const TOO_LARGE: usize = 1 << 50;

    #[test]
    fn a_thread_that_is_refused_is_an_error_and_no_panic() {
        let error = NewThread::named("worker").with_stack(TOO_LARGE).start(|| ()).unwrap_err();
        // Not the same text: it has the number of threads that the machine has at that moment.
        let scoped = thread::scope(|scope| {
            NewThread::named("worker").with_stack(TOO_LARGE).start_in(scope, || ()).map(drop)
        });
        let waited = on_stack("worker", TOO_LARGE, || ());
        for error in [error, scoped.unwrap_err(), waited.unwrap_err()] {
            assert!(error.to_string().starts_with("cannot start a thread (worker): "), "{error}");
            assert!(error.trouble().next().is_some(), "{error}");
        }
    }

    #[test]
    fn a_thread_has_its_name_and_number() {
        let name = || thread::current().name().map(str::to_owned);
        let started = NewThread::named("worker").numbered(3_u32).start(name).unwrap();
        assert_eq!(started.join().unwrap().as_deref(), Some("worker 3"));
        let scoped = thread::scope(|scope| {
            NewThread::named("screen").start_in(scope, name).map(|started| started.join().unwrap())
        });
        assert_eq!(scoped.unwrap().as_deref(), Some("screen"));
    }

    #[test]
    fn work_is_done_on_another_thread_only_if_this_one_has_less_stack() {
        let id = || thread::current().id();
        let here = id();
        assert_ne!(on_stack("bot", 1 << 20, id).unwrap(), here);
        on_stack("bot", 1 << 20, || {
            let here = id();
            assert_eq!(on_stack("bot", 1 << 20, id).unwrap(), here);
            assert_ne!(on_stack("bot", (1 << 20) + 1, id).unwrap(), here);
        })
        .unwrap();
        let panic = catch_unwind(|| on_stack("bot", 1 << 20, || panic!("no luck"))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"no luck"));
    }

    #[test]
    fn a_lack_is_reported_once_and_the_first_one_counts() {
        let fewer = |got| Fewer { what: "threads", asked: 9, got, why: HostError::Machine("full".into()) };
        note_fewer(fewer(5));
        note_fewer(fewer(4));
        assert_eq!(take_fewer(), Some(fewer(5)));
        note_fewer(fewer(3));
        assert_eq!(take_fewer(), None);
    }
}
