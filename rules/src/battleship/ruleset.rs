//! Rule sets of the Battleship family: the switches, as data.

use super::state::{BOTH_FLEETS_SUNK, BOTH_SKIPPED, FLEET_SUNK, REASONS};
use super::{FleetSpec, Placeable};
use crate::{GameKind, Reason, Rules, RulesError, SIDE_MAX, ScoreRange, Size};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The largest number of ships of a fleet. Chosen: no known game has more, and the index of a ship fits a byte.
pub const SHIPS_MAX: usize = 64;

/// The side that places the fleets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placing {
    /// Each bot places its own fleet, by `deploy`.
    Bot,
    /// The engine places both, uniformly over all legal fleets, from the match's seed.
    Engine,
}

/// The seat that shoots first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// Seat 1. The other bot has it in the paired game.
    First,
    /// A seat that is drawn from the seed for the first game of a match. After that the bots alternate.
    Drawn,
}

/// The moment at which a sunk fleet ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounds {
    /// After each shot: the first side to sink the other fleet wins.
    EachShot,
    /// After the shots of both sides: if both fleets are sunk, the game is a draw.
    BothShots,
}

/// The consequence of a shot off the board, or at a cell already shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnInvalid {
    /// The bot is asked again in the same turn and the same budget.
    Retry,
    /// The turn is spent; a shot at a cell already shot at has the same result again.
    Waste,
    /// The bot loses.
    Lose,
}

/// The consequence of the answer `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnSkip {
    /// The turn passes.
    Skip,
    /// The bot loses.
    Lose,
}

/// The consequence of a turn over its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnOverrun {
    /// The turn is skipped; the bot continues as a fresh instance.
    Skip,
    /// The bot loses.
    Lose,
}

/// The rules of a game of the Battleship family: every switch, as data.
///
/// A trap, a panic and memory over the cap always lose, and so does a bad or late deployment; two bad deployments are no
/// contest. These are not switches.
///
/// A switch that a recording does not mention has the value of [`Ruleset::baseline`].
///
/// ```
/// use arena_rules::battleship::Ruleset;
///
/// let announced = Ruleset { sinkings_announced: true, ..Ruleset::guide() };
/// assert_eq!(announced.fleet.len(), 10);
/// assert!(announced.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default = "Ruleset::baseline")]
pub struct Ruleset {
    /// The name to show: that of built-in rules, or the user's own.
    pub name: String,
    /// Columns, 1 to [`SIDE_MAX`].
    pub width: u8,
    /// Rows, 1 to [`SIDE_MAX`].
    pub height: u8,
    /// Ship lengths, longest first, 1 to [`SHIPS_MAX`] of them.
    pub fleet: Vec<u8>,
    /// True if ships may lie side by side, or corner to corner.
    pub may_touch: bool,
    /// The side that places the fleets.
    pub placing: Placing,
    /// The seat that shoots first.
    pub starts: Starts,
    /// The moment at which a sunk fleet ends the game.
    pub rounds: Rounds,
    /// The consequence of a shot off the board.
    pub off_board: OnInvalid,
    /// The consequence of a shot at a cell already shot at.
    pub repeat: OnInvalid,
    /// The consequence of the answer `none`.
    pub skip: OnSkip,
    /// True if the game is a draw after both sides skipped in succession.
    pub two_skips_draw: bool,
    /// The consequence of a turn over its budget.
    pub overrun: OnOverrun,
    /// True if a side learns which of the opponent's ships are still afloat.
    pub sinkings_announced: bool,
    /// The budget of a turn with all its retries, and of a deployment, in milliseconds of the reference machine.
    pub turn_budget_ms: u32,
    /// The number of turns after which the game is a draw, for each side.
    pub turns_max: u32,
}

/// The switches with the comments of a rules file.
const COMMENTS: &[(&str, &str)] = &[
    ("name", "The name that tables show."),
    ("width", "Columns of the board, 1 to 32."),
    ("height", "Rows of the board, 1 to 32."),
    (
        "fleet",
        "The lengths of each side's ships, longest first, at most 64. A fleet that cannot be placed is \
         refused.",
    ),
    ("may-touch", "true if ships may lie side by side, or corner to corner."),
    (
        "placing",
        "Placing of the fleets: \"bot\", each its own, or \"engine\", uniformly over all legal fleets, \
         from the match's seed.",
    ),
    (
        "starts",
        "First to shoot: \"first\", seat 1, which the paired game gives to the other bot, or \"drawn\" \
         from the seed for the first game of a match, then in turn.",
    ),
    (
        "rounds",
        "End of the game: \"each-shot\", so that the first to sink the other fleet wins, or \
         \"both-shots\", at the end of a round, so that both can sink: a draw.",
    ),
    (
        "off-board",
        "A shot off the board: \"retry\" asks again in the same turn and budget, \"waste\" spends the \
         turn, \"lose\" loses the game.",
    ),
    ("repeat", "A shot at a cell already shot at: \"retry\", \"waste\" or \"lose\"."),
    ("skip", "The answer `none`: \"skip\" passes the turn, \"lose\" loses the game."),
    ("two-skips-draw", "true if both sides skipping, one after the other, is a draw."),
    (
        "overrun",
        "A turn over its budget: \"skip\" passes it, and the bot continues in a fresh instance; \"lose\" \
         loses the game.",
    ),
    ("sinkings-announced", "true if a side learns which of the opponent's ships are still afloat."),
    (
        "turn-budget-ms",
        "The budget of a turn with all its retries, and of a deployment, in milliseconds. It is measured \
         in fuel, which is the same on every machine: 100,000 units a millisecond.",
    ),
    (
        "turns-max",
        "Turns of each side, after which the game is a draw. On a board of another size, a file that does not set it has it \
         in proportion to the cells.",
    ),
];

/// The reason why a rule set is not playable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesetError {
    /// A side of the board is 0 or too long.
    #[error("a board of {0} is not possible: each side is 1 to {SIDE_MAX} cells")]
    Size(Size),
    /// No ships, or too many.
    #[error("a fleet of {0} ships is not possible: it has 1 to {SHIPS_MAX}")]
    ShipCount(usize),
    /// A ship of length 0.
    #[error("ship {0} of the fleet has the length 0: the shortest is 1")]
    ShipLength(usize),
    /// The lengths are not in falling order.
    #[error("the fleet must be listed longest first")]
    ShipOrder,
    /// There is no legal way to place the fleet.
    #[error("the fleet {fleet:?} cannot be placed on a board of {size}{}", touch(.may_touch))]
    FleetTooLarge {
        /// The fleet.
        fleet: Vec<u8>,
        /// The board.
        size: Size,
        /// True if ships may touch.
        may_touch: bool,
    },
    /// A bounded search found no legal way to place the fleet.
    #[error("no way to place the fleet {fleet:?} on a board of {size} was found: it is too tight to play on")]
    FleetTooTight {
        /// The fleet.
        fleet: Vec<u8>,
        /// The board.
        size: Size,
    },
    /// Legal fleets are too rare for the engine to draw.
    #[error(
        "the fleet {fleet:?} on a board of {size} is too tight for the engine to draw: let the bots place it"
    )]
    FleetUndrawable {
        /// The fleet.
        fleet: Vec<u8>,
        /// The board.
        size: Size,
    },
    /// A budget or a cap of 0.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
}

fn touch(may_touch: &bool) -> &'static str {
    if *may_touch { "" } else { ", where ships may not touch" }
}

impl RulesetError {
    /// The name of the switch that is wrong.
    pub fn switch(&self) -> &'static str {
        match self {
            Self::Size(size) if (1..=SIDE_MAX).contains(&size.width) => "height",
            Self::Size(_) => "width",
            Self::Zero(switch) => switch,
            Self::ShipCount(_)
            | Self::ShipLength(_)
            | Self::ShipOrder
            | Self::FleetTooLarge { .. }
            | Self::FleetTooTight { .. }
            | Self::FleetUndrawable { .. } => "fleet",
        }
    }
}

impl Ruleset {
    /// The frozen values that seeds and recordings are relative to: a seed hashes only the switches that differ from them,
    /// and a recording may leave out the others.
    ///
    /// No value here may ever change. A new switch gets the value of the behaviour before it.
    pub fn baseline() -> Self {
        Self {
            name: "guide".into(),
            width: 10,
            height: 10,
            fleet: vec![4, 3, 3, 2, 2, 2, 1, 1, 1, 1],
            may_touch: false,
            placing: Placing::Bot,
            starts: Starts::First,
            rounds: Rounds::EachShot,
            off_board: OnInvalid::Retry,
            repeat: OnInvalid::Retry,
            skip: OnSkip::Skip,
            two_skips_draw: true,
            overrun: OnOverrun::Skip,
            sinkings_announced: false,
            turn_budget_ms: 3_000,
            turns_max: 400,
        }
    }

    /// The default rules: the game of the implementation guide.
    pub fn guide() -> Self {
        Self::baseline()
    }

    /// The well-known board game: five ships that may touch, and sinkings announced. A shot off the board, a skip and an
    /// overrun lose.
    pub fn classic() -> Self {
        Self {
            name: "classic".into(),
            fleet: vec![5, 4, 3, 3, 2],
            may_touch: true,
            off_board: OnInvalid::Lose,
            repeat: OnInvalid::Waste,
            skip: OnSkip::Lose,
            two_skips_draw: false,
            overrun: OnOverrun::Lose,
            sinkings_announced: true,
            turns_max: 2_000,
            ..Self::baseline()
        }
    }

    /// The variant of a contest: the engine places five ships that may not touch, a round is judged after the shots of both
    /// sides, and a call has half a second.
    pub fn pirates() -> Self {
        Self {
            name: "pirates".into(),
            fleet: vec![5, 4, 3, 3, 2],
            placing: Placing::Engine,
            starts: Starts::Drawn,
            rounds: Rounds::BothShots,
            off_board: OnInvalid::Lose,
            repeat: OnInvalid::Waste,
            two_skips_draw: false,
            overrun: OnOverrun::Lose,
            sinkings_announced: true,
            turn_budget_ms: 500,
            turns_max: 200,
            ..Self::baseline()
        }
    }

    /// The same rules on another board, with the cap on turns in proportion to the number of cells.
    ///
    /// ```
    /// use arena_rules::Size;
    /// use arena_rules::battleship::Ruleset;
    ///
    /// assert_eq!(Ruleset::classic().with_size(Size::new(12, 8)).height, 8);
    /// ```
    pub fn with_size(mut self, size: Size) -> Self {
        let cells_before = self.size().cells() as u64;
        let turns = u64::from(self.turns_max) * size.cells() as u64 / cells_before.max(1);
        self.turns_max = u32::try_from(turns).unwrap_or(u32::MAX);
        self.width = size.width;
        self.height = size.height;
        self
    }

    /// The size of both boards.
    pub fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }

    /// Checks that a game can be played: sizes in range, a fleet that can be placed, budgets that are not 0.
    ///
    /// # Errors
    /// The first problem. A bounded search finds out if the fleet can be placed.
    pub fn validate(&self) -> Result<(), RulesetError> {
        let size = self.size();
        if !(1..=SIDE_MAX).contains(&self.width) || !(1..=SIDE_MAX).contains(&self.height) {
            return Err(RulesetError::Size(size));
        }
        if !(1..=SHIPS_MAX).contains(&self.fleet.len()) {
            return Err(RulesetError::ShipCount(self.fleet.len()));
        }
        if let Some(ship) = self.fleet.iter().position(|&length| length == 0) {
            return Err(RulesetError::ShipLength(ship + 1));
        }
        if !self.fleet.is_sorted_by(|a, b| a >= b) {
            return Err(RulesetError::ShipOrder);
        }
        for (value, name) in [(self.turn_budget_ms, "turn-budget-ms"), (self.turns_max, "turns-max")] {
            if value == 0 {
                return Err(RulesetError::Zero(name));
            }
        }
        let spec = FleetSpec::of(self);
        match spec.placeable() {
            Placeable::Yes(_) if self.placing == Placing::Engine && !spec.can_be_drawn() => {
                Err(RulesetError::FleetUndrawable { fleet: self.fleet.clone(), size })
            }
            Placeable::Yes(_) => Ok(()),
            Placeable::No => Err(RulesetError::FleetTooLarge {
                fleet: self.fleet.clone(),
                size,
                may_touch: self.may_touch,
            }),
            Placeable::Unknown => Err(RulesetError::FleetTooTight { fleet: self.fleet.clone(), size }),
        }
    }
}

impl FleetSpec {
    /// The specification of a legal fleet by these rules.
    pub fn of(rules: &Ruleset) -> Self {
        Self { size: rules.size(), lengths: rules.fleet.clone(), may_touch: rules.may_touch }
    }
}

impl Rules for Ruleset {
    fn game(&self) -> &str {
        GameKind::Battleship.name()
    }

    fn reasons(&self) -> Cow<'_, [Reason]> {
        REASONS.into()
    }

    /// Shots saved: see [`Battleship`](super::Battleship)'s scores.
    fn score_range(&self) -> Option<ScoreRange> {
        Some(ScoreRange { minimum: 0, maximum: self.turns_max.into() })
    }

    fn reason_sentence(&self, reason: Reason, loser: &str) -> String {
        match reason {
            FLEET_SUNK => format!("all ships of {loser} are sunk"),
            BOTH_FLEETS_SUNK => "all ships of both sank in one round".into(),
            BOTH_SKIPPED => "both skipped, one after the other".into(),
            _ => reason.sentence(loser),
        }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }

    fn size(&self) -> Option<Size> {
        Some(self.size())
    }

    fn turn_budget_ms(&self) -> u32 {
        self.turn_budget_ms
    }

    fn starter_is_drawn(&self) -> bool {
        self.starts == Starts::Drawn
    }

    fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        COMMENTS.iter().map(|&(switch, comment)| (switch.into(), comment.into())).collect()
    }

    fn validate(&self) -> Result<(), RulesError> {
        self.validate().map_err(|error| RulesError { switch: error.switch().into(), cause: error.into() })
    }
}
