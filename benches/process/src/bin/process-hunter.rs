//! The house bot `hunter` as a process.

use std::io;

fn main() -> io::Result<()> {
    arena_bench_process::serve::<hunter::Hunter>()
}
