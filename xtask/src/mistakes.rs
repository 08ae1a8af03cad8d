//! Authors' mistakes in JavaScript: the template's bot is changed, built and checked, and must print and be told what
//! `tests/program/mistakes.txt` says. That file describes its form.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::edit;
use crate::environment;
use crate::step;

/// The file of the cases.
const CASES: &str = "tests/program/mistakes.txt";

/// The line above a change: `--- changed ENGINE`.
const CHANGE: &str = "--- changed ";

/// A mistake in JavaScript.
struct Case {
    name: String,
    /// The engine: `quickjs` or `spidermonkey`.
    engine: String,
    /// True if the bot cannot be built.
    is_refused: bool,
    /// What the bot prints in its first turn; `None` when it prints that only if it is asked where it is.
    printed: Option<String>,
    /// A line of `bot.js`, and the lines instead of it.
    change: [String; 2],
    /// Parts of the output of `arena check`, or of the build that fails.
    told: Vec<String>,
}

impl Case {
    /// Reads a case; `None` when it has no change.
    fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once('\n')?;
        let (way, rest) = rest.split_once('\n')?;
        let (printed, rest) = rest.split_once(CHANGE)?;
        let (engine, rest) = rest.split_once('\n')?;
        let (change, told) = rest.split_once("--- told\n")?;
        let (from, to) = change.split_once('\n')?;
        Some(Self {
            name: name.to_owned(),
            engine: engine.to_owned(),
            is_refused: way == "build",
            printed: (way == "traps").then(|| printed.to_owned()),
            change: [format!("{from}\n"), to.to_owned()],
            told: told.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect(),
        })
    }

    /// Checks that a text has what the author must be told.
    fn is_told_in(&self, text: &str) -> Result<()> {
        for part in &self.told {
            ensure!(text.contains(part), "`{part}` is not in:\n{text}");
        }
        Ok(())
    }

    /// Builds the bot that has the mistake, and compares what it prints and what its author is told.
    fn make(&self, build: &mut Command, program: &Path, bot: &Path) -> Result<()> {
        if !self.is_refused {
            step::run_hidden(&format!("building {} ({})", self.name, self.engine), build)?;
            return compare(self, program, bot);
        }
        let output = build.output().context("cannot start the build")?;
        ensure!(!output.status.success(), "it is built");
        let said = String::from_utf8_lossy(&output.stderr);
        self.is_told_in(&said)?;
        ensure!(!said.contains("node:internal"), "with a stack of Node:\n{said}");
        Ok(())
    }
}

/// Reads all cases that have a change.
fn cases() -> Result<Vec<Case>> {
    let path = environment::root().join(CASES);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text.split("\n=== ").skip(1).filter_map(Case::parse).collect())
}

/// Makes each mistake of an engine in a bot's folder, where `npm run SCRIPT` builds it, and restores its source. `shell` makes a command
/// of a script.
pub fn check(
    engine: &str,
    script: &str,
    program: &Path,
    bot: &Path,
    shell: impl Fn(&str) -> Result<Command>,
) -> Result<()> {
    let mut count = 0;
    for case in cases()?.iter().filter(|case| case.engine == engine) {
        let [from, to] = &case.change;
        edit::with(&bot.join("bot.js"), [from, to], || {
            case.make(&mut shell(&format!("npm run {script}"))?, program, bot)
        })
        .with_context(|| format!("{CASES}: {}", case.name))?;
        count += 1;
    }
    ensure!(count > 0, "{CASES} has no case of {engine}");
    step::say(&format!("{count} mistakes in JavaScript with {engine} print and are told what {CASES} says"));
    Ok(())
}

/// Compares what a bot prints, and what its author is told, with a case.
fn compare(case: &Case, program: &Path, bot: &Path) -> Result<()> {
    let name = bot.file_name().unwrap_or_default().to_string_lossy();
    let component = format!("{name}.wasm");
    let run = |args: &[&str]| {
        let output = Command::new(program).args(args).arg(&component).current_dir(bot).output();
        output.with_context(|| format!("cannot start {}", program.display()))
    };
    let output = run(&["check", "--quick", "--rules", "guide"])?;
    case.is_told_in(&String::from_utf8_lossy(&output.stdout))?;
    let Some(expected) = &case.printed else { return Ok(()) };
    let logs = bot.join(".logs");
    if logs.exists() {
        fs::remove_dir_all(&logs)?;
    }
    // The exit code is that of a bot with a fault.
    run(&["run", "--rules", "guide", "--games", "1", "--seed", "1", "--logs", ".logs", "builtin:random"])?;
    let mut printed = String::new();
    for entry in fs::read_dir(&logs).context("the bot printed nothing")? {
        let text = fs::read_to_string(entry?.path())?;
        let lines = text.lines().map(|line| line.strip_prefix("turn 1:").unwrap_or(line));
        lines.for_each(|line| {
            printed += &format!("{}\n", place_of_bindings(line.strip_prefix(' ').unwrap_or(line)))
        });
    }
    ensure!(
        printed.trim_end() == expected.trim_end(),
        "the bot prints another text; if that is right, put it there:\n{printed}"
    );
    Ok(())
}

/// Gives the bindings of SpiderMonkey, which each build writes to another folder, the same folder: `/tmp/0/sources/initializer.js`.
fn place_of_bindings(line: &str) -> String {
    let parts =
        line.split_once("@/tmp/").and_then(|(function, place)| Some((function, place.split_once('/')?.1)));
    parts.map_or(line.to_owned(), |(function, file)| format!("{function}@/tmp/0/{file}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_have_cases_whose_change_fits_the_template() {
        let template = environment::root().join("host/crates/starter/templates/javascript/bot.js");
        let source = fs::read_to_string(template).unwrap();
        let cases = cases().unwrap();
        for engine in ["quickjs", "spidermonkey"] {
            assert!(cases.iter().any(|case| case.engine == engine), "{engine}");
        }
        for Case { name, change: [from, to], told, .. } in &cases {
            assert!(source.contains(from) && !to.is_empty() && !told.is_empty(), "{name}: {from}");
        }
    }

    #[test]
    fn a_case_has_the_printed_text_the_change_and_what_is_told() {
        let text =
            "a mistake\ntraps\nError: x\n    at y\n--- changed quickjs\nold;\nnew;\nmore;\n--- told\nx\n";
        let case = Case::parse(text).unwrap();
        assert_eq!(case.printed.as_deref(), Some("Error: x\n    at y\n"));
        assert_eq!(case.change, ["old;\n", "new;\nmore;\n"]);
        assert_eq!((case.engine.as_str(), case.told), ("quickjs", vec!["x".to_owned()]));
        assert!(Case::parse("a mistake\nzoo x\n--- told\nx\n").is_none());
    }
}
