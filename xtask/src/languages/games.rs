//! The page for authors of games and of their bots: its commands in each language, and the example games.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{GUIDE, arena_run, language_of, number, rows, shell};
use crate::bots;
use crate::environment;
use crate::step;

/// The page with the commands for authors of games and of their bots.
const GAME_PAGE: &str = "games.md";

/// The page's script in a language for authors of games: a game, or a bot for one. Blocks without a language are for Rust.
fn game_script(language: &str) -> Result<String> {
    let path = environment::root().join(GUIDE).join(GAME_PAGE);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    Ok(blocks.filter(|block| language_of(block).unwrap_or("rust") == language).collect())
}

/// Runs the commands of the page for authors of games for a language in a folder. Those for other languages than Rust take a game and a
/// bot that those for Rust make: the examples are in their place.
pub fn author(language: &str, program: &Path, folder: &Path) -> Result<()> {
    let script = game_script(language)?;
    if language != "rust" && !script.is_empty() {
        bots::build_with_specimen()?;
        let example = environment::root().join("examples/games/connect-four");
        for (name, built) in
            [("my-game", "connect-four.wasm"), ("my-bot-in-rust", "bots/one-ahead/one-ahead.wasm")]
        {
            fs::create_dir_all(folder.join(name))?;
            fs::copy(example.join(built), folder.join(name).join(name).with_extension("wasm"))
                .with_context(|| format!("{built} is not built"))?;
        }
    }
    step::say(&format!("games and their bots in {language}, as {GUIDE}/{GAME_PAGE} makes them:\n{script}"));
    step::run("trying games and their bots", &mut shell(&script, program, folder)?)
}

/// Tests, builds and checks the example games and their bots in Rust.
pub fn build_examples(program: &Path) -> Result<()> {
    for crate_dir in bots::games_and_bots("Cargo.toml")? {
        let name = crate_dir.file_name().unwrap_or_default().display().to_string();
        let of_bot = crate_dir.parent().is_some_and(|parent| parent.ends_with("bots"));
        let check = if of_bot { game_of(&crate_dir) } else { String::new() };
        let script = format!("cargo test --locked\narena build\narena check {name}.wasm{check}");
        step::run(
            &format!("trying {}", crate_dir.display()),
            &mut shell(&script, program, &environment::root().join(&crate_dir))?,
        )?;
    }
    Ok(())
}

/// The option of `arena check` with the game of a bot in its folder.
fn game_of(bot: &Path) -> String {
    let game = bot.ancestors().nth(2).and_then(Path::file_name).unwrap_or_default().display();
    format!(" --game ../../{game}.wasm")
}

/// Builds the example bots in Python, and plays all bots of each example game, without a fault.
pub fn play_examples(program: &Path, folder: &Path) -> Result<()> {
    let root = environment::root();
    for bot in bots::games_and_bots("app.py")? {
        let name = bot.file_name().unwrap_or_default().display().to_string();
        let script = format!("arena build\narena check {name}.wasm{}", game_of(&bot));
        step::run(&format!("trying {}", bot.display()), &mut shell(&script, program, &root.join(&bot))?)?;
    }
    for game in bots::folders_in(Path::new(bots::GAMES))? {
        let name = game.file_name().unwrap_or_default().display().to_string();
        let journal = folder.join(format!("{name}.db"));
        let mut command = arena_run(program, 10);
        command
            .current_dir(root.join(&game))
            .arg("--game")
            .arg(format!("{name}.wasm"))
            .arg("--journal")
            .arg(&journal);
        for bot in bots::folders_in(&game.join("bots"))? {
            let bot = bot.file_name().unwrap_or_default().to_owned();
            command.arg(Path::new("bots").join(&bot).join(&bot).with_extension("wasm"));
        }
        command.arg("builtin:random");
        let table = step::output(&format!("playing {name}"), &mut command)?;
        step::say(&format!("a contest in {name}:\n{table}"));
        ensure!(
            rows(&table).all(|row| number(&row, "faults") == Some(0)),
            "a bot has faults in the contest above"
        );
        let mut verify = Command::new(program);
        verify.arg("verify").arg("--journal").arg(&journal);
        step::run(&format!("verifying {name}"), &mut verify)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_for_games_has_the_commands_from_a_new_game_to_a_contest() {
        let game_new =
            "arena new my-game --game\n|\ncargo test\n|\narena build\n|\narena check my-game.wasm\n";
        let bot_new = |language| {
            format!("arena new my-bot-in-{language} --lang {language} --game my-game/my-game.wasm\n")
        };
        for (language, phrases) in [
            ("rust", format!("{game_new}|{}|arena run --game ", bot_new("rust"))),
            (
                "python",
                "arena new my-poker --game --lang python\n|\npython3 -m unittest\n|\narena build\n".into(),
            ),
            (
                "python",
                format!(
                    "{}|arena run --game my-game/my-game.wasm|arena verify --journal ",
                    bot_new("python")
                ),
            ),
            (
                "javascript",
                "arena new my-marks --game --lang javascript\n|\nnpm test\n|\narena build\n".into(),
            ),
            (
                "c",
                format!(
                    "arena new my-kalah --game --lang c\n|\narena build --test\n|\narena build\n|{}",
                    bot_new("c")
                ),
            ),
            ("go", format!("{}|arena run --game ", bot_new("go"))),
        ] {
            let script = game_script(language).unwrap();
            let missing: Vec<&str> = phrases.split('|').filter(|phrase| !script.contains(phrase)).collect();
            assert!(missing.is_empty(), "{missing:?} are not in:\n{script}");
        }
    }
}
