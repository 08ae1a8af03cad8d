//! Plays the bots of a folder every night, in a journal that grows, and serves the standings as JSON.
//!
//! ```sh
//! cargo run --release -p embed -- bots season.db 127.0.0.1:8080
//! curl http://127.0.0.1:8080
//! ```

use arena_engine::{Control, Error, RunOptions, StoredSeason, TournamentOptions, components, play, start};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io, thread};

/// The time between two nights.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // This call must come first: the engine starts this program again as the confined processes that compile bots and play them.
    start();
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, journal, address] = &args[..] else {
        return Err("name a folder of bots, a journal and an address, such as 127.0.0.1:8080".into());
    };
    let listener = TcpListener::bind(address)?;
    let mut out = io::stdout();
    writeln!(out, "http://{}", listener.local_addr()?)?;
    let (folder, nightly) = (PathBuf::from(folder), PathBuf::from(journal));
    thread::spawn(move || {
        loop {
            if let Err(error) = night(&folder, &nightly) {
                // The service goes on after a night without two bots.
                let _ = writeln!(io::stderr(), "{error}");
            }
            thread::sleep(DAY);
        }
    });
    for visitor in listener.incoming().flatten() {
        // A client may disconnect before the answer.
        let _ = answer(visitor, Path::new(journal));
    }
    Ok(())
}

/// Plays all games that the season does not have yet.
fn night(folder: &Path, journal: &Path) -> Result<(), Error> {
    let tournament = TournamentOptions { games_per_match: Some(20), ..TournamentOptions::default() };
    let options = RunOptions { journal: Some(journal.into()), tournament, ..RunOptions::default() };
    play(options, &components(&[folder.into()])?, &Control::default(), &mut ()).map(drop)
}

/// Answers any request with the standings.
fn answer(mut visitor: TcpStream, journal: &Path) -> io::Result<()> {
    // A client that sends nothing blocks the others only for a short time.
    visitor.set_read_timeout(Some(Duration::from_secs(5)))?;
    let _ = visitor.read(&mut [0; 4096])?;
    let (status, body) = match StoredSeason::read(journal) {
        Ok((season, _)) => ("200 OK", serde_json::to_string(&season.ranking().rows())?),
        Err(error) => {
            ("503 Service Unavailable", serde_json::json!({ "error": error.to_string() }).to_string())
        }
    };
    let length = body.len();
    write!(
        visitor,
        "HTTP/1.0 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}
