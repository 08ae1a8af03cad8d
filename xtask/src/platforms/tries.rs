//! What is run of a platform's program, and the table of it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Platform;
use super::node;
use super::places::Ready;
use crate::environment;
use crate::step::{self, Log};

/// The most time for one run. Chosen: under an emulator, on a busy machine, verifying takes minutes.
const SECONDS_MAX: u32 = 1_200;

/// The exit code of `check --sandbox` where a measure is missing: everywhere but on Linux on a real processor.
const UNCONFINED: i32 = 6;

/// What is run: the arguments, the exit code, and a phrase in the output.
///
/// A turn has much time, because an emulated processor is slow and none of these may be decided by the clock.
const TRIES: [(&str, i32, &str); 25] = [
    ("--version", 0, "arena "),
    ("check --sandbox", UNCONFINED, "verdict"),
    ("new my-bot --lang c", 0, "my-bot"),
    ("new my-js-bot --lang javascript", 0, "my-js-bot"),
    ("build my-js-bot", 0, ""),
    ("check my-js-bot/my-js-bot.wasm --quick", 0, "ready to play"),
    ("check battleship/sweeper.wasm --quick", 0, "ready to play"),
    ("check battleship/traps-in-play.wasm --quick", 3, "wasm `unreachable` instruction executed"),
    ("check battleship/reads-out-of-bounds.wasm --quick", 3, "out of bounds memory access"),
    ("check battleship/divides-by-zero.wasm --quick", 3, "integer divide by zero"),
    ("check battleship/recursion.wasm --quick", 3, "call stack exhausted"),
    ("check battleship/loops-in-play.wasm --quick --fuel 500000", 3, "used up its fuel"),
    ("check battleship/grow-bomb.wasm --quick", 3, "the cap is 67108864"),
    ("check battleship/log-flood.wasm --quick", 0, "ready to play"),
    ("check battleship/nan-payloads.wasm --quick", 0, "ready to play"),
    ("run my-js-bot/my-js-bot.wasm builtin:hunter --games 2 --journal own.db", 0, "2 games"),
    ("verify --journal own.db", 0, "verified 2 of 2"),
    ("standings own.db", 0, "my-js-bot"),
    ("games own.db", 0, "my-js-bot"),
    ("replay own.db 1 --headless", 0, "my-js-bot"),
    ("report own.db --output site", 0, "site"),
    ("dev my-dev --once", 0, "build 1 is kept"),
    (
        "verify --journal battleship.db --replay-all battleship --timeout 600 --game-timeout 6000",
        0,
        "the same head",
    ),
    (
        "verify --journal submarine.db --replay-all submarine --timeout 600 --game-timeout 6000",
        0,
        "the same head",
    ),
    (
        "verify --journal matches.db --replay-all matches --timeout 600 --game-timeout 6000",
        0,
        "the same head",
    ),
];

/// What this machine's program does with the journal that another has made, and a phrase in its output.
const HERE: (&str, &str) = ("verify --journal own.db", "verified 2 of 2");

/// What became of a platform.
pub struct Column {
    platform: Platform,
    mebibytes: f64,
    /// For each of [`TRIES`], and for [`HERE`], its time, or what was wrong; empty when the program was only built.
    runs: Vec<Result<Duration, String>>,
}

impl Column {
    /// What was wrong in each run that failed.
    pub fn failures(&self) -> Vec<String> {
        let failure = |(args, run): (&str, &Result<Duration, String>)| {
            Some(format!("{}: {args}: {}", self.platform.target, run.as_ref().err()?))
        };
        titles().iter().map(String::as_str).zip(&self.runs).filter_map(failure).collect()
    }
}

/// The runs, as the table names them.
fn titles() -> Vec<String> {
    let there = TRIES.iter().map(|(args, ..)| format!("`arena {args}`"));
    there.chain([format!("`arena {}` on the machine that built it", HERE.0)]).collect()
}

/// The time of a command since its beginning, or what was wrong with its exit code or its output.
fn judge(mut command: Command, code: i32, phrase: &str) -> Result<Result<Duration, String>> {
    let begun = Instant::now();
    // Into a file: under Wine, Node does not start when it writes into a pipe.
    let mut printed = Log::of(&mut command)?;
    let status = command.stdin(Stdio::null()).status().context("cannot start the arena")?;
    let time = begun.elapsed();
    let text = printed.text();
    let is_right = status.code() == Some(code) && text.contains(phrase);
    Ok(is_right.then_some(time).ok_or_else(|| format!("{status}\n{text}")))
}

/// Runs a platform's program, if it runs here.
pub fn of(platform: &Platform, program: &Path) -> Result<Column> {
    let mebibytes = fs::metadata(program)?.len() as f64 / f64::from(1 << 20);
    let mut runs = Vec::new();
    if let Some(place) = platform.place {
        let ready = Ready::make(place, program)?;
        fill(&ready.work(), platform)?;
        for (args, code, phrase) in TRIES {
            step::say(&format!("{}: arena {args}", platform.target));
            let code = if code == UNCONFINED && platform.is_confined_here() { 0 } else { code };
            let judged = |ready: &Ready| judge(ready.command(args, SECONDS_MAX), code, phrase);
            runs.push(match args.strip_prefix("build ") {
                Some(project) => node::build(&ready, platform, program, project, judged)?,
                None => judged(&ready)?,
            });
        }
        let mut here = environment::cargo();
        here.args(["run", "--quiet", "--release", "-p", "arena", "--manifest-path"]);
        here.arg(environment::root().join("Cargo.toml")).arg("--");
        here.args(HERE.0.split(' ')).current_dir(ready.work());
        step::say(&format!("{}: its journal, verified here", platform.target));
        runs.push(judge(here, 0, HERE.1)?);
    }
    Ok(Column { platform: *platform, mebibytes, runs })
}

/// Puts the corpus and a folder for `arena dev` into a work folder.
fn fill(work: &Path, platform: &Platform) -> Result<()> {
    let mut bots = environment::cargo();
    bots.args(["run", "--quiet", "--release", "-p", "arena-testkit", "--example", "zoo", "--"]).arg(work);
    step::run("making the bots of the corpus", &mut bots)?;
    let corpus = environment::root().join("tests/corpus");
    for file in fs::read_dir(&corpus).with_context(|| format!("cannot read {}", corpus.display()))? {
        let file = file?;
        fs::copy(file.path(), work.join(file.file_name()))?;
    }
    let project = work.join("my-dev");
    fs::create_dir_all(&project)?;
    fs::copy(work.join("battleship/sweeper.wasm"), project.join("bot.wasm"))?;
    let manifest = format!("build = '../{} --version'\nbot = 'bot.wasm'\n", platform.program());
    fs::write(project.join("arena.toml"), manifest).context("cannot write a manifest")
}

/// The table of all platforms, in Markdown.
pub fn table(columns: &[Column]) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let with_title = |title: &str, cell: &dyn Fn(&Column) -> String| {
        row([title.to_owned()].into_iter().chain(columns.iter().map(cell)).collect())
    };
    let mut text = with_title("", &|column| column.platform.target.to_owned());
    text += &with_title("---", &|_| "---".to_owned());
    text += &with_title("size of the program", &|column| format!("{:.1} MiB", column.mebibytes));
    for (at, title) in titles().iter().enumerate() {
        text += &with_title(title, &|column| match column.runs.get(at) {
            None => "only built".to_owned(),
            Some(Ok(time)) => format!("{:.1} s", time.as_secs_f64()),
            Some(Err(_)) => "FAILED".to_owned(),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::PLATFORMS;

    #[test]
    fn a_platform_that_was_only_built_is_not_said_to_have_run() {
        let mut runs: Vec<Result<Duration, String>> =
            titles().iter().map(|_| Ok(Duration::from_secs(1))).collect();
        runs[1] = Err("exit status: 1".to_owned());
        let columns = [(PLATFORMS[0], runs), (PLATFORMS[2], Vec::new())].map(|(platform, runs)| Column {
            platform,
            mebibytes: 50.0,
            runs,
        });
        let table = table(&columns);
        assert!(table.contains("| `arena --version` | 1.0 s | only built |"), "{table}");
        assert!(table.contains("| `arena check --sandbox` | FAILED | only built |"), "{table}");
        assert_eq!(
            columns[0].failures(),
            ["x86_64-unknown-linux-gnu: `arena check --sandbox`: exit status: 1"]
        );
        assert!(columns[1].failures().is_empty());
    }
}
