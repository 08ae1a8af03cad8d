//! Recordings and measurements for docs/guide/src/remote-workers.md, run by hand: real batches for the simulation of a thousand workers,
//! and the rate at which a server stores messages.

use crate::setting::{Running, Setting};
use crate::support::{SEED, house_bot};
use arena_cluster::Outcome;
use arena_testkit::nats::server_or_skip;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use std::{fs, thread};

/// A contest with games of about a second, each a batch of its own.
const CONTEST: &str = "run density.wasm density.wasm --games 120 --width 32 --height 32";

/// The file, from the folder of this package.
const FILE: &str = "crates/cluster/src/ledger/batches.csv";

/// A signed message: the key, the signature, and the signed bytes.
type Sealed<'a> = (&'a str, &'a [u8], &'a [u8]);

/// A part of a result: the contest, the batch, its secret, the number of the part and of all parts, and the bytes.
type Part<'a> = (&'a str, u64, u64, u32, u32, &'a [u8]);

/// The batch in a message: the number of games, the time of one job in microseconds, and the length of the message in bytes. `None` when
/// the message is not a whole result.
fn batch(message: &[u8]) -> Option<(usize, u128, usize)> {
    let (_, _, body): Sealed<'_> = postcard::from_bytes(message).ok()?;
    let (.., parts, bytes): Part<'_> = postcard::from_bytes(body).ok()?;
    match postcard::from_bytes(bytes).ok().filter(|_| parts == 1)? {
        Outcome::Played { took, games } => Some((games.len(), took.as_micros(), message.len())),
        Outcome::TooLarge => None,
    }
}

#[test]
#[ignore = "it writes a file of the project: see docs/guide/src/remote-workers.md"]
fn record_the_batches_of_a_bot_that_thinks() {
    let Some(setting) = Setting::new() else { return };
    fs::copy(house_bot("density"), setting.place.path("density.wasm")).expect("it can be copied");
    let url = setting.server.url();
    let mut listener = setting.server.listen(&["arena.arena.results"]);
    let args = format!("{CONTEST} --seed {SEED} --journal record.db --workers {url}");
    let mut run = Running::start(&setting.place, "coordinator", &args, &[]);
    let _worker = setting.worker("worker");
    let listening = thread::spawn(move || {
        let mut lines = "games,took_us,bytes\n".to_owned();
        while let Some((_, message)) = listener.hear().filter(|(_, message)| !message.is_empty()) {
            if let Some((games, took, bytes)) = batch(&message) {
                writeln!(lines, "{games},{took},{bytes}").expect("memory takes any text");
            }
        }
        lines
    });
    run.expect_code(0);
    // An empty message ends the listener, since no result is empty.
    setting.server.publish("arena.arena.results", b"");
    let lines = listening.join().expect("it ends");
    assert!(lines.lines().count() > 80, "{lines}");
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE), lines).expect("it can be written");
}

/// The number of messages to store, and how many of them are in flight at a time.
const MESSAGES: [usize; 2] = [100_000, 1_000];

#[test]
#[ignore = "it measures: see docs/guide/src/remote-workers.md"]
#[expect(clippy::disallowed_macros, reason = "a measurement is printed, not asserted")]
fn measure_the_messages_that_a_server_stores_in_a_second() {
    let Some(server) = server_or_skip(&[]) else { return };
    let stream =
        json!({"name": "RESULTS", "subjects": ["results"], "storage": "file", "retention": "limits"});
    let made = server.request("$JS.API.STREAM.CREATE.RESULTS", stream.to_string().as_bytes());
    assert!(made["error"].is_null(), "{made}");
    let mut listener = server.listen(&["_INBOX.stored"]);
    let body = vec![7; 1_500];
    let [all, at_once] = MESSAGES;
    let (begun, busy) = (Instant::now(), processor_ticks(server.id()));
    for _ in 0..all / at_once {
        (0..at_once)
            .for_each(|_| listener.publish("results _INBOX.stored", &body).expect("the server reads"));
        (0..at_once).for_each(|_| drop(listener.hear().expect("each is stored")));
    }
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(server.messages("RESULTS"), Some(all as u64));
    // A tick is 10 ms.
    let busy = (processor_ticks(server.id()) - busy) * 10_000 / all as u64;
    println!(
        "{:.0} messages of 1,500 bytes a second, {busy} µs of the server's processor each",
        all as f64 / seconds
    );
}

/// The processor time of a process, in ticks of the kernel.
fn processor_ticks(id: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    let (_, fields) = stat.rsplit_once(") ").expect("it has a name");
    fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("it is a number")).sum()
}
