//! Random numbers that are the same everywhere: seeded, portable, and always an argument.

use rand::{Rng, SeedableRng};

/// The generator of all seeded choices of the project.
///
/// It is PCG XSH RR 64/32 (O'Neill 2014). Its stream is specified, so it is the same on every machine. It needs no 128-bit
/// multiplication: that is slow in WebAssembly. It is not for secrets.
pub type SeededRng = rand_pcg::Pcg32;

/// The generator for a seed.
pub fn seeded(seed: u64) -> SeededRng {
    SeededRng::seed_from_u64(seed)
}

/// Endless random numbers of a seed, for what is only for show.
pub fn numbers(seed: u64) -> impl Iterator<Item = u32> {
    let mut rng = seeded(seed);
    std::iter::repeat_with(move || rng.next_u32())
}
