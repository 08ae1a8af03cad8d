//! The SDK as a separate workspace: the sources of two crates, the contracts, and a manifest with only what they need.

use crate::contract::CONTRACTS;
use crate::template::{File, files_in};
use include_dir::{Dir, include_dir};
use toml::{Table, Value};

/// The manifest of the repository's workspace.
const WORKSPACE: &str = include_str!("../../../../Cargo.toml");

/// The members: a folder, the crate's manifest and its sources.
const MEMBERS: [(&str, &str, Dir<'_>); 2] = [
    (
        "guest-sdk",
        include_str!("../../../../guest-sdk/Cargo.toml"),
        include_dir!("$CARGO_MANIFEST_DIR/../../../guest-sdk/src"),
    ),
    (
        "rules",
        include_str!("../../../../rules/Cargo.toml"),
        include_dir!("$CARGO_MANIFEST_DIR/../../../rules/src"),
    ),
];

/// The licences, of which a user chooses one.
const LICENCES: [(&str, &str); 2] = [
    ("LICENSE-APACHE", include_str!("../../../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../../../LICENSE-MIT")),
];

/// Returns the files of the workspace, in a folder.
pub fn files(folder: &str) -> Vec<File> {
    let mut files = vec![File::text(format!("{folder}/Cargo.toml"), manifest())];
    for (member, manifest, sources) in MEMBERS {
        files.push(File::text(format!("{folder}/{member}/Cargo.toml"), without_tests(manifest)));
        files.extend(files_in(&sources, &format!("{folder}/{member}/src/")));
    }
    files.extend(LICENCES.map(|(name, text)| File::text(format!("{folder}/{name}"), text)));
    // For readers: the SDK has the code that is generated from them.
    files.extend(files_in(&CONTRACTS, &format!("{folder}/wit/")));
    files
}

/// The manifest of the workspace: that of the repository, with the members above and the dependencies that they name.
fn manifest() -> String {
    let mut workspace = table(WORKSPACE).remove("workspace").and_then(into_table).expect("it is a workspace");
    let names: Vec<Value> = MEMBERS.iter().map(|(name, ..)| Value::from(*name)).collect();
    let needed: Vec<Table> = MEMBERS.iter().filter_map(|(_, manifest, _)| dependencies(manifest)).collect();
    let kept = ["resolver", "package", "lints", "dependencies"];
    workspace.retain(|key, _| kept.contains(&key));
    if let Some(Value::Table(versions)) = workspace.get_mut("dependencies") {
        versions.retain(|name, _| needed.iter().any(|needed| needed.contains_key(name)));
    }
    workspace.insert("members".into(), names.into());
    Table::from_iter([("workspace".to_owned(), Value::from(workspace))]).to_string()
}

/// The dependencies in the manifest of a crate.
fn dependencies(manifest: &str) -> Option<Table> {
    table(manifest).remove("dependencies").and_then(into_table)
}

/// The manifest of a crate without the dependencies of its tests. They are not here.
fn without_tests(manifest: &str) -> String {
    let mut manifest = table(manifest);
    manifest.remove("dev-dependencies");
    manifest.to_string()
}

fn table(manifest: &str) -> Table {
    manifest.parse().expect("the manifest is TOML, since cargo has read it")
}

fn into_table(value: Value) -> Option<Table> {
    match value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}
