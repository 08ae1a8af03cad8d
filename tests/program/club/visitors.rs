//! Visitors of a club, who play against its bots in a browser, while games of the season go on.

use super::{Served, club, until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::thread;

/// The visitors at a time. Chosen: as many as a small machine has memory for, besides its other tests.
const VISITORS: usize = 12;

/// A visitor's game.
struct Visit<'a> {
    served: &'a Served<'a>,
    /// The path of the game, with a slash at its end.
    path: String,
    stream: BufReader<TcpStream>,
}

impl<'a> Visit<'a> {
    /// Begins a game against the bot with this page, as the visitor of this number. Each comes from an address of its own, as a proxy says.
    fn begin(served: &'a Served<'a>, bot: &str, visitor: usize) -> Self {
        let request = format!(
            "POST {bot} HTTP/1.1\r\nHost: club\r\nX-Forwarded-For: 10.0.{visitor}.1\r\nContent-Length: 0\r\n\r\n"
        );
        let head = served.send(request.as_bytes()).expect(303).head;
        let place =
            head.lines().find_map(|line| line.strip_prefix("location: ../")).expect("it leads to the game");
        let path = format!("/play/{place}");
        let mut stream = served.connect();
        write!(stream, "GET {path}events HTTP/1.1\r\nHost: club\r\n\r\n").expect("it is read");
        Self { served, path, stream: BufReader::new(stream) }
    }

    /// The next document of the stream that is so.
    fn until(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.stream.read_line(&mut line).expect("it is open") > 0, "it has ended");
            let document =
                line.strip_prefix("data: ").map(|text| serde_json::from_str(text).expect("it is JSON"));
            if let Some(shown) = document.filter(&is_so) {
                return shown;
            }
        }
    }

    fn post(&self, what: &str, body: &Value) -> (String, String) {
        let body = body.to_string();
        let (path, length) = (&self.path, body.len());
        let request =
            format!("POST {path}{what} HTTP/1.1\r\nHost: club\r\nContent-Length: {length}\r\n\r\n{body}");
        let answer = self.served.send(request.as_bytes());
        (answer.head, answer.body)
    }

    /// Plays to the end: shoots at all cells in order.
    fn play(mut self, columns: u8) {
        let mut shown = self.until(|shown| shown["phase"] == "placing");
        let ships: Value = serde_json::from_str(&self.post("ships", &Value::Null).1).expect("it is JSON");
        let decide = |it: &Self, shown: &Value, decision: Value| {
            let (head, body) =
                it.post("decide", &json!({ "position": shown["position"], "decision": decision }));
            assert!(head.starts_with("HTTP/1.1 204 "), "{head}{body}");
        };
        decide(&self, &shown, json!({ "ships": ships }));
        shown = self.until(|shown| shown["phase"] == "turn");
        for cell in 0.. {
            let name = format!("{}{}", char::from(b'a' + cell % columns), cell / columns);
            decide(&self, &shown, json!({ "action": name }));
            shown = self.until(|next| next["position"] != shown["position"] && next["phase"] != "waiting");
            if shown["phase"] == "over" {
                break;
            }
        }
        let replay = self.served.get(&format!("{}1.html", self.path)).expect(200);
        assert!(replay.body.contains("replay-data"), "{}", replay.body);
    }
}

#[test]
fn visitors_play_at_the_same_time_while_the_season_goes_on_and_leave_no_trace_in_it() {
    let place = club();
    let served = Served::start(
        &place,
        &format!("--rules small.toml --games 200 --visitors {VISITORS} --behind-proxy"),
    );
    served.submit("hunter.wasm", "ann").expect_code(0);
    served.submit("random.wasm", "ben").expect_code(0);
    let page = served.wait_for_page("/bots/1.html", "Play this bot");
    let (_, rest) = page.split_once("href=\"../play/bot/").expect("it has the link");
    let bot = format!("/play/bot/{}", rest.split('"').next().expect("it ends"));
    assert!(served.get(&bot).expect(200).body.contains("Begin a game"));
    let columns = 6;
    thread::scope(|scope| {
        for visitor in 0..VISITORS {
            let (served, bot) = (&served, &bot);
            scope.spawn(move || Visit::begin(served, bot, visitor).play(columns));
        }
    });
    served.wait_for_games("ann", 200);
    let standings = served.get("/api/v1/standings").expect(200).body;
    assert!(!standings.contains("visitor"), "{standings}");
    // A game that a visitor is in ends with the club.
    drop(Visit::begin(&served, &bot, 1));
    served.interrupt();
    let rows = place.arena("games club/season.db").expect_code(0).stdout;
    assert!(!rows.contains("visitor"), "{rows}");
}

#[test]
fn a_club_lets_nobody_play_unless_its_organiser_wants_that() {
    let place = club();
    let served = Served::start(&place, "--games 2");
    served.submit("hunter.wasm", "ann").expect_code(0);
    served.submit("random.wasm", "ben").expect_code(0);
    let page = served.wait_for_page("/bots/1.html", "SHA-256");
    assert!(!page.contains("Play this bot"), "{page}");
    served.get("/play/bot/00").expect(404);
    served.get("/play/play.js").expect(404);
    let served = {
        drop(served);
        Served::start(&place, "--games 2 --visitors 1")
    };
    served.get("/play/play.js").expect(200);
    served.get("/play/bot/00").expect(404);
    assert!(until(|| served.get("/bots/1.html").body.contains("Play this bot")));
    let sha = served.latest("ann")["sha256"].as_str().expect("it is there").to_owned();
    let begin = |headers: &str| {
        let head =
            format!("POST /play/bot/{sha} HTTP/1.1\r\nHost: club\r\n{headers}Content-Length: 0\r\n\r\n");
        served.send(head.as_bytes())
    };
    begin("Sec-Fetch-Site: cross-site\r\n").expect(403);
    begin("").expect(303);
    let full = begin("").expect(503);
    assert!(full.body.contains("All boards are taken"), "{}", full.body);
}
