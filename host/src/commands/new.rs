//! `arena new`: the folder of a new bot, or of a new game.

use crate::commands::wit;
use crate::console::Console;
use crate::failure::Failure;
use arena_rules::GameKind;
use arena_starter::{FolderError, Language, LoadedGame, Template};
use arena_text::shown;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Component, Path, PathBuf};

/// The arguments of `arena new`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena new my-bot --lang python\n          arena new bots/scout --lang rust --game submarine\n          arena new my-bot --lang rust --game my-game.wasm\n          arena new my-game --game --lang python"
)]
pub struct NewArgs {
    /// Folder to make; its name is the name of the bot or the game
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,

    /// Language; `python-guide` is Python with the functions of the implementation guide
    #[arg(long, value_name = "NAME", value_parser = language_parser(), required_unless_present = "game")]
    pub lang: Option<Language>,

    /// Game that the bot plays: battleship, submarine or the file of a game [default: battleship]; without a value, make a game instead of
    /// a bot, in Rust unless --lang is given
    #[arg(long, value_name = "GAME|FILE", num_args = 0..=1)]
    pub game: Option<Option<PathBuf>>,
}

impl NewArgs {
    /// The game that is a component, if the bot is for one.
    fn loaded(&self) -> Result<Option<LoadedGame>, Failure> {
        let Some(Some(path)) = &self.game else { return Ok(None) };
        if built_in(path).is_some() {
            return Ok(None);
        }
        if path.extension().is_none() && !path.exists() {
            return Err(Failure::usage(
                format!("there is no game `{}`", shown(path)),
                format!(
                    "choose {}, or name the .wasm file of a game",
                    GameKind::ALL.map(GameKind::name).join(" or ")
                ),
            ));
        }
        let (about, contract) = wit::contract_of(path)?;
        Ok(Some(LoadedGame { about, contract }))
    }

    /// The template.
    fn template<'a>(&self, loaded: Option<&'a LoadedGame>) -> Result<Template<'a>, Failure> {
        let built_in_game = self.game.as_ref().and_then(Option::as_deref).and_then(built_in);
        let built_in_game = built_in_game.unwrap_or(GameKind::Battleship);
        let language = match (&self.game, self.lang) {
            (Some(None), language) => {
                return Template::of_game(language.unwrap_or(Language::Rust)).map_err(|error| {
                    let next = "name another language, or with --game the game that a bot plays";
                    Failure::usage(error.to_string(), next)
                });
            }
            (_, Some(language)) => language,
            (_, None) => {
                let has_template = |language: &Language| match loaded {
                    Some(game) => Template::of_loaded(*language, game).is_ok(),
                    None => Template::of(*language, built_in_game).is_ok(),
                };
                let languages = Language::ALL.into_iter().filter(has_template).map(Language::name);
                return Err(Failure::usage(
                    "a bot needs a language: --lang <NAME> is missing",
                    format!("choose {}", languages.collect::<Vec<_>>().join(", ")),
                ));
            }
        };
        if let Some(reason) = loaded.and_then(|game| game.unsuited(language)) {
            return Err(Failure::usage(reason, "choose another --lang, or change the game's WIT"));
        }
        let template = match loaded {
            Some(game) => Template::of_loaded(language, game),
            None => Template::of(language, built_in_game),
        };
        template.map_err(|error| Failure::usage(error.to_string(), "name another language, or another game"))
    }

    /// The path of the game from inside of the new folder.
    fn game_from_inside(&self) -> Option<PathBuf> {
        let path = self.game.as_ref()?.as_ref()?;
        let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let mut parts = self.folder.components().filter(|part| *part != Component::CurDir).peekable();
        if path.is_absolute() {
            return Some(path.clone());
        }
        if parts.peek().is_none() || !parts.clone().all(|part| is_name(&part)) {
            return Some(dunce::canonicalize(path).unwrap_or_else(|_| path.clone()));
        }
        let path = path.strip_prefix(".").unwrap_or(path);
        Some(parts.map(|_| Path::new("..")).collect::<PathBuf>().join(path))
    }
}

/// The built-in game with this name.
fn built_in(name: &Path) -> Option<GameKind> {
    GameKind::ALL.into_iter().find(|game| name.as_os_str() == game.name())
}

/// The parser of the name of a language.
fn language_parser() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::name)).try_map(|name| name.parse::<Language>())
}

/// The next step for a language without a template.
pub const OTHER_LANGUAGES: &str = "other languages that compile to components can follow the contract that `arena wit` prints; for C++ and \
                                   Zig see docs/guide/src/languages/cpp.md and zig.md";

/// Writes the folder, and says what to do in it.
pub fn new(args: &NewArgs, console: &mut Console) -> Result<(), Failure> {
    let loaded = args.loaded()?;
    let template = args.template(loaded.as_ref())?;
    let name = arena_starter::write(template, &args.folder).map_err(|error| refused(args, error))?;
    let (edit, test, build) = (template.file_to_edit(), template.test_command(), "arena build");
    let practice = template.practice_command();
    let folder = shown(&args.folder);
    let Some(game) = template.game_name() else {
        console.line(format!(
            "made {folder}: a game in {language}. Its README.md says more.\n\n  \
             cd {folder}\n  \
             {test:<27} # tests its rules; they are {edit}, its types wit/game.wit\n  \
             {build:<27} # writes {name}.wasm\n  \
             {check:<27} # plays a thousand random games\n  \
             {dev:<27} # builds and checks it after each save, and shows a random game\n  \
             arena wit {name}.wasm",
            language = template.language(),
            dev = "arena dev",
            check = format!("arena check {name}.wasm"),
        ))?;
        return Ok(());
    };
    let made =
        format!("made {folder}: a bot for {game} in {}. Its README.md says more.", template.language());
    if loaded.is_some() {
        let file = args.game_from_inside().map_or_else(String::new, |path| shown(&path).as_str().to_owned());
        console.line(format!(
            "{made}\n\n  \
             cd {folder}\n  \
             {build:<30}# writes {name}.wasm; the bot is {edit}, and answers any action so far\n  \
             arena check {name}.wasm --game {file}\n  \
             arena run --game {file} {name}.wasm builtin:random",
        ))?;
        return Ok(());
    }
    console.line(format!(
        "{made}\n\n  \
         cd {folder}\n  \
         {test:<30}# tests it without WebAssembly; the bot is {edit}\n  \
         {practice:<30}# prints its score in practice\n  \
         {build:<30}# writes {name}.wasm\n  \
         arena check {name}.wasm\n  \
         {dev:<30}# builds it after each save, and compares it with the build that you keep",
        dev = "arena dev",
    ))?;
    Ok(())
}

/// The failure to make a folder.
fn refused(args: &NewArgs, error: FolderError) -> Failure {
    let what = format!("cannot create {}", shown(&args.folder));
    match error {
        FolderError::Machine(error) => {
            Failure::machine(what, error, "name a folder that you can create and write to")
        }
        FolderError::Exists | FolderError::BelowAFile => {
            Failure::usage(format!("{what}: {error}"), "name another folder")
        }
        FolderError::Nameless => {
            Failure::usage(format!("{what}: {error}"), "name a folder, such as `my-bot`")
        }
        FolderError::Name { name, why } => Failure::usage(
            format!(
                "{what}: `{name}` cannot be the name of {}",
                if args.game == Some(None) { "a game" } else { "a bot" }
            ),
            why,
        ),
    }
}
