//! The child processes that compile bots, and the cache of compiled bots, in runs of the program.

use crate::processes::{children, processes};
use crate::support::{Place, Run, SEED, command, signal};
use arena_testkit::wait_for;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

const BOTS: [&str; 3] = ["sweeper", "repeats-once-then-valid", "shoots-at-random"];

/// True if a process runs; one that has ended and is still listed does not.
fn runs(id: u32) -> bool {
    processes().iter().any(|process| process.id == id && process.state != 'Z')
}

/// A place with a bot that takes seconds to compile.
fn place_with_a_giant() -> Place {
    let place = Place::with_specimens(&["sweeper"]);
    place.write("giant.wasm", arena_testkit::giant(600));
    place
}

/// A run that is compiling the giant, and the processes that compile.
fn start_compiling(place: &Place, args: &str) -> (Child, Vec<u32>) {
    let mut arena = place.start(args);
    let mut compilers = Vec::new();
    let compiling = wait_for(|| {
        assert!(arena.try_wait().expect("it is ours").is_none(), "it ended before it was looked at");
        compilers = children(&arena);
        // A child compiles on its second thread.
        let is_compiling = |id: &u32| {
            fs::read_to_string(format!("/proc/{id}/status"))
                .is_ok_and(|status| status.contains("Threads:\t2"))
        };
        compilers.iter().any(is_compiling).then_some(())
    });
    compiling.expect("it compiles");
    (arena, compilers)
}

/// The code, the names and the refusals in a cache, by file, without the times that compiling took.
fn entries(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = place.files(folder);
    files.retain(|name, _| !name.ends_with(".time"));
    files
}

#[test]
fn a_child_does_not_outlive_an_arena_that_is_killed() {
    let place = place_with_a_giant();
    let (mut arena, compilers) = start_compiling(&place, "check giant.wasm --cache c");
    let [compiler] = compilers[..] else { panic!("it is one bot: {compilers:?}") };
    // A stopped process cannot end by itself.
    let held = Command::new("kill").args(["-STOP", &compiler.to_string()]).status();
    assert!(held.expect("there is a kill command").success());
    arena.kill().expect("it is ours");
    arena.wait().expect("it is ours");
    wait_for(|| (!runs(compiler)).then_some(())).expect("it ends");
    assert_eq!(entries(&place, "c").len(), 0);
}

#[test]
fn ctrl_c_while_bots_are_compiled_stops_the_run_and_leaves_nothing_behind() {
    for (name, args) in [
        ("INT", "run sweeper.wasm giant.wasm --transcripts t --cache c"),
        ("TERM", "check giant.wasm --no-cache"),
        ("INT", "serve 0 --bot giant.wasm --no-cache"),
    ] {
        let place = place_with_a_giant();
        let (mut arena, compilers) = start_compiling(&place, args);
        signal(&arena, name);
        let status = arena.wait().expect("it is ours");
        let mut said = String::new();
        arena.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(status.code(), Some(130), "{args}: {said}");
        assert!(said.contains("interrupted") && said.contains("nothing was played"), "{args}: {said}");
        assert!(
            !processes().iter().any(|process| compilers.contains(&process.id)),
            "{args}: they were waited for"
        );
        assert!(!place.path("t").exists());
        if place.path("c").exists() {
            // The quick bot may be compiled already, and asked for its name.
            let files = entries(&place, "c");
            let is_whole = |name: &String| [".artifact", ".name"].iter().any(|suffix| name.ends_with(suffix));
            assert!(files.keys().all(is_whole), "{args}: {:?}", files.keys());
        }
    }
}

#[test]
fn only_processes_that_play_are_left_when_the_games_begin() {
    let place = Place::with_specimens(&["sweeper", "repeats", "many-instances"]);
    let mut arena =
        place.start("run sweeper.wasm repeats.wasm many-instances.wasm --games 1000000 --cache c --jobs 2");
    let mut lines = BufReader::new(arena.stdout.take().unwrap()).lines();
    lines.next().expect("the first game").unwrap();
    let children = children(&arena);
    assert_eq!(children.len(), 2, "one for each job, and no others, neither alive nor dead");
    for id in children {
        let args = fs::read_to_string(format!("/proc/{id}/cmdline")).expect("it runs");
        assert!(args.contains("__play") && args.contains("games"), "{args}");
    }
    assert_eq!(entries(&place, "c").len(), 5, "two with code and a name each, and a refusal");
    arena.kill().and_then(|()| arena.wait()).expect("it is ours");
}

/// The transcripts of a tournament, and its standard output.
fn play(place: &Place, options: &str) -> (BTreeMap<String, Vec<u8>>, String) {
    let bots = BOTS.map(|name| format!("{name}.wasm")).join(" ");
    let run = place
        .arena(&format!("run {bots} --games 4 --seed {SEED} -o json --transcripts t {options}"))
        .expect_code(0);
    assert_eq!(run.stderr, "", "{options}");
    let transcripts = place.files("t");
    assert_eq!(transcripts.len(), 12);
    fs::remove_dir_all(place.path("t")).unwrap();
    (transcripts, run.stdout)
}

#[test]
fn a_match_is_the_same_with_a_cold_a_warm_and_no_cache() {
    let place = Place::with_specimens(&BOTS);
    let cold = play(&place, "--cache c");
    let kept = entries(&place, "c");
    assert_eq!(kept.len(), 2 * BOTS.len(), "the code and the name of each");
    assert!(play(&place, "--cache c") == cold);
    assert!(entries(&place, "c") == kept);
    assert!(play(&place, "--no-cache") == cold);
}

#[test]
fn a_spoilt_cache_changes_nothing() {
    let place = Place::with_specimens(&BOTS);
    let clean = play(&place, "--cache c");
    let kept = entries(&place, "c");
    let names: Vec<&String> = kept.keys().collect();
    let entry = |index: usize| place.path("c").join(names[index]);
    // One entry is that of another bot, one is cut off, one has a bit changed. Then every user may write to all of
    // them.
    fs::copy(entry(1), entry(0)).unwrap();
    fs::write(entry(1), &kept[names[1]][..kept[names[1]].len() / 2]).unwrap();
    let mut changed = kept[names[2]].clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 0x80;
    fs::write(entry(2), changed).unwrap();
    assert!(play(&place, "--cache c") == clean);
    assert!(entries(&place, "c") == kept, "all entries are as they were");
    for index in 0..names.len() {
        fs::set_permissions(entry(index), Permissions::from_mode(0o666)).unwrap();
    }
    assert!(play(&place, "--cache c") == clean);
    for index in 0..names.len() {
        assert_eq!(fs::metadata(entry(index)).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn two_arenas_may_start_with_the_same_empty_cache() {
    let place = Place::with_specimens(&BOTS);
    let args =
        ["run", "sweeper.wasm", "shoots-at-random.wasm", "--games", "2", "--seed", SEED, "--cache", "c"];
    let start = || command(place.folder(), &args).stdout(Stdio::piped()).spawn().expect("it starts");
    let both = [start(), start()].map(|arena| arena.wait_with_output().expect("it is ours"));
    assert!(both.iter().all(|output| output.status.success() && output.stdout == both[0].stdout));
    assert_eq!(entries(&place, "c").len(), 4, "the code and the name of each");
}

#[test]
fn a_cache_that_cannot_be_used_costs_only_a_note() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    place.write("file", "");
    fs::create_dir(place.path("open")).unwrap();
    fs::set_permissions(place.path("open"), Permissions::from_mode(0o777)).unwrap();
    for (folder, says) in
        [("file", "cannot be created"), ("file/c", "cannot be created"), ("open", "others may write")]
    {
        let run =
            place.arena(&format!("run sweeper.wasm repeats.wasm --games 2 --cache {folder}")).expect_code(0);
        assert!(run.stderr.starts_with("note: compiled bots are not kept in "), "{}", run.stderr);
        assert!(run.stderr.contains(says) && run.stderr.contains("--no-cache"), "{}", run.stderr);
        assert_eq!(run.stderr.matches("note:").count(), 1, "{}", run.stderr);
        assert!(run.stdout.contains("points"));
        let check = place.arena(&format!("check sweeper.wasm --no-games --cache {folder}")).expect_code(0);
        let with_cache = place.arena("check sweeper.wasm --no-games").expect_code(0);
        let unmeasured =
            |run: &Run| run.stdout.lines().filter(|line| !line.starts_with("compile ")).collect::<String>();
        assert_eq!(unmeasured(&check), unmeasured(&with_cache));
    }
    // Root may write to this folder all the same; for other users it is as if it were on a read-only medium.
    fs::create_dir(place.path("read-only")).unwrap();
    fs::set_permissions(place.path("read-only"), Permissions::from_mode(0o500)).unwrap();
    let run = place.arena("run sweeper.wasm repeats.wasm --games 2 --cache read-only").expect_code(0);
    let kept = entries(&place, "read-only").len();
    assert_eq!(
        (kept, run.stderr.matches("cannot be written to").count()),
        if kept > 0 { (4, 0) } else { (0, 1) }
    );
    fs::set_permissions(place.path("read-only"), Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_user_without_a_home_has_no_cache_and_no_trouble() {
    let place = Place::with_specimens(&["sweeper"]);
    let mut arena = command(place.folder(), &["check", "sweeper.wasm"]);
    let run = Run::of(arena.env_remove("XDG_CACHE_HOME").env("HOME", "")).expect_code(0);
    assert_eq!(run.stderr, "");
    let mut arena = command(place.folder(), &["check", "sweeper.wasm"]);
    let run = Run::of(arena.env_remove("XDG_CACHE_HOME").env("HOME", place.folder())).expect_code(0);
    assert_eq!(run.stderr, "");
    // The verdict with the code, and the name.
    assert_eq!(entries(&place, ".cache/arena").len(), 2);
    assert!(
        place.arena("check sweeper.wasm --cache c --no-cache").expect_code(2).stderr.contains("--no-cache")
    );
}

#[test]
fn the_arguments_of_child_processes_do_nothing_by_hand() {
    let place = Place::empty();
    let run = place.arena("__compile").expect_code(1);
    assert!(run.stderr.contains("started with other arguments"), "{}", run.stderr);
    let run = place.arena("__play").expect_code(1);
    assert!(run.stderr.contains("started with other arguments"), "{}", run.stderr);
    let orders = "1 60 1000000000 1000000000 1000000";
    for args in
        [format!("__compile {orders} judge 0"), format!("__play {orders} games hash 65536 100 100 100")]
    {
        let run = place.arena(&args).expect_code(1);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", "its parent is gone\n"), "{args}");
    }
    let help = place.arena("--help").expect_code(0).stdout;
    assert!(!help.contains("__compile") && !help.contains("__play"), "{help}");
}
