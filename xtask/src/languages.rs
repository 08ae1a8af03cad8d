//! A check of the templates of all languages. The commands of each page for authors are run in an empty folder. Then the bots play each
//! other, the house bots and, for a hundred games each, `random`. A bot may need at most a quarter of a turn's budget. It reads the
//! data of the page about data. In C and JavaScript the bot is made to fail, and its fault must name the place. In Python and JavaScript the
//! profile has the bot's own functions.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::arena;
use crate::bots;
use crate::edit;
use crate::environment;
use crate::mistakes;
use crate::passed;
use crate::step;

mod data;
mod games;

/// The languages.
pub const NAMES: [&str; 6] = ["rust", "python", "python-guide", "javascript", "c", "go"];

/// The name that stands for JavaScript, and authors' mistakes with its larger engine. Those are made only if it is named, because that
/// engine's tools have 385 MB.
pub const SPIDERMONKEY: &str = "spidermonkey";

/// The folder of the guide's pages.
const GUIDE: &str = "docs/guide/src";

/// Returns the guide's pages with commands for a language: its own page, for Rust and Python the way past `hunter`, for Rust the tour, and
/// for C the languages without a template.
fn pages(language: &str) -> Vec<String> {
    let own = format!("languages/{}.md", language.trim_end_matches("-guide"));
    // C++ and Zig are built from the folder for C.
    let others: &[&str] = match language {
        "rust" => &["tour.md", "beating-hunter.md"],
        "python" => &["beating-hunter.md"],
        "c" => &["languages/cpp.md", "languages/zig.md"],
        _ => &[],
    };
    std::iter::once(own).chain(others.iter().map(|&page| page.to_owned())).collect()
}

/// Returns a page's scripts in a language. A script begins with `arena new`, and has all commands up to the next `arena new`.
fn scripts(page: &str, language: &str) -> Result<Vec<String>> {
    let path = environment::root().join(GUIDE).join(page);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut scripts: Vec<String> = Vec::new();
    for block in text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n")) {
        match scripts.last_mut() {
            Some(script) if !block.starts_with("arena new ") => script.push_str(block),
            _ => scripts.push(block.to_owned()),
        }
    }
    scripts.retain(|script| language_of(script) == Some(language));
    Ok(scripts)
}

/// A program that the commands of a language need.
struct Need {
    /// The languages that need it.
    languages: &'static [&'static str],
    /// A command that succeeds if the program is installed.
    command: &'static str,
    /// The message if it is missing: the program, and where to get it.
    advice: &'static str,
}

/// The programs that the package registry of a language does not have.
const NEEDS: [Need; 4] = [
    Need {
        languages: &["python", "python-guide", "c", "go"],
        command: "python3 -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)'",
        advice: "Python 3.10 or later with venv is missing; on Debian: apt-get install python3-venv",
    },
    Need {
        languages: &["javascript"],
        command: "node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'",
        advice: "Node 20 or later is missing; on Debian: apt-get install nodejs, or get it from nodejs.org",
    },
    Need {
        languages: &["javascript"],
        command: "npm --version",
        advice: "npm is missing; on Debian: apt-get install npm",
    },
    Need {
        languages: &["c"],
        command: "cc --version",
        advice: "a C compiler is missing; on Debian: apt-get install gcc libc6-dev",
    },
];

/// The random seed of all games here. Chosen: any fixed seed works.
const SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// The number of games of each bot against `random`.
const GAMES: u32 = 100;

/// The smallest number of them that a bot must win. Chosen: the templates win all of them, or all but one for some seeds.
const WINS_MIN: u32 = 95;

/// The largest part of a turn's budget that a template may need under any rules, in percent. Chosen: the rest is for the author's code.
const BUDGET_PERCENT_MAX: f64 = 25.0;

/// An edit of the bot in C: a text of `bot.c`, and its replacement with an assertion that fails in the third turn. It shows that
/// assertions are compiled in.
const FAILING_ASSERTION: [&str; 2] = [
    "    rng_t rng = rng_of(game, view->turn);\n",
    "#include <assert.h>\n    rng_t rng = rng_of(game, view->turn);\n    assert(view->turn < 3);\n",
];

/// Makes, builds and plays bots in the named languages, or in all languages if `names` is empty. With `changed_only`, nothing is
/// done if all have passed with the same files.
///
/// A language whose tools are missing is skipped. If it was named, that is an error.
pub fn run(names: &[String], changed_only: bool) -> Result<()> {
    let Some(begun) = passed::LANGUAGES.begin(changed_only)? else { return Ok(()) };
    bots::build()?;
    let program = arena::build()?;
    let place = environment::target_dir()?.join("languages");
    let is_named = |language: &str| names.iter().any(|name| name == language);
    let is_wanted = |language: &str| {
        names.is_empty() || is_named(language) || (language == "javascript" && is_named(SPIDERMONKEY))
    };
    let mut built = Vec::new();
    let mut skipped = Vec::new();
    for language in NAMES.into_iter().filter(|language| is_wanted(language)) {
        if let Some(reason) = reason_to_skip(language) {
            step::say(&format!("{language}: skipped, because {reason}"));
            skipped.push(format!("{language} ({reason})"));
            continue;
        }
        let component = author(language, &program, &place.join(language))?;
        games::author(language, &program, &place.join(language))?;
        match language {
            "rust" => games::build_examples(&program)?,
            "python" => games::play_examples(&program, &place.join(language))?,
            _ => {}
        }
        check_fuel(&program, &component)?;
        if language == "python" {
            check_profile(&program, &component, &(0.0..=f64::MAX))?;
        }
        data::check(language, &program, &place.join(language).join("my-bot"))?;
        break_bot(language, names, &program, &place.join(language))?;
        built.push((language, component));
    }
    ensure!(!built.is_empty(), "no bot was built: {}", skipped.join(", "));
    let components: Vec<&Path> = built.iter().map(|(_, component)| component.as_path()).collect();
    play_all(&program, &components)?;
    for component in &components {
        beat_random(&program, component)?;
    }
    let languages: Vec<&str> = built.iter().map(|(language, _)| *language).collect();
    step::say(&format!("languages built and played: {}", languages.join(", ")));
    if !skipped.is_empty() {
        step::say(&format!("languages SKIPPED: {}", skipped.join(", ")));
        ensure!(names.is_empty(), "not all of the named languages were built");
    }
    if languages.len() == NAMES.len() { begun.passed() } else { Ok(()) }
}

/// Returns the reason to skip a language, if there is one.
fn reason_to_skip(language: &str) -> Option<&'static str> {
    let is_there = |command| environment::output_of(Command::new("sh").args(["-c", command])).is_some();
    let mut needs = NEEDS.iter().filter(|need| need.languages.contains(&language));
    needs.find(|need| !is_there(need.command)).map(|need| need.advice)
}

/// Runs the commands of a language's pages in an empty folder, and returns the path of the bot.
fn author(language: &str, program: &Path, folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder)?;
    let mut component = None;
    for page in pages(language) {
        for script in scripts(&page, language)? {
            step::say(&format!("a bot in {language}, as {GUIDE}/{page} makes it:\n{script}"));
            step::run(&format!("trying {language}"), &mut shell(&script, program, folder)?)?;
            let name = script.split_whitespace().nth(2).context("`arena new` has the name of a bot")?;
            component.get_or_insert(folder.join(name).join(format!("{name}.wasm")));
            repeat_natively(&script, program, &folder.join(name))?;
        }
    }
    let component = component.with_context(|| format!("the page for {language} has no commands"))?;
    // The name that tables show.
    let named = folder.join(format!("{language}.wasm"));
    fs::copy(&component, &named).with_context(|| format!("cannot copy {}", component.display()))?;
    Ok(named)
}

/// Runs the line of a script with which the practice program repeats a recorded game: natively, the bot must give each recorded answer.
fn repeat_natively(script: &str, program: &Path, bot: &Path) -> Result<()> {
    for line in script.lines().filter(|line| !line.starts_with("arena replay ") && line.contains("--calls "))
    {
        let said =
            step::output("repeating a recorded game", &mut shell(&format!("{line} 2>&1"), program, bot)?)?;
        ensure!(!said.contains("as recorded"), "`{line}` does not repeat the recorded game:\n{said}");
    }
    Ok(())
}

/// Returns the language of a script.
fn language_of(script: &str) -> Option<&str> {
    script.split_once("--lang ")?.1.split_whitespace().next()
}

/// A shell that runs a script in a folder, with the arena on its path. It ends at the first command that fails.
fn shell(script: &str, program: &Path, folder: &Path) -> Result<Command> {
    // Authors' target folders are in their bots' folders; here there is one for all, so that the SDK is built only once.
    let script = script.replace(" target/debug/", " \"$CARGO_TARGET_DIR\"/debug/");
    let mut command = Command::new("sh");
    command.args(["-eu", "-c", &script]).current_dir(folder);
    // The variables that Cargo has set for this program must not reach the toolchains of authors.
    for (name, _) in std::env::vars_os() {
        if environment::is_of_a_toolchain(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command.env("CARGO_TARGET_DIR", environment::target_dir()?.join("languages/cargo"));
    environment::extend_path(&mut command, program.parent(), None)?;
    Ok(command)
}

/// Checks that a bot needs at most a part of the budget, under all rules.
fn check_fuel(program: &Path, component: &Path) -> Result<()> {
    let mut command = Command::new(program);
    command.arg("check").arg(component).arg("--json");
    let text = step::output("checking the fuel of a turn", &mut command)?;
    let (budgets, most) = (numbers(&text, "budget"), numbers(&text, "most-turn"));
    ensure!(!most.is_empty() && most.len() == budgets.len(), "it does not play in each trial game:\n{text}");
    let percents = most.iter().zip(&budgets).map(|(most, budget)| most / budget * 100.0);
    let percent = percents.fold(0.0, f64::max);
    step::say(&format!("{}: {percent:.1} % of a turn's budget at most", component.display()));
    ensure!(
        percent <= BUDGET_PERCENT_MAX,
        "{} needs {percent:.0} % of a turn's budget; a template may need {BUDGET_PERCENT_MAX} %",
        component.display()
    );
    Ok(())
}

/// Returns the numbers of a key in a JSON document that has each key on its own line.
fn numbers(text: &str, key: &str) -> Vec<f64> {
    let start = format!("\"{key}\": ");
    let values = text.lines().filter_map(|line| line.trim().strip_prefix(&start));
    values.filter_map(|value| value.trim_end_matches(',').parse().ok()).collect()
}

/// Makes mistakes in a bot, checks that what its author is told names the place, and restores its source.
fn break_bot(language: &str, names: &[String], program: &Path, folder: &Path) -> Result<()> {
    let bot = folder.join("my-bot");
    match language {
        "c" => fail_in_c(program, &bot),
        "javascript" => {
            let shell = |script: &str| shell(script, program, &bot);
            mistakes::check("quickjs", "build", program, &bot, shell)?;
            profile_calls(program, &bot, shell)?;
            if names.iter().any(|name| name == SPIDERMONKEY) {
                mistakes::check(SPIDERMONKEY, "build:spidermonkey", program, &bot, shell)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// An edit of the bot in JavaScript: a text of `bot.js`, and its replacement that calls a small function often.
const MANY_CALLS: [&str; 2] = [
    "    const rng = rngOf(game, view.turn);\n",
    "    const one = () => 1;\n    for (let i = 0; i < 10_000; i++) one();\n    const rng = rngOf(game, view.turn);\n",
];

/// The parts of a turn's fuel that may be in the profile of that bot. Chosen: it was 0.85 to 1.19 in six builds, whose bytes and so whose
/// games differ, and nearly 3 with the fuel for watching.
const PROFILED: RangeInclusive<f64> = 0.7..=1.6;

/// Checks the profile of a bot in JavaScript that calls a function often: it must not have the fuel for watching each call.
fn profile_calls(program: &Path, bot: &Path, shell: impl Fn(&str) -> Result<Command>) -> Result<()> {
    edit::with(&bot.join("bot.js"), MANY_CALLS, || {
        step::run("building a bot with many calls in javascript", &mut shell("arena build")?)?;
        check_profile(program, &bot.join("my-bot.wasm"), &PROFILED)
    })
}

/// Checks that a profile has the bot's own functions, which `Bot.play` calls, and such a part of its fuel.
fn check_profile(program: &Path, component: &Path, parts: &RangeInclusive<f64>) -> Result<()> {
    let mut command = Command::new(program);
    command.arg("profile").arg(component).args(["-o", "json"]);
    let text = step::output("profiling a bot's own functions", &mut command)?;
    let [fuel, samples] =
        ["fuel", "samples"].map(|name| numbers(&text, name).first().copied().unwrap_or(0.0));
    let play = "\"function\": \"Bot.play\"";
    let calls = text.split_once(play).and_then(|(_, rest)| numbers(rest, "with-calls").first().copied());
    let part = samples / fuel;
    step::say(&format!("{}: {part:.2} of the fuel is in its profile", component.display()));
    ensure!(
        text.contains("\"is-printed\": true") && calls == Some(samples) && samples > 0.0,
        "the profile of {} is not that of its own functions:\n{text}",
        component.display()
    );
    ensure!(
        parts.contains(&part),
        "the profile of {} has {part:.2} of its fuel:\n{text}",
        component.display()
    );
    Ok(())
}

/// Makes an assertion of a bot in C fail, and checks its fault.
fn fail_in_c(program: &Path, bot: &Path) -> Result<()> {
    let fault = || {
        step::run("building a broken bot in c", &mut shell("arena build", program, bot)?)?;
        let mut command = Command::new(program);
        command.args(["run", "--seed", SEED, "--games", "2", "--output", "json"]);
        command.arg(bot.join("my-bot.wasm")).arg("builtin:random");
        command.output().context("cannot start the arena")
    };
    let output = edit::with(&bot.join("bot.c"), FAILING_ASSERTION, fault)?;
    let said = String::from_utf8_lossy(&output.stdout);
    let (says, frame) = ("Assertion failed: view->turn < 3 (bot.c:", "bot_play");
    ensure!(
        said.contains(says) && said.contains(frame),
        "the fault of a broken bot in c does not say `{says}` with `{frame}`:\n{said}"
    );
    step::say(&format!("a broken bot in c loses with: {says}"));
    Ok(())
}

/// Plays a tournament of all bots and the house bots for Battleship, without a fault.
fn play_all(program: &Path, components: &[&Path]) -> Result<()> {
    let house = environment::root().join("bots");
    let mut command = arena_run(program, 4);
    command.arg(house).args(components);
    let table = step::output("playing a tournament of all languages and the house bots", &mut command)?;
    step::say(&format!("a tournament of all languages and the house bots:\n{table}"));
    ensure!(
        rows(&table).all(|row| number(&row, "faults") == Some(0)),
        "a bot has faults in the tournament above"
    );
    Ok(())
}

/// Plays a bot against `random`, and checks that it wins without a fault.
fn beat_random(program: &Path, component: &Path) -> Result<()> {
    let mut command = arena_run(program, GAMES);
    command.arg(component).arg(environment::root().join("bots/random.wasm"));
    let table = step::output("playing against `random`", &mut command)?;
    let label = component.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let row = rows(&table).find(|row| row.iter().any(|(key, value)| *key == "bot" && *value == label));
    let row = row.with_context(|| format!("{label} is not in the table:\n{table}"))?;
    let (wins, faults) = (number(&row, "wins"), number(&row, "faults"));
    step::say(&format!("{label} wins {} of {GAMES} games against `random`", wins.unwrap_or(0)));
    ensure!(
        wins >= Some(WINS_MIN) && faults == Some(0),
        "{label} is not clearly better than `random`:\n{table}"
    );
    Ok(())
}

/// A tournament with a fixed seed and a table for programs.
fn arena_run(program: &Path, games: u32) -> Command {
    let mut command = Command::new(program);
    command.args(["run", "--strict", "--output", "csv", "--seed", SEED, "--games", &games.to_string()]);
    command
}

/// Returns the rows of a table of comma-separated values: for each column, its name and the value.
fn rows(table: &str) -> impl Iterator<Item = Vec<(&str, &str)>> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(move |line| header.iter().copied().zip(line.split(',')).collect())
}

/// Returns the number in a column.
fn number(row: &[(&str, &str)], column: &str) -> Option<u32> {
    row.iter().find(|(name, _)| *name == column)?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_languages_page_has_the_commands_from_new_to_run() {
        for language in NAMES {
            let page = &pages(language)[0];
            let script = &scripts(page, language).unwrap()[0];
            for phrase in ["arena new ", "\ncd ", "test", "\narena check ", "\narena bench ", "\narena run "]
            {
                assert!(script.contains(phrase), "{page}: `{phrase}` is not in:\n{script}");
            }
        }
    }

    #[test]
    fn no_two_pages_of_a_language_make_the_same_folder() {
        for language in NAMES {
            let all = pages(language).into_iter().flat_map(|page| scripts(&page, language).unwrap());
            let names: Vec<String> =
                all.filter_map(|script| script.split_whitespace().nth(2).map(str::to_owned)).collect();
            let mut different = names.clone();
            different.sort();
            different.dedup();
            assert_eq!(different.len(), names.len(), "{language}: {names:?}");
        }
    }

    #[test]
    fn every_command_of_the_pages_for_authors_is_run() {
        let is_run: Vec<String> = NAMES
            .into_iter()
            .flat_map(|language| pages(language).into_iter().map(move |page| (page, language)))
            .flat_map(|(page, language)| scripts(&page, language).unwrap())
            .collect();
        for page in NAMES.into_iter().flat_map(pages) {
            let text = fs::read_to_string(environment::root().join(GUIDE).join(&page)).unwrap();
            for block in text.split("```").skip(1).step_by(2) {
                let commands = block.strip_prefix("sh\n").unwrap_or_else(|| panic!("{page}: {block}"));
                assert!(is_run.iter().any(|script| script.contains(commands)), "{page}: {commands}");
            }
        }
    }

    #[test]
    fn a_table_is_read_by_its_column_names() {
        let table = "place,bot,wins,faults\n1,c,100,0\n2,random,0,3\n";
        let faults: Vec<_> = rows(table).map(|row| number(&row, "faults")).collect();
        assert_eq!(faults, [Some(0), Some(3)]);
        assert_eq!(rows(table).next().unwrap()[1], ("bot", "c"));
    }

    #[test]
    fn the_numbers_of_a_key_are_read_from_a_document() {
        let text =
            "{\n  \"budget\": 50,\n  \"budget-ms-here\": 3.5,\n  \"most-turn\": 7\n  \"budget\": null\n}";
        assert_eq!((numbers(text, "budget"), numbers(text, "most-turn")), (vec![50.0], vec![7.0]));
    }
}
