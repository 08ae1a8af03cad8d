//! Shows each screen, for trying them out and for the tests in a real terminal.
//!
//! ```sh
//! cargo run --release -p arena-tui --example screens -- replay host/crates/tui/tests/data/guide.jsonl
//! cargo run --release -p arena-tui --example screens -- watch host/crates/tui/tests/data/submarine.jsonl
//! cargo run --release -p arena-tui --example screens -- play guide
//! cargo run --release -p arena-tui --example screens -- dashboard host/crates/tui/tests/data/classic.jsonl
//! cargo run --release -p arena-tui --example screens -- headless host/crates/tui/tests/data/pirates.jsonl
//! ```

#[path = "../tests/common/players.rs"]
mod players;

use arena_record::Transcript;
use arena_referee::{GamePlan, SubmarinePlan, play_game, play_submarine};
use arena_rules::{GameRules, Seat};
use arena_tui::{Feed, Model, Options, Person, Shared, Standing};
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The time between two events of a game that is played for show.
const PAUSE: Duration = Duration::from_millis(20);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, what] = arguments.as_slice() else {
        return Err("say what to do: replay, watch, dashboard or headless FILE, or play RULES".into());
    };
    let stop = stop_at_a_signal()?;
    let save = |transcript: &Transcript| {
        try_a_panic(transcript);
        Ok(format!("{} events, nowhere", transcript.events.len()))
    };
    let options = Options { stop, save: Some(Box::new(save)), ..Options::of_environment() };
    match mode.as_str() {
        "replay" => say(format_args!("{:?}", arena_tui::replay(&read(what)?, [None, None], options)?))?,
        "watch" => {
            let transcript = read(what)?;
            let header = transcript.header.clone();
            let (ended, told) = arena_tui::watch(header, options, |feed| tell(&transcript, &feed))?;
            say(format_args!("{ended:?} after {told} events"))?;
        }
        "play" => play(what, options)?,
        "dashboard" => show_dashboard(&read(what)?, options)?,
        "headless" => {
            for block in arena_tui::headless(&read(what)?)? {
                say(format_args!("{block}\n"))?;
            }
        }
        mode => return Err(format!("there is no {mode}").into()),
    }
    Ok(())
}

/// A line on standard output, which may be gone with its terminal.
fn say(line: fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// What the host does: a signal ends the screen, and the program goes on from there.
fn stop_at_a_signal() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if heard.swap(true, Ordering::SeqCst) {
            arena_tui::restore();
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

fn read(path: &str) -> Result<Transcript, Box<dyn Error>> {
    Ok(Transcript::read(BufReader::new(File::open(path)?))?)
}

/// Panics, if the game is one of a bot that does, so that a panic of the program can be tried out.
fn try_a_panic(transcript: &Transcript) {
    let panics = transcript.header.bots.iter().any(|bot| bot.label.contains("panic"));
    assert!(!panics, "a panic to be tried out");
}

/// Tells the events of a game one by one, and how many somebody watched.
fn tell(transcript: &Transcript, feed: &Feed) -> usize {
    for (number, event) in transcript.events.iter().enumerate() {
        if !feed.is_watched() {
            return number;
        }
        feed.event(event.clone());
        thread::sleep(PAUSE);
    }
    try_a_panic(transcript);
    transcript.events.len()
}

/// A person against a simple bot.
fn play(rules: &str, options: Options<'_>) -> Result<(), Box<dyn Error>> {
    let rules = GameRules::named(rules).ok_or("there are no such rules")?;
    let header = players::header(&rules, ["person", "sweeper"]);
    let game = |mut person: Person, feed: Feed| {
        let mut bot = players::Sweeper;
        let mut tell = |event| feed.event(event);
        let (fuel_per_turn, side_seeds, starter) = (header.limits.fuel_per_turn, [1, 7], Seat::First);
        match &rules {
            GameRules::Battleship(rules) => {
                let plan = GamePlan {
                    rules,
                    fuel_per_turn,
                    side_seeds,
                    fleet_seed: 3,
                    starter,
                    score_wall_clock: true,
                };
                play_game(&plan, [&mut person, &mut bot], &mut tell)
            }
            GameRules::Submarine(rules) => {
                let plan =
                    SubmarinePlan { rules, fuel_per_turn, side_seeds, starter, score_wall_clock: true };
                play_submarine(&plan, [&mut person, &mut bot], &mut tell)
            }
        }
    };
    let (ended, result) = arena_tui::play(header.clone(), Seat::First, options, game)?;
    match result {
        Ok((outcome, reason)) => say(format_args!("{ended:?}: {outcome:?}, {reason:?}"))?,
        Err(stopped) => say(format_args!("{ended:?}: {stopped}"))?,
    }
    Ok(())
}

/// A tournament of one game, played over and over by four workers.
fn show_dashboard(transcript: &Transcript, options: Options<'_>) -> Result<(), Box<dyn Error>> {
    let labels = transcript.header.bots.each_ref().map(|bot| bot.label.clone());
    let standings = labels.map(|label| Standing { label, ..Standing::default() }).into();
    let title = "a tournament for show".to_owned();
    let shared = Shared::new(Model { title, games_planned: 1_000, standings, ..Model::default() });
    let ended = thread::scope(|scope| {
        let stop = Arc::new(AtomicBool::new(false));
        for worker in 0..4 {
            let (shared, stop) = (Arc::clone(&shared), Arc::clone(&stop));
            scope.spawn(move || {
                let desk = shared.desk();
                for game in 0.. {
                    desk.begin(1 + worker + game * 4, &transcript.header);
                    for event in &transcript.events {
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        desk.event(event);
                        thread::sleep(PAUSE);
                    }
                    desk.end();
                    shared.update(|model| {
                        model.games_done += 1;
                        model.standings[0].wins += 1;
                        model.standings[0].half_points += 2;
                        model.standings[1].losses += 1;
                        model.standings.iter_mut().for_each(|row| row.games += 1);
                    });
                }
            });
        }
        let ended = arena_tui::dashboard(&shared, options);
        stop.store(true, Ordering::Relaxed);
        ended
    })?;
    Ok(say(format_args!("{ended:?}"))?)
}
