//! The structure of the workspace: the map in ARCHITECTURE.md is that of cargo, and no crate is a knot of modules.
//!
//! After a change of the crates: `INSTA_UPDATE=always cargo xtask quick testkit`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The lines around the map.
const BEGIN: &str = "<!-- The map is made by tests/kit/tests/structure.rs. -->\n";
const END: &str = "<!-- End of the map. -->\n";

/// The largest number of modules of a crate that may import each other in a circle. Chosen: a reader can hold five in mind.
const CIRCLE_MAX: usize = 5;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A crate of the workspace.
struct Package {
    folder: String,
    purpose: String,
    /// The crates of the workspace that it depends on, for other things than its tests.
    stands_on: BTreeSet<String>,
}

fn packages() -> BTreeMap<String, Package> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let output = command.output().expect("cargo can be started");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo tells of the workspace");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let root = text(&metadata["workspace_root"]);
    let packages = list(&metadata["packages"]);
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let package = |package: &Value| {
        let manifest = text(&package["manifest_path"]);
        let folder = manifest.trim_start_matches(&root).trim_end_matches("Cargo.toml").trim_matches('/');
        let needed = list(&package["dependencies"]).into_iter().filter(|it| it["kind"].is_null());
        let stands_on = needed.map(|it| text(&it["name"])).filter(|name| names.contains(name)).collect();
        let purpose = text(&package["description"]);
        (text(&package["name"]), Package { folder: folder.to_owned(), purpose, stands_on })
    };
    packages.iter().map(package).collect()
}

/// All crates below one.
fn below(packages: &BTreeMap<String, Package>, name: &str) -> BTreeSet<String> {
    let direct = &packages[name].stands_on;
    direct.iter().flat_map(|it| below(packages, it)).chain(direct.iter().cloned()).collect()
}

/// The map: the crates of the host from the lowest to the highest, then all others, with the dependencies of each. Those that
/// are below one of these are left out.
fn map(packages: &BTreeMap<String, Package>) -> String {
    let layer = |name: &str| {
        fn height(packages: &BTreeMap<String, Package>, name: &str) -> usize {
            packages[name].stands_on.iter().map(|it| 1 + height(packages, it)).max().unwrap_or(0)
        }
        let folder = packages[name].folder.as_str();
        let is_host = folder.starts_with("host") || folder == "rules";
        (!is_host, if is_host { height(packages, name) } else { 0 }, folder.to_owned())
    };
    let mut names: Vec<&String> = packages.keys().collect();
    names.sort_by_key(|name| layer(name));
    let mut map = String::from("| crate | purpose | depends on |\n| --- | --- | --- |\n");
    for name in names {
        let Package { folder, purpose, stands_on } = &packages[name];
        let is_far = |it: &&String| stands_on.iter().any(|other| below(packages, other).contains(*it));
        let direct: Vec<&str> =
            stands_on.iter().filter(|it| !is_far(it)).map(|it| it.trim_start_matches("arena-")).collect();
        map += &format!("| `{name}` in `{folder}` | {purpose} | {} |\n", direct.join(", "));
    }
    map
}

#[test]
fn the_map_of_crates_is_that_of_cargo() {
    let packages = packages();
    for (name, package) in &packages {
        assert!(!package.purpose.is_empty(), "{name} has no description");
    }
    let path = root().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).expect("it is there");
    let (before, rest) = text.split_once(BEGIN).expect("it has a map");
    let (kept, after) = rest.split_once(END).expect("its map has an end");
    let map = format!("\n{}\n", map(&packages));
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, [before, BEGIN, &map, END, after].concat()).expect("it can be written");
    } else {
        assert!(kept == map, "the map in ARCHITECTURE.md is old: see tests/kit/tests/structure.rs\n{map}");
    }
}

#[test]
fn games_and_numbers_know_nothing_of_the_engine_and_the_engine_nothing_of_its_doors() {
    let packages = packages();
    let layers: [&[&str]; 3] = [
        &["arena-rules", "arena-referee", "arena-record", "arena-league"],
        &[
            "arena-sandbox",
            "arena-game-component",
            "arena-store",
            "arena-players",
            "arena-engine",
            "arena-experiments",
            "arena-cluster",
        ],
        &["arena", "arena-club", "arena-tui", "arena-pages", "arena-net"],
    ];
    for (layer, names) in layers.iter().enumerate() {
        for name in *names {
            let below = below(&packages, name);
            let above = layers[layer + 1..].iter().copied().flatten().find(|it| below.contains(**it));
            assert_eq!(above, None, "{name} stands on it");
        }
    }
}

/// The modules of a crate, by their paths, each with those that it imports.
fn imports(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut texts = BTreeMap::new();
    let mut folders = vec![(source.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(folder).expect("it can be read").flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push((path, format!("{prefix}{stem}::")));
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && stem != "lib"
                && stem != "main"
            {
                let name = if stem == "mod" {
                    prefix.trim_end_matches("::").to_owned()
                } else {
                    prefix.clone() + &stem
                };
                let text = fs::read_to_string(&path).expect("it is text");
                // The tests of a module may use anything.
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
                texts.insert(name, text);
            }
        }
    }
    let module_of = |path: &str| {
        let mut parts: Vec<&str> = path.split("::").collect();
        while !parts.is_empty() && !texts.contains_key(&parts.join("::")) {
            parts.pop();
        }
        parts.join("::")
    };
    let of = |(name, text): (&String, &String)| {
        let found =
            paths(text).into_iter().filter_map(|path| absolute(name, &path)).map(|path| module_of(&path));
        (name.clone(), found.filter(|found| !found.is_empty() && found != name).collect())
    };
    texts.iter().map(of).collect()
}

/// A path in a module as one from the root of the crate; `None` when it is of another crate.
fn absolute(module: &str, path: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix("crate::") {
        return Some(rest.to_owned());
    }
    let mut parents: Vec<&str> = module.split("::").collect();
    if let Some(rest) = path.strip_prefix("self::") {
        return Some(format!("{module}::{rest}"));
    }
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("super::") {
        parents.pop();
        rest = after;
    }
    (rest != path).then(|| parents.into_iter().chain([rest]).collect::<Vec<_>>().join("::"))
}

/// The paths in a text that begin in this crate, with lists of names taken apart.
fn paths(text: &str) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let is_whole =
                code[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':');
            if is_whole {
                expand(&code[at..], String::new(), &mut found);
            }
        }
    }
    found
}

/// Takes a path apart that may end with a list. Returns what is after it.
fn expand<'a>(text: &'a str, prefix: String, found: &mut Vec<String>) -> &'a str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    let (path, mut rest) = text.split_at(end);
    let path = prefix + path;
    if !rest.starts_with('{') || !path.ends_with("::") {
        found.push(path);
        return rest;
    }
    loop {
        rest = expand(rest[1..].trim_start(), path.clone(), found).trim_start();
        if let Some(after) = rest.strip_prefix("as ") {
            rest =
                after.trim_start().trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').trim_start();
        }
        match rest.chars().next() {
            Some(',') if rest[1..].trim_start().starts_with('}') => return &rest[1..].trim_start()[1..],
            Some(',') => {}
            Some('}') => return &rest[1..],
            _ => return rest,
        }
    }
}

/// The largest set of modules of which each imports each, directly or through others.
fn largest_circle(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&str> {
    let reach = |from: &str| {
        let (mut seen, mut due) = (BTreeSet::new(), vec![from]);
        while let Some(module) = due.pop() {
            for next in imports.get(module).into_iter().flatten() {
                if seen.insert(next.as_str()) {
                    due.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|it| (it.as_str(), reach(it))).collect();
    let circle = |module: &str| -> BTreeSet<&str> {
        reached[module].iter().copied().filter(|other| reached[other].contains(module)).collect()
    };
    imports.keys().map(|it| circle(it)).max_by_key(BTreeSet::len).unwrap_or_default()
}

#[test]
fn no_crate_of_the_host_is_a_knot_of_modules() {
    for (name, package) in packages().iter().filter(|(_, package)| package.folder.starts_with("host")) {
        let imports = imports(&root().join(&package.folder).join("src"));
        let circle = largest_circle(&imports);
        assert!(circle.len() <= CIRCLE_MAX, "{name}: {circle:?} import each other in a circle");
    }
}

#[test]
fn a_circle_is_found_through_lists_renamings_and_paths_in_code() {
    let found = |text| {
        let mut paths = paths(text);
        paths.sort();
        paths
    };
    assert_eq!(
        found("use crate::a::{self, b::{C, d as e}, F};"),
        ["crate::a::F", "crate::a::b::C", "crate::a::b::d", "crate::a::self"]
    );
    assert_eq!(found("fn f() { super::g(); } // crate::h"), ["super::g"]);
    let graph = |edges: &[(&str, &str)]| {
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in edges {
            graph.entry((*from).into()).or_default().insert((*to).into());
            graph.entry((*to).into()).or_default();
        }
        graph
    };
    let edges = graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "b")]);
    assert_eq!(largest_circle(&edges), BTreeSet::from(["b", "c", "d"]));
    assert!(largest_circle(&graph(&[("a", "b")])).is_empty());
}
