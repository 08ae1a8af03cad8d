//! Battleship, against a second referee that is written from the rules' page alone: cells in sets, no counters.

use crate::drawing::Drawing;
use arena_rules::{
    Answer, Battle, Coord, Effect, Fleet, Invalid, Mark, OnInvalid, OnOverrun, OnSkip, Outcome, OwnCell,
    Placing, Reason, Rounds, Ruleset, Seat, Ship, ShotResult, Starts, View,
};
use std::collections::BTreeSet;

/// Any answers by any rules do what the rules say: each does what a second referee has it do, the sides take turns, hits
/// and misses are the shots that counted, what is sunk was hit cell by cell, each side sees the truth and no more, and the
/// game ends exactly when the rules end it.
pub fn battles_keep_their_invariants(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    let Some((rules, fleets)) = draw_rules(&mut drawing) else { return };
    let starter = drawing.seat();
    let mut battle = Battle::new(&rules, fleets.clone(), starter);
    let mut model = Model::new(&rules, &fleets, starter);
    model.compare(&battle);
    while let Some(seat) = battle.to_move() {
        if drawing.is_over() {
            return;
        }
        match drawing.number(0..=31) {
            31 => assert_eq!(battle.overrun(seat), model.overrun(seat)),
            30 => {
                battle.forfeit(seat);
                model.lose(seat);
            }
            29 => {
                let effect = battle.answer(seat, Answer::Skip);
                assert_eq!(effect, model.skip(seat));
            }
            _ => {
                let at = drawing.spot(rules.size());
                let effect = battle.answer(seat, Answer::Shot(at));
                assert_eq!(effect, model.shoot(seat, at));
            }
        }
        model.compare(&battle);
    }
    // What is over stays as it was.
    let end = battle.end();
    Seat::BOTH.into_iter().for_each(|seat| battle.forfeit(seat));
    assert_eq!(battle.end(), end);
}

/// Rules that a file may hold, on a board that a game on it can end in a few hundred bytes.
fn draw_rules(drawing: &mut Drawing<'_>) -> Option<(Ruleset, [Fleet; 2])> {
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
    Some((rules, fleets))
}

/// The game as the rules' page has it.
struct Model<'a> {
    rules: &'a Ruleset,
    fleets: &'a [Fleet; 2],
    starter: Seat,
    mover: Seat,
    retry: bool,
    /// The cells at which each side has shot.
    shots: [BTreeSet<Coord>; 2],
    /// What each side did in its turns: a spot on the board, a spot off it, or no shot.
    turns: [Vec<Turn>; 2],
    end: Option<(Outcome, Reason)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Spot(Coord),
    OffBoard,
    Skipped,
}

impl<'a> Model<'a> {
    fn new(rules: &'a Ruleset, fleets: &'a [Fleet; 2], starter: Seat) -> Self {
        Self {
            rules,
            fleets,
            starter,
            mover: starter,
            retry: false,
            shots: Default::default(),
            turns: Default::default(),
            end: None,
        }
    }

    /// The ships that a side shoots at.
    fn targets(&self, seat: Seat) -> &'a [Ship] {
        self.fleets[seat.other().index()].ships()
    }

    fn is_hit(&self, seat: Seat, at: Coord) -> bool {
        self.targets(seat).iter().any(|ship| ship.cells.contains(&at))
    }

    /// The ships of the other side that a side has not sunk.
    fn afloat(&self, seat: Seat) -> Vec<&'a Ship> {
        let shots = &self.shots[seat.index()];
        let is_afloat = |ship: &&Ship| !ship.cells.iter().all(|cell| shots.contains(cell));
        self.targets(seat).iter().filter(is_afloat).collect()
    }

    fn shoot(&mut self, seat: Seat, at: Coord) -> Effect {
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
            self.end_turn(seat, Turn::Spot(at));
            return Effect::Shot { at, result };
        };
        match rule {
            OnInvalid::Retry => {
                self.retry = true;
                Effect::Retry { at, why }
            }
            OnInvalid::Lose => {
                self.lose(seat);
                Effect::Lost { why, at: Some(at) }
            }
            OnInvalid::Waste => {
                let again = if self.is_hit(seat, at) { ShotResult::Hit } else { ShotResult::Miss };
                self.end_turn(seat, if is_on { Turn::Spot(at) } else { Turn::OffBoard });
                Effect::Wasted { at, why, result: is_on.then_some(again) }
            }
        }
    }

    fn skip(&mut self, seat: Seat) -> Effect {
        match self.rules.skip {
            OnSkip::Skip => {
                self.end_turn(seat, Turn::Skipped);
                Effect::Skipped
            }
            OnSkip::Lose => {
                self.lose(seat);
                Effect::Lost { why: Invalid::Skip, at: None }
            }
        }
    }

    fn overrun(&mut self, seat: Seat) -> bool {
        match self.rules.overrun {
            OnOverrun::Skip => self.end_turn(seat, Turn::Skipped),
            OnOverrun::Lose => self.lose(seat),
        }
        self.rules.overrun == OnOverrun::Skip
    }

    fn lose(&mut self, seat: Seat) {
        self.end = Some((Outcome::Win(seat.other()), Reason::Forfeit));
    }

    fn end_turn(&mut self, seat: Seat, turn: Turn) {
        self.turns[seat.index()].push(turn);
        self.retry = false;
        self.mover = seat.other();
        let is_round_over = self.turns[0].len() == self.turns[1].len();
        let won = Seat::BOTH.map(|seat| self.afloat(seat).is_empty());
        self.end = if won != [false, false] && (is_round_over || self.rules.rounds == Rounds::EachShot) {
            Some(match won {
                [true, true] => (Outcome::Draw, Reason::BothFleetsSunk),
                [true, false] => (Outcome::Win(Seat::First), Reason::FleetSunk),
                _ => (Outcome::Win(Seat::Second), Reason::FleetSunk),
            })
        } else if self.rules.two_skips_draw
            && self.turns.each_ref().map(|turns| turns.last().copied()) == [Some(Turn::Skipped); 2]
        {
            Some((Outcome::Draw, Reason::BothSkipped))
        } else if self.turns.iter().all(|turns| turns.len() as u64 >= u64::from(self.rules.turns_max)) {
            Some((Outcome::Draw, Reason::TurnsMax))
        } else {
            None
        };
    }

    fn compare(&self, battle: &Battle) {
        assert_eq!(battle.end(), self.end);
        assert_eq!(battle.to_move(), self.end.is_none().then_some(self.mover));
        // Sides take turns: they are even before the starter's, and one apart before the other's.
        let ahead = self.turns[self.starter.index()].len() - self.turns[self.starter.other().index()].len();
        assert_eq!(ahead, usize::from(self.mover != self.starter));
        for seat in Seat::BOTH {
            assert_eq!(battle.turns(seat) as usize, self.turns[seat.index()].len());
            assert_eq!(battle.fleet(seat), &self.fleets[seat.index()]);
            assert_eq!(battle.afloat(seat.other()), self.afloat_lengths(seat));
            self.compare_view(seat, &battle.view(seat));
        }
    }

    fn afloat_lengths(&self, seat: Seat) -> Vec<u8> {
        let mut lengths: Vec<u8> = self.afloat(seat).iter().map(|ship| ship.length()).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    fn compare_view(&self, seat: Seat, view: &View) {
        let size = self.rules.size();
        let (own, other) = (seat.index(), seat.other().index());
        assert_eq!((view.attacks.len(), view.board.len()), (size.cells(), size.cells()));
        for ((at, &mark), &cell) in size.coords().zip(&view.attacks).zip(&view.board) {
            let expected = match (self.shots[own].contains(&at), self.is_hit(seat, at)) {
                (false, _) => Mark::Unknown,
                (true, false) => Mark::Miss,
                (true, true) => Mark::Hit,
            };
            assert_eq!(mark, expected, "{at}");
            let expected = match (self.shots[other].contains(&at), self.is_hit(seat.other(), at)) {
                (false, false) => OwnCell::Water,
                (false, true) => OwnCell::Ship,
                (true, false) => OwnCell::Missed,
                (true, true) => OwnCell::Hit,
            };
            assert_eq!(cell, expected, "{at}");
        }
        let marked = view.attacks.iter().filter(|&&mark| mark != Mark::Unknown).count();
        assert_eq!(marked, self.shots[own].len());

        assert_eq!(view.turn as usize, self.turns[own].len() + 1);
        assert_eq!(view.retry, self.retry && self.end.is_none() && self.mover == seat);
        let last = |side: usize| match self.turns[side].last() {
            Some(&Turn::Spot(at)) => Some(at),
            Some(Turn::OffBoard | Turn::Skipped) | None => None,
        };
        assert_eq!((view.my_last, view.last_spot), (last(own), last(other)));
        assert_eq!(view.ships_remaining, self.rules.sinkings_announced.then(|| self.afloat_lengths(seat)));
    }
}
