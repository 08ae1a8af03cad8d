#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| arena_laws::any_code_gets_a_verdict_and_the_same_one_twice(data));
