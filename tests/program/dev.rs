//! `arena dev`: a build after each save, compared with the kept build. In these tests, the build command copies a bot.

use crate::support::{Place, Run, SEED, command, house_bot, signal};
use crate::terminal;
use arena_testkit::wait_for;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

/// A folder `bot` whose build copies the bot that `source.txt` names, and fails if there is no such bot.
fn place(bot: &str) -> Place {
    let place = Place::with_house_bots();
    fs::create_dir(place.path("bot")).unwrap();
    place.write(
        "bot/arena.toml",
        "build = \"cat source.txt && cp ../$(cat source.txt).wasm bot.wasm\"\nbot = \"bot.wasm\"\n",
    );
    save(&place, bot);
    place
}

/// Saves the source.
fn save(place: &Place, bot: &str) {
    place.write("bot/source.txt", format!("{bot}\n"));
}

fn once(place: &Place, options: &str) -> Run {
    place.arena(&format!("dev bot --once --seed {SEED} {options}"))
}

#[test]
fn a_build_is_compared_with_the_kept_one_on_common_boards_and_at_recorded_turns() {
    let place = place("random");
    let first = once(&place, "").expect_code(0).stdout;
    assert!(first.contains("shots on 50 boards") && first.contains("build 1 is kept"), "{first}");
    let same = once(&place, "").expect_code(0).stdout;
    assert!(same.contains("the same component as the kept build"), "{same}");
    save(&place, "hunter");
    for _ in 0..2 {
        let better = once(&place, "").expect_code(0).stdout;
        let verdict = better.lines().last().unwrap();
        assert!(verdict.contains(" against the kept build on 50 common boards: better"), "{better}");
        // `arena bench` has the same figures for the two.
        let bench = format!("bench random.wasm hunter.wasm --boards 50 --seed {SEED} -o json");
        let bench = place.arena(&bench).expect_code(0).json();
        let difference = &bench["bots"][1]["difference"];
        let [mean, error] = ["mean", "error"].map(|name| difference[name].as_f64().unwrap());
        assert!(verdict.contains(&format!(", {mean:+.2} ± {error:.2} against")), "{verdict}\n{bench}");
        // Both decisions are shown, and the boards before the first difference.
        let differs = better.lines().find(|line| line.starts_with("  differs")).expect("they differ");
        assert!(differs.contains("first in turn ") && differs.contains(" then, "), "{differs}");
        assert!(better.contains("a b c d e f g h i j"), "{better}");
    }
    once(&place, "--keep").expect_code(0);
    save(&place, "random");
    let worse = once(&place, "--boards 20").expect_code(0).stdout;
    assert!(worse.contains(" against the kept build on 20 common boards: worse"), "{worse}");
}

#[test]
fn failed_builds_refused_bots_and_faults_have_their_exit_codes() {
    let place = place("hunter");
    once(&place, "").expect_code(0);
    let failing =
        "build = 'printf \"bot.c:3: error: \\033[31mno such cell\\n\" >&2; exit 7'\nbot = 'bot.wasm'\n";
    place.write("bot/arena.toml", failing);
    let failed = once(&place, "").expect_code(2);
    assert!(failed.stdout.starts_with("bot.c:3: error: "), "{}", failed.stdout);
    assert!(failed.stdout.contains("failed with exit code 7"), "{}", failed.stdout);
    for (component, phrase) in [
        (b"no component".to_vec(), "refused"),
        (arena_testkit::zoo("traps-on-third-play").to_vec(), "fault    trap"),
    ] {
        place.write("bot/new.txt", component);
        place.write("bot/arena.toml", "build = \"cp new.txt bot.wasm\"\nbot = \"bot.wasm\"\n");
        let run = once(&place, "--keep").expect_code(3);
        let output = run.stdout;
        assert!(output.contains(phrase) && !output.contains("is kept"), "{output}");
        // A refused component says enough.
        let says = run.stderr.contains("build 1 is not kept");
        assert_eq!(says, phrase != "refused", "{}", run.stderr);
    }
    place.write("bot/arena.toml", "build = \"true\"\nbot = \"other.wasm\"\n");
    let missing = once(&place, "").expect_code(2).stderr;
    assert!(missing.contains("has not written bot/other.wasm"), "{missing}");
}

#[test]
fn a_missing_or_wrong_arena_toml_is_an_error_with_an_example() {
    let place = Place::empty();
    fs::create_dir(place.path("bot")).unwrap();
    for (manifest, phrase) in [
        (None, "bot has no arena.toml"),
        (Some("build = \"make\"\n"), "missing field `bot`"),
        (Some("build = \" \"\nbot = \"a.wasm\"\n"), "`build` is empty"),
        (Some("build = \"make\"\nbot = \"a.wasm\"\nclean = \"x\"\n"), "unknown field `clean`"),
        (Some("build = make"), "bot/arena.toml: "),
    ] {
        if let Some(manifest) = manifest {
            place.write("bot/arena.toml", manifest);
        }
        let error = once(&place, "").expect_code(2).stderr;
        assert!(error.contains(phrase) && error.contains("bot = \"my-bot.wasm\""), "{error}");
    }
    let error = place.arena("dev nowhere --once").expect_code(2).stderr;
    assert!(error.contains("nowhere: there is no such folder"), "{error}");
}

#[test]
fn k_keeps_a_build_q_quits_and_a_save_begins_a_round() {
    let place = place("random");
    let mut terminal = terminal::start(&place, &format!("dev bot --seed {SEED}"));
    terminal.shows("build 1 is kept");
    save(&place, "hunter");
    terminal.shows("common boards: better");
    terminal.press("k");
    terminal.shows("build 2 is kept");
    terminal.press("k");
    terminal.shows("there is no build since the last one that was kept");
    save(&place, "random");
    terminal.shows("against the kept build on 50 common boards: worse");
    terminal.press("q");
    let (code, _) = terminal.end();
    assert_eq!(code, 0);
    assert_eq!(
        fs::read(place.path("bot/.arena/bot-kept.wasm")).unwrap(),
        fs::read(house_bot("hunter")).unwrap()
    );
}

#[test]
fn a_bot_for_another_game_ends_only_the_round() {
    let place = place("hunter");
    fs::copy(house_bot("submarine/sub-random"), place.path("sub-random.wasm")).unwrap();
    save(&place, "sub-random");
    let mut terminal = terminal::start(&place, &format!("dev bot --rules guide --seed {SEED}"));
    terminal.shows("plays submarine");
    save(&place, "hunter");
    terminal.shows("build 2 is kept");
    terminal::quit(terminal);
    let once = place.arena("dev bot --once --rules submarine").expect_code(2).stderr;
    assert!(once.contains("plays battleship"), "{once}");
}

#[test]
fn a_build_of_a_game_is_checked_and_a_random_game_of_it_shown() {
    let place = Place::empty();
    fs::create_dir(place.path("game")).unwrap();
    place.write(
        "game/arena.toml",
        "build = \"cp ../$(cat source.txt).wasm game.wasm\"\ngame = \"game.wasm\"\n",
    );
    place.write("right.wasm", arena_testkit::game_component("").expect("it is a game"));
    let traps = arena_testkit::zoo_text("games/traps-in-observe");
    place.write("traps.wasm", arena_testkit::game_component(&traps).expect("it is a game"));
    let save = |game: &str| place.write("game/source.txt", format!("{game}\n"));
    save("right");
    let once = |options: &str| place.arena(&format!("dev game --once {options}"));
    let shown = once("--seed 1").expect_code(0).stdout;
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[0].starts_with("  check    no fault in 50 random games, each played twice; fuel of a call: "),
        "{shown}"
    );
    let verdict = *lines.last().unwrap();
    assert!(
        verdict.starts_with("build 1: a random game of ") && verdict.contains(" turns: seat "),
        "{verdict}"
    );
    assert_eq!(once("--seed 1").expect_code(0).stdout, shown);
    let others = (2..6).map(|seed| once(&format!("--seed {seed}")).expect_code(0).stdout);
    assert!(others.into_iter().any(|other| other != shown), "the seed draws the actions");
    for options in ["--keep", "--rules guide"] {
        let refused = once(options).expect_code(2).stderr;
        assert!(
            refused.contains("game/game.wasm is a game, and --rules and --keep are for bots"),
            "{refused}"
        );
    }
    save("traps");
    let faulted = once("").expect_code(3).stdout;
    assert!(faulted.contains("`observe` failed") && faulted.ends_with("build 1: at fault\n"), "{faulted}");
    let mut terminal = terminal::start(&place, "dev game");
    terminal.shows("build 1: at fault");
    save("right");
    terminal.shows("build 2: a random game of ");
    terminal.press("k");
    terminal.shows("builds of a game are not compared, so none is kept");
    terminal::quit(terminal);
    assert!(!place.path("game/.arena").exists());
}

/// Waits until a file has contents. A shell creates it a moment before.
fn await_contents(path: &Path) {
    let has_contents = || (!fs::read(path).unwrap_or_default().is_empty()).then_some(());
    wait_for(has_contents).unwrap_or_else(|| panic!("{} has no contents", path.display()));
}

/// True if the process whose number is in a file is running.
fn runs(file: &Path) -> bool {
    let id = fs::read_to_string(file).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn a_save_during_a_build_begins_a_new_one_and_ctrl_c_leaves_no_process() {
    let place = place("hunter");
    // The build of `slow` would run for an hour. It writes the number of its process, and of a process that it has started.
    let slow = "build = \"if grep -q slow source.txt; then sleep 3600 & echo $! > .child; echo $$ > .build; wait; fi; \
                cp ../hunter.wasm bot.wasm\"\nbot = \"bot.wasm\"\n";
    place.write("bot/arena.toml", slow);
    save(&place, "slow");
    let mut child = command(place.folder(), &["dev", "bot", "--seed", SEED])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    await_contents(&place.path("bot/.build"));
    assert!(runs(&place.path("bot/.build")) && runs(&place.path("bot/.child")));
    save(&place, "hunter");
    let verdict = lines.find(|line| line.starts_with("build ")).expect("a verdict");
    assert!(verdict.starts_with("build 2: ") && verdict.contains("shots on 50 boards"), "{verdict}");
    assert!(!runs(&place.path("bot/.build")) && !runs(&place.path("bot/.child")));
    fs::remove_file(place.path("bot/.build")).unwrap();
    save(&place, "slow again");
    await_contents(&place.path("bot/.build"));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!runs(&place.path("bot/.build")) && !runs(&place.path("bot/.child")));
}

/// Writes a tool for the PATH of a test, a script for `sh`.
fn write_tool(place: &Place, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    place.write(&format!("tools/{name}"), format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(place.path(&format!("tools/{name}")), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the program with a PATH of these tools alone.
fn with_tools(place: &Place, args: &[&str]) -> Run {
    let mut command = command(place.folder(), args);
    command.env_remove("CARGO_TARGET_DIR").env_remove("RUSTUP_AUTO_INSTALL");
    Run::of(command.env("PATH", place.path("tools")))
}

#[test]
fn a_folder_is_built_by_its_files_with_the_tools_of_its_language() {
    let place = Place::with_house_bots();
    fs::create_dir(place.path("tools")).unwrap();
    for language in ["rust", "python", "javascript", "c", "go"] {
        place.arena(&format!("new my-{language} --lang {language}")).expect_code(0);
    }
    // Without a tool, the message says what is missing and how to get it.
    for (language, missing, next) in [
        ("rust", "cargo is missing", "https://rustup.rs"),
        ("python", "Python 3.10 or later, which installs the tools of the build, is missing", "python3-venv"),
        ("javascript", "Node 20 or later is missing", "nodejs npm"),
        ("c", "is missing", "python3-venv"),
        ("go", "is missing", "python3-venv"),
    ] {
        let folder = format!("my-{language}");
        let error = with_tools(&place, &["build", &folder]).expect_code(2).stderr;
        for phrase in [&format!("cannot build {folder}: "), missing, "\n  next: install it: ", next] {
            assert!(error.contains(phrase), "`{phrase}` is not in:\n{error}");
        }
    }
    // An old Python does not do, and one that fails at its work has its own message above.
    write_tool(&place, "python3", "echo 3 9");
    let error = with_tools(&place, &["build", "my-python"]).expect_code(2).stderr;
    assert!(error.contains("Python 3.10 or later is required, and this is 3.9"), "{error}");
    write_tool(&place, "python", "[ \"$1\" = -c ] && echo 3 13 || { echo 'no ensurepip' >&2; exit 1; }");
    let error = with_tools(&place, &["build", "my-c"]).expect_code(2).stderr;
    assert!(error.contains("no ensurepip\n") && error.contains("venv and pip are missing"), "{error}");
    // Node's tool writes the component, and its failure is shown.
    write_tool(&place, "node", "true");
    write_tool(&place, "npm", "echo \"$@\" && /bin/cp ../hunter.wasm my-javascript.wasm");
    let built = with_tools(&place, &["build", "my-javascript"]).expect_code(0).stdout;
    assert_eq!(built, "run --silent build\nbuilt my-javascript/my-javascript.wasm\n");
    let tools = with_tools(&place, &["build", "my-javascript", "--tools"]).expect_code(0).stdout;
    assert_eq!(tools, "run --silent prebuild\n");
    let measured = with_tools(&place, &["dev", "my-javascript", "--once"]).expect_code(0);
    assert!(measured.stdout.contains("build 1 is kept"), "{}", measured.stdout);
    // A check says that a source is newer than the component.
    let checked = |name: &str| place.arena(&format!("check my-javascript/{name} --no-games")).stderr;
    assert!(!checked("my-javascript.wasm").contains("newer"));
    let built = fs::metadata(place.path("my-javascript/my-javascript.wasm")).unwrap().modified().unwrap();
    place.write("my-javascript/calls.jsonl", "");
    for (file, is_source) in [("README.md", false), ("calls.jsonl", false), ("bot.js", true)] {
        let file = fs::File::options().append(true).open(place.path("my-javascript").join(file)).unwrap();
        file.set_modified(built + Duration::from_secs(2)).unwrap();
        let note = "note: my-javascript/bot.js is newer than my-javascript/my-javascript.wasm; `arena build`";
        assert_eq!(checked("my-javascript.wasm").contains(note), is_source);
    }
    fs::copy(house_bot("hunter"), place.path("my-javascript/other.wasm")).unwrap();
    assert!(!checked("other.wasm").contains("newer"), "the folder does not build this one");
    write_tool(&place, "npm", "echo 'bot.js:3: no such name' >&2; exit 4");
    let error = with_tools(&place, &["build", "my-javascript"]).expect_code(2).stderr;
    assert!(error.starts_with("bot.js:3: no such name\n"), "{error}");
    assert!(error.contains("cannot build my-javascript: npm failed with exit code 4"), "{error}");
    let failed = with_tools(&place, &["dev", "my-javascript", "--once"]).expect_code(2);
    assert!(
        failed.stdout.starts_with("bot.js:3: no such name\nbuild 1: npm failed with exit code 4\n"),
        "{}",
        failed.stdout
    );
}

#[test]
fn rust_is_built_by_cargo_with_the_target_that_rustup_adds_only_if_it_may() {
    let place = Place::with_house_bots();
    fs::create_dir(place.path("tools")).unwrap();
    place.arena("new my-bot --lang rust").expect_code(0);
    // The target is there once the file `lib/libstd-1.rlib` is.
    let lib = place.path("lib");
    fs::create_dir(&lib).unwrap();
    write_tool(&place, "rustc", &format!("echo {}", lib.display()));
    write_tool(&place, "rustup", &format!("echo rustup \"$@\"; : > {}/libstd-1.rlib", lib.display()));
    let copies = "out=my-bot/target/wasm32-wasip2/release; cd .. && /bin/mkdir -p $out && \
                  /bin/cp hunter.wasm $out/my_bot.wasm";
    write_tool(&place, "cargo", &format!("echo cargo \"$@\"; {copies}"));
    let built = with_tools(&place, &["build", "my-bot"]).expect_code(0).stdout;
    let target = place.path("my-bot/target").display().to_string();
    let cargo = format!(
        "cargo rustc --release --lib --crate-type cdylib --target wasm32-wasip2 --target-dir {target}\n"
    );
    assert_eq!(
        built,
        format!("rustup target add wasm32-wasip2\n{cargo}built my-bot/my-bot.wasm\n"),
        "the folder was given as a relative path"
    );
    assert_eq!(fs::read(place.path("my-bot/my-bot.wasm")).unwrap(), fs::read(house_bot("hunter")).unwrap());
    let again = with_tools(&place, &["build", "my-bot"]).expect_code(0).stdout;
    assert_eq!(again, format!("{cargo}built my-bot/my-bot.wasm\n"));
    fs::remove_file(lib.join("libstd-1.rlib")).unwrap();
    let mut frozen = command(place.folder(), &["build", "my-bot"]);
    frozen.env("PATH", place.path("tools")).env("RUSTUP_AUTO_INSTALL", "0");
    let frozen = Run::of(&mut frozen).expect_code(2);
    assert_eq!(frozen.stdout, "");
}

#[test]
fn the_message_about_a_component_that_is_not_written_names_the_line_of_a_game() {
    let place = Place::empty();
    fs::create_dir(place.path("made")).unwrap();
    for key in ["bot", "game"] {
        place.write("made/arena.toml", format!("build = \"true\"\n{key} = \"other.wasm\"\n"));
        for args in ["dev made --once", "build made"] {
            let error = place.arena(args).expect_code(2).stderr;
            assert!(error.contains("has not written made/other.wasm"), "{error}");
            assert!(error.contains(&format!("correct `{key}` or `build` in arena.toml")), "{error}");
        }
    }
}
