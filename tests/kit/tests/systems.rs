//! One crate alone asks for which system it is compiled.

use crate::structure::{packages, root};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// Names in a `cfg` that ask for the system or its processor.
const SYSTEMS: [&str; 7] =
    ["unix", "windows", "target_os", "target_family", "target_arch", "target_env", "target_vendor"];

/// The names of `std::env::consts`.
const CONSTANTS: [&str; 5] = ["OS", "ARCH", "FAMILY", "EXE_SUFFIX", "EXE_EXTENSION"];

/// The names of modules of the standard library and of tokio that are there on one system only.
const MODULES: [&str; 4] = ["unix", "linux", "macos", "windows"];

/// The crates that may ask: that for it, and those that are only for Linux, where the tests and tasks of this project run.
const APART: [&str; 4] = ["arena-platform", "arena-testkit", "arena-laws", "xtask"];

/// The questions in code for which system it is compiled, in the form of a `cfg`, of a constant or of a module that only some systems have.
/// Guest code may ask whether it is WebAssembly, and tests may ask anything.
fn questions(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_for_tests = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let text = group.to_string().replace(' ', "");
                // The item after this attribute ends with its body, or with a semicolon.
                is_for_tests |= text == "[cfg(test)]" || text.starts_with("[cfg(all(test,");
                if is_for_tests && group.delimiter() == Delimiter::Brace {
                    is_for_tests = false;
                } else if !is_for_tests {
                    found.extend(questions(group.stream()));
                }
            }
            TokenTree::Punct(it) if it.as_char() == ';' => is_for_tests = false,
            TokenTree::Ident(it) if CONSTANTS.iter().any(|name| it == name) => found.push(it.to_string()),
            TokenTree::Ident(it) if !is_for_tests && MODULES.iter().any(|name| it == name) => {
                let is_path = |next: &TokenTree| matches!(next, TokenTree::Punct(it) if it.as_char() == ':' && it.spacing() == Spacing::Joint);
                found.extend(tokens.peek().is_some_and(is_path).then(|| format!("{it}::")));
            }
            TokenTree::Ident(it) if it == "cfg" || it == "cfg_attr" || it == "cfg_select" => {
                let _ = tokens.next_if(|next| matches!(next, TokenTree::Punct(it) if it.as_char() == '!'));
                if let Some(TokenTree::Group(group)) = tokens.peek() {
                    let text = group.to_string();
                    let words: Vec<&str> =
                        text.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
                    let is_of_guest = words.iter().any(|word| *word == "wasm" || *word == "wasm32");
                    let is_of_test = words.contains(&"test");
                    if !is_of_guest && !is_of_test && words.iter().any(|word| SYSTEMS.contains(word)) {
                        found.push(text);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The Rust files in a folder, except for those with tests alone.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_of_tests = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_of_tests {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_of_tests {
            files.push(path);
        }
    }
    files
}

#[test]
fn only_the_crate_for_systems_asks_for_which_one_it_is_compiled() {
    let packages = packages();
    let judged = packages.iter().filter(|(name, _)| !APART.contains(&name.as_str()));
    let files = judged.flat_map(|(_, package)| rust_files(&root().join(&package.folder).join("src")));
    let asking = files.flat_map(|path| {
        let code = fs::read_to_string(&path).expect("it is text");
        let tokens: TokenStream = code.parse().expect("it is Rust");
        questions(tokens).into_iter().map(move |it| format!("{}: {it}", path.display()))
    });
    let asking: Vec<String> = asking.collect();
    assert!(asking.is_empty(), "move these to arena-platform:\n{}", asking.join("\n"));
}

#[test]
fn a_question_for_the_system_is_found_unless_a_guest_or_a_test_asks() {
    let of = |code: &str| questions(code.parse().expect("it is Rust")).len();
    for asking in [
        "#[cfg(unix)] fn a() {}",
        "fn a() { if cfg!(not(target_os = \"linux\")) { b() } }",
        "#[cfg_attr(windows, path = \"a.rs\")] mod a;",
        "#[cfg(test)] mod tests { fn a() {} } #[cfg(all(windows, feature = \"a\"))] fn b() {}",
        "use std::env::{self, consts::EXE_SUFFIX};",
        "use std::os::unix::fs::PermissionsExt;",
        "use std::{fs, os::{unix::process::CommandExt}};",
        "fn a() { tokio::signal::unix::signal(b) }",
        "#[cfg(test)] use a; #[cfg(target_arch = \"x86_64\")] fn b() {}",
    ] {
        assert_eq!(of(asking), 1, "{asking}");
    }
    for other in [
        "#[cfg(target_arch = \"wasm32\")] fn a() {}",
        "#[cfg(target_family = \"wasm\")] fn a() {}",
        "#[cfg(test)] mod tests { #[cfg(unix)] fn a() { ARCH } }",
        "#[cfg(test)] use std::os::unix::fs::PermissionsExt;",
        "#[cfg(test)] mod tests { use std::os::unix::fs::PermissionsExt; }",
        "fn a() { b.windows(2); let windows: u8 = 3; }",
        "#[cfg(all(test, unix))] mod tests {}",
        "#[cfg(feature = \"a\")] fn unix() { windows() }",
        "fn a() { \"cfg(unix)\" }",
    ] {
        assert_eq!(of(other), 0, "{other}");
    }
}
