//! A person at a screen, who plays against a bot: the real referee on a thread, and keys.

use super::players::{Sweeper, header};
use super::{SMALL, game_with_a_person, picture, play};
use arena_pictures::Timeline;
use arena_record::Transcript;
use arena_referee::{Player, Stopped};
use arena_rules::battleship::Battleship;
use arena_rules::{GameRules, Outcome, Reason, Seat};
use arena_testkit::wait_with_pauses;
use arena_tui::{KeyEffect, OnScreen, PlayScreen, Screen, feed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time between two looks at the referee, which has microseconds of work.
const PAUSE: Duration = Duration::from_millis(1);

/// The end of a game.
type Result = std::result::Result<(Outcome, Reason), Stopped>;

/// A game at a screen, and the referee's thread.
pub struct PersonGame<G: OnScreen = Battleship> {
    pub screen: PlayScreen<G>,
    game: JoinHandle<Result>,
}

impl<G: OnScreen> PersonGame<G>
where
    Sweeper: Player<G>,
{
    /// A game by these rules, with the person at a seat.
    pub fn of(rules: &GameRules, seat: Seat) -> Self {
        let mut labels = ["sweeper", "sweeper"];
        labels[seat.index()] = "person";
        let mut header = header(rules, labels);
        header.bots[seat.index()].bot.sha256 = "".into();
        let (feed, updates) = feed();
        let (screen, person) = PlayScreen::new(Timeline::new(header.clone()).unwrap(), seat, updates);
        let game = thread::spawn(move || game_with_a_person(&header, seat, person, &feed));
        let mut table = PersonGame { screen: super::saving(screen), game };
        table.wait();
        table
    }
}

impl<G: OnScreen> PersonGame<G> {
    /// A game by these rules between two persons at one screen, the first of whom begins.
    pub fn of_both(rules: &GameRules) -> Self {
        let header = header(rules, ["anna", "ben"]);
        let (feed, updates) = feed();
        let timeline = Timeline::new(header.clone()).unwrap();
        let (screen, [mut anna, mut ben]) = PlayScreen::of_both(timeline, Seat::First, updates);
        let game =
            thread::spawn(move || play(&header, [&mut anna, &mut ben], &mut |event| feed.event(event)));
        let mut table = PersonGame { screen: super::saving(screen), game };
        table.wait();
        table
    }

    /// Lets the game continue until the person is asked, or it is over.
    pub fn wait(&mut self) {
        let Self { screen, game } = self;
        let said = wait_with_pauses(PAUSE, || {
            screen.tick(Duration::ZERO);
            // The game is over only once the referee's thread has ended.
            let is_said = screen.is_asked() || screen.game().timeline().is_over() || game.is_finished();
            is_said.then_some(())
        });
        said.expect("the referee says something");
        self.screen.tick(Duration::ZERO);
    }

    /// Does something with the screen again and again, until this is true of it.
    #[track_caller]
    pub fn act_until<T>(
        &mut self,
        is_so: impl Fn(&PlayScreen<G>) -> bool,
        act: impl Fn(&mut PlayScreen<G>) -> T,
    ) {
        let screen = &mut self.screen;
        let reached = wait_with_pauses(PAUSE, || {
            if is_so(screen) {
                return Some(());
            }
            act(screen);
            None
        });
        assert!(reached.is_some(), "{}", self.picture());
    }

    /// Presses keys, each when the person is asked.
    pub fn press(&mut self, keys: &str) -> KeyEffect {
        let mut effect = KeyEffect::Nothing;
        for key in super::keys(keys) {
            effect = self.screen.key_event(&key);
            self.wait();
        }
        effect
    }

    pub fn picture(&self) -> String {
        picture(&self.screen, SMALL)
    }

    /// The line of the picture above the prompt: what can be done, or what is wrong.
    pub fn hint(&self) -> String {
        self.picture().lines().nth(21).unwrap().trim().to_owned()
    }

    pub fn transcript(&self) -> Transcript<G> {
        self.screen.game().timeline().transcript().unwrap()
    }

    /// Leaves the screen. Returns the result of the game.
    pub fn leave(self) -> Result {
        drop(self.screen);
        self.game.join().unwrap()
    }
}
