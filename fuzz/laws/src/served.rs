//! Games that are served to two clients, from the bytes that they send to the bytes that they get.

use crate::loading::check_line;
use crate::transcripts::{check_listed_recording, header};
use arena_net::{Client, ClientLimits, wire};
use arena_record::{Event, Transcript};
use arena_referee::{GamePlan, play_game};
use arena_rules::submarine::{Rules, Submarine};
use arena_rules::{GameRules, Seat};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Instant;

/// Any bytes of two clients are a game with a verdict. The verdict is the same in a second run, and agrees with the rules. Both
/// clients get only lines of the protocol. The first is the greeting, and the last states the result.
///
/// The lines of the input go to the clients in turn. Both have sent everything before the game begins.
pub fn served_games_survive_any_bytes(data: &[u8]) {
    let data = &data[..data.len().min(BYTES_MAX)];
    let served = serve(data);
    assert_eq!(serve(data), served);
    let [first, second] = served.heard.each_ref().map(|heard| check_heard(heard));
    assert_eq!(first.turns, second.waits);
    assert_eq!(first.waits, second.turns);
    let ends = [first.end, second.end];
    assert!(ends == [wire::EVEN; 2] || ends.contains(&wire::YOU_WIN) && ends.contains(&wire::YOU_LOSE));
    for event in &served.events {
        if let Event::Faulted { fault, .. } = event {
            check_line(&fault.detail, 240);
        }
    }
    let header = header(GameRules::Submarine(Rules::default()), Seat::First);
    check_listed_recording(&Transcript { header, events: served.events });
}

/// The largest number of bytes that are sent. Chosen: the answers fit into the buffer of a socket, so they need not be
/// read during the game, and a line can still be too long.
const BYTES_MAX: usize = 1_500;

/// A game that was served, with the lines that each client got.
#[derive(Debug, PartialEq)]
struct Served {
    events: Vec<Event<Submarine>>,
    heard: [String; 2],
}

fn serve(data: &[u8]) -> Served {
    let mut ends = [(); 2].map(|()| UnixStream::pair().expect("a pair of sockets can be made"));
    for (index, line) in data.split_inclusive(|&byte| byte == b'\n').enumerate() {
        ends[index % 2].1.write_all(line).expect("the socket has room");
    }
    // Network sockets would use up the ports. The arena treats all sockets in the same way.
    let [(first, mut first_client), (second, mut second_client)] = ends;
    for client in [&first_client, &second_client] {
        client.shutdown(Shutdown::Write).expect("it is open");
    }
    let streams = [first, second].map(|stream| TcpStream::from(OwnedFd::from(stream)));
    let limits = ClientLimits::default();
    let mut clients = Client::pair(streams, limits);
    clients.iter_mut().for_each(Client::greet);
    let plan = GamePlan {
        rules: &Rules::default(),
        fuel_per_turn: 1,
        side_seeds: [0; 2],
        fleet_seed: 0,
        starter: Seat::First,
        score_wall_clock: true,
    };
    let mut events = Vec::new();
    let [one, other] = &mut clients;
    play_game(&plan, [one, other], &mut |event| events.push(event)).expect("the arena does not fail");
    for client in clients {
        client.close(Instant::now() + limits.closing);
    }
    let heard = [&mut first_client, &mut second_client].map(|client| {
        let mut heard = String::new();
        client.read_to_string(&mut heard).expect("it is text");
        heard
    });
    Served { events, heard }
}

/// The lines that a client got.
struct Heard<'a> {
    turns: usize,
    waits: usize,
    end: &'a str,
}

fn check_heard(heard: &str) -> Heard<'_> {
    let mut lines = heard.lines();
    assert!(heard.ends_with('\n') && lines.next() == Some(wire::GREETING), "{heard:?}");
    let end = lines.next_back().unwrap_or_else(|| panic!("{heard:?}"));
    assert!([wire::YOU_WIN, wire::YOU_LOSE, wire::EVEN].contains(&end), "{heard:?}");
    let mut counted = Heard { turns: 0, waits: 0, end };
    for line in lines {
        match line {
            wire::YOUR_TURN => counted.turns += 1,
            wire::WAITING => counted.waits += 1,
            report => check_report(report),
        }
    }
    counted
}

/// Checks a line about a turn by its form.
fn check_report(line: &str) {
    let report: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let entries = report.as_object().unwrap_or_else(|| panic!("{line}"));
    for (key, value) in entries {
        let keys =
            || value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect::<Vec<_>>();
        let is_known = match key.as_str() {
            "result" => keys() == ["attacked"] || keys() == ["moved"],
            "outcome" => value.is_boolean(),
            "condition" => keys() == ["me", "enemy"],
            _ => false,
        };
        assert!(is_known, "{key} in {line}");
    }
    assert!(entries.contains_key("condition"), "{line}");
}
