//! The code that `wit-bindgen` generates from the contracts is kept in the SDK, so that no bot has to compile the generator.
//!
//! After a change of a contract or of `wit-bindgen`: `INSTA_UPDATE=always cargo xtask quick testkit`.

use std::path::Path;
use std::{env, fs};

/// Compares the SDK's code of a game with what was generated for this test, or writes it anew.
#[track_caller]
fn check(game: &str, generated: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(format!("guest-sdk/src/{game}/bindings/generated.rs"));
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, generated).expect("it can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == generated, "{} is old: see tests/kit/tests/bindings.rs", path.display());
}

#[test]
fn the_sdk_has_the_code_that_is_generated_from_each_contract() {
    check("battleship", include_str!(concat!(env!("OUT_DIR"), "/battleship.rs")));
    check("submarine", include_str!(concat!(env!("OUT_DIR"), "/submarine.rs")));
}
