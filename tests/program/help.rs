//! The help: `-h` is short, `--help` is complete, and `docs/guide/src/cli.md` is the second.

use crate::support::Place;

/// The page of all commands.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/src/cli.md");

/// The beginning of that page.
const HEAD: &str = "# The command line\n\nEvery command with all of its options, as `arena COMMAND --help` prints them.\n\n\
                    <!-- Written by tests/program/help.rs: run that test with INSTA_UPDATE=always. -->\n";

/// The help of a command, such as `journal info`, by one of the options for it.
fn help(command: &str, option: &str) -> String {
    Place::empty().arena(&format!("{command} {option}")).expect_code(0).stdout
}

/// The commands that the help of a command lists, except `help`.
pub fn commands(command: &str) -> Vec<String> {
    let help = help(command, "-h");
    let Some((_, rest)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| *name != "help").map(|name| format!("{command} {name}").trim().to_owned()).collect()
}

/// The program itself, and all commands with the commands inside them.
fn all_commands() -> Vec<String> {
    let outer = commands("");
    let all = outer.into_iter().flat_map(|command| {
        let inner = commands(&command);
        [command].into_iter().chain(inner)
    });
    [String::new()].into_iter().chain(all).collect()
}

#[test]
fn the_page_of_all_commands_is_what_their_help_prints() {
    let mut page = HEAD.to_owned();
    for command in all_commands() {
        let title = format!("arena {command}");
        let help = help(&command, "--help");
        let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        page += &format!("\n## {}\n\n```text\n{}\n```\n", title.trim(), lines.join("\n"));
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(PAGE, &page).expect("it can be written");
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    let differing = page.lines().zip(written.lines()).find(|(new, old)| new != old);
    assert!(
        page == written,
        "docs/guide/src/cli.md is not current: write it with INSTA_UPDATE=always. {differing:?}"
    );
}

#[test]
fn the_short_help_says_that_the_long_one_has_more() {
    let mut longer = 0;
    for command in all_commands() {
        let (short, long) = (help(&command, "-h"), help(&command, "--help"));
        assert!(short.lines().count() <= long.lines().count(), "{command}");
        if short.lines().count() < long.lines().count() {
            longer += 1;
            assert!(short.contains("(see more with '--help')"), "{command}:\n{short}");
        }
    }
    assert!(longer >= 10, "{longer} commands have a longer help");
}

#[test]
fn the_long_help_of_a_command_has_every_option_that_a_shell_completes() {
    let script = Place::empty().arena("completions fish").expect_code(0).stdout;
    let mut count = 0;
    for command in commands("") {
        let (help, condition) = (help(&command, "--help"), format!("using_subcommand {command}\""));
        for line in script.lines().filter(|line| line.contains(&condition)) {
            let Some((_, rest)) = line.split_once(" -l ") else { continue };
            let option = rest.split_whitespace().next().expect("an option has a name");
            assert!(help.contains(&format!("--{option}")), "--{option} is not in\n{help}");
            count += 1;
        }
    }
    assert!(count >= 150, "{count} options");
}
