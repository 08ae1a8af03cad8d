//! `arena completions`: the script with which a shell completes the commands and options of the program.

use crate::console::Console;
use crate::failure::Failure;

use clap::{Args, Command};
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

/// The script for a shell.
fn script(shell: Shell, mut program: Command) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "arena", &mut script);
    String::from_utf8_lossy(&script).into_owned()
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
}
