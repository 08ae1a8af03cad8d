//! Bots of every command play in confined processes: the arena has none of their code, and killed processes cost nothing.

use crate::processes::{BUSY_TICKS, busy_for, children_of, has_code, kill, kill_busy};
use crate::submarine::{Serving, play_and};
use crate::support::{Beginning, Place, Run, SEED, house_bot};
use crate::terminal;
use serde_json::Value;
use std::fs;
use std::process::Child;
use std::thread;
use std::time::Duration;

/// Commands that end by themselves, in a place with recorded games.
const COMMANDS: [&str; 6] = [
    "run hunter.wasm sweeper.wasm --games 300 -o csv",
    "sprt hunter.wasm random.wasm",
    "bench hunter.wasm --boards 5000 --rules classic",
    "check oracle.wasm",
    "verify --journal a.db .",
    "rerun a.db 1 oracle.wasm",
];

/// The time between two looks at a program. Chosen: it takes a process longer to start.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The fuel of a turn of the specimen that uses nearly all of it. Chosen: some 12 ms, and so half a second in a game.
const SLOW_FUEL: u32 = 200_000_000;

/// The processor time of a process that has played some of such a game, in ticks of the system. Chosen: a third of a game, and five times as
/// long as a process plays that is killed.
const REPEATED_TICKS: u64 = 15;

/// A folder with house bots, one of which is slow, and a journal of the games of two.
fn place() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(|| {
        let place = Place::with_house_bots();
        fs::copy(house_bot("oracle"), place.path("oracle.wasm")).expect("it can be copied");
        let args = format!("run oracle.wasm hunter.wasm --games 20 --seed {SEED} --journal a.db");
        place.arena(&args).expect_code(0);
        // So that `verify` has all of them in the cache, and starts no process but those that play.
        place.arena("run . --games 2 --quiet").expect_code(0);
        place
    })
}

/// Looks at a running program until it ends. Returns true if it had code of a bot, and the number of its processes that were seen.
fn look_at(mut arena: Child) -> (bool, usize) {
    let (mut had_code, mut seen) = (false, Vec::new());
    while arena.try_wait().expect("it is ours").is_none() {
        had_code |= has_code(arena.id());
        seen.extend(children_of(arena.id()));
        thread::sleep(LOOK_EVERY);
    }
    let output = arena.wait_with_output().expect("it is ours");
    assert!(output.status.success(), "{output:?}");
    seen.sort_unstable();
    seen.dedup();
    (had_code, seen.len())
}

#[test]
fn no_command_loads_code_of_a_bot_into_the_arena() {
    let place = place();
    for args in COMMANDS {
        let (had_code, processes) = look_at(place.start(args));
        assert!(!had_code && processes > 0, "{args}: {had_code}, {processes}");
    }
}

#[test]
fn the_arena_has_no_code_of_a_bot_while_it_is_watched_played_against_or_served() {
    let (place, submarine) = (place(), Place::with_submarine_bots());
    let check = |arena: u32, command: &str| {
        assert!(!has_code(arena) && !children_of(arena).is_empty(), "{command}");
    };
    let mut watched = terminal::start(&place, "watch oracle.wasm hunter.wasm");
    watched.shows("oracle");
    check(watched.id(), "watch");
    watched.press("q");
    assert_eq!(watched.end().0, 0);

    let mut played = terminal::start(&place, "play random.wasm");
    terminal::begin_to_play(&mut played);
    check(played.id(), "play");
    terminal::leave_the_game(played);

    let serving = Serving::start(&submarine, "serve 0 --bot sub-random.wasm --games 1");
    let arena = serving.child.id();
    play_and(serving.address, |_| check(arena, "serve"));
    serving.end();
}

/// Standard output without the figure that was measured.
fn unmeasured(run: &Run) -> Value {
    let mut document = run.json();
    document.as_object_mut().expect("a document").remove("compile-ms");
    for game in document["trial"]["games"].as_array_mut().into_iter().flatten() {
        game["fuel"].as_object_mut().expect("figures").remove("budget-ms-here");
    }
    document
}

/// A journal of long games: one of a house bot can end before two of its processes were killed.
fn slow_place() -> Place {
    let slow = Place::with_specimens(&["slow-but-legal", "sweeper"]);
    let recorded = format!(
        "run slow-but-legal.wasm sweeper.wasm --fuel {SLOW_FUEL} --games 2 --seed {SEED} --journal a.db"
    );
    slow.arena(&recorded).expect_code(0);
    slow
}

#[test]
fn processes_that_are_killed_cost_a_command_nothing() {
    let place = place();
    let slow = slow_place();
    for (place, args) in [
        (&place, "check oracle.wasm"),
        (&place, "verify --journal a.db . --jobs 2"),
        (&slow, "rerun a.db 1 slow-but-legal.wasm"),
    ] {
        let args = format!("{args} -o json");
        let undisturbed = place.arena(&args).expect_code(0);
        let run = place.start(&args);
        kill_busy(run.id(), 2);
        let disturbed = Run::ended(run.wait_with_output().expect("it ends"));
        assert!(unmeasured(&disturbed.expect_code(0)) == unmeasured(&undisturbed), "{args}");
    }
}

#[test]
fn a_game_that_ends_each_process_is_a_failure_of_the_arena_without_a_verdict() {
    let place = place();
    for args in ["check oracle.wasm", "rerun a.db 1 oracle.wasm", "verify --journal a.db . --jobs 1"] {
        let mut run = place.start(&format!("{args} -o json"));
        while run.try_wait().expect("it is ours").is_none() {
            children_of(run.id()).into_iter().for_each(kill);
            thread::sleep(LOOK_EVERY);
        }
        let output = run.wait_with_output().expect("it ends");
        let said = String::from_utf8(output.stderr).expect("it prints UTF-8");
        assert_eq!((output.status.code(), output.stdout), (Some(1), Vec::new()), "{args}: {said}");
        assert!(said.contains("a process for games has ended: "), "{args}: {said}");
    }
}

#[test]
fn a_game_that_loses_its_process_three_times_is_a_failure_of_the_arena() {
    let slow = slow_place();
    let run = slow.start("rerun a.db 1 slow-but-legal.wasm");
    let mut killed = Vec::new();
    // Each replacement first repeats what the first has done, and is killed long before it has, so that all are lost in one call.
    let mut ticks_min = REPEATED_TICKS;
    while let Some(victim) = busy_for(ticks_min, run.id(), &killed) {
        kill(victim);
        killed.push(victim);
        ticks_min = BUSY_TICKS;
    }
    let said = Run::ended(run.wait_with_output().expect("it ends")).expect_code(1).stderr;
    assert!(said.contains("a process for games has ended: ") && said.contains("3 times"), "{said}");
    assert_eq!(killed.len(), 3, "{said}");
}

#[test]
fn a_watched_game_goes_on_when_its_process_is_killed() {
    let place = Place::with_specimens(&["slow-but-legal", "sweeper"]);
    let args = format!("watch slow-but-legal.wasm sweeper.wasm --seed {SEED} --no-animation");
    let watch = |kills: usize| {
        let mut terminal = terminal::start(&place, &args);
        kill_busy(terminal.id(), kills);
        terminal.shows("sweeper");
        terminal.press("\u{1b}[F");
        // A comment says of a side that one more hit wins.
        terminal.shows(" wins: ");
        terminal.press("q");
        let (code, text) = terminal.end();
        assert_eq!(code, 0, "{text}");
        // Before it is the progress of the admission.
        let result = text.find("1  slow-but-legal").unwrap_or_else(|| panic!("{text}"));
        text[result..].to_owned()
    };
    assert_eq!(watch(2), watch(0));
}

#[test]
fn a_person_and_clients_go_on_when_the_process_of_their_bot_is_killed() {
    let (place, submarine) = (place(), Place::with_submarine_bots());
    let mut terminal = terminal::start(&place, "play random.wasm");
    terminal::begin_to_play(&mut terminal);
    children_of(terminal.id()).into_iter().for_each(kill);
    terminal.press("c7\r");
    terminal.shows("turn 2: random shoots");
    terminal::leave_the_game(terminal);

    let serve = |folder: &str, kills: bool| {
        let args = format!("serve 0 --bot sub-random.wasm --games 2 --seed {SEED} --transcripts {folder}");
        let serving = Serving::start(&submarine, &args);
        let arena = serving.child.id();
        for _ in 0..2 {
            play_and(serving.address, |turn| {
                if kills && turn % 4 == 1 {
                    children_of(arena).into_iter().for_each(kill);
                }
            });
        }
        serving.end();
        // The port of a client is in the name and the header.
        let events =
            |bytes: Vec<u8>| bytes.split(|byte| *byte == b'\n').skip(1).map(<[u8]>::to_vec).collect();
        submarine.files(folder).into_values().map(events).collect::<Vec<Vec<_>>>()
    };
    let undisturbed = serve("undisturbed", false);
    assert_eq!(undisturbed.len(), 2);
    assert!(serve("disturbed", true) == undisturbed);
}

#[test]
fn many_clients_play_at_the_same_time_each_against_a_process_of_its_own() {
    let submarine = Place::with_submarine_bots();
    let args = "serve 0 --bot sub-random.wasm --games 6 --jobs 6 -o json";
    let serving = Serving::start(&submarine, args);
    let (address, arena) = (serving.address, serving.child.id());
    let begun = std::sync::Barrier::new(6);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                play_and(address, |turn| {
                    // In the second turn each bot has acted, so all games are under way at this moment.
                    if turn == 1 {
                        begun.wait();
                        assert_eq!(children_of(arena).len(), 6);
                        begun.wait();
                    }
                })
            });
        }
    });
    assert_eq!(serving.end().lines().count(), 6);
}
