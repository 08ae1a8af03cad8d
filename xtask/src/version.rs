//! Versions of Rust: three numbers, compared in order.

use std::fmt;

/// A release of rustc or cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

/// The oldest release that builds this project, as its manifest says.
pub fn needed() -> Version {
    Version::parse(env!("CARGO_PKG_RUST_VERSION")).expect("rust-version in Cargo.toml is a version")
}

impl Version {
    /// Reads `1.95`, `1.96.0` or `1.97.0-nightly`.
    pub fn parse(text: &str) -> Option<Self> {
        let release = text.split(['-', '+']).next()?;
        let mut numbers = release.split('.').map(str::parse);
        let major = numbers.next()?.ok()?;
        let minor = numbers.next()?.ok()?;
        let patch = numbers.next().unwrap_or(Ok(0)).ok()?;
        Some(Self([major, minor, patch]))
    }

    /// Finds the version in what `rustc -V` or `cargo -V` prints: `rustc 1.96.0 (…)`.
    pub fn find(text: &str) -> Option<Self> {
        Self::parse(text.split_whitespace().nth(1)?)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_a_tool_prints() {
        let text = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";
        assert_eq!(Version::find(text), Some(Version([1, 96, 0])));
        assert_eq!(Version::find("cargo 1.97.0-nightly (abc 2026-06-01)"), Some(Version([1, 97, 0])));
        assert_eq!(Version::find("command not found"), None);
    }

    #[test]
    fn a_missing_patch_number_is_zero() {
        assert_eq!(Version::parse("1.95"), Version::parse("1.95.0"));
    }

    #[test]
    fn versions_are_compared_by_number_not_by_letter() {
        assert!(Version::parse("1.100.0") > Version::parse("1.95.3"));
    }

    #[test]
    fn the_projects_own_version_is_readable() {
        assert!(needed() >= Version([1, 85, 0]));
    }
}
