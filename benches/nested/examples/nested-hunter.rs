//! The house bot `hunter` behind the contract with nested lists.

arena_bench_nested::export!(hunter::Hunter);
