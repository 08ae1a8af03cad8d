//! `arena completions`: the script with which a shell completes the commands and options of the program.

use crate::console::Console;
use crate::failure::Failure;

use arena_engine::internals::builtin;
use arena_rules::GameRules;
use clap::{Arg, Args, Command};
use clap_complete::Shell;

/// The arguments of `arena completions`.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Example: arena completions bash > ~/.local/share/bash-completion/completions/arena")]
pub struct CompletionsArgs {
    /// Shell that reads the script
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints the script for a shell, of the command line of this program.
pub fn completions(args: &CompletionsArgs, program: Command, console: &mut Console) -> Result<(), Failure> {
    Ok(console.line(script(args.shell, program).trim_end())?)
}

/// The script for a shell. Those of bash, fish and zsh also know the names of bots and rules inside the program, next to files.
fn script(shell: Shell, mut program: Command) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "arena", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let bots: Vec<String> = builtin::paths().collect();
    let rules: Vec<String> = GameRules::built_in().iter().map(|rules| rules.name().to_owned()).collect();
    let (bots, rules) = (bots.join(" "), rules.join(" "));
    let takes_bots = |command: &&Command| command.get_positionals().any(is_bots);
    let commands: Vec<&str> = program.get_subcommands().filter(takes_bots).map(Command::get_name).collect();
    match shell {
        Shell::Bash => {
            let names = include_str!("completions.bash");
            let names = names.replace("BOTS", &bots).replace("RULES", &rules);
            format!("{script}\n{}", names.replace("COMMANDS", &commands.join("|")))
        }
        Shell::Fish => {
            let line = |command: &Command, option: &str, names: &str| {
                let name = command.get_name();
                format!(
                    "complete -c arena -n \"__fish_arena_using_subcommand {name}\"{option} -a \"{names}\"\n"
                )
            };
            let has_rules =
                |command: &&Command| command.get_arguments().any(|arg| arg.get_long() == Some("rules"));
            let of_bots =
                program.get_subcommands().filter(takes_bots).map(|command| line(command, "", &bots));
            let of_rules = program.get_subcommands().filter(has_rules);
            let of_rules = of_rules.map(|command| line(command, " -l rules -r", &rules));
            of_bots.chain(of_rules).fold(script, |script, line| script + &line)
        }
        Shell::Zsh => {
            let functions = include_str!("completions.zsh");
            let functions = functions.replace("BOTS", &bots.replace(':', "\\:")).replace("RULES", &rules);
            let script = script.replace(":NAME|FILE:_default'", ":NAME|FILE:_arena_rules'");
            // A positional argument has its identifier and its help in front of what completes it.
            let of = |command: &Command| {
                let bots = command.get_positionals().filter(|arg| is_bots(arg));
                bots.map(|arg| format!(":{} -- ", arg.get_id())).collect::<Vec<_>>()
            };
            let marks: Vec<String> = program.get_subcommands().flat_map(of).collect();
            let line = |line: &str| match marks.iter().any(|mark| line.contains(mark)) {
                true => line.replace(":_files'", ":_arena_bots'"),
                false => line.to_owned(),
            };
            let lines: Vec<String> = script.lines().map(line).collect();
            lines.join("\n").replacen("#compdef arena\n", &format!("#compdef arena\n{functions}"), 1)
        }
        _ => script,
    }
}

/// True for an argument that takes components of bots.
fn is_bots(arg: &Arg) -> bool {
    arg.get_value_names()
        .is_some_and(|names| names.iter().any(|name| matches!(name.as_str(), "BOT" | "NEW" | "OLD")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use arena_text::Text;
    use clap::{CommandFactory, ValueEnum};

    #[test]
    fn cleaning_a_script_for_the_console_changes_nothing_in_it() {
        for shell in Shell::value_variants() {
            let script = script(*shell, Cli::command());
            assert!(script.contains("standings"), "{shell}: {script}");
            assert_eq!(Text::new(&script).as_str(), script, "{shell}");
        }
    }

    /// What bash offers for the last word of a line, by the script.
    fn offered(line: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("there is room");
        std::fs::write(folder.path().join("arena.bash"), script(Shell::Bash, Cli::command()))
            .expect("there is room");
        std::fs::create_dir(folder.path().join("bots")).expect("there is room");
        let words: Vec<&str> = line.split(' ').collect();
        let (word, previous) = (words[words.len() - 1], words[words.len() - 2]);
        let number = words.len() - 1;
        let run = format!(
            ". ./arena.bash; COMP_LINE='{line}'; COMP_POINT={}; COMP_WORDS=({}); COMP_CWORD={number}; \
             _arena_with_names arena '{word}' '{previous}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            line.len(),
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        );
        let bash = std::process::Command::new("bash").args(["-c", &run]).current_dir(folder.path()).output();
        let output = bash.expect("there is a bash");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn bash_completes_bots_and_rules_inside_the_program_next_to_files() {
        assert_eq!(
            offered("arena run builtin:su"),
            ["sub-random", "sub-tracker"],
            "it has the part after the colon"
        );
        assert!(offered("arena run hunter.wasm b").contains(&"builtin:hunter".to_owned()));
        assert!(offered("arena check b").contains(&"bots".to_owned()));
        assert_eq!(offered("arena run --rules cl"), ["classic"]);
        assert_eq!(offered("arena run --format sw"), ["swiss"]);
        assert!(offered("arena run --wat").contains(&"--watch".to_owned()));
        assert!(offered("arena standings b").is_empty(), "a journal is a file, which bash completes itself");
    }

    #[test]
    fn other_shells_know_the_same_names() {
        let fish = script(Shell::Fish, Cli::command());
        assert!(fish.contains("__fish_arena_using_subcommand run\" -a \"builtin:random"), "{fish}");
        assert!(fish.contains("__fish_arena_using_subcommand run\" -l rules -r -a \"guide"), "{fish}");
        let zsh = script(Shell::Zsh, Cli::command());
        assert!(zsh.contains(":_arena_bots'") && zsh.contains(":_arena_rules'"), "{zsh}");
        assert!(zsh.contains("builtin\\:random"), "{zsh}");
    }
}
