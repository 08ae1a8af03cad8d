//! A club: authors submit bots over a real socket, and the bots play without end.

mod answers;
mod author;
mod challenges;
mod damage;
mod dates;
mod deployed;
mod earlier;
mod judging;
mod live;
mod loaded;
mod operation;
mod organiser;
mod playing;
mod room;
mod season;
mod seasons;
mod term;
mod uploads;
mod visitors;

use crate::support::{Beginning, Place, Run, command, house_bot, signal};
use arena_testkit::wait_with_pauses;
use serde_json::Value;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// The longest time that a test waits for something. Chosen: a machine that is ten times as slow as usual.
const LONG: Duration = Duration::from_secs(120);

/// The size of a large file, in bytes. Chosen: larger than what a system keeps for a connection.
const FILE_BYTES: u64 = 256 << 20;

/// The time between two looks at a club. Chosen: an answer takes it a fiftieth of that.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits until something is so; false when it is not for a long time.
fn until(mut is_so: impl FnMut() -> bool) -> bool {
    wait_with_pauses(PAUSE, || is_so().then_some(())).is_some()
}

/// A club that is served.
struct Served<'a> {
    place: &'a Place,
    child: Child,
    address: String,
}

/// An answer to a request that was written by hand.
struct Answer {
    head: String,
    body: String,
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Served<'a> {
    /// Serves the club in the folder `club`.
    fn start(place: &'a Place, options: &str) -> Self {
        Self::at(place, "127.0.0.1:0", options)
    }

    /// Serves it at this address.
    fn at(place: &'a Place, address: &str, options: &str) -> Self {
        let args = format!("club serve --data club --listen {address} --jobs 1 {options}");
        Self::of(place, &mut command(place.folder(), &args.split_whitespace().collect::<Vec<_>>()))
    }

    fn of(place: &'a Place, command: &mut Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("it can be read");
        let Some(address) = line.trim().strip_prefix("http://") else {
            let mut said = String::new();
            child.stderr.take().expect("it is a pipe").read_to_string(&mut said).expect("it is text");
            panic!("it does not begin: {line}{said}");
        };
        Self { place, child, address: address.to_owned() }
    }

    /// Waits for a line on standard error with a phrase, and returns it.
    fn said_with(&mut self, phrase: &str) -> String {
        let stderr = self.child.stderr.as_mut().expect("it is a pipe");
        let mut line = Vec::new();
        let mut byte = [0];
        loop {
            // One at a time, so that the rest stays for others.
            stderr.read_exact(&mut byte).unwrap_or_else(|_| panic!("it has not said {phrase}"));
            line.push(byte[0]);
            if byte == *b"\n" {
                let text = String::from_utf8(std::mem::take(&mut line)).expect("it is text");
                if text.contains(phrase) {
                    return text;
                }
            }
        }
    }

    /// Runs a command of an author against the club.
    fn author(&self, args: &str, author: &str) -> Run {
        self.place.arena(&format!("{args} --to http://{} --token-file {author}", self.address))
    }

    fn submit(&self, bot: &str, author: &str) -> Run {
        self.author(&format!("submit {bot} -o json"), author)
    }

    /// The latest version of an author.
    fn latest(&self, author: &str) -> Value {
        self.author("mine -o json", author).expect_code(0).json()[0].clone()
    }

    /// The versions of an author, as `latest` has the first one. Waiting asks often, so it starts no program.
    fn mine(&self, author: &str) -> Value {
        let token = token(self.place, author);
        let request = format!("GET /mine HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {token}\r\n\r\n");
        let answer = self.send(request.as_bytes()).expect(200);
        serde_json::from_str(&answer.body).expect("it is a document")
    }

    /// Waits until the latest version of an author is so, and returns it.
    fn wait_until(&self, author: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let mut latest = Value::Null;
        let found = until(|| {
            latest = self.mine(author).get(0).cloned().unwrap_or_default();
            is_so(&latest)
        });
        assert!(found, "{latest}");
        latest
    }

    /// Waits until the latest version of an author has played this number of games, and returns it.
    fn wait_for_games(&self, author: &str, games: u64) -> Value {
        self.wait_until(author, |latest| latest["standing"]["games"].as_u64() >= Some(games))
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("it is a socket");
        stream
    }

    /// Sends the bytes of a request, and reads the answer.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has enough may answer before the end.
        let _ = stream.write_all(request);
        read_answer(stream)
    }

    fn get(&self, path: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: club\r\n\r\n").as_bytes())
    }

    /// The bytes of a file that the club offers.
    fn download(&self, path: &str) -> Vec<u8> {
        let mut stream = self.connect();
        stream
            .write_all(format!("GET {path} HTTP/1.1\r\nHost: club\r\n\r\n").as_bytes())
            .expect("it is read");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it can be read");
        assert!(bytes.starts_with(b"HTTP/1.1 200 "), "{path}");
        let head = bytes.windows(4).position(|part| part == b"\r\n\r\n").expect("it has a head");
        bytes.split_off(head + 4)
    }

    /// Waits until a page has a text, and returns it.
    fn wait_for_page(&self, path: &str, text: &str) -> String {
        let mut page = self.get(path);
        let found = until(|| {
            page = self.get(path);
            page.body.contains(text)
        });
        assert!(found, "{text} is not in {}{}", page.head, page.body);
        page.body
    }

    fn kill(mut self) {
        self.child.kill().expect("it runs");
    }

    /// Ends it as Ctrl-C does, and returns what it has said.
    fn interrupt(mut self) -> String {
        signal(&self.child, "INT");
        let mut stderr = self.child.stderr.take().expect("it is a pipe");
        // It is read meanwhile, because a full pipe stops the program.
        let reader = thread::spawn(move || io::read_to_string(&mut stderr).expect("it is text"));
        assert!(until(|| self.child.try_wait().expect("it is ours").is_some()), "it does not end");
        let said = reader.join().expect("it does not panic");
        assert_eq!(self.child.wait().expect("it ends").code(), Some(130), "{said}");
        said
    }
}

fn read_answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // The connection may be reset behind the answer.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    Answer { head: head.to_owned(), body: body.to_owned() }
}

impl Answer {
    #[track_caller]
    fn expect(self, status: u16) -> Self {
        assert!(self.head.starts_with(&format!("HTTP/1.1 {status} ")), "{}\n{}", self.head, self.body);
        self
    }
}

/// A folder with house bots and specimens, rules of small games, whose pages take little time, and a club with two authors, whose tokens
/// are in files of their names.
fn club() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(found_club)
}

fn found_club() -> Place {
    let place = Place::with_specimens(&[
        "exports-nothing",
        "divides-by-zero",
        "escape-name",
        "log-escapes",
        "link-name",
        "log-half-lines",
    ]);
    for name in ["hunter", "random", "sweeper"] {
        fs::copy(house_bot(name), place.path(&format!("{name}.wasm"))).expect("it can be copied");
    }
    place.write("small.toml", "name = \"small\"\nwidth = 6\nheight = 6\nfleet = [3, 2, 1]\n");
    for author in ["ann", "ben"] {
        let invited = place.arena(&format!("club invite {author} --data club")).expect_code(0);
        assert!(invited.stderr.contains("printed only once"), "{}", invited.stderr);
        place.write(author, invited.stdout);
    }
    place
}

fn token(place: &Place, author: &str) -> String {
    fs::read_to_string(place.path(author)).expect("it is there").trim().to_owned()
}

/// The head of an upload.
fn upload(token: &str, length: &str) -> String {
    format!("POST /submit HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {token}\r\n{length}\r\n\r\n")
}

/// A form as browsers send it: fields with their texts, of which the last one may be a file.
fn form(path: &str, headers: &str, fields: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in fields {
        let file = if *name == "bot" { "; filename=\"../../<b>.wasm\"" } else { "" };
        let head = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend(b"--b--\r\n");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: club\r\n{headers}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body].concat()
}

/// An author who is signed in.
struct Session<'a> {
    served: &'a Served<'a>,
    cookie: String,
    form: String,
}

impl<'a> Session<'a> {
    fn of(served: &'a Served<'a>, author: &str) -> Self {
        let token = token(served.place, author);
        let answer = served.send(&form("/me/sign-in", "", &[("token", token.as_bytes())])).expect(303);
        assert!(answer.head.contains("location: ./"), "{}", answer.head);
        let set =
            answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("it has a cookie");
        let cookie = set.split(';').next().expect("it has a value").to_owned();
        let mut session = Self { served, cookie, form: String::new() };
        let page = session.get("").expect(200).body;
        let (_, rest) = page.split_once("name=\"form\" value=\"").expect("it has a form");
        session.form = rest.split('"').next().expect("it has a value").to_owned();
        session
    }

    /// Asks for a page below `me/`.
    fn get(&self, path: &str) -> Answer {
        let request = format!("GET /me/{path} HTTP/1.1\r\nHost: club\r\nCookie: {}\r\n\r\n", self.cookie);
        self.served.send(request.as_bytes())
    }

    /// Sends a form of the session with one more field.
    fn post(&self, path: &str, name: &str, content: &[u8]) -> Answer {
        self.send(path, "", &[("form", self.form.as_bytes()), (name, content)])
    }

    /// Sends a form with these headers besides the cookie.
    fn send(&self, path: &str, headers: &str, fields: &[(&str, &[u8])]) -> Answer {
        let headers = format!("Cookie: {}\r\n{headers}", self.cookie);
        self.served.send(&form(&format!("/me/{path}"), &headers, fields))
    }
}
