//! The referee's loop: one game of any kind, from the deployments to its end.

use crate::{
    Attempts, Detail, Event, Fault, FaultClass, GameNotice, HostError, NoReply, Player, Reply, Verdict,
};
use arena_rules::{Game, Outcome, Reason, Ruling, Scores, Seat, judge_deployments, scores};

/// The largest number of attempts in a turn. Each is charged at least the turn's budget divided by this, so that a bot
/// that always answers invalid actions cannot buy unbounded host time with tiny calls. Decided with the rules.
pub const ATTEMPTS_PER_TURN_MAX: u64 = 1_000;

/// The fuel that a byte of an invalid action's text is charged, so that a bot cannot buy host time with long ones. Chosen: three times what
/// it takes; 700 actions of 390 KB, each passed to the game and to a text, took 8 s, which is 3 units a byte.
pub const FUEL_PER_TEXT_BYTE: u64 = 10;

/// The number of turns a side may lose to the clock in one game before it loses the game, if such turns are scored at all.
/// Chosen: a game of four hundred turns of three seconds each would hold up a night's tournament.
pub const OVERRUNS_BY_CLOCK_MAX: u32 = 3;

/// Everything that a game depends on besides its players.
#[derive(Debug)]
pub struct GamePlan<'a, G: Game> {
    /// The rules. They have been validated.
    pub rules: &'a G::Rules,
    /// The fuel of a turn with all its retries, and of a deployment.
    pub fuel_per_turn: u64,
    /// The random seed of each seat.
    pub side_seeds: [u64; 2],
    /// The random seed for setups that the engine draws, and for all chance of a game without a deployment. Setups belong to seats,
    /// so in the paired game each player has the other setup.
    pub fleet_seed: u64,
    /// The seat that begins.
    pub starter: Seat,
    /// True if a turn that the watchdog stopped is scored by the rules; false if it stops the game without a result, so that
    /// it can be restarted.
    pub score_wall_clock: bool,
}

/// The reason why a game has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// A failure of the arena, or of the game's own code.
    #[error("{}", failed(.0))]
    Host(#[from] HostError),
    /// The watchdog stopped a turn with fuel left. This says more about the machine than about the player.
    #[error("the watchdog stopped a turn of seat {}: {detail}", u8::from(*.seat))]
    WallClock {
        /// The side whose turn it was.
        seat: Seat,
        /// The observation of the watchdog.
        detail: Detail,
    },
    /// The person who plays or watches has left, so the result is not needed.
    #[error("the game is no longer played or watched")]
    Left,
}

/// A failure in a sentence: that of a game's own code is not the arena's.
fn failed(error: &HostError) -> String {
    match error {
        HostError::Game(_) => error.to_string(),
        error => format!("the arena failed: {error}"),
    }
}

impl Stopped {
    /// The failure of the arena; any other reason as text, for a caller that cannot have it.
    pub fn failure(self) -> HostError {
        match self {
            Self::Host(error) => error,
            stopped => HostError::defect(stopped),
        }
    }
}

/// The result of a game: its outcome and the reason.
pub type End = (Outcome, Reason);

/// Plays one game. Every event is reported as it happens; the last one is the end.
///
/// # Errors
/// [`Stopped`] if there is no result to score. The events reported so far are void then.
pub fn play_game<G: Game>(
    plan: &GamePlan<'_, G>,
    players: [&mut dyn Player<G>; 2],
    tell: &mut dyn FnMut(Event<G>),
) -> Result<End, Stopped> {
    play_game_of_equals(plan, players, tell)
}

/// Plays one game between players of the same type, as [`play_game`] does, in less time: its code is made for that type.
///
/// # Errors
/// As of [`play_game`].
pub fn play_game_of_equals<G: Game, P: Player<G> + ?Sized>(
    plan: &GamePlan<'_, G>,
    players: [&mut P; 2],
    tell: &mut dyn FnMut(Event<G>),
) -> Result<End, Stopped> {
    let info = plan.side_seeds.map(|seed| G::info(plan.rules, plan.fuel_per_turn, seed));
    let mut referee = Referee { plan, info, players, tell, by_clock: [0; 2], reproducible: true };
    let ((outcome, reason), scores) = match judge_deployments(referee.setups()?) {
        Ok(setups) => referee.turns(setups)?,
        Err(end) => (end, scores::<G>(plan.rules, None, end)),
    };
    for me in Seat::BOTH {
        referee.players[me.index()].hear(&GameNotice::End { me, outcome });
    }
    (referee.tell)(Event::Ended { outcome, reason, scores, reproducible: referee.reproducible });
    Ok((outcome, reason))
}

struct Referee<'a, 'p, G: Game, P: ?Sized> {
    plan: &'a GamePlan<'a, G>,
    info: [G::Info; 2],
    players: [&'p mut P; 2],
    tell: &'a mut dyn FnMut(Event<G>),
    /// The number of turns that each side has lost to the clock.
    by_clock: [u32; 2],
    reproducible: bool,
}

/// A turn that has been played, before it is reported.
struct Turn<G: Game> {
    /// The side that acted or faulted.
    seat: Seat,
    fuel: u64,
    attempts: Option<Attempts<G>>,
    end: TurnEnd<G>,
}

enum TurnEnd<G: Game> {
    Acted(G::Action, G::Effect),
    Invalid(G::Action, G::Invalid),
    Fault(Fault, Verdict),
}

/// A turn as a player took it, with its retries, before a fault is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedTurn<G: Game> {
    /// The fuel of all calls that ended well.
    pub fuel: u64,
    /// The attempts that were not valid, if any.
    pub attempts: Option<Attempts<G>>,
    /// The end of the turn.
    pub end: PlayedTurnEnd<G>,
}

/// The end of a turn as a player took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayedTurnEnd<G: Game> {
    /// An action that took the turn, with its effect.
    Acted(G::Action, G::Effect),
    /// An action that was not valid, by which the side has lost.
    Invalid(G::Action, G::Invalid),
    /// A fault.
    Fault(Fault),
    /// The fault of the other side, which went away meanwhile.
    OpponentGone(Fault),
}

/// A legal deployment, as a player took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployed<G: Game> {
    /// The deployment.
    pub deployment: G::Deployment,
    /// The same after it was found legal.
    pub setup: G::Setup,
    /// The fuel of the call.
    pub fuel: u64,
}

/// Asks a player for its deployment, within a budget of fuel. Returns the fault if it has no legal one.
///
/// # Errors
/// [`Stopped`] if the arena failed, or if the game is no longer wanted.
pub fn take_deployment<G: Game, P: Player<G> + ?Sized>(
    rules: &G::Rules,
    info: &G::Info,
    budget: u64,
    player: &mut P,
) -> Result<Result<Deployed<G>, Fault>, Stopped> {
    player.begin_turn();
    Ok(match player.deploy(info, budget) {
        Ok(Reply { answer: deployment, fuel_used: fuel }) => match G::setup(rules, &deployment) {
            Ok(setup) => Ok(Deployed { deployment, setup, fuel }),
            Err(error) => Err(Fault::new(FaultClass::BadDeploy, error.to_string())),
        },
        Err(no_reply) => Err(no_reply.fault()?),
    })
}

/// Asks the player of the side to move for its turn, with all retries inside one budget of fuel, and lets the game act on the
/// answers. A fault is left to be judged.
///
/// # Errors
/// [`Stopped`] if the arena failed, or if the game is no longer wanted.
pub fn take_turn<G: Game, P: Player<G> + ?Sized>(
    info: &G::Info,
    game: &mut G,
    seat: Seat,
    budget: u64,
    player: &mut P,
) -> Result<PlayedTurn<G>, Stopped> {
    let floor_per_attempt = budget.div_ceil(ATTEMPTS_PER_TURN_MAX).max(1);
    let (mut fuel, mut charged) = (0, 0);
    let mut attempts: Option<Attempts<G>> = None;
    player.begin_turn();
    while charged < budget {
        let reply = player.play(info, game.view(seat), budget - charged);
        let Reply { answer: action, fuel_used } = match reply {
            Ok(reply) => reply,
            Err(NoReply::OpponentGone(fault)) => {
                return Ok(PlayedTurn { fuel, attempts, end: PlayedTurnEnd::OpponentGone(fault) });
            }
            Err(no_reply) => {
                let fault = no_reply.fault().map_err(|stopped| match stopped {
                    // It failed to show the view, or elsewhere, in the process that plays.
                    Stopped::Host(error) => Stopped::Host(placed(game, error)),
                    stopped => stopped,
                })?;
                return Ok(PlayedTurn { fuel, attempts, end: PlayedTurnEnd::Fault(fault) });
            }
        };
        fuel += fuel_used;
        let ruling = game.act(seat, &action);
        check_not_failed(game)?;
        let end = match ruling {
            Ruling::Done(effect) => PlayedTurnEnd::Acted(action, effect),
            Ruling::Lost(why) => PlayedTurnEnd::Invalid(action, why),
            Ruling::Retry(why) => {
                let passing = G::text_bytes(&action).saturating_mul(FUEL_PER_TEXT_BYTE);
                charged += fuel_used.saturating_add(passing).max(floor_per_attempt);
                attempts.get_or_insert(Attempts { invalid: 0, first: action, why }).invalid += 1;
                continue;
            }
        };
        return Ok(PlayedTurn { fuel, attempts, end });
    }
    let words = format!("no valid action within the turn's budget of {budget} fuel");
    Ok(PlayedTurn { fuel, attempts, end: PlayedTurnEnd::Fault(Fault::new(FaultClass::OutOfFuel, words)) })
}

/// Checks that the game has not failed: no side is charged with that.
pub(crate) fn check_not_failed<G: Game>(game: &G) -> Result<(), HostError> {
    game.failure().map_or(Ok(()), |failure| Err(placed(game, failure.into())))
}

/// A failure in the present turn of a game.
fn placed<G: Game>(game: &G, error: HostError) -> HostError {
    error.in_turn(game.turns(Seat::First) + game.turns(Seat::Second) + 1, game.reproduction())
}

impl<G: Game> Turn<G> {
    // Without it, an event of each turn is copied more than once.
    #[inline(always)]
    fn event(self, turn: u32) -> Event<G> {
        let Self { seat, fuel, attempts, end } = self;
        let (fault, verdict) = match end {
            TurnEnd::Acted(action, effect) => {
                return Event::Acted { seat, turn, action, effect, fuel, attempts };
            }
            TurnEnd::Invalid(action, why) => {
                (Fault::new(FaultClass::IllegalAction, G::complaint(&action, &why)), Verdict::Loses)
            }
            TurnEnd::Fault(fault, verdict) => (fault, verdict),
        };
        let fault = after(attempts.as_ref(), fault);
        Event::Faulted { seat, turn, fault, verdict, attempts }
    }
}

/// The fault with a line about the attempts before it, if any: they may well be the cause. They come first, so that a long
/// line is not cut there.
fn after<G: Game>(attempts: Option<&Attempts<G>>, fault: Fault) -> Fault {
    let Some(Attempts { invalid, first, why }) = attempts else { return fault };
    let first = G::complaint(first, why);
    let attempts = match invalid {
        1 => format!("after an invalid attempt ({first})"),
        _ => format!("after {invalid} invalid attempts (the first: {first})"),
    };
    Fault { detail: format!("{attempts}: {}", fault.detail.as_str()).into(), ..fault }
}

impl<G: Game, P: Player<G> + ?Sized> Referee<'_, '_, G, P> {
    fn setups(&mut self) -> Result<[Option<G::Setup>; 2], Stopped> {
        if let Some(setups) = G::without_deployment(self.plan.rules, self.plan.fleet_seed) {
            return Ok(setups.map(Some));
        }
        let Some(drawn) = G::drawn(self.plan.rules, self.plan.fleet_seed) else {
            return Ok([self.deploy(Seat::First)?, self.deploy(Seat::Second)?]);
        };
        let setups = drawn.map_err(|error| HostError::Defect(error.0.into()))?;
        for (seat, setup) in Seat::BOTH.into_iter().zip(&setups) {
            (self.tell)(Event::Placed { seat, deployment: G::deployment(setup), fuel: None });
        }
        Ok(setups.map(Some))
    }

    /// Asks a side for its deployment. Returns `None` when it has no legal one, which has been reported.
    fn deploy(&mut self, seat: Seat) -> Result<Option<G::Setup>, Stopped> {
        let (player, info) = (&mut *self.players[seat.index()], &self.info[seat.index()]);
        match take_deployment::<G, P>(self.plan.rules, info, self.plan.fuel_per_turn, player)? {
            Ok(Deployed { deployment, setup, fuel }) => {
                (self.tell)(Event::Placed { seat, deployment, fuel: Some(fuel) });
                Ok(Some(setup))
            }
            Err(fault) => {
                self.note_clock(seat, &fault)?;
                let verdict = Verdict::NotPlaced;
                (self.tell)(Event::Faulted { seat, turn: 0, fault, verdict, attempts: None });
                Ok(None)
            }
        }
    }

    fn turns(&mut self, setups: [G::Setup; 2]) -> Result<(End, Option<Scores>), Stopped> {
        let mut game = G::new(self.plan.rules, setups, self.plan.starter);
        check_not_failed(&game)?;
        while let Some(mover) = game.to_move() {
            for seat in Seat::BOTH {
                self.players[seat.index()].hear(&GameNotice::Turn { mine: seat == mover });
            }
            let numbers = Seat::BOTH.map(|seat| game.turns(seat) + 1);
            let turn = self.turn(mover, &mut game)?;
            let (action, effect) = match &turn.end {
                TurnEnd::Acted(action, effect) => (Some(action), Some(effect)),
                TurnEnd::Invalid(action, _) => (Some(action), None),
                TurnEnd::Fault(..) => (None, None),
            };
            for me in Seat::BOTH {
                let notice = GameNotice::Acted { me, mover: turn.seat, action, effect, game: &game };
                self.players[me.index()].hear(&notice);
            }
            let number = numbers[turn.seat.index()];
            (self.tell)(turn.event(number));
        }
        let end = game.end().expect("a game without a side to move has ended");
        Ok((end, scores(self.plan.rules, Some(&game), end)))
    }

    /// Lets a side take its turn, and judges a fault.
    fn turn(&mut self, seat: Seat, game: &mut G) -> Result<Turn<G>, Stopped> {
        let budget = self.plan.fuel_per_turn;
        let (player, info) = (&mut *self.players[seat.index()], &self.info[seat.index()]);
        let PlayedTurn { fuel, attempts, end } = take_turn(info, game, seat, budget, player)?;
        let end = match end {
            PlayedTurnEnd::Acted(action, effect) => TurnEnd::Acted(action, effect),
            PlayedTurnEnd::Invalid(action, why) => TurnEnd::Invalid(action, why),
            PlayedTurnEnd::Fault(fault) => self.score(seat, fault, game)?,
            PlayedTurnEnd::OpponentGone(fault) => {
                let seat = seat.other();
                game.forfeit(seat);
                check_not_failed(game)?;
                let end = TurnEnd::Fault(fault, Verdict::Loses);
                return Ok(Turn { seat, fuel: 0, attempts: None, end });
            }
        };
        Ok(Turn { seat, fuel, attempts, end })
    }

    /// Judges a fault in a turn: an overrun by the rules, anything else as a loss.
    fn score(&mut self, seat: Seat, fault: Fault, game: &mut G) -> Result<TurnEnd<G>, Stopped> {
        self.note_clock(seat, &fault)?;
        if fault.class == FaultClass::WallClock {
            self.by_clock[seat.index()] += 1;
        }
        let stalls_on = self.by_clock[seat.index()] > OVERRUNS_BY_CLOCK_MAX;
        let is_skipped = fault.class.is_overrun() && !stalls_on && game.overrun(seat);
        check_not_failed(game)?;
        if is_skipped {
            self.players[seat.index()].restart()?;
            return Ok(TurnEnd::Fault(fault, Verdict::TurnSkipped));
        }
        game.forfeit(seat);
        check_not_failed(game)?;
        Ok(TurnEnd::Fault(fault, Verdict::Loses))
    }

    /// Takes note of a fault. A verdict from the clock is not reproducible, and the game has no result if the plan does not
    /// score it.
    fn note_clock(&mut self, seat: Seat, fault: &Fault) -> Result<(), Stopped> {
        if fault.class == FaultClass::WallClock {
            if !self.plan.score_wall_clock {
                return Err(Stopped::WallClock { seat, detail: fault.detail.clone() });
            }
            self.reproducible = false;
        }
        Ok(())
    }
}
