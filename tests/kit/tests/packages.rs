//! The crates that others use, as packages of a registry.

use crate::structure::{packages, root};
use std::fs;

#[test]
fn each_package_for_others_has_both_licences_and_stands_on_such_packages_only() {
    let packages = packages();
    let for_others: Vec<_> = packages.iter().filter(|(_, package)| package.is_for_others).collect();
    assert!(for_others.iter().any(|(name, _)| *name == "arena-sdk"), "authors use it");
    for (name, package) in for_others {
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let [own, wanted] =
                [root().join(&package.folder), root()].map(|it| fs::read(it.join(licence)).ok());
            assert!(own.is_some() && own == wanted, "{name}: {licence} is no link to that of the root");
        }
        let missing = package.stands_on.iter().find(|needed| !packages[*needed].is_for_others);
        assert_eq!(missing, None, "{name} would not be whole");
    }
}
