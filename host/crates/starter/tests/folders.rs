//! Folders of new bots, made from each template without any tool of its language.

use arena_rules::GameKind;
use arena_starter::{FolderError, Language, Template, write};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// All templates there are.
fn templates() -> impl Iterator<Item = Template<'static>> {
    let games =
        |language| GameKind::ALL.into_iter().filter_map(move |game| Template::of(language, game).ok());
    let of_games = Language::ALL.into_iter().filter_map(|language| Template::of_game(language).ok());
    Language::ALL.into_iter().flat_map(games).chain(of_games)
}

/// The text of a file of a template, for a bot with a name.
fn text(template: Template<'_>, name: &str, path: &str) -> String {
    let files = template.files(name);
    let file = files.into_iter().find(|file| file.path == path);
    let file = file.unwrap_or_else(|| panic!("{template:?} has no {path}"));
    String::from_utf8(file.bytes).expect("it is text")
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

#[test]
fn each_language_has_a_template_for_each_game_but_the_guide_is_for_battleship() {
    for language in Language::ALL {
        assert!(Template::of(language, GameKind::Battleship).is_ok(), "{language}");
    }
    for language in Language::ALL.into_iter().filter(|&language| language != Language::PythonGuide) {
        assert!(Template::of(language, GameKind::Submarine).is_ok(), "{language}");
    }
    let error = Template::of(Language::PythonGuide, GameKind::Submarine).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no template for submarine in python-guide, only in rust, python, javascript, c, go"
    );
}

#[test]
fn games_are_in_these_languages_and_each_has_the_arenas_contract_and_its_own_package() {
    for language in [Language::Rust, Language::Python, Language::JavaScript, Language::C] {
        let template = Template::of_game(language).unwrap();
        assert_eq!(text(template, "scout", "wit/deps/game/game.wit"), arena_starter::game_contract());
        let wit = text(template, "scout", "wit/game.wit");
        assert!(wit.contains("package games:scout@1.0.0;") && wit.contains("\nworld game {"), "{wit}");
    }
    let error = Template::of_game(Language::PythonGuide).unwrap_err().to_string();
    assert_eq!(error, "there is no template for a game in python-guide, only in rust, python, javascript, c");
}

#[test]
fn code_in_c_is_written_for_each_type_but_a_list_of_a_fixed_length() {
    let place = TempDir::new().unwrap();
    let written = |action: &str| {
        let wit = format!(
            "package games:any@1.0.0;\n\
             interface bot {{ play: func(observation: list<tuple<u8, string>>) -> {action}; }}\n\
             world player {{ export bot; }}\n"
        );
        fs::write(place.path().join("bot.wit"), wit).unwrap();
        let folder = place.path().join("new/adapter");
        arena_starter::write_bindings(&place.path().join("bot.wit"), &folder)?;
        Ok::<_, arena_starter::BindingsError>(fs::read_to_string(folder.join("player.h")).unwrap())
    };
    let header = written("result<option<f32>, list<char>>").unwrap();
    assert!(header.contains("void exports_bot_play("), "{header}");
    let refused = written("list<u8, 4>").unwrap_err().to_string();
    assert_eq!(refused, "wit-bindgen has no C for a list of a fixed length");
    let refused = written("chess").unwrap_err().to_string();
    assert!(refused.contains("chess"), "{refused}");
    assert!(matches!(
        arena_starter::write_bindings(&place.path().join("none"), place.path()),
        Err(arena_starter::BindingsError::Contract(_))
    ));
}

#[test]
fn every_template_has_the_files_and_the_commands_that_its_readme_names() {
    for template in templates() {
        let readme = text(template, "scout", "README.md");
        let paths: BTreeSet<String> = template.files("scout").into_iter().map(|file| file.path).collect();
        for path in ["README.md", ".gitignore", template.file_to_edit()] {
            assert!(paths.contains(path), "{template:?}: {path}");
        }
        assert!(readme.contains(&format!("`{}`", template.file_to_edit())), "{template:?}:\n{readme}");
        for command in ["arena build", template.test_command()] {
            assert!(readme.contains(&format!("\n{command} ")), "{template:?}: {command}\n{readme}");
        }
        assert!(readme.contains("arena check scout.wasm"), "{template:?}:\n{readme}");
        let table = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        let named = table.flat_map(|cell| cell.split("`, `")).map(|name| name.trim_end_matches('`'));
        for name in named {
            let exists = paths.iter().any(|path| path == name || path.starts_with(name));
            assert!(exists, "{template:?}: {name} is not in {paths:?}");
        }
    }
}

#[test]
fn the_component_is_named_in_each_folder_for_arena_build() {
    for template in templates() {
        let manifest = text(template, "scout", arena_starter::MANIFEST);
        let component = if template.is_game() { "game = \"scout.wasm\"" } else { "bot = \"scout.wasm\"" };
        let lines: Vec<&str> = manifest.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines, [component], "{template:?}");
    }
}

#[test]
fn nothing_in_a_folder_points_into_the_repository_or_has_the_name_of_the_example() {
    for template in templates() {
        for file in template.files("scout") {
            let Ok(text) = String::from_utf8(file.bytes) else { continue };
            for foreign in [
                "first-bot",
                "first_bot",
                "first-game",
                "connect-four",
                "connect_four",
                "../../guest-sdk",
                env!("CARGO_MANIFEST_DIR"),
            ] {
                assert!(!text.contains(foreign), "{template:?}: {} has {foreign}", file.path);
            }
        }
    }
}

#[test]
fn the_dependencies_of_the_sdk_are_in_its_folder_or_in_the_registry() {
    let template = Template::of(Language::Rust, GameKind::Battleship).unwrap();
    for (path, folder) in [
        ("Cargo.toml", ""),
        ("sdk/Cargo.toml", "sdk/"),
        ("sdk/guest-sdk/Cargo.toml", "sdk/guest-sdk/"),
        ("sdk/rules/Cargo.toml", "sdk/rules/"),
    ] {
        let manifest = text(template, "scout", path);
        let paths = manifest.split("path = \"").skip(1).filter_map(|rest| rest.split('"').next());
        paths.for_each(|path| drop(text(template, "scout", &format!("{folder}{path}/Cargo.toml"))));
    }
}

#[test]
fn a_lock_file_is_sorted_by_name_after_the_bot_has_another_one() {
    for name in ["aardvark", "zebra"] {
        let template = Template::of(Language::Rust, GameKind::Battleship).unwrap();
        let lock = text(template, name, "Cargo.lock");
        let names: Vec<&str> = lock.lines().filter(|line| line.starts_with("name = ")).collect();
        assert!(names.is_sorted() && names.contains(&format!("name = \"{name}\"").as_str()), "{names:?}");
    }
}

#[test]
fn the_embedded_files_are_those_that_git_has() {
    for folder in [
        "host/crates/starter/templates",
        "examples/first-bot",
        "examples/games/connect-four/src",
        "guest-sdk/src",
        "rules/src",
        "wit",
    ] {
        let listed = |option: &str| {
            let mut git = Command::new("git");
            let output =
                git.args(["ls-files", option, "--exclude-standard", folder]).current_dir(root()).output();
            String::from_utf8(output.expect("git runs").stdout).unwrap().lines().count()
        };
        // Files that a tool has left in one of these folders would be in the program.
        let on_the_disk = count(&root().join(folder), folder.starts_with("examples/"));
        assert_eq!(on_the_disk, listed("--cached") + listed("--others"), "{folder}");
    }
}

/// The number of files in a folder, without those that cargo and the build have written if it is a crate's.
fn count(folder: &Path, is_crate: bool) -> usize {
    let is_built = |path: &Path| {
        is_crate && (path.ends_with("target") || path.extension().is_some_and(|it| it == "wasm"))
    };
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let counted = entries.filter(|path| !is_built(path));
    counted.map(|path| if path.is_dir() { count(&path, false) } else { 1 }).sum()
}

/// A file of each example game that has it, with the name of the game.
fn of_example_games(file: &str) -> Vec<(String, String)> {
    let games = fs::read_dir(root().join("examples/games")).unwrap().map(|entry| entry.unwrap().path());
    let read = |game: PathBuf| {
        let text = fs::read_to_string(game.join(file)).ok()?;
        Some((game.file_name()?.to_str()?.to_owned(), text))
    };
    games.filter_map(read).collect()
}

#[test]
fn the_example_games_have_the_contract_with_games_of_the_repository() {
    let copies = of_example_games("wit/deps/game/game.wit");
    assert_eq!(copies.len(), 7, "an example game without the contract");
    for (game, copy) in copies {
        assert_eq!(copy, arena_starter::game_contract(), "{game}");
    }
}

#[test]
fn the_module_for_two_choices_at_once_is_the_same_in_the_template_and_the_example_games() {
    let copies = of_example_games("src/simultaneous.rs");
    assert_eq!(copies.len(), 3, "two games use it, and Connect Four is the template");
    let template = Template::of_game(Language::Rust).unwrap();
    for (game, copy) in copies {
        assert_eq!(copy, text(template, "my-game", "src/simultaneous.rs"), "{game}");
    }
}

#[test]
fn a_game_has_a_name_that_wit_can_have() {
    let place = TempDir::new().unwrap();
    let template = Template::of_game(Language::Rust).unwrap();
    for name in ["my_game", "game-2", "syn"] {
        let error = write(template, &place.path().join(name)).expect_err("it is refused");
        assert!(matches!(error, FolderError::Name { .. }), "{name}: {error}");
    }
    assert_eq!(write(template, &place.path().join("game2-of-words")).unwrap(), "game2-of-words");
}

#[test]
fn a_folder_is_written_whole_with_its_name_and_folders_above_it() {
    let place = TempDir::new().unwrap();
    for template in templates() {
        let folder = place.path().join(format!(
            "bots/{}-{}",
            template.language(),
            template.game().map_or("game", GameKind::name)
        ));
        let name = write(template, &folder).unwrap();
        assert_eq!(folder.file_name().unwrap().to_str(), Some(name.as_str()));
        for file in template.files(&name) {
            assert_eq!(fs::read(folder.join(&file.path)).unwrap(), file.bytes, "{}", file.path);
        }
    }
    let made = fs::read_dir(place.path().join("bots")).unwrap().count();
    assert_eq!(made, templates().count(), "nothing else is left beside them");
}

/// The reason why a folder is refused.
#[track_caller]
fn check_refusal(language: Language, folder: &Path, phrase: &str) {
    let template = Template::of(language, GameKind::Battleship).unwrap();
    let error = write(template, folder).expect_err("it is refused").to_string();
    assert!(error.contains(phrase), "`{phrase}` is not in: {error}");
}

#[test]
fn what_is_there_already_is_not_touched_unless_it_is_an_empty_folder() {
    let place = TempDir::new().unwrap();
    let template = Template::of(Language::C, GameKind::Battleship).unwrap();
    fs::create_dir_all(place.path().join("empty")).unwrap();
    assert_eq!(write(template, &place.path().join("empty")).unwrap(), "empty");
    check_refusal(Language::C, &place.path().join("empty"), "already exists");

    fs::write(place.path().join("file"), "mine").unwrap();
    check_refusal(Language::C, &place.path().join("file"), "already exists");
    assert_eq!(fs::read(place.path().join("file")).unwrap(), b"mine");

    let error = write(template, &place.path().join("file/inside")).unwrap_err();
    assert!(matches!(error, FolderError::BelowAFile), "{error}");
}

#[test]
fn a_name_that_a_package_cannot_have_is_refused_with_an_example_of_one_that_it_can() {
    let place = TempDir::new().unwrap();
    for name in ["Bot", "1bot", "my bot", "böt", "-x", "a.b"] {
        check_refusal(Language::Python, &place.path().join(name), "such as `my-bot`");
    }
    check_refusal(Language::Python, &place.path().join("a".repeat(65)), "64 characters");
    let longest = TempDir::new().unwrap();
    let template = Template::of(Language::Python, GameKind::Battleship).unwrap();
    assert_eq!(write(template, &longest.path().join("a".repeat(64))).unwrap(), "a".repeat(64));
    for name in ["fn", "core", "serde", "arena-sdk", "wit_bindgen"] {
        check_refusal(Language::Rust, &place.path().join(name), "in Rust");
    }
    check_refusal(Language::Go, Path::new(".."), "does not end in the name");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}
