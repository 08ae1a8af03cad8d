//! Builds in C, C++ and Zig, by the clang and the Zig of ziglang; the core module is made a component by wasm-tools.

use super::super::{BuildFailure, Native, Project, Steps};
use super::tools::{output_of, run};
use super::venv::{Venv, make_parts, put};
use super::{PARTS, unwritable};
use arena_engine::Error;
use arena_platform::programs::{self, find};
use arena_text::Text;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitStatus, Stdio};
use std::slice;

/// The options for all sources.
const TARGET: [&str; 2] = ["-target", "wasm32-wasi"];

/// The options for C. ziglang defines NDEBUG when it optimises. That would remove the assertions, so it is undefined.
const C: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-O2", "-UNDEBUG"];

/// The options for C++. Exceptions need a feature of WebAssembly that bots do not have.
const CPP: [&str; 6] = ["-std=c++20", "-fno-exceptions", "-Wall", "-Wextra", "-O2", "-UNDEBUG"];

/// The source in Zig, which imports the others.
const ZIG: &str = "bot.zig";

/// The header with the tools for the game, and its translation to Zig.
const HEADER: [&str; 2] = ["arena.h", "arena.zig"];

/// Checks of memory and arithmetic in tests: a program stops at its first mistake, and names the line.
const CHECKS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The main source of the practice program.
const PRACTICE: &str = "practice_main.c";

/// The source of a game between its rules and the contract: what it calls is only in a component.
const CONTRACT: &str = "contract.c";

/// The beginnings of the names of sources that are not part of a component: the native tests and the practice program.
const NATIVE: [&str; 2] = ["test_", "practice"];

/// The sources with an extension in a folder whose names do not begin with any of these, sorted.
fn sources(folder: &Path, extension: &str, without: &[&str]) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let is_wanted = |name: &str| !without.iter().any(|start| name.starts_with(start));
    let mut sources: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .filter(|path| path.file_name().is_some_and(|name| is_wanted(&name.to_string_lossy())))
        .collect();
    sources.sort();
    sources
}

/// True if a folder has sources.
pub(super) fn is_there(folder: &Path) -> bool {
    folder.join(ZIG).is_file() || ["c", "cpp"].into_iter().any(|it| !sources(folder, it, &NATIVE).is_empty())
}

pub(super) fn build(project: &Project, only_tools: bool, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let venv = Venv::ready(project, "", steps)?;
    if only_tools {
        return Ok(());
    }
    make_parts(project)?;
    let folder = absolute(&project.folder).map_err(unwritable(&project.folder))?;
    if project.is_game {
        // The types in `wit/` are the author's, so the code between them and the contract is written again.
        let written = arena_starter::write_bindings(&folder.join("wit"), &folder.join("adapter"));
        written.map_err(|error| BuildFailure::Missing {
            what: format!("there is no code in C for the types in wit/: {}", Text::new(error.to_string())),
            next: "correct the types; `arena wit game` prints those of the arena".to_owned(),
        })?;
    }
    let zig = || {
        let mut zig = venv.tool("python");
        zig.args(["-m", "ziglang"]).current_dir(&folder);
        zig
    };
    let [mut c, cpp] = ["c", "cpp"].map(|extension| sources(&folder, extension, &NATIVE));
    c.extend(sources(&folder.join("adapter"), "c", &[]));
    let mut parts = Vec::new();
    if folder.join(ZIG).is_file() {
        translate(&folder, &mut zig(), steps)?;
        let mut build = zig();
        build.args(["build-obj", "-O", "ReleaseSafe", "-lc", "-femit-bin=.build/bot.o", ZIG]).args(TARGET);
        run(steps, "zig", &mut build)?;
        parts.push(folder.join(PARTS).join("bot.o"));
    }
    let (mut link, options) = (zig(), ["-mexec-model=reactor", "-o", ".build/core.wasm"]);
    if cpp.is_empty() {
        link.arg("cc").args(C).args(&c);
    } else {
        // One command has the options of one language.
        for source in &c {
            let object = object_of(&folder, source);
            run(
                steps,
                "clang",
                zig().arg("cc").args(TARGET).args(C).arg("-c").arg(source).arg("-o").arg(&object),
            )?;
            parts.push(object);
        }
        link.arg("c++").args(CPP).args(&cpp);
    }
    run(steps, "clang", link.args(TARGET).args(&parts).args(options))?;
    let built = venv.component(project, steps)?;
    // Removes the debug sections. The names of functions stay, so that a fault names them.
    let stripped = ".build/stripped.wasm";
    let mut strip = venv.tool("wasm-tools");
    run(steps, "wasm-tools", strip.args(["strip", built, "-o", stripped]).current_dir(&folder))?;
    put(project, stripped)
}

/// Compiles the tests or the practice program for this machine, and runs them until one fails. Each `test_*.c` is a program of its own.
pub(super) fn run_native(
    project: &Project,
    what: Native,
    args: &[OsString],
    steps: &mut dyn Steps,
) -> Result<ExitStatus, BuildFailure> {
    make_parts(project)?;
    let folder = absolute(&project.folder).map_err(unwritable(&project.folder))?;
    let own = env::var_os("CC").map(PathBuf::from).or_else(|| find("cc"));
    let venv = if own.is_none() { Some(Venv::ready(project, "", steps)?) } else { None };
    let compile = |flags: &[&str], sources: &[PathBuf], program: &Path| {
        let mut cc = own.as_ref().map_or_else(
            || {
                let mut zig = venv.as_ref().expect("it is there without a compiler").tool("python");
                zig.args(["-m", "ziglang", "cc"]);
                zig
            },
            Command::new,
        );
        cc.args(["-std=c11", "-Wall", "-Wextra"]).args(flags).arg("-o").arg(program).args(sources).arg("-lm");
        cc.current_dir(&folder);
        cc
    };
    let place = |name: &str| folder.join(PARTS).join(programs::file_name(name));
    let given = env::var("CFLAGS").ok();
    let flags = |usual| given.as_deref().unwrap_or(usual).split_whitespace().collect::<Vec<_>>();
    if what == Native::Practice && folder.join(PRACTICE).is_file() {
        let program = place("practice");
        run(
            steps,
            "the compiler",
            &mut compile(&flags("-O2 -g"), &sources(&folder, "c", &["test_"]), &program),
        )?;
        return steps.run(Command::new(program).args(args).current_dir(&folder));
    }
    let (empty, tried) = (folder.join(PARTS).join("empty.c"), place("empty"));
    fs::write(&empty, "int main(void) { return 0; }\n").map_err(unwritable(&empty))?;
    let mut flags = flags("-O1 -g");
    if output_of(&mut compile(&CHECKS, &[empty], &tried))
        .and_then(|_| output_of(&mut Command::new(tried)))
        .is_some()
    {
        flags.extend(CHECKS);
    }
    let (tests, others): (Vec<PathBuf>, Vec<PathBuf>) = sources(&folder, "c", &[PRACTICE, CONTRACT])
        .into_iter()
        .partition(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_")));
    if tests.is_empty() || what == Native::Practice {
        let missing = if what == Native::Practice { PRACTICE } else { "test_*.c" };
        let next = "`arena new` writes one for the built-in games".to_owned();
        return Err(BuildFailure::Missing { what: format!("there is no {missing}"), next });
    }
    let mut ended = ExitStatus::default();
    for test in &tests {
        let program = place(&test.file_stem().unwrap_or_default().to_string_lossy());
        let sources = [slice::from_ref(test), &others].concat();
        run(steps, "the compiler", &mut compile(&flags, &sources, &program))?;
        let mut command = Command::new(program);
        // Memory that is still there at the end is no mistake.
        if env::var_os("ASAN_OPTIONS").is_none() {
            command.env("ASAN_OPTIONS", "detect_leaks=0");
        }
        ended = steps.run(command.args(args).current_dir(&folder))?;
        if !ended.success() {
            break;
        }
    }
    Ok(ended)
}

/// The object file of a source.
fn object_of(folder: &Path, source: &Path) -> PathBuf {
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    folder.join(PARTS).join(name + ".o")
}

/// Translates the header to Zig, for sources that import it.
fn translate(folder: &Path, zig: &mut Command, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let [header, translated] = HEADER;
    if !folder.join(header).is_file() {
        return Ok(());
    }
    // It prints the translation.
    let place = folder.join(PARTS).join(translated);
    let file = fs::File::create(&place).map_err(unwritable(&place))?;
    let output =
        zig.args(["translate-c", "-lc", header]).args(TARGET).stdin(Stdio::null()).stdout(file).output();
    let output = output.map_err(|error| Error::machine("cannot start zig", error, "build again"))?;
    if !output.status.success() {
        steps.note(&String::from_utf8_lossy(&output.stderr));
        return Err(BuildFailure::Failed { command: "zig translate-c".to_owned(), status: output.status });
    }
    let to = folder.join(translated);
    fs::rename(&place, &to).map_err(unwritable(&to))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps that are none.
    struct NoSteps;

    impl Steps for NoSteps {
        fn note(&mut self, _: &str) {}

        fn run(&mut self, command: &mut Command) -> Result<ExitStatus, BuildFailure> {
            panic!("{command:?} is run")
        }
    }

    #[test]
    fn a_header_is_translated_if_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir_all(folder.join(PARTS)).unwrap();
        let translated = || translate(folder, &mut Command::new(folder.join("no-zig")), &mut NoSteps);
        translated().unwrap();
        fs::write(folder.join(HEADER[0]), "").unwrap();
        let why = translated().unwrap_err().to_string();
        assert!(why.starts_with("cannot start zig: "), "{why}");
    }
}
