//! Uploads and requests that are large, slow, many or wrong.

use super::{FILE_BYTES, LONG, Served, club, form, read_answer, token, until, upload};
use crate::support::command;
use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn an_upload_is_limited_in_size_and_time_and_one_at_a_time() {
    let place = club();
    let served = Served::start(&place, "");
    let ann = token(&place, "ann");
    // By its length, before anything is sent.
    let large = served.send(upload(&ann, "Content-Length: 999999999999").as_bytes()).expect(413);
    assert!(large.body.contains("larger than"), "{}", large.body);
    // Without a length, as soon as it is too large: it may be endless, and is not kept.
    let mut endless = served.connect();
    endless.write_all(upload(&ann, "Transfer-Encoding: chunked").as_bytes()).expect("it is read");
    let block = [b"100000\r\n".as_slice(), &vec![7; 1 << 20], b"\r\n"].concat();
    let begun = Instant::now();
    while endless.write_all(&block).is_ok() {
        assert!(begun.elapsed() < LONG, "it has no end");
    }
    assert!(place.files("club/bots").is_empty());
    let mut large = served.connect();
    large.write_all(upload(&ann, "Transfer-Encoding: chunked").as_bytes()).expect("it is read");
    (0..65).try_for_each(|_| large.write_all(&block)).expect("it is read up to the limit");
    read_answer(large).expect(413);
    served.send(upload(&ann, "Content-Length: 0").as_bytes()).expect(400);
    served.send(upload(&ann, "").as_bytes()).expect(400);
    // With two lengths that differ, the chunks count, and no second request follows on the connection.
    for lengths in
        ["Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5"]
    {
        let both = format!("{}0\r\n\r\nGET / HTTP/1.1\r\n\r\n", upload(&ann, lengths));
        let answer = served.send(both.as_bytes()).expect(400);
        assert!(answer.head.contains("connection: close"), "{}", answer.head);
        assert!(
            answer.body.contains("no file was sent") && !answer.body.contains("HTTP/1.1"),
            "{}",
            answer.body
        );
    }
    for lengths in ["Content-Length: 5\r\nContent-Length: 6", "Content-Length: +5", "Transfer-Encoding: gzip"]
    {
        served.send(upload(&ann, lengths).as_bytes()).expect(400);
    }

    // A slow upload keeps no other author from anything, and ends.
    let begun = Instant::now();
    let slow = loop {
        let mut slow = served.connect();
        slow.write_all(upload(&ann, "Content-Length: 1000").as_bytes()).expect("it is read");
        slow.write_all(b"\0asm").expect("it is read");
        assert!(until(|| !place.files("club/bots").is_empty()), "it does not begin");
        let second = served.send(upload(&ann, "Content-Length: 4").as_bytes());
        if second.body.contains("another upload with this token is in progress") {
            second.expect(429);
            break slow;
        }
        // A machine that stood still for a time has ended the first one before the second was looked at.
        assert!(begun.elapsed() < LONG, "{}{}", second.head, second.body);
    };
    served.submit("hunter.wasm", "ben").expect_code(0);
    let ended = read_answer(slow).expect(408);
    assert!(ended.body.contains("paused for too long"), "{}", ended.body);
    // One that goes away in the middle leaves nothing, as soon as the club has noticed it.
    let mut cut = served.connect();
    cut.write_all(upload(&ann, "Content-Length: 1000").as_bytes()).expect("it is read");
    drop(cut);
    let begun = Instant::now();
    let again = loop {
        let again = served.submit("sweeper.wasm", "ann");
        if !again.stderr.contains("another upload with this token") || begun.elapsed() > LONG {
            break again;
        }
        thread::sleep(Duration::from_millis(200));
    };
    again.expect_code(0);
    assert!(place.files("club/bots").keys().all(|name| name.ends_with(".wasm")));
}

/// True if the club has neither answered nor ended a connection.
fn is_open(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("it is a socket");
    let seen = stream.peek(&mut [0]).map_err(|error| error.kind());
    stream.set_nonblocking(false).expect("it is a socket");
    seen == Err(ErrorKind::WouldBlock)
}

#[test]
fn a_client_that_is_slow_or_sends_too_much_is_ended_and_holds_up_no_other() {
    let place = club();
    let served = Served::start(&place, "");
    // As many as a client may have: they send a part of a head, of a form, or nothing.
    let form = "POST /submit HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n\
                --b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc";
    let sockets = || {
        let files = fs::read_dir(format!("/proc/{}/fd", served.child.id())).expect("it runs").flatten();
        let targets = files.filter_map(|file| fs::read_link(file.path()).ok());
        targets.filter(|target| target.to_string_lossy().starts_with("socket:")).collect::<HashSet<_>>()
    };
    let at_first = sockets();
    // One asks for a file that no buffer holds, and reads nothing.
    let file = place.path("club/site/downloads/journal.db");
    fs::create_dir_all(file.parent().expect("it is in a folder")).expect("it can be made");
    fs::File::create(&file).and_then(|file| file.set_len(FILE_BYTES)).expect("it can be written");
    let mut deaf = served.connect();
    deaf.write_all(b"GET /downloads/journal.db HTTP/1.1\r\n\r\n").expect("it is read");
    let begun = Instant::now();
    let mut slow = loop {
        let mut slow: Vec<TcpStream> = (0..126).map(|_| served.connect()).collect();
        for (number, stream) in slow.iter_mut().enumerate() {
            let part = ["GET / HTTP/1.1\r\nA: ", "", form][number % 3];
            stream.write_all(part.as_bytes()).expect("it is read");
        }
        served.get("/submit").expect(200);
        if slow.iter().any(is_open) {
            break slow;
        }
        // A machine that stood still for a time has ended them before the answer.
        assert!(begun.elapsed() < LONG, "it has waited for the slow ones");
    };
    let form = read_answer(slow.remove(2)).expect(408);
    assert!(form.body.contains("paused for too long"), "{}", form.body);
    for mut stream in slow {
        // It ends, with an answer or without, before the time in which it could be read is over.
        let ended = stream.read_to_end(&mut Vec::new()).map_err(|error| error.kind());
        assert!(!matches!(ended, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "it is not ended");
    }
    // It is given up after some time without reading. What it gets now was on the way before.
    assert!(until(|| sockets() == at_first), "it is not given up");
    let got = std::io::copy(&mut deaf, &mut std::io::sink()).unwrap_or_default();
    assert!(got < FILE_BYTES, "it has got everything");

    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(17 << 10));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(65));
    for head in [long, many] {
        served.send(head.as_bytes()).expect(431);
    }
    served.get("/submit").expect(200);
}

#[test]
fn an_author_has_a_number_of_uploads_in_a_time() {
    let place = club();
    let served = Served::start(&place, "");
    let ann = token(&place, "ann");
    let empty = upload(&ann, "Content-Length: 0");
    for _ in 0..20 {
        served.send(empty.as_bytes()).expect(400);
    }
    let enough = served.send(empty.as_bytes()).expect(429);
    assert!(enough.body.contains("20 uploads with this token"), "{}", enough.body);
    served.submit("hunter.wasm", "ben").expect_code(0);
}

#[test]
fn a_disk_without_room_for_an_upload_costs_that_upload_and_nothing_else() {
    let place = club();
    // No file may be larger than four mebibytes. The program is not ended by that, as it is not by a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 4096; exec {} club serve --data club --listen 127.0.0.1:0",
        env!("CARGO_BIN_EXE_arena")
    );
    place.write("large.wasm", vec![7; 5 << 20]);
    let usual = command(place.folder(), &[] as &[&str]);
    let mut limited = Command::new("bash");
    limited.args(["-c", &script]).current_dir(place.folder()).stdin(Stdio::null());
    limited.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let served = Served::of(&place, &mut limited);
    let full = served.submit("large.wasm", "ann").expect_code(2);
    assert!(full.stderr.contains("the club cannot keep the bot"), "{}", full.stderr);
    assert!(place.files("club/bots").is_empty());
    served.get("/").expect(200);
    served.submit("sweeper.wasm", "ben").expect_code(0);
}

#[test]
fn a_form_submits_a_bot_without_scripts_and_cookies() {
    let place = club();
    let served = Served::start(&place, "");
    let page = served.get("/submit").expect(200);
    assert!(!page.body.contains("<script") && page.body.contains("type=\"password\""), "{}", page.body);
    assert!(page.head.contains("form-action 'self'") && !page.head.contains("set-cookie"), "{}", page.head);
    let form = |token: &str, bot: &str| {
        let bytes = fs::read(place.path(bot)).expect("it is there");
        served.send(&form("/submit", "", &[("token", token.as_bytes()), ("bot", &bytes)]))
    };
    let ann = token(&place, "ann");
    assert!(form("wrong", "sweeper.wasm").expect(401).body.contains("the token is wrong"));
    assert!(form(&ann, "sweeper.wasm").expect(200).body.contains("Version 1: plays"));
    // Names and logs of bots are shown as text.
    for (version, bot) in [(2, "escape-name.wasm"), (3, "log-escapes.wasm"), (4, "link-name.wasm")] {
        let shown = form(&ann, bot).expect(200).body;
        assert!(shown.contains(&format!("Version {version}: ")), "{shown}");
        assert!(
            !shown.contains('\u{1b}') && !shown.contains('\u{202e}') && !shown.contains("<b>"),
            "{shown}"
        );
        served.author("mine", "ann").expect_code(0);
        served.author(&format!("submit {bot}"), "ann");
    }
    served.send(b"POST /submit HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 3\r\n\r\nabc")
        .expect(400);
}
