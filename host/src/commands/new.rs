//! `arena new`: the folder of a new bot.

use crate::console::Console;
use crate::failure::Failure;
use arena_rules::GameKind;
use arena_starter::{FolderError, Language, Template};
use arena_text::shown;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// The arguments of `arena new`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena new my-bot --lang python\n          arena new bots/scout --lang rust --game submarine"
)]
pub struct NewArgs {
    /// Folder to make; its name is the name of the bot
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,

    /// Language; `python-guide` is Python with the functions of the implementation guide
    #[arg(long, value_name = "NAME", value_parser = language_parser())]
    pub lang: Language,

    /// Game that the bot plays
    #[arg(long, value_name = "NAME", default_value = GameKind::Battleship.name(), value_parser = game_parser())]
    pub game: GameKind,
}

/// The parser of the name of a game.
pub fn game_parser() -> impl TypedValueParser<Value = GameKind> {
    let named = |name: String| GameKind::ALL.into_iter().find(|game| game.name() == name);
    PossibleValuesParser::new(GameKind::ALL.map(GameKind::name))
        .try_map(move |name| named(name).ok_or("there is no such game"))
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
    let template = Template::of(args.lang, args.game)
        .map_err(|error| Failure::usage(error.to_string(), "name another language, or another game"))?;
    let name = arena_starter::write(template, &args.folder).map_err(|error| refused(args, error))?;
    let (edit, test, build) = (template.file_to_edit(), template.test_command(), template.build_command());
    let practice = template.practice_command();
    let folder = shown(&args.folder);
    console.line(format!(
        "made {folder}: a bot for {} in {}. Its README.md says more.\n\n  \
         cd {folder}\n  \
         {test:<30}# tests it without WebAssembly; the bot is {edit}\n  \
         {practice:<30}# prints its score in practice\n  \
         {build:<30}# writes {name}.wasm\n  \
         arena check {name}.wasm\n  \
         {dev:<30}# builds it after each save, and compares it with the build that you keep",
        args.game,
        args.lang,
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
        FolderError::Name { name, why } => {
            Failure::usage(format!("{what}: `{name}` cannot be the name of a bot"), why)
        }
    }
}
