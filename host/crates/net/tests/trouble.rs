//! Clients that break the protocol: they lose, the other side wins, and the server continues.

use crate::support::{self, ATTACK, GREETING, LOSE, PATIENCE, PLACEMENTS, SHORT, Served, options, patient};
use arena_net::{Client, ClientLimits};
use arena_referee::{FaultClass, GameNotice, NoReply, Player};
use arena_rules::submarine::{GameInfo, View};
use arena_rules::{Outcome, Seat};
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// Limits whose turn limit a test waits for. A client that must not reach it sends all its lines in advance.
fn short_turn() -> ClientLimits {
    ClientLimits { turn: SHORT, ..patient() }
}

#[test]
fn a_client_that_is_silent_instead_of_placing_loses() {
    for silent in [0, 1] {
        let served = Served::start(options(short_turn()));
        let mut pair = [served.connect(), served.connect()];
        pair[1 - silent].says(PLACEMENTS[0]);
        pair[1 - silent].hears(GREETING);
        pair[1 - silent].hears("you win");
        pair[silent].hears_last("you lose");
        let game = served.game();
        assert_eq!(support::fault(&game).class, FaultClass::WallClock);
        assert_eq!(
            game.outcome.unwrap().0,
            Outcome::Win(if silent == 0 { Seat::Second } else { Seat::First })
        );
    }
}

#[test]
fn a_client_that_is_silent_at_its_turn_loses() {
    let served = Served::start(options(short_turn()));
    let mut pair = [served.connect(), served.connect()];
    for (socket, placement) in pair.iter_mut().zip(PLACEMENTS) {
        socket.says(placement);
    }
    pair[0].says(ATTACK);
    pair[0].hears_last("you win");
    pair[1].hears_last("you lose");
    let fault = served.fault();
    assert_eq!(fault.to_string(), "wall-clock: it sent no complete line in 300ms");
}

#[test]
fn a_line_that_comes_byte_by_byte_has_no_more_time_than_another() {
    let served = Served::start(options(short_turn()));
    let mut pair = [served.connect(), served.connect()];
    for (socket, placement) in pair.iter_mut().zip(PLACEMENTS) {
        socket.says(placement);
    }
    let mut dripping = pair[0].stream.try_clone().unwrap();
    let drip = thread::spawn(move || {
        // White space before the message, no byte of which is late by itself: some 20 s in all.
        for _ in 0..400 {
            thread::sleep(Duration::from_millis(50));
            if dripping.write_all(b" ").is_err() {
                break;
            }
        }
    });
    let begun = Instant::now();
    pair[1].hears_last("you win");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_eq!(served.fault().class, FaultClass::WallClock);
    drop(pair);
    drip.join().unwrap();
}

#[test]
fn a_client_that_uses_up_its_time_for_the_game_loses() {
    let served = Served::start(options(ClientLimits { game: SHORT, ..patient() }));
    let mut pair = [served.connect(), served.connect()];
    pair[1].says(PLACEMENTS[1]);
    pair[1].hears_last("you win");
    pair[0].hears_last("you lose");
    assert_eq!(served.fault().to_string(), "wall-clock: it used up its 300ms for the game");
}

#[test]
fn a_line_without_end_loses_once_it_is_too_long_and_its_client_gets_the_last_line() {
    let served = Served::start(options(ClientLimits { closing: PATIENCE, ..patient() }));
    let [mut first, mut second] = served.placed_pair();
    // Far more than the server reads: the connection still ends with the last line, not with a reset.
    first.sends(&vec![b'{'; 100_000]);
    first.hears_last("you lose");
    second.hears_last("you win");
    assert_eq!(served.fault().to_string(), "bad-result: its line is longer than 1024 bytes");
    drop((first, second));
    served.stop();
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    for (spaces_too_many, class) in [(0, None), (1, Some(FaultClass::BadResult))] {
        let served = Served::start(options(patient()));
        let [mut first, mut second] = served.placed_pair();
        let spaces = 1024 - ATTACK.len() - 1 + spaces_too_many;
        first.says(&format!("{}{ATTACK}", " ".repeat(spaces)));
        second.says(LOSE);
        second.hears_last(if class.is_some() { "you win" } else { "you lose" });
        let found = served.fault();
        assert_eq!(found.class, class.unwrap_or(FaultClass::IllegalAction), "{found}");
    }
}

#[test]
fn lines_that_are_not_messages_lose_with_a_reason() {
    let nested = format!(r#"{{"attack":{}"#, "[".repeat(900));
    let cases: [(&[u8], &str); 8] = [
        (b"\xff\xfe{}", "bad-result: the line is not UTF-8 text"),
        (b"\0\x1b[2J", "bad-result: the line is not JSON"),
        (nested.as_bytes(), "bad-result: the line is not JSON"),
        (b"{\"attack\":{\"to\":[0,0]}} {}", "bad-result: the line is not JSON"),
        (b"7", "bad-result: the line is not a JSON object"),
        (b"{}", "bad-result: there is neither \"attack\" nor \"move\""),
        (
            b"{\"attack\":{\"to\":[0,-1]}}",
            "bad-result: [0,-1] is off the board: positions are [0,0] to [4,4]",
        ),
        (b"{\"attack\":[0,0]}", "bad-result: \"attack\" is not an object"),
    ];
    let served = Served::start(options(patient()));
    for (line, words) in cases {
        let [mut first, mut second] = served.placed_pair();
        first.sends(line);
        first.sends(b"\n");
        first.hears_last("you lose");
        second.hears_last("you win");
        assert_eq!(served.fault().to_string(), words);
    }
    served.stop();
}

#[test]
fn a_line_may_end_as_on_windows() {
    let served = Served::start(options(patient()));
    let [mut first, mut second] = served.placed_pair();
    first.sends(format!("{ATTACK}\r\n").as_bytes());
    second.says(LOSE);
    second.hears_last("you lose");
    first.hears_last("you win");
}

#[test]
fn the_longest_limits_are_limits() {
    let limits =
        ClientLimits { turn: Duration::MAX, game: Duration::MAX, taking: Duration::MAX, ..patient() };
    let served = Served::start(options(ClientLimits { closing: Duration::MAX, ..limits }));
    let [mut first, mut second] = served.placed_pair();
    first.says(LOSE);
    second.hears_last("you win");
    assert_eq!(served.fault().class, FaultClass::IllegalAction);
}

#[test]
fn a_client_that_leaves_in_the_middle_of_a_line_loses() {
    let served = Served::start(options(patient()));
    let [mut first, mut second] = served.placed_pair();
    first.sends(&ATTACK.as_bytes()[..10]);
    drop(first);
    second.hears_last("you win");
    assert_eq!(served.fault().to_string(), "disconnected: it went away");
    served.stop();
}

#[test]
fn a_client_that_leaves_while_the_other_thinks_loses_at_once() {
    let served = Served::start(options(patient()));
    let [mut first, second] = served.placed_pair();
    drop(second);
    first.hears_last("you win");
    let game = served.game();
    assert_eq!(support::fault(&game).to_string(), "disconnected: it went away");
    assert_eq!(game.outcome.unwrap().0, Outcome::Win(Seat::First));
    served.stop();
}

#[test]
fn a_client_that_leaves_after_placing_loses_when_the_other_has_placed() {
    for leaving in [0, 1] {
        let served = Served::start(options(patient()));
        let mut pair = served.pair().map(Some);
        let mut gone = pair[leaving].take().unwrap();
        // It also left lines for its later turns, which are not waited for.
        gone.says(&format!("{}\n{ATTACK}\n{ATTACK}\n{ATTACK}", PLACEMENTS[leaving]));
        drop(gone);
        let other = pair[1 - leaving].as_mut().unwrap();
        other.says(PLACEMENTS[1 - leaving]);
        other.hears_last("you win");
        assert_eq!(served.fault().to_string(), "disconnected: it went away");
        served.stop();
    }
}

#[test]
fn a_client_that_closes_its_side_has_left_but_the_line_that_it_is_asked_for_counts() {
    let served = Served::start(options(patient()));
    let [mut first, mut second] = served.placed_pair();
    first.says(ATTACK);
    first.stream.shutdown(std::net::Shutdown::Write).unwrap();
    let line = second.line().unwrap();
    assert!(line.starts_with(r#"{"result":{"attacked":{"position":[0,1],"#), "{line}");
    second.hears("your turn");
    second.hears_last("you win");
    first.hears_last("you lose");
    assert_eq!(served.fault().class, FaultClass::Disconnected);
}

#[test]
fn two_clients_that_leave_at_once_are_no_contest() {
    let served = Served::start(options(patient()));
    drop(served.pair());
    assert_eq!(served.game().outcome.unwrap().0, Outcome::NoContest);
    served.stop();
}

#[test]
fn two_clients_that_neither_read_nor_write_do_not_stop_the_server() {
    let served = Served::start(options(short_turn()));
    let deaf = [served.connect(), served.connect()];
    assert_eq!(served.game().outcome.unwrap().0, Outcome::NoContest);
    drop(deaf);
}

#[test]
fn two_clients_that_play_ten_thousand_actions_and_read_nothing_do_not_stop_the_server() {
    // The lines that they do not read may or may not fit the buffers of the system.
    let served = Served::start(options(ClientLimits { taking: SHORT, ..patient() }));
    let deaf = [served.connect(), served.connect()];
    let writers = [0, 1].map(|seat| {
        let mut stream = deaf[seat].stream.try_clone().unwrap();
        thread::spawn(move || {
            let (there, back) = if seat == 0 { ("[4,0]", "[0,0]") } else { ("[1,4]", "[1,2]") };
            let ship = if seat == 0 { "w" } else { "c" };
            let mut script = format!("{}\n", PLACEMENTS[seat]);
            for turn in 0..5_000 {
                let to = if turn % 2 == 0 { there } else { back };
                script += &format!("{{\"move\":{{\"ship\":\"{ship}\",\"to\":{to}}}}}\n");
            }
            // By then the server may have closed, because the client does not read.
            let _ = stream.write_all(script.as_bytes());
        })
    });
    served.game();
    for writer in writers {
        writer.join().unwrap();
    }
    drop(deaf);
    served.stop();
}

#[test]
fn ten_thousand_actions_are_even() {
    let served = Served::start(options(patient()));
    let [mut first, mut second] = served.placed_pair();
    let other = thread::spawn(move || {
        for turn in 0..5_000 {
            second.line();
            second.hears("your turn");
            let to = if turn % 2 == 0 { "[1,4]" } else { "[1,2]" };
            second.says(&format!(r#"{{"move":{{"ship":"c","to":{to}}}}}"#));
            second.line();
            second.hears(if turn < 4_999 { "waiting" } else { "even" });
        }
        second.hears_end();
    });
    for turn in 0..5_000 {
        let to = if turn % 2 == 0 { "[4,0]" } else { "[0,0]" };
        first.says(&format!(r#"{{"move":{{"ship":"w","to":{to}}}}}"#));
        first.line();
        first.hears("waiting");
        let line = first.line().unwrap();
        assert!(!line.contains("outcome"), "{line}");
        first.hears(if turn < 4_999 { "your turn" } else { "even" });
    }
    first.hears_end();
    other.join().unwrap();
    assert_eq!(served.game().outcome.unwrap().0, Outcome::Draw);
}

/// Both ends of a connection.
fn connection() -> [TcpStream; 2] {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    [near, listener.accept().unwrap().0]
}

fn play(client: &mut Client) -> String {
    let game = GameInfo { actions_max: 10_000, fuel_per_turn: 0, seed: 0 };
    let view = View { turn: 1, own: Vec::new(), enemy: Vec::new(), my_last: None, enemy_last: None };
    client.begin_turn();
    match client.play(&game, &view, 0) {
        Err(NoReply::Fault(fault)) => fault.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_client_that_never_reads_costs_the_others_one_wait_and_loses_at_its_turn() {
    let [here, there] = connection();
    let mut client = Client::new(here, ClientLimits { taking: SHORT, turn: SHORT, ..patient() });
    let begun = Instant::now();
    // Until the buffers of the system are full.
    while client_takes(&mut client) < SHORT {
        assert!(begun.elapsed() < PATIENCE, "the system should buffer no more than some megabytes");
    }
    assert_eq!(play(&mut client), "wall-clock: it did not take what it was sent in 300ms");
    // From now on nothing is sent to it.
    let told = Instant::now();
    for _ in 0..1_000 {
        client_takes(&mut client);
    }
    assert!(told.elapsed() < 100 * SHORT, "{:?}", told.elapsed());
    drop(there);
}

fn client_takes(client: &mut Client) -> Duration {
    let begun = Instant::now();
    client.hear(&GameNotice::Turn { mine: false });
    begun.elapsed()
}

#[test]
fn the_time_for_taking_lines_counts_for_the_game() {
    let [here, there] = connection();
    let mut client = Client::new(here, ClientLimits { game: SHORT, taking: 2 * SHORT, ..patient() });
    let begun = Instant::now();
    while client_takes(&mut client) < SHORT {
        assert!(begun.elapsed() < PATIENCE, "the system should buffer no more than some megabytes");
    }
    assert!(play(&mut client).starts_with("wall-clock: it "));
    drop(there);
}
