//! Tells cargo which folders are embedded, so that a new file in one of them is noticed. Changes of known files are noticed
//! without it.

#[expect(clippy::disallowed_macros, reason = "cargo reads the output of a build script")]
fn main() {
    for folder in [
        "templates",
        "../../../examples/first-bot/src",
        "../../../examples/games/connect-four/src",
        "../../../guest-sdk/src",
        "../../../rules/src",
        "../../../wit",
    ] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
