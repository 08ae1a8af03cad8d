//! Battleship, compared with a second referee that has cells in sets and no counters.

use crate::drawing::Drawing;
use crate::model::{Drawn, Model, ModelGame, Step, play_against};
use arena_rules::battleship::{
    Action, BOTH_FLEETS_SUNK, BOTH_SKIPPED, Battleship, Effect, FLEET_SUNK, Fleet, GameInfo, Invalid, Mark,
    OnInvalid, OnOverrun, OnSkip, OwnCell, Placing, Rounds, Ruleset, Ship, ShotResult, Starts, View,
};
use arena_rules::{Coord, Game, GameRules, Outcome, Placement, Reason, Ruling, Seat};
use std::collections::BTreeSet;

/// Any answers under any rules have the effects that the rules say. Each has the same effect for a second referee, the sides take
/// turns, hits and misses are the shots that counted, a sunk ship was hit in every cell, each side sees only the truth, and the
/// game ends exactly when the rules end it.
pub fn battles_keep_their_invariants(data: &[u8]) {
    play_against::<Battleship, Sets>(data);
}

impl Drawn for Battleship {
    fn recorded(rules: &Ruleset) -> GameRules {
        GameRules::Battleship(rules.clone())
    }

    /// Draws rules that a file may hold, on a board on which a game can end within a few hundred bytes.
    fn begin(drawing: &mut Drawing<'_>) -> Option<(Ruleset, [Fleet; 2], Seat)> {
        let size = drawing.size(10);
        let may_touch = drawing.is();
        let on_invalid = [OnInvalid::Retry, OnInvalid::Waste, OnInvalid::Lose];
        let rules = Ruleset {
            name: "drawn".into(),
            width: size.width,
            height: size.height,
            fleet: Vec::new(),
            may_touch,
            placing: Placing::Bot,
            starts: Starts::First,
            rounds: drawing.one_of(&[Rounds::EachShot, Rounds::BothShots]),
            off_board: drawing.one_of(&on_invalid),
            repeat: drawing.one_of(&on_invalid),
            skip: drawing.one_of(&[OnSkip::Skip, OnSkip::Lose]),
            two_skips_draw: drawing.is(),
            overrun: drawing.one_of(&[OnOverrun::Skip, OnOverrun::Lose]),
            sinkings_announced: drawing.is(),
            turn_budget_ms: 1,
            turns_max: u32::from(drawing.byte()) + 1,
        };
        let (fleet, fleets) = drawing.fleets(size, may_touch, 8)?;
        let rules = Ruleset { fleet, ..rules };
        assert_eq!(rules.validate(), Ok(()), "there are two such fleets");
        Some((rules, fleets, drawing.seat()))
    }

    fn step(drawing: &mut Drawing<'_>, info: &GameInfo, _: &View) -> Step<Action> {
        match drawing.number(0..=31) {
            31 => Step::Overrun,
            30 => Step::Fail,
            29 => Step::Act(Action::Skip),
            _ => Step::Act(Action::Shot(drawing.spot(info.size))),
        }
    }

    fn spoil(fleet: &mut Vec<Placement>) {
        fleet.pop();
    }

    /// Lets the engine place fleets that cover at most a sixth of the board. It draws these quickly.
    fn let_engine_place(rules: &mut Ruleset) {
        let cells: usize = rules.fleet.iter().copied().map(usize::from).sum();
        if 6 * cells <= rules.size().cells() {
            rules.placing = Placing::Engine;
        }
    }
}

/// A game as the page of the rules describes it.
struct Sets {
    rules: Ruleset,
    fleets: [Fleet; 2],
    retry: bool,
    /// The cells at which each side has shot.
    shots: [BTreeSet<Coord>; 2],
    /// The last turn of each side.
    last: [Option<Turn>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Spot(Coord),
    OffBoard,
    Skipped,
}

impl Sets {
    /// The ships that a side shoots at.
    fn targets(&self, seat: Seat) -> &[Ship] {
        self.fleets[seat.other().index()].ships()
    }

    fn is_hit(&self, seat: Seat, at: Coord) -> bool {
        self.targets(seat).iter().any(|ship| ship.cells().any(|cell| cell == at))
    }

    /// The lengths of the ships that a side has not sunk, longest first.
    fn afloat(&self, seat: Seat) -> Vec<u8> {
        let shots = &self.shots[seat.index()];
        let is_afloat = |ship: &&Ship| !ship.cells().all(|cell| shots.contains(&cell));
        let mut lengths: Vec<u8> = self.targets(seat).iter().filter(is_afloat).map(Ship::length).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    fn shoot(&mut self, course: &mut ModelGame, seat: Seat, at: Coord) -> Ruling<Battleship> {
        let is_on = at.row < self.rules.height && at.column < self.rules.width;
        let (why, rule) = if !is_on {
            (Invalid::OffBoard, self.rules.off_board)
        } else if self.shots[seat.index()].contains(&at) {
            (Invalid::Repeat, self.rules.repeat)
        } else {
            let afloat = self.afloat(seat).len();
            self.shots[seat.index()].insert(at);
            let result = if !self.is_hit(seat, at) {
                ShotResult::Miss
            } else if self.afloat(seat).len() < afloat {
                ShotResult::Sunk
            } else {
                ShotResult::Hit
            };
            self.end_turn(course, seat, Turn::Spot(at));
            return Ruling::Done(Effect::Shot(result));
        };
        match rule {
            OnInvalid::Retry => {
                self.retry = true;
                Ruling::Retry(why)
            }
            OnInvalid::Lose => {
                course.lose(seat);
                Ruling::Lost(why)
            }
            OnInvalid::Waste => {
                let again = if self.is_hit(seat, at) { ShotResult::Hit } else { ShotResult::Miss };
                self.end_turn(course, seat, if is_on { Turn::Spot(at) } else { Turn::OffBoard });
                Ruling::Done(Effect::Wasted { why, result: is_on.then_some(again) })
            }
        }
    }

    fn end_turn(&mut self, course: &mut ModelGame, seat: Seat, turn: Turn) {
        self.last[seat.index()] = Some(turn);
        self.retry = false;
        course.end_turn(seat);
        let is_round_over = course.turns[0] == course.turns[1];
        let won = Seat::BOTH.map(|seat| self.afloat(seat).is_empty());
        course.end = if won != [false, false] && (is_round_over || self.rules.rounds == Rounds::EachShot) {
            Some(match won {
                [true, true] => (Outcome::Draw, BOTH_FLEETS_SUNK),
                [true, false] => (Outcome::Win(Seat::First), FLEET_SUNK),
                _ => (Outcome::Win(Seat::Second), FLEET_SUNK),
            })
        } else if self.rules.two_skips_draw && self.last == [Some(Turn::Skipped); 2] {
            Some((Outcome::Draw, BOTH_SKIPPED))
        } else if course.turns.iter().all(|&turns| turns >= self.rules.turns_max) {
            Some((Outcome::Draw, Reason::TurnsMax))
        } else {
            None
        };
    }
}

impl Model<Battleship> for Sets {
    fn new(rules: &Ruleset, fleets: &[Fleet; 2]) -> Self {
        Self {
            rules: rules.clone(),
            fleets: fleets.clone(),
            retry: false,
            shots: Default::default(),
            last: [None; 2],
        }
    }

    fn act(&mut self, course: &mut ModelGame, seat: Seat, action: &Action) -> Ruling<Battleship> {
        match *action {
            Action::Shot(at) => self.shoot(course, seat, at),
            Action::Skip if self.rules.skip == OnSkip::Skip => {
                self.end_turn(course, seat, Turn::Skipped);
                Ruling::Done(Effect::Skipped)
            }
            Action::Skip => {
                course.lose(seat);
                Ruling::Lost(Invalid::Skip)
            }
        }
    }

    fn overrun(&mut self, course: &mut ModelGame, seat: Seat) -> bool {
        match self.rules.overrun {
            OnOverrun::Skip => self.end_turn(course, seat, Turn::Skipped),
            OnOverrun::Lose => course.lose(seat),
        }
        self.rules.overrun == OnOverrun::Skip
    }

    fn view(&self, course: &ModelGame, seat: Seat) -> View {
        let (own, other) = (seat.index(), seat.other().index());
        let mark = |at| match (self.shots[own].contains(&at), self.is_hit(seat, at)) {
            (false, _) => Mark::Unknown,
            (true, false) => Mark::Miss,
            (true, true) => Mark::Hit,
        };
        let cell = |at| match (self.shots[other].contains(&at), self.is_hit(seat.other(), at)) {
            (false, false) => OwnCell::Water,
            (false, true) => OwnCell::Ship,
            (true, false) => OwnCell::Missed,
            (true, true) => OwnCell::Hit,
        };
        let last = |side: usize| match self.last[side] {
            Some(Turn::Spot(at)) => Some(at),
            Some(Turn::OffBoard | Turn::Skipped) | None => None,
        };
        View {
            turn: course.turns[own] + 1,
            board: self.rules.size().coords().map(cell).collect(),
            attacks: self.rules.size().coords().map(mark).collect(),
            last_spot: last(other),
            my_last: last(own),
            retry: self.retry && course.end.is_none() && course.mover == seat,
            ships_remaining: self.rules.sinkings_announced.then(|| self.afloat(seat)),
        }
    }

    fn check(&self, game: &Battleship) {
        for seat in Seat::BOTH {
            assert_eq!(game.fleet(seat), &self.fleets[seat.index()]);
            assert_eq!(game.afloat(seat.other()), self.afloat(seat));
            let marked = game.view(seat).attacks.iter().filter(|&&mark| mark != Mark::Unknown).count();
            assert_eq!(marked, self.shots[seat.index()].len());
        }
    }
}
