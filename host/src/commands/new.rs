//! `arena new`: the folder of a new bot, or of a new game.

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
    after_help = "Examples: arena new my-bot --lang python\n          arena new bots/scout --lang rust --game submarine\n          arena new my-game --game"
)]
pub struct NewArgs {
    /// Folder to make; its name is the name of the bot or the game
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,

    /// Language; `python-guide` is Python with the functions of the implementation guide
    #[arg(long, value_name = "NAME", value_parser = language_parser(), required_unless_present = "game")]
    pub lang: Option<Language>,

    /// Game that the bot plays [default: battleship]; without a name, make a game in Rust instead of a bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, value_parser = game_parser())]
    pub game: Option<Option<GameKind>>,
}

impl NewArgs {
    /// The template.
    fn template(&self) -> Result<Template, Failure> {
        let game = match (self.game, self.lang) {
            (Some(None), None | Some(Language::Rust)) => return Ok(Template::of_game()),
            (Some(None), Some(_)) => {
                return Err(Failure::usage(
                    "there is a template for a game in rust only, and --game has no name",
                    "name the game that the bot plays, or leave out --lang",
                ));
            }
            (game, Some(language)) => (language, game.flatten().unwrap_or(GameKind::Battleship)),
            (_, None) => {
                return Err(Failure::usage(
                    "a bot needs a language: --lang <NAME> is missing",
                    format!("choose {}", Language::ALL.map(Language::name).join(", ")),
                ));
            }
        };
        Template::of(game.0, game.1)
            .map_err(|error| Failure::usage(error.to_string(), "name another language, or another game"))
    }
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
    let template = args.template()?;
    let name = arena_starter::write(template, &args.folder).map_err(|error| refused(args, error))?;
    let (edit, test, build) = (template.file_to_edit(), template.test_command(), template.build_command());
    let practice = template.practice_command();
    let folder = shown(&args.folder);
    let Some(game) = template.game() else {
        console.line(format!(
            "made {folder}: a game in Rust. Its README.md says more.\n\n  \
             cd {folder}\n  \
             {test:<27} # tests its rules; they are {edit}, its types wit/game.wit\n  \
             {build:<27} # writes {name}.wasm\n  \
             {check:<27} # plays a thousand random games\n  \
             arena wit {name}.wasm",
            check = format!("arena check {name}.wasm"),
        ))?;
        return Ok(());
    };
    console.line(format!(
        "made {folder}: a bot for {} in {}. Its README.md says more.\n\n  \
         cd {folder}\n  \
         {test:<30}# tests it without WebAssembly; the bot is {edit}\n  \
         {practice:<30}# prints its score in practice\n  \
         {build:<30}# writes {name}.wasm\n  \
         arena check {name}.wasm\n  \
         {dev:<30}# builds it after each save, and compares it with the build that you keep",
        game,
        template.language(),
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
