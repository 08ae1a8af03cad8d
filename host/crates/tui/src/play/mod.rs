//! The screen of a person who plays against a bot.

mod acting;
mod aiming;
mod draw;
mod person;
mod placing;
mod typed;

pub use person::Person;

use crate::feed::Updates;
use crate::game::{GameScreen, Pace};
use crate::grid::Sight;
use crate::key::{Effect, Ended, Key};
use crate::moment::Moment;
use crate::timeline::Timeline;
use acting::{Acting, Positioning};
use aiming::Aiming;
use arena_rules::{Coord, FleetSpec, GameRules, Seat, Size};
use person::{Ask, Line, Said};
use placing::Placing;
use std::time::Duration;

/// The time between two looks for the bot's move. Chosen: at twenty a second, an answer seems to come at once.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What the person is doing.
#[derive(Clone, Debug)]
enum Phase {
    /// It is the bot's turn, or the game has not begun.
    Waiting,
    Placing(Placing),
    Aiming(Aiming),
    Positioning(Positioning),
    Acting(Acting),
    /// The game is over: it can be looked at.
    Over,
}

/// What the person is asked to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Confirm {
    /// To leave the game.
    Leave,
    /// To skip the turn, and what follows from it.
    Skip(&'static str),
}

/// What a key came to in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Nothing,
    Changed,
    /// The person should know this.
    Told(String),
    /// The referee should know this.
    Said(Said),
    Confirm(Confirm),
    Help,
}

/// The screen of a person who plays against a bot. When the game is over, it is that of a game.
///
/// Nothing that is not legal is ever sent: the screen says what is wrong, and waits.
#[derive(Debug)]
pub struct PlayScreen {
    game: GameScreen,
    me: Seat,
    phase: Phase,
    confirm: Option<Confirm>,
    has_help: bool,
    /// What the person should know, until the next key.
    told: Option<String>,
    resigns: bool,
    /// Where the cursor was last.
    cursor: Coord,
    /// Where what happens comes from; none once nothing more comes. It is dropped before the line, as fields are in their
    /// order: whoever finds that the person has left finds that nobody watches, too.
    updates: Option<Updates>,
    /// Where the referee's questions come from, and the answers go.
    line: Line,
}

impl PlayScreen {
    /// The screen of the person at a seat of a game that is about to begin, and the player that the person is. What
    /// happens in the game comes by its feed.
    pub fn new(timeline: Timeline, me: Seat, updates: Updates) -> (Self, Person) {
        let mut game = GameScreen::watch(timeline).with_left(me);
        game.set_pace(Pace::Live);
        game.set_sight(Sight::Of(me));
        let size = game.timeline().size();
        let cursor = Coord::new(size.height / 2, size.width / 2);
        let (person, line) = person::person();
        let screen = Self {
            game,
            me,
            phase: Phase::Waiting,
            confirm: None,
            has_help: false,
            told: None,
            resigns: false,
            cursor,
            line,
            updates: Some(updates),
        };
        (screen, person)
    }

    /// The same screen, which offers to save the game once it is over.
    pub fn with_saving(mut self) -> Self {
        self.game = self.game.with_saving();
        self
    }

    /// The game, as its screen shows it once it is over.
    pub fn game(&self) -> &GameScreen {
        &self.game
    }

    /// Whether the person is waited for.
    pub fn is_asked(&self) -> bool {
        !matches!(self.phase, Phase::Waiting | Phase::Over)
    }

    fn end(&mut self) {
        if !matches!(self.phase, Phase::Over) {
            self.phase = Phase::Over;
            self.confirm = None;
            self.has_help = false;
            // Now the bot's ships may be seen.
            self.game.set_sight(Sight::Truth);
            self.game.set_pace(Pace::Paused);
        }
    }

    /// The referee asks the person for something.
    fn ask(&mut self, ask: Ask) {
        if self.resigns {
            self.say(Said::Resign);
            return;
        }
        self.phase = match (ask, &self.game.timeline().header().rules) {
            (Ask::Fleet { seed }, GameRules::Battleship(rules)) => {
                Phase::Placing(Placing::new(FleetSpec::of(rules), seed))
            }
            (Ask::Shot, _) => Phase::Aiming(Aiming::new(self.me, self.cursor)),
            (Ask::Positions { seed }, _) => Phase::Positioning(Positioning::new(seed)),
            (Ask::Action, _) => Phase::Acting(Acting::new(self.me, self.cursor)),
            // Submarine has no fleet to place, and nobody asks for one.
            (Ask::Fleet { .. }, GameRules::Submarine(_)) => Phase::Waiting,
        };
    }

    fn say(&mut self, said: Said) {
        self.phase = Phase::Waiting;
        // If the game is gone, its feed is closed, which the screen finds out by itself.
        let _ = self.line.says.send(said);
    }

    /// Takes in what has happened and what the referee asks, and lets time pass. Says whether the screen is another for it.
    pub fn tick(&mut self, elapsed: Duration) -> bool {
        // What had happened when a question came is in the feed by then, so the question is looked for first.
        let asked = self.line.asks.try_recv().ok();
        let mut changed = asked.is_some();
        if let Some(updates) = &self.updates {
            let (new, is_open) = updates.take();
            for update in new {
                changed |= self.game.receive(update);
            }
            if !is_open {
                self.updates = None;
                changed |= self.game.close_feed();
            }
            if !is_open || self.game.timeline().is_over() {
                self.end();
            }
        }
        if let Some(ask) = asked {
            self.ask(ask);
        }
        changed | self.game.tick(elapsed)
    }

    /// The time after which [`PlayScreen::tick`] may have something to do; none while nothing happens by itself.
    pub fn wait(&self) -> Option<Duration> {
        // While the person thinks, the game waits.
        let look = (self.updates.is_some() && !self.is_asked()).then_some(LOOK_EVERY);
        [self.game.wait(), look].into_iter().flatten().min()
    }

    /// What the person should know about the last key.
    pub(crate) fn notice(&mut self, text: String) {
        self.game.notice(text);
    }

    /// Answers a key.
    pub fn key(&mut self, key: Key) -> Effect {
        if key == Key::Interrupt {
            return Effect::End(Ended::Interrupted);
        }
        if let Phase::Over = self.phase {
            return self.game.key(key);
        }
        if std::mem::take(&mut self.has_help) {
            return Effect::Changed;
        }
        if let Some(confirm) = self.confirm.take() {
            return self.confirmed(confirm, key);
        }
        let had_told = self.told.take().is_some();
        match self.phase_key(key) {
            Answer::Nothing if had_told => Effect::Changed,
            Answer::Nothing => Effect::Nothing,
            answer => {
                match answer {
                    Answer::Told(words) => self.told = Some(words),
                    Answer::Said(said) => self.say(said),
                    Answer::Confirm(confirm) => self.confirm = Some(confirm),
                    Answer::Help => self.has_help = true,
                    Answer::Nothing | Answer::Changed => {}
                }
                Effect::Changed
            }
        }
    }

    fn phase_key(&mut self, key: Key) -> Answer {
        let is_thinking = matches!(self.phase, Phase::Aiming(_) | Phase::Acting(_));
        // While a turn is thought about, letters may begin a spot; otherwise these are keys everywhere.
        if !is_thinking {
            match key {
                Key::Char('q') | Key::Esc => return Answer::Confirm(Confirm::Leave),
                Key::Char('?') => return Answer::Help,
                _ => {}
            }
        }
        let answer = match (&mut self.phase, self.game.moment()) {
            (Phase::Placing(placing), _) => placing.key(key),
            (Phase::Positioning(positioning), _) => positioning.key(key),
            (Phase::Aiming(aiming), Moment::Battleship(game)) => aiming.key(key, game),
            (Phase::Acting(acting), Moment::Submarine(game)) => acting.key(key, game),
            _ => Answer::Nothing,
        };
        match &self.phase {
            Phase::Aiming(aiming) => self.cursor = aiming.cursor(),
            Phase::Acting(acting) => self.cursor = acting.cursor(),
            _ => {}
        }
        answer
    }

    fn confirmed(&mut self, confirm: Confirm, key: Key) -> Effect {
        match (confirm, key) {
            (Confirm::Leave, Key::Char('q' | 'y')) => return Effect::End(Ended::Quit),
            (Confirm::Leave, Key::Char('r')) => {
                self.resigns = true;
                if !matches!(self.phase, Phase::Waiting) {
                    self.say(Said::Resign);
                }
            }
            (Confirm::Skip(_), Key::Char('y' | 's')) => self.say(Said::Shot(None)),
            _ => {}
        }
        Effect::Changed
    }
}

/// Moves a cursor by a key, or does nothing.
fn move_cursor(cursor: &mut Coord, size: Size, key: Key) -> Answer {
    let Coord { row, column } = *cursor;
    let last = Coord::new(size.height.saturating_sub(1), size.width.saturating_sub(1));
    let moved = match key {
        Key::Left => Coord::new(row, column.saturating_sub(1)),
        Key::Right => Coord::new(row, (column + 1).min(last.column)),
        Key::Up => Coord::new(row.saturating_sub(1), column),
        Key::Down => Coord::new((row + 1).min(last.row), column),
        Key::Home => Coord::new(row, 0),
        Key::End => Coord::new(row, last.column),
        Key::PageUp => Coord::new(0, column),
        Key::PageDown => Coord::new(last.row, column),
        _ => return Answer::Nothing,
    };
    *cursor = moved;
    Answer::Changed
}
