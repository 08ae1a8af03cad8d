//! The reader of journals and transcripts in Python: its wheel is built and installed in an environment of its own, and tested there
//! with the program.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::environment;
use crate::step;

/// The folder of the reader.
const FOLDER: &str = "python";

/// A program that succeeds with a Python that can make environments.
const NEED: &str = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10)";

/// Builds and tests the reader with a program `arena`. Without Python, it says that this is skipped.
pub fn test(program: &Path) -> Result<()> {
    if environment::output_of(Command::new("python3").args(["-c", NEED])).is_none() {
        let missing = "Python 3.10 or later with venv is missing, for the reader of journals; on Debian: apt-get install python3-venv";
        ensure!(env::var_os("ARENA_NO_SKIP").is_none(), "{missing}");
        step::say(&format!("{missing}; its tests are skipped"));
        return Ok(());
    }
    let work = environment::target_dir()?.join("python");
    if work.exists() {
        fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))?;
    }
    fs::create_dir_all(&work).with_context(|| format!("cannot make {}", work.display()))?;
    // A build leaves files in the folder that it builds from.
    let source = work.join("source");
    let python = work.join("venv/bin/python");
    let mut copy = Command::new("cp");
    step::run(
        "copying the reader's source",
        copy.arg("-r").arg(environment::root().join(FOLDER)).arg(&source),
    )?;
    let mut make = Command::new("python3");
    step::run("making an environment for Python", make.args(["-m", "venv"]).arg(work.join("venv")))?;
    let pip = |args: &[&str]| {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(args);
        pip
    };
    let mut build = pip(&["wheel", "--no-deps", "--wheel-dir"]);
    step::run("building the reader's wheel, with setuptools from PyPI", build.arg(&work).arg(&source))?;
    let wheel = fs::read_dir(&work)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .context("pip has made no wheel")?;
    step::run("installing the reader", pip(&["install", "--no-index"]).arg(&wheel))?;
    let mut test = Command::new(&python);
    test.args(["-B", "-W", "error", "-m", "unittest", "discover", "-s"]);
    test.arg(environment::root().join(FOLDER).join("tests")).env("ARENA_PROGRAM", program);
    step::run("testing the reader and its notebook", &mut test)
}
