//! Programs of tests, as cargo builds them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::environment;
use crate::step;

/// The option of cargo that makes it print what it has built.
pub const MESSAGES: &str = "--message-format=json-render-diagnostics";

/// A built program of tests.
pub struct Tests {
    program: PathBuf,
    /// The folder of its crate, in which cargo runs it.
    pub folder: PathBuf,
}

impl Tests {
    /// Builds programs of tests: those of these targets, each an argument of cargo, or all. They are built as parts of the whole
    /// workspace, because the tests of a crate by itself would have other features of its dependencies, and compile their own wasmtime.
    pub fn build<'a>(targets: impl IntoIterator<Item = &'a String>) -> Result<Vec<Self>> {
        let mut build = environment::cargo();
        build.args(["test", "--no-run", "--release", "--workspace"]);
        build.arg(MESSAGES).args(targets);
        Ok(Self::read_all(&step::run_for_output("building tests", &mut build)?))
    }

    /// Reads the messages of cargo's about a build.
    pub fn read_all(messages: &str) -> Vec<Self> {
        messages.lines().filter_map(Self::read).collect()
    }

    /// Reads a message of cargo's about something that was built; `None` when that is no program of tests.
    fn read(message: &str) -> Option<Self> {
        let text = |key: &str| message.split_once(&format!("\"{key}\":\""))?.1.split('"').next();
        // A program itself is built for its tests, too.
        let profile = message.split_once("\"profile\":{")?.1.split('}').next()?;
        let is_test = profile.contains("\"test\":true");
        let (program, manifest) = (text("executable")?, text("manifest_path")?);
        is_test.then(|| Self::of(program, Path::new(manifest).parent().unwrap_or(Path::new(""))))
    }

    /// The program at this path, which tests the crate in a folder.
    pub fn of(program: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), folder: folder.into() }
    }

    /// The name of the target: behind it, the file's name has a hash.
    pub fn name(&self) -> &str {
        let file = self.program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        file.rsplit_once('-').map_or(file, |(name, _)| name)
    }

    /// The name of the step that runs it.
    pub fn step(&self) -> String {
        format!("testing {}", self.name())
    }

    /// The command that runs it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_tests_are_found_in_the_messages_about_a_build() {
        let message = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/a/host/Cargo.toml","target":{{"test":true}},"profile":{{"opt_level":"0","test":{test}}},"executable":{executable}}}"#
            )
        };
        let tests = Tests::read(&message(true, r#""/a/target/release/deps/remote-00ff""#)).unwrap();
        assert_eq!((tests.name(), tests.folder.to_str()), ("remote", Some("/a/host")));
        assert!(Tests::read(&message(true, "null")).is_none());
        assert!(Tests::read(&message(false, r#""/a/target/release/arena""#)).is_none());
    }
}
