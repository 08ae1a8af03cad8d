//! Templates: layers of files, of which a later one replaces files of the same path, with another name for the bot.

use crate::bindings::bindings;
use crate::loaded::LoadedGame;
use crate::{ADAPTER, Language, contract, game_contract, sdk};
use arena_rules::GameKind;
use include_dir::{Dir, include_dir};

/// The name of the bot in the templates, also in those of games. It stands for nothing else in them.
const PLACEHOLDER: &str = "first-bot";

/// The same as an identifier, as in the file that cargo writes.
const PLACEHOLDER_IDENTIFIER: &str = "first_bot";

/// The name of the game in templates for games, and in layers that several games share. It stands for nothing else in them.
const GAME_PLACEHOLDER: &str = "first-game";

/// The names of the game in its template in Rust, which are its author's to choose: `Connect Four` in a comment stays.
const GAME_PLACEHOLDERS: [&str; 2] = ["connect-four", "connect_four"];

/// The dependency of the example bot, and the same in a new bot's folder.
const SDK_HERE: [&str; 2] = ["\"../../guest-sdk\"", "\"sdk/guest-sdk\""];

/// The files of `templates/`, with a folder for each layer.
static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The files of the example bot besides its sources. They are listed, so that files which cargo writes there are not embedded.
const EXAMPLE: [(&str, &str); 5] = [
    (".gitignore", include_str!("../../../../examples/first-bot/.gitignore")),
    ("Cargo.lock", include_str!("../../../../examples/first-bot/Cargo.lock")),
    ("Cargo.toml", include_str!("../../../../examples/first-bot/Cargo.toml")),
    ("README.md", include_str!("../../../../examples/first-bot/README.md")),
    ("examples/practice.rs", include_str!("../../../../examples/first-bot/examples/practice.rs")),
];

/// The files of the example game besides its sources and the arena's contract.
const EXAMPLE_GAME: [(&str, &str); 5] = [
    (".gitignore", include_str!("../../../../examples/games/connect-four/.gitignore")),
    ("Cargo.lock", include_str!("../../../../examples/games/connect-four/Cargo.lock")),
    ("Cargo.toml", include_str!("../../../../examples/games/connect-four/Cargo.toml")),
    ("README.md", include_str!("../../../../examples/games/connect-four/README.md")),
    ("wit/game.wit", include_str!("../../../../examples/games/connect-four/wit/game.wit")),
];

/// The sources of the example game.
const EXAMPLE_GAME_SOURCES: Dir<'_> =
    include_dir!("$CARGO_MANIFEST_DIR/../../../examples/games/connect-four/src");

/// The sources of the example bot.
const EXAMPLE_SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../examples/first-bot/src");

/// The place of the adapter in folders of languages whose compilers know WASI 0.1 only.
const ADAPTER_PATH: &str = "wit/wasi_snapshot_preview1.reactor.wasm";

/// The file with what `arena build` cannot know from the other files of a folder.
pub const MANIFEST: &str = "arena.toml";

/// The tools for builds in Python, in the form of pip.
pub const PYTHON_REQUIREMENTS: &str = include_str!("../templates/python-common/requirements.txt");

/// A file of a new bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the folder of the bot, with `/` between its parts.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl File {
    pub(crate) fn text(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), bytes: text.into().into_bytes() }
    }
}

/// Returns all files in an embedded folder, with their paths in it after a prefix.
pub(crate) fn files_in(dir: &Dir<'_>, prefix: &str) -> Vec<File> {
    let mut files = Vec::new();
    for entry in dir.entries() {
        match entry {
            include_dir::DirEntry::Dir(inner) => files.extend(files_in(inner, prefix)),
            include_dir::DirEntry::File(file) => {
                let path = format!("{prefix}{}", file.path().display());
                files.push(File { path, bytes: file.contents().to_vec() });
            }
        }
    }
    files
}

/// A template for bots in a language for a game, or for a game.
#[derive(Clone, Copy, Debug)]
pub struct Template<'a> {
    language: Language,
    made: Made<'a>,
}

/// What a template makes.
#[derive(Clone, Copy, Debug)]
enum Made<'a> {
    /// A game.
    Game,
    /// A bot for a built-in game.
    Bot(GameKind),
    /// A bot for a game that is a component.
    LoadedBot(&'a LoadedGame),
}

/// A game without a template in a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no template for {game} in {language}, only in {}", .languages.join(", "))]
pub struct NoTemplate {
    /// The name of the game.
    pub game: String,
    /// The language.
    pub language: Language,
    /// The names of the languages with a template for the game.
    pub languages: Vec<&'static str>,
}

impl<'a> Template<'a> {
    /// The template for bots in a language for a game.
    ///
    /// # Errors
    /// There is none.
    pub fn of(language: Language, game: GameKind) -> Result<Self, NoTemplate> {
        Self { language, made: Made::Bot(game) }.existing(game.name())
    }

    /// The template for bots in a language for a game that is a component.
    ///
    /// # Errors
    /// There is none.
    pub fn of_loaded(language: Language, game: &'a LoadedGame) -> Result<Self, NoTemplate> {
        Self { language, made: Made::LoadedBot(game) }.existing(&game.about.name)
    }

    /// This template, if it exists.
    fn existing(self, game: &str) -> Result<Self, NoTemplate> {
        let exists = |language: &Language| !Self { language: *language, ..self }.layers().is_empty();
        if exists(&self.language) {
            return Ok(self);
        }
        let languages = Language::ALL.into_iter().filter(exists).map(Language::name).collect();
        Err(NoTemplate { game: game.to_owned(), language: self.language, languages })
    }

    /// The template for a game in a language.
    ///
    /// # Errors
    /// There is none.
    pub fn of_game(language: Language) -> Result<Self, NoTemplate> {
        Self { language, made: Made::Game }.existing("a game")
    }

    /// The language.
    pub const fn language(self) -> Language {
        self.language
    }

    /// The built-in game of the bot; `None` in the template for a game, and for a bot of a game that is a component.
    pub const fn game(self) -> Option<GameKind> {
        match self.made {
            Made::Bot(game) => Some(game),
            Made::Game | Made::LoadedBot(_) => None,
        }
    }

    /// True for the template for a game.
    pub const fn is_game(self) -> bool {
        matches!(self.made, Made::Game)
    }

    /// The name of the bot's game; `None` in the template for a game.
    pub fn game_name(self) -> Option<&'a str> {
        match self.made {
            Made::Game => None,
            Made::Bot(game) => Some(game.name()),
            Made::LoadedBot(game) => Some(&game.about.name),
        }
    }

    /// The path of the file that an author edits.
    pub const fn file_to_edit(self) -> &'static str {
        match self.language {
            Language::Rust if self.is_game() => "src/board.rs",
            Language::Python if self.is_game() => "table.py",
            Language::JavaScript if self.is_game() => "board.js",
            Language::C if self.is_game() => "board.c",
            Language::Rust => "src/lib.rs",
            Language::Python | Language::PythonGuide => "bot.py",
            Language::JavaScript => "bot.js",
            Language::C => "bot.c",
            Language::Go => "bot.go",
        }
    }

    /// The command that tests the bot natively in its folder. `arena build --test` does so in all languages.
    pub const fn test_command(self) -> &'static str {
        match self.language {
            Language::Rust => "cargo test",
            Language::Python | Language::PythonGuide => "python3 -m unittest",
            Language::JavaScript => "npm test",
            Language::C | Language::Go => "arena build --test",
        }
    }

    /// The command that runs the bot's practice program in its folder.
    pub const fn practice_command(self) -> &'static str {
        match self.language {
            Language::Rust => "cargo run --example practice",
            Language::Python | Language::PythonGuide => "python3 practice.py",
            Language::JavaScript => "node practice.js",
            Language::C | Language::Go => "arena build --practice",
        }
    }

    /// The file with the name of the component.
    fn manifest(self) -> String {
        let made = if self.is_game() { "game" } else { "bot" };
        format!(
            "# The component that `arena build` writes, as `arena dev` does after each save. A line `build = \"make\"` would replace how.\n\
             {made} = \"{PLACEHOLDER}.wasm\"\n",
        )
    }

    /// Returns the files of a bot with a name, sorted by path.
    pub fn files(self, name: &str) -> Vec<File> {
        let mut files: Vec<File> = Vec::new();
        for layer in self.layers() {
            put(&mut files, layer.files());
        }
        files.push(File::text(MANIFEST, self.manifest()));
        let identifier = name.replace('-', "_");
        let mut names = vec![(PLACEHOLDER, name.to_owned()), (PLACEHOLDER_IDENTIFIER, identifier.clone())];
        if self.is_game() {
            names.extend(GAME_PLACEHOLDERS.into_iter().zip([name.to_owned(), identifier]));
        }
        names.push((GAME_PLACEHOLDER, self.game_name().unwrap_or(name).to_owned()));
        if let Made::LoadedBot(game) = self.made {
            names.extend(game.names(self.language));
        }
        files.iter_mut().for_each(|file| rename(file, &names));
        // No name in these files is a placeholder.
        let made = match self.made {
            Made::LoadedBot(game) => game.files(self.language),
            Made::Game if self.language == Language::C => bindings_of(&files),
            Made::Game | Made::Bot(_) => Vec::new(),
        };
        put(&mut files, made);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// The layers of a template; empty when there is none. What a game adds is found by the names of the folders: `c-submarine` for
    /// Submarine in C, on top of `c-common`, `python-loaded` for bots of games that are components, and `python-game` for such a game.
    fn layers(self) -> Vec<Layer> {
        let (language, name) = (self.language, self.language.name());
        let (game, is_first) = match self.made {
            Made::Game => (GAME, false),
            Made::Bot(game) => (game.name(), game == FIRST),
            Made::LoadedBot(_) => (LOADED, false),
        };
        let own = if is_first { name.to_owned() } else { format!("{name}-{game}") };
        let own = TEMPLATES.get_dir(own);
        // The templates for the first game in Rust, and for a game, are the examples themselves.
        let is_example = language == Language::Rust && (is_first || self.is_game());
        if own.is_none() && !is_example {
            return Vec::new();
        }
        let mut layers = match self.made {
            Made::Game => vec![Layer::GameContract],
            Made::Bot(game) => vec![Layer::Contract(game)],
            Made::LoadedBot(_) => Vec::new(),
        };
        match language {
            Language::Rust if self.is_game() => layers.push(Layer::ExampleGame),
            Language::Rust if self.game().is_none() => layers.push(Layer::Crate),
            Language::Rust => layers = vec![Layer::Example],
            Language::Python | Language::PythonGuide | Language::JavaScript => {}
            // Their compilers come from PyPI, and know WASI 0.1 only.
            Language::C | Language::Go => layers.extend([Layer::Adapter, Layer::Folder(shared("venv"))]),
        }
        // All ways to write a bot in a language share a folder: `python-common` is also part of `python-guide`.
        let family = name.split('-').next().unwrap_or(name);
        let common = TEMPLATES.get_dir(format!("{family}-common"));
        layers.extend(common.map(match self.made {
            Made::Bot(_) => Layer::Folder,
            Made::LoadedBot(_) => |dir| Layer::Tools(dir, |path| !FOR_BUILT_IN_GAMES.contains(&path)),
            Made::Game => |dir| Layer::Tools(dir, |path| FOR_GAMES.contains(&path)),
        }));
        layers.extend(own.map(Layer::Folder));
        layers
    }
}

/// The code in C for the contract of a game among its files.
fn bindings_of(files: &[File]) -> Vec<File> {
    let text = |path| {
        let file = files.iter().find(|file| file.path == path);
        file.and_then(|file| str::from_utf8(&file.bytes).ok()).expect("a template for a game has it")
    };
    let documents = ["wit/deps/game/game.wit", "wit/game.wit"].map(text);
    bindings(&documents).expect("the contract is that of a template, which a test reads")
}

/// Adds files, in the place of those with the same path.
fn put(files: &mut Vec<File>, others: Vec<File>) {
    for file in others {
        files.retain(|other| other.path != file.path);
        files.push(file);
    }
}

/// A part of a template.
enum Layer {
    /// The example bot, and the SDK that it needs.
    Example,
    /// The lock file and the list of ignored files of a crate without the SDK.
    Crate,
    /// The example game, without the arena's contract.
    ExampleGame,
    /// The contract of a built-in game.
    Contract(GameKind),
    /// The contract with games.
    GameContract,
    /// The adapter from WASI 0.1 to WASI 0.2.
    Adapter,
    /// A folder of `templates/`.
    Folder(&'static Dir<'static>),
    /// The same with those files whose paths are wanted.
    Tools(&'static Dir<'static>, fn(&str) -> bool),
}

/// The game whose templates have the names of their languages alone: the first one.
const FIRST: GameKind = GameKind::ALL[0];

/// The end of the names of the folders for bots of games that are components.
const LOADED: &str = "loaded";

/// The end of the names of the folders for games.
const GAME: &str = "game";

/// The files of common folders that bots of loaded games have no use for: they need a seed from the game, or its practice.
const FOR_BUILT_IN_GAMES: [&str; 11] = [
    ".vscode/launch.json",
    "engine.js",
    "jsconfig.json",
    "memory.go",
    "practice.h",
    "practice_main.c",
    "practice_main.go",
    "practice_main.js",
    "practice_main.py",
    "random.js",
    "recorded.h",
];

/// The files of common folders that games have a use for.
const FOR_GAMES: [&str; 5] =
    [".gitignore", "install.js", "mistakes.js", "package-lock.json", "requirements.txt"];

/// The folder of what several languages share.
fn shared(by: &str) -> &'static Dir<'static> {
    TEMPLATES.get_dir(format!("{by}-common")).expect("it is in `templates/`, which a test reads")
}

impl Layer {
    fn files(&self) -> Vec<File> {
        match self {
            Self::Example => {
                let mut files: Vec<File> = EXAMPLE
                    .map(|(path, text)| File::text(path, text.replace(SDK_HERE[0], SDK_HERE[1])))
                    .into();
                files.extend(files_in(&EXAMPLE_SOURCES, "src/"));
                files.extend(sdk::files("sdk"));
                files
            }
            Self::Crate => {
                let [ignored, ..] = EXAMPLE.map(|(path, text)| File::text(path, text));
                vec![ignored, File::text("Cargo.lock", lock_of_a_bot())]
            }
            Self::ExampleGame => {
                let mut files: Vec<File> = EXAMPLE_GAME.map(|(path, text)| File::text(path, text)).into();
                files.extend(files_in(&EXAMPLE_GAME_SOURCES, "src/"));
                files
            }
            Self::GameContract => vec![File::text("wit/deps/game/game.wit", game_contract())],
            Self::Contract(game) => vec![File::text(format!("wit/{game}.wit"), contract(*game))],
            Self::Adapter => vec![File { path: ADAPTER_PATH.to_owned(), bytes: ADAPTER.to_vec() }],
            Self::Tools(dir, is_wanted) => {
                let mut files = Self::Folder(dir).files();
                files.retain(|file| is_wanted(&file.path));
                files
            }
            Self::Folder(dir) => {
                let mut files = files_in(dir, "");
                for file in &mut files {
                    file.path = file.path.replacen(&format!("{}/", dir.path().display()), "", 1);
                }
                files
            }
        }
    }
}

/// The lock file of a bot without the SDK: that of the example game, whose only dependency has one more feature here.
fn lock_of_a_bot() -> String {
    let lock = include_str!("../../../../examples/games/connect-four/Cargo.lock");
    let lock = lock.replace(GAME_PLACEHOLDERS[0], PLACEHOLDER);
    let lock = lock.replace("\"first-bot\"\nversion = \"1.0.0\"", "\"first-bot\"\nversion = \"0.1.0\"");
    lock.replace("[\n \"wit-bindgen-rust-macro\",\n]", "[\n \"bitflags\",\n \"wit-bindgen-rust-macro\",\n]")
}

/// Replaces names in a file that is text, all at once, so that no name is taken for another placeholder.
fn rename(file: &mut File, names: &[(&str, String)]) {
    let Ok(text) = str::from_utf8(&file.bytes) else { return };
    let (mut renamed, mut rest) = (String::new(), text);
    let next = |rest: &str| {
        let found = names.iter().filter_map(|(from, to)| Some((rest.find(from)?, from.len(), to)));
        found.min_by_key(|(at, ..)| *at).map(|(at, length, to)| (at, length, to.clone()))
    };
    while let Some((at, length, to)) = next(rest) {
        renamed += &rest[..at];
        renamed += &to;
        rest = &rest[at + length..];
    }
    renamed += rest;
    let renamed = if file.path == "Cargo.lock" { sort_lock(&renamed) } else { renamed };
    file.bytes = renamed.into_bytes();
}

/// Sorts the packages of a lock file by name, as cargo does, after one of them was renamed.
fn sort_lock(lock: &str) -> String {
    const PACKAGE: &str = "[[package]]\n";
    let mut parts = lock.split(PACKAGE);
    let head = parts.next().unwrap_or_default();
    let mut packages: Vec<&str> = parts.map(str::trim_end).collect();
    packages.sort_by_key(|package| package.lines().take(2).collect::<Vec<_>>());
    let packages: Vec<String> = packages.iter().map(|package| format!("{PACKAGE}{package}\n")).collect();
    format!("{head}{}", packages.join("\n"))
}
