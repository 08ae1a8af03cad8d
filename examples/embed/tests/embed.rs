//! The service, as a client sees it.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time for a night of two small bots. It ends a test that would hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// The service. It ends with the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        // An error means that it has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The status line, the headers and the body of the answer to a request for a path.
fn visit(address: &str, path: &str) -> Result<(String, String), Box<dyn Error>> {
    let mut visitor = TcpStream::connect(address)?;
    visitor.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    visitor.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("it has no body")?;
    Ok((head.to_owned(), body.to_owned()))
}

#[test]
fn the_bots_of_a_folder_play_at_night_and_the_pages_are_served() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let bots = place.path().join("bots");
    fs::create_dir(&bots)?;
    for name in ["sweeper", "shoots-at-random"] {
        fs::write(bots.join(name).with_extension("wasm"), arena_testkit::zoo(name))?;
    }
    let [journal, site] = ["season.db", "site"].map(|name| place.path().join(name));
    let mut service = Command::new(env!("CARGO_BIN_EXE_embed"))
        .args([&bots, &journal, &site])
        .arg("127.0.0.1:0")
        .env("XDG_CACHE_HOME", place.path())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut first = String::new();
    BufReader::new(service.stdout.take().ok_or("it has no output")?).read_line(&mut first)?;
    let _service = Service(service);
    let address = first.trim().strip_prefix("http://").ok_or("it has no address")?;
    let begun = Instant::now();
    let front = loop {
        let (head, front) = visit(address, "/")?;
        if head.starts_with("HTTP/1.0 200") {
            assert!(head.contains("content-type: text/html"), "{head}");
            break front;
        }
        assert!(begun.elapsed() < PATIENCE, "{head}");
        thread::sleep(Duration::from_millis(100));
    };
    assert!(front.contains("shoots-at-random") && front.contains("href=\"games/1.html\""), "{front}");
    assert!(visit(address, "/style.css")?.0.contains("content-type: text/css"));
    for path in ["/../season.db", "/.arena-report", "/nothing.html"] {
        assert!(visit(address, path)?.0.starts_with("HTTP/1.0 404"), "{path}");
    }
    let standings: serde_json::Value = serde_json::from_str(&visit(address, "/standings.json")?.1)?;
    assert_eq!(standings.as_array().map(Vec::len), Some(2), "{standings}");
    assert_eq!([&standings[0]["games"], &standings[0]["place"]], [20, 1], "{standings}");
    Ok(())
}
