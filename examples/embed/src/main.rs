//! Plays the bots of a folder every night, in a journal that grows, and serves the pages of the season and its standings as JSON. With the
//! address of a NATS server, each `arena worker` there plays the games.
//!
//! ```sh
//! cargo run --release -p embed -- bots season.db site 127.0.0.1:8080 [nats://127.0.0.1:4222]
//! curl http://127.0.0.1:8080/standings.json
//! ```

use arena_cluster::{RemoteOptions, Server, play};
use arena_engine::{Control, RunOptions, StoredSeason, TournamentOptions, components, start};
use arena_pages::{Page, Replays, SiteOptions, StoredContest};
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io, thread};

/// The time between two nights.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn main() -> Result<(), Box<dyn Error>> {
    // This call must come first: the engine starts this program again as the confined processes that compile bots and play them.
    start();
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, journal, site, address, server @ ..] = &args[..] else {
        return Err(
            "name a folder of bots, a journal, a folder for pages, and an address to listen on".into()
        );
    };
    let server = server.first().map(|url| Server::of(url, None)).transpose()?;
    let workers = server.map(RemoteOptions::of_own);
    let listener = TcpListener::bind(address)?;
    let mut out = io::stdout();
    writeln!(out, "http://{}", listener.local_addr()?)?;
    let [folder, journal, site] = [folder, journal, site].map(PathBuf::from);
    let (nightly, pages) = (journal.clone(), site.clone());
    thread::spawn(move || {
        loop {
            if let Err(error) = night(&folder, &nightly, &pages, workers.as_ref()) {
                // The service goes on after a night without two bots.
                let _ = writeln!(io::stderr(), "{error}");
            }
            thread::sleep(DAY);
        }
    });
    for visitor in listener.incoming().flatten() {
        // A client may disconnect before the answer.
        let _ = answer(visitor, &journal, &site);
    }
    Ok(())
}

/// Plays all games that the season does not have yet, on this machine or on workers, and writes its pages.
fn night(
    folder: &Path,
    journal: &Path,
    site: &Path,
    workers: Option<&RemoteOptions>,
) -> Result<(), Box<dyn Error>> {
    let tournament = TournamentOptions { games_per_match: Some(20), ..TournamentOptions::default() };
    let options = RunOptions { journal: Some(journal.into()), tournament, ..RunOptions::default() };
    play(options, &components(&[folder.into()])?, &Control::default(), &mut (), workers)?;
    let contest = StoredContest::read(Path::new(journal), &SiteOptions::default())?;
    contest.write_site(site, Replays::Most(200), 1, || false, || {})?;
    Ok(())
}

/// Answers a request for a page, or for the standings as they are now.
fn answer(mut visitor: TcpStream, journal: &Path, site: &Path) -> io::Result<()> {
    // A client that sends nothing blocks the others only for a short time.
    visitor.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut request = String::new();
    BufReader::new((&visitor).take(4096)).read_line(&mut request)?;
    let page = match request.split(' ').nth(1).unwrap_or_default() {
        "/standings.json" => standings(journal),
        path => Page::of_site(site, path),
    };
    let status = if page.is_some() { "200 OK" } else { "404 Not Found" };
    let page = page.unwrap_or_default();
    let (kind, length) = (page.media_type(), page.bytes.len());
    write!(visitor, "HTTP/1.0 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n")?;
    visitor.write_all(&page.bytes)
}

/// The standings as they are now, if a night has begun.
fn standings(journal: &Path) -> Option<Page> {
    let (season, _) = StoredSeason::read(journal).ok()?;
    let bytes = serde_json::to_vec(&season.ranking().rows()).expect("it is plain data");
    Some(Page { path: "standings.json".into(), bytes })
}
