//! Randomness that is the same everywhere: seeded, portable, and always an argument.

use rand::SeedableRng;

/// The generator that all of the project's seeded choices are drawn from.
///
/// PCG XSH RR 64/32 (O'Neill 2014), because its stream is specified and so the same on every machine, and because it
/// needs no 128-bit multiplication, which is slow in WebAssembly. It is not for secrets.
pub type SeededRng = rand_pcg::Pcg32;

/// A generator for a seed.
pub fn seeded(seed: u64) -> SeededRng {
    SeededRng::seed_from_u64(seed)
}
