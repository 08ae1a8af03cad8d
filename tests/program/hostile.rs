//! A tournament of hostile bots: it is played to its end, and leaves nothing behind.

use crate::processes::{children, processes};
use crate::support::{Place, command};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::Stdio;

const HOSTILE: [&str; 12] = [
    "loops-in-play",
    "memory-fill",
    "grow-bomb",
    "fills-to-the-cap",
    "recursion-with-host-calls",
    "leaks-handles",
    "sleeps-for-ever",
    "writes-forever",
    "log-flood",
    "off-board-forever",
    "endless-fleet",
    "traps-in-post-return",
];

#[test]
fn hundreds_of_hostile_games_are_played_to_their_end_and_leave_no_process() {
    let mut names = HOSTILE.to_vec();
    names.extend(["sweeper", "repeats-once-then-valid", "exits-in-name"]);
    let place = Place::with_specimens(&names);
    let bots: Vec<String> = names.iter().map(|name| format!("{name}.wasm")).collect();
    // Without the cache there are child processes; with little fuel there can be many games.
    let args = format!("run {} --games 4 --jobs 4 --fuel 500000 --no-cache --transcripts t", bots.join(" "));
    let mut command = command(place.folder(), &args.split(' ').collect::<Vec<_>>());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut arena = command.spawn().expect("the program starts");
    let mut lines = BufReader::new(arena.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.next().expect("the first game");
    // All bots are compiled before the first game.
    let players = children(&arena);
    assert_eq!(players.len(), 4, "one process for each job, and no others");
    assert!(lines.count() > 4 * 90);
    let mut said = String::new();
    arena.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let group = arena.id();
    assert_eq!(arena.wait().unwrap().code(), Some(3), "one bot is refused, and no more: {said}");
    let is_of_run = |id, process_group| players.contains(&id) || process_group == group;
    let is_left = processes().iter().any(|process| is_of_run(process.id, process.group));
    assert!(!is_left, "no process of the run is left");
    assert_eq!(place.files("t").len(), 4 * 91, "every game of fourteen bots was played");
    assert!(said.contains("exits-in-name.wasm"), "{said}");
}
