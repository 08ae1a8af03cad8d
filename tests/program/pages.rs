//! Manual pages and completions: every command is in them, as it is in the help.

use crate::help;
use crate::support::{Place, Run};
use std::process::Command;

/// The commands that the program's help lists, in the order of their names.
fn commands() -> Vec<String> {
    let mut names = help::commands("");
    names.sort();
    names
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::empty();
    place.arena("man pages/man1").expect_code(0);
    for page in commands().iter().map(|command| format!("arena-{command}.1")).chain(["arena.1".into()]) {
        let text = std::fs::read_to_string(place.path(&format!("pages/man1/{page}"))).expect(&page);
        assert!(text.contains(".SH SYNOPSIS") && text.contains(".SH OPTIONS"), "{page}:\n{text}");
    }
}

#[test]
fn manual_pages_are_refused_a_folder_that_is_a_file() {
    let place = Place::empty();
    place.write("pages", "");
    let refused = place.arena("man pages").expect_code(1);
    assert!(refused.stderr.contains("cannot write manual pages to pages"), "{}", refused.stderr);
    assert!(refused.stderr.contains("next: name a folder"), "{}", refused.stderr);
}

#[test]
fn bash_completes_a_command_and_an_option() {
    let place = Place::empty();
    place.write("arena.bash", place.arena("completions bash").expect_code(0).stdout);
    let completed = |args: &str, last: usize| {
        let script = format!(
            "source ./arena.bash; COMP_WORDS=(arena {args}); COMP_CWORD={last}; \
             _arena arena \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo ${{COMPREPLY[@]}}"
        );
        Run::of(Command::new("bash").args(["-c", &script]).current_dir(place.folder())).expect_code(0).stdout
    };
    assert_eq!(completed("stan", 1), "standings\n");
    assert_eq!(completed("run --trans", 2), "--transcripts\n");
    let mut all: Vec<String> = completed("\"\"", 1).split_whitespace().map(str::to_owned).collect();
    all.retain(|word| !word.starts_with('-') && word != "help");
    all.sort();
    assert_eq!(all, commands());
}
