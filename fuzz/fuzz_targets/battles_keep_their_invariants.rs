#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| arena_laws::battles_keep_their_invariants(data));
