//! A game as one viewpoint may see it while it is played, for a page that a person plays on.

use crate::frames::{Picture, picture};
use crate::moment::Viewpoint;
use crate::pictured::Pictured;
use crate::sentences;
use crate::text::plain;
use crate::timeline::Timeline;
use arena_record::Overlay;
use arena_rules::Seat;
use std::sync::Arc;

/// The latest position of a game, as a viewpoint sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct VisiblePosition {
    /// The boards, by their owner's seat.
    pub boards: [Picture; 2],
    /// The picture of a game without boards; empty for any other game.
    pub picture: Arc<str>,
    /// Its drawing as SVG, which can be shown as it is, if there is one.
    pub drawing: Option<Arc<str>>,
    /// The ships of each side that are afloat, by seat, as far as the viewpoint knows.
    pub afloat: [String; 2],
}

impl VisiblePosition {
    /// The latest position of a game, with what the bot at a seat draws on its opponent's board.
    pub fn of<G: Pictured>(timeline: &Timeline<G>, viewpoint: Viewpoint, drawn_by: Option<Seat>) -> Self {
        let moment = timeline.moment(timeline.len());
        if !G::HAS_BOARDS {
            let picture = G::picture(&moment, viewpoint).text();
            let drawing = G::drawing(&moment, viewpoint);
            return Self { boards: Default::default(), picture, drawing, afloat: Default::default() };
        }
        let board = |owner: Seat| {
            let overlay = match drawn_by {
                Some(seat) if seat != owner => timeline.overlay(seat, timeline.len()),
                _ => Overlay::default(),
            };
            let is_seen = viewpoint.sees(owner);
            let grid = if is_seen { G::board(&moment, owner) } else { G::board_seen(&moment, owner) };
            picture(&grid, &overlay)
        };
        let afloat = |owner| {
            let pieces = G::fleet_note(&moment, owner, viewpoint);
            pieces.iter().map(|(text, _)| text.as_ref()).collect::<String>().trim().to_owned()
        };
        Self {
            boards: Seat::BOTH.map(board),
            picture: Arc::default(),
            drawing: None,
            afloat: Seat::BOTH.map(afloat),
        }
    }
}

/// The events of a game after the first ones, as sentences that say no more than a viewpoint sees.
pub fn said<G: Pictured>(timeline: &Timeline<G>, from: usize, viewpoint: Viewpoint) -> Vec<String> {
    let events = timeline.events_until(timeline.len()).get(from..).unwrap_or_default();
    events.iter().map(|event| plain(&sentences::line(timeline, event, viewpoint).0).into_owned()).collect()
}
