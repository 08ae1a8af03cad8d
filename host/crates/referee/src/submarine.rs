//! One game of submarine: the same players' budgets and faults, other rules.

use crate::common::{Clock, deployment};
use crate::{Event, Fault, FaultClass, NoReply, Reply, Stopped, Verdict};
use arena_rules::submarine::{Action, Effect, Game, Positions, Rules, View};
use arena_rules::{Coord, Outcome, Reason, Seat, judge_deployments};

/// What stays the same all game, as one side is told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubmarineInfo {
    /// Actions of both sides together; after them the game is even.
    pub actions_max: u32,
    /// Fuel for one turn, and for the deployment.
    pub fuel_per_turn: u64,
    /// This side's own random seed for this game.
    pub seed: u64,
}

/// A side of a game of submarine, whatever it is made of.
///
/// The referee calls `deploy` once and `play` for each turn. Every fault loses, so no player goes on after one.
pub trait SubmarinePlayer {
    /// The cells of the battleship, the cruiser and the submarine. Any cells are an answer; the rules judge them.
    fn deploy(&mut self, game: &SubmarineInfo, fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply>;

    /// The next action. Any action is an answer; the rules judge it.
    fn play(&mut self, game: &SubmarineInfo, view: &View, fuel: u64) -> Result<Reply<Action>, NoReply>;

    /// Called before `deploy` and before `play`: the wall clock of a turn counts from here.
    fn begin_turn(&mut self) {}

    /// What happens, for a player that has to be told: a client over a socket. It comes to both sides, the first seat
    /// first.
    fn hear(&mut self, _news: &News<'_>) {}
}

/// What a player is told as it happens.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A turn begins.
    Turn {
        /// Whether it is this player's.
        mine: bool,
    },
    /// A turn has ended.
    Acted {
        /// Which side this player is.
        me: Seat,
        /// Which side's turn it was.
        mover: Seat,
        /// The action, if there was one; none where the side faulted instead.
        action: Option<Action>,
        /// What it did; none where the side faulted instead, and lost.
        effect: Option<&'a Effect>,
        /// The game after it.
        game: &'a Game,
    },
    /// The game is over. It comes last, after the turn that ended it; it may come before any turn, when a side has not
    /// deployed.
    End {
        /// Which side this player is.
        me: Seat,
        /// Who won, if anyone.
        outcome: Outcome,
    },
}

/// What a game of submarine is played by.
#[derive(Clone, Copy, Debug)]
pub struct SubmarinePlan<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Fuel of a turn, and of a deployment.
    pub fuel_per_turn: u64,
    /// Each seat's own seed, which it is told.
    pub side_seeds: [u64; 2],
    /// Who moves first.
    pub starter: Seat,
    /// What a turn does that the watchdog stopped: false stops the game without a result, true loses it.
    pub score_wall_clock: bool,
}

/// Plays one game of submarine. Every event is told as it happens; the last one is the end.
///
/// # Errors
/// [`Stopped`] when there is no result to score.
pub fn play_submarine(
    plan: &SubmarinePlan<'_>,
    players: [&mut dyn SubmarinePlayer; 2],
    tell: &mut dyn FnMut(Event),
) -> Result<(Outcome, Reason), Stopped> {
    let info = plan.side_seeds.map(|seed| SubmarineInfo {
        actions_max: plan.rules.actions_max,
        fuel_per_turn: plan.fuel_per_turn,
        seed,
    });
    let mut match_up = MatchUp { plan, info, players, tell, clock: Clock::new(plan.score_wall_clock) };
    let (outcome, reason) = match_up.play()?;
    for me in Seat::BOTH {
        match_up.players[me.index()].hear(&News::End { me, outcome });
    }
    (match_up.tell)(Event::End { outcome, reason, reproducible: match_up.clock.is_reproducible() });
    Ok((outcome, reason))
}

struct MatchUp<'a, 'p> {
    plan: &'a SubmarinePlan<'a>,
    info: [SubmarineInfo; 2],
    players: [&'p mut dyn SubmarinePlayer; 2],
    tell: &'a mut dyn FnMut(Event),
    clock: Clock,
}

impl MatchUp<'_, '_> {
    fn play(&mut self) -> Result<(Outcome, Reason), Stopped> {
        let starter = self.plan.starter;
        // Who moves first is read first.
        let of_starter = self.deploy(starter)?;
        let of_other = self.deploy(starter.other())?;
        let (first, second) =
            if starter == Seat::First { (of_starter, of_other) } else { (of_other, of_starter) };
        match judge_deployments([first, second]) {
            Ok(positions) => self.battle(positions),
            Err(end) => Ok(end),
        }
    }

    fn deploy(&mut self, seat: Seat) -> Result<Option<Positions>, Stopped> {
        let player = &mut self.players[seat.index()];
        player.begin_turn();
        let reply = player.deploy(&self.info[seat.index()], self.plan.fuel_per_turn);
        match deployment(reply, |&cells| Positions::new(cells))? {
            Ok((positions, fuel)) => {
                (self.tell)(Event::Positioned { seat, positions, fuel });
                Ok(Some(positions))
            }
            Err(fault) => {
                self.clock.note(seat, &fault)?;
                (self.tell)(Event::Fault { seat, turn: 0, fault, verdict: Verdict::NoFleet, attempts: None });
                Ok(None)
            }
        }
    }

    fn battle(&mut self, positions: [Positions; 2]) -> Result<(Outcome, Reason), Stopped> {
        let mut game = Game::new(self.plan.rules, positions, self.plan.starter);
        while let Some(mover) = game.to_move() {
            for seat in Seat::BOTH {
                self.players[seat.index()].hear(&News::Turn { mine: seat == mover });
            }
            let turn = game.turns(mover) + 1;
            let (action, effect) = match self.turn(mover, turn, &mut game)? {
                Some((action, effect)) => (Some(action), Some(effect)),
                None => (None, None),
            };
            for me in Seat::BOTH {
                let news = News::Acted { me, mover, action, effect: effect.as_ref(), game: &game };
                self.players[me.index()].hear(&news);
            }
        }
        Ok(game.end().expect("a game in which nobody is to move has ended"))
    }

    /// A turn; none when the side faulted, and so has lost.
    fn turn(&mut self, seat: Seat, turn: u32, game: &mut Game) -> Result<Option<(Action, Effect)>, Stopped> {
        let player = &mut self.players[seat.index()];
        player.begin_turn();
        let reply = player.play(&self.info[seat.index()], &game.view(seat), self.plan.fuel_per_turn);
        match reply {
            Ok(Reply { answer: action, fuel_used: fuel }) => {
                let effect = game.act(seat, action);
                (self.tell)(match &effect {
                    Effect::Done(report) => Event::Acted { seat, turn, action, report: report.clone(), fuel },
                    Effect::Illegal(illegal) => {
                        let fault = Fault::new(FaultClass::IllegalAction, illegal_words(action, *illegal));
                        Event::Fault { seat, turn, fault, verdict: Verdict::Loses, attempts: None }
                    }
                });
                Ok(Some((action, effect)))
            }
            Err(NoReply::Host(error)) => Err(error.into()),
            Err(NoReply::Fault(fault)) => {
                self.clock.note(seat, &fault)?;
                game.forfeit(seat);
                (self.tell)(Event::Fault { seat, turn, fault, verdict: Verdict::Loses, attempts: None });
                Ok(None)
            }
        }
    }
}

fn illegal_words(action: Action, illegal: arena_rules::submarine::Illegal) -> String {
    match action {
        Action::Attack(at) => format!("the attack on {at} is {illegal}"),
        Action::Move(ship, to) => format!("the move of the {ship} to {to} is {illegal}"),
    }
}
