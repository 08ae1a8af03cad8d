//! Pages that are kept up to date, and addresses that stay.

use super::{PAUSE, Served, Session, club, until};
use crate::support::Place;
use arena_testkit::wait_with_pauses;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// The most streams at a time, and of a client.
const STREAMS_MAX: usize = 64;
const CLIENT_STREAMS_MAX: usize = 16;

/// A stream of events.
struct Events(BufReader<TcpStream>);

impl Events {
    fn open(served: &Served<'_>, headers: &str) -> Self {
        let mut stream = served.connect();
        stream
            .write_all(format!("GET /events HTTP/1.1\r\nHost: club\r\n{headers}\r\n").as_bytes())
            .expect("it is read");
        Self(BufReader::new(stream))
    }

    /// Reads up to a line that begins so, and returns the rest of that line.
    fn wait_for(&mut self, beginning: &str) -> String {
        let mut before = String::new();
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line).expect("it is open");
            assert!(read > 0, "it has ended without {beginning}: {before}");
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.trim_end().to_owned();
            }
            before += &line;
        }
    }

    /// The status of the answer.
    fn status(&mut self) -> String {
        self.wait_for("HTTP/1.1 ").chars().take(3).collect()
    }
}

#[test]
fn a_stream_reports_new_pages_and_ends_with_the_club() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    let mut events = Events::open(&served, "");
    assert_eq!(events.status(), "200");
    assert_eq!(events.wait_for("content-type: "), "text/event-stream");
    // The first report is about the pages that are there, even if there are none.
    assert_eq!(events.wait_for("data: "), "0");
    for page in ["/", "/season.html", "/projector.html"] {
        let waiting = served.get(page).expect(200).body;
        assert!(
            waiting.contains("No game has been played yet") && waiting.contains("live.js"),
            "{page}: {waiting}"
        );
    }
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    assert_eq!(events.wait_for("event: "), "pages");
    let id = events.wait_for("id: ");
    assert!(served.get("/").expect(200).body.contains("ben"), "the pages are there when they are reported");
    // A browser that comes back is told only what it does not know.
    let mut again = Events::open(&served, &format!("Last-Event-ID: {id}\r\n"));
    let mut elsewhere = Events::open(&served, "Last-Event-ID: 0-1\r\n");
    assert_eq!(elsewhere.wait_for("event: "), "pages");
    served.submit("random.wasm", "ann").expect_code(0);
    let next = again.wait_for("id: ");
    assert_ne!(next, id);
    events.wait_for("id: ");

    // The streams do not hold it up.
    served.interrupt();
    let mut rest = Vec::new();
    let _ = events.0.read_to_end(&mut rest);
}

#[test]
fn streams_leave_room_for_others() {
    let place = club();
    let served = Served::start(&place, "--behind-proxy");
    let client = |number: usize| format!("X-Forwarded-For: 10.0.0.{number}\r\n");
    let open = |number| Events::open(&served, &client(number));
    let mut streams = Vec::new();
    for number in 1..=STREAMS_MAX / CLIENT_STREAMS_MAX {
        streams.extend((0..CLIENT_STREAMS_MAX).map(|_| open(number)));
        for stream in streams.iter_mut().rev().take(CLIENT_STREAMS_MAX) {
            assert_eq!(stream.status(), "200", "client {number}");
        }
        // One client has its part, and others have theirs.
        assert_eq!(open(number).status(), "503", "client {number}");
    }
    let full = served.send(format!("GET /events HTTP/1.1\r\n{}\r\n", client(9)).as_bytes()).expect(503);
    assert!(full.head.contains("retry-after: 10") && full.body.contains("64 pages"), "{}", full.body);
    served.get("/").expect(200);
    // The place of a page that was closed is free again.
    streams.pop();
    assert!(until(|| open(9).status() == "200"), "no place is free");
}

/// The page to which an address leads.
pub(super) fn page_of(served: &Served<'_>, address: &str) -> String {
    // The pages are there a moment before their addresses.
    until(|| served.get(address).head.starts_with("HTTP/1.1 302 "));
    let answer = served.get(address).expect(302);
    let to =
        answer.head.lines().find_map(|line| line.strip_prefix("location: ")).expect("it leads somewhere");
    let path = to.trim_start_matches("../");
    assert_eq!(to.matches("../").count(), address.matches('/').count() - 1, "{address}: {to}");
    format!("/{path}")
}

/// The data of a replay.
pub(super) fn data_of(page: &str) -> &str {
    let (_, data) = page.split_once("id=\"replay-data\">").unwrap_or_else(|| panic!("no replay: {page}"));
    data.split("</script>").next().expect("it ends")
}

#[test]
fn an_address_that_was_shared_works_after_many_more_games_and_versions() {
    let place = club();
    let served = Served::start(&place, "--games 24 --rules small.toml");
    let sha256 = served.submit("sweeper.wasm", "ann").expect_code(0).json()["sha256"].clone();
    let sha256 = sha256.as_str().expect("it is a text");
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 24);
    served.wait_for_page("/", "all 24 games played");
    let version = page_of(&served, &format!("/version/{sha256}"));
    assert!(served.get(&version).expect(200).body.contains(sha256));
    assert_eq!(page_of(&served, "/bot/ann"), version, "it is the only one");
    // What each replay shows, by the address that its page names.
    let games: Vec<(String, String)> = (1..=24)
        .map(|number| {
            let page = served.get(&format!("/games/{number}.html")).expect(200).body;
            let (_, rest) = page.split_once("href=\"../game/").expect("it names an address that stays");
            let address = format!("/game/{}", rest.split('"').next().expect("it ends"));
            assert_eq!(page_of(&served, &address), format!("/games/{number}.html"));
            (address, data_of(&page).to_owned())
        })
        .collect();
    served.interrupt();

    // Later: another version of the same author, and so many games that some have no replay in the pages any more. 200 of 324 have one, by
    // their length, which is chance: that all of the first 24 are among them happens once in 100,000 times.
    let later = "--games 300";
    let served = Served::start(&place, later);
    served.submit("random.wasm", "ann").expect_code(0);
    served.wait_for_games("ann", 300);
    // The folder is replaced by the next one.
    let site = place.path("club/site");
    let is_gone = |number: &usize| {
        site.join("index.html").exists() && !site.join(format!("games/{number}.html")).exists()
    };
    let gone = wait_with_pauses(PAUSE, || (1..=24).find(is_gone)).expect("a replay that is not in the pages");
    let (address, data) = &games[gone - 1];
    assert_eq!(data_of(&served.get(&page_of(&served, address)).expect(200).body), data);
    served.kill();

    let served = Served::start(&place, later);
    let is_early = || served.get("/bot/ann").head.starts_with("HTTP/1.1 503");
    if !until(|| !is_early()) {
        panic!("the pages are not written: {}", served.interrupt());
    }
    // Each one that has to be made takes its time.
    for (address, data) in games.iter().step_by(6) {
        let page = page_of(&served, address);
        let again = served.get(&page).expect(200).body;
        assert!(data_of(&again) == data, "{address} shows another game");
        let picture = served.get(&page.replace(".html", ".gif")).expect(200);
        assert!(picture.head.contains("content-type: image/gif"), "{}", picture.head);
    }
    assert!(served.get(&page_of(&served, &format!("/version/{sha256}"))).expect(200).body.contains(sha256));
    assert!(page_of(&served, "/bot/ann").starts_with("/labels/"), "it has two versions");
    for wrong in [
        "/bot/eve",
        "/bot/ann@1",
        "/bot/..%2f..%2fclub.db",
        "/version/0",
        "/version/..",
        "/game/1/1/9999999",
        "/game/2/1/1",
        "/game/1/99/1",
        "/game/1/1/x",
        "/game/1/-1/1",
        "/games/9999999.html",
        "/games/01.html",
        "/games/9999999.gif",
    ] {
        served.get(wrong).expect(404);
    }
}

/// Functions that print these texts in each turn, a line each. They are those of a bot that plays well.
fn printing(lines: &[&str]) -> String {
    let text =
        lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).map(|byte| format!("\\{byte:02x}"));
    let text: String = text.collect();
    format!(
        r#"(import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush" (func $write (param i32 i32 i32 i32)))
        (import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-stream (param i32)))
        (data (i32.const 2048) "{text}")
        (func $play (param $args i32) (result i32) (local $stream i32)
            (local.set $stream (call $stdout))
            (call $write (local.get $stream) (i32.const 2048) (i32.const {}) (i32.const 16))
            (call $drop-stream (local.get $stream))
            (call $sweep (local.get $args)))"#,
        text.len() / 3
    )
}

/// The pages that a club has besides those of a report.
const PAGES: [&str; 2] = ["/season.html", "/projector.html"];

#[test]
fn hostile_names_and_logs_are_text_on_all_pages_of_a_club() {
    let place: Place = club();
    let hostile = [
        "</script><script>alert(1)</script>",
        "</pre></details><img src=x onerror=alert(1)>",
        "\"><svg onload=alert(1)>",
        "\u{202e}txet \u{1b}[31mred\u{7}",
        "<!-- <meta http-equiv=refresh content=0>",
    ];
    let bot = arena_testkit::component(&printing(&hostile)).expect("it is a component");
    place.write("printing.wasm", bot);
    let served = Served::start(&place, "--games 4 --title <script>alert(1)</script>");
    served.submit("printing.wasm", "ann").expect_code(0);
    served.submit("escape-name.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 4);
    served.wait_for_page("/", "ben");
    let [ann, ben] = ["ann", "ben"].map(|author| Session::of(&served, author));
    assert!(served.get("/season.html").expect(200).body.contains("href=\"heads.txt\""));
    served.get("/heads.txt").expect(200);
    let pages = ["/", "/bots/1.html", "/bots/2.html", "/games/1.html"].into_iter().chain(PAGES);
    let mut shown: Vec<(String, String)> =
        pages.map(|path| (path.to_owned(), served.get(path).expect(200).body)).collect();
    for path in ["", "1.html", "2.html"] {
        shown.push((format!("/me/{path} of ann"), ann.get(path).expect(200).body));
        shown.push((format!("/me/{path} of ben"), ben.get(path).expect(200).body));
    }
    for (path, page) in shown {
        for forbidden in
            ["<script>alert", "<img src=x", "<svg onload", "<!-- <meta", "\u{202e}", "\u{1b}", "\u{7}"]
        {
            assert!(!page.contains(forbidden), "{path}: {forbidden:?}");
        }
    }
    let replay = ann.get("1.html").expect(200).body;
    assert!(data_of(&replay).contains("\\u003c/script>\\u003cscript>alert(1)"), "it is there as text");
    let log = ann.get("1.txt").expect(200);
    assert!(
        log.body.contains("</script>") && !log.body.contains(['\u{1b}', '\u{202e}', '\u{7}']),
        "{}",
        log.body
    );
    for header in
        ["content-type: text/plain; charset=utf-8", "x-content-type-options: nosniff", "default-src 'none'"]
    {
        assert!(log.head.contains(header), "{}", log.head);
    }
    // Links of a season that is over lead to what the club has once.
    for (path, to) in [
        ("heads.txt", "../../heads.txt"),
        ("me/", "../../../me/"),
        ("version/ab", "../../../version/ab"),
        ("game/1/2/3", "../../../../../game/1/2/3"),
    ] {
        let answer = served.get(&format!("/seasons/1/{path}")).expect(302);
        assert!(answer.head.contains(&format!("location: {to}\r\n")), "{path}: {}", answer.head);
    }
    served.get("/seasons/1/me/%0d%0aX:y").expect(404);
    // A path or a number is no way to another file.
    let secret = fs::read_to_string(place.path("club/season.db.seed")).expect("it is there");
    for path in ["..%2f..%2fseason.db.seed", "..%2fseason.db.txt", "1.txt%00", "%2e%2e%2f1.log"] {
        let answer = ann.get(path);
        assert!(!answer.head.starts_with("HTTP/1.1 200") && !answer.body.contains(secret.trim()), "{path}");
    }
}
