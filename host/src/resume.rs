//! The command that continues an interrupted run.

use arena_text::quoted;
use std::borrow::Cow;

/// The longest command that is shown, in characters. Chosen: some hundred paths.
const COMMAND_CHARS_MAX: usize = 8_192;

/// The command of this run, quoted for a shell, with `--resume`.
pub fn command() -> String {
    let args = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    arena_text::line(&resuming(args), COMMAND_CHARS_MAX)
}

fn resuming(args: impl IntoIterator<Item = String>) -> String {
    let mut args: Vec<String> = args.into_iter().collect();
    if !args.iter().any(|word| word == "--resume") {
        args.push("--resume".into());
    }
    args.iter().map(|word| quoted(&without_password(word)).into_owned()).collect::<Vec<_>>().join(" ")
}

/// The address of a server without its password or token, and any other word as it is.
fn without_password(word: &str) -> Cow<'_, str> {
    match word.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?.1))) {
        Some((scheme, host)) => Cow::Owned(format!("{scheme}://PASSWORD@{host}")),
        None => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &[&str], expected: &str) {
        assert_eq!(resuming(args.iter().map(|word| (*word).to_owned())), expected);
    }

    #[test]
    fn the_command_is_the_same_with_resume_and_can_be_pasted() {
        check(&["arena", "run", "a.wasm", "--journal", "j.db"], "arena run a.wasm --journal j.db --resume");
        check(&["arena", "run", "--resume"], "arena run --resume");
        check(
            &["arena", "run", "--workers", "tls://me:se@cret@host:4222", "a@b.wasm"],
            "arena run --workers tls://PASSWORD@host:4222 a@b.wasm --resume",
        );
        check(&["arena", "it's a bot.wasm", ""], r"arena 'it'\''s a bot.wasm' '' --resume");
    }
}
