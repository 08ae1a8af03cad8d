//! Stages that workers on other machines play.

use arena_cluster::Remote;
use arena_engine::{Control, Error, Observer, Run, Supplier};
use arena_resources::NewThread;
use arena_text::Line;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at the workers. Chosen: a change is noted at once.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The time in which a message about workers is noted once. Chosen: they join each stage, and an organiser reads of it once an hour.
const NOTE_AGAIN_AFTER: Duration = Duration::from_secs(3_600);

/// The messages about workers that were noted in the log, with the time of each.
#[derive(Default)]
pub(crate) struct Noted(Mutex<HashMap<String, Instant>>);

impl Noted {
    fn note(&self, messages: Vec<String>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.retain(|_, at| at.elapsed() < NOTE_AGAIN_AFTER);
        for message in messages {
            if noted.insert(message.clone(), Instant::now()).is_none() {
                tracing::info!("{}", Line::<500>::from(message));
            }
        }
    }
}

/// Plays a stage on workers, and notes what happens to them meanwhile.
pub(crate) fn play(
    remote: &Remote,
    noted: &Noted,
    run: &mut Run,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        NewThread::named("workers").start_in(scope, || {
            loop {
                // Asked first, so that what comes with the last games is noted.
                let was_over = is_over.load(Ordering::SeqCst);
                noted.note(remote.update().messages);
                if was_over {
                    return;
                }
                thread::sleep(LOOK_EVERY);
            }
        })?;
        let played = run.play(remote, &|_| None, control, observer);
        is_over.store(true, Ordering::SeqCst);
        remote.over();
        played
    })
}
