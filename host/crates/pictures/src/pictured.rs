//! The part of the pictures that differs from game to game.

use crate::grid::{Blast, Grid};
use crate::heat::Heat;
use crate::moment::{Knowledge, Moment, Viewpoint};
use crate::sheet::Sheet;
use crate::tone::{Piece, Tone};
use arena_record::Replay;
use arena_referee::Event;
use arena_rules::{Coord, Listed, Seat};
use std::fmt;
use std::sync::Arc;

/// A game of which there are pictures. Each game implements it in a folder of this crate; all other code is the same for all
/// games.
///
/// A board is named by its owner. It is seen as it is, or as the other side knows it. A game with one board for both sides gives it to
/// seat 1, and an empty one to seat 2. A game that draws itself has a picture instead of boards.
pub trait Pictured: Listed<Info: Send> {
    /// The part of the past that the pictures need and the game itself does not keep; `()` if there is none.
    type Memory: Clone + fmt::Debug + Send;

    /// True for a game of ships on boards; false for one with a [picture](Self::picture) of its own. All that is about boards, ships and
    /// hits is then left out, and the functions about them are not called: they have no meaning, and a game without boards leaves them as
    /// they are.
    const HAS_BOARDS: bool = true;

    /// True if the map of a board follows from what the other side sees of it; false if it also follows from what its owner does.
    const HEAT_FOLLOWS_FROM_VIEW: bool = false;

    /// The memory of a game before its first event.
    fn memory(rules: &Self::Rules, knowledge: Knowledge) -> Self::Memory;

    /// Takes in an event that followed. `replay` is the game after it.
    fn remember(memory: &mut Self::Memory, replay: &Replay<Self>, event: &Event<Self>);

    /// A part of the title about the rules; it may be empty.
    fn title(_rules: &Self::Rules) -> &'static str {
        ""
    }

    /// A board as it is.
    fn board(_moment: &Moment<Self>, _owner: Seat) -> Grid {
        Grid::none()
    }

    /// A board as the other side knows it. If its knowledge is not kept, nothing need be known.
    fn board_seen(_moment: &Moment<Self>, _owner: Seat) -> Grid {
        Grid::none()
    }

    /// The picture of a game without boards, as a viewpoint sees it.
    fn picture(_moment: &Moment<Self>, _viewpoint: Viewpoint) -> Arc<Sheet> {
        Arc::default()
    }

    /// The drawing of a game without boards as SVG, as a viewpoint sees it; `None` if there is none. It can be shown as it is.
    fn drawing(_moment: &Moment<Self>, _viewpoint: Viewpoint) -> Option<Arc<str>> {
        None
    }

    /// The cell of a board to keep in view if the board does not fit.
    fn focus(_moment: &Moment<Self>, _owner: Seat) -> Option<Coord> {
        None
    }

    /// The cells that an event has struck, with the owner of their board; `None` when it struck nothing. It shows no more than
    /// the viewpoint sees.
    fn blast(_moment: &Moment<Self>, _event: &Event<Self>, _viewpoint: Viewpoint) -> Option<(Seat, Blast)> {
        None
    }

    /// The probability of a ship on each cell of a board, as the other side can know it; `None` when it is not known.
    fn heat(_moment: &Moment<Self>, _owner: Seat) -> Option<Heat> {
        None
    }

    /// The line below a board about the ships that are afloat.
    fn fleet_note(_moment: &Moment<Self>, _owner: Seat, _viewpoint: Viewpoint) -> Vec<Piece<'static>> {
        Vec::new()
    }

    /// The line below a board about the other side's knowledge of it.
    fn knowledge_note(_moment: &Moment<Self>, _owner: Seat) -> Vec<Piece<'static>> {
        Vec::new()
    }

    /// The number of hits that a side has taken, and the number that sinks all of its ships.
    fn damage(_moment: &Moment<Self>, _owner: Seat) -> (u32, u32) {
        (0, 1)
    }

    /// True if all ships of a side but one are sunk.
    fn is_last_ship(_moment: &Moment<Self>, _owner: Seat) -> bool {
        false
    }

    /// An action as the object of a sentence: `b7` in "after b7, which is off the board".
    fn action_name(rules: &Self::Rules, action: &Self::Action) -> String;

    /// The action that a person has written.
    ///
    /// # Errors
    /// The problem with the text, in words.
    fn read_action(rules: &Self::Rules, text: &str) -> Result<Self::Action, String>;

    /// The reason why a side should not take an action at this moment, in words for a person who would; `None` when it may.
    fn objection(moment: &Moment<Self>, seat: Seat, action: &Self::Action) -> Option<String>;

    /// A turn as a sentence without its subject, which says no more than the viewpoint sees.
    fn sentence(
        rules: &Self::Rules,
        seat: Seat,
        action: &Self::Action,
        effect: &Self::Effect,
        viewpoint: Viewpoint,
    ) -> String;

    /// A turn in a few characters, which say no more than the viewpoint sees.
    fn brief(
        rules: &Self::Rules,
        seat: Seat,
        action: &Self::Action,
        effect: &Self::Effect,
        viewpoint: Viewpoint,
    ) -> (String, Tone);
}
