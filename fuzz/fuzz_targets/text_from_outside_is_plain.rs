#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| arena_laws::text_from_outside_is_plain(data));
