//! The cost of rating many contestants. Measured for 300, on one core: a second for all figures of a table and of the
//! crosstable.

use arena_league::{RatedGame, Score, Side, rate};
use criterion::{Criterion, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The number of contestants. Chosen: a large league, of 44,850 pairings.
const CONTESTANTS: usize = 300;

/// A pair of games of each two contestants, who are 5 Elo apart.
fn games() -> Vec<RatedGame> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let pairings =
        (0..CONTESTANTS).flat_map(|first| (first + 1..CONTESTANTS).map(move |second| [first, second]));
    let pairs = pairings.flat_map(|seats| {
        let ahead = 5.0 * (seats[1] - seats[0]) as f64;
        let win = 1.0 / (1.0 + 10_f64.powf(-ahead / 400.0));
        let mut game = |seats: [usize; 2], win| {
            let side = if random.random_bool(win) { Side::First } else { Side::Second };
            RatedGame { seats, pair: 0, score: Score::Win(side) }
        };
        [game(seats, win), game([seats[1], seats[0]], 1.0 - win)]
    });
    pairs.collect()
}

fn ratings(criterion: &mut Criterion) {
    let games = games();
    let mut group = criterion.benchmark_group("ratings");
    group.sample_size(10);
    group.bench_function("fit", |bencher| bencher.iter(|| rate(CONTESTANTS, games.iter().copied())));
    let ratings = rate(CONTESTANTS, games.iter().copied());
    group.bench_function("intervals", |bencher| {
        bencher.iter(|| {
            (1..CONTESTANTS).map(|contestant| ratings.difference(contestant, 0)).collect::<Vec<_>>()
        });
    });
    group.bench_function("likelihoods", |bencher| {
        bencher.iter(|| {
            (1..CONTESTANTS).map(|contestant| ratings.los(contestant, contestant - 1)).collect::<Vec<_>>()
        });
    });
    group.bench_function("pairings", |bencher| bencher.iter(|| ratings.pairings().collect::<Vec<_>>()));
    group.finish();
}

criterion_group!(benches, ratings);
criterion_main!(benches);
