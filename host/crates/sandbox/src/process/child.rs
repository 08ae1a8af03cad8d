//! The side of the process that plays.

use super::code::open_all;
use super::{ASK, ASK_COMPONENT, Role, Task};
use crate::bot::{self, Bot};
use crate::compile::{Key, Kind, ReadyMessage, Sealed, end_if_asked, last_words, message};
use crate::engine;
use crate::judge;
use crate::refusal::AdmitError;
use crate::runtime::Runtime;
use arena_platform::confine::{ChildLimits, Purpose};
use arena_platform::machine::processor_time;
use arena_resources::NewThread;
use postcard::ser_flavors::Flavor;
use serde::Serialize;
use std::io::{self, BufRead, BufReader, Read, Stdin, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// The longest time that output waits for more. Chosen: short for a reader, and long compared with the 2 µs that writing
/// takes.
const FLUSH_EVERY: Duration = Duration::from_millis(20);

/// The output that is written at once. Chosen: half of what a pipe holds, so that the parent reads while the next is made.
const FLUSH_BYTES: usize = 32 << 10;

/// The longest frame for a process, in bytes. Chosen: more than a game of the longest text.
const FRAME_BYTES_MAX: usize = 16 << 20;

/// The work of a process, which the program defines: it gets the components that were loaded, and the pipes, and returns an error as
/// text.
type Serve = fn(&[Bot], &mut Wire) -> Result<(), String>;

/// The pipes of a process that plays, for its program: bytes from the parent, and bytes to it.
pub struct Wire {
    input: BufReader<Stdin>,
    output: Arc<Output>,
    /// Bytes that are not in the output yet.
    pending: Vec<u8>,
    is_live: bool,
}

/// Output that is written in large pieces, and with a bounded delay.
#[derive(Default)]
struct Output {
    bytes: Mutex<Vec<u8>>,
    /// True once output has waited long enough.
    is_due: AtomicBool,
}

impl Wire {
    /// Reads this number of bytes, fewer at the end of the input. Pending output is sent before it waits.
    ///
    /// # Errors
    /// The pipe fails, or ends in the middle.
    pub fn read(&mut self, bytes: &mut [u8]) -> io::Result<bool> {
        if self.input.buffer().is_empty() {
            self.flush()?;
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
        }
        self.input.read_exact(bytes).map(|()| true)
    }

    /// Reads a [frame](super::frame_of); `None` at the end of the input.
    ///
    /// # Errors
    /// The pipe fails, or what it has is no frame.
    pub fn read_frame(&mut self) -> Result<Option<Vec<u8>>, String> {
        let cannot = |error: io::Error| format!("it cannot read: {error}");
        let mut length = [0; 4];
        if !self.read(&mut length).map_err(cannot)? {
            return Ok(None);
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > FRAME_BYTES_MAX {
            return Err(format!("a frame of {length} bytes"));
        }
        let mut content = vec![0; length];
        self.read(&mut content).map_err(cannot)?;
        Ok(Some(content))
    }

    /// Sends a message: what the arena reads with [`Connection::message`](super::Connection::message).
    ///
    /// # Errors
    /// The pipe fails.
    pub fn send(&mut self, message: &impl Serialize) -> Result<(), String> {
        let told = postcard::serialize_with_flavor(message, End(&mut self.pending))
            .map_err(|error| error.to_string());
        let told = told.and_then(|()| self.written().map_err(|error| error.to_string()));
        told.map_err(|why| format!("it cannot answer: {why}"))
    }

    /// The buffer for output. Call [`written`](Self::written) after each complete message.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Sends what is in the buffer, if there is enough of it or it has waited long enough.
    ///
    /// # Errors
    /// The pipe fails.
    pub fn written(&mut self) -> io::Result<()> {
        if self.is_live {
            self.output.lock().append(&mut self.pending);
        }
        if self.pending.len() >= FLUSH_BYTES || self.output.is_due.load(Ordering::Relaxed) {
            self.flush()?;
        }
        Ok(())
    }

    /// Sends all output within 20 ms from now on, even while the process is busy, because a person is watching.
    pub fn set_live(&mut self, is_live: bool) {
        self.is_live = is_live;
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.is_due.store(false, Ordering::Relaxed);
        let mut bytes = self.output.lock();
        bytes.append(&mut self.pending);
        send(&mut bytes)
    }
}

/// The end of a buffer, where messages are written. The library's own functions take the buffer and return it. That costs as much
/// as a message.
struct End<'a>(&'a mut Vec<u8>);

impl Flavor for End<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

impl Output {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(clippy::disallowed_methods, reason = "the parent reads it, and believes none of it")]
fn send(bytes: &mut Vec<u8>) -> io::Result<()> {
    if !bytes.is_empty() {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        bytes.clear();
    }
    Ok(())
}

/// Turns this process into one that plays and then ends, if a sandbox has started it as one; otherwise does nothing.
///
/// A program that [starts](crate::Sandbox::start) processes calls this early in its `main`. `serve` gets the bots in the order in
/// which they were named, and is called when the process is confined. It runs on one thread; another one sends what it writes.
pub fn player_main_if_asked(serve: Serve) {
    end_if_asked(ASK, |child_args| play(child_args, serve));
}

/// The same for a process that works with [components](crate::Component), which a sandbox [starts](crate::Sandbox::start_components).
pub fn component_main_if_asked(serve: Serve) {
    end_if_asked(ASK_COMPONENT, |child_args| play(child_args, serve));
}

/// The answer of a process that asks its bot for its name.
type Named = Option<Result<String, AdmitError>>;

fn play(child_args: &[String], serve: Serve) -> Result<(), String> {
    let read = child_args
        .split_at_checked(ChildLimits::ARGS)
        .and_then(|(child_limits, task)| Some((ChildLimits::read(child_limits)?, Task::read(task)?)));
    let (child_limits, task) = read.ok_or("it was started with other arguments than a sandbox gives it")?;
    let mut input = BufReader::new(io::stdin());
    // The pool opens the page map of this process, and the code is in files of the parent.
    let prepare = || {
        let engine = engine::engine(&task.limits).map_err(|error| last_words(&error))?;
        Ok((engine, open_all(&mut input, child_limits.parent)?))
    };
    let (confining, (engine, opened)) = child_limits.obey(prepare)?;
    let runtime = Runtime::start(engine, task.limits).map_err(|error| last_words(&error))?;
    let judges_hash = judge::hash(&runtime.engine);
    if judges_hash != task.judges_hash {
        return Err("it is of another version than the arena that started it".into());
    }
    let mut bots = Vec::new();
    for opened in opened {
        let program = opened.load(&runtime);
        bots.push((opened.hash, opened.facts, program));
    }
    let hash = bots.first().map_or(String::new(), |(hash, ..)| hash.clone());
    let (begin, begun) = mpsc::channel();
    let (go, going) = mpsc::channel::<()>();
    let (done, ended) = mpsc::channel();
    let output = Arc::new(Output::default());
    let of_thread = Arc::clone(&output);
    let work = move || -> Result<Named, String> {
        // It is dropped at the end of the thread, even if that panics.
        let _done = done;
        // The first reading of this clock looks for it by a system call that a confined process does not have.
        let _ = processor_time();
        // If the other end is closed, this process ends too.
        let _ = begin.send(());
        if going.recv().is_err() {
            return Ok(None);
        }
        match task.role {
            Role::Name => {
                Ok(bots.pop().map(|(_, _, program)| program.and_then(|program| bot::ask_name(&program))))
            }
            Role::Games | Role::Component => {
                let bots = bots.into_iter().map(|(hash, facts, program)| {
                    let program = program.map_err(|error| error.to_string())?;
                    Ok(Bot::here(program, hash, 0, facts))
                });
                let bots = bots.collect::<Result<Vec<_>, String>>()?;
                let mut wire = Wire { input, output: of_thread, pending: Vec::new(), is_live: false };
                serve(&bots, &mut wire)?;
                wire.flush().map_err(|error| format!("it cannot answer: {error}"))?;
                Ok(None)
            }
        }
    };
    let thread = NewThread::named("player").with_stack(child_limits.stack_bytes).start(work);
    let thread = thread.map_err(|error| last_words(&error))?;
    begun.recv().map_err(|_| "its thread did not begin".to_owned())?;
    let ready_message = ReadyMessage { has_room: true, confinement: confining.finish(Purpose::Playing)? };
    say(&Sealed::new(&Key::of_ready_message(&judges_hash), Kind::ReadyMessage, ready_message.to_bytes()))?;
    let _ = go.send(());
    while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(FLUSH_EVERY) as Result<(), _> {
        output.is_due.store(true, Ordering::Relaxed);
        // If it is being written, it is not late.
        if let Ok(mut bytes) = output.bytes.try_lock() {
            send(&mut bytes).map_err(|error| format!("it cannot answer: {error}"))?;
        }
    }
    let key = Key::new(&hash, &judges_hash);
    match thread.join() {
        Ok(Ok(Some(named))) => say(&match named {
            Ok(name) => Sealed::new(&key, Kind::Name, name.into_bytes()),
            Err(AdmitError::Refused(refusal)) => Sealed::new(&key, Kind::Refused, refusal.to_bytes()),
            Err(error) => Sealed::new(&key, Kind::Failed, error.to_string().into_bytes()),
        }),
        Ok(ended) => ended.map(drop),
        Err(panic) => Err(format!("it panicked: {}", message(&*panic))),
    }
}

fn say(sealed: &Sealed) -> Result<(), String> {
    let mut bytes = sealed.parts().concat();
    send(&mut bytes).map_err(|error| format!("it cannot answer: {error}"))
}
