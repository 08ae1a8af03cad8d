//! One game, from the deployments to its end.

use crate::common::{Clock, deployment};
use crate::{Attempts, Event, Fault, FaultClass, HostError, NoReply, Player, Verdict};
use arena_rules::{
    Answer, Battle, Coord, Effect, Fleet, FleetSpec, GameInfo, Invalid, Outcome, Placing, Reason, Ruleset,
    Seat, check_deployment, judge_deployments, random, uniform,
};

/// The most attempts a turn may have. Each is charged at least the turn's budget divided by this, so that a bot that
/// answers invalid spots for ever does not buy unbounded host time with tiny calls. Decided with the rules.
pub const ATTEMPTS_PER_TURN_MAX: u64 = 1_000;

/// Turns a side may lose to the clock in one game before it loses the game, where such turns are scored at all. Chosen:
/// a game of four hundred turns of three seconds each would hold up a night's tournament.
pub const OVERRUNS_BY_CLOCK_MAX: u32 = 3;

/// What a game is played by.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan<'a> {
    /// The rules. They have been validated.
    pub rules: &'a Ruleset,
    /// Fuel of a turn with all its retries, and of a deployment.
    pub fuel_per_turn: u64,
    /// Each seat's own seed, which it is told.
    pub side_seeds: [u64; 2],
    /// The seed for fleets that the engine places. Seats, not players, have fleets: the paired game swaps them.
    pub fleet_seed: u64,
    /// Who shoots first.
    pub starter: Seat,
    /// What a turn does that the watchdog stopped: false stops the game without a result, so that it can be played
    /// again; true scores it by the rules.
    pub score_wall_clock: bool,
}

/// Why a game has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// A failure of ours.
    #[error("the arena failed: {0}")]
    Host(#[from] HostError),
    /// The watchdog stopped a turn with fuel left, which says more about the machine than about the player.
    #[error("the watchdog stopped a turn of seat {}: {detail}", u8::from(*.seat))]
    WallClock {
        /// Whose turn it was.
        seat: Seat,
        /// What the watchdog saw.
        detail: String,
    },
}

/// Plays one game. Every event is told as it happens; the last one is the end.
///
/// # Errors
/// [`Stopped`] when there is no result to score. The events told so far are of no use then.
pub fn play_game(
    plan: &GamePlan<'_>,
    players: [&mut dyn Player; 2],
    tell: &mut dyn FnMut(Event),
) -> Result<(Outcome, Reason), Stopped> {
    let info = plan.side_seeds.map(|seed| GameInfo::new(plan.rules, plan.fuel_per_turn, seed));
    let mut game =
        Game { plan, info, players, tell, by_clock: [0; 2], clock: Clock::new(plan.score_wall_clock) };
    let (outcome, reason) = match judge_deployments(game.fleets()?) {
        Ok(fleets) => game.battle(fleets)?,
        Err(end) => end,
    };
    (game.tell)(Event::End { outcome, reason, reproducible: game.clock.is_reproducible() });
    Ok((outcome, reason))
}

struct Game<'a, 'p> {
    plan: &'a GamePlan<'a>,
    info: [GameInfo; 2],
    players: [&'p mut dyn Player; 2],
    tell: &'a mut dyn FnMut(Event),
    /// Turns that each side has lost to the clock.
    by_clock: [u32; 2],
    clock: Clock,
}

/// How a turn went, before the rules have judged what it means for the game.
struct Turn {
    fuel: u64,
    attempts: Option<Attempts>,
    end: TurnEnd,
}

enum TurnEnd {
    Effect(Effect),
    Fault(Fault),
}

impl Game<'_, '_> {
    fn fleets(&mut self) -> Result<[Option<Fleet>; 2], Stopped> {
        match self.plan.rules.placing {
            Placing::Bot => Ok([self.deploy(Seat::First)?, self.deploy(Seat::Second)?]),
            Placing::Engine => {
                let spec = FleetSpec::of(self.plan.rules);
                let mut rng = random::seeded(self.plan.fleet_seed);
                let mut draw = |seat| {
                    let fleet = uniform(&spec, &mut rng)
                        .ok_or_else(|| HostError("no fleet could be drawn on this board in time".into()))?;
                    (self.tell)(Event::Deployed { seat, fleet: fleet.placements().to_vec(), fuel: None });
                    Ok::<_, Stopped>(Some(fleet))
                };
                Ok([draw(Seat::First)?, draw(Seat::Second)?])
            }
        }
    }

    /// A side's fleet; none when it has no legal one, which has been told.
    fn deploy(&mut self, seat: Seat) -> Result<Option<Fleet>, Stopped> {
        let player = &mut self.players[seat.index()];
        player.begin_turn();
        let reply = player.deploy(&self.info[seat.index()], self.plan.fuel_per_turn);
        match deployment(reply, |placements| check_deployment(self.plan.rules, placements))? {
            Ok((fleet, fuel)) => {
                let placements = fleet.placements().to_vec();
                (self.tell)(Event::Deployed { seat, fleet: placements, fuel: Some(fuel) });
                Ok(Some(fleet))
            }
            Err(fault) => {
                self.clock.note(seat, &fault)?;
                (self.tell)(Event::Fault { seat, turn: 0, fault, verdict: Verdict::NoFleet, attempts: None });
                Ok(None)
            }
        }
    }

    fn battle(&mut self, fleets: [Fleet; 2]) -> Result<(Outcome, Reason), Stopped> {
        let mut battle = Battle::new(self.plan.rules, fleets, self.plan.starter);
        while let Some(seat) = battle.to_move() {
            let number = battle.turns(seat) + 1;
            let turn = self.turn(seat, &mut battle)?;
            match turn.end {
                TurnEnd::Effect(effect) => self.tell_effect(seat, number, turn.fuel, turn.attempts, effect),
                TurnEnd::Fault(fault) => self.score(seat, number, fault, turn.attempts, &mut battle)?,
            }
        }
        Ok(battle.end().expect("a game in which nobody is to move has ended"))
    }

    /// A turn with its retries, all inside one budget.
    fn turn(&mut self, seat: Seat, battle: &mut Battle) -> Result<Turn, Stopped> {
        let budget = self.plan.fuel_per_turn;
        let floor_per_attempt = budget.div_ceil(ATTEMPTS_PER_TURN_MAX).max(1);
        let (player, info) = (&mut self.players[seat.index()], &self.info[seat.index()]);
        let mut turn = Turn {
            fuel: 0,
            attempts: None,
            end: TurnEnd::Fault(Fault::new(
                FaultClass::OutOfFuel,
                format!("no valid spot within the turn's budget of {budget} fuel"),
            )),
        };
        player.begin_turn();
        let mut charged = 0;
        while charged < budget {
            let reply = match player.play(info, &battle.view(seat), budget - charged) {
                Ok(reply) => reply,
                Err(NoReply::Host(error)) => return Err(error.into()),
                Err(NoReply::Fault(fault)) => {
                    turn.end = TurnEnd::Fault(fault);
                    break;
                }
            };
            turn.fuel += reply.fuel_used;
            match battle.answer(seat, Answer::from(reply.answer)) {
                Effect::Retry { at, why } => {
                    charged += reply.fuel_used.max(floor_per_attempt);
                    note_attempt(&mut turn.attempts, at, why);
                }
                effect => {
                    turn.end = TurnEnd::Effect(effect);
                    break;
                }
            }
        }
        Ok(turn)
    }

    fn tell_effect(&mut self, seat: Seat, turn: u32, fuel: u64, attempts: Option<Attempts>, effect: Effect) {
        (self.tell)(match effect {
            Effect::Shot { at, result } => Event::Shot { seat, turn, at, result, fuel, attempts },
            Effect::Skipped => Event::Skipped { seat, turn, fuel, attempts },
            Effect::Wasted { at, why, result } => {
                Event::Wasted { seat, turn, at, why, result, fuel, attempts }
            }
            Effect::Lost { why, at } => {
                let spot = at.map_or_else(String::new, |at| format!("the shot at {at} is "));
                let fault = Fault::new(FaultClass::IllegalAction, format!("{spot}{why}"));
                Event::Fault { seat, turn, fault, verdict: Verdict::Loses, attempts }
            }
            Effect::Retry { .. } => unreachable!("a retry does not end a turn"),
        });
    }

    /// Scores a fault in a turn: an overrun by the rules, anything else as a loss.
    fn score(
        &mut self,
        seat: Seat,
        turn: u32,
        fault: Fault,
        attempts: Option<Attempts>,
        battle: &mut Battle,
    ) -> Result<(), Stopped> {
        self.clock.note(seat, &fault)?;
        if fault.class == FaultClass::WallClock {
            self.by_clock[seat.index()] += 1;
        }
        let stalls_on = self.by_clock[seat.index()] > OVERRUNS_BY_CLOCK_MAX;
        let goes_on = fault.class.is_overrun() && !stalls_on && battle.overrun(seat);
        let verdict = if goes_on {
            self.players[seat.index()].restart()?;
            Verdict::TurnSkipped
        } else {
            battle.forfeit(seat);
            Verdict::Loses
        };
        (self.tell)(Event::Fault { seat, turn, fault, verdict, attempts });
        Ok(())
    }
}

fn note_attempt(attempts: &mut Option<Attempts>, at: Coord, why: Invalid) {
    attempts.get_or_insert(Attempts { invalid: 0, first: at, why }).invalid += 1;
}
