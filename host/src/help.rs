//! The complete help of `--help`: two columns, as in the short one, with what clap would set below each option.
//!
//! The options that many commands have are a line each there, and are explained once, in the help of the program.

use crate::args::{CacheArgs, LimitArgs};
use clap::builder::{Resettable, StyledStr};
use clap::{Arg, Args, Command};
use std::ffi::OsString;

/// The heading of the options that many commands have.
pub const COMMON: &str = "Bots";

/// The heading of these options where they are a line each.
const COMMON_IN_BRIEF: &str = "Bots (explained once, by `arena --help`)";

/// True if the words ask for the complete help.
pub fn is_asked(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--help") || words.get(1).is_some_and(|word| word == "help")
}

/// The program with the short help of each command, which says that there is a complete one.
pub fn short(program: Command) -> Command {
    match program.get_after_help().cloned() {
        Some(after) => program.after_long_help(after),
        None => program,
    }
}

/// The program with the complete help of each command.
pub fn complete(program: Command) -> Command {
    let outer = match program.get_after_help() {
        Some(after) => format!("{}\n\n{after}", common()),
        None => common(),
    };
    with_all(program).after_help(outer)
}

/// The options that many commands have, with all that there is to say.
fn common() -> String {
    let options = CacheArgs::augment_args(LimitArgs::augment_args(Command::new("arena")));
    let options =
        options.mut_args(|arg| in_two_columns(arg).help_heading("Options of all commands that run bots"));
    let mut options = options.disable_help_flag(true).max_term_width(100).help_template("{all-args}");
    options.render_help().to_string().trim_end().to_owned()
}

/// A command, and those in it, with the complete help.
fn with_all(command: Command) -> Command {
    let long = command.get_long_about().cloned();
    let command = match long {
        Some(about) => command.about(about).long_about(Resettable::<StyledStr>::Reset),
        None => command,
    };
    let arg = |arg: Arg| match arg.get_help_heading() {
        Some(COMMON) => in_brief(arg).help_heading(COMMON_IN_BRIEF),
        _ => in_two_columns(arg),
    };
    command.mut_args(arg).mut_subcommands(with_all)
}

/// An option with its first line only.
fn in_brief(arg: Arg) -> Arg {
    arg.long_help(Resettable::<StyledStr>::Reset).hide_short_help(false)
}

/// An option whose help has everything: its first line with its default, its explanation, and its values.
fn in_two_columns(arg: Arg) -> Arg {
    let long = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let (first, rest) = long.split_once("\n\n").unwrap_or((&long, ""));
    let mut lines = vec![first.to_owned()];
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !defaults.is_empty() {
        lines[0] += &format!(" [default: {}]", defaults.join(" "));
    }
    lines.extend(rest.split("\n\n").filter(|paragraph| !paragraph.is_empty()).map(str::to_owned));
    let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
    let (explained, plain): (Vec<_>, Vec<_>) = values.iter().partition(|value| value.get_help().is_some());
    if !plain.is_empty() {
        let names: Vec<&str> = plain.iter().map(|value| value.get_name()).collect();
        lines[0] += &format!(" [possible values: {}]", names.join(", "));
    }
    lines.extend(
        explained
            .into_iter()
            .filter_map(|value| Some(format!("{}: {}", value.get_name(), value.get_help()?))),
    );
    let arg = in_brief(arg).help(lines.join("\n"));
    arg.hide_default_value(true).hide_possible_values(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    /// The words of a text, whatever its lines are.
    fn words(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A command and all commands in it, each with the words that name it.
    fn with_inner(command: &Command, name: &str) -> Vec<(Command, String)> {
        let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help");
        let inner = inner.flat_map(|inner| with_inner(inner, &format!("{name} {}", inner.get_name())));
        [(command.clone(), name.to_owned())].into_iter().chain(inner).collect()
    }

    /// The complete help of a command, as words.
    fn help(name: &str) -> String {
        let line = format!("{name} --help");
        let asked = complete(Cli::command()).try_get_matches_from(line.split(' '));
        words(&asked.expect_err("it is help").to_string())
    }

    #[test]
    fn each_option_is_explained_in_the_complete_help_of_its_command_or_of_the_program() {
        let mut plain = Cli::command();
        plain.build();
        let of_program = help("arena");
        let (mut common, mut own) = (0, 0);
        for (command, name) in with_inner(&plain, "arena") {
            let help = help(&name);
            for arg in command.get_arguments() {
                let is_common = arg.get_help_heading() == Some(COMMON);
                let place = if is_common { &of_program } else { &help };
                if let Some(option) = arg.get_long() {
                    assert!(help.contains(&format!("--{option}")), "{name} {arg}\n{help}");
                }
                let is_of_clap = matches!(arg.get_id().as_str(), "help" | "version");
                let long = arg.get_long_help().or(arg.get_help()).filter(|_| !is_of_clap);
                for paragraph in long.map(ToString::to_string).unwrap_or_default().split("\n\n") {
                    assert!(place.contains(&words(paragraph)), "{name} {arg}: {paragraph}\n{place}");
                }
                let values = arg.get_possible_values();
                for value in values.iter().filter(|_| arg.get_action().takes_values()) {
                    assert!(place.contains(value.get_name()), "{name} {arg}: {}\n{place}", value.get_name());
                }
                *(if is_common { &mut common } else { &mut own }) += 1;
            }
        }
        assert!(common > 50 && own > 200, "{common} {own}");
    }

    #[test]
    fn the_complete_help_is_asked_for_by_an_option_and_by_a_command() {
        let asks = |line: &str| is_asked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(asks("arena run --help") && asks("arena help run") && asks("arena --help"));
        assert!(!asks("arena run -h") && !asks("arena run help.wasm") && !asks("arena"));
    }
}
