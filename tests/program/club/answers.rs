//! What a club answers, and what a command prints of an answer.

use super::{Served, club};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

#[test]
fn no_path_leads_to_a_file_that_is_not_a_page() {
    let place = club();
    let served = Served::start(&place, "--games 20");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    let sha256 = served.submit("hunter.wasm", "ben").expect_code(0).json()["sha256"].clone();
    served.wait_for_page("/", "ben");
    let kept = format!("/bots/{}.wasm", sha256.as_str().expect("it is a text"));
    for path in [
        "/club.db",
        "/season.db.seed",
        "/../club.db",
        "/%2e%2e/club.db",
        "/bots/../../club.db",
        "//etc/passwd",
        "/games/../../season.db.seed",
        "/.arena-report-index",
        "/.arena-report",
        "/lock",
        &kept,
    ] {
        served.get(path).expect(404);
    }
    for path in ["/", "/index.html", "/style.css", "/bots/1.html", "/games/1.html", "/downloads/journal.db"] {
        let page = served.get(path).expect(200);
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "frame-ancestors 'none'",
            "script-src 'self'",
        ] {
            assert!(page.head.contains(header), "{path}: {}", page.head);
        }
        let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("it has a tag");
        let again = format!("GET {path} HTTP/1.1\r\nIf-None-Match: {tag}\r\n\r\n");
        assert_eq!(served.send(again.as_bytes()).expect(304).body, "");
    }
    assert_eq!(served.send(b"HEAD / HTTP/1.1\r\n\r\n").expect(200).body, "");
    served.send(b"DELETE / HTTP/1.1\r\n\r\n").expect(405);
    served.send(b"PUT /submit HTTP/1.1\r\n\r\n").expect(405);
    served.send(b"\x16\x03\x01\x02\x00\x01\x00\n\n").expect(400);
}

#[test]
fn what_a_server_answers_is_printed_as_plain_text_or_not_at_all() {
    let place = club();
    let answer = |text: &'static str| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has an address");
        let answering = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("it is asked");
            let mut request = [0; 4096];
            let read = stream.read(&mut request).expect("it is asked");
            stream.write_all(text.as_bytes()).expect("it is read");
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        let run = place.arena(&format!("mine --to http://{address} --token-file ann"));
        assert!(answering.join().expect("it answers").contains("GET /mine HTTP/1.1\r\n"));
        run
    };
    let complaint =
        answer("HTTP/1.1 403 No\r\n\r\n{\"error\":\"\\u001b[31mred\\u202e\",\"next\":\"do\\nthis\"}");
    assert_eq!(complaint.expect_code(2).stderr, "arena: the club: red\n  next: do this\n");
    let finding = answer(
        "HTTP/1.1 200 OK\r\n\r\n[{\"id\":1,\"version\":1,\"sha256\":\"\\u001b]0;x\\u0007\",\"size-bytes\":1,\
         \"submitted-at\":\"\\u202e\",\"state\":\"refused\",\"published\":false,\"finding\":\"\\u001b[2J\",\"standing\":null,\"awaits-games\":false,\
         \"change\":null,\"lost\":[{\"number\":1,\"opponent\":\"\\u001b[31m\",\"why\":\"\\u0007\",\"address\":\"\\u202e\"}],\
         \"challenges\":[{\"id\":1,\"asked\":true,\"opponent\":\"\\u001b[2J\",\"opponent-version\":1,\"asked-at\":\"\\u202e\",\
         \"progress\":\"played\",\"games\":[]}],\"next\":\"do\\nthis\"}]",
    );
    let listed = finding.expect_code(0).stdout;
    assert!(!listed.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{listed:?}");
    assert!(listed.ends_with("\n  next: do this\n"), "{listed}");
    for text in [
        "HTTP/1.1 200 OK\r\n\r\n<html>",
        "HTTP/1.1 301 Moved\r\nLocation: http://example.org\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n{\"id\":1}",
    ] {
        let other = answer(text).expect_code(2);
        assert!(other.stderr.contains("and not as a club"), "{}", other.stderr);
    }
    for text in ["", "220 mail.example.org ESMTP\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]"] {
        let failed = answer(text).expect_code(1);
        assert!(failed.stderr.contains("the club cannot be reached"), "{}", failed.stderr);
    }
}
