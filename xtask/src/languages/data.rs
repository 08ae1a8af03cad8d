//! The page about data with a bot: its snippet of each language, put into the bot, reads the weights that the page describes.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{GUIDE, shell};
use crate::environment;
use crate::step;

/// The page.
const PAGE: &str = "data.md";

/// The number of weights, as the page says.
const WEIGHTS: u16 = 25_000;

/// What each changed bot prints: the eighth weight.
const PRINTED: &str = "weight 3.5";

/// How the snippet of a language becomes part of a bot.
struct Way {
    language: &'static str,
    /// The name of the snippet's language in the page.
    block: &'static str,
    /// The folder of `weights.bin`, from that of the bot.
    place: &'static str,
    /// A file that is the snippet, if it is not part of the bot's own source.
    module: Option<&'static str>,
    /// The bot's source.
    source: &'static str,
    /// A line of the source after which `head` and the snippet are put.
    after: &'static str,
    head: &'static str,
    /// A line of the function that plays, and a statement that is put before it.
    line: &'static str,
    statement: &'static str,
    /// The commands before the build.
    before: &'static str,
}

/// The languages, in the order of the page.
const WAYS: [Way; 5] = [
    Way {
        language: "rust",
        block: "rust",
        place: "src",
        module: None,
        source: "src/lib.rs",
        after: "use arena_sdk::{Bot, Coord, Game, Mark, View};\n",
        head: "",
        line: "        let mut rng = game.rng(view.turn);\n",
        statement: "        println!(\"weight {}\", weight(7));\n",
        before: "",
    },
    Way {
        language: "python",
        block: "python",
        place: "",
        module: Some("weights.py"),
        source: "bot.py",
        after: "from random import Random\n",
        head: "\nfrom weights import WEIGHTS\n",
        line: "        random = Random(game.seed + view.turn)\n",
        statement: "        print(\"weight\", WEIGHTS[7])\n",
        before: "",
    },
    Way {
        language: "javascript",
        block: "javascript",
        place: "",
        module: Some("weights.mjs"),
        source: "bot.js",
        after: "// @ts-check\n",
        head: "import { bytes } from \"./weights.js\";\nconst WEIGHTS = new Float32Array(bytes.buffer);\n",
        line: "    const rng = rngOf(game, view.turn);\n",
        statement: "    console.log(\"weight\", WEIGHTS[7]);\n",
        before: "node weights.mjs\n",
    },
    Way {
        language: "c",
        block: "c",
        place: "",
        module: None,
        source: "bot.c",
        after: "#include \"arena.h\"\n",
        head: "#include <stdio.h>\n#include <string.h>\n",
        line: "    rng_t rng = rng_of(game, view->turn);\n",
        statement: "    printf(\"weight %g\\n\", weight(7));\n",
        before: "",
    },
    Way {
        language: "go",
        block: "go",
        place: "",
        module: None,
        source: "bot.go",
        after: "package main\n",
        head: "\nimport \"fmt\"\n",
        line: "\trng := game.Rng(view.Turn)\n",
        statement: "\tfmt.Println(\"weight\", weight(7))\n",
        before: "",
    },
];

/// The page's first snippet in a language.
fn snippet(block: &str) -> Result<String> {
    let path = environment::root().join(GUIDE).join(PAGE);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut blocks = text.split("```").skip(1).step_by(2);
    let found = blocks.find_map(|found| found.strip_prefix(block)?.strip_prefix('\n'));
    Ok(found.with_context(|| format!("{PAGE} has no snippet in {block}"))?.to_owned())
}

/// The source of a bot that prints a weight.
fn changed(way: &Way, source: &str, snippet: &str) -> Result<String> {
    let &Way { language, module, after, head, line, statement, .. } = way;
    ensure!(source.contains(after) && source.contains(line), "the edits for data in {language} do not fit");
    let own = if module.is_none() { snippet } else { "" };
    let with_head = source.replacen(after, &format!("{after}{head}{own}"), 1);
    Ok(with_head.replacen(line, &format!("{statement}{line}"), 1))
}

/// Builds the bot in a folder with the page's data, checks that it reads them, and restores its source.
pub fn check(language: &str, program: &Path, bot: &Path) -> Result<()> {
    let Some(way) = WAYS.iter().find(|way| way.language == language) else { return Ok(()) };
    let weights: Vec<u8> = (0..WEIGHTS).flat_map(|number| (f32::from(number) / 2.0).to_le_bytes()).collect();
    fs::write(bot.join(way.place).join("weights.bin"), weights)?;
    let snippet = snippet(way.block)?;
    if let Some(module) = way.module {
        fs::write(bot.join(module), &snippet)?;
    }
    let path = bot.join(way.source);
    let source = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    fs::write(&path, changed(way, &source, &snippet)?)?;
    let script = format!("{}arena build", way.before);
    step::run_hidden(&format!("building a bot in {language} with data"), &mut shell(&script, program, bot)?)?;
    let mut command = Command::new(program);
    command.args(["check", "--quick", "--rules", "guide", "my-bot.wasm"]).current_dir(bot);
    let told = step::output("checking a bot with data", &mut command)?;
    ensure!(told.contains(PRINTED), "{PAGE}: a bot in {language} does not read its weights:\n{told}");
    step::say(&format!("a bot in {language} reads the data of {GUIDE}/{PAGE}"));
    fs::write(&path, source).with_context(|| format!("cannot restore {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_snippet_for_each_language_that_fits_its_template() {
        for way in &WAYS {
            let folder = match way.language {
                "rust" => "examples/first-bot".to_owned(),
                language => format!("host/crates/starter/templates/{language}"),
            };
            let source = fs::read_to_string(environment::root().join(folder).join(way.source)).unwrap();
            let snippet = snippet(way.block).unwrap();
            assert!(snippet.contains("weights"), "{}: {snippet}", way.language);
            let changed = changed(way, &source, &snippet).unwrap();
            assert!(changed.contains(way.statement) && changed.contains(way.head), "{changed}");
            assert_eq!(changed.contains(&snippet), way.module.is_none(), "{changed}");
        }
    }
}
