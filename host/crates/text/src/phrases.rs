//! Phrases that several outputs share: counts, lists, paths, and arguments for a shell.

use crate::Line;
use std::borrow::Cow;
use std::fmt::Display;
use std::path::{MAIN_SEPARATOR, Path};

/// A path as it is shown, in at most 120 characters. Chosen: a line and a half of 80.
pub type ShownPath = Line<120>;

/// The name of a recording, in at most 160 characters: a path, or a journal and a game.
pub type RecordingName = Line<160>;

/// A path as it is shown.
pub fn shown(path: &Path) -> ShownPath {
    path.to_string_lossy().as_ref().into()
}

/// A number of things in words.
///
/// ```
/// assert_eq!(arena_text::counted(1, "game"), "1 game");
/// assert_eq!(arena_text::counted(2, "game"), "2 games");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, thing: &str) -> String {
    if count == N::from(1) { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// The first names of a list, at most `shown_max`, and the number of the others.
///
/// ```
/// let names = ["a", "b", "c"].map(String::from);
/// assert_eq!(arena_text::some_of(names.into_iter(), 3, 2, ", "), "a, b, and 1 more");
/// ```
pub fn some_of(
    names: impl Iterator<Item = String>,
    count: usize,
    shown_max: usize,
    separator: &str,
) -> String {
    let mut shown: Vec<String> = names.take(shown_max).collect();
    if count > shown_max {
        shown.push(format!("and {} more", count - shown_max));
    }
    shown.join(separator)
}

/// A word quoted for a shell, if it needs quotes.
///
/// ```
/// assert_eq!(arena_text::quoted("a.db"), "a.db");
/// assert_eq!(arena_text::quoted("it's"), r"'it'\''s'");
/// ```
pub fn quoted(word: &str) -> Cow<'_, str> {
    // On Windows, `\` is no escape.
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c) || c == MAIN_SEPARATOR;
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}
