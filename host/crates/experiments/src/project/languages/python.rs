//! Builds in Python, by componentize-py, which contains a Python of its own.

use super::super::{BuildFailure, Project, Steps};
use super::entries;
use super::tools::run;
use super::venv::{Venv, put};
use std::fs;
use std::path::Path;
use std::process::Stdio;

pub(super) fn build(project: &Project, only_tools: bool, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let native = native_imports(&project.folder);
    if !native.is_empty() {
        return Err(BuildFailure::Missing {
            what: format!("{}: a component has no code for this machine", native.join(", ")),
            next: "use packages in pure Python, or tables that are worked out when the bot is built".into(),
        });
    }
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

/// The imports of packages in a folder that contain code for this machine: `bot.py:3 imports numpy`.
fn native_imports(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for (name, path) in entries(folder).filter(|(name, _)| name.ends_with(".py")) {
        let text = fs::read_to_string(path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            let imports = |package: &String| format!("{name}:{} imports {package}", index + 1);
            found.extend(
                packages_of(line).filter(|package| is_native(folder, package)).map(|it| imports(&it)),
            );
        }
    }
    found
}

/// The packages that a line imports.
fn packages_of(line: &str) -> impl Iterator<Item = String> {
    let line = line.trim_start();
    let from = line.strip_prefix("from ").and_then(|rest| rest.split(" import ").next());
    let modules = from.or_else(|| line.strip_prefix("import ")).unwrap_or_default().split(',');
    let root = |module: &str| module.trim().split(['.', ' ', '#']).next().unwrap_or_default().to_owned();
    modules.map(root).filter(|package| !package.is_empty()).collect::<Vec<_>>().into_iter()
}

/// True if a package in a folder, or a module, contains code for this machine.
fn is_native(folder: &Path, package: &str) -> bool {
    let is_code = |name: &str| [".so", ".pyd", ".dylib"].iter().any(|end| name.ends_with(end));
    let is_module = |name: &str| name.split('.').next() == Some(package) && is_code(name);
    let mut folders = vec![folder.join(package)];
    while let Some(inner) = folders.pop() {
        for (name, path) in entries(&inner) {
            if is_code(&name) {
                return true;
            }
            folders.extend(path.is_dir().then_some(path));
        }
    }
    entries(folder).any(|(name, _)| is_module(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_packages_with_code_for_this_machine_are_named_with_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (path, text) in [
            (
                "bot.py",
                "import json, numpy as np\n\nfrom numpy.linalg import norm\nimport pure # numpy\n    import fast\n",
            ),
            ("test_bot.py", "from bot import Bot\nimporter = from_numpy\n"),
            ("numpy/core/multiarray.cpython-313-x86_64-linux-gnu.so", ""),
            ("fast.abi3.so", ""),
            ("pure/__init__.py", "import numpy"),
        ] {
            fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            fs::write(folder.join(path), text).unwrap();
        }
        let found = native_imports(folder);
        assert_eq!(found, ["bot.py:1 imports numpy", "bot.py:3 imports numpy", "bot.py:5 imports fast"]);
    }
}
