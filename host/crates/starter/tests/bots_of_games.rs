//! Folders of bots for games that are components, made from contracts with types of all kinds and with names that are words of languages.

use arena_rules::loaded::{About, BotContract, Definition, NamedType, Part, Plain};
use arena_starter::{FolderError, Language, LoadedGame, Template, write};
use std::collections::BTreeSet;
use tempfile::TempDir;

/// The languages with a template for such games.
const LANGUAGES: [Language; 5] =
    [Language::Rust, Language::Python, Language::JavaScript, Language::C, Language::Go];

/// The file of each with any action.
const PATHS: [&str; 5] = ["src/any.rs", "anything.py", "anything.js", "any.c", "anything/anything.go"];

fn names(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

fn boxed(part: Part) -> Box<Part> {
    Box::new(part)
}

/// A game whose action has types of all kinds, and names that are words of the languages or of the templates.
fn game() -> LoadedGame {
    let plain = Part::Plain;
    let numbers = Plain::ALL.map(|it| (format!("%{}", it.name()).replace('%', "a-"), plain(it)));
    let fields =
        names("type self none class-of URL fn lambda").into_iter().map(|name| (name, plain(Plain::U8)));
    let types = [
        ("observation", Definition::Record(vec![("turn".into(), plain(Plain::U32))])),
        ("unused", Definition::Enum(names("a b"))),
        ("numbers", Definition::Record(numbers.into())),
        ("guest", Definition::Record(fields.collect())),
        ("option", Definition::Enum(names("true false none from-here"))),
        ("flag-set", Definition::Flags(names("lambda to-URL let"))),
        (
            "action",
            Definition::Variant(vec![
                ("none".into(), None),
                ("some".into(), Some(Part::Named(2))),
                ("match".into(), Some(Part::Named(3))),
                ("first-bot".into(), Some(Part::Tuple(vec![Part::Named(4), Part::Named(5)]))),
                ("bytes".into(), Some(Part::List(boxed(plain(Plain::U8))))),
                ("shorts".into(), Some(Part::List(boxed(plain(Plain::S16))))),
                ("longs".into(), Some(Part::List(boxed(plain(Plain::U64))))),
                ("texts".into(), Some(Part::List(boxed(plain(Plain::String))))),
                ("lists".into(), Some(Part::List(boxed(Part::List(boxed(plain(Plain::Bool))))))),
                ("maybe".into(), Some(Part::Option(boxed(Part::Tuple(vec![plain(Plain::S64)]))))),
                ("twice".into(), Some(Part::Option(boxed(Part::Option(boxed(plain(Plain::U8))))))),
                (
                    "either".into(),
                    Some(Part::Result(Some(boxed(plain(Plain::Char))), Some(boxed(Part::Named(4))))),
                ),
                ("nothing".into(), Some(Part::Result(None, None))),
            ]),
        ),
    ];
    let types = types.into_iter().map(|(name, definition)| NamedType { name: name.into(), definition });
    let contract = BotContract {
        package: "match:first-bot".into(),
        version: "1.0.0".into(),
        types: types.collect(),
        observation: 0,
        action: 6,
    };
    contract.check().expect("it is a contract");
    LoadedGame {
        about: About { name: "first-bot".into(), version: "1".into(), ..About::default() },
        contract,
    }
}

fn template(language: Language, game: &LoadedGame) -> Template<'_> {
    Template::of_loaded(language, game).unwrap_or_else(|error| panic!("{error}"))
}

/// The text of a file of a bot named `scout`.
fn text(template: Template<'_>, path: &str) -> String {
    let file = template.files("scout").into_iter().find(|file| file.path == path);
    let file = file.unwrap_or_else(|| panic!("{template:?} has no {path}"));
    String::from_utf8(file.bytes).expect("it is text")
}

#[test]
fn any_action_is_written_with_the_names_that_each_language_gives_to_types() {
    let game = game();
    for (language, path) in LANGUAGES.into_iter().zip(PATHS) {
        insta::assert_snapshot!(format!("any_action_in_{language}"), text(template(language, &game), path));
    }
}

#[test]
fn the_types_and_the_exports_in_go_are_written_as_the_canonical_abi_has_them() {
    let game = game();
    let files = ["game/game.go", "adapter/adapter.go"].map(|path| text(template(Language::Go, &game), path));
    insta::assert_snapshot!("types_and_exports_in_go", files.join("\n"));
    // Names that are the same in Go, and those that the package has.
    let types = [
        ("result", Definition::Enum(names("a-b"))),
        ("result-a", Definition::Record(vec![("b".into(), Part::Result(None, None))])),
        ("tuple2", Definition::Enum(names("x"))),
        ("both", Definition::Alias(Part::Tuple(vec![Part::Named(0), Part::Named(2)]))),
        ("result-a-b", Definition::Variant(vec![("only".into(), None)])),
    ];
    let types = types.map(|(name, definition)| NamedType { name: name.into(), definition });
    let contract = BotContract { types: types.into(), observation: 3, action: 4, ..game.contract.clone() };
    let text = text(template(Language::Go, &LoadedGame { contract, ..game }), "game/game.go");
    for line in [
        "type Result[T, E any] struct {",
        "type Result_ uint8",
        "\tResult_AB Result_ = iota",
        "\tB Result[struct{}, struct{}]",
        "type Both = Tuple2[Result_, Tuple2_]",
        "type ResultAB interface {",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn the_names_of_the_game_are_not_taken_for_those_of_the_bot() {
    let game = game();
    for language in LANGUAGES {
        let template = template(language, &game);
        let wit = text(template, "wit/bot.wit");
        assert_eq!(wit, game.contract.wit(&game.about), "{language}");
        assert!(wit.contains("package match:first-bot@1.0.0;"), "{wit}");
        assert!(text(template, "README.md").starts_with("# scout\n\nA bot for first-bot in "), "{language}");
    }
    assert!(
        text(template(Language::Rust, &game), "src/lib.rs")
            .contains("use exports::match_::first_bot::bot as game;")
    );
    let world = text(template(Language::JavaScript, &game), "wit/console.wit");
    assert!(
        world.starts_with("package match:first-bot@1.0.0;\n") && world.contains("include player;"),
        "{world}"
    );
    let lock = text(template(Language::Rust, &game), "Cargo.lock");
    assert!(
        lock.contains("name = \"scout\"\nversion = \"0.1.0\"\n")
            && lock.contains(" \"bitflags\",\n \"wit-bindgen")
    );
}

#[test]
fn each_folder_has_the_files_and_the_commands_that_its_readme_names_and_nothing_of_built_in_games() {
    let game = game();
    for language in LANGUAGES {
        let template = template(language, &game);
        let paths: BTreeSet<String> = template.files("scout").into_iter().map(|file| file.path).collect();
        let readme = text(template, "README.md");
        for command in [
            "arena build",
            "arena check scout.wasm --game first-bot.wasm",
            "arena run --game first-bot.wasm scout.wasm builtin:random",
        ] {
            assert!(readme.contains(&format!("\n{command}")), "{language}: {command}\n{readme}");
        }
        let table = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        for name in table.flat_map(|cell| cell.split("`, `")).map(|name| name.trim_end_matches('`')) {
            assert!(
                paths.iter().any(|path| path.starts_with(name)),
                "{language}: {name} is not in {paths:?}"
            );
        }
        for path in &paths {
            let Ok(text) = String::from_utf8(
                template.files("scout").into_iter().find(|it| it.path == *path).unwrap().bytes,
            ) else {
                continue;
            };
            for foreign in [
                "first-game",
                "first_action",
                "first_observation",
                "FirstAction",
                "first_path",
                "connect-four",
                "attleship",
            ] {
                assert!(!text.contains(foreign), "{language}: {path} has {foreign}");
            }
        }
        assert!(
            paths.contains(template.file_to_edit()) && paths.contains(arena_starter::MANIFEST),
            "{paths:?}"
        );
    }
}

#[test]
fn a_name_that_wit_bindgen_cannot_write_is_found() {
    let package = |name: &str| BotContract { package: name.into(), ..game().contract };
    for (contract, expected) in [
        (package("games:match"), Some("match")),
        (package("match:games"), None),
        (
            BotContract {
                types: vec![NamedType { name: "it".into(), definition: Definition::Enum(names("a self")) }],
                ..package("games:it")
            },
            Some("self"),
        ),
    ] {
        let game = LoadedGame { contract, ..game() };
        let reason = game.unsuited(Language::Rust);
        assert_eq!(reason.as_deref().and_then(|reason| reason.split('`').nth(1)), expected);
        assert_eq!(game.unsuited(Language::Python), None);
    }
}

#[test]
fn a_language_without_a_template_and_a_name_of_a_dependency_are_refused() {
    let game = game();
    let error = Template::of_loaded(Language::PythonGuide, &game).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no template for first-bot in python-guide, only in rust, python, javascript, c, go"
    );
    let place = TempDir::new().expect("there is room");
    for name in ["syn", "wit-bindgen", "fn"] {
        let error =
            write(template(Language::Rust, &game), &place.path().join(name)).expect_err("it is refused");
        assert!(matches!(error, FolderError::Name { .. }), "{name}: {error}");
    }
}

#[test]
fn the_code_in_c_is_c_without_warnings() {
    let place = TempDir::new().expect("there is room");
    let whole = game();
    // By value and by pointer, with memory to free and without.
    let alias = |part| NamedType { name: "action".into(), definition: Definition::Alias(part) };
    let of_part = |part: Part| LoadedGame {
        contract: BotContract {
            types: vec![alias(part)],
            observation: 0,
            action: 0,
            ..whole.contract.clone()
        },
        ..whole.clone()
    };
    let parts = [
        Part::Plain(Plain::U8),
        Part::Plain(Plain::String),
        Part::Option(boxed(Part::List(boxed(Part::Plain(Plain::F64))))),
    ];
    for (index, game) in std::iter::once(whole.clone()).chain(parts.map(of_part)).enumerate() {
        assert_eq!((game.unsuited(Language::C), game.unsuited(Language::Go)), (None, None));
        let folder = place.path().join(format!("bot-{index}"));
        write(template(Language::C, &game), &folder).expect("it is written");
        // The linker of this test is a C compiler. `player.c` is for 32 bits.
        let mut cc = std::process::Command::new("cc");
        cc.args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            "bot.c",
            "any.c",
            "adapter/glue.c",
        ]);
        let output = cc.current_dir(&folder).output().expect("it runs");
        assert!(output.status.success(), "{index}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let fixed = of_part(Part::FixedList(boxed(Part::Plain(Plain::U8)), 4));
    assert_eq!(
        fixed.unsuited(Language::C).as_deref(),
        Some("wit-bindgen has no C for a list of a fixed length")
    );
    assert_eq!(fixed.unsuited(Language::Go).as_deref(), Some("bots in Go have no list of a fixed length"));
    for language in [Language::Rust, Language::Python, Language::JavaScript] {
        assert_eq!(fixed.unsuited(language), None);
        assert!(!template(language, &fixed).files("scout").is_empty(), "{language}");
    }
}
