//! Screens on the terminal: the loop that draws, waits and answers keys, and the functions that the host calls.

use crate::dashboard::DashboardScreen;
use crate::game::GameScreen;
use crate::on_screen::OnScreen;
use crate::options::{Options, TuiError};
use crate::play::PlayScreen;
use crate::screen::{Ended, KeyEffect, Screen};
use crate::terminal::Tty;
use crate::wall::WallScreen;
use arena_live::{Feed, Person, feed};
use arena_pictures::Timeline;
use arena_record::Header;
use arena_resources::NewThread;
use arena_rules::Seat;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for a key. Chosen: a program that is stopped waits at most this long for the terminal, and four looks a
/// second are little work.
const WAIT_MAX: Duration = Duration::from_millis(250);

/// A game's stack. Chosen: twice as much as the standard library gives a thread.
const GAME_STACK_BYTES: usize = 4 << 20;

/// Shows a screen until it ends.
fn show<S: Screen>(
    mut tty: Tty,
    screen: &mut S,
    options: &mut Options<'_, S::Game>,
) -> Result<Ended, TuiError> {
    screen.offer(options.save.is_some(), options.animates);
    let mut before = Instant::now();
    let mut has_changed = true;
    loop {
        if options.stop.load(Ordering::SeqCst) {
            return Ok(Ended::Stopped);
        }
        if tty.has_hung_up() {
            return Ok(Ended::HungUp);
        }
        if has_changed {
            tty.draw(|buffer| screen.draw(options.theme, buffer))?;
            has_changed = false;
        }
        let wait = screen.wait().unwrap_or(WAIT_MAX).min(WAIT_MAX);
        let events = match tty.events(wait) {
            Err(_) if tty.has_hung_up() => return Ok(Ended::HungUp),
            events => events?,
        };
        for event in events {
            let effect = screen.event(&event, tty.size());
            has_changed |= effect != KeyEffect::Nothing;
            match effect {
                KeyEffect::Nothing | KeyEffect::Changed => {}
                KeyEffect::Redraw => tty.forget(),
                KeyEffect::Suspend => {
                    tty.suspend()?;
                    // The time while the game was not watched does not count.
                    before = Instant::now();
                }
                KeyEffect::Theme => options.theme = options.theme.next(),
                KeyEffect::Save => save(screen, options),
                KeyEffect::Open(number) => open(number, screen, options),
                KeyEffect::End(ended) => return Ok(ended),
            }
        }
        let now = Instant::now();
        has_changed |= screen.tick(now - before);
        before = now;
        if let Some(ended) = screen.ended() {
            return Ok(ended);
        }
    }
}

fn save<S: Screen>(screen: &mut S, options: &mut Options<'_, S::Game>) {
    if let (Some(transcript), Some(save)) = (screen.to_save(), &mut options.save) {
        screen.saved(save(&transcript));
    }
}

/// Opens a game that was played, if it can be found.
fn open<S: Screen>(number: u64, screen: &mut S, options: &mut Options<'_, S::Game>) {
    let none = || Err("no game is kept that could be shown: that takes --journal".to_owned());
    screen.opened(number, options.find.as_mut().map_or_else(none, |find| find(number)));
    screen.offer(options.save.is_some(), options.animates);
}

/// Shows a recorded game.
///
/// # Errors
/// There is no terminal.
pub fn replay<G: OnScreen>(timeline: Timeline<G>, mut options: Options<'_, G>) -> Result<Ended, TuiError> {
    show(Tty::enter()?, &mut GameScreen::replay(timeline), &mut options)
}

/// Shows games while `play` plays them, on a separate thread, and reports their events to the feeds it gets: one for each of
/// these headers. There is at least one header; the games of several are side by side. `games` is the number of games in all:
/// a feed [begins](Feed::begin) the next one when the one before has been seen.
///
/// It returns when both the screen and the games have ended. A game of players that are [watched](Feed::watched) ends soon
/// after its screen. A game never waits for the screen, except for its beginning.
///
/// # Errors
/// There is no terminal, or a header's rules are not playable. No game is started then.
///
/// # Panics
/// If a game does, with its panic, once the terminal is given back; or without a header.
pub fn watch<G: OnScreen, T: Send>(
    headers: Vec<Header>,
    games: u32,
    mut options: Options<'_, G>,
    play: impl FnOnce(Vec<Feed<G>>) -> T + Send,
) -> Result<(Ended, T), TuiError> {
    let first = headers[0].clone();
    let timelines: Vec<_> = headers.into_iter().map(Timeline::new).collect::<Result<_, _>>()?;
    let tty = Tty::enter()?;
    // Each of them plays its share.
    let at_once = timelines.len() as u32;
    let (feeds, mut screens): (Vec<_>, Vec<_>) = (0..)
        .zip(timelines)
        .map(|(number, timeline)| {
            let (feed, updates) = feed();
            let share = games.saturating_sub(number).div_ceil(at_once);
            (feed, GameScreen::watch(timeline).fed_by(updates).of_series(&first, share))
        })
        .unzip();
    let play = move || play(feeds);
    if at_once > 1 {
        return with_game_thread(play, move || show(tty, &mut WallScreen::new(screens, games), &mut options));
    }
    let screen = screens.remove(0);
    with_game_thread(play, move || show(tty, &mut { screen }, &mut options))
}

/// Lets a person play at a seat of a game while `game` referees it, on a thread of its own, with the player that it is
/// given, and reports the events to the feed.
///
/// When the person leaves, its player answers [`NoReply::Left`](arena_referee::NoReply::Left) and the game ends without a
/// result; when it resigns, it loses. It returns when both the screen and the game have ended: a bot's turn that has begun
/// is waited for.
///
/// # Errors
/// There is no terminal, or the header's rules are not playable. The game is not started then.
///
/// # Panics
/// If the game does, with the game's panic, once the terminal is given back.
pub fn play<G: OnScreen, T: Send>(
    header: Header,
    seat: Seat,
    mut options: Options<'_, G>,
    game: impl FnOnce(Person<G>, Feed<G>) -> T + Send,
) -> Result<(Ended, T), TuiError> {
    let timeline = Timeline::new(header)?;
    let tty = Tty::enter()?;
    let (feed, updates) = feed();
    let (screen, person) = PlayScreen::new(timeline, seat, updates);
    with_game_thread(move || game(person, feed), move || show(tty, &mut { screen }, &mut options))
}

/// The same for two persons who share the screen, by seat. One of them is at it first.
///
/// # Errors
/// As of [`play`].
///
/// # Panics
/// As [`play`] does.
pub fn play_both<G: OnScreen, T: Send>(
    header: Header,
    first: Seat,
    mut options: Options<'_, G>,
    game: impl FnOnce([Person<G>; 2], Feed<G>) -> T + Send,
) -> Result<(Ended, T), TuiError> {
    let timeline = Timeline::new(header)?;
    let tty = Tty::enter()?;
    let (feed, updates) = feed();
    let (screen, persons) = PlayScreen::of_both(timeline, first, updates);
    with_game_thread(move || game(persons, feed), move || show(tty, &mut { screen }, &mut options))
}

/// Shows the dashboard of a tournament until the user closes it, or until it closes by itself. The tournament
/// continues.
///
/// # Errors
/// There is no terminal.
pub fn dashboard<G: OnScreen>(
    mut screen: DashboardScreen<G>,
    mut options: Options<'_, G>,
) -> Result<Ended, TuiError> {
    show(Tty::enter()?, &mut screen, &mut options)
}

/// Runs a game on a separate thread, and a screen on this one.
fn with_game_thread<T: Send>(
    game: impl FnOnce() -> T + Send,
    screen: impl FnOnce() -> Result<Ended, TuiError>,
) -> Result<(Ended, T), TuiError> {
    thread::scope(|scope| {
        let game = NewThread::named("game").with_stack(GAME_STACK_BYTES).start_in(scope, game)?;
        // The screen's ends of the channels go with it, so that the game does not wait for it.
        let ended = screen();
        let played = game.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok((ended?, played))
    })
}
