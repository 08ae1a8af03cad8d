//! The part of a game in a browser that differs from game to game.

use arena_pages::Reported;
use arena_pictures::{Moment, submarine::letter};
use arena_rules::battleship::{Battleship, FleetSpec, OnSkip, Ruleset};
use arena_rules::loaded::Loaded;
use arena_rules::submarine::{Ship, Submarine};
use arena_rules::{Coord, Direction, Placement, Seat};
use arena_sandbox::Sandboxed;
use serde::Serialize;

/// The most legal actions that a page lists. Chosen: nobody looks through a longer list, and any action can be typed.
const LISTED_MAX: usize = 500;

/// The longest reason why a game lists no actions, in characters. Chosen: two lines.
const WHY_CHARS_MAX: usize = 200;

/// The ships that a person places.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Fleet {
    /// Their names and lengths, in order.
    ships: Vec<(String, u8)>,
    may_touch: bool,
}

/// What a person can do in a turn.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Choices {
    /// Choose a cell of the other board.
    Cells {
        /// True if the turn can pass without a shot.
        skip: bool,
        /// The own ships that can move instead: a letter, the name, and the cell.
        moves: Vec<(char, String, [u8; 2])>,
    },
    /// Write an action, or choose it from a list.
    Text {
        /// The legal actions, or the first of them; none if the game does not list them.
        legal: Vec<String>,
        /// True if there are more.
        has_more: bool,
        /// The reason why they are not known; empty if there is none.
        why: String,
    },
}

/// A game that a person can play in a browser. All other code is the same for all games.
pub(crate) trait Played: Reported + Sandboxed {
    /// The ships to place.
    fn fleet(_rules: &Self::Rules) -> Fleet {
        Fleet::default()
    }

    /// The deployment of these ships.
    ///
    /// # Errors
    /// They are no deployment, for this reason.
    fn placed(ships: Vec<Placement>) -> Result<Self::Deployment, String>;

    /// The ships of a deployment.
    fn ships(deployment: &Self::Deployment) -> Vec<Placement>;

    /// What the side at a seat, whose turn it is, can do.
    fn choices(moment: &Moment<Self>, seat: Seat) -> Choices;
}

impl Played for Battleship {
    fn fleet(rules: &Ruleset) -> Fleet {
        let spec = FleetSpec::of(rules);
        let ships = spec.lengths.iter().map(|length| (format!("ship of {length}"), *length)).collect();
        Fleet { ships, may_touch: spec.may_touch }
    }

    fn placed(ships: Vec<Placement>) -> Result<Vec<Placement>, String> {
        Ok(ships)
    }

    fn ships(deployment: &Vec<Placement>) -> Vec<Placement> {
        deployment.clone()
    }

    fn choices(moment: &Moment<Self>, _seat: Seat) -> Choices {
        Choices::Cells { skip: moment.rules().skip != OnSkip::Lose, moves: Vec::new() }
    }
}

impl Played for Submarine {
    fn fleet(_rules: &Self::Rules) -> Fleet {
        Fleet { ships: Ship::ALL.iter().map(|ship| (ship.to_string(), 1)).collect(), may_touch: true }
    }

    fn placed(ships: Vec<Placement>) -> Result<[Coord; 3], String> {
        let cells: Vec<Coord> = ships.into_iter().map(|ship| ship.anchor).collect();
        cells.try_into().map_err(|_| "place all three ships".to_owned())
    }

    fn ships(deployment: &[Coord; 3]) -> Vec<Placement> {
        deployment.iter().map(|&at| Placement::new(at, Direction::East)).collect()
    }

    fn choices(moment: &Moment<Self>, seat: Seat) -> Choices {
        let ships = moment.ships(seat).into_iter();
        let moves = ships.map(|own| (letter(own.ship), own.ship.to_string(), [own.at.row, own.at.column]));
        Choices::Cells { skip: false, moves: moves.collect() }
    }
}

impl Played for Loaded {
    fn placed(_ships: Vec<Placement>) -> Result<Self::Deployment, String> {
        Err("the game begins without ships".into())
    }

    fn ships(_deployment: &Self::Deployment) -> Vec<Placement> {
        Vec::new()
    }

    fn choices(moment: &Moment<Self>, _seat: Seat) -> Choices {
        let text = |mut legal: Vec<String>, why| {
            let has_more = legal.len() > LISTED_MAX;
            legal.truncate(LISTED_MAX);
            Choices::Text { legal, has_more, why }
        };
        match moment.game().map(Self::legal_actions) {
            Some(Ok(Some(legal))) => text(legal, String::new()),
            Some(Err(failure)) => text(Vec::new(), arena_text::line(&failure.to_string(), WHY_CHARS_MAX)),
            Some(Ok(None)) | None => text(Vec::new(), String::new()),
        }
    }
}
