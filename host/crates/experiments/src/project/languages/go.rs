//! Builds in Go: a core module by the Go of PyPI, made a component by wasm-tools.

use super::super::{BuildFailure, Project, Steps};
use super::tools::run;
use super::venv::{Venv, make_parts, put};

/// Use exactly this Go.
const ENVIRONMENT: [(&str, &str); 4] =
    [("GOTOOLCHAIN", "local"), ("GOFLAGS", "-mod=mod"), ("GOOS", "wasip1"), ("GOARCH", "wasm")];

pub(super) fn build(project: &Project, only_tools: bool, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let venv = Venv::ready(project, "", steps)?;
    if only_tools {
        return Ok(());
    }
    make_parts(project)?;
    let mut go = venv.tool("go");
    go.args(["build", "-buildmode=c-shared", "-ldflags=-w", "-o", ".build/core.wasm", "."]);
    // Without dependencies, download nothing.
    if !project.folder.join("go.sum").is_file() {
        go.env("GOPROXY", "off");
    }
    run(steps, "go", go.current_dir(&project.folder).envs(ENVIRONMENT))?;
    let built = venv.component(project, steps)?;
    put(project, built)
}
