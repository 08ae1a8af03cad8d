//! Wrong usage of the command line, explained by the program: the argument, the problem, and the possible values or the form.

use crate::cli::Cli;
use crate::commands::new::OTHER_LANGUAGES;
use crate::console::Console;
use crate::failure::Failure;
use crate::values::{WrongValue, one_of};
use arena_text::Line;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::error::Error;
use std::ffi::OsString;

/// An argument that a message repeats. Chosen: a line and a half of 80.
type Argument = Line<120>;

/// Prints the help or the version, if that is what was asked for in place of a command.
///
/// # Errors
/// Arguments that name no command, or standard output that cannot be written.
pub fn end(error: &clap::Error, args: &[OsString], console: &mut Console) -> Result<(), Failure> {
    let text = || error.render().to_string().trim_end().to_owned();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(console.line(text())?),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            console.tell(text());
            Err(Failure::usage("no command is given", "choose one of the commands above"))
        }
        _ => Err(failure(error, args)),
    }
}

/// The failure that a wrong argument is.
fn failure(error: &clap::Error, args: &[OsString]) -> Failure {
    let (command, definition) = named(args);
    let help = format!("`{command} --help` describes the arguments");
    let form = || match form(error) {
        Some(form) => format!("write {form}; {help}"),
        None => help.clone(),
    };
    let or_help = |meant: Option<String>, otherwise: String| match meant {
        Some(meant) => format!("did you mean {meant}? {otherwise}"),
        None => otherwise,
    };
    let argument = text(error, ContextKind::InvalidArg).map(option).unwrap_or_default();
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let possible = texts(error, ContextKind::ValidValue);
    match error.kind() {
        ErrorKind::MissingRequiredArgument => {
            let missing = texts(error, ContextKind::InvalidArg);
            let verb = if missing.len() == 1 { "is" } else { "are" };
            let possible =
                definition.get_arguments().find(|it| missing == [it.to_string()]).map(possible_values);
            let next = match possible {
                Some(possible) if !possible.is_empty() => format!("{}; {}", choose(&possible), form()),
                _ => form(),
            };
            Failure::usage(format!("{} {verb} missing", missing.join(" and ")), next)
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            let meant = text(error, ContextKind::SuggestedArg);
            let next = or_help(meant, format!("`{command} --help` lists the options"));
            Failure::usage(format!("there is no option {argument}"), next)
        }
        ErrorKind::UnknownArgument => {
            Failure::usage(format!("\"{argument}\" is one argument too many"), form())
        }
        ErrorKind::InvalidSubcommand => {
            let wrong = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let meant: Vec<String> = texts(error, ContextKind::SuggestedSubcommand)
                .iter()
                .map(|meant| format!("`{command} {meant}`"))
                .collect();
            let known = MEANT.iter().find(|(of, words, _)| *of == command && words.contains(&&*wrong));
            let exact = known.map_or_else(|| elsewhere(&wrong), |(.., meant)| vec![format!("`{meant}`")]);
            // What only sounds like it comes last.
            let meant = if exact.is_empty() { meant } else { exact };
            let meant = (!meant.is_empty()).then(|| one_of(&meant));
            let next = or_help(meant, format!("`{command} --help` lists the commands"));
            Failure::usage(format!("there is no command \"{wrong}\""), next)
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            let written = text(error, ContextKind::InvalidArg).unwrap_or_default();
            let next = if possible.is_empty() { format!("write {written}") } else { choose(&possible) };
            Failure::usage(format!("{argument}: the value is missing"), format!("{next}; {help}"))
        }
        ErrorKind::InvalidValue => {
            let meant = text(error, ContextKind::SuggestedValue);
            let others = if argument == "--lang" { format!("; {OTHER_LANGUAGES}") } else { String::new() };
            let next = or_help(meant, choose(&possible) + &others);
            Failure::usage(format!("{argument}: \"{value}\" is not one of its values"), next)
        }
        ErrorKind::ValueValidation => match error.source().map(|source| (source.downcast_ref(), source)) {
            Some((Some(WrongValue { problem, wanted }), _)) => {
                Failure::usage(format!("{argument}: \"{value}\" {problem}"), format!("choose {wanted}"))
            }
            source => {
                let why = source.map(|(_, source)| format!(": {source}")).unwrap_or_default();
                Failure::usage(format!("{argument}: \"{value}\" is not possible{why}"), help)
            }
        },
        ErrorKind::ArgumentConflict => {
            let others: Vec<String> = texts(error, ContextKind::PriorArg).into_iter().map(option).collect();
            if others.contains(&argument) || others.is_empty() {
                return Failure::usage(format!("{argument} is given more than once"), "give it once");
            }
            let mut all: Vec<String> = std::iter::once(argument).chain(others).collect();
            all.dedup();
            Failure::usage(format!("{} cannot be used together", all.join(" and ")), "leave out one of them")
        }
        ErrorKind::TooManyValues if argument.starts_with('-') => Failure::usage(
            format!("{argument} takes no value, but \"{value}\" is given"),
            "leave out the value",
        ),
        ErrorKind::TooManyValues => Failure::usage(format!("\"{value}\" is one argument too many"), form()),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            Failure::usage("too few arguments are given", form())
        }
        ErrorKind::InvalidUtf8 => {
            Failure::usage("an argument is not UTF-8 text", "only the paths of files may have other bytes")
        }
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Failure::usage(first, help)
        }
    }
}

/// The command that the words name, as a user writes it: `arena rules show`.
fn named(args: &[OsString]) -> (String, Command) {
    let (mut name, mut command) = ("arena".to_owned(), Cli::command());
    command.build();
    for word in args.iter().skip(1) {
        let Some(inner) = command.find_subcommand(word).cloned() else { break };
        if inner.get_name() == "help" {
            break;
        }
        name += " ";
        name += inner.get_name();
        command = inner;
    }
    (name, command)
}

/// Words that people take for commands, in a command, and the commands that they mean.
const MEANT: &[(&str, &[&str], &str)] = &[
    ("arena", &["tournament", "match", "league"], "arena run"),
    ("arena", &["init", "create"], "arena new"),
    ("arena", &["test", "validate"], "arena check"),
    ("arena", &["ratings", "table"], "arena standings"),
    ("arena journal", &["begin", "start", "new", "create"], "arena journal seed"),
    ("arena journal", &["end", "finish", "reveal"], "arena journal close"),
];

/// The most places of a word that are suggested. Chosen: more are no help.
const PLACES_MAX: usize = 3;

/// The commands of this name anywhere; if there are none, the one with the only option of this name.
fn elsewhere(word: &str) -> Vec<String> {
    let mut cli = Cli::command();
    cli.build();
    let (mut commands, mut options) = (Vec::new(), Vec::new());
    let mut open: Vec<(String, &Command)> = vec![("arena".to_owned(), &cli)];
    while let Some((name, of)) = open.pop() {
        let has = |arg: &&Arg| arg.get_long() == Some(word) && !arg.is_global_set();
        options.extend(of.get_arguments().find(has).map(|_| format!("`{name} --{word}`")));
        for inner in of.get_subcommands().filter(|inner| inner.get_name() != "help") {
            let name = format!("{name} {}", inner.get_name());
            if inner.get_name() == word {
                commands.push(format!("`{name}`"));
            }
            open.push((name, inner));
        }
    }
    commands.sort_unstable();
    match (commands.len(), options.len()) {
        (1..=PLACES_MAX, _) => commands,
        (0, 1) => options,
        _ => Vec::new(),
    }
}

/// The values of an argument, if it has a few.
fn possible_values(argument: &Arg) -> Vec<String> {
    argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

/// The next step for one of these values.
fn choose(possible: &[String]) -> String {
    format!("choose {}", one_of(possible))
}

/// The name of an option without its value: `--games` of `--games <N>`.
fn option(name: String) -> String {
    match name.split_once([' ', '=']) {
        Some((option, _)) if option.starts_with('-') => option.to_owned(),
        _ => name,
    }
}

/// The forms of the command that lack nothing.
fn form(error: &clap::Error) -> Option<String> {
    let ContextValue::StyledStr(usage) = error.get(ContextKind::Usage)? else { return None };
    let usage = usage.to_string();
    let forms: Vec<String> = usage
        .trim_start_matches("Usage:")
        .lines()
        .map(|form| format!("`{}`", form.trim()))
        .filter(|form| form.len() > 2)
        .collect();
    (!forms.is_empty()).then(|| one_of(&forms))
}

/// The texts of a part of the error; each is one line, since it may repeat an argument.
fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    let line = |text: &String| Argument::new(text).to_string();
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![line(text)],
        Some(ContextValue::Strings(texts)) => texts.iter().map(line).collect(),
        _ => Vec::new(),
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    texts(error, kind).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[track_caller]
    fn check(args: &str, expected: &str) {
        let args: Vec<OsString> =
            std::iter::once("arena").chain(args.split(' ')).map(OsString::from).collect();
        let error = cli::parse(&args).unwrap_err();
        assert_eq!(failure(&error, &args).to_string(), expected);
    }

    #[test]
    fn a_wrong_value_is_reported_with_the_possible_ones() {
        check(
            "run a b --games -5",
            "--games: \"-5\" is less than 1\n  next: choose a whole number from 1 to 1000000",
        );
        check(
            "standings a.db -o xml",
            "--output: \"xml\" is not one of its values\n  next: choose table, json or csv",
        );
        check(
            "rules shwo",
            "there is no command \"shwo\"\n  next: did you mean `arena rules show`? `arena rules --help` lists the commands",
        );
    }

    #[test]
    fn a_command_that_is_elsewhere_is_named_with_its_place() {
        for (words, meant) in [
            ("tv a.db", "did you mean `arena watch --tv`? `arena --help` lists the commands"),
            ("journal begin", "did you mean `arena journal seed`? `arena journal --help` lists the commands"),
            ("tournament a b", "did you mean `arena run`? `arena --help` lists the commands"),
            ("invite ann", "did you mean `arena club invite`? `arena --help` lists the commands"),
            ("journal verify", "did you mean `arena verify`? `arena journal --help` lists the commands"),
            // Many commands have the option, so that it says nothing.
            ("seed", "did you mean `arena journal seed`? `arena --help` lists the commands"),
            ("jobs", "`arena --help` lists the commands"),
            ("xyzzy", "`arena --help` lists the commands"),
        ] {
            let word = words.trim_start_matches("journal ").split(' ').next().unwrap_or_default();
            check(words, &format!("there is no command \"{word}\"\n  next: {meant}"));
        }
    }

    #[test]
    fn an_argument_of_several_lines_forges_no_line() {
        let args = ["arena", "run", "a", "b", "--games", "1\n  next: rm -rf"].map(OsString::from);
        let error = cli::parse(&args).unwrap_err();
        assert_eq!(failure(&error, &args).to_string().lines().count(), 2);
    }
}
