//! Programs that the builds need: where they are, and how to install them on this system.

use super::super::{BuildFailure, Steps};
use std::env;
use std::env::consts::{FAMILY, OS};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program that is not part of a folder.
pub(super) struct Tool {
    /// Its name, as a command.
    pub name: &'static str,
    /// What it is, with the version that is needed.
    pub what: &'static str,
    /// How to install it on Linux, macOS and Windows.
    pub install: [&'static str; 3],
}

impl Tool {
    /// The path of the program, by `PATH`.
    pub fn find(&self) -> Result<PathBuf, BuildFailure> {
        find(self.name).ok_or_else(|| self.missing(""))
    }

    /// The failure of a build without it, or with one that does not do, for this reason.
    pub fn missing(&self, why: &str) -> BuildFailure {
        let [linux, macos, windows] = self.install;
        let install = match OS {
            "macos" => macos,
            "windows" => windows,
            _ => linux,
        };
        let what = if why.is_empty() { format!("{} is missing", self.what) } else { why.to_owned() };
        BuildFailure::Missing { what, next: format!("install it: {install}") }
    }
}

/// Returns the path of a program on `PATH`. On Windows, scripts such as `npm.cmd` are programs too.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if FAMILY == "windows" { &[".exe", ".cmd", ".bat"] } else { &[""] };
    let folders = env::var_os("PATH")?;
    let mut paths = env::split_paths(&folders)
        .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{name}{ending}"))));
    paths.find(|path| path.is_file())
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
