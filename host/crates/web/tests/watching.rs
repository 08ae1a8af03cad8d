//! Games that are watched in a browser, over real sockets: a browser's requests are written by hand.

use arena_engine::internals::{plan, seed};
use arena_engine::{GameOptions, Roster, Sandbox, SandboxLimits};
use arena_league::match_games;
use arena_live::Feed;
use arena_players::{Runner, Watcher};
use arena_record::Header;
use arena_referee::Event;
use arena_resources::NewThread;
use arena_rules::Seat;
use arena_rules::battleship::Battleship;
use arena_testkit::wait_for;
use arena_web::WatchPage;
use serde_json::Value;
use std::any::Any;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest time that a test waits for an answer. Chosen: a machine that is a hundred times as slow as usual.
const LONG: Duration = Duration::from_secs(120);

/// A game between two built-in bots, that was played.
struct Played {
    header: Header,
    events: Vec<Event<Battleship>>,
}

/// A watcher that keeps everything.
#[derive(Default)]
struct Kept(Vec<Event<Battleship>>);

impl Watcher for Kept {
    fn begin(&mut self, _header: &Header) {}

    fn event(&mut self, event: &dyn Any) {
        self.0.push(event.downcast_ref::<Event<Battleship>>().expect("it is this game").clone());
    }
}

/// Two games between `builtin:random` and `builtin:hunter`.
fn games() -> Vec<Played> {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("there is room");
    let bots = ["builtin:random", "builtin:hunter"].map(Into::into);
    let contestants = Roster::admit(&sandbox, &bots, 1, || {}).expect("they are judged").contestants;
    let seed = seed::given_or_fresh(None).expect("there are random numbers");
    let plan = plan::plan(&GameOptions::default(), None, sandbox.engine_hash(), &contestants, seed);
    let plan = plan.expect("its rules are known");
    let runner =
        Runner { plan: &plan, contestants: &contestants, keeps_transcripts: false, keeps_journal: false };
    let play = |fixture| {
        let mut kept = Kept::default();
        runner.play(fixture, Some(&mut kept)).expect("it has a result");
        Played { header: runner.header(fixture), events: kept.0 }
    };
    match_games(0, 1, 2).map(play).collect()
}

/// The pages of a series on this machine.
struct Pages {
    host: String,
    path: String,
    feed: Feed<Battleship>,
    end: Box<dyn FnOnce() + Send>,
    serving: JoinHandle<()>,
}

impl Pages {
    fn open(first: &Header, games: u32) -> Self {
        let (page, feed) = WatchPage::open::<Battleship>(first.clone(), games).expect("there is a port");
        let address = page.address();
        let (host, path) =
            address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("it has a path");
        let end = Box::new(page.end());
        let serve = move || page.serve().expect("it is served");
        let serving = NewThread::named("page").start(serve).expect("there is a thread");
        Self { host: host.into(), path: format!("/{path}"), feed, end, serving }
    }

    fn request(&self, path: &str, headers: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("it can have a limit");
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.host) };
        write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}\r\n").expect("it is taken");
        stream
    }

    /// Gets something. Returns the status, and the whole answer.
    fn get(&self, path: &str, headers: &str) -> (u16, String) {
        let mut answer = String::new();
        self.request(path, headers).read_to_string(&mut answer).expect("it is answered");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("it has a status"), answer)
    }

    /// Follows the game of this number.
    fn follow(&self, number: u32, headers: &str) -> Stream {
        Stream(BufReader::new(self.request(&format!("{}events/{number}", self.path), headers)))
    }

    fn tell(&self, events: &[Event<Battleship>]) {
        events.iter().for_each(|event| self.feed.event(event.clone()));
    }

    fn end(self) {
        (self.end)();
        self.serving.join().expect("it has not panicked");
        assert!(!self.feed.is_watched(), "the game has nobody to wait for");
    }
}

/// The stream of a game.
struct Stream(BufReader<TcpStream>);

impl Stream {
    /// The next event with its name or number and its data; `None` when the stream has ended.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("it comes") == 0 {
                return None;
            }
            if let Some(it) = line.strip_prefix("id: ").or(line.strip_prefix("event: ")) {
                it.trim().clone_into(&mut name);
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("it is JSON")));
            }
        }
    }

    /// All events up to the end of the stream.
    fn all(mut self) -> Vec<(String, Value)> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

#[test]
fn a_game_comes_to_the_page_turn_by_turn_and_a_late_browser_gets_all_of_it() {
    let played = &games()[0];
    let pages = Pages::open(&played.header, 1);
    let (status, html) = pages.get(&format!("{}1.html", pages.path), "");
    assert!(status == 200 && html.contains("data-events=\"events/1\""), "{status}: {html}");
    assert!(!html.contains("id=\"next-game\""), "it is the only one");
    for asset in ["watch.js", "replay.js", "board.js", "board.css", "style.css", "icon.svg"] {
        assert!(html.contains(&format!("\"../{asset}\"")), "{asset}: {html}");
        assert_eq!(pages.get(&format!("/watch/{asset}"), "").0, 200, "{asset}");
    }
    let mut stream = pages.follow(1, "");
    for (number, event) in (1..).zip(&played.events) {
        pages.feed.log(Seat::First, format!("turn {number}: a thought\n").repeat(number));
        pages.tell(std::slice::from_ref(event));
        let (id, step) = stream.next().expect("it goes on");
        assert_eq!(id, number.to_string());
        assert!(step["line"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{step}");
        let is_placing = matches!(event, Event::Placed { .. });
        assert_eq!(step["frame"]["t"] == 0, is_placing, "{step}");
    }
    assert_eq!(stream.next(), Some(("over".into(), Value::from(""))));
    assert_eq!(stream.next(), None);
    let late = pages.follow(1, "").all();
    assert_eq!(late.len(), played.events.len() + 1);
    // A browser that lost the stream asks for the rest.
    let rest = pages.follow(1, "Last-Event-ID: 7\r\n").all();
    assert_eq!(rest, late[7..]);
    let beyond = pages.follow(1, "Last-Event-ID: 99999999999\r\n").all();
    assert_eq!(beyond, []);
    pages.end();
}

#[test]
fn the_next_game_begins_when_a_page_asks_for_it_and_the_one_before_stays() {
    let games = games();
    let pages = Pages::open(&games[0].header, 2);
    let page = |number: u32| format!("{}{number}.html", pages.path);
    let (status, answer) = pages.get(&pages.path, "");
    assert!(status == 303 && answer.contains("location: 1.html"), "{answer}");
    assert!(pages.get(&page(1), "").1.contains("data-address=\"2.html\""));
    assert_eq!(pages.get(&page(2), "").0, 303, "the first one is played");
    pages.tell(&games[0].events);
    pages.follow(1, "").all();
    let (feed, second) = (pages.feed.clone(), games[1].header.clone());
    let begins = NewThread::named("game").start(move || feed.begin(second)).expect("there is a thread");
    let (status, html) = pages.get(&page(2), "");
    assert!(status == 200 && html.contains("Game 2 of 2"), "{status}: {html}");
    assert!(begins.join().expect("it has not panicked"));
    pages.tell(&games[1].events);
    assert_eq!(pages.follow(2, "").all().len(), games[1].events.len() + 1);
    assert_eq!(pages.follow(1, "").all().len(), games[0].events.len() + 1, "others still watch it");
    assert!(pages.get(&pages.path, "").1.contains("location: 2.html"));
    assert_eq!([3, 0].map(|number| pages.get(&page(number), "").0), [404; 2]);
    pages.end();
}

#[test]
fn many_browsers_and_slow_ones_hold_up_no_game() {
    let played = &games()[0];
    let pages = Pages::open(&played.header, 1);
    let slow: Vec<Stream> = (0..50).map(|_| pages.follow(1, "")).collect();
    // The game waits for none of them: it is over before the first one reads.
    pages.tell(&played.events);
    let quick = pages.follow(1, "").all();
    assert_eq!(quick.len(), played.events.len() + 1);
    for stream in slow {
        assert_eq!(stream.all(), quick);
    }
    pages.end();
}

#[test]
fn another_site_and_a_wrong_secret_get_nothing() {
    let played = &games()[0];
    let pages = Pages::open(&played.header, 1);
    for host in ["evil.example", "127.0.0.1.evil.example:80", ""] {
        for path in [pages.path.clone(), format!("{}1.html", pages.path), format!("{}events/1", pages.path)] {
            assert_eq!(pages.get(&path, &format!("Host: {host}\r\n")).0, 421, "{host}: {path}");
        }
    }
    let secret = pages.path.split('/').nth(2).expect("it is there");
    let forged: String = secret.chars().rev().collect();
    for what in ["", "1.html", "events/1"] {
        assert_eq!(pages.get(&format!("/watch/{forged}/{what}"), "").0, 404, "{what}");
    }
    for what in ["1", "x.html", "-1.html", "99999999999.html"] {
        assert_eq!(pages.get(&format!("{}{what}", pages.path), "").0, 404, "{what}");
    }
    let (_, html) = pages.get(&format!("{}1.html", pages.path), "");
    assert!(!html.contains("<script>") && !html.contains("style="), "{html}");
    assert!(html.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{html}");
    pages.end();
}

#[test]
fn a_game_that_has_no_result_says_so_on_its_page() {
    let played = &games()[0];
    let pages = Pages::open(&played.header, 2);
    pages.tell(&played.events[..5]);
    let mut stream = pages.follow(1, "");
    (0..5).for_each(|_| _ = stream.next().expect("it goes on"));
    // A game that ends without another word, as when its process is gone.
    let Pages { host, path, feed, end, serving } = pages;
    drop(feed);
    let (name, sentence) = stream.next().expect("it goes on");
    assert_eq!((name.as_str(), sentence), ("over", "The game has stopped without a result.".into()));
    // No other one follows.
    wait_for(|| {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        write!(stream, "GET {path}2.html HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("it is taken");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is answered");
        answer.contains(" 404 ").then_some(())
    })
    .expect("there is no next game");
    end();
    serving.join().expect("it has not panicked");
}
