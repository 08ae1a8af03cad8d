//! Games that are drawn from bytes, and played against a second referee.

use crate::drawing::Drawing;
use arena_referee::End;
use arena_rules::{Game, GameRules, Outcome, Reason, Ruling, Seat};

/// A game that can be drawn from bytes.
pub(crate) trait Drawn: Game<View: PartialEq> {
    /// The rules as the header of a recording has them. A game that is not listed has those of another one there.
    fn recorded(rules: &Self::Rules) -> GameRules;

    /// Draws rules, a legal setup for each side and the seat that moves first; `None` when the bytes have no legal
    /// setups.
    fn begin(drawing: &mut Drawing<'_>) -> Option<(Self::Rules, [Self::Setup; 2], Seat)>;

    /// Draws the step of a side at its turn.
    fn step(drawing: &mut Drawing<'_>, info: &Self::Info, view: &Self::View) -> Step<Self::Action>;

    /// Makes a legal deployment illegal.
    fn spoil(deployment: &mut Self::Deployment);

    /// Changes rules so that the engine draws the setups, if the game has such rules.
    fn let_engine_place(_rules: &mut Self::Rules) {}
}

/// A step of a side at its turn.
pub(crate) enum Step<A> {
    /// An action. It may be invalid.
    Act(A),
    /// An overrun of the budget.
    Overrun,
    /// A fault that loses at once.
    Fail,
}

/// The course of a game. It is the same for all second referees.
pub(crate) struct ModelGame {
    pub(crate) starter: Seat,
    pub(crate) mover: Seat,
    /// The number of turns that each side has taken.
    pub(crate) turns: [u32; 2],
    pub(crate) end: Option<End>,
}

impl ModelGame {
    /// Ends a side's turn.
    pub(crate) fn end_turn(&mut self, seat: Seat) {
        self.turns[seat.index()] += 1;
        self.mover = seat.other();
    }

    /// Ends the game: a side has lost by a fault.
    pub(crate) fn lose(&mut self, seat: Seat) {
        self.end = Some((Outcome::Win(seat.other()), Reason::Forfeit));
    }
}

/// A second referee of a game. It is written only from the page of the rules.
pub(crate) trait Model<G: Drawn> {
    fn new(rules: &G::Rules, setups: &[G::Setup; 2]) -> Self;

    /// Takes the action of a side at its turn.
    fn act(&mut self, course: &mut ModelGame, seat: Seat, action: &G::Action) -> Ruling<G>;

    /// Takes note of an overrun. Returns true if the turn is skipped.
    fn overrun(&mut self, course: &mut ModelGame, seat: Seat) -> bool;

    /// The view of a side.
    fn view(&self, course: &ModelGame, seat: Seat) -> G::View;

    /// Checks the rest of the game.
    fn check(&self, game: &G);

    /// Takes note of the view of a side at its turn.
    fn see(&mut self, _seat: Seat, _view: &G::View) {}
}

/// Plays a drawn game and checks after each step that the two referees agree, on what the step does, whose turn it is, the
/// views of both sides and the end.
pub(crate) fn play_against<G: Drawn, M: Model<G>>(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    let Some((rules, setups, starter)) = G::begin(&mut drawing) else { return };
    let rules = &rules;
    for setup in &setups {
        let again = G::setup(rules, &G::deployment(setup));
        assert!(again.is_ok_and(|again| again == *setup), "{setup:?}");
    }
    let info = G::info(rules, 1, 0);
    let mut model = M::new(rules, &setups);
    let mut course = ModelGame { starter, mover: starter, turns: [0; 2], end: None };
    let mut game = G::new(rules, setups, starter);
    compare(&game, &model, &course);
    while let Some(seat) = game.to_move() {
        if drawing.is_over() {
            return;
        }
        let view = game.view(seat);
        model.see(seat, view);
        match G::step(&mut drawing, &info, view) {
            Step::Act(action) => {
                let ruling = game.act(seat, &action);
                assert_eq!(ruling, model.act(&mut course, seat, &action), "{action:?}");
                if let Ruling::Retry(why) | Ruling::Lost(why) = ruling {
                    let complaint = G::complaint(&action, &why);
                    assert!(!complaint.is_empty() && !complaint.contains(char::is_control), "{complaint:?}");
                }
            }
            Step::Overrun => assert_eq!(game.overrun(seat), model.overrun(&mut course, seat)),
            Step::Fail => {
                game.forfeit(seat);
                course.lose(seat);
            }
        }
        compare(&game, &model, &course);
    }
    // A finished game does not change.
    let end = game.end();
    Seat::BOTH.into_iter().for_each(|seat| game.forfeit(seat));
    assert_eq!(game.end(), end);
}

fn compare<G: Drawn>(game: &G, model: &impl Model<G>, course: &ModelGame) {
    assert_eq!(game.end(), course.end);
    assert_eq!(game.to_move(), course.end.is_none().then_some(course.mover));
    assert_eq!(Seat::BOTH.map(|seat| game.turns(seat)), course.turns);
    // The sides take turns: they are even before a turn of the starter, and one apart before a turn of the other side.
    let ahead = course.turns[course.starter.index()] - course.turns[course.starter.other().index()];
    assert_eq!(ahead, u32::from(course.mover != course.starter));
    for seat in Seat::BOTH {
        assert_eq!(game.view(seat), &model.view(course, seat));
    }
    model.check(game);
}
