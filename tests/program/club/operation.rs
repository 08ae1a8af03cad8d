//! What an operator reads of a club, and the clients of a server.

use super::{Served, club, read_answer, token, until, upload};
use serde_json::Value;
use std::io::Write;
use std::net::TcpStream;

/// The most connections of a client.
const CONNECTIONS_MAX: usize = 128;

/// The value of a number for Prometheus; `None` when it is not there.
fn number(metrics: &str, name: &str) -> Option<f64> {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map(|value| value.parse().expect("it is a number"))
}

#[test]
fn numbers_are_at_an_address_of_their_own_and_nowhere_else() {
    let place = club();
    let mut served = Served::start(&place, "--games 20 --metrics 127.0.0.1:0");
    let said = served.said_with("the numbers are at http://");
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: club\r\n\r\n").as_bytes()).expect("it reads");
        read_answer(stream)
    };
    served.get("/metrics").expect(404);
    for path in ["/", "/submit", "/mine"] {
        ask(path).expect(404);
    }
    let before = ask("/metrics").expect(200);
    assert!(before.head.contains("content-type: application/openmetrics-text"), "{}", before.head);
    for (name, value) in [
        ("arena_club_requests_total{status=\"404\"}", 1.0),
        ("arena_club_uploads_total{result=\"accepted\"}", 0.0),
        ("arena_club_uploads_total{result=\"refused\"}", 0.0),
        ("arena_club_waiting", 0.0),
        ("arena_club_games_total", 0.0),
        ("arena_club_stage_bots", 0.0),
        ("arena_club_streams", 0.0),
    ] {
        assert_eq!(number(&before.body, name), Some(value), "{name} in {}", before.body);
    }
    // Those who ask for the numbers are not counted.
    let connections = |expected: f64| {
        until(|| number(&ask("/metrics").expect(200).body, "arena_club_connections") == Some(expected))
    };
    assert!(connections(0.0), "the connections of before end");
    let held = served.connect();
    assert!(connections(1.0), "one is open");
    drop(held);
    assert!(number(&before.body, "arena_club_disk_free_bytes") > Some(1e6), "{}", before.body);
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    let empty = upload(&token(&place, "ann"), "Content-Length: 0");
    served.send(empty.as_bytes()).expect(400);
    served.wait_for_games("ann", 20);
    let after = ask("/metrics").expect(200).body;
    for (name, value) in [
        ("arena_club_uploads_total{result=\"accepted\"}", 2.0),
        ("arena_club_uploads_total{result=\"refused\"}", 1.0),
        ("arena_club_games_total", 20.0),
        ("arena_club_requests_total{status=\"400\"}", 1.0),
    ] {
        assert_eq!(number(&after, name), Some(value), "{name} in {after}");
    }
    assert!(number(&after, "arena_club_stages_total") >= Some(1.0), "{after}");
    assert!(after.ends_with("# EOF\n"), "{after}");
}

#[test]
fn the_log_has_a_line_for_each_event_and_the_text_of_strangers_is_plain() {
    let place = club();
    let served = Served::start(&place, "--games 20 --log-format json --log-level debug");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    for bot in ["log-escapes.wasm", "escape-name.wasm"] {
        served.submit(bot, "ben");
    }
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 20);
    for path in ["/%1b[31m%0a{}", "/\u{202e}x\"", &format!("/{}", "y".repeat(9_000))] {
        served.get(path);
    }
    served.send(b"EVIL\x1b /x HTTP/1.1\r\n\r\n");
    let said = served.interrupt();
    let documents: Vec<Value> = said
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let plain = |c: char| c == '\n' || !c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c);
    assert!(said.chars().all(plain) && said.lines().all(|line| line.len() < 2_000), "{said}");
    let of = |message: &str| -> Vec<&Value> {
        documents.iter().filter(|document| document["message"] == message).collect()
    };
    assert_eq!(of("serving")[0]["authors"], 2);
    let submitted: Vec<_> =
        of("submitted").iter().map(|it| (it["author"].clone(), it["level"].clone())).collect();
    assert_eq!(submitted.len(), 4, "{said}");
    assert!(submitted.iter().all(|(_, level)| level == "INFO"), "{said}");
    assert_eq!((of("judged").len(), &of("judged")[0]["verdict"]), (4, &"Admitted".into()), "{said}");
    assert!(of("stage played").iter().any(|it| it["games"].as_u64() > Some(0)), "{said}");
    let strange = of("request").into_iter().filter(|it| it["status"] == 404);
    assert_eq!(strange.count(), 3, "{said}");
    let lines = said.lines().filter(|line| line.starts_with('{')).count();
    assert_eq!(said.lines().count(), lines + 3, "the rest is about the interruption: {said}");

    // Without requests, and for a reader.
    let served = Served::start(&place, "--games 20");
    served.get("/nothing").expect(404);
    let said = served.interrupt();
    assert!(said.contains("INFO serving") && !said.contains("/nothing"), "{said}");
}

#[test]
fn a_log_that_nobody_reads_stops_nothing_and_says_what_is_lost() {
    let place = club();
    let served = Served::start(&place, "--games 20 --log-level debug");
    // A pipe has room for some hundred lines, and some thousand wait in the program.
    let path = format!("/{}", "y".repeat(200));
    for _ in 0..6_000 {
        served.get(&path).expect(404);
    }
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 20);
    let said = served.interrupt();
    let lost = said.lines().find(|line| line.contains("a part of the log is lost"));
    assert!(lost.is_some_and(|line| line.contains("WARN") && line.contains("lines=")), "{lost:?}");
}

/// Waits until a page is answered with this status.
fn wait_for_status(served: &Served, status: u16) {
    let begins = format!("HTTP/1.1 {status} ");
    assert!(until(|| served.get("/submit").head.starts_with(&begins)), "it is not answered with {status}");
}

#[test]
fn a_client_with_too_many_connections_is_refused_and_others_are_not() {
    let place = club();
    let served = Served::start(&place, "");
    let of = |client: &str, part: &str| {
        let mut stream = served.connect();
        let head = format!("POST /submit HTTP/1.1\r\nX-Forwarded-For: {client}\r\n{part}");
        // One that is refused may be closed already.
        let _ = stream.write_all(head.as_bytes());
        stream
    };
    // Without a proxy, what a client says of itself counts for nothing.
    let idle: Vec<TcpStream> =
        (0..CONNECTIONS_MAX).map(|number| of(&format!("10.0.0.{number}"), "")).collect();
    wait_for_status(&served, 503);
    drop(idle);
    wait_for_status(&served, 200);
    served.interrupt();

    let served = Served::start(&place, "--behind-proxy");
    let of = |client: &str, rest: &str| {
        let mut stream = served.connect();
        let form = "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n";
        stream
            .write_all(
                format!("POST /submit HTTP/1.1\r\nX-Forwarded-For: {client}\r\n{form}\r\n{rest}").as_bytes(),
            )
            .expect("it is read");
        stream
    };
    let flood: Vec<TcpStream> =
        (0..CONNECTIONS_MAX).map(|number| of(&format!("10.9.9.{number}, 10.0.0.1"), "--b\r\n")).collect();
    let ask = |client: &str| {
        let request = format!("GET /submit HTTP/1.1\r\nX-Forwarded-For: {client}\r\n\r\n");
        served.send(request.as_bytes())
    };
    let mut refused = ask("10.0.0.1");
    let is_refused = until(|| {
        refused = ask("10.0.0.1");
        refused.head.starts_with("HTTP/1.1 503 ")
    });
    assert!(is_refused, "{}", refused.head);
    assert!(refused.head.contains("retry-after: 5"), "{}", refused.head);
    for other in ["10.0.0.2", "2001:db8::1"] {
        ask(other).expect(200);
    }
    // The proxy itself, which sends no header.
    served.get("/submit").expect(200);
    drop(flood);
}
