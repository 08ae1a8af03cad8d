//! The crates that cargo compiles more than once for a build, each with what differs. It asks cargo what it
//! would do, and builds nothing.
//!
//! ```sh
//! cargo run --release -p arena-testkit --example compiled_twice
//! ```

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

/// The builds: the first command of the README, and what `cargo xtask test` adds to it.
const BUILDS: [(&str, &str); 3] = [
    ("program", "build --release --bin arena"),
    ("tests", "test --no-run --release --workspace"),
    ("types for clippy", "check --release --workspace --all-targets"),
];

/// The compilations that cargo would make, as it shows them to developers of cargo.
fn units(arguments: &str) -> Result<Vec<Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments.split(' ')).args(["--offline", "-Z", "unstable-options", "--unit-graph"]);
    let output = cargo.env("RUSTC_BOOTSTRAP", "1").current_dir(root).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut graph: Value = serde_json::from_slice(&output.stdout).context("cargo gives JSON")?;
    Ok(serde_json::from_value(graph["units"].take())?)
}

fn main() -> Result<()> {
    // By crate, and then by level of optimisation, features, and how much is compiled: the builds with it.
    let mut crates: BTreeMap<String, BTreeMap<[String; 3], BTreeSet<&str>>> = BTreeMap::new();
    for (build, arguments) in BUILDS {
        let of_registry = |unit: &Value| unit["pkg_id"].as_str().is_some_and(|id| id.starts_with("registry"));
        for unit in units(arguments)?.into_iter().filter(of_registry) {
            if unit["mode"] == "run-custom-build" || unit["target"]["kind"][0] == "custom-build" {
                continue;
            }
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let features: Vec<String> = serde_json::from_value(unit["features"].clone())?;
            let name = text(&unit["pkg_id"]).rsplit('#').next().unwrap_or_default().to_owned();
            let compiled = [text(&unit["profile"]["opt_level"]), features.join(" "), text(&unit["mode"])];
            crates.entry(name).or_default().entry(compiled).or_default().insert(build);
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "| crate | times | level: features (builds) |\n|---|---:|---|")?;
    for (name, mut compiled) in crates {
        // Checks compile everything once more, as types only.
        compiled.retain(|[.., mode], _| mode == "build");
        if compiled.len() > 1 {
            let of = |([level, features, _], builds): (&[String; 3], &BTreeSet<&str>)| {
                let builds: Vec<_> = builds.iter().copied().collect();
                format!("{level}: {features} ({})", builds.join(", "))
            };
            let each: Vec<_> = compiled.iter().map(of).collect();
            writeln!(out, "| `{name}` | {} | {} |", each.len(), each.join("; "))?;
        }
    }
    Ok(())
}
