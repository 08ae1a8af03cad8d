//! The structure of the workspace: the map in ARCHITECTURE.md is that of cargo, and no crate is a knot of modules.
//!
//! After a change of the crates: `INSTA_UPDATE=always cargo xtask quick testkit`.

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path as FilePath, PathBuf};
use std::process::Command;
use std::{env, fs};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, Path, UseTree, Visibility};

/// The lines around the map.
const BEGIN: &str = "<!-- The map is made by tests/kit/tests/structure.rs. -->\n";
const END: &str = "<!-- End of the map. -->\n";

/// The largest number of modules of a crate that may import each other in a circle. Chosen: a reader can hold five in mind.
const CIRCLE_MAX: usize = 5;

/// The number of re-exports between a path and what it names. Chosen: more than there are.
const RE_EXPORTS_MAX: usize = 8;

/// Things that name each other.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn root() -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A crate of the workspace.
pub(crate) struct Package {
    pub(crate) folder: String,
    purpose: String,
    /// True if it is for programs outside the workspace.
    pub(crate) is_for_others: bool,
    /// The crates of the workspace that it depends on, for other things than its tests.
    pub(crate) stands_on: BTreeSet<String>,
}

pub(crate) fn packages() -> BTreeMap<String, Package> {
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
        let is_for_others = !list(&package["keywords"]).is_empty();
        (text(&package["name"]), Package { folder: folder.to_owned(), purpose, is_for_others, stands_on })
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
        let Package { folder, purpose, stands_on, .. } = &packages[name];
        let is_far = |it: &&String| stands_on.iter().any(|other| below(packages, other).contains(*it));
        let direct: Vec<&str> =
            stands_on.iter().filter(|it| !is_far(it)).map(|it| it.trim_start_matches("arena-")).collect();
        // The text above the map says where most crates are.
        let is_usual = folder.strip_prefix("host/crates/") == name.strip_prefix("arena-");
        let place = if is_usual { String::new() } else { format!(" in `{folder}`") };
        map += &format!("| `{name}`{place} | {purpose} | {} |\n", direct.join(", "));
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
            "arena-loaded",
            "arena-store",
            "arena-players",
            "arena-engine",
            "arena-experiments",
            "arena-cluster",
        ],
        &[
            "arena",
            "arena-club",
            "arena-live",
            "arena-pictures",
            "arena-tui",
            "arena-pages",
            "arena-net",
            "arena-web",
        ],
    ];
    for (layer, names) in layers.iter().enumerate() {
        for name in *names {
            let below = below(&packages, name);
            let above = layers[layer + 1..].iter().copied().flatten().find(|it| below.contains(**it));
            assert_eq!(above, None, "{name} stands on it");
        }
    }
    for name in ["arena-pages", "arena-club", "arena-web"] {
        assert!(!below(&packages, name).contains("arena-tui"), "{name} knows a terminal");
    }
}

/// True for a module and for those inside it.
fn is_within(module: &str, outer: &str) -> bool {
    module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The code of a module: what it declares, what it names from elsewhere, and the paths in its code.
#[derive(Default)]
struct Module {
    declared: BTreeSet<String>,
    /// Each name that a `use` brings in, with its path.
    uses: BTreeMap<String, Vec<String>>,
    /// The modules of which a `use` brings in all names.
    globs: Vec<Vec<String>>,
    paths: Vec<Vec<String>>,
    /// The modules inside it that are only for tests.
    tests: Vec<String>,
}

impl Module {
    fn read(code: &str) -> Self {
        let mut module = Self::default();
        module.visit_file(&syn::parse_file(code).expect("it is Rust"));
        module
    }

    /// Takes the names that a `use` brings in. A re-export is not yet a use of what it names.
    fn bring_in(&mut self, tree: &UseTree, mut path: Vec<String>, is_re_export: bool) {
        let (ident, name) = match tree {
            UseTree::Group(it) => {
                return it.items.iter().for_each(|tree| self.bring_in(tree, path.clone(), is_re_export));
            }
            UseTree::Path(it) => {
                path.push(it.ident.to_string());
                return self.bring_in(&it.tree, path, is_re_export);
            }
            UseTree::Glob(_) => return self.globs.push(path),
            UseTree::Name(it) => (&it.ident, &it.ident),
            UseTree::Rename(it) => (&it.ident, &it.rename),
        };
        if ident != "self" {
            path.push(ident.to_string());
        }
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name.to_string() };
        if !is_re_export {
            self.paths.push(path.clone());
        }
        self.uses.insert(name, path);
    }

    /// The paths in the arguments of a macro, which are not parsed.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(it) if it.as_char() == ':' => colons += 1,
                TokenTree::Ident(it) if colons == 2 && !path.is_empty() => {
                    path.push(it.to_string());
                    colons = 0;
                }
                other => {
                    self.paths.push(std::mem::take(&mut path));
                    colons = 0;
                    match other {
                        TokenTree::Ident(it) => path.push(it.to_string()),
                        TokenTree::Group(it) => self.read_tokens(it.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.paths.push(path);
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name) = match item {
            Item::Const(it) => (&it.attrs, Some(&it.ident)),
            Item::Enum(it) => (&it.attrs, Some(&it.ident)),
            Item::Fn(it) => (&it.attrs, Some(&it.sig.ident)),
            Item::Mod(it) => (&it.attrs, it.content.is_some().then_some(&it.ident)),
            Item::Static(it) => (&it.attrs, Some(&it.ident)),
            Item::Struct(it) => (&it.attrs, Some(&it.ident)),
            Item::Trait(it) => (&it.attrs, Some(&it.ident)),
            Item::Type(it) => (&it.attrs, Some(&it.ident)),
            Item::Macro(it) => (&it.attrs, it.ident.as_ref()),
            _ => (const { &Vec::new() }, None),
        };
        let is_for_tests = |it: &Attribute| {
            it.path().is_ident("cfg") && it.parse_args::<Path>().is_ok_and(|it| it.is_ident("test"))
        };
        if !attributes.iter().any(is_for_tests) {
            self.declared.extend(name.map(ToString::to_string));
            visit::visit_item(self, item);
        } else if let Item::Mod(it) = item {
            self.tests.push(it.ident.to_string());
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.bring_in(&item.tree, Vec::new(), !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.paths.push(path.segments.iter().map(|it| it.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, it: &'ast Macro) {
        visit::visit_macro(self, it);
        self.read_tokens(it.tokens.clone());
    }
}

/// The modules of a crate, by their paths.
struct Modules(BTreeMap<String, Module>);

impl Modules {
    /// Those of a crate. The root is the one without a name.
    fn read(source: &FilePath) -> Self {
        let mut modules = BTreeMap::new();
        let mut folders = vec![(source.to_owned(), Vec::new())];
        while let Some((folder, parents)) = folders.pop() {
            for entry in fs::read_dir(folder).expect("it can be read").flatten() {
                let path = entry.path();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let mut name = parents.clone();
                if !["lib", "mod"].contains(&stem.as_str()) {
                    name.push(stem);
                }
                if path.is_dir() {
                    folders.push((path, name));
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let code = fs::read_to_string(&path).expect("it is text");
                    modules.insert(name.join("::"), Module::read(&code));
                }
            }
        }
        // Tests may use anything.
        let inside = |(name, module): (&String, &Module)| {
            let of = |test: &String| if name.is_empty() { test.clone() } else { format!("{name}::{test}") };
            module.tests.iter().map(of).collect::<Vec<_>>()
        };
        let tests: Vec<String> = modules.iter().flat_map(inside).collect();
        modules.retain(|name, _| !tests.iter().any(|test| is_within(name, test)));
        Self(modules)
    }

    /// The module that has what a path in a module names: re-exports are followed. `None` when it is in another crate.
    fn owner(&self, module: &str, path: &[String], re_exports_left: usize) -> Option<String> {
        let (first, rest) = path.split_first()?;
        let inner = || if module.is_empty() { first.clone() } else { format!("{module}::{first}") };
        let within = match first.as_str() {
            "crate" => Some(String::new()),
            "self" => Some(module.to_owned()),
            "super" => Some(module.rsplit_once("::").map_or("", |(parent, _)| parent).to_owned()),
            _ => Some(inner()).filter(|inner| self.0.contains_key(inner)),
        };
        if let Some(within) = within {
            return if rest.is_empty() { Some(within) } else { self.owner(&within, rest, re_exports_left) };
        }
        let code = self.0.get(module)?;
        if code.declared.contains(first) {
            return Some(module.to_owned());
        }
        let left = re_exports_left.checked_sub(1)?;
        if let Some(used) = code.uses.get(first) {
            return self.owner(module, &[used, rest].concat(), left);
        }
        code.globs.iter().find_map(|used| self.owner(module, &[used, path].concat(), left))
    }

    /// Each module but the root with those of which it names something. What a folder's own module names inside the folder is
    /// left out: it is the folder's door.
    fn imports(&self) -> Graph {
        let of = |(name, module): (&String, &Module)| {
            // A name alone is never a module, but may be a variable that is called like one.
            let is_variable = |path: &[String]| match path {
                [alone] => self.0.contains_key(&format!("{name}::{alone}")),
                _ => false,
            };
            let paths = module.paths.iter().filter(|path| !is_variable(path));
            let owners = paths.filter_map(|path| self.owner(name, path, RE_EXPORTS_MAX));
            (name.clone(), owners.filter(|owner| !owner.is_empty() && !is_within(owner, name)).collect())
        };
        self.0.iter().filter(|(name, _)| !name.is_empty()).map(of).collect()
    }
}

/// The rooms of a folder, each with those that it names: a module, or a folder with all its modules. The folder's own module is
/// left out, as its door.
fn rooms(imports: &Graph, folder: &str) -> Graph {
    let room = |module: &str| {
        let inner = module.strip_prefix(folder)?;
        inner.split("::").next().filter(|it| !it.is_empty()).map(str::to_owned)
    };
    let mut rooms = Graph::new();
    for (module, named) in imports {
        if let Some(name) = room(module) {
            let others = named.iter().filter_map(|it| room(it)).filter(|it| *it != name);
            rooms.entry(name.clone()).or_default().extend(others);
        }
    }
    rooms
}

/// The largest set of things of which each names each, directly or through others.
fn largest_circle(names: &Graph) -> BTreeSet<&str> {
    let reach = |from: &str| {
        let (mut seen, mut due) = (BTreeSet::new(), vec![from]);
        while let Some(it) = due.pop() {
            for next in names.get(it).into_iter().flatten() {
                if seen.insert(next.as_str()) {
                    due.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = names.keys().map(|it| (it.as_str(), reach(it))).collect();
    let circle = |it: &str| -> BTreeSet<&str> {
        reached[it].iter().copied().filter(|other| reached[other].contains(it)).collect()
    };
    names.keys().map(|it| circle(it)).max_by_key(BTreeSet::len).unwrap_or_default()
}

/// The circles of a crate that are too large: of its modules, and of the rooms in each folder.
fn knots(modules: &Modules) -> Vec<String> {
    let imports = modules.imports();
    let parents = imports.keys().flat_map(|it| it.match_indices("::").map(|(at, _)| it[..at + 2].to_owned()));
    let folders: BTreeSet<String> = parents.chain([String::new()]).collect();
    let graphs = folders.iter().map(|folder| (format!("in {folder}"), rooms(&imports, folder)));
    let mut knots = Vec::new();
    for (place, graph) in [("modules".to_owned(), imports.clone())].into_iter().chain(graphs) {
        let circle = largest_circle(&graph);
        if circle.len() > CIRCLE_MAX {
            let inside = |it: &&&str| graph[**it].iter().filter(|it| circle.contains(it.as_str())).collect();
            let named: BTreeMap<&str, Vec<&String>> = circle.iter().map(|it| (*it, inside(&it))).collect();
            knots.push(format!("{place}: {named:?}"));
        }
    }
    knots
}

#[test]
fn no_crate_is_a_knot_of_modules() {
    let packages = packages();
    let is_judged = |folder: &str| folder.starts_with("host") || folder == "rules";
    let judged = packages.iter().filter(|(_, package)| is_judged(&package.folder));
    let knots = judged.flat_map(|(name, package)| {
        let knots = knots(&Modules::read(&root().join(&package.folder).join("src")));
        knots.into_iter().map(move |it| format!("{name}: {it}"))
    });
    let knots: Vec<String> = knots.collect();
    assert!(knots.is_empty(), "these name each other in a circle:\n{}", knots.join("\n"));
}

#[test]
fn the_rules_name_no_file_thread_lock_process_or_clock() {
    let modules = Modules::read(&root().join("rules/src"));
    let outside = ["env", "fs", "io", "net", "process", "sync", "thread", "time"];
    // A shared value is no lock.
    let is_outside = |path: &[String]| match path {
        [std, sync, arc] if std == "std" && sync == "sync" => arc != "Arc",
        [std, it, ..] => std == "std" && outside.contains(&it.as_str()),
        _ => false,
    };
    for (name, module) in &modules.0 {
        let paths = module.paths.iter().chain(module.uses.values()).chain(&module.globs);
        let found = paths.map(Vec::as_slice).find(|path| is_outside(path));
        assert_eq!(found, None, "{name} names it");
    }
}

#[test]
fn an_import_is_found_through_lists_renamings_re_exports_and_macros() {
    let modules = |codes: &[(&str, &str)]| {
        Modules(codes.iter().map(|(name, code)| ((*name).to_owned(), Module::read(code))).collect())
    };
    let found = |code: &str| {
        let door = "mod inner; pub use inner::{Deep, other as renamed}; pub use crate::c::*; pub fn own() {}";
        let modules = modules(&[
            ("", ""),
            ("a", code),
            ("b", door),
            ("b::inner", "pub struct Deep; pub fn other() {}"),
            ("c", "pub struct Starred;"),
        ]);
        modules.imports()["a"].iter().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found("use crate::b::{self, own as mine, Deep};"), "b b::inner");
    assert_eq!(found("fn f() { super::b::renamed(); } // crate::c"), "b::inner");
    assert_eq!(found("use crate::b; fn f() -> b::Starred { todo!() }"), "b c");
    assert_eq!(found("fn f() { assert!(g(crate::b::Deep)); }"), "b::inner");
    assert_eq!(found("pub use crate::b::Deep; use std::fmt::Debug; fn own() {}"), "");
    assert_eq!(found("pub use crate::b::Deep; struct It(Deep);"), "b::inner");
    assert_eq!(found("#[cfg(test)] mod tests { use crate::b::own; }"), "");
}

#[test]
fn a_circle_is_found_among_modules_and_among_rooms() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry((*from).into()).or_default().insert((*to).into());
            graph.entry((*to).into()).or_default();
        }
        graph
    };
    let edges = graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "b")]);
    assert_eq!(largest_circle(&edges), BTreeSet::from(["b", "c", "d"]));
    assert!(largest_circle(&graph(&[("a", "b")])).is_empty());
    let folders = graph(&[("a::x", "b::y"), ("b::z", "a"), ("a", "a::x")]);
    assert_eq!(largest_circle(&rooms(&folders, "")), BTreeSet::from(["a", "b"]));
    assert!(largest_circle(&rooms(&folders, "a::")).is_empty());
}
