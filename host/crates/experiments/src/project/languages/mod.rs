//! The builds of folders without a build command of their own: the language is found by the files that are there, and each language has its
//! tools, which the build installs in the folder where that is possible.

mod c;
mod go;
mod javascript;
mod python;
mod rust;
mod tools;
mod venv;

use super::{BuildFailure, Native, Project, Steps};
use arena_engine::Error;
use arena_starter::Language;
use arena_text::shown;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{fs, io};

/// The files that name the language of a folder.
const FILES: [(&str, Language); 5] = [
    ("Cargo.toml", Language::Rust),
    ("package.json", Language::JavaScript),
    ("go.mod", Language::Go),
    ("app.py", Language::Python),
    ("adapter/app.py", Language::Python),
];

/// The files by which the language of a folder is found, for messages.
pub(crate) const WANTED: &str = "Cargo.toml, package.json, go.mod, app.py, or sources in C, C++ or Zig";

/// The folder of intermediate files, inside the folder of the bot.
const PARTS: &str = ".build";

/// Returns the language of a folder.
pub(super) fn language_of(folder: &Path) -> Option<Language> {
    let by_file = FILES.into_iter().find(|(file, _)| folder.join(file).is_file());
    let language = by_file.map(|(_, language)| language);
    language.or_else(|| c::is_there(folder).then_some(Language::C))
}

/// Returns the file of the component of a folder without an `arena.toml`. It has the name of the crate, or that of the folder.
pub(super) fn name_of(folder: &Path) -> String {
    let name = || Some(folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned());
    format!("{}.wasm", rust::package(folder).or_else(name).as_deref().unwrap_or("bot"))
}

/// Builds a folder in a language. With `only_tools`, installs what the build needs in the folder, and builds nothing.
pub(super) fn build(
    project: &Project,
    language: Language,
    only_tools: bool,
    steps: &mut dyn Steps,
) -> Result<(), BuildFailure> {
    match language {
        Language::Rust if only_tools => rust::prepare(steps).map(drop),
        Language::Rust => rust::build(project, steps),
        Language::Python | Language::PythonGuide => python::build(project, only_tools, steps),
        Language::JavaScript => javascript::build(project, only_tools, steps),
        Language::C => c::build(project, only_tools, steps),
        Language::Go => go::build(project, only_tools, steps),
    }
}

/// Runs the tests or the practice program of a folder in a language, by the language's own tools where they do it in one command.
pub(super) fn run_native(
    project: &Project,
    language: Language,
    what: Native,
    args: &[OsString],
    steps: &mut dyn Steps,
) -> Result<ExitStatus, BuildFailure> {
    let (program, own) = match (language, what) {
        (Language::C, _) => return c::run_native(project, what, args, steps),
        (Language::Go, _) => return go::run_native(project, what, args, steps),
        (Language::Rust, Native::Tests) => (rust::CARGO.find()?, ["test"].as_slice()),
        (Language::Rust, Native::Practice) => {
            (rust::CARGO.find()?, ["run", "--quiet", "--example", "practice", "--"].as_slice())
        }
        (Language::JavaScript, Native::Tests) => (javascript::NPM.find()?, ["test"].as_slice()),
        (Language::JavaScript, Native::Practice) => (javascript::NODE.find()?, ["practice.js"].as_slice()),
        (_, Native::Tests) => (venv::python()?, ["-m", "unittest"].as_slice()),
        (_, Native::Practice) => (venv::python()?, ["practice.py"].as_slice()),
    };
    steps.run(Command::new(program).args(own).args(args).current_dir(&project.folder))
}

/// The names and paths of what is in a folder, sorted by name; nothing for one that cannot be read.
fn entries(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let read = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> =
        read.map(|it| (it.file_name().to_string_lossy().into_owned(), it.path())).collect();
    entries.sort();
    entries.into_iter()
}

/// A file or folder that cannot be written.
fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> BuildFailure {
    let what = format!("cannot write {}", shown(path));
    move |error| Error::machine(what, error, "check the permissions of the folder").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_folder_is_that_of_its_files() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(language_of(place.path()), None);
        fs::create_dir(place.path().join("adapter")).unwrap();
        let others = [
            ("test_bot.c", None),
            ("practice.c", None),
            ("bot.zig", Some(Language::C)),
            ("adapter/app.py", Some(Language::Python)),
            ("go.mod", Some(Language::Go)),
            ("package.json", Some(Language::JavaScript)),
            ("Cargo.toml", Some(Language::Rust)),
        ];
        for (file, language) in others {
            fs::write(place.path().join(file), "").unwrap();
            assert_eq!(language_of(place.path()), language, "{file}");
        }
    }

    #[test]
    fn each_template_is_in_the_language_that_is_found() {
        use arena_rules::GameKind;
        let place = tempfile::tempdir().unwrap();
        for language in Language::ALL {
            let bots = GameKind::ALL.map(|game| arena_starter::Template::of(language, game));
            let all = bots.into_iter().chain([arena_starter::Template::of_game(language)]);
            for (number, template) in all.flatten().enumerate() {
                let folder = place.path().join(format!("in-{language}-{number}"));
                let name =
                    arena_starter::write(template, &folder.with_file_name(format!("in{number}-{language}")));
                let name = name.unwrap();
                let project = Project::read(&place.path().join(&name)).unwrap();
                let found = project.language.expect("it is found");
                let is_same =
                    found == language || language == Language::PythonGuide && found == Language::Python;
                assert!(is_same, "{name}: {found}");
                assert_eq!(project.component, place.path().join(&name).join(format!("{name}.wasm")));
                assert_eq!(project.is_game, template.is_game());
            }
        }
    }
}
