//! The log of a club, on standard error: a line for each event.

use crate::console::SharedConsole;
use crate::failure::Failure;
use arena_resources::NewThread;
use arena_text::Json;
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::set_global_default;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// The options of a log.
#[derive(Args, Clone, Debug)]
pub struct LogArgs {
    /// Form of the log, on standard error
    #[arg(long, value_name = "FORM", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// Least level of the log
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = LogLevel::Info)]
    pub log_level: LogLevel,
}

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Text for a reader
    Text,
    /// A JSON document per line
    Json,
}

/// A level of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Failures of the arena, and disqualifications
    Warn,
    /// Submissions, verdicts and stages, too
    Info,
    /// Requests, too
    Debug,
}

/// The most lines that wait to be written. Chosen: a busy second with all requests; a megabyte at most.
const WAITING_MAX: usize = 4_096;

/// The log of this process, until it is dropped: then everything is written.
pub struct Log {
    lines: SyncSender<Message>,
    writer: Option<JoinHandle<()>>,
}

enum Message {
    Line(Vec<u8>),
    End,
}

impl Drop for Log {
    fn drop(&mut self) {
        // If the writer has ended, there is nothing to wait for.
        let _ = self.lines.send(Message::End);
        self.writer.take().map(JoinHandle::join);
    }
}

/// Where events are put, a whole one at a time. They do not wait for a reader: one that reads nothing would stop requests and games.
struct Lines {
    lines: SyncSender<Message>,
    lost: Arc<AtomicU64>,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> &'a Self {
        self
    }
}

impl Write for &Lines {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        if self.lines.try_send(Message::Line(event.to_vec())).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints an event.
fn print(event: &[u8], format: LogFormat, console: &SharedConsole) {
    match format {
        LogFormat::Text => console.note(String::from_utf8_lossy(event).trim_end()),
        LogFormat::Json => {
            let document: Value = serde_json::from_slice(event).unwrap_or_default();
            console.note(Json::line(&document).as_str());
        }
    }
}

/// Begins the log of this process. Other crates' events are left out, except warnings.
///
/// # Errors
/// The system gives no thread.
pub fn begin(LogArgs { log_format, log_level }: &LogArgs, console: SharedConsole) -> Result<Log, Failure> {
    let level = match log_level {
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let (lines, received) = sync_channel(WAITING_MAX);
    let (lost, format) = (Arc::new(AtomicU64::new(0)), *log_format);
    let of_events = Lines { lines: lines.clone(), lost: Arc::clone(&lost) };
    let targets = Targets::new().with_default(LevelFilter::WARN).with_target("arena", level);
    let layer = fmt::layer().with_target(false).with_ansi(false).with_writer(of_events);
    let subscriber: Box<dyn Subscriber + Send + Sync> = match log_format {
        LogFormat::Text => Box::new(Registry::default().with(layer.with_filter(targets))),
        LogFormat::Json => {
            Box::new(Registry::default().with(layer.json().flatten_event(true).with_filter(targets)))
        }
    };
    // There is one command in a process, so it is the first.
    let _ = set_global_default(subscriber);
    let writer = NewThread::named("log").start(move || {
        while let Ok(Message::Line(event)) = received.recv() {
            print(&event, format, &console);
            let lost = lost.swap(0, Ordering::Relaxed);
            if lost > 0 {
                tracing::warn!(lines = lost, "a part of the log is lost, because it was not read in time");
            }
        }
    })?;
    Ok(Log { lines, writer: Some(writer) })
}
