//! The check that the crates that other programs use can be packaged. Nothing is published.

use std::fs;

use anyhow::{Context, Result};

use crate::environment;
use crate::step;

/// Makes the packages in `target/package`. Their code is compiled by other checks.
pub fn check() -> Result<()> {
    let path = environment::root().join("Cargo.toml");
    let manifest = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut package = environment::cargo();
    package.args(["package", "--no-verify", "--allow-dirty", "--no-metadata"]);
    names(&manifest).for_each(|name| _ = package.args(["-p", name]));
    step::run_hidden("packaging the crates that other programs use", &mut package)
}

/// The crates that other programs use: those with a folder and a version among the dependencies of the workspace.
fn names(manifest: &str) -> impl Iterator<Item = &str> {
    let entries = manifest.lines().filter_map(|line| line.split_once(" = { path = "));
    entries.filter(|(_, rest)| rest.contains("version = ")).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_with_a_folder_and_a_version_is_packaged_and_may_be_published() {
        let root = environment::root();
        let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        let names: Vec<&str> = names(&manifest).collect();
        assert!(names.contains(&"arena-sdk") && names.contains(&"arena-engine"), "{names:?}");
        for line in manifest.lines() {
            let Some((name, rest)) = line.split_once(" = { path = \"") else { continue };
            let folder = rest.split('"').next().unwrap();
            let its = fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
            assert_eq!(its.contains("\npublish = true\n"), names.contains(&name), "{name}");
        }
    }
}
