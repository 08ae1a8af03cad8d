//! `arena watch --web`: games that are watched in a browser as they are played.

use crate::support::{Place, signal};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// Gets something from this machine, under the name of a host. Returns the whole answer.
fn get(address: &str, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("it is taken");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    answer
}

#[test]
fn a_series_is_watched_in_a_browser_until_ctrl_c() {
    let place = Place::empty();
    for bots in ["builtin:hunter builtin:random", "builtin:sub-random builtin:sub-tracker"] {
        let mut child = place.start(&format!("watch {bots} --web --games 3 --seed 1"));
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("it prints an address");
        let (host, path) = address.split_once('/').expect("it has a secret");
        let path = format!("/{path}");
        assert!(get(host, &path, "evil.example").starts_with("HTTP/1.1 421 "));
        assert!(get(host, "/watch/secret/", host).starts_with("HTTP/1.1 404 "));
        for number in 1..=2 {
            // The second one begins with its page.
            let page = get(host, &format!("{path}{number}.html"), host);
            assert!(
                page.starts_with("HTTP/1.1 200 ") && page.contains(&format!("Game {number} of 3")),
                "{page}"
            );
            assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
            let stream = get(host, &format!("{path}events/{number}"), host);
            assert!(stream.contains("event: over") && stream.matches("data: {").count() > 10, "{stream}");
            assert!(stream.contains(" wins"), "{stream}");
        }
        signal(&child, "INT");
        let rest = std::io::read_to_string(stdout).unwrap();
        let told = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{told}");
        assert!(rest.contains("left after 2 of 3 games") && rest.ends_with("seed 1\n"), "{rest}");
        assert_eq!(rest.lines().filter(|line| line.contains("builtin:")).count(), 2, "{rest}");
    }
    place.arena("watch builtin:hunter builtin:random --web --boards 2").expect_code(2);
}
