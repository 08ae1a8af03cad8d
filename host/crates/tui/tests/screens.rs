//! Shows a recorded game, and panics: when the game is saved, or, if it is watched, after its last event.
//!
//! ```sh
//! cargo run --release -p arena-tui -- replay host/crates/tui/tests/data/panic.jsonl
//! cargo run --release -p arena-tui -- watch host/crates/tui/tests/data/panic.jsonl
//! ```

use arena_pictures::Timeline;
use arena_record::Transcript;
use arena_rules::battleship::Battleship;
use arena_tui::{Feed, Options};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, path] = arguments.as_slice() else { return Err("usage: screens replay|watch FILE".into()) };
    let transcript = Transcript::<Battleship>::read(BufReader::new(File::open(path)?))?;
    let save = |_: &_| panic!("a panic to be tried out");
    let options = Options { save: Some(Box::new(save)), ..Options::of_environment() };
    if mode == "replay" {
        arena_tui::replay(Timeline::of(&transcript)?, options)?;
        return Ok(());
    }
    let header = transcript.header.clone();
    let play = |feeds: Vec<Feed<Battleship>>| {
        transcript.events.into_iter().for_each(|event| feeds[0].event(event));
        panic!("a panic to be tried out");
    };
    let (_, ()) = arena_tui::watch(vec![header], 1, options, play)?;
    Ok(())
}
