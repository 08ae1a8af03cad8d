//! The tests of the pages in browsers are a workspace of their own, without a text form of WebAssembly: their game and its bots are kept
//! as components.
//!
//! After a change of `data/matches.wat` here, or of a text there: `INSTA_UPDATE=always cargo xtask quick testkit`.

use std::path::Path;
use std::{env, fs};

#[test]
fn the_components_of_the_browser_tests_are_those_of_their_text() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../browser/data");
    let parts = fs::read_to_string(data.join("matches.wat")).expect("it is there");
    let bot = |name: &str| {
        arena_testkit::game_bot_component(&format!("(data $name-text (i32.const 64) \"{name}\")"))
    };
    let drawn = fs::read_to_string(data.join("drawn.wat")).expect("it is there");
    for (name, component) in [
        ("matches", arena_testkit::game_component(&parts)),
        ("drawn", arena_testkit::drawing_game_component(&drawn, "string")),
        ("taker", bot("taker")),
        ("other", bot("other")),
    ] {
        let component = component.expect("it is a component");
        let path = data.join(name).with_extension("wasm");
        if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            fs::write(&path, &component).expect("it can be written");
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(kept == component, "{} is old: see tests/kit/tests/browser.rs", path.display());
    }
}
