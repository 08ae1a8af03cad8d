//! A document for programs.

use crate::{isolate, plain};
use serde::Serialize;
use std::fmt::{self, Write};

/// A document of JSON for programs: exact, and safe to print. Characters of its strings that are not plain, that run from
/// right to left or that join the one before are written as escapes, such as `\u202e`, which a reader of JSON turns back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    /// The document in one line.
    ///
    /// # Panics
    /// The document is not plain data: it has a map whose keys are not text.
    pub fn line(document: &impl Serialize) -> Self {
        Self::escaped(&serde_json::to_string(document).expect("a document is plain data"))
    }

    /// The document in indented lines.
    ///
    /// # Panics
    /// As of [`Json::line`].
    pub fn pretty(document: &impl Serialize) -> Self {
        Self::escaped(&serde_json::to_string_pretty(document).expect("a document is plain data"))
    }

    /// The document.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Escapes the characters of a document. Outside of its strings it is ASCII, and in them controls are escaped already,
    /// so each character that is left to escape is one of a string.
    fn escaped(document: &str) -> Self {
        let mut out = String::with_capacity(document.len());
        for c in document.chars() {
            let is_shown = c == '\n' || plain::is_plain(c) && !isolate::runs_left(c) && !plain::is_mark(c);
            if is_shown {
                out.push(c);
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("memory takes any text");
            }
        }
        Self(out)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_document_is_exact_and_shows_only_plain_characters() {
        let document = json!({ "אב": ["\x1b[31m\u{7f}\u{202e}\n", "½ é", "e\u{301}", "\u{e0041}"] });
        let text = Json::line(&document);
        assert_eq!(
            text.as_str(),
            r#"{"\u05d0\u05d1":["\u001b[31m\u007f\u202e\n","½ é","e\u0301","\udb40\udc41"]}"#
        );
        let read: Value = serde_json::from_str(text.as_str()).expect("it is JSON");
        assert_eq!(read, document);
        assert_eq!(Json::pretty(&json!([1])).as_str(), "[\n  1\n]");
    }
}
