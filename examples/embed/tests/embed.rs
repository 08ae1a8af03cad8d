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

/// The body of the answer to a client.
fn visit(address: &str) -> Result<serde_json::Value, Box<dyn Error>> {
    let mut visitor = TcpStream::connect(address)?;
    visitor.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
    let mut answer = String::new();
    visitor.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("it has no body")?;
    Ok(serde_json::from_str(body)?)
}

#[test]
fn the_bots_of_a_folder_play_at_night_and_the_standings_are_served() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let bots = place.path().join("bots");
    fs::create_dir(&bots)?;
    for name in ["sweeper", "shoots-at-random"] {
        fs::write(bots.join(name).with_extension("wasm"), arena_testkit::zoo(name))?;
    }
    let journal = place.path().join("season.db");
    let mut service = Command::new(env!("CARGO_BIN_EXE_embed"))
        .args([bots.as_os_str(), journal.as_os_str()])
        .arg("127.0.0.1:0")
        .env("XDG_CACHE_HOME", place.path())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut first = String::new();
    BufReader::new(service.stdout.take().ok_or("it has no output")?).read_line(&mut first)?;
    let _service = Service(service);
    let address = first.trim().strip_prefix("http://").ok_or("it has no address")?;
    let begun = Instant::now();
    loop {
        let standings = visit(address)?;
        let games = standings[0]["games"].as_u64().unwrap_or_default();
        if games == 20 {
            assert_eq!(standings.as_array().map(Vec::len), Some(2), "{standings}");
            assert_eq!(standings[0]["place"], 1, "{standings}");
            return Ok(());
        }
        assert!(begun.elapsed() < PATIENCE, "{standings}");
        thread::sleep(Duration::from_millis(100));
    }
}
