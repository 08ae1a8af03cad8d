//! Programs beside cargo that a chore needs: found, or installed into the target directory.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::environment;
use crate::step;

/// A program that comes as a crate of its own name.
pub struct Tool {
    /// The crate's name, and the program's.
    pub name: &'static str,
    /// The release that is installed where there is none; any other that is found is used.
    pub version: &'static str,
    /// How long installing takes, for who waits.
    pub takes: &'static str,
}

impl Tool {
    /// Makes sure that the program is there, and says in which folder.
    pub fn find_or_install(&self) -> Result<PathBuf> {
        if let Some(program) = environment::find_on_path(self.name) {
            return Ok(program.parent().map(Path::to_path_buf).unwrap_or_default());
        }
        let root = environment::target_dir()?.join("tools");
        let folder = root.join("bin");
        if !self.program(&folder).exists() {
            let mut command = environment::cargo();
            command.args(["install", "--locked", self.name, "--version", self.version, "--root"]).arg(&root);
            step::run(&format!("installing {} ({})", self.name, self.takes), &mut command)
                .with_context(|| format!("{} could not be installed. Is the network there?", self.name))?;
        }
        Ok(folder)
    }

    /// The program in a folder.
    pub fn program(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX))
    }
}
