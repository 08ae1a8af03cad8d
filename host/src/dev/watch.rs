//! A thread that notices saves and keys. It stops the current round when a source is saved.

use crate::failure::Failure;
use arena_experiments::project::{Project, Sources};
use arena_platform::terminal::Keys;
use arena_resources::NewThread;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The interval at which the files are polled. Chosen: too short to notice, while a poll takes only a millisecond. A save counts once
/// two polls in a row find the same files, so that an editor that writes several files starts one round.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// News for the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A source was saved.
    Saved,
    /// The user wants to keep the last build.
    Keep,
    /// The user wants to leave.
    Leave,
}

/// The thread, until it is dropped.
pub struct Watch {
    shared: Arc<Shared>,
    news: Receiver<News>,
    thread: Option<JoinHandle<()>>,
    /// True if keys are read from a terminal.
    pub has_keys: bool,
}

#[derive(Default)]
struct Shared {
    /// True if the round must end: a source was saved, or the user leaves.
    is_overtaken: Arc<AtomicBool>,
    /// True during a round: it has no build to keep yet.
    is_busy: AtomicBool,
    is_over: AtomicBool,
    on_overtaken: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Watch {
    /// Watches the sources of a project as they are now, and the keys if there is a terminal.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(project: &Project) -> Result<Self, Failure> {
        let shared = Arc::new(Shared::default());
        let (sender, news) = mpsc::channel();
        let keys = Keys::listen();
        let has_keys = keys.is_some();
        let project = project.clone();
        let look = move |before: &Sources| project.sources(before);
        // Saves after this point are noticed.
        let first = look(&Sources::default());
        let thread = NewThread::named("saves").start({
            let shared = Arc::clone(&shared);
            move || shared.watch(look, first, keys.as_ref(), &sender)
        })?;
        Ok(Self { shared, news, thread: Some(thread), has_keys })
    }

    /// Begins a round.
    pub fn begin(&self) {
        self.shared.is_overtaken.store(false, Ordering::SeqCst);
        self.shared.is_busy.store(true, Ordering::SeqCst);
    }

    /// Ends the round: its build can be kept from now on.
    pub fn end(&self) {
        self.shared.is_busy.store(false, Ordering::SeqCst);
        self.shared.set_reaction(None);
    }

    /// The flag that is set when the round must end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.is_overtaken)
    }

    /// Sets the reaction to a save during the round. It runs at once if there has been a save already.
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        self.shared.set_reaction(Some(Box::new(answer)));
        if self.shared.is_overtaken.load(Ordering::SeqCst) {
            self.shared.react();
        }
    }

    /// Waits for news, for at most this time.
    pub fn wait(&self, moment: Duration) -> Option<News> {
        match self.news.recv_timeout(moment) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(News::Leave),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // The thread restores the terminal when it ends.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn watch(
        &self,
        look: impl Fn(&Sources) -> Sources,
        first: Sources,
        keys: Option<&Keys>,
        news: &Sender<News>,
    ) {
        let (mut reported, mut seen) = (first.clone(), first);
        while !self.is_over.load(Ordering::SeqCst) {
            thread::sleep(LOOK_INTERVAL);
            let now = look(&seen);
            let is_settled = now == seen;
            if is_settled && !now.is_same(&reported) {
                reported = now.clone();
                self.overtake();
                let _ = news.send(News::Saved);
            }
            seen = now;
            for key in keys.map(Keys::pressed).unwrap_or_default() {
                let is_busy = self.is_busy.load(Ordering::SeqCst);
                match key {
                    b'k' if !is_busy => drop(news.send(News::Keep)),
                    b'q' => {
                        self.overtake();
                        let _ = news.send(News::Leave);
                    }
                    _ => {}
                }
            }
        }
    }

    fn overtake(&self) {
        self.is_overtaken.store(true, Ordering::SeqCst);
        self.react();
    }

    fn set_reaction(&self, answer: Option<Box<dyn FnOnce() + Send>>) {
        *self.on_overtaken.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    fn react(&self) {
        let answer = self.on_overtaken.lock().unwrap_or_else(PoisonError::into_inner).take();
        answer.into_iter().for_each(|answer| answer());
    }
}
