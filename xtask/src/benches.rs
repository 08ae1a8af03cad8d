//! The benchmarks, and the tables that are made of their results.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::arena;
use crate::bots;
use crate::environment;
use crate::step;
use crate::workspace;

/// The benchmarks by criterion. The sandbox's own, `loops` and `fuel`, measure operators for the weights of fuel; `fuel` also looks for
/// the slowest units.
const BENCHES: [&str; 3] = ["playing", "steps", "journal"];

/// The benchmark of the built program, which runs child processes.
const PROGRAM: &str = "program";

/// The sandbox's benchmark of all operators, and its word for a search of the slowest units of fuel.
const FUEL: &str = "fuel";
const WORST_UNIT: &str = "worst-unit";

/// The program that writes the tables.
const TABLES: &str = "arena-benches";

/// The program that benchmarks start, and the one that writes the tables.
const PROGRAMS: [&str; 2] = ["arena", TABLES];

/// The arguments of criterion for a brief run. Chosen: everything takes two minutes.
const QUICK: [&str; 6] = ["--warm-up-time", "0.1", "--measurement-time", "0.3", "--sample-size", "10"];

/// The document with the tables.
const DOCUMENT: &str = "BENCHMARKS.md";

/// Runs all benchmarks and writes the tables; or prints them after a brief run; or only runs criterion's benchmarks, if there
/// are arguments for them; or looks for the slowest units of fuel and writes their table, if the argument is its name.
pub fn run(quick: bool, bench_args: &[OsString]) -> Result<()> {
    if bench_args.first().is_some_and(|name| name == WORST_UNIT) {
        return search(bench_args);
    }
    let has_server = workspace::provide_server("contests with workers cannot be measured")?;
    ensure!(has_server, "the benchmarks need a NATS server");
    bots::build()?;
    let mut build = arena::cargo_for_users("build");
    build.args(PROGRAMS.iter().flat_map(|program| ["--bin", program]));
    step::run("building the programs (the first build takes several minutes)", &mut build)?;
    if !bench_args.is_empty() {
        return step::run("running the benchmarks", &mut benches(&BENCHES, bench_args));
    }
    let target_dir = environment::target_dir()?;
    // A folder of its own, so that all results are of one run.
    let results = target_dir.join("benchmarks");
    if results.exists() {
        fs::remove_dir_all(&results).with_context(|| format!("cannot remove {}", results.display()))?;
    }
    let (criterion_args, program_args) =
        if quick { (&QUICK[..], &["--quick"][..]) } else { (&[][..], &[][..]) };
    let measure =
        |benches: &mut Command| step::run("running the benchmarks", benches.env("CRITERION_HOME", &results));
    measure(&mut benches(&BENCHES, criterion_args))?;
    measure(&mut benches(&[PROGRAM], program_args))?;
    let search_args = if quick { &[WORST_UNIT, "--test"][..] } else { &[WORST_UNIT][..] };
    measure(&mut benches(&[FUEL], search_args))?;
    let program = arena::program_for_users(TABLES)?;
    step::run("writing the tables", &mut tables(&program, &results, quick))
}

/// Looks for the slowest units of fuel, and writes their table only.
fn search(bench_args: &[OsString]) -> Result<()> {
    let results = environment::target_dir()?.join(WORST_UNIT);
    let mut build = arena::cargo_for_users("build");
    build.args(["--bin", TABLES]);
    step::run("building the program that writes tables", &mut build)?;
    let mut bench = benches(&[FUEL], bench_args);
    step::run("looking for the slowest units of fuel (some minutes)", bench.env("CRITERION_HOME", &results))?;
    let program = arena::program_for_users(TABLES)?;
    step::run("writing the table", tables(&program, &results, false).arg("--worst-unit"))
}

/// The command that runs benchmarks by name.
fn benches<S: AsRef<OsStr>>(names: &[&str], args: &[S]) -> Command {
    let mut command = arena::cargo_for_users("bench");
    command.args(names.iter().flat_map(|name| ["--bench", name]));
    command.arg("--").args(args);
    command
}

/// The command that makes the tables.
fn tables(program: &Path, results: &Path, quick: bool) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(environment::root())
        .arg(results)
        .arg(DOCUMENT)
        .env("RUSTC", environment::rustc().get_program());
    command.args(quick.then_some("--print"));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &Command, expect: &str) {
        let shown = step::show(command);
        assert!(shown.contains(expect), "`{expect}` is not in: {shown}");
    }

    #[test]
    fn the_arguments_of_criterion_reach_its_benchmarks() {
        let shown = "--bench playing --bench steps --bench journal -- --test  (in ";
        check(&benches(&BENCHES, &["--test"]), shown);
    }

    #[test]
    fn a_search_for_slow_units_runs_the_benchmark_of_operators() {
        check(
            &benches(&[FUEL], &[WORST_UNIT]),
            "bench --profile dist --workspace --bench fuel -- worst-unit  (in ",
        );
    }

    #[test]
    fn a_brief_run_writes_no_document() {
        let command = |quick| tables(Path::new("arena-benches"), Path::new("results"), quick);
        check(&command(true), "arena-benches results BENCHMARKS.md --print");
        check(&command(false), "arena-benches results BENCHMARKS.md  (in ");
    }
}
