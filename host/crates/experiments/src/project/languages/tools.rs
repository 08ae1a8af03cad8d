//! Programs that the builds need: where they are, and how to install them on this system.

use super::super::{BuildFailure, Steps};
use arena_platform::programs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program that is not part of a folder.
pub(super) struct Tool {
    /// Its name, as a command.
    pub name: &'static str,
    /// Its name in messages, with the version that is needed.
    pub what: &'static str,
    /// How to install it on Linux, macOS and Windows.
    pub install: [&'static str; 3],
}

impl Tool {
    /// The path of the program, by `PATH`.
    pub fn find(&self) -> Result<PathBuf, BuildFailure> {
        programs::find(self.name).ok_or_else(|| self.missing(""))
    }

    /// The failure of a build without it, or with one that does not do, for this reason.
    pub fn missing(&self, why: &str) -> BuildFailure {
        let install = programs::of_system(self.install);
        let what = if why.is_empty() { format!("{} is missing", self.what) } else { why.to_owned() };
        BuildFailure::Missing { what, next: format!("install it: {install}") }
    }
}

/// The trimmed output of a command that succeeds.
pub(super) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command, which has to succeed. `name` is that of the tool in messages.
pub(super) fn run(steps: &mut dyn Steps, name: &str, command: &mut Command) -> Result<(), BuildFailure> {
    let status = steps.run(command)?;
    if status.success() {
        return Ok(());
    }
    Err(BuildFailure::Failed { command: name.to_owned(), status })
}
