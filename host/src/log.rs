//! The log of a club, on standard error: a line for each event.

use crate::console::SharedConsole;
use arena_text::Json;
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::io::{self, Write};
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

/// The writer of a log. It has a whole event at a time.
struct Lines {
    console: SharedConsole,
    format: LogFormat,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> &'a Self {
        self
    }
}

impl Write for &Lines {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        match self.format {
            LogFormat::Text => self.console.note(String::from_utf8_lossy(event).trim_end()),
            LogFormat::Json => {
                let document: Value = serde_json::from_slice(event)?;
                self.console.note(Json::line(&document).as_str());
            }
        }
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins the log of this process. Other crates' events are left out, except warnings.
pub fn begin(LogArgs { log_format, log_level }: &LogArgs, console: SharedConsole) {
    let level = match log_level {
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let targets = Targets::new().with_default(LevelFilter::WARN).with_target("arena", level);
    let lines = Lines { console, format: *log_format };
    let layer = fmt::layer().with_target(false).with_ansi(false).with_writer(lines);
    let subscriber: Box<dyn Subscriber + Send + Sync> = match log_format {
        LogFormat::Text => Box::new(Registry::default().with(layer.with_filter(targets))),
        LogFormat::Json => {
            Box::new(Registry::default().with(layer.json().flatten_event(true).with_filter(targets)))
        }
    };
    // There is one command in a process, so it is the first.
    let _ = set_global_default(subscriber);
}
