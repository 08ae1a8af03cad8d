//! The public names of the engine: each has one path.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::{Item, UseTree, Visibility};

/// The number of names at the root of the engine. Chosen: a reader of its documentation can look through them all.
const ENGINE_NAMES_MAX: usize = 60;

/// The public names in these items, each with the path of what it names; of the modules among them, those that are in a file of their own
/// come last.
fn public_names(items: &[Item], path: &str, names: &mut Vec<(String, String)>, files: &mut Vec<String>) {
    fn leaves(tree: &UseTree, origin: &str, names: &mut Vec<(String, String)>, path: &str) {
        match tree {
            UseTree::Path(part) => leaves(&part.tree, &format!("{origin}{}::", part.ident), names, path),
            UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, origin, names, path)),
            UseTree::Name(name) => {
                names.push((format!("{path}{}", name.ident), format!("{origin}{}", name.ident)))
            }
            UseTree::Rename(name) => {
                names.push((format!("{path}{}", name.rename), format!("{origin}{}", name.ident)))
            }
            UseTree::Glob(_) => panic!("{path} re-exports all names of {origin}"),
        }
    }
    for item in items {
        match item {
            Item::Use(item) if matches!(item.vis, Visibility::Public(_)) => {
                leaves(&item.tree, "", names, path)
            }
            Item::Mod(item) if matches!(item.vis, Visibility::Public(_)) => match &item.content {
                Some((_, items)) => public_names(items, &format!("{path}{}::", item.ident), names, files),
                None => files.push(item.ident.to_string()),
            },
            _ => {}
        }
    }
}

#[test]
fn each_name_of_the_engine_has_one_public_path() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../host/crates/engine/src");
    let read = |file: &str| syn::parse_file(&fs::read_to_string(folder.join(file)).unwrap()).unwrap().items;
    let (mut names, mut files) = (Vec::new(), Vec::new());
    public_names(&read("lib.rs"), "", &mut names, &mut files);
    assert_eq!(files, ["internals"], "these modules are another path to the names in them");
    assert!((20..=ENGINE_NAMES_MAX).contains(&names.len()), "{} names", names.len());
    public_names(&read("internals.rs"), "internals::", &mut names, &mut files);
    let mut paths = BTreeMap::new();
    for (path, origin) in names {
        let origin = origin.trim_start_matches("crate::").to_owned();
        if let Some(other) = paths.insert(origin.clone(), path.clone()) {
            panic!("{origin} is {path} and {other}");
        }
    }
}
