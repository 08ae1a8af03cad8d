//! Shows each screen, for trying them out and for the tests in a real terminal.
//!
//! ```sh
//! cargo run --release -p arena-tui -- replay host/crates/tui/tests/data/guide.jsonl
//! cargo run --release -p arena-tui -- watch host/crates/tui/tests/data/submarine.jsonl
//! cargo run --release -p arena-tui -- series host/crates/tui/tests/data/classic.jsonl
//! cargo run --release -p arena-tui -- play guide
//! cargo run --release -p arena-tui -- dashboard host/crates/tui/tests/data/classic.jsonl
//! cargo run --release -p arena-tui -- headless host/crates/tui/tests/data/pirates.jsonl
//! ```
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

#[path = "common/players.rs"]
mod players;

use arena_record::{Header, Recording, Transcript};
use arena_referee::{GamePlan, Player, play_game};
use arena_rules::{Game, GameRules, Seat, with_game};
use arena_tui::{
    DashboardScreen, DashboardState, Feed, Model, OnScreen, Options, Person, Standing, Timeline,
};
use players::Sweeper;
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
        return Err(
            "usage: screens replay|watch|series|dashboard|headless FILE, or screens play RULES".into()
        );
    };
    let stop = stop_at_a_signal()?;
    if mode == "play" {
        let rules = GameRules::named(what).ok_or("there are no such rules")?;
        return with_game!(rules.kind(), G => play::<G>(&rules, options(stop)));
    }
    let recording = Recording::read(BufReader::new(File::open(what)?))?;
    with_game!(recording.header.conditions.rules.kind(), G => {
        show::<G>(mode, &recording.transcript()?, options(stop))
    })
}

/// Shows a recorded game in one of the ways.
fn show<G: OnScreen>(
    mode: &str,
    transcript: &Transcript<G>,
    options: Options<'_, G>,
) -> Result<(), Box<dyn Error>> {
    match mode {
        "replay" => say(format_args!("{:?}", arena_tui::replay(Timeline::of(transcript)?, options)?))?,
        "watch" => {
            let header = transcript.header.clone();
            let watch = |feeds: Vec<Feed<G>>| tell(transcript, &feeds[0]);
            let (ended, count) = arena_tui::watch(vec![header], 1, options, watch)?;
            say(format_args!("{ended:?} after {count} events"))?;
        }
        "series" => {
            let headers = games(transcript, [1, 2]);
            let series = |feeds: Vec<Feed<G>>| {
                thread::scope(|scope| {
                    for (feed, header) in feeds.iter().zip(games(transcript, [3, 4])) {
                        scope.spawn(move || {
                            tell(transcript, feed);
                            feed.begin(header) && tell(transcript, feed) > 0
                        });
                    }
                });
            };
            let (ended, ()) = arena_tui::watch(headers, 4, options, series)?;
            say(format_args!("{ended:?}"))?;
        }
        "dashboard" => show_dashboard(transcript, options)?,
        "headless" => {
            for block in arena_tui::headless(Timeline::of(transcript)?) {
                say(format_args!("{block}\n"))?;
            }
        }
        mode => return Err(format!("there is no {mode}").into()),
    }
    Ok(())
}

fn options<G: Game>(stop: Arc<AtomicBool>) -> Options<'static, G> {
    let save = |transcript: &Transcript<G>| {
        try_a_panic(transcript);
        Ok(format!("{} events, nowhere", transcript.events.len()))
    };
    Options { stop, save: Some(Box::new(save)), ..Options::of_environment() }
}

/// A line on standard output. It may be gone with its terminal.
#[expect(clippy::disallowed_methods, reason = "an example for tests, with lines of its own")]
fn say(line: fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Lets a signal end the screen, as the host does; the program continues from there.
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

/// Panics if the game is of a bot that does, so that a panic of the program can be tried out.
fn try_a_panic<G: Game>(transcript: &Transcript<G>) {
    let panics = transcript.header.labels().iter().any(|label| label.contains("panic"));
    assert!(!panics, "a panic to be tried out");
}

/// Sends the events of a game one by one. Returns the number that was watched.
fn tell<G: Game>(transcript: &Transcript<G>, feed: &Feed<G>) -> usize {
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

/// Headers of a game with other numbers.
fn games<G: Game>(transcript: &Transcript<G>, numbers: [u32; 2]) -> Vec<Header> {
    numbers.map(|game| Header { game, ..transcript.header.clone() }).into()
}

/// A person against a simple bot.
fn play<G: OnScreen>(rules: &GameRules, options: Options<'_, G>) -> Result<(), Box<dyn Error>>
where
    Sweeper: Player<G>,
{
    let header = players::header(rules, ["person", "sweeper"]);
    let plan = GamePlan {
        rules: G::rules(rules).ok_or("the rules are of another game")?,
        fuel_per_turn: header.conditions.limits.fuel_per_turn,
        side_seeds: [1, 7],
        fleet_seed: 3,
        starter: Seat::First,
        score_wall_clock: true,
    };
    let game = |mut person: Person<G>, feed: Feed<G>| {
        play_game(&plan, [&mut person, &mut Sweeper], &mut |event| feed.event(event))
    };
    let (ended, result) = arena_tui::play(header, Seat::First, options, game)?;
    match result {
        Ok((outcome, reason)) => say(format_args!("{ended:?}: {outcome:?}, {reason:?}"))?,
        Err(stopped) => say(format_args!("{ended:?}: {stopped}"))?,
    }
    Ok(())
}

/// A tournament of one game, played over and over by four workers.
fn show_dashboard<G: OnScreen>(
    transcript: &Transcript<G>,
    options: Options<'_, G>,
) -> Result<(), Box<dyn Error>> {
    let labels = transcript.header.labels().map(|label| label.as_str().to_owned());
    let standings = labels.map(|label| Standing { label, ..Standing::default() }).into();
    let title = "a tournament for show".to_owned();
    let shared = DashboardState::new(Model { title, games_planned: 1_000, standings, ..Model::default() });
    let ended = thread::scope(|scope| {
        let stop = Arc::new(AtomicBool::new(false));
        for worker in 0..4 {
            let (shared, stop) = (Arc::clone(&shared), Arc::clone(&stop));
            scope.spawn(move || {
                let slot = shared.slot();
                for game in 0.. {
                    slot.begin(1 + worker + game * 4, &transcript.header);
                    for event in &transcript.events {
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        slot.event(event);
                        thread::sleep(PAUSE);
                    }
                    slot.end();
                    shared.update(|model| {
                        model.games_done += 1;
                        model.standings[0].score.wins += 1;
                        model.standings[1].score.losses += 1;
                        model.standings.iter_mut().for_each(|row| row.score.games += 1);
                    });
                }
            });
        }
        let ended = arena_tui::dashboard(DashboardScreen::new(Arc::clone(&shared)), options);
        stop.store(true, Ordering::Relaxed);
        ended
    })?;
    Ok(say(format_args!("{ended:?}"))?)
}
