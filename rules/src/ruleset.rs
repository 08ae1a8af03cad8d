//! Rule sets as data: one referee, many games.

use crate::{FleetSpec, Placeable, SIDE_MAX, Size};
use serde::{Deserialize, Serialize};

/// The most ships a fleet may have. Chosen: more fit no game people play, and the index of a ship fits a byte.
pub const SHIPS_MAX: usize = 64;

/// Who places the fleets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placing {
    /// Each bot its own, by `deploy`.
    Bot,
    /// The engine, uniformly over legal fleets, from the match's seed.
    Engine,
}

/// Who shoots first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// The bot named first; the paired game swaps.
    First,
    /// Drawn from the seed for the first game of a match, then in turn.
    Drawn,
}

/// When the fleets are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounds {
    /// After each shot: the first to sink the other wins.
    EachShot,
    /// After both have shot: both can sink, which is a draw.
    BothShots,
}

/// What happens to a spot off the board, or one already shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnInvalid {
    /// The bot is asked again in the same turn and the same budget.
    Retry,
    /// The turn is spent; a spot already shot at answers as it did.
    Waste,
    /// The bot loses.
    Lose,
}

/// What happens when a bot answers `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnSkip {
    /// Its turn passes.
    Skip,
    /// It loses.
    Lose,
}

/// What happens when a turn's budget runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnOverrun {
    /// The turn is skipped; the bot goes on in a fresh instance.
    Skip,
    /// The bot loses.
    Lose,
}

/// The rules of a game of the Battleship family: every switch of it, as data.
///
/// A trap, a panic and memory over the cap always lose, a bad or late deployment too; two bad deployments are no
/// contest. Those are no switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Ruleset {
    /// A name to show: one of [`Ruleset::NAMES`], or the user's own.
    pub name: String,
    /// Columns, 1 to [`SIDE_MAX`].
    pub width: u8,
    /// Rows, 1 to [`SIDE_MAX`].
    pub height: u8,
    /// Ship lengths, longest first, 1 to [`SHIPS_MAX`] of them.
    pub fleet: Vec<u8>,
    /// Whether ships may lie side by side, or corner to corner.
    pub may_touch: bool,
    /// Who places the fleets.
    pub placing: Placing,
    /// Who shoots first.
    pub starts: Starts,
    /// When the fleets are looked at.
    pub rounds: Rounds,
    /// What a spot off the board does.
    pub off_board: OnInvalid,
    /// What a spot already shot at does.
    pub repeat: OnInvalid,
    /// What the answer `none` does.
    pub skip: OnSkip,
    /// Whether the game is a draw when both sides skip, one after the other.
    pub two_skips_draw: bool,
    /// What a turn over its budget does.
    pub overrun: OnOverrun,
    /// Whether a side is told which of the opponent's ships are still afloat.
    pub sinkings_announced: bool,
    /// The budget of a turn with all its retries, and of a deployment, in milliseconds of the reference machine.
    pub turn_budget_ms: u32,
    /// Turns each side may take; after them the game is a draw.
    pub turns_max: u32,
}

/// Why a rule set is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesetError {
    /// A side of the board is zero or too long.
    #[error("a board of {0} is not possible: each side is 1 to {SIDE_MAX} cells")]
    Size(Size),
    /// No ships, or too many.
    #[error("a fleet of {0} ships is not possible: it has 1 to {SHIPS_MAX}")]
    ShipCount(usize),
    /// A ship of no length.
    #[error("ship {0} of the fleet has the length 0: the shortest is 1")]
    ShipLength(usize),
    /// The lengths are not in falling order.
    #[error("the fleet must be listed longest first")]
    ShipOrder,
    /// There is no legal way to lay the fleet out.
    #[error("the fleet {fleet:?} cannot be placed on a board of {size}{}", touch(.may_touch))]
    FleetTooLarge {
        /// The fleet.
        fleet: Vec<u8>,
        /// The board.
        size: Size,
        /// Whether ships may touch.
        may_touch: bool,
    },
    /// It was not found out in time whether there is a legal way.
    #[error("no way to place the fleet {fleet:?} on a board of {size} was found: it is too tight to play on")]
    FleetTooTight {
        /// The fleet.
        fleet: Vec<u8>,
        /// The board.
        size: Size,
    },
    /// The engine is to place the fleets, and legal ones are too rare to be drawn.
    #[error(
        "the fleet {fleet:?} on a board of {size} is too tight for the engine to draw: let the bots place it"
    )]
    FleetUndrawable {
        /// The fleet.
        fleet: Vec<u8>,
        /// The board.
        size: Size,
    },
    /// A budget or a cap of nothing.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
}

fn touch(may_touch: &bool) -> &'static str {
    if *may_touch { "" } else { ", where ships may not touch" }
}

impl Ruleset {
    /// The names of the built-in rule sets.
    pub const NAMES: [&str; 3] = ["guide", "classic", "pirates"];

    /// A built-in rule set by its name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "guide" => Some(Self::guide()),
            "classic" => Some(Self::classic()),
            "pirates" => Some(Self::pirates()),
            _ => None,
        }
    }

    /// The default rules: the implementation guide's game.
    pub fn guide() -> Self {
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

    /// The well-known board game: five ships that may touch, sinkings announced, and no second chance: a shot off the
    /// board, a skip and an overrun lose.
    pub fn classic() -> Self {
        Self {
            name: "classic".into(),
            width: 10,
            height: 10,
            fleet: vec![5, 4, 3, 3, 2],
            may_touch: true,
            placing: Placing::Bot,
            starts: Starts::First,
            rounds: Rounds::EachShot,
            off_board: OnInvalid::Lose,
            repeat: OnInvalid::Waste,
            skip: OnSkip::Lose,
            two_skips_draw: false,
            overrun: OnOverrun::Lose,
            sinkings_announced: true,
            turn_budget_ms: 3_000,
            turns_max: 2_000,
        }
    }

    /// A contest's variant: the engine places five ships that may not touch, both sides shoot in a round before it is
    /// judged, and a call has half a second.
    pub fn pirates() -> Self {
        Self {
            name: "pirates".into(),
            width: 10,
            height: 10,
            fleet: vec![5, 4, 3, 3, 2],
            may_touch: false,
            placing: Placing::Engine,
            starts: Starts::Drawn,
            rounds: Rounds::BothShots,
            off_board: OnInvalid::Lose,
            repeat: OnInvalid::Waste,
            skip: OnSkip::Skip,
            two_skips_draw: false,
            overrun: OnOverrun::Lose,
            sinkings_announced: true,
            turn_budget_ms: 500,
            turns_max: 200,
        }
    }

    /// The same rules on another board. The cap on turns keeps its proportion to the number of cells.
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

    /// Whether this can be played: sizes in range, a fleet that can be placed, budgets that are not zero.
    ///
    /// # Errors
    /// The first thing found wrong. Whether a fleet can be placed is found out by a bounded search.
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
