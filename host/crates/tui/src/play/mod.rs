//! The screen of a person who plays against a bot, or of two who share it.

mod draw;

use crate::game::GameScreen;
use crate::on_screen::{Click, Confirm, Input, OnScreen, Reaction};
use crate::screen::{Ended, Gesture, KeyEffect, Mouse, Screen};
use crate::target::{Clicked, Targets};
use crate::theme::Theme;
use arena_live::{Decision, Patience, Person, Question, Updates};
use arena_pictures::Timeline;
use arena_rules::{Coord, Seat};
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use std::cell::RefCell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The time between two looks for the bot's move. Chosen: twenty a second, so that an answer seems immediate.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The phase of the game for the person.
#[derive(Debug)]
enum Phase<G: OnScreen> {
    /// It is the bot's turn, or the game has not begun.
    Waiting,
    /// The person puts together a deployment.
    Placing(Box<dyn Input<G>>),
    /// The person puts together an action.
    Turn(Box<dyn Input<G>>),
    /// The screen is to be handed over to the other person, who has this question. Nothing of the game is shown.
    HandOver(Question<G>),
    /// The game is over: it can be looked at.
    Over,
}

/// The screen of a person who plays against a bot, or of two persons in turn. When the game is over, it is that of a game.
///
/// An illegal input is never sent: the screen says what is wrong, and waits.
#[derive(Debug)]
pub struct PlayScreen<G: OnScreen> {
    /// The game with its feed. It is dropped before the channels, as fields are in their order: when the referee finds that
    /// the person has left, the screen is gone too.
    game: GameScreen<G>,
    /// The seat of the person who is at the screen.
    me: Seat,
    phase: Phase<G>,
    confirm: Option<Confirm<G>>,
    has_help: bool,
    /// An answer to the last key, until the next one.
    notice: Option<String>,
    resigns: bool,
    /// The last cell of the cursor in a turn.
    cursor: Coord,
    questions: Receiver<(Seat, Question<G>)>,
    /// A question that waits until the events before it have been seen.
    asked: Option<(Seat, Question<G>)>,
    /// The channels to the persons, by seat.
    decisions: [Option<Sender<Decision<G>>>; 2],
    /// The parts of the last picture that can be clicked on.
    targets: RefCell<Targets>,
}

impl<G: OnScreen> PlayScreen<G> {
    /// The screen of the person at a seat of a game that is about to begin, and the person as a player. The events of the
    /// game come by its feed.
    pub fn new(timeline: Timeline<G>, me: Seat, updates: Updates<G>) -> (Self, Person<G>) {
        let (ask, questions) = channel();
        let (person, decide) = Person::new(me, asking(ask));
        let mut screen = Self::with_questions(timeline, me, updates, questions);
        screen.decisions[me.index()] = Some(decide);
        (screen, person)
    }

    /// The screen of two persons who share it, one of whom is at it first, and both as players by seat. Where their views differ, the screen
    /// is handed over between their turns.
    pub fn of_both(timeline: Timeline<G>, first: Seat, updates: Updates<G>) -> (Self, [Person<G>; 2]) {
        let (ask, questions) = channel();
        let mut screen = Self::with_questions(timeline, first, updates, questions);
        let persons = Seat::BOTH.map(|seat| {
            let (person, decide) = Person::new(seat, asking(ask.clone()));
            screen.decisions[seat.index()] = Some(decide);
            person
        });
        (screen, persons)
    }

    fn with_questions(
        timeline: Timeline<G>,
        me: Seat,
        updates: Updates<G>,
        questions: Receiver<(Seat, Question<G>)>,
    ) -> Self {
        let game = GameScreen::of_person(timeline, me, updates);
        let size = game.timeline().size();
        let cursor = Coord::new(size.height / 2, size.width / 2);
        Self {
            game,
            me,
            phase: Phase::Waiting,
            confirm: None,
            has_help: false,
            notice: None,
            resigns: false,
            cursor,
            questions,
            asked: None,
            decisions: [None, None],
            targets: RefCell::default(),
        }
    }

    /// The game, as its screen shows it once it is over.
    pub fn game(&self) -> &GameScreen<G> {
        &self.game
    }

    /// True if the game waits for the person.
    pub fn is_asked(&self) -> bool {
        matches!(self.phase, Phase::Placing(_) | Phase::Turn(_) | Phase::HandOver(_))
    }

    /// True if two persons share the screen.
    fn is_shared(&self) -> bool {
        self.decisions.iter().all(Option::is_some)
    }

    /// The input that the person is asked for.
    fn input(&self) -> Option<&dyn Input<G>> {
        match &self.phase {
            Phase::Placing(input) | Phase::Turn(input) => Some(input.as_ref()),
            Phase::Waiting | Phase::HandOver(_) | Phase::Over => None,
        }
    }

    fn end(&mut self) {
        if !matches!(self.phase, Phase::Over) {
            self.phase = Phase::Over;
            self.confirm = None;
            self.has_help = false;
            // Now the bot's ships may be seen.
            self.game.reveal();
        }
    }

    /// Takes a question of the referee to the person at a seat.
    fn ask(&mut self, (seat, question): (Seat, Question<G>)) {
        if self.resigns {
            return self.decide(Decision::Resign);
        }
        let is_handed_over = seat != self.me && self.game.views_differ();
        self.me = seat;
        self.game.see_as(seat);
        if is_handed_over {
            self.phase = Phase::HandOver(question);
        } else {
            self.begin(question);
        }
    }

    /// Shows a question to the person at the screen.
    fn begin(&mut self, question: Question<G>) {
        self.phase = match question {
            Question::Deployment(info) => Phase::Placing(G::placing(&info)),
            Question::Action => Phase::Turn(G::turn(self.game.scene().moment, self.me, self.cursor)),
        };
    }

    fn decide(&mut self, decision: Decision<G>) {
        self.phase = Phase::Waiting;
        // If the game is gone, its feed is closed, and the screen finds that out by itself.
        if let Some(person) = &self.decisions[self.me.index()] {
            let _ = person.send(decision);
        }
    }

    /// Shows a question once the events before it have been seen.
    fn ask_if_seen(&mut self) -> bool {
        if !self.game.has_seen_all() {
            return false;
        }
        let question = self.asked.take();
        let is_asked = question.is_some();
        if let Some(question) = question {
            self.ask(question);
        }
        is_asked
    }

    fn react(&mut self, key: KeyCode) -> Reaction<G> {
        if let (Phase::HandOver(question), KeyCode::Enter) = (&self.phase, key) {
            self.begin(question.clone());
            return Reaction::Changed;
        }
        let (Phase::Placing(input) | Phase::Turn(input)) = &mut self.phase else {
            return command(key).unwrap_or(Reaction::Nothing);
        };
        if !G::HAS_BOARDS && self.game.scroll_picture(key) {
            return Reaction::Changed;
        }
        let command = input.typed().is_none().then(|| command(key)).flatten();
        let reaction = command.unwrap_or_else(|| input.key(key, self.game.scene().moment));
        self.cursor = input.typed().map_or(self.cursor, |(_, cursor)| cursor);
        reaction
    }

    fn take(&mut self, reaction: Reaction<G>) -> KeyEffect {
        match reaction {
            Reaction::Nothing | Reaction::Changed => {}
            Reaction::Notice(text) => self.notice = Some(text),
            Reaction::Decided(decision) => self.decide(decision),
            Reaction::Confirm(confirm) => self.confirm = Some(confirm),
            Reaction::Help => self.has_help = true,
        }
        KeyEffect::Changed
    }

    fn confirmed(&mut self, confirm: Confirm<G>, key: KeyCode) -> KeyEffect {
        match (confirm, key) {
            (Confirm::Leave, KeyCode::Char('q' | 'y')) => return KeyEffect::End(Ended::Quit),
            (Confirm::Leave, KeyCode::Char('r')) => {
                self.resigns = true;
                if self.is_asked() {
                    self.decide(Decision::Resign);
                }
            }
            (Confirm::Action { action, .. }, KeyCode::Char('y' | 's')) => {
                self.decide(Decision::Action(action))
            }
            (Confirm::Input(_), KeyCode::Char('y' | 'x')) => {
                if let Phase::Placing(input) | Phase::Turn(input) = &mut self.phase {
                    let reaction = input.confirmed();
                    return self.take(reaction);
                }
            }
            _ => {}
        }
        KeyEffect::Changed
    }
}

/// Passes a person's questions to the screen, which waits for the decisions for as long as it is there.
fn asking<G: OnScreen>(
    questions: Sender<(Seat, Question<G>)>,
) -> impl Fn(Seat, Question<G>) -> Option<Patience> {
    move |seat, question| questions.send((seat, question)).ok().map(|()| Patience::Forever)
}

/// The reaction to a key that is a command wherever no text is typed.
fn command<G: OnScreen>(key: KeyCode) -> Option<Reaction<G>> {
    match key {
        KeyCode::Char('q') | KeyCode::Esc => Some(Reaction::Confirm(Confirm::Leave)),
        KeyCode::Char('?') => Some(Reaction::Help),
        _ => None,
    }
}

impl<G: OnScreen> Screen for PlayScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        self.draw_on(theme, buffer);
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        if let Phase::Over = self.phase {
            return self.game.key(key);
        }
        if std::mem::take(&mut self.has_help) {
            return KeyEffect::Changed;
        }
        if let Some(confirm) = self.confirm.take() {
            return self.confirmed(confirm, key);
        }
        // A key press skips what is still to be shown.
        let was_behind = self.game.see_all() | self.ask_if_seen();
        let had_notice = self.notice.take().is_some();
        match self.react(key) {
            Reaction::Nothing if !had_notice && !was_behind => KeyEffect::Nothing,
            reaction => self.take(reaction),
        }
    }

    /// A game that is left has no result, so the first `q` asks, and the second one leaves.
    fn quit(&mut self) -> KeyEffect {
        if matches!((&self.phase, &self.confirm), (Phase::Over, _) | (_, Some(Confirm::Leave))) {
            return KeyEffect::End(Ended::Quit);
        }
        self.has_help = false;
        self.confirm = Some(Confirm::Leave);
        KeyEffect::Changed
    }

    fn mouse(&mut self, mouse: Mouse) -> KeyEffect {
        if let Phase::Over = self.phase {
            return self.game.mouse(mouse);
        }
        let decides = match mouse.gesture {
            Gesture::Press => true,
            Gesture::Turn => false,
            _ => return KeyEffect::Nothing,
        };
        let was_open = std::mem::take(&mut self.has_help) | self.confirm.take().is_some();
        let was_behind = self.game.see_all() | self.ask_if_seen();
        let clicked = self.targets.borrow().at(mouse.column, mouse.row);
        let is_free = !was_open && !was_behind;
        if let (Some(Clicked::Choice(place)), true, Phase::Turn(input)) = (clicked, is_free, &mut self.phase)
        {
            self.notice = None;
            let reaction = input.pick(place);
            return self.take(reaction);
        }
        let (Some(Clicked::Cell { board, at }), true) = (clicked, is_free) else {
            return if was_open || was_behind { KeyEffect::Changed } else { KeyEffect::Nothing };
        };
        let (Phase::Placing(input) | Phase::Turn(input)) = &mut self.phase else { return KeyEffect::Nothing };
        self.notice = None;
        // The person's board is on the left.
        let reaction = input.click(Click { at, is_own: board == 0, decides }, self.game.scene().moment);
        self.cursor = input.typed().map_or(self.cursor, |(_, cursor)| cursor);
        self.take(reaction)
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        // All events before a question are in the feed when it comes, so the question is looked for first.
        if let Ok(question) = self.questions.try_recv() {
            self.asked = Some(question);
        }
        let changed = self.game.tick(elapsed);
        if self.game.has_seen_all() && (!self.game.is_fed() || self.game.timeline().is_over()) {
            self.end();
        }
        self.ask_if_seen() | changed
    }

    fn wait(&self) -> Option<Duration> {
        match self.phase {
            Phase::Over => self.game.wait(),
            Phase::Waiting => Some(LOOK_EVERY),
            // While the person thinks, the game waits, and only an animation may go on.
            Phase::Placing(_) | Phase::Turn(_) | Phase::HandOver(_) => self.game.motion_wait(),
        }
    }

    fn game_screen(&mut self) -> Option<&mut dyn Screen<Game = G>> {
        Some(&mut self.game)
    }
}
