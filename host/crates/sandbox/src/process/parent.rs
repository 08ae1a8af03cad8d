//! The sandbox's side of a process that plays.

use super::code::CodeFile;
use super::{Role, Task, ready_until};
use crate::bot::Bot;
use crate::compile::{
    CHUNK_BYTES, CachedCompiler, Key, ReadyMessage, Running, SAID_BYTES_MAX, SealReader, Slot, ended,
    is_for_later, keep, not_started,
};
use crate::limits::SandboxLimits;
use crate::meter::Meter;
use crate::refusal::AdmitError;
use arena_platform::pipes::{self, Awaited, Pipes};
use arena_referee::HostError;
use arena_resources::{NewThread, refused};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Instant;

/// Asks a bot for its name in a separate process.
pub(crate) fn ask_name(
    cached_compiler: &CachedCompiler,
    limits: &SandboxLimits,
    hash: &str,
    code: &CodeFile,
    size_bytes: usize,
    slot: &mut Slot<'_>,
) -> Result<String, AdmitError> {
    let child_args = Task::new(Role::Name, cached_compiler.judges_hash(), limits).to_args(code.code_bytes());
    let (count, told) = (1_u64.to_le_bytes(), code.message(hash));
    cached_compiler.ask_name(child_args, vec![&count, &told], hash, size_bytes, slot)
}

/// A process that plays, confined and ready. It is killed when it is dropped.
///
/// All data received from it may come from a bot that broke out.
pub struct Process {
    child: Running,
    pipes: Pipes,
    /// True once it has closed its standard error.
    is_silent: bool,
    /// The beginning of what it wrote on its standard error.
    said: Vec<u8>,
}

impl Process {
    /// Starts a process for a purpose, and waits until it is confined. It counts in the meter.
    pub(crate) fn start_as(
        role: Role,
        cached_compiler: &CachedCompiler,
        limits: &SandboxLimits,
        bots: &[&Bot],
        meter: &Meter,
    ) -> Result<Self, HostError> {
        let here =
            || HostError::Defect("a bot that is loaded in this process was to be sent to another one".into());
        let code =
            bots.iter().map(|bot| bot.code_file().ok_or_else(here)).collect::<Result<Vec<&CodeFile>, _>>()?;
        let (program, args) = cached_compiler.program()?;
        let code_bytes = code.iter().map(|code| code.code_bytes()).sum();
        let child_args = Task::new(role, cached_compiler.judges_hash(), limits).to_args(code_bytes);
        let deadline = ready_until();
        let mut process = Self::spawn(program.to_owned(), args.to_vec(), child_args, meter.clone())?;
        process.send(&(bots.len() as u64).to_le_bytes(), deadline)?;
        for (bot, code) in bots.iter().zip(code) {
            process.send(&code.message(bot.hash()), deadline)?;
        }
        let mut ready_message = SealReader::new(&Key::of_ready_message(cached_compiler.judges_hash()), 0);
        let mut heard = Vec::new();
        let nonsense = || HostError::Process("a process for games does not present itself as one".into());
        loop {
            process.receive(&mut heard, deadline)?;
            let rest = ready_message.take(&heard).map_err(|_| nonsense())?;
            if !rest.is_empty() {
                return Err(nonsense());
            }
            heard.clear();
            if ready_message.is_complete() {
                break;
            }
        }
        let ready_message =
            ready_message.finish().ok().and_then(|sealed| ReadyMessage::from_bytes(sealed.contents()));
        cached_compiler.note_confinement(ready_message.ok_or_else(nonsense)?.confinement);
        Ok(process)
    }

    /// Starts it on a thread that never ends, because the kernel ends a process when the thread that started it ends.
    fn spawn(
        program: PathBuf,
        args: Vec<OsString>,
        child_args: Vec<String>,
        meter: Meter,
    ) -> Result<Self, HostError> {
        type Spawning = Box<dyn FnOnce() + Send>;
        static STARTER: Mutex<Option<mpsc::Sender<Spawning>>> = Mutex::new(None);
        let starter = {
            let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
            match &*starter {
                Some(starter) => starter.clone(),
                None => {
                    let (send, spawnings) = mpsc::channel::<Spawning>();
                    NewThread::named("starter")
                        .start(move || spawnings.iter().for_each(|spawning| spawning()))?;
                    starter.insert(send).clone()
                }
            }
        };
        let (send, started) = mpsc::channel();
        let of_child = program.clone();
        let spawning = move || {
            // If the owner no longer waits for it, it is killed.
            let _ = send.send(Running::start(&program, &args, &child_args, &meter));
        };
        let gone = || HostError::Defect("the thread that starts processes is gone".into());
        starter.send(Box::new(spawning)).map_err(|_| gone())?;
        let started = started.recv().map_err(|_| gone())?;
        let (child, pipes) = started.map_err(|error| not_started("a process for games", &of_child, error))?;
        Ok(Self { child, pipes, is_silent: false, said: Vec::new() })
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.child.id()
    }

    /// Sends bytes, until the deadline.
    ///
    /// # Errors
    /// The process has ended, or does not take them.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), HostError> {
        while !bytes.is_empty() {
            match self.pipes.input.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if is_for_later(&error) => self.wait(true, deadline)?,
                Err(error) => return Err(self.gone(Some(&error.to_string()))),
            }
        }
        Ok(())
    }

    /// Adds the next bytes that it has written, at least one and at most 64 KiB, to these. It waits for them until the deadline.
    ///
    /// # Errors
    /// The process has ended, or the deadline has passed.
    pub fn receive(&mut self, bytes: &mut Vec<u8>, deadline: Instant) -> Result<(), HostError> {
        let before = bytes.len();
        bytes.resize(before + CHUNK_BYTES, 0);
        let received = loop {
            match self.pipes.output.read(&mut bytes[before..]) {
                Ok(0) => break Err(self.gone(None)),
                Ok(count) => break Ok(count),
                Err(error) if is_for_later(&error) => match self.wait(false, deadline) {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                Err(error) => break Err(self.gone(Some(&error.to_string()))),
            }
        };
        bytes.truncate(before + received.as_ref().map_or(0, |count| *count));
        received.map(drop)
    }

    /// Waits until one of the pipes is ready, and takes what it says on its standard error.
    fn wait(&mut self, to_send: bool, deadline: Instant) -> Result<(), HostError> {
        let left = deadline
            .checked_duration_since(Instant::now())
            .ok_or_else(|| HostError::Process("a process for games did not answer in time".into()))?;
        let mut awaited = vec![match to_send {
            true => Awaited::Sender(&self.pipes.input),
            false => Awaited::Receiver(&self.pipes.output),
        }];
        awaited.extend((!self.is_silent).then_some(Awaited::Receiver(&self.pipes.errors)));
        let ready = pipes::wait(&awaited, left)
            .map_err(|error| refused("cannot wait for a process for games", error))?;
        if ready.get(1) == Some(&true) {
            self.hear();
        }
        Ok(())
    }

    /// Takes what it says on its standard error, of which the beginning is kept.
    fn hear(&mut self) {
        if self.is_silent {
            return;
        }
        let mut chunk = [0; SAID_BYTES_MAX];
        match self.pipes.errors.read(&mut chunk) {
            Ok(count) if count > 0 => {
                // Keeping never fails.
                let _ = keep(&mut self.said, &chunk[..count]);
            }
            Err(error) if is_for_later(&error) => {}
            _ => self.is_silent = true,
        }
    }

    /// The failure of a process that is gone, with the beginning of its standard error.
    fn gone(&mut self, why: Option<&str>) -> HostError {
        self.hear();
        let status = match self.child.try_wait() {
            Ok(Some(status)) => Some(status.to_string()),
            // What it has said says more than that.
            _ => why.or(self.said.is_empty().then_some("it has ended")).map(str::to_owned),
        };
        ended("a process for games has ended", status.as_deref(), &String::from_utf8_lossy(&self.said))
    }
}
