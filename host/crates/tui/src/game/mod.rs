//! The screen of a game, watched as it is played or replayed: both are the same.

mod bar;
mod chart;
mod compact;
mod draw;
mod keys;
mod motion;
mod picture;
mod scene;
mod scoreboard;
mod series;

pub use motion::Playback;
pub(crate) use picture::{Places, draw_running};
pub(crate) use scene::PANEL_WIDTH_MIN;
pub use series::Score;

use crate::on_screen::OnScreen;
use crate::screen::{KeyEffect, Mouse, Screen};
use crate::sheet::Scroll;
use crate::target::Targets;
use crate::theme::Theme;
use arena_live::{Update, Updates};
use arena_pictures::{Heat, Moment, Timeline, Viewpoint};
use arena_record::{Header, Transcript};
use arena_rules::Seat;
use crossterm::event::KeyCode;
use motion::Motion;
use ratatui::buffer::Buffer;
use series::Series;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// The time between two looks at a game that is being played. Chosen: the same as the dashboard's.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The overlay on the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Overlay {
    None,
    Help,
    /// The number of a turn is being typed.
    GoTo(String),
}

/// The condition under which the bots' logs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logs {
    /// If there is room below the boards, once a bot has printed something.
    IfRoom,
    Shown,
    Hidden,
}

/// The screen of a game.
#[derive(Debug)]
pub struct GameScreen<G: OnScreen> {
    timeline: Timeline<G>,
    /// The position of the screen on the timeline, and the game there.
    position: usize,
    moment: Moment<G>,
    motion: Motion,
    viewpoint: Viewpoint,
    logs: Logs,
    /// True if the logs were on the last picture.
    logs_drawn: Cell<bool>,
    overlay: Overlay,
    /// True if more events may come.
    is_open: bool,
    /// The source of messages; `None` once no more come.
    updates: Option<Updates<G>>,
    /// The games of the same two before this one.
    series: Series,
    /// The first row to show, if the user scrolls a board that does not fit.
    top: Option<u8>,
    /// The part of a picture to show that does not fit.
    scroll: Scroll,
    /// True if the host can save the game.
    can_save: bool,
    /// The place in which the game has been saved.
    saved: Option<String>,
    /// An answer to the last key, until the next change.
    notice: Option<String>,
    /// The reason why the game has no result, if it has none.
    stopped: Option<String>,
    /// The seat whose board is on the left.
    left: Seat,
    /// True if the chance of a ship is shown on each cell.
    has_heat: bool,
    /// True if what the bots draw beside their turns is shown.
    has_marks: bool,
    /// The last maps of these chances, with the number of events and the position that they are of.
    maps: RefCell<Option<Maps>>,
    /// The parts of the last picture that can be clicked on.
    targets: RefCell<Targets>,
}

/// Maps of both boards, with the number of events and the position that they are of.
type Maps = ((usize, usize), Rc<[Option<Heat>; 2]>);

impl<G: OnScreen> GameScreen<G> {
    /// The names of both sides, from left to right.
    pub(crate) fn names(&self) -> String {
        arena_pictures::sentences::pairing(&self.timeline, self.left)
    }

    /// A recorded game, from its beginning, paused.
    pub fn replay(timeline: Timeline<G>) -> Self {
        Self::new(timeline, Playback::Paused, false)
    }

    /// A game that is being played. It is shown from its beginning at a speed that can be followed, even if it is played
    /// faster.
    pub fn watch(timeline: Timeline<G>) -> Self {
        Self::new(timeline, Playback::Playing, true)
    }

    /// A game that a person plays at a seat: the newest event is shown as that side sees it.
    pub(crate) fn of_person(timeline: Timeline<G>, seat: Seat, updates: Updates<G>) -> Self {
        let screen = Self::new(timeline, Playback::Live, true).fed_by(updates);
        Self { viewpoint: Viewpoint::Of(seat), left: seat, ..screen }
    }

    /// Shows the game as a side sees it.
    pub(crate) fn see_as(&mut self, seat: Seat) {
        self.viewpoint = Viewpoint::Of(seat);
        self.left = seat;
    }

    /// True if the two sides may see different things at this moment.
    pub(crate) fn views_differ(&self) -> bool {
        let [first, second] = Seat::BOTH.map(|seat| G::picture(self.scene().moment, Viewpoint::Of(seat)));
        G::HAS_BOARDS || first.lines() != second.lines()
    }

    /// A recorded game, which plays by itself.
    pub(crate) fn show(timeline: Timeline<G>) -> Self {
        Self::new(timeline, Playback::Playing, false)
    }

    fn new(timeline: Timeline<G>, playback: Playback, is_open: bool) -> Self {
        let moment = timeline.moment(0);
        let series = Series::new(timeline.header(), 1);
        Self {
            timeline,
            position: 0,
            moment,
            motion: Motion::new(playback),
            viewpoint: Viewpoint::Truth,
            logs: Logs::IfRoom,
            logs_drawn: Cell::new(false),
            overlay: Overlay::None,
            is_open,
            updates: None,
            series,
            top: None,
            scroll: Scroll::default(),
            can_save: false,
            saved: None,
            notice: None,
            stopped: None,
            left: Seat::First,
            has_heat: false,
            has_marks: true,
            maps: RefCell::default(),
            targets: RefCell::default(),
        }
    }

    /// The same screen, which takes its messages from a feed.
    pub(crate) fn fed_by(mut self, updates: Updates<G>) -> Self {
        self.updates = Some(updates);
        self
    }

    /// The same screen for the first of a series of games, which begins with the game of this header. The bot that has
    /// seat 1 in that one is on the left in all.
    #[must_use]
    pub fn of_series(mut self, first: &Header, games: u32) -> Self {
        self.series = Series::new(first, games);
        self.left = self.series.left(self.timeline.header());
        self
    }

    /// The score of the games of the series that have been shown.
    pub fn score(&self) -> Score {
        let end = self.moment.replay().end().map(|(outcome, _)| outcome);
        self.series.score_with(self.timeline.header(), end)
    }

    /// True if the feed may bring more news.
    pub(crate) fn is_fed(&self) -> bool {
        self.updates.is_some()
    }

    /// The game as far as it is known.
    pub fn timeline(&self) -> &Timeline<G> {
        &self.timeline
    }

    /// The position of the screen on the timeline.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The way in which the screen goes along the game.
    pub fn playback(&self) -> Playback {
        self.motion.playback
    }

    /// The eyes that the game is seen with.
    pub fn viewpoint(&self) -> Viewpoint {
        self.viewpoint
    }

    /// Shows the truth, and stops: the end of a person's game.
    pub(crate) fn reveal(&mut self) {
        self.viewpoint = Viewpoint::Truth;
        self.motion.playback = Playback::Paused;
    }

    pub(crate) fn notice(&mut self, text: impl Into<String>) {
        self.notice = Some(text.into());
    }

    /// Takes a message. Returns true if the screen has to be drawn again.
    pub fn receive(&mut self, update: Update<G>) -> bool {
        match update {
            Update::Event(event) => {
                if let Err(error) = self.timeline.push(event) {
                    self.stop(format!("the game cannot be shown any further: {error}"));
                } else if self.motion.playback == Playback::Live {
                    self.stand_at(self.timeline.len());
                    self.strike();
                }
                true
            }
            Update::Log { seat, text } => {
                self.timeline.set_log(seat, text);
                self.logs != Logs::Hidden
            }
            Update::Restarted => {
                self.timeline.restart();
                self.stand_at(0);
                self.notice("the game restarts");
                true
            }
            Update::Game(header) => {
                match Timeline::new(*header) {
                    Ok(timeline) => self.begin(timeline),
                    Err(error) => self.stop(format!("the next game cannot be shown: {error}")),
                }
                true
            }
            Update::Stopped(why) => {
                self.stop(format!("the game has no result: {why}"));
                true
            }
        }
    }

    /// Begins the next game of the series.
    fn begin(&mut self, timeline: Timeline<G>) {
        let end = self.timeline.end().map(|(outcome, _)| outcome);
        self.series.count(self.timeline.header(), end);
        // The bot that was on the left stays there.
        self.left = self.series.left(timeline.header());
        self.timeline = timeline;
        (self.is_open, self.saved, self.stopped) = (true, None, None);
        self.maps.take();
        self.stand_at(0);
        self.motion.begin();
    }

    /// Closes the feed: nothing more comes. Returns true if the screen has to be drawn again.
    pub fn close_feed(&mut self) -> bool {
        let was_open = std::mem::replace(&mut self.is_open, false);
        if was_open && !self.timeline.is_over() {
            self.stopped.get_or_insert_with(|| "the game has stopped without a result".into());
        }
        was_open
    }

    /// The game cannot continue; of several reasons, the first one counts.
    fn stop(&mut self, why: String) {
        self.is_open = false;
        self.stopped.get_or_insert(why);
    }

    /// Takes in the news of the feed.
    fn take_updates(&mut self) -> bool {
        let Some(updates) = &self.updates else { return false };
        let (new, is_open) = updates.take();
        let mut changed = false;
        for update in new {
            changed |= self.receive(update);
        }
        if !is_open {
            self.updates = None;
            changed |= self.close_feed();
        }
        changed
    }

    /// Begins the animation of the last event.
    pub(super) fn strike(&mut self) {
        let event = self.timeline.events_until(self.position).last();
        let blast = event.and_then(|event| G::blast(&self.moment, event, self.viewpoint));
        self.motion.strike(blast.map_or(0, |(_, blast)| blast.frames()));
    }

    fn stand_at(&mut self, position: usize) {
        self.move_to(position);
        let is_last_ship = || Seat::BOTH.into_iter().any(|owner| G::is_last_ship(&self.moment, owner));
        let is_tense = self.viewpoint == Viewpoint::Truth && self.moment.replay().end().is_none();
        self.motion.set_tense(is_tense && is_last_ship());
    }

    fn move_to(&mut self, position: usize) {
        let position = position.min(self.timeline.len());
        self.notice = None;
        self.motion.settle();
        if position == self.position + 1
            && let Some(event) = self.timeline.events_until(position).last()
            // It followed the game at that time, so it continues to follow.
            && self.moment.step(event).is_ok()
        {
            self.position = position;
            return;
        }
        self.position = position;
        self.moment = self.timeline.moment(position);
    }

    /// Moves on by the time that has passed.
    fn advance(&mut self, elapsed: Duration) -> bool {
        let is_animated = self.motion.animate(elapsed);
        let steps = self.motion.steps(elapsed, self.timeline.len() - self.position);
        if steps == 0 {
            return is_animated;
        }
        self.stand_at(self.position + steps);
        if steps == 1 {
            self.strike();
        }
        if self.has_seen_all() && !self.is_open {
            self.motion.pause();
        }
        true
    }

    /// True if the newest event is shown.
    pub(crate) fn has_seen_all(&self) -> bool {
        self.position == self.timeline.len()
    }

    /// Shows the newest event at once. Returns true if it was not shown yet.
    pub(crate) fn see_all(&mut self) -> bool {
        let is_behind = !self.has_seen_all();
        if is_behind {
            self.stand_at(self.timeline.len());
        }
        is_behind
    }

    /// The time after which the motion continues by itself.
    pub(crate) fn motion_wait(&self) -> Option<Duration> {
        self.motion.wait(!self.has_seen_all())
    }

    /// Asks for the next game of the series, if there is one.
    fn ask_for_next(&self) {
        if let Some(updates) = &self.updates {
            updates.ask_for_game();
        }
    }
}

impl<G: OnScreen> Screen for GameScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        self.draw_on(theme, buffer);
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        self.answer(key)
    }

    fn mouse(&mut self, mouse: Mouse) -> KeyEffect {
        self.answer_mouse(mouse)
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        let has_changed = self.take_updates() | self.advance(elapsed);
        if self.motion.rest(elapsed, self.timeline.is_over() && self.has_seen_all()) {
            self.ask_for_next();
        }
        has_changed
    }

    fn wait(&self) -> Option<Duration> {
        let look = self.updates.as_ref().map(|_| LOOK_EVERY);
        [self.motion_wait(), look].into_iter().flatten().min()
    }

    fn offer(&mut self, can_save: bool, animates: bool) {
        self.can_save = can_save;
        self.motion.set_animation(animates);
        if animates && self.motion.playback == Playback::Live {
            self.motion.follow();
        }
    }

    fn to_save(&mut self) -> Option<Transcript<G>> {
        self.timeline.transcript()
    }

    fn saved(&mut self, place: Result<String, String>) {
        match place {
            Ok(place) => {
                self.notice(format!("saved: {place}"));
                self.saved = Some(place);
            }
            Err(why) => self.notice(format!("not saved: {why}")),
        }
    }
}
