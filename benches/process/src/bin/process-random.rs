//! The house bot `random` as a process.

use std::io;

fn main() -> io::Result<()> {
    arena_bench_process::serve::<random::Random>()
}
