//! Builds in Go: a core module by the Go of PyPI, made a component by wasm-tools.

use super::super::{BuildFailure, Native, Project, Steps};
use super::tools::run;
use super::venv::{Venv, make_parts, put};
use super::{PARTS, entries, unwritable};
use arena_platform::programs;
use arena_text::shown;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, absolute};
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
    run(steps, "go", go.env("GOOS", "wasip1").env("GOARCH", "wasm"))
        .map_err(|why| or_missing_module(project, &venv, why))?;
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
        run(steps, "go vet", go(project, &venv).args(["vet", "."]))
            .map_err(|why| or_missing_module(project, &venv, why))?;
        return steps.run(go(project, &venv).args(["test", "."]).args(args));
    }
    make_parts(project)?;
    let folder = absolute(&project.folder).map_err(unwritable(&project.folder))?;
    let program = folder.join(PARTS).join(programs::file_name("practice"));
    run(steps, "go", go(project, &venv).args(["build", "-o"]).arg(&program).arg("."))?;
    steps.run(Command::new(program).args(args).current_dir(&folder))
}

/// The failure of a build, or the modules that are missing in `go.mod`, which the author can add.
fn or_missing_module(project: &Project, venv: &Venv, why: BuildFailure) -> BuildFailure {
    let missing = missing_modules(&project.folder);
    let Some((_, first)) = missing.first() else { return why };
    let go = venv.tool("go");
    let go = shown(
        Path::new(go.get_program())
            .strip_prefix(absolute(&project.folder).unwrap_or_default())
            .unwrap_or(Path::new("go")),
    );
    let lines: Vec<_> = missing.iter().map(|(place, module)| format!("{place} imports {module}")).collect();
    BuildFailure::Missing {
        what: format!("{}: go.mod has no such module", lines.join(", ")),
        next: format!(
            "in the folder, `{go} get {first}` downloads it and adds it to go.mod; packages of Go's own need no download"
        ),
    }
}

/// The imports in a folder of modules that `go.mod` does not name: the place, such as `bot.go:4`, and the import.
fn missing_modules(folder: &Path) -> Vec<(String, String)> {
    let required = fs::read_to_string(folder.join("go.mod")).unwrap_or_default();
    let is_known = |import: &str| {
        let mut words = required.split_whitespace();
        words.any(|word| {
            import.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let mut missing = Vec::new();
    for (name, path) in entries(folder).filter(|(name, _)| name.ends_with(".go")) {
        let text = fs::read_to_string(path).unwrap_or_default();
        let imports = text.lines().enumerate().filter_map(|(index, line)| Some((index, imported(line)?)));
        let unknown = imports.filter(|(_, import)| !is_known(import));
        missing.extend(unknown.map(|(index, import)| (format!("{name}:{}", index + 1), import.to_owned())));
    }
    missing
}

/// The package that a line imports, if its path begins with the name of a site, as all but Go's own do.
fn imported(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once('"')?;
    let (path, after) = rest.split_once('"')?;
    let is_import = before.split_whitespace().filter(|word| *word != "import").count() <= 1;
    let is_end = after.trim().is_empty() || after.trim().starts_with("//");
    (is_import && is_end && path.split('/').next()?.contains('.') && path.contains('/')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_modules_that_are_not_required_are_named_with_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (path, text) in [
            ("go.mod", "module bot\n\nrequire (\n\tgolang.org/x/exp v0.1.0\n)\n"),
            (
                "bot.go",
                "package main\n\nimport (\n\t\"fmt\"\n\t\"math/rand/v2\"\n\tset \"golang.org/x/exp/maps\"\n\t\"golang.org/x/expo\"\n)\n\
                 import \"example.com/book\" // a book\nvar list = []string{\n\t\"a.b/c\",\n}\n\tlog(\"x.y/z\")\n",
            ),
            ("notes.txt", "import \"example.com/other\"\n"),
        ] {
            fs::write(folder.join(path), text).unwrap();
        }
        let found = missing_modules(folder);
        let place = |at: &str, import: &str| (at.to_owned(), import.to_owned());
        assert_eq!(found, [place("bot.go:7", "golang.org/x/expo"), place("bot.go:9", "example.com/book")]);
    }
}
