//! A record of real batches, for the simulation of a thousand workers: what a coordinator is told by a worker of a bot that thinks.

use crate::setting::{Running, Setting};
use crate::support::{SEED, house_bot};
use arena_workers::Outcome;
use std::fmt::Write;
use std::path::Path;
use std::{fs, thread};

/// A contest of games of about a second, one of which is a batch.
const CONTEST: &str = "run density.wasm density.wasm --games 120 --width 32 --height 32";

/// The file, from the folder of this package.
const FILE: &str = "crates/workers/src/ledger/batches.csv";

/// A signed message: the key, the signature, and what is signed.
type Sealed<'a> = (&'a str, &'a [u8], &'a [u8]);

/// A part of a result: the contest, the batch, its secret, the number of the part and of all parts, and the bytes.
type Part<'a> = (&'a str, u64, u64, u32, u32, &'a [u8]);

/// A batch in a message: its games, the microseconds that one job took for it, and the bytes of the message. None if it has others, too.
fn batch(message: &[u8]) -> Option<(usize, u128, usize)> {
    let (_, _, body): Sealed<'_> = postcard::from_bytes(message).ok()?;
    let (.., parts, bytes): Part<'_> = postcard::from_bytes(body).ok()?;
    match postcard::from_bytes(bytes).ok().filter(|_| parts == 1)? {
        Outcome::Played { took, games } => Some((games.len(), took.as_micros(), message.len())),
        Outcome::TooLarge => None,
    }
}

#[test]
#[ignore = "it writes a file of the project: see docs/workers.md"]
fn record_the_batches_of_a_bot_that_thinks() {
    let Some(setting) = Setting::new() else { return };
    fs::copy(house_bot("density"), setting.place.path("density.wasm")).expect("it can be copied");
    let url = setting.server.url();
    let mut listener = setting.server.listen(&["arena.arena.results"]);
    let words = format!("{CONTEST} --seed {SEED} --journal record.db --workers {url}");
    let mut run = Running::start(&setting.place, "coordinator", &words, &[]);
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
    // Nothing that is empty is a result.
    setting.server.publish("arena.arena.results", b"");
    let lines = listening.join().expect("it ends");
    assert!(lines.lines().count() > 80, "{lines}");
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE), lines).expect("it can be written");
}
