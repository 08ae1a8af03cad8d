//! The pictures of Battleship.

mod inference;

use crate::grid::{Blast, Emphasis, Grid};
use crate::heat::Heat;
use crate::moment::{Knowledge, Moment, Viewpoint};
use crate::pictured::Pictured;
use crate::spot;
use crate::tone::{Piece, Tone, piece};
use arena_record::Replay;
use arena_referee::{Event, Verdict};
use arena_rules::battleship::inference::chances;
use arena_rules::battleship::shot_board::{Shot, ShotBoard, Sunken};
use arena_rules::battleship::{
    Action, Battleship, Effect, Fleet, FleetSpec, Invalid, Ruleset, Ship, ShotResult,
};
use arena_rules::{Coord, Seat, random};
use inference::Inference;

/// The number of fleets that are counted or drawn for a map of the chances on a board of 100 cells: on a larger one they are
/// fewer, so that a map takes about as long. Chosen: the error of a chance is 1.6 % at most, and 5 % on 32 by 32, and a step
/// through a game does not wait.
const HEAT_FLEETS: usize = 1_000;

/// The seed of the sample. Chosen: a map is a function of the board.
const HEAT_SEED: u64 = 7;

/// The past of a game, as far as the pictures need it.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The knowledge of each seat about the other's board, from its shots.
    learned: [ShotBoard<Sunken>; 2],
    /// The shot of each seat's last turn, if it shot in that turn.
    last: [Option<Coord>; 2],
}

impl Memory {
    /// Takes in a shot. A sinking is only learned if the rules announce it.
    fn learn(&mut self, replay: &Replay<Battleship>, seat: Seat, at: Coord, result: ShotResult) {
        let fleet = replay.setup(seat.other());
        let ship = fleet.and_then(|fleet| Some(&fleet.ships()[fleet.ship_index(at)?]));
        let board = &mut self.learned[seat.index()];
        match (result, ship) {
            (ShotResult::Miss, _) => board.miss(at),
            (ShotResult::Sunk, Some(ship)) if replay.rules().sinkings_announced => {
                board.sank_length(at, ship.length());
            }
            (ShotResult::Hit | ShotResult::Sunk, _) => board.hit(at),
        }
    }
}

impl Moment<Battleship> {
    /// The knowledge of a seat about the other's board, from its shots.
    pub fn learned(&self, seat: Seat) -> &ShotBoard<Sunken> {
        &self.memory.learned[seat.index()]
    }

    /// The lengths of a side's ships still afloat, longest first.
    fn ships_afloat(&self, seat: Seat) -> Vec<u8> {
        self.game().map_or_else(|| self.rules().fleet.clone(), |game| game.afloat(seat))
    }

    /// True if a cell of a side's board was shot at.
    fn was_shot(&self, owner: Seat, at: Coord) -> bool {
        self.learned(owner.other()).cell(at) != Shot::Unshot
    }

    /// The last shot at a side's board, if the last turn of the other side was one.
    pub fn last_shot_at(&self, owner: Seat) -> Option<Coord> {
        self.memory.last[owner.other().index()]
    }

    fn with_last_shot(&self, mut grid: Grid, owner: Seat) -> Grid {
        if let Some(at) = self.last_shot_at(owner) {
            grid.mark(at, Emphasis::Last);
        }
        grid
    }
}

impl Pictured for Battleship {
    type Memory = Memory;

    const HEAT_FOLLOWS_FROM_VIEW: bool = true;

    fn memory(rules: &Ruleset, _knowledge: Knowledge) -> Memory {
        let board = ShotBoard::new(rules.size());
        Memory { learned: [board.clone(), board], last: [None, None] }
    }

    fn remember(memory: &mut Memory, replay: &Replay<Self>, event: &Event<Self>) {
        let (seat, last) = match event {
            Event::Acted { seat, action: Action::Shot(at), effect, .. } => {
                if let Effect::Shot(result) = effect {
                    memory.learn(replay, *seat, *at, *result);
                }
                (seat, Some(*at))
            }
            Event::Acted { seat, .. } | Event::Faulted { seat, verdict: Verdict::TurnSkipped, .. } => {
                (seat, None)
            }
            _ => return,
        };
        memory.last[seat.index()] = last;
    }

    fn title(rules: &Ruleset) -> &'static str {
        if rules.sinkings_announced { "  sinkings announced" } else { "  sinkings hidden" }
    }

    fn board(moment: &Moment<Self>, owner: Seat) -> Grid {
        let fleet = moment.replay.setup(owner);
        let was_shot = |at| moment.was_shot(owner, at);
        let ship_on = |at| fleet.and_then(|fleet| Some(&fleet.ships()[fleet.ship_index(at)?]));
        let mut grid = Grid::of_glyphs(moment.rules().size(), |at| match (ship_on(at), was_shot(at)) {
            (None, false) => ('·', Tone::Faint),
            (None, true) => ('o', Tone::Miss),
            (Some(_), false) => ('■', Tone::Ship),
            (Some(ship), true) if ship.cells().all(was_shot) => ('#', Tone::Sunk),
            (Some(_), true) => ('X', Tone::Hit),
        });
        for ship in fleet.map_or(&[][..], Fleet::ships) {
            grid.join(&ship.cells().collect::<Vec<_>>());
        }
        moment.with_last_shot(grid, owner)
    }

    fn board_seen(moment: &Moment<Self>, owner: Seat) -> Grid {
        let (rules, board) = (moment.rules(), moment.learned(owner.other()));
        let afloat = if rules.sinkings_announced { moment.ships_afloat(owner) } else { rules.fleet.clone() };
        let inference = Inference::new(rules, board, &afloat);
        let grid = Grid::of_glyphs(board.size(), |at| match board.cell(at) {
            Shot::Unshot if inference.is_empty(at) => ('-', Tone::Faint),
            Shot::Unshot => ('·', Tone::Text),
            Shot::Miss => ('o', Tone::Miss),
            Shot::Hit => ('X', Tone::Hit),
            Shot::Sunk(_) => ('#', Tone::Sunk),
        });
        moment.with_last_shot(grid, owner)
    }

    fn focus(moment: &Moment<Self>, owner: Seat) -> Option<Coord> {
        moment.last_shot_at(owner)
    }

    fn blast(moment: &Moment<Self>, event: &Event<Self>, viewpoint: Viewpoint) -> Option<(Seat, Blast)> {
        let Event::Acted { seat, action: Action::Shot(at), effect: Effect::Shot(result), .. } = event else {
            return None;
        };
        let owner = seat.other();
        let blast = match result_seen(moment.rules(), *seat, *result, viewpoint) {
            ShotResult::Miss => Blast::Splash(*at),
            ShotResult::Hit => Blast::Hit(*at),
            // A side that learns of a sinking does not learn where the ship lies.
            ShotResult::Sunk if !viewpoint.sees(owner) => Blast::Sunk(vec![*at]),
            ShotResult::Sunk => {
                let fleet = moment.replay.setup(owner)?;
                let others = fleet.ships()[fleet.ship_index(*at)?].cells().filter(|cell| cell != at);
                Blast::Sunk(std::iter::once(*at).chain(others).collect())
            }
        };
        Some((owner, blast))
    }

    fn heat(moment: &Moment<Self>, owner: Seat) -> Option<Heat> {
        let (rules, board) = (moment.rules(), moment.learned(owner.other()));
        let afloat = rules.sinkings_announced.then(|| moment.ships_afloat(owner));
        let mut rng = random::seeded(HEAT_SEED);
        let count = (HEAT_FLEETS * 100 / board.size().cells()).min(HEAT_FLEETS);
        let found = chances(&FleetSpec::of(rules), board, afloat.as_deref(), count, &mut rng)?;
        Some(Heat { cells: found.cells, is_exact: found.is_exact })
    }

    fn fleet_note(moment: &Moment<Self>, owner: Seat, viewpoint: Viewpoint) -> Vec<Piece<'static>> {
        if !viewpoint.sees(owner) && !moment.rules().sinkings_announced {
            return vec![piece("   sinkings hidden", Tone::Faint)];
        }
        let tone = if moment.ships_afloat(owner).is_empty() { Tone::Sunk } else { Tone::Text };
        vec![piece("   ships ", Tone::Faint), piece(fleet_left(moment, owner), tone)]
    }

    fn knowledge_note(_moment: &Moment<Self>, _owner: Seat) -> Vec<Piece<'static>> {
        vec![piece("   - ruled out", Tone::Faint)]
    }

    fn is_last_ship(moment: &Moment<Self>, owner: Seat) -> bool {
        moment.rules().fleet.len() > 1 && moment.ships_afloat(owner).len() == 1
    }

    fn damage(moment: &Moment<Self>, owner: Seat) -> (u32, u32) {
        let all = moment.rules().fleet.iter().map(|&length| u32::from(length)).sum();
        let ships = moment.replay.setup(owner).map_or(&[][..], Fleet::ships);
        let hit = ships.iter().flat_map(Ship::cells).filter(|&at| moment.was_shot(owner, at)).count();
        (hit as u32, all)
    }

    fn read_action(rules: &Ruleset, text: &str) -> Result<Action, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "s" | "skip" => Ok(Action::Skip),
            _ => spot::parse(rules.size(), text).map(Action::Shot),
        }
    }

    /// A second shot at a cell is legal by some rules, and never meant.
    fn objection(moment: &Moment<Self>, seat: Seat, action: &Action) -> Option<String> {
        let Action::Shot(at) = action else { return None };
        let size = moment.rules().size();
        let name = spot::name(size, *at);
        if !size.contains(*at) {
            return Some(format!("{name} is off the board"));
        }
        let met = match moment.learned(seat).cell(*at) {
            Shot::Unshot => return None,
            Shot::Miss => "a miss",
            Shot::Hit | Shot::Sunk(_) => "a hit",
        };
        Some(format!("you have shot {name} already: {met}"))
    }

    fn action_name(rules: &Ruleset, action: &Action) -> String {
        match action {
            Action::Shot(at) => spot::name(rules.size(), *at),
            Action::Skip => "a skip".into(),
        }
    }

    fn sentence(
        rules: &Ruleset,
        seat: Seat,
        action: &Action,
        effect: &Effect,
        viewpoint: Viewpoint,
    ) -> String {
        let at = Self::action_name(rules, action);
        match effect {
            Effect::Skipped => "skips its turn".into(),
            Effect::Wasted { why, .. } => format!("wastes its turn on {at}, which is {why}"),
            Effect::Shot(result) => match result_seen(rules, seat, *result, viewpoint) {
                ShotResult::Miss => format!("shoots {at}: a miss"),
                ShotResult::Hit => format!("shoots {at}: a hit"),
                ShotResult::Sunk => format!("shoots {at}: a ship is sunk"),
            },
        }
    }

    fn brief(
        rules: &Ruleset,
        seat: Seat,
        action: &Action,
        effect: &Effect,
        viewpoint: Viewpoint,
    ) -> (String, Tone) {
        let (word, tone) = match effect {
            Effect::Skipped => return ("skip".into(), Tone::Faint),
            Effect::Wasted { why: Invalid::Repeat, .. } => ("again", Tone::Miss),
            Effect::Wasted { .. } => ("off", Tone::Miss),
            Effect::Shot(result) => match result_seen(rules, seat, *result, viewpoint) {
                ShotResult::Miss => ("miss", Tone::Miss),
                ShotResult::Hit => ("hit", Tone::Hit),
                ShotResult::Sunk => ("sunk", Tone::Sunk),
            },
        };
        (format!("{:<3} {word}", Self::action_name(rules, action)), tone)
    }
}

/// The result of a seat's shot as it is seen: a sinking is a hit to the side that shot, unless the rules announce it.
fn result_seen(rules: &Ruleset, seat: Seat, result: ShotResult, viewpoint: Viewpoint) -> ShotResult {
    let is_seen = rules.sinkings_announced || viewpoint.sees(seat.other());
    if result == ShotResult::Sunk && !is_seen { ShotResult::Hit } else { result }
}

/// The fleet of a side: a digit for each ship that is afloat, and a dot for each that is sunk, with a space between two lengths.
fn fleet_left(moment: &Moment<Battleship>, owner: Seat) -> String {
    let mut afloat = moment.ships_afloat(owner);
    // Letters follow after 9.
    let digit = |length: u8| char::from_digit(length.into(), 36).map_or('+', |c| c.to_ascii_uppercase());
    let mut text = String::new();
    for ships in moment.rules().fleet.chunk_by(|first, next| first == next) {
        if !text.is_empty() {
            text.push(' ');
        }
        for &length in ships {
            let found = afloat.iter().position(|&left| left == length);
            text.push(found.map_or('·', |found| digit(afloat.remove(found))));
        }
    }
    text
}
