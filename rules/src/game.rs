//! The trait [`Game`]: the interface of a game for the rest of the arena. The state of each game implements it.

use crate::random::SeededRng;
use crate::{Failure, GameKind, GameRules, Outcome, Reason, ScoreRange, Scores, Seat, Size};
use serde::{Serialize, de::DeserializeOwned};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Plain data that can be compared, shared between threads and recorded.
pub trait Data:
    Clone + fmt::Debug + PartialEq + Eq + Send + Sync + Serialize + DeserializeOwned + 'static
{
}

impl<T: Clone + fmt::Debug + PartialEq + Eq + Send + Sync + Serialize + DeserializeOwned + 'static> Data
    for T
{
}

/// The rules of a game: its switches, as data.
///
/// The type is a struct of numbers, words, truth values and lists, one of them the `name` to show. For serde it has
/// kebab-case names, `deny_unknown_fields`, and a `default` for the whole struct: the frozen baseline, from which switches
/// are taken that a recording does not mention.
pub trait Rules {
    /// The name of the game.
    fn game(&self) -> &str;

    /// The reasons of the game's own for which it can end.
    fn reasons(&self) -> Cow<'_, [Reason]>;

    /// The name to show: that of built-in rules, or the user's own.
    fn name(&self) -> &str;

    /// Gives them another name to show. They stay the same rules.
    fn rename(&mut self, name: String);

    /// The size of the board, or of each board; `None` for a game without one of a fixed size.
    fn size(&self) -> Option<Size> {
        None
    }

    /// The budget of a turn, and of a deployment, in milliseconds of the reference machine.
    fn turn_budget_ms(&self) -> u32;

    /// True if the seat that moves first is drawn from the seed for the first game of a match; otherwise it is seat 1.
    fn starter_is_drawn(&self) -> bool {
        false
    }

    /// The range of the scores; `None` in a game without scores.
    fn score_range(&self) -> Option<ScoreRange> {
        None
    }

    /// All switches with a comment for each, in the order of a rules file.
    fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)>;

    /// The reason for an end as a sentence about the loser, who is not named in a draw.
    fn reason_sentence(&self, reason: Reason, loser: &str) -> String {
        reason.sentence(loser)
    }

    /// Checks that a game can be played by these rules.
    ///
    /// # Errors
    /// The first switch that is wrong.
    fn validate(&self) -> Result<(), RulesError>;
}

/// A switch of the rules that is wrong.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct RulesError {
    /// The name of the switch, as in a rules file.
    pub switch: Cow<'static, str>,
    /// The reason.
    #[source]
    pub cause: Box<dyn Error + Send + Sync>,
}

/// A game between two sides, from two legal setups to its end: a state machine that takes any action without a panic.
///
/// The caller asks [`Game::to_move`], shows that side its [`Game::view`] and brings
/// its action; the state rules on it. What differs from game to game is asked of a value, the rules or the state, so that one type
/// can implement it for several games. A game that the program lists is also [`Listed`].
pub trait Game: Clone + fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The switches.
    type Rules: Rules + Data;
    /// The part of the rules that a side gets, with its own random seed.
    /// For serde it has the names of the contract with bots.
    type Info: Clone + fmt::Debug + Serialize + Sync;
    /// A deployment as a player answers it. It may be illegal.
    type Deployment: Data;
    /// A legal deployment: the only ways to get one are [`Game::setup`] and [`Game::drawn`].
    type Setup: Clone + fmt::Debug + PartialEq + Eq + Send + Sync + 'static;
    /// The reason why a deployment is illegal.
    type SetupError: Error;
    /// The part of the state that a side may see at its turn.
    /// For serde it has the names of the contract with bots.
    type View: Clone + fmt::Debug + Serialize + DeserializeOwned + Sync;
    /// An action as a player answers it. It may be illegal.
    type Action: Data;
    /// The reason why an action is not valid.
    type Invalid: Data + fmt::Display;
    /// The result of an action that took a turn.
    type Effect: Data;

    /// The same rules on another board, with caps in proportion; `None` when the game has one size of board only.
    fn resized(_rules: &Self::Rules, _size: Size) -> Option<Self::Rules> {
        None
    }

    /// The information for a side.
    fn info(rules: &Self::Rules, fuel_per_turn: u64, seed: u64) -> Self::Info;

    /// Checks a deployment.
    ///
    /// # Errors
    /// The first problem.
    fn setup(rules: &Self::Rules, deployment: &Self::Deployment) -> Result<Self::Setup, Self::SetupError>;

    /// The deployment that a setup was made of: [`Game::setup`] makes the same setup of it again.
    fn deployment(setup: &Self::Setup) -> Self::Deployment;

    /// The setups of a game that begins without a deployment, whose chance comes from this seed alone; `None` when each side has
    /// a deployment before play. It depends on the rules alone whether there is one.
    fn without_deployment(_rules: &Self::Rules, _seed: u64) -> Option<[Self::Setup; 2]> {
        None
    }

    /// The setups that the engine draws from a seed; `None` when the rules let each player deploy.
    ///
    /// # Errors
    /// No legal setup was drawn in a bounded time.
    fn drawn(_rules: &Self::Rules, _seed: u64) -> Option<Result<[Self::Setup; 2], Unsuited>> {
        None
    }

    /// A random legal setup, for a built-in opponent. All are possible, but they need not be equally likely.
    ///
    /// # Errors
    /// No legal setup came up in a bounded time.
    fn any_setup(rules: &Self::Rules, rng: &mut SeededRng) -> Result<Self::Setup, Unsuited>;

    /// A random valid action of the side with this view, for a built-in opponent.
    ///
    /// # Errors
    /// The code of a game that is loaded at run time failed.
    fn any_action(info: &Self::Info, view: &Self::View, rng: &mut SeededRng)
    -> Result<Self::Action, Failure>;

    /// A game about to begin. `starter` moves first, unless the code of a loaded game decides otherwise.
    fn new(rules: &Self::Rules, setups: [Self::Setup; 2], starter: Seat) -> Self;

    /// Checks that a side can play alone under these rules, to measure the number of turns that bots need.
    ///
    /// # Errors
    /// The reason why not.
    fn suits_one(rules: &Self::Rules) -> Result<(), Unsuited> {
        Self::draw_solo(rules, 0).map(drop)
    }

    /// A game in which seat 1 plays alone, drawn from a seed: an action that is not valid loses, and seat 2 can only pass,
    /// by [`Game::overrun`]. Not every game has one.
    ///
    /// # Errors
    /// One side cannot play this game alone, or no legal setup was drawn in a bounded time.
    fn draw_solo(rules: &Self::Rules, _seed: u64) -> Result<Self, Unsuited> {
        Err(not_for_one(rules))
    }

    /// This game, made by [`Game::draw_solo`] by these rules, as a recording of two sides; `None` for a game that no side plays
    /// alone.
    fn solo_record(&self, _rules: &Self::Rules) -> Option<SoloRecord<Self>> {
        None
    }

    /// The seat to move; `None` once the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// The end of the game; `None` while it goes on.
    fn end(&self) -> Option<(Outcome, Reason)>;

    /// The scores of a game that has ended by no side's fault; `None` by rules without scores. [`scores`](crate::scores) has those of any
    /// game.
    fn scores(&self) -> Option<Scores> {
        None
    }

    /// The number of turns that a side has taken, those that it skipped or lost by an overrun included.
    fn turns(&self, seat: Seat) -> u32;

    /// The current view of a side. The game keeps it up to date, because each turn needs it.
    fn view(&self, seat: Seat) -> &Self::View;

    /// Takes the action of the side to move.
    ///
    /// # Panics
    /// If the game is over or it is the other side's turn.
    fn act(&mut self, seat: Seat, action: &Self::Action) -> Ruling<Self>;

    /// Records that the side to move overran its turn's budget. Returns true if the turn is skipped, and counts as taken;
    /// otherwise the side has lost.
    ///
    /// # Panics
    /// If the game is over or it is the other side's turn.
    fn overrun(&mut self, seat: Seat) -> bool {
        self.forfeit(seat);
        false
    }

    /// Ends the game, unless it has ended already: a side lost by a fault that the rules never forgive.
    fn forfeit(&mut self, seat: Seat);

    /// The length of an action as text, in bytes, in a game whose actions may be long; 0 in all others.
    fn text_bytes(_action: &Self::Action) -> u64 {
        0
    }

    /// True if an action had this effect because the player let its turn pass without one.
    fn is_skip(_effect: &Self::Effect) -> bool {
        false
    }

    /// A sentence about an action that is not valid, for the author of the player.
    fn complaint(action: &Self::Action, why: &Self::Invalid) -> String;

    /// The reason why the game has failed, as one whose code is loaded at run time can; `None` while it is sound. What else a failed game
    /// returns has no meaning. Whoever calls it asks after each call that changes the state, and no side loses by the failure.
    fn failure(&self) -> Option<Failure> {
        None
    }

    /// All that the game depends on until now, as some lines of bounded length, with which the author of a game that has failed can repeat
    /// it; `None` for a game whose code is the program's.
    fn reproduction(&self) -> Option<String> {
        None
    }
}

/// The answer to a deployment in a game that begins without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game begins without a deployment")]
pub struct NoDeployment;

/// A game that the program lists: a folder of this crate and an entry in `games.rs`. The program also needs its contracts in the
/// sandbox and its pictures on the screens.
pub trait Listed: Game {
    /// The game in the list.
    const KIND: GameKind;

    /// The built-in rules, the default first. Their names differ from those of all other games.
    fn built_in() -> Vec<Self::Rules>;

    /// The rules, if they are of this game.
    fn rules(any: &GameRules) -> Option<&Self::Rules>;
}

fn not_for_one(rules: &impl Rules) -> Unsuited {
    Unsuited(format!("{} cannot be played by one side alone", rules.game()))
}

/// A game that one side plays alone, as a recording of two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoloRecord<G: Game> {
    /// The rules of the game, changed so that seat 2 may pass every turn. Under them, valid actions of seat 1 have the same
    /// effects as in the game alone.
    pub rules: GameRules,
    /// The setups, by seat.
    pub setups: [G::Setup; 2],
    /// The action of seat 2 at each of its turns.
    pub pass: G::Action,
}

/// The consequence of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling<G: Game> {
    /// It took the turn, with this effect.
    Done(G::Effect),
    /// It was not valid, and the player is asked again in the same turn. Nothing has changed but, at most, the view.
    Retry(G::Invalid),
    /// It was not valid, and the side has lost: the game has ended.
    Lost(G::Invalid),
}

/// The reason why valid rules do not suit a purpose.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsuited(pub String);
