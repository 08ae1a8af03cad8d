//! Submarine: matches of components, and games over TCP with clients that share no code with this project.

use crate::support::{Place, SEED, signal};
use arena_rules::submarine::Submarine;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Child;
use std::time::Duration;

#[test]
fn sub_tracker_beats_sub_random_from_either_seat() {
    let place = Place::with_submarine_bots();
    let run = place.arena("run sub-tracker.wasm sub-random.wasm --games 200 --seed 1 -o json").expect_code(0);
    let document = run.json();
    let mut won_by_seat = [0, 0];
    for game in document["games"].as_array().unwrap() {
        assert_eq!(game["faults"], Value::Array(vec![]));
        let seat = usize::from(game["seats"][1] == "sub-tracker");
        won_by_seat[seat] += usize::from(game["winner"] == "sub-tracker");
    }
    assert!(won_by_seat.iter().all(|&wins| wins >= 95), "{won_by_seat:?} of 100 each");
}

#[test]
fn the_bots_determine_the_game_and_its_recordings_replay() {
    let place = Place::with_submarine_bots();
    let run = place
        .arena("run sub-tracker.wasm sub-random.wasm --games 4 --seed 1 --transcripts t --jobs 1")
        .expect_code(0);
    assert!(run.stdout.contains("under the `submarine` rules on 5 columns by 5 rows"), "{}", run.stdout);
    place
        .arena("run sub-tracker.wasm sub-random.wasm --games 4 --seed 1 --transcripts u --jobs 2")
        .expect_code(0);
    assert!(place.files("t") == place.files("u"));
    for transcript in place.replayed::<Submarine>("t") {
        assert_eq!(transcript.header.contract, "arena:submarine@0.1.0");
    }
    let check = place.arena("check sub-tracker.wasm").expect_code(0);
    assert!(check.stdout.contains("game     submarine, contract 0.1.0"), "{}", check.stdout);
}

#[test]
fn bots_for_two_games_and_rules_of_another_game_are_bad_input() {
    let place = Place::with_submarine_bots();
    place.write("sweeper.wasm", arena_testkit::zoo("sweeper"));
    for (args, says) in [
        (
            "sub-random.wasm sweeper.wasm",
            "sub-random.wasm plays submarine, and sweeper.wasm plays battleship",
        ),
        (
            "sub-random.wasm sub-tracker.wasm --rules classic",
            "sub-random.wasm plays submarine, and the rules `classic` are for battleship",
        ),
        ("sub-random.wasm sub-tracker.wasm --width 9", "submarine is played on 5 columns by 5 rows"),
        (
            "sub-random.wasm sub-tracker.wasm --rules submarine --width 9",
            "submarine is played on 5 columns by 5 rows",
        ),
    ] {
        let run = place.arena(&format!("run {args}")).expect_code(2);
        assert!(run.stderr.contains(says), "{args}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn hostile_bots_for_submarine_get_the_results_that_the_rules_define() {
    let place = Place::empty();
    place.write("sub-sitter.wasm", arena_testkit::submarine_zoo("sub-sitter"));
    let play = |body: &str| format!("(func $play (param $args i32) (result i32) {body})");
    let deploy = "(func $deploy (param $actions-max i32) (param $fuel i64) (param $seed i64) (result i32) (i32.const 0))";
    for (text, class, reason) in [
        (play("(unreachable)"), "trap", "forfeit"),
        (play("(loop $again (br $again)) (unreachable)"), "out-of-fuel", "forfeit"),
        (play("(call $attack (i32.const 9) (i32.const 9))"), "illegal-action", "forfeit"),
        (play("(call $move (i32.const 0) (i32.const 3) (i32.const 3))"), "illegal-action", "forfeit"),
        (play("(i32.store8 (i32.const 0) (i32.const 7)) (i32.const 0)"), "bad-result", "forfeit"),
        (deploy.to_owned(), "bad-deploy", "bad-deploy"),
    ] {
        place.write("hostile.wasm", arena_testkit::submarine_component(&text).expect("it can be made"));
        let run = place.arena("run hostile.wasm sub-sitter.wasm --games 2 -o json").expect_code(0);
        for game in run.json()["games"].as_array().unwrap() {
            assert_eq!((&game["winner"], &game["reason"]), (&"sub-sitter".into(), &reason.into()), "{text}");
            assert_eq!(game["faults"][0]["class"], class, "{text}");
        }
    }
    let even = place.arena("run sub-sitter.wasm sub-sitter.wasm --games 1 -o json").expect_code(0).json();
    assert_eq!(even["games"][0]["turns"], serde_json::json!([5_000, 5_000]));
    assert_eq!(even["games"][0]["outcome"], "draw");
}

/// A running server.
pub struct Serving {
    pub child: Child,
    pub address: SocketAddr,
}

impl Serving {
    pub fn start(place: &Place, args: &str) -> Self {
        let mut child = place.start(args);
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}"));
        Self { address: address.parse().unwrap(), child }
    }

    pub fn interrupt(&self) {
        signal(&self.child, "INT");
    }

    /// Waits for its end, which must be a success, and returns its standard output.
    pub fn end(mut self) -> String {
        let printed = std::io::read_to_string(self.child.stdout.take().unwrap()).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{printed}");
        printed
    }
}

/// A client that follows the text of the protocol: it attacks around its battleship, cell by cell, and returns the last line.
fn play(address: SocketAddr) -> String {
    play_and(address, |_| {})
}

/// Plays as [`play`] does, and does something before each of its turns, by their number from 0.
pub fn play_and(address: SocketAddr, mut before: impl FnMut(u32)) -> String {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut out = stream.try_clone().unwrap();
    let mut lines = BufReader::new(stream).lines().map(|line| line.expect("the server speaks"));
    assert_eq!(lines.next().unwrap(), "you are connected. please send me initial state.");
    out.write_all(b"{\"w\":[2,2],\"c\":[0,0],\"s\":[4,4]}\n").unwrap();
    let mut turn: u32 = 0;
    for line in lines {
        match line.as_str() {
            "your turn" => {
                before(turn);
                let (x, y) = (1 + turn % 3, 1 + turn / 3 % 3);
                turn += 1;
                out.write_all(format!("{{\"attack\":{{\"to\":[{x},{y}]}}}}\n").as_bytes()).unwrap();
            }
            "waiting" => {}
            "you win" | "you lose" | "even" => return line,
            _ => {
                let report: Value = serde_json::from_str(&line).expect("a line of JSON");
                assert!(report["condition"]["me"].is_object(), "{line}");
            }
        }
    }
    panic!("the server closed the connection");
}

#[test]
fn two_clients_play_each_other_to_the_end() {
    let place = Place::empty();
    // All clients place their ships in the same cells and attack around their own battleship, and so they hit each other.
    let serving = Serving::start(&place, "serve 0 --rules submarine --games 2 --transcripts t");
    let address = serving.address;
    let clients: Vec<_> = (0..4).map(|_| std::thread::spawn(move || play(address))).collect();
    let ends: Vec<String> = clients.into_iter().map(|client| client.join().unwrap()).collect();
    assert!(ends.iter().all(|end| ["you win", "you lose", "even"].contains(&end.as_str())), "{ends:?}");
    let printed = serving.end();
    assert!(printed.contains("2 games:"), "{printed}");
    let seed = printed.lines().find_map(|line| line.strip_prefix("seed ")).expect("the seed is told");
    assert_eq!(seed.len(), 64, "{printed}");
    assert_eq!(place.replayed::<Submarine>("t").len(), 2);
}

#[test]
fn a_client_plays_a_component_and_loses_to_it() {
    let place = Place::with_submarine_bots();
    let serving = Serving::start(
        &place,
        &format!("serve 0 --bot sub-tracker.wasm --games 3 --seed {SEED} -o json --transcripts t"),
    );
    let ends: Vec<String> = (0..3).map(|_| play(serving.address)).collect();
    assert!(ends.iter().filter(|end| *end == "you lose").count() >= 2, "{ends:?}");
    let printed = serving.end();
    assert_eq!(printed.lines().count(), 3, "{printed}");
    for line in printed.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(game["seats"][1], "sub-tracker");
    }
    // A recorded game of a client cannot be played again.
    let name = place.files("t").into_keys().next().expect("there are transcripts");
    let verified = place.arena(&format!("verify t/{name} sub-tracker.wasm -o json")).expect_code(3);
    assert_eq!(verified.json()["findings"][0]["verdict"], "no-component", "{}", verified.stdout);
}

#[test]
fn the_bot_sits_where_the_option_says() {
    let place = Place::with_submarine_bots();
    for (option, seats) in [("first", [0, 0]), ("second", [1, 1]), ("alternate", [1, 0])] {
        let args = format!(
            "serve 0 --bot sub-random.wasm --bot-seat {option} --games 2 -o json --transcripts {option}"
        );
        let serving = Serving::start(&place, &args);
        for _ in seats {
            play(serving.address);
        }
        let printed = serving.end();
        for (line, seat) in printed.lines().zip(seats) {
            let game: Value = serde_json::from_str(line).unwrap();
            assert_eq!(game["seats"][seat], "sub-random", "{option}");
        }
        assert_eq!(place.replayed::<Submarine>(option).len(), 2);
    }
}

#[test]
fn a_client_that_leaves_loses_and_the_server_continues_until_ctrl_c() {
    let place = Place::with_submarine_bots();
    let serving = Serving::start(&place, "serve 0 --bot sub-random.wasm -o json");
    for garbage in ["", "hello\n", "{\"w\":[9,9]}\n"] {
        let mut stream = TcpStream::connect(serving.address).unwrap();
        stream.write_all(garbage.as_bytes()).unwrap();
    }
    play(serving.address);
    serving.interrupt();
    let printed = serving.end();
    assert!(printed.lines().count() >= 1, "{printed}");
}

#[test]
fn one_address_has_as_many_clients_at_a_time_as_the_option_says() {
    let place = Place::empty();
    let serving = Serving::start(&place, "serve 0 --per-address 2");
    let connect = || TcpStream::connect(serving.address).unwrap();
    let playing = [connect(), connect()];
    for client in &playing {
        let mut line = String::new();
        BufReader::new(client).read_line(&mut line).unwrap();
        assert!(line.starts_with("you are connected"), "{line}");
    }
    assert_eq!(std::io::read_to_string(connect()).unwrap(), "", "the third is disconnected");
    drop(playing);
    serving.interrupt();
    serving.end();
}

#[test]
fn a_server_that_cannot_be_started_says_why() {
    let place = Place::with_specimens(&["sweeper"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (args, code, says) in [
        ("serve 0 --rules guide".to_owned(), 2, "have no protocol"),
        ("serve 0 --rules chess".to_owned(), 2, "there are no rules named"),
        ("serve 0 --bot gone.wasm".to_owned(), 2, "no such file"),
        ("serve 0 --bot sweeper.wasm".to_owned(), 2, "sweeper.wasm plays battleship"),
        ("serve 70000".to_owned(), 2, "70000"),
        ("serve 0 --bot-seat first".to_owned(), 2, "--bot <BOT>"),
        ("serve 0 --per-address 0".to_owned(), 2, "--per-address"),
        (format!("serve {port}"), 2, "cannot listen on 127.0.0.1"),
    ] {
        let run = place.arena(&args).expect_code(code);
        assert!(run.stderr.contains(says), "{args}: {}", run.stderr);
    }
}
