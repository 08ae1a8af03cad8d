//! Whose bot a club judges next.

use super::{Served, club, token, upload};
use crate::processes::children;
use crate::support::{command, signal_to};
use arena_testkit::wait_for;
use std::fs;
use std::io::Write;
use std::net::TcpStream;

/// Sends a bot, and waits until it is a version. Returns the connection on which the verdict comes.
fn send(served: &Served<'_>, author: &str, bot: &[u8]) -> TcpStream {
    let versions = || served.author("mine -o json", author).expect_code(0).json().as_array().map(Vec::len);
    let before = versions();
    let head = upload(&token(served.place, author), &format!("Content-Length: {}", bot.len()));
    let mut stream = served.connect();
    stream.write_all(&[head.as_bytes(), bot].concat()).expect("it is read");
    wait_for(|| (versions() > before).then_some(())).expect("it is taken");
    stream
}

/// The author and the version of the next bot that is judged.
fn next(served: &mut Served<'_>) -> (String, String) {
    let line = served.said_with("judging begins");
    let value = |name: &str| {
        let value = line.split_once(name).and_then(|(_, rest)| rest.split_whitespace().next());
        value.unwrap_or_else(|| panic!("no {name} in {line}")).to_owned()
    };
    (value("author="), value("version="))
}

#[test]
fn an_author_whose_bots_take_long_waits_for_others_and_only_the_newest_bot_waits() {
    let place = club();
    // In a cache of its own, so that the first bot is compiled here.
    let args = ["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--jobs", "1"];
    let mut serve = command(place.folder(), &args);
    let mut served = Served::of(&place, serve.env("XDG_CACHE_HOME", place.path("cache")));
    let sweeper = fs::read(place.path("sweeper.wasm")).expect("it is there");
    let pair = |author: &str, version: &str| (author.to_owned(), version.to_owned());
    // It is held until the other uploads are there.
    let _large = send(&served, "ann", &arena_testkit::giant(250));
    assert_eq!(next(&mut served), pair("ann", "1"));
    let compiler = wait_for(|| children(&served.child).pop()).expect("it is compiled");
    signal_to(compiler, "STOP");
    let _replaced = send(&served, "ann", &fs::read(place.path("random.wasm")).expect("it is there"));
    let _newest = send(&served, "ann", &fs::read(place.path("hunter.wasm")).expect("it is there"));
    let _quick = send(&served, "ben", &sweeper);
    signal_to(compiler, "CONT");
    let charged = served.said_with("charged");
    let milliseconds = charged.split_once("milliseconds=").and_then(|(_, rest)| rest.split(' ').next());
    let milliseconds: u32 = milliseconds.and_then(|it| it.parse().ok()).expect("it says how much");
    assert!(charged.contains("author=ann version=1") && milliseconds >= 500, "{charged}");
    assert_eq!(next(&mut served), pair("ben", "1"), "ann has used more");
    assert_eq!(next(&mut served), pair("ann", "3"), "the newest of hers");

    let replaced = served.author("mine -o json", "ann").expect_code(0).json()[1].clone();
    assert_eq!((&replaced["version"], &replaced["state"]), (&2.into(), &"replaced".into()));
    let finding = replaced["finding"].as_str().expect("it is a text");
    assert!(finding.starts_with("replaced: version 3 was submitted before this one was judged"), "{finding}");
    assert!(finding.contains("next: submit the same file again"), "{finding}");
    // It has not been refused, and keeps its number.
    let again = served.submit("random.wasm", "ann").expect_code(0).json();
    assert_eq!((&again["version"], &again["state"]), (&2.into(), &"plays".into()));
    assert_eq!(next(&mut served), pair("ann", "2"));
}

#[test]
fn a_bot_that_the_arena_fails_to_judge_is_not_refused_and_is_judged_again() {
    let place = club();
    let args = ["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--jobs", "1"];
    let mut serve = command(place.folder(), &args);
    let mut served = Served::of(&place, serve.env("XDG_CACHE_HOME", place.path("cache")));
    let sweeper = fs::read(place.path("sweeper.wasm")).expect("it is there");
    // While this one is compiled, the component of the next one is replaced by another one.
    let _large = send(&served, "ann", &arena_testkit::giant(250));
    next(&mut served);
    let _lost = send(&served, "ben", &sweeper);
    let sha256 = served.latest("ben")["sha256"].as_str().expect("it is a text").to_owned();
    let kept = place.path(&format!("club/bots/{sha256}.wasm"));
    fs::copy(place.path("random.wasm"), &kept).expect("it is written");
    assert_eq!(next(&mut served).0, "ben");
    served.said_with("ben, version 1: ");
    let latest =
        wait_for(|| Some(served.latest("ben")).filter(|it| it["finding"] != "")).expect("it is noted");
    assert_eq!(latest["state"], "waiting");
    let finding = latest["finding"].as_str().expect("it is a text");
    assert!(finding.starts_with("the arena has failed to judge it\n  next: it is judged again"), "{finding}");
    fs::write(&kept, sweeper).expect("it is written");
    assert_eq!(next(&mut served).0, "ben");
    wait_for(|| (served.latest("ben")["state"] == "plays").then_some(())).expect("it is admitted");
}
