//! The house bot `random` behind the contract with nested lists.

arena_bench_nested::export!(random::Random);
