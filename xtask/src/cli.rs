//! The command line of the chores, read into a [`Task`] before anything runs.

use std::ffi::OsString;

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Build everything and run the house bots against each other.
    Demo {
        /// More arguments for `arena run`.
        arena_args: Vec<OsString>,
    },
    /// Build everything and run every check.
    Test,
    /// Build the house bots.
    Bots,
    /// Run the benchmarks.
    Bench {
        /// More arguments for the benchmarks themselves.
        bench_args: Vec<OsString>,
    },
    /// Check that the bots build with `cargo component` too.
    Component,
    /// Check what comes in from elsewhere.
    Deny {
        /// Whether to fetch the database of advisories first.
        fetch: bool,
    },
    /// Explain; all of it, or one command.
    Help(Option<&'static Topic>),
}

/// A command as the help text explains it.
#[derive(Debug, PartialEq, Eq)]
pub struct Topic {
    /// What one types after `cargo xtask`.
    pub name: &'static str,
    /// What follows the name.
    arguments: &'static str,
    /// What it does, in a line.
    summary: &'static str,
    /// What else is worth knowing before running it.
    details: &'static str,
}

/// All commands, in the order in which help lists them.
const TOPICS: [Topic; 7] = [
    Topic {
        name: "demo",
        arguments: " [-- ARGUMENTS OF `arena run`]",
        summary: "build everything and let the house bots play each other",
        details: "Finds or installs the wasm target, builds the house bots and the arena, and runs\n\
                  `arena run bots/hunter.wasm bots/random.wasm bots/sweeper.wasm` with your arguments.\n\
                  Its exit code is the arena's. The first run compiles for some minutes, later ones start at once.",
    },
    Topic {
        name: "test",
        arguments: "",
        summary: "build everything and run every check, as CI does",
        details: "In this order: rustfmt, the house bots, clippy and rustdoc with warnings denied, the example bot\n\
                  (its tests and its component), and all tests of the workspace, doc tests included.",
    },
    Topic {
        name: "bots",
        arguments: "",
        summary: "build the house bots into bots/*.wasm and bots/submarine/*.wasm",
        details: "Finds or installs the wasm target first. Where RUSTUP_AUTO_INSTALL=0 is set, rustup is never\n\
                  called and Debian's packages are used instead. The flags in RUSTFLAGS are for the host and do not\n\
                  reach the bots; the components do not depend on where the checkout lies.",
    },
    Topic {
        name: "bench",
        arguments: " [-- ARGUMENTS OF CRITERION]",
        summary: "run the benchmarks",
        details: "Runs every criterion benchmark of the workspace, e.g. `cargo xtask bench -- --save-baseline before`.",
    },
    Topic {
        name: "component",
        arguments: "",
        summary: "check that the bots build with `cargo component build --release`",
        details: "Installs cargo-component into the target directory if it is missing, which takes over five minutes\n\
                  of compiling; so this is a check of its own and not part of `test`.",
    },
    Topic {
        name: "deny",
        arguments: " [--fetch]",
        summary: "check dependencies' licences, sources and advisories",
        details: "Runs cargo-deny by deny.toml: licences, banned crates and features, sources, and the advisories of\n\
                  RustSec's database as it is on this machine; where there is none that is said, and it is no failure.\n\
                  With --fetch it is fetched from GitHub first. Installs cargo-deny into the target directory if it is\n\
                  missing, which takes some two minutes of compiling; so this is a check of its own, which CI runs\n\
                  after `test`.",
    },
    Topic {
        name: "help",
        arguments: " [COMMAND]",
        summary: "show this text, or what a command does",
        details: "Every command also takes --help.",
    },
];

/// Reads the arguments that follow `cargo xtask`; the error is a message for a person.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Task, String> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    let separator = args.iter().position(|arg| arg == "--");
    let passed_on = separator.map(|at| args.split_off(at).split_off(1)).unwrap_or_default();
    let mut own = args.into_iter();

    let Some(name) = own.next() else { return Ok(Task::Help(None)) };
    if is_help(&name) {
        return Ok(Task::Help(None));
    }
    let topic = find_topic(&name)?;
    if let Some(arg) = own.next() {
        return match topic.name {
            _ if is_help(&arg) => Ok(Task::Help(Some(topic))),
            "help" => find_topic(&arg).map(|topic| Task::Help(Some(topic))),
            "deny" if arg == "--fetch" => Ok(Task::Deny { fetch: true }),
            "demo" | "bench" => Err(format!(
                "`{0}` takes its arguments after a `--`: cargo xtask {0} -- {1} …",
                topic.name,
                arg.display()
            )),
            _ => Err(format!("`{}` takes no argument `{}`", topic.name, arg.display())),
        };
    }
    let task = match topic.name {
        "demo" => return Ok(Task::Demo { arena_args: passed_on }),
        "bench" => return Ok(Task::Bench { bench_args: passed_on }),
        "test" => Task::Test,
        "bots" => Task::Bots,
        "component" => Task::Component,
        "deny" => Task::Deny { fetch: false },
        _ => Task::Help(None),
    };
    match passed_on.first() {
        None => Ok(task),
        Some(arg) => Err(format!("`{}` takes no argument `{}`", topic.name, arg.display())),
    }
}

fn is_help(arg: &OsString) -> bool {
    arg == "--help" || arg == "-h"
}

fn find_topic(name: &OsString) -> Result<&'static Topic, String> {
    TOPICS.iter().find(|topic| name == topic.name).ok_or_else(|| {
        let names: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
        format!("there is no command `{}`; the commands are {}", name.display(), names.join(", "))
    })
}

/// The help text for everything or for one command.
pub fn help(topic: Option<&Topic>) -> String {
    if let Some(Topic { name, arguments, summary, details }) = topic {
        return format!("cargo xtask {name}{arguments}\n\n{summary}\n\n{details}");
    }
    let commands: String =
        TOPICS.iter().map(|topic| format!("  {:<10} {}\n", topic.name, topic.summary)).collect();
    format!(
        "The chores of this project.\n\nUsage: cargo xtask COMMAND\n\n{commands}\n\
         `cargo xtask COMMAND --help` says more. Start with `cargo xtask demo`."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &Task) {
        assert_eq!(parse(words(line)).as_ref(), Ok(expect), "cargo xtask {line}");
    }

    #[track_caller]
    fn check_refusal(line: &str, phrase: &str) {
        let message = parse(words(line)).expect_err(line);
        assert!(message.contains(phrase), "`{phrase}` is not in: {message}");
    }

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn each_command_is_known_by_its_name() {
        check("demo", &Task::Demo { arena_args: vec![] });
        check("test", &Task::Test);
        check("bots", &Task::Bots);
        check("bench", &Task::Bench { bench_args: vec![] });
        check("component", &Task::Component);
        check("deny", &Task::Deny { fetch: false });
        check("deny --fetch", &Task::Deny { fetch: true });
    }

    #[test]
    fn no_command_at_all_asks_for_help() {
        check("", &Task::Help(None));
        check("--help", &Task::Help(None));
        check("-h", &Task::Help(None));
        check("help", &Task::Help(None));
    }

    #[test]
    fn every_command_explains_itself() {
        for topic in &TOPICS {
            check(&format!("{} --help", topic.name), &Task::Help(Some(topic)));
            check(&format!("help {}", topic.name), &Task::Help(Some(topic)));
        }
    }

    #[test]
    fn what_follows_the_separator_is_passed_on_untouched() {
        check("demo -- --games 10 --", &Task::Demo { arena_args: words("--games 10 --") });
        check("demo -- --help", &Task::Demo { arena_args: words("--help") });
        check("bench -- --save-baseline x", &Task::Bench { bench_args: words("--save-baseline x") });
    }

    #[test]
    fn an_argument_without_the_separator_is_refused_with_the_remedy() {
        check_refusal("demo --games 10", "cargo xtask demo -- --games");
    }

    #[test]
    fn a_command_without_arguments_refuses_any() {
        check_refusal("test --fast", "`test` takes no argument `--fast`");
        check_refusal("bots -- hunter", "`bots` takes no argument `hunter`");
        check_refusal("deny advisories", "`deny` takes no argument `advisories`");
    }

    #[test]
    fn an_unknown_command_is_answered_with_the_list() {
        check_refusal("tset", "the commands are demo, test, bots, bench, component, deny, help");
        check_refusal("help tset", "there is no command `tset`");
    }

    #[test]
    fn the_help_text_lists_every_command() {
        let text = help(None);
        for topic in &TOPICS {
            assert!(text.contains(topic.name) && text.contains(topic.summary), "{}", topic.name);
        }
    }
}
