//! The practice program in a new folder: in Python, JavaScript and C, whose tools are on every machine of a developer. That it runs in Rust
//! and Go is tested by `cargo xtask languages`.

use crate::support::{Place, Run};
use arena_testkit::skip::program_or_skip;
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A practice program: what runs it or compiles it, its file, the file of the bot, and that of another build.
struct Practice {
    runs: &'static str,
    script: &'static str,
    bot: &'static str,
    build: &'static str,
}

/// The practice program of a language.
fn of(language: &str) -> Practice {
    match language {
        "javascript" => Practice { runs: "node", script: "practice.js", bot: "bot.js", build: "bot.js" },
        "c" => Practice { runs: "cc", script: "", bot: "bot.c", build: ".build/practice" },
        _ => Practice { runs: "python3", script: "practice.py", bot: "bot.py", build: "bot.py" },
    }
}

/// The time between two lines of progress in each template, and the file with it.
const INTERVALS: [(&str, &str, &str); 4] = [
    ("python", "practice_main.py", "PROGRESS_SECONDS = 5"),
    ("python-guide", "practice_main.py", "PROGRESS_SECONDS = 5"),
    ("javascript", "practice_main.js", "PROGRESS_MILLISECONDS = 5_000"),
    ("c", "practice_main.c", "PROGRESS_SECONDS = 5"),
];

/// Replaces a text in a file of a folder.
fn edit(place: &Place, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(place.path(path)).unwrap();
    assert!(text.contains(from), "{path}: the edit does not fit");
    place.write(path, text.replacen(from, to, 1));
}

/// Runs the practice program in the folder of a language, with these arguments. `None` without the language's tools.
fn practice(place: &Place, language: &str, args: &str) -> Option<Run> {
    let Practice { runs, script, .. } = of(language);
    let runs = program_or_skip(runs)?;
    if language == "c" {
        return Some(place.arena(&format!("build --practice c -- {args}")));
    }
    let mut command = Command::new(runs);
    Some(Run::of(command.arg(script).args(args.split_whitespace()).current_dir(place.path(language))))
}

#[test]
fn wrong_arguments_of_practice_are_told_in_its_last_line_without_a_stack() {
    let place = Place::empty();
    let wrong = |language: &str, cases: &[(&str, &str)]| {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        place.write(&format!("{language}/no-bot.js"), "export const answer = 42;");
        place.write(&format!("{language}/calls.jsonl"), "{");
        for (args, says) in cases {
            let Some(run) = practice(&place, language, args) else { return };
            let run = run.expect_code(2);
            let last = run.stderr.lines().last().unwrap_or_default();
            assert!(last.contains(says), "{language}, {args}:\n{}", run.stderr);
            assert!(!run.stderr.contains("Traceback") && !run.stderr.contains("    at "), "{}", run.stderr);
        }
    };
    let all = [
        ("--boards 0", "--boards must be at least 1"),
        ("--calls none.jsonl", "none.jsonl"),
        ("--boards x", "--boards"),
        ("--wrong", "--wrong"),
    ];
    wrong("python-guide", &all);
    let all = [&all[..], &[("--rules none", "none")]].concat();
    wrong("python", &[&all[..], &[("none", "there is no file none")]].concat());
    let all =
        [&all[..], &[("--calls calls.jsonl", "calls.jsonl has no recorded calls"), ("--boards", "--boards")]]
            .concat();
    let no_bots = [("none", "there is no file none"), ("no-bot.js", "no-bot.js exports no class Bot")];
    wrong("javascript", &[&all[..], &no_bots].concat());
    wrong("c", &[&all[..], &[("none", "none is not an earlier copy of .build/practice")]].concat());
}

#[test]
fn practice_asks_for_a_fleet_only_under_rules_by_which_the_arena_does() {
    let python = "from bot import Bot\n\nclass Bot(Bot):\n    def deploy(self, game):\n        raise ValueError('asked')\n";
    let javascript = "import { Bot as Mine } from './bot.js';\nexport class Bot extends Mine {\n  deploy() {\n    throw new Error('asked');\n  }\n}\n";
    for (language, file, source) in [("python", "other.py", python), ("javascript", "other.js", javascript)] {
        let place = Place::empty();
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        place.write(&format!("{language}/{file}"), source);
        let run = |rules| practice(&place, language, &format!("--rules {rules} --boards 3 {file}"));
        let Some(drawn) = run("pirates") else { continue };
        let text = drawn.expect_code(0).stdout;
        assert!(text.contains("0.00 ± 0.00 against"), "{language}: {text}");
        let placed = run("classic").expect("its tools are there").expect_code(1);
        assert!(placed.stderr.contains("Error: asked"), "{language}: {}", placed.stderr);
    }
}

#[test]
fn practice_tells_the_mean_with_its_error_under_all_built_in_rules() {
    let place = Place::empty();
    for language in ["python", "python-guide", "javascript", "c"] {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        let rules: &[&str] =
            if language == "python-guide" { &[""] } else { &["", "--rules classic", "--rules pirates"] };
        for rules in rules {
            let args = format!("--boards 20 --seed 2 {rules}");
            let Some(run) = practice(&place, language, &args) else { continue };
            let text = run.expect_code(0).stdout;
            let (mean, rest) = text.split_once(" ± ").expect("there is an error");
            let error = rest.strip_suffix(" shots a board over 20 boards\n").expect("the figures are named");
            let [mean, error] = [mean, error].map(|number| number.parse::<f64>().unwrap());
            assert!(
                (45.0..85.0).contains(&mean) && (0.3..8.0).contains(&error),
                "{language}: {args}: {text}"
            );
        }
    }
}

#[test]
fn practice_that_takes_long_prints_how_many_boards_are_done() {
    for (language, file, interval) in INTERVALS {
        let place = Place::empty();
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        let Some(quick) = practice(&place, language, "--boards 3") else { continue };
        let quick = quick.expect_code(0);
        assert!(!quick.stderr.contains("boards"), "{language}: {}", quick.stderr);
        let (name, _) = interval.split_once(" = ").expect("it is a constant");
        edit(&place, &format!("{language}/{file}"), interval, &format!("{name} = 0"));
        let run = practice(&place, language, "--boards 3").expect("its tools are there").expect_code(0);
        let lines: Vec<&str> =
            run.stderr.lines().filter_map(|line| line.strip_suffix(" of 3 boards")).collect();
        assert!(
            lines.len() == 2 && lines[0].ends_with('1') && lines[1].ends_with('2'),
            "{language}: {}",
            run.stderr
        );
        assert_eq!(run.stdout, quick.stdout, "{language}: progress is not in the result");
    }
}

#[test]
fn practice_gives_the_budget_that_a_turn_has_in_the_arena() {
    let python = "from bot import Bot\n\nclass Bot(Bot):\n    def play(self, game, view):\n        raise ValueError(f'fuel {game.fuel_per_turn}.')\n";
    let javascript = "import { Bot as Mine } from './bot.js';\nexport class Bot extends Mine {\n  play(game) {\n    throw new Error(`fuel ${game.fuelPerTurn}.`);\n  }\n}\n";
    for (language, other, source) in
        [("python", "other.py", python), ("javascript", "other.js", javascript), ("c", "", "")]
    {
        let place = Place::empty();
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        if language == "c" {
            let print = "fprintf(stderr, \"fuel %llu.\\n\", (unsigned long long)game->fuel_per_turn) > 0";
            let water = "is_surely_water(game, view, at)";
            edit(&place, "c/bot.c", &format!("if ({water})"), &format!("if ({print} && {water})"));
            edit(&place, "c/bot.c", "#include", "#include <stdio.h>\n#include");
        } else {
            place.write(&format!("{language}/{other}"), source);
        }
        for (rules, fuel) in [("guide", 300_000_000), ("classic", 300_000_000), ("pirates", 50_000_000)] {
            let Some(run) = practice(&place, language, &format!("--rules {rules} --boards 1 {other}")) else {
                continue;
            };
            assert!(run.stderr.contains(&format!("fuel {fuel}.")), "{language}, {rules}: {}", run.stderr);
        }
    }
}

/// Copies the build that a folder has, and returns the name of the copy. `None` without the language's tools.
fn keep(place: &Place, language: &str) -> Option<String> {
    // In C, this builds the program.
    practice(place, language, "--seed 1")?;
    let build = of(language).build;
    let name = format!("old_{}", build.rsplit('/').next().unwrap_or(build));
    let [from, to] = [build, &name].map(|file| place.path(&format!("{language}/{file}")));
    fs::copy(from, to).expect("there is a build");
    Some(name)
}

/// A change of each template, after which the bot shoots anywhere.
const WORSE: [(&str, [&str; 2]); 3] = [
    ("python", ["[at for at in hopeful if at in beside_a_hit] or hopeful or targets", "targets"]),
    ("javascript", ["rng.pick(besideHits) ?? rng.pick(hopeful()) ?? ", ""]),
    ("c", ["if (is_surely_water(game, view, at))", "if (true || is_surely_water(game, view, at))"]),
];

#[test]
fn practice_compares_two_builds_on_the_same_boards() {
    let place = Place::empty();
    for (language, [from, to]) in WORSE {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        let Some(old) = keep(&place, language) else { continue };
        let compared = || {
            let run = practice(&place, language, &format!("--boards 40 {old}")).expect("the tools are there");
            let text = run.expect_code(0).stdout;
            let line = text.lines().nth(1).and_then(|line| line.strip_suffix(" on the same boards"));
            let line = line.and_then(|line| line.strip_suffix(&format!(" against {old}")));
            line.unwrap_or_else(|| panic!("{language}: {text}")).to_owned()
        };
        assert_eq!(compared(), "0.00 ± 0.00", "{language}: the same build needs as many shots on each board");
        let path = format!("{language}/{}", of(language).bot);
        edit(&place, &path, from, to);
        let worse = compared();
        let (difference, error) = worse.split_once(" ± ").expect("there is an error");
        let [difference, error] = [difference, error].map(|number| number.parse::<f64>().unwrap());
        assert!(difference - error > 10.0 && error > 0.0, "{language}: {worse}");
    }
}

#[test]
fn practice_for_submarine_plays_against_random_actions_and_compares_two_builds() {
    let place = Place::empty();
    for language in ["python", "javascript", "c"] {
        place.arena(&format!("new {language} --lang {language} --game submarine")).expect_code(0);
        let Some(old) = keep(&place, language) else { continue };
        let run =
            practice(&place, language, &format!("--games 10 --seed 2 {old}")).expect("the tools are there");
        let text = run.expect_code(0).stdout;
        let (result, difference) = text.split_once('\n').expect("there are two lines");
        assert!(result.starts_with("10 of 10 games won against random actions, "), "{language}: {text}");
        assert!(result.contains(" ± ") && result.ends_with(" turns a game"), "{language}: {text}");
        assert_eq!(difference, format!("0.00 ± 0.00 against {old} on the same games\n"), "{language}");
    }
}

#[test]
fn the_tests_of_a_folder_end_with_the_code_of_their_program() {
    let place = Place::empty();
    if program_or_skip("cc").is_none() {
        return;
    }
    place.arena("new in-c --lang c").expect_code(0);
    place.arena("build --test in-c").expect_code(0);
    place.arena("new game-in-c --game --lang c").expect_code(0);
    place.arena("build --test game-in-c").expect_code(0);
    place.write("in-c/test_more.c", "int main(void) { return 7; }");
    place.arena("build --test in-c").expect_code(7);
    fs::remove_file(place.path("in-c/practice_main.c")).expect("it is there");
    let refused = place.arena("build --practice in-c").expect_code(2).stderr;
    assert!(refused.contains("there is no practice_main.c"), "{refused}");
}

/// A bot in each language that counts its calls from 0, and shoots at the column with their number.
const COUNTING: [(&str, &str); 4] = [
    (
        "python",
        "from arena import Coord\n\nclass Bot:\n    def __init__(self):\n        self.calls = 0\n\n    def deploy(self, game):\n        self.calls += 1\n        return []\n\n    def play(self, game, view):\n        self.calls += 1\n        return Coord(0, self.calls - 1)\n",
    ),
    (
        "python-guide",
        "calls = 0\n\ndef deploy(width, height):\n    global calls\n    calls += 1\n    return []\n\ndef play(board, attacks, lastspot, mylast, retry):\n    global calls\n    calls += 1\n    return (0, calls - 1)\n",
    ),
    (
        "javascript",
        "export class Bot {\n  calls = 0;\n  deploy() {\n    this.calls++;\n    return [];\n  }\n  play() {\n    return { row: 0, column: this.calls++ };\n  }\n}\n",
    ),
    (
        "c",
        "#include \"arena.h\"\n\nconst char *const bot_name = \"c\";\nstatic uint8_t calls;\n\nvoid bot_deploy(const game_t *game, placement_t *fleet) {\n    random_fleet(game, &(rng_t){1}, fleet);\n    calls++;\n}\n\nbool bot_play(const game_t *game, const view_t *view, coord_t *shot) {\n    (void)game, (void)view;\n    *shot = (coord_t){0, calls++};\n    return true;\n}\n",
    ),
];

#[test]
fn practice_repeats_the_calls_of_a_recorded_game_with_one_bot() {
    let place = Place::empty();
    place.arena("run builtin:hunter builtin:random --games 1 --seed 1 --transcripts games").expect_code(0);
    let game = "games/1-builtin_hunter-vs-builtin_random.jsonl";
    for (language, source) in COUNTING {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        place.arena(&format!("replay {game} --calls {language}/calls.jsonl --turn 7")).expect_code(0);
        place.write(&format!("{language}/{}", of(language).bot), source);
        let Some(run) = practice(&place, language, "--calls calls.jsonl") else { continue };
        let run = run.expect_code(0);
        assert_eq!(run.stdout.replace(' ', "").trim_end(), r#"{"shot":[0,7]}"#, "{language}");
        assert!(
            run.stderr.contains("turn 0: [") && run.stderr.contains("turn 7: {"),
            "{language}: {}",
            run.stderr
        );
        assert!(run.stderr.contains("as recorded"), "{language}: {}", run.stderr);
        // Visual Studio Code runs the same, and its debugger stops. Python's own debugger stops here.
        place.write("continue", "continue\n");
        let mut launched = launched(&place, language);
        let answers = fs::File::open(place.path("continue")).expect("it was written");
        let run = Run::of(launched.stdin(answers)).expect_code(0);
        assert!(run.stdout.replace(' ', "").contains(r#"{"shot":[0,7]}"#), "{language}: {}", run.stdout);
        assert_eq!(
            run.stdout.contains("(Pdb)"),
            language.starts_with("python"),
            "{language}: {}",
            run.stdout
        );
    }
}

/// The first configuration of a folder's `launch.json`, which has comments in lines of their own.
fn configuration(place: &Place, folder: &str) -> Value {
    let text = fs::read_to_string(place.path(&format!("{folder}/.vscode/launch.json"))).expect("it is there");
    let json: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let whole: Value = serde_json::from_str(&json).expect("it is JSON with comments");
    whole["configurations"][0].clone()
}

/// The command line of a folder's `launch.json`, without its debugger.
fn launched(place: &Place, language: &str) -> Command {
    let configuration = configuration(place, language);
    let folder = place.path(language);
    let path = |key: &str| {
        let text = configuration[key].as_str().unwrap_or_else(|| panic!("{language}: no {key}"));
        text.replace("${workspaceFolder}", folder.to_str().expect("a path in UTF-8"))
    };
    let mut command = match language {
        "c" => Command::new(path("program")),
        _ => Command::new(of(language).runs),
    };
    if language != "c" {
        command.arg(path("program"));
    }
    let args = configuration["args"].as_array().expect("a list");
    command.args(args.iter().map(|arg| arg.as_str().expect("a text"))).current_dir(path("cwd"));
    command
}

#[test]
fn the_launch_json_of_a_compiled_language_names_what_its_folder_has() {
    let place = Place::empty();
    for (language, bot, call, practice, options) in [
        ("rust", "src/lib.rs", "fn play(&mut self, game: &Game, view: &View)", "examples/practice.rs", ""),
        ("c", "bot.c", "bool bot_play(const game_t *game, const view_t *view,", "practice.c", ""),
        ("go", "bot.go", "func (bot *Bot) Play(game Game, view View)", "practice_main.go", "\"stop\""),
    ] {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        let read = |path: &str| fs::read_to_string(place.path(&format!("{language}/{path}"))).expect(path);
        assert!(read(bot).contains(call) && read(practice).contains(options), "{language}");
        let configuration = configuration(&place, language);
        let args: Vec<_> = configuration["args"].as_array().expect("a list").iter().collect();
        let (calls, stops) = if language == "go" { ("-calls", 1) } else { ("--calls", 0) };
        assert_eq!(args[..2], [calls, "calls.jsonl"], "{language}");
        assert_eq!(args[2..], ["-stop"][..stops], "{language}");
        let breakpoint = configuration["preRunCommands"][0].as_str().unwrap_or_default();
        let (name, condition) = match language {
            "c" => ("--name bot_play ", "view->turn == ${input:turn}"),
            "rust" => ("--name play ", "view->turn == ${input:turn}"),
            _ => ("", ""),
        };
        assert!(breakpoint.contains(name) && breakpoint.contains(condition), "{language}: {breakpoint}");
        let is_of_cargo = configuration["cargo"]["args"].as_array().is_some();
        assert_eq!(is_of_cargo, language == "rust", "{language}");
    }
}
