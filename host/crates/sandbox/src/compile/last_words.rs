//! The last words of a child on its standard error: the problem, and the number of the system's error if that is the cause.
//!
//! The child is confined when it fails, so it cannot look at the limits of the system. The parent finds the next step by the number.

use arena_referee::HostError;
use std::io;
use std::process::ExitStatus;

/// The longest problem that is shown, in characters. Chosen: the longest one of a child has some 150.
const PROBLEM_CHARS_MAX: usize = 300;

/// The beginning of the line with the number.
const NUMBER: &str = "system error ";

/// The text of an error, for the parent.
pub(crate) fn last_words(error: &HostError) -> String {
    let trouble = error.trouble();
    match trouble.cause().and_then(|cause| arena_resources::errno(cause)) {
        Some(number) if !trouble.what().is_empty() => format!("{}\n{NUMBER}{number}", trouble.what()),
        _ => error.to_string(),
    }
}

/// The failure of a child that has ended, with this status if it is known, and has said this. `what` says which child it is.
pub(crate) fn ended(what: &str, status: Option<&str>, said: &str) -> HostError {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let problem = lines.next().map(|line| arena_text::line(line, PROBLEM_CHARS_MAX));
    let whole: Vec<&str> = [Some(what), status, problem.as_deref()].into_iter().flatten().collect();
    let whole = whole.join(": ");
    match lines.find_map(|line| line.strip_prefix(NUMBER)?.parse().ok()) {
        Some(number) => arena_resources::refused(whole, io::Error::from_raw_os_error(number)),
        None => HostError::Process(whole.into()),
    }
}

/// The words for the end of a child that the parent has not seen coming.
pub(crate) fn crash(status: ExitStatus, said: &str) -> String {
    match said.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => format!("{status}: {}", arena_text::line(line, PROBLEM_CHARS_MAX)),
        None => status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_arrives_whole_with_its_cause_and_the_step_that_the_parent_finds() {
        let cause = io::Error::from_raw_os_error(24);
        let said = last_words(&arena_resources::refused("x".repeat(250), cause));
        let error = ended("the child could not start", Some("exit status: 1"), &said);
        let expected = format!(
            "the child could not start: exit status: 1: {}: Too many open files (os error 24)",
            "x".repeat(250)
        );
        assert_eq!(error.problem(), expected);
        assert!(error.trouble().next().is_some_and(|next| next.contains("(`ulimit -n`)")), "{error}");
        assert!(error.trouble().cause().is_some_and(|cause| arena_resources::is_limit(cause)));
    }

    #[test]
    fn other_words_have_no_step_and_a_false_number_does_no_harm() {
        for (said, problem) in [
            ("", "it ended: signal: 9"),
            ("\n no light \nmore", "it ended: signal: 9: no light"),
            ("a\nsystem error x", "it ended: signal: 9: a"),
            ("a\nsystem error 99999999999", "it ended: signal: 9: a"),
        ] {
            let error = ended("it ended", Some("signal: 9"), said);
            assert_eq!((error.problem().as_str(), error.trouble().next()), (problem, None), "{said}");
        }
        let error = ended("it ended", None, "a\nsystem error -1");
        assert!(error.problem().starts_with("it ended: a: "), "{error}");
        assert_eq!(last_words(&HostError::Defect("no light".into())), "no light");
    }
}
