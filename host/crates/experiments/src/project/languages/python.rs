//! Builds in Python, by componentize-py, which contains a Python of its own.

use super::super::{BuildFailure, Project, Steps};
use super::tools::run;
use super::venv::{Venv, put};
use std::process::Stdio;

pub(super) fn build(project: &Project, only_tools: bool, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let venv = Venv::ready(project, arena_starter::PYTHON_REQUIREMENTS, steps)?;
    if only_tools {
        return Ok(());
    }
    let part = ".component.wasm.part";
    let mut tool = venv.tool("componentize-py");
    tool.current_dir(&project.folder).arg("-d").arg(&project.wit);
    if let Some(world) = &project.world {
        tool.args(["-w", world]);
    }
    tool.arg("componentize");
    if project.folder.join("adapter").is_dir() {
        tool.args(["-p", "adapter", "-p", "."]);
    }
    tool.args(["app", "-o", part]);
    // Without the tool's own backtrace, a traceback is easier to read.
    tool.env("RUST_BACKTRACE", "0").stdout(Stdio::null());
    run(steps, "componentize-py", &mut tool)?;
    put(project, part)
}
