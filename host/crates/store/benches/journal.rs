//! The cost of packing and storing a game, and of reading all of them.

#[path = "../tests/support/mod.rs"]
mod support;

use arena_rules::battleship::Battleship;
use arena_store::{Reader, Stage, Writer};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use support::{add, game, tournament};
use tempfile::TempDir;

/// The number of games in a measured run. Chosen: enough for some checkpoints.
const GAMES: u32 = 1_000;

/// The number of games in a transaction. Chosen: as in a run with quick games.
const BATCH: usize = 64;

fn journal(criterion: &mut Criterion) {
    let tournament = tournament(2);
    let stage = Stage::of_all("{}", &tournament.bots);
    let games: Vec<_> = (1..=GAMES).map(|number| game(&tournament, [0, 1], number)).collect();
    let mut group = criterion.benchmark_group("journal");
    group.throughput(Throughput::Elements(GAMES.into())).sample_size(10);
    let fill = |folder: &TempDir| {
        let mut writer =
            Writer::open(&folder.path().join("a.db"), &tournament, &stage).expect("it can be made");
        for batch in games.chunks(BATCH) {
            add(&mut writer, &batch.iter().collect::<Vec<_>>()).expect("they can be written");
        }
    };
    let folder = || TempDir::new().expect("a temporary folder");
    group.bench_function("append", |bencher| {
        bencher.iter_batched_ref(folder, |folder| fill(folder), BatchSize::PerIteration);
    });
    let full = folder();
    fill(&full);
    let reader = Reader::open(&full.path().join("a.db")).expect("it can be read");
    group.bench_function("results", |bencher| bencher.iter(|| reader.games().expect("it is complete")));
    group.bench_function("recordings", |bencher| {
        bencher.iter(|| {
            (1..=u64::from(GAMES))
                .filter_map(|number| reader.recording(number).expect("it is complete"))
                .count()
        });
    });
    // The same transcripts, by way of their text and without it.
    group.bench_function("transcripts/text", |bencher| {
        bencher.iter(|| {
            (1..=u64::from(GAMES))
                .filter_map(|number| reader.recording(number).expect("it is complete"))
                .map(|recording| recording.transcript::<Battleship>().expect("it is a game").events.len())
                .sum::<usize>()
        });
    });
    group.bench_function("transcripts/packed", |bencher| {
        bencher.iter(|| {
            (1..=u64::from(GAMES))
                .filter_map(|number| reader.kept_game(number).expect("it is complete"))
                .map(|game| game.transcript::<Battleship>().expect("it is a game").events.len())
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, journal);
criterion_main!(benches);
