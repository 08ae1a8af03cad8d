//! The messages that the arena and a process that plays exchange.
//!
//! The arena sends frames: a length of four bytes, little-endian, and that many bytes. The first one is a [`Session`] in JSON, each
//! other one is in postcard: an [`Order`] for a game, a [`Board`], or a [`Call`] of a player. The process sends its players'
//! answers as a sequence of [`Message`]s in postcard. It sends nothing that follows from the rules, so it cannot lie about anything
//! else. After the answer to a call come its [`Figures`], and after the end of a game its [`Order`], so that no game counts as that of
//! another order.

use crate::plan::Plan;
use arena_record::{Conditions, Header};
use arena_referee::{Detail, Fault, FaultClass, Frame, GamePlan, HostError};
use arena_rules::{Game, GameRules, Listed, Seat};
use arena_sandbox::{Bot, Pool, PoolLimits, Prompt, Sandbox, TimeLimits, frame_of};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest message of a process, in bytes. Chosen: two full logs, with room for their marks.
const MESSAGE_BYTES_MAX: usize = 1 << 20;

/// The time that a process may take for an order in addition to that of its bots. Chosen: it takes next to none.
const MARGIN: Duration = Duration::from_secs(60);

/// The number of functions on a stack. Chosen: more than the sandbox keeps.
const STACK_FRAMES_MAX: usize = 64;

/// The service of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Service {
    /// It referees whole games, and gets an [`Order`] for each.
    Games,
    /// It has one bot play alone, and gets each [`Board`].
    Boards,
    /// It has one player at a time, and answers its calls: the referee is elsewhere.
    Calls,
    /// The same, and the player is asked to print something.
    PromptedCalls(Prompt),
}

/// Everything that the games of a process have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The service.
    pub service: Service,
    /// The rules. They have been validated.
    pub rules: GameRules,
    /// The fuel of a turn.
    pub fuel_per_turn: u64,
    /// The wall-clock time of a turn.
    pub turn: Duration,
    /// The wall-clock time of a game.
    pub game: Duration,
    /// True if the game is watched.
    pub is_live: bool,
}

impl Service {
    /// The request to the players to print something about their code.
    pub fn prompt(self) -> Option<Prompt> {
        match self {
            Self::PromptedCalls(prompt) => Some(prompt),
            Self::Games | Self::Boards | Self::Calls => None,
        }
    }
}

impl Session {
    /// A session that is not watched.
    pub fn new(service: Service, conditions: &Conditions, TimeLimits { turn, game }: TimeLimits) -> Self {
        let (rules, fuel_per_turn) = (conditions.rules.clone(), conditions.limits.fuel_per_turn);
        Self { service, rules, fuel_per_turn, turn, game, is_live: false }
    }

    /// The session of the games of a plan.
    pub fn of(plan: &Plan, is_live: bool) -> Self {
        Self { is_live, ..Self::new(Service::Games, &plan.conditions, plan.times) }
    }

    /// The plan of the game of an order, which does not score what the watchdog stops; `None` when the rules are of another
    /// game.
    pub fn game_plan<G: Listed>(&self, order: &Order) -> Option<GamePlan<'_, G>> {
        Some(GamePlan {
            rules: G::rules(&self.rules)?,
            fuel_per_turn: self.fuel_per_turn,
            side_seeds: order.side_seeds,
            fleet_seed: order.fleet_seed,
            starter: order.starter,
            score_wall_clock: false,
        })
    }

    /// A pool of processes of a sandbox for this session. `bots_max` is the longest time that bots may take for an order.
    pub(super) fn pool(&self, sandbox: &Sandbox, bots: Vec<Bot>, bots_max: Duration) -> Pool {
        let (sandbox, rules) = (sandbox.clone(), self.rules.clone());
        let start = move || {
            let game = arena_loaded::component(&rules).transpose().map_err(HostError::from)?;
            sandbox.start(&bots.iter().collect::<Vec<_>>(), game.as_ref())
        };
        let task = serde_json::to_vec(self).expect("a session is plain data");
        let limits =
            PoolLimits { order_max: bots_max.saturating_add(MARGIN), message_bytes_max: MESSAGE_BYTES_MAX };
        Pool::new(start, &task, limits)
    }

    /// The limits of wall-clock time.
    pub fn times(&self) -> TimeLimits {
        TimeLimits { turn: self.turn, game: self.game }
    }
}

/// A game to be played: everything that it depends on besides the session. It does not contain the seed from which other
/// seeds follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The bots, by seat: their places among those that were loaded.
    pub seats: [u32; 2],
    /// The random seed of each seat.
    pub side_seeds: [u64; 2],
    /// The random seed for fleets that the engine places.
    pub fleet_seed: u64,
    /// The seat that moves first.
    pub starter: Seat,
}

impl Order {
    /// The order for the game that a header describes, between bots at these places, by seat.
    pub fn of(header: &Header, bots: [usize; 2]) -> Self {
        Self {
            seats: bots.map(|bot| u32::try_from(bot).expect("there are fewer bots")),
            side_seeds: header.bots.each_ref().map(|seated| seated.seed),
            fleet_seed: header.fleet_seed,
            starter: header.starter,
        }
    }

    /// The order as it is sent.
    pub fn to_bytes(self) -> Vec<u8> {
        postcard::to_allocvec(&self).expect("an order is plain data")
    }

    /// The order in these bytes.
    ///
    /// # Errors
    /// The bytes are not a valid message.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        postcard::from_bytes(bytes)
    }

    /// The frame to send.
    pub fn to_frame(self) -> Vec<u8> {
        frame_of(&self)
    }
}

/// A board that the only bot of the process clears alone.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Board {
    /// The random seed of the bot.
    pub seed: u64,
    /// The random seed for the fleets that are drawn.
    pub fleets: u64,
}

impl Board {
    /// The frame to send.
    pub fn to_frame(self) -> Vec<u8> {
        frame_of(&self)
    }
}

/// A call of a player. The first one seats it. Only the first and the last one have no answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Call<G: Game> {
    /// A fresh player takes the seat.
    Seat {
        /// The bot: its place among those that were loaded.
        bot: u32,
        /// Its random seed. What the player learns of the game follows from it and the session.
        seed: u64,
    },
    /// It is asked for its deployment.
    Deploy(Means),
    /// It is asked for an action.
    Play(Means, G::View),
    /// It leaves.
    Leave,
}

impl<G: Game> Call<G> {
    /// The frame to send.
    pub fn to_frame(&self) -> Vec<u8> {
        frame_of(self)
    }
}

/// The budget of a call, and the events before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Means {
    /// The fuel for it.
    pub fuel: u64,
    /// True if the player is restarted before it.
    pub restarts: bool,
    /// True if a turn begins with it.
    pub begins_turn: bool,
}

/// A change of a log: the marks at its end change, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogChange {
    /// The bytes of the old log that stay. They are whole lines.
    pub kept: u32,
    /// The text after them.
    pub rest: String,
}

impl LogChange {
    /// The change from one log to another; `None` when they are the same.
    pub fn between(old: &str, new: &str) -> Option<Self> {
        if old == new {
            return None;
        }
        let same = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
        let kept = old.as_bytes()[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        Some(Self { kept: u32::try_from(kept).expect("a log is short"), rest: new[kept..].to_owned() })
    }
}

/// The figures of a player after a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// The change of its log since the call before, if there is one.
    pub log: Option<LogChange>,
    /// The peak of its memory, in bytes.
    pub memory_bytes_peak: u64,
    /// The processor time of the call.
    pub took: Duration,
}

/// A message of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Message<G: Game> {
    /// The side that was asked for a deployment answers.
    Deployment {
        /// The deployment.
        answer: G::Deployment,
        /// The fuel of the call.
        fuel: u64,
    },
    /// The side that was asked for an action answers.
    Action {
        /// The action.
        answer: G::Action,
        /// The fuel of the call.
        fuel: u64,
    },
    /// The side that was asked faulted.
    Fault(#[serde(with = "FaultFields")] Fault),
    /// The process failed, and the game has no result.
    Failed(Detail),
    /// The game is over.
    Over {
        /// The text that the bots printed, by seat.
        logs: [String; 2],
    },
    /// The code of the game has failed, and the game has no result.
    GameFailed(Detail),
    /// The side that was asked for an action leaves the choice to a loaded game, which is in another process.
    Drawn {
        /// The seed to draw with.
        seed: u64,
        /// The fuel of the call.
        fuel: u64,
    },
}

impl<G: Game> Message<G> {
    /// The first byte of an action, before its answer and its fuel.
    pub const ACTION: u8 = 1;
}

/// A violation of the protocol by a process that plays. Its process is not used any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The message is an answer to another question.
    #[error("a process for games sent another message than the one asked for")]
    OtherAnswer,
    /// The fuel of an answer is more than the bot had.
    #[error("a process for games reports more fuel than the bot had")]
    TooMuchFuel,
    /// The fault is not one that a component can have.
    #[error("a process for games reports a fault that no component can have")]
    NoFault,
    /// The message is of a game that is over.
    #[error("a process for games continues a game that is over by the rules")]
    NotOver,
    /// The game that is over is that of another order.
    #[error("a process for games played another game than the one that was ordered")]
    OtherGame,
    /// A replacement process answers differently from the first one.
    #[error("a process for games is gone, and its replacement answers differently")]
    OtherAnswers,
    /// The log is longer than the sandbox keeps.
    #[error("a process for games reports more output than is kept")]
    LongLog,
    /// The change of a log does not fit the log.
    #[error("a process for games reports impossible output")]
    OtherLog,
}

/// The fields of a [`Fault`] in a message. In JSON, a fault omits empty fields; messages cannot.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Fault")]
struct FaultFields {
    class: FaultClass,
    detail: Detail,
    stack: Vec<Frame>,
}

/// True if a fault is one that a component can have.
pub fn is_of_component(fault: &Fault) -> bool {
    use FaultClass::{
        BadDeploy, BadResult, Disconnected, IllegalAction, InitError, OutOfFuel, OutOfMemory, Resigned,
        StackOverflow, Trap, WallClock,
    };
    let is_possible = match fault.class {
        OutOfFuel | WallClock | Trap | StackOverflow | OutOfMemory | BadResult | InitError => true,
        BadDeploy | IllegalAction | Disconnected | Resigned => false,
    };
    is_possible && fault.stack.len() <= STACK_FRAMES_MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LimitOptions;
    use arena_record::Seed;
    use arena_rules::Coord;
    use arena_rules::battleship::{Action, Battleship};
    use arena_rules::submarine::Submarine;

    #[test]
    fn a_session_has_the_plan_of_each_order_and_scores_nothing_that_a_clock_stops() {
        let rules = GameRules::named("guide").expect("they are built in");
        let plan = Plan::of(rules, String::new(), Seed::from(1).into(), &LimitOptions::default(), 1);
        assert_eq!([true, false].map(|is_live| Session::of(&plan, is_live).is_live), [true, false]);
        let (session, fuel_per_turn) = (Session::of(&plan, false), plan.conditions.limits.fuel_per_turn);
        for starter in Seat::BOTH {
            let order = Order { seats: [0, 1], side_seeds: [2, 3], fleet_seed: 4, starter };
            let game = session.game_plan::<Battleship>(&order).expect("it is its game");
            assert_eq!((game.starter, game.side_seeds, game.fleet_seed), (starter, [2, 3], 4));
            assert_eq!((game.fuel_per_turn, game.score_wall_clock), (fuel_per_turn, false));
            assert!(session.game_plan::<Submarine>(&order).is_none());
        }
    }

    #[test]
    fn an_action_is_its_byte_the_answer_and_the_fuel() {
        let (answer, fuel) = (Action::Shot(Coord::new(3, 7)), 123_456);
        let told = postcard::to_allocvec(&Message::<Battleship>::Action { answer, fuel }).unwrap();
        let rest = postcard::to_allocvec(&(answer, fuel)).unwrap();
        assert_eq!(told, [&[Message::<Battleship>::ACTION], &rest[..]].concat());
    }

    #[test]
    fn a_fault_of_a_component_has_a_bounded_stack() {
        let fault = |class, frames| Fault::new(class, "it failed").with_stack(vec!["play".into(); frames]);
        assert!(is_of_component(&fault(FaultClass::Trap, 0)));
        assert!(is_of_component(&fault(FaultClass::Trap, STACK_FRAMES_MAX)));
        assert!(!is_of_component(&fault(FaultClass::Trap, STACK_FRAMES_MAX + 1)));
        assert!(!is_of_component(&fault(FaultClass::Resigned, 0)));
    }

    #[test]
    fn a_log_that_changes_keeps_its_lines_and_is_the_new_one() {
        for (old, new, kept) in [
            ("", "one", 0),
            ("one\n", "one\ntwo\n", 4),
            ("one\ntwo", "one\ntwo\n", 4),
            ("one\ntwä", "one\ntwö", 4),
            ("one\n[9 bytes]\n", "one\n[10 bytes]\n", 4),
            ("one\n", "", 0),
        ] {
            let change = LogChange::between(old, new).expect("they differ");
            assert_eq!(change.kept, kept, "{new:?}");
            assert_eq!(old[..kept as usize].to_owned() + &change.rest, new);
            assert_eq!(LogChange::between(new, new), None);
        }
    }
}
