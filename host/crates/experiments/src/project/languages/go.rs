//! Builds in Go: a core module by the Go of PyPI, made a component by wasm-tools.

use super::super::{BuildFailure, Native, Project, Steps};
use super::tools::run;
use super::venv::{Venv, make_parts, put};
use super::{PARTS, unwritable};
use arena_platform::programs;
use std::ffi::OsString;
use std::path::absolute;
use std::process::{Command, ExitStatus};

/// Go in the folder, as a command. It uses exactly this Go.
fn go(project: &Project, venv: &Venv) -> Command {
    let mut go = venv.tool("go");
    go.current_dir(&project.folder).env("GOTOOLCHAIN", "local").env("GOFLAGS", "-mod=mod");
    // Without dependencies, download nothing.
    if !project.folder.join("go.sum").is_file() {
        go.env("GOPROXY", "off");
    }
    go
}

pub(super) fn build(project: &Project, only_tools: bool, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let venv = Venv::ready(project, "", steps)?;
    if only_tools {
        return Ok(());
    }
    make_parts(project)?;
    let mut go = go(project, &venv);
    go.args(["build", "-buildmode=c-shared", "-ldflags=-w", "-o", ".build/core.wasm", "."]);
    run(steps, "go", go.env("GOOS", "wasip1").env("GOARCH", "wasm"))?;
    let built = venv.component(project, steps)?;
    put(project, built)
}

/// Runs `go vet` and `go test`, or builds the practice program and runs it.
pub(super) fn run_native(
    project: &Project,
    what: Native,
    args: &[OsString],
    steps: &mut dyn Steps,
) -> Result<ExitStatus, BuildFailure> {
    let venv = Venv::ready(project, "", steps)?;
    if what == Native::Tests {
        run(steps, "go vet", go(project, &venv).args(["vet", "."]))?;
        return steps.run(go(project, &venv).args(["test", "."]).args(args));
    }
    make_parts(project)?;
    let folder = absolute(&project.folder).map_err(unwritable(&project.folder))?;
    let program = folder.join(PARTS).join(programs::file_name("practice"));
    run(steps, "go", go(project, &venv).args(["build", "-o"]).arg(&program).arg("."))?;
    steps.run(Command::new(program).args(args).current_dir(&folder))
}
