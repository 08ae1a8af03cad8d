//! Edits of files that last for a while.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Replaces the first occurrence of a text in a file, does something, and restores the file, whether that succeeded or not.
pub fn with<T>(path: &Path, [from, to]: [&str; 2], work: impl FnOnce() -> Result<T>) -> Result<T> {
    let source = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(source.contains(from), "{} does not have the text to replace: {from}", path.display());
    fs::write(path, source.replacen(from, to, 1))
        .with_context(|| format!("cannot edit {}", path.display()))?;
    let done = work();
    fs::write(path, source).with_context(|| format!("cannot restore {}", path.display()))?;
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn an_edit_lasts_as_long_as_the_work_and_not_longer_if_that_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.js");
        fs::write(&path, "old;\nold;\n").unwrap();
        let read = || Ok(fs::read_to_string(&path)?);
        assert_eq!(with(&path, ["old;", "new;"], read).unwrap(), "new;\nold;\n");
        assert_eq!(read().unwrap(), "old;\nold;\n");
        with(&path, ["old;", "new;"], || -> Result<()> { bail!("it fails") }).unwrap_err();
        assert_eq!(read().unwrap(), "old;\nold;\n");
        let said = with(&path, ["none;", "new;"], read).unwrap_err().to_string();
        assert!(said.ends_with("bot.js does not have the text to replace: none;"), "{said}");
    }
}
