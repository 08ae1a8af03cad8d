#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| arena_laws::overlays_stay_on_the_board(data));
