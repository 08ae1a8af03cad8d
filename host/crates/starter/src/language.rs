//! The languages that there are templates for.

use std::fmt;
use std::str::FromStr;

/// A language, or a way to write a bot in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust with the SDK.
    Rust,
    /// Python by the contract.
    Python,
    /// Python with the two functions of the Battleship implementation guide, `deploy` and `play`.
    PythonGuide,
    /// JavaScript.
    JavaScript,
    /// C.
    C,
    /// Go.
    Go,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] =
        [Self::Rust, Self::Python, Self::PythonGuide, Self::JavaScript, Self::C, Self::Go];

    /// The name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::PythonGuide => "python-guide",
            Self::JavaScript => "javascript",
            Self::C => "c",
            Self::Go => "go",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = NotALanguage;

    fn from_str(name: &str) -> Result<Self, NotALanguage> {
        Self::ALL.into_iter().find(|language| language.name() == name).ok_or(NotALanguage)
    }
}

/// A name that is not the name of a [`Language`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no template for this language")]
pub struct NotALanguage;
