#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| arena_laws::games_without_deployments_replay_as_they_were_played(data));
