//! Games in a browser over real sockets: a person's requests are written by hand.

use arena_engine::internals::{plan, seed};
use arena_engine::{GameOptions, Roster, Sandbox, SandboxLimits};
use arena_resources::NewThread;
use arena_rules::Seat;
use arena_testkit::{wait_for, zoo};
use arena_web::{LocalPage, NoGame, Opponent, Rooms};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest time that a test waits for an answer. Chosen: a machine that is a hundred times as slow as usual.
const LONG: Duration = Duration::from_secs(120);

/// A bot as the opponent of a person in seat 1.
fn opponent(bot: &Path) -> Opponent {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("there is room");
    let mut roster = Roster::admit(&sandbox, &[bot.to_owned()], 1, || {}).expect("it is judged");
    let contestant = roster.contestants.pop().expect("it is admitted");
    let seed = seed::given_or_fresh(None).expect("there are random numbers");
    let of = std::slice::from_ref(&contestant);
    let plan = plan::plan(&GameOptions::default(), None, sandbox.engine_hash(), of, seed);
    let plan = plan.expect("its rules are known");
    Opponent { sandbox, contestant, plan, person: "ann".into(), seat: Seat::First }
}

/// A page on this machine with a game against a bot.
struct Page {
    host: String,
    path: String,
    end: Option<Box<dyn FnOnce() + Send>>,
    serving: Option<JoinHandle<usize>>,
}

impl Page {
    fn open(bot: &Path) -> Self {
        let page = LocalPage::open(opponent(bot)).expect("there is a port");
        let address = page.address();
        let (host, path) =
            address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("it has a path");
        let end = Box::new(page.end());
        let serve = move || page.serve().expect("it is served").len();
        let serving = NewThread::named("page").start(serve).expect("there is a thread");
        Self { host: host.into(), path: format!("/{path}"), end: Some(end), serving: Some(serving) }
    }

    /// Sends a request. Returns the status and the body.
    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("it can have a limit");
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.host) };
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it is taken");
        // It may be refused before all of it is there.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is answered");
        let status =
            answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("it has a status");
        (status, answer.split_once("\r\n\r\n").map_or_else(String::new, |(_, body)| body.to_owned()))
    }

    fn post(&self, what: &str, body: &Value) -> (u16, String) {
        self.send("POST", &format!("{}{what}", self.path), "", &body.to_string())
    }

    fn decide(&self, position: &Value, decision: Value) -> (u16, String) {
        self.post("decide", &json!({ "position": position, "decision": decision }))
    }

    /// Follows the game.
    fn follow(&self) -> Stream {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("it can have a limit");
        write!(stream, "GET {}events HTTP/1.1\r\nHost: {}\r\n\r\n", self.path, self.host)
            .expect("it is taken");
        Stream(BufReader::new(stream))
    }

    /// Places ships at random, which the page offers.
    fn place(&self, stream: &mut Stream) -> Value {
        let shown = stream.until(|shown| shown["phase"] == "placing");
        let (status, ships) = self.post("ships", &Value::Null);
        assert_eq!(status, 200, "{ships}");
        let ships: Value = serde_json::from_str(&ships).expect("it is JSON");
        assert_eq!(self.decide(&shown["position"], json!({ "ships": ships })).0, 204);
        stream.until(|shown| shown["phase"] == "turn")
    }

    /// Shoots at all cells in order until the game is over.
    fn play_out(&self, stream: &mut Stream) -> Value {
        let mut shown = self.place(stream);
        for cell in 0..100 {
            let name = format!("{}{}", char::from(b'a' + cell % 10), cell / 10);
            let (status, text) = self.decide(&shown["position"], json!({ "action": name }));
            assert_eq!(status, 204, "{name}: {text}");
            shown = stream.until(|next| next["position"] != shown["position"] && next["phase"] != "waiting");
            if shown["phase"] == "over" {
                break;
            }
        }
        shown
    }

    /// Ends the page, and returns the number of games that had a result.
    fn end(mut self) -> usize {
        self.end.take().into_iter().for_each(|end| end());
        self.serving.take().map_or(0, |serving| serving.join().expect("it has not panicked"))
    }
}

/// A stream of where a game stands.
struct Stream(BufReader<TcpStream>);

impl Stream {
    /// The next document that is so.
    fn until(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).expect("it comes") > 0, "the stream has ended");
            if let Some(document) = line.strip_prefix("data: ") {
                let shown: Value = serde_json::from_str(document).expect("it is JSON");
                if is_so(&shown) {
                    return shown;
                }
            }
        }
    }
}

fn builtin(name: &str) -> PathBuf {
    format!("builtin:{name}").into()
}

/// A bot of the zoo in a file of its own.
fn specimen(name: &str, place: &Path) -> PathBuf {
    let file = place.join(format!("{name}.wasm"));
    std::fs::write(&file, zoo(name)).expect("there is room");
    file
}

#[test]
fn a_person_plays_a_game_to_its_end_reads_its_replay_and_plays_again() {
    let page = Page::open(&builtin("random"));
    let (status, html) = page.send("GET", &page.path, "", "");
    assert!(status == 200 && html.contains("play.js"), "{status}: {html}");
    for asset in ["play.js", "play.css", "board.svg", "style.css"] {
        assert_eq!(page.send("GET", &format!("/play/{asset}"), "", "").0, 200, "{asset}");
    }
    let replay = format!("{}1.html", page.path);
    assert_eq!(page.send("GET", &replay, "", "").0, 404, "the game goes on");
    let mut stream = page.follow();
    let shown = page.play_out(&mut stream);
    assert!(shown["phase"] == "over" && shown["won"].is_boolean(), "{shown}");
    assert_eq!(shown["names"], json!(["ann", "builtin:random"]));
    let (status, html) = page.send("GET", &replay, "", "");
    assert!(status == 200 && html.contains("id=\"replay-data\""), "{status}: {html}");
    assert!(!html.contains("href=\"../bots/"), "it has no links to a contest");
    assert_eq!(page.post("again", &Value::Null).0, 204);
    assert_eq!(page.post("again", &Value::Null).0, 409, "a game goes on");
    let shown = page.follow().until(|shown| shown["phase"] == "placing");
    assert_eq!(shown["seat"], 2, "seats change");
    assert_eq!(page.send("GET", &replay, "", "").0, 200, "the replay stays");
    assert_eq!(page.end(), 1);
}

#[test]
fn a_person_sees_no_ship_of_the_bot_before_the_end_and_all_after_it() {
    let page = Page::open(&builtin("random"));
    let mut stream = page.follow();
    let has_ship = |shown: &Value, board: usize| {
        let cells = shown["boards"][board].as_array().expect("it is a board");
        cells.iter().any(|cell| cell[1].as_str().is_some_and(|look| look.contains("ship")))
    };
    let shown = page.place(&mut stream);
    assert!(has_ship(&shown, 0) && !has_ship(&shown, 1), "{shown}");
    assert!(!shown.to_string().contains("seed"), "{shown}");
    let (status, _) = page.decide(&shown["position"], json!("resign"));
    assert_eq!(status, 204);
    let shown = stream.until(|shown| shown["phase"] == "over");
    assert!(has_ship(&shown, 1) && shown["won"] == false, "{shown}");
    page.end();
}

#[test]
fn a_wrong_decision_is_answered_with_a_sentence_and_changes_nothing() {
    let page = Page::open(&builtin("random"));
    let mut stream = page.follow();
    let shown = stream.until(|shown| shown["phase"] == "placing");
    let refuses = |position: &Value, decision: Value, status: u16, words: &str| {
        let (answered, text) = page.decide(position, decision);
        assert!(answered == status && text.contains(words), "{answered}: {text}");
    };
    let position = &shown["position"];
    refuses(position, json!({ "ships": [[0, 0, "E"]] }), 422, "10");
    refuses(position, json!({ "action": "a0" }), 409, "gone on");
    refuses(position, json!({ "ships": vec![json!([0, 0, "E"]); 10] }), 422, ".");
    // Its stream begins with the question again.
    let mut stream = page.follow();
    let shown = page.place(&mut stream);
    let position = &shown["position"];
    refuses(position, json!({ "action": "z99" }), 422, "There is no column z");
    refuses(position, json!({ "action": "" }), 422, "Type a spot");
    refuses(position, json!({ "ships": [] }), 409, "gone on");
    assert_eq!(page.decide(position, json!({ "action": "a0" })).0, 204);
    // A second window still shows the position before.
    refuses(position, json!({ "action": "a1" }), 409, "gone on");
    let shown = stream.until(|shown| shown["phase"] == "turn" && shown["position"] != *position);
    refuses(&shown["position"], json!({ "action": "a0" }), 422, "You have shot a0 already");
    for (body, status) in [("", 400), ("{", 400), ("[]", 400), (&*"x".repeat(100_000), 413)] {
        let (answered, text) = page.send("POST", &format!("{}decide", page.path), "", body);
        assert!(answered == status && text.contains("error"), "{answered}: {text}");
    }
    assert_eq!(page.decide(&shown["position"], json!({ "action": "a1" })).0, 204, "the game goes on");
    page.end();
}

#[test]
fn a_flood_of_requests_does_not_stop_a_game() {
    let page = Page::open(&builtin("random"));
    let mut stream = page.follow();
    let shown = page.place(&mut stream);
    let open: Vec<TcpStream> = (0..60).map(|_| TcpStream::connect(&page.host).expect("it listens")).collect();
    for _ in 0..200 {
        assert_eq!(page.decide(&json!(0), json!("resign")).0, 409);
    }
    assert_eq!(page.decide(&shown["position"], json!({ "action": "e5" })).0, 204);
    stream.until(|next| next["position"] != shown["position"] && next["phase"] == "turn");
    drop(open);
    page.end();
}

#[test]
fn another_site_and_a_wrong_secret_get_nothing() {
    let page = Page::open(&builtin("random"));
    let decide = format!("{}decide", page.path);
    for (headers, status) in [
        ("Sec-Fetch-Site: cross-site\r\n", 403),
        ("Sec-Fetch-Site: same-site\r\n", 403),
        ("Origin: http://evil.example\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Host: evil.example\r\n", 421),
        ("Host: 127.0.0.1.evil.example:80\r\n", 421),
    ] {
        for what in ["decide", "ships", "again"] {
            let answered = page.send("POST", &format!("{}{what}", page.path), headers, "{}").0;
            assert_eq!(answered, status, "{what}: {headers}");
        }
    }
    assert_eq!(page.send("GET", &page.path, "Host: evil.example\r\n", "").0, 421);
    let secret = page.path.split('/').nth(2).expect("it is there");
    let forged: String = secret.chars().rev().collect();
    for (method, what) in
        [("GET", ""), ("GET", "events"), ("GET", "1.html"), ("POST", "decide"), ("POST", "again")]
    {
        let (status, _) = page.send(method, &format!("/play/{forged}/{what}"), "", "{}");
        assert_eq!(status, 404, "{method} {what}");
    }
    assert_eq!(page.send("GET", "/", "", "").0, 404);
    let (_, html) = page.send("GET", &page.path, "", "");
    assert!(!html.contains("<script>") && !html.contains("style="), "{html}");
    assert_eq!(page.send("POST", &decide, "Sec-Fetch-Site: same-origin\r\n", "{}").0, 400, "it is read");
    page.end();
}

#[test]
fn a_reader_that_reads_nothing_holds_up_no_game_and_then_gets_its_end() {
    let page = Page::open(&builtin("random"));
    let mut slow = page.follow();
    page.play_out(&mut page.follow());
    slow.until(|shown| shown["phase"] == "over");
    page.end();
}

#[test]
fn a_fifth_window_is_refused_until_another_one_is_closed() {
    let page = Page::open(&builtin("random"));
    let mut windows: Vec<Stream> = (0..4).map(|_| page.follow()).collect();
    windows.iter_mut().for_each(|window| _ = window.until(|_| true));
    let events = format!("{}events", page.path);
    assert_eq!(page.send("GET", &events, "", "").0, 503);
    windows.clear();
    wait_for(|| {
        let mut line = String::new();
        page.follow().0.read_line(&mut line).expect("it comes");
        line.contains(" 200 ").then_some(())
    })
    .expect("the place of a closed window is free");
    page.end();
}

#[test]
fn a_bot_that_fails_in_the_game_loses_and_the_person_is_told() {
    let place = tempfile::tempdir().expect("there is room");
    for name in ["loops-in-deploy", "illegal-fleet", "exits"] {
        let page = Page::open(&specimen(name, place.path()));
        let mut stream = page.follow();
        let shown = stream.until(|shown| shown["phase"] == "placing");
        let (_, ships) = page.post("ships", &Value::Null);
        let ships: Value = serde_json::from_str(&ships).expect("it is JSON");
        assert_eq!(page.decide(&shown["position"], json!({ "ships": ships })).0, 204);
        let mut shown = stream.until(|shown| shown["phase"] == "turn" || shown["phase"] == "over");
        if shown["phase"] == "turn" {
            assert_eq!(page.decide(&shown["position"], json!({ "action": "a0" })).0, 204);
            shown = stream.until(|next| next["position"] != shown["position"] && next["phase"] != "waiting");
        }
        let said = shown["said"].to_string();
        assert!(said.contains(name), "{name}: {said}");
        page.end();
    }
}

/// A visitor at an address.
fn visitor(number: u8) -> IpAddr {
    Ipv4Addr::new(10, 0, number, 1).into()
}

fn until_idle(rooms: &Rooms) {
    wait_for(|| (rooms.playing() == 0).then_some(())).expect("its time is over");
}

#[test]
fn a_game_that_a_visitor_has_left_ends_by_its_time_and_makes_room() {
    let rooms = Rooms::of_visitors(1).with_turn_time(Duration::from_millis(200));
    let opponent = opponent(&builtin("random"));
    rooms.begin(opponent.clone(), visitor(1)).expect("there is room");
    assert_eq!(rooms.begin(opponent.clone(), visitor(2)), Err(NoGame::Full));
    until_idle(&rooms);
    rooms.begin(opponent, visitor(2)).expect("there is room again");
}

#[test]
fn a_visitor_has_a_quarter_of_the_games_at_a_time_and_others_have_theirs() {
    let rooms = Arc::new(Rooms::of_visitors(8));
    let opponent = opponent(&builtin("random"));
    let begin = |number| rooms.begin(opponent.clone(), visitor(number)).map(drop);
    assert_eq!([1, 1, 1].map(begin), [Ok(()), Ok(()), Err(NoGame::ClientFull)]);
    assert_eq!([2, 2, 3, 3, 4, 4, 5].map(begin)[5..], [Ok(()), Err(NoGame::Full)]);
    assert_eq!(rooms.playing(), 8);
    rooms.end();
    until_idle(&rooms);
}

#[test]
fn a_visitor_begins_sixty_games_in_an_hour() {
    let rooms = Rooms::of_visitors(1).with_turn_time(Duration::ZERO);
    let opponent = opponent(&builtin("random"));
    for _ in 0..60 {
        rooms.begin(opponent.clone(), visitor(1)).expect("there is room");
        until_idle(&rooms);
    }
    assert_eq!(rooms.begin(opponent.clone(), visitor(1)), Err(NoGame::ClientHour));
    rooms.begin(opponent, visitor(2)).expect("another one may");
}
