//! The pictures of games whose code is loaded at run time: they are text.

use crate::moment::{Knowledge, Moment, Viewpoint};
use crate::pictured::Pictured;
use crate::sheet::Sheet;
use crate::tone::Tone;
use arena_record::Replay;
use arena_referee::Event;
use arena_rules::loaded::{Loaded, Rules};
use arena_rules::{Game, Seat};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The longest action in a sentence, in characters. Chosen: with a name and an effect it fits a line of 120.
const SHOWN_CHARS_MAX: usize = 60;

/// The longest reason against an action, in characters. Chosen: a line of a wide terminal.
const WHY_CHARS_MAX: usize = 200;

/// The number of positions of a game whose pictures may fail before no more is asked for. Chosen: one that fails can take a second.
const FAILURES_MAX: usize = 3;

/// The pictures of the present state, each asked of the game's code when it is looked at first. Copies of a moment share them.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    sheets: Arc<[OnceLock<Arc<Sheet>>; 3]>,
    failures: Arc<Mutex<Failures>>,
    drawings: Arc<[OnceLock<Option<Arc<str>>>; 3]>,
    /// The number of times that there was no drawing in this game.
    undrawn: Arc<AtomicUsize>,
}

/// The sentences in place of pictures of a game that failed, by the number of turns before, for each viewer: no failure is asked for twice.
type Failures = BTreeMap<u32, [Option<Arc<Sheet>>; 3]>;

impl Pictures {
    /// The picture of a game, or a sentence in its place. `place` is that of the viewer.
    fn draw(&self, game: &Loaded, viewer: Option<Seat>, place: usize) -> Arc<Sheet> {
        let failures = || self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let turns = Seat::BOTH.map(|seat| game.turns(seat)).iter().sum();
        {
            let failures = failures();
            match failures.get(&turns).map(|known| &known[place]) {
                Some(Some(sheet)) => return Arc::clone(sheet),
                None if failures.len() >= FAILURES_MAX => {
                    return Arc::new(Sheet::failed(
                        "The game draws no picture, and has failed to several times",
                    ));
                }
                _ => {}
            }
        }
        match game.picture(viewer) {
            Ok(picture) => Arc::new(Sheet::new(&picture)),
            Err(failure) => {
                let text =
                    format!("The game draws no picture: {}", arena_text::line(&failure.to_string(), 200));
                let sheet = Arc::new(Sheet::failed(&text));
                failures().entry(turns).or_default()[place] = Some(Arc::clone(&sheet));
                sheet
            }
        }
    }
}

/// The seat that a viewpoint is of, `None` for an observer of both, and its place among the pictures.
fn viewer(viewpoint: Viewpoint) -> (Option<Seat>, usize) {
    match viewpoint {
        Viewpoint::Truth => (None, 0),
        Viewpoint::Of(seat) => (Some(seat), 1 + seat.index()),
    }
}

fn short(text: &str) -> String {
    arena_text::line(text, SHOWN_CHARS_MAX)
}

/// The effect of an action as the end of a sentence; empty if the game has none.
fn effect_words(effect: &str) -> String {
    match short(effect) {
        effect if effect.is_empty() => effect,
        effect => format!(": {effect}"),
    }
}

impl Pictured for Loaded {
    type Memory = Pictures;

    const HAS_BOARDS: bool = false;

    fn memory(_rules: &Rules, _knowledge: Knowledge) -> Pictures {
        Pictures::default()
    }

    fn remember(memory: &mut Pictures, _replay: &Replay<Self>, event: &Event<Self>) {
        // The end has the pictures of the last turn.
        if event.turn().is_some() {
            (memory.sheets, memory.drawings) = Default::default();
        }
    }

    fn picture(moment: &Moment<Self>, viewpoint: Viewpoint) -> Arc<Sheet> {
        let (viewer, place) = viewer(viewpoint);
        let memory = &moment.memory;
        let draw = || moment.game().map_or_else(Arc::default, |game| memory.draw(game, viewer, place));
        Arc::clone(memory.sheets[place].get_or_init(draw))
    }

    fn drawing(moment: &Moment<Self>, viewpoint: Viewpoint) -> Option<Arc<str>> {
        let (viewer, place) = viewer(viewpoint);
        let Pictures { drawings, undrawn, .. } = &moment.memory;
        let draw = || {
            let game = moment.game().filter(|_| undrawn.load(Ordering::Relaxed) < FAILURES_MAX)?;
            let drawing = game.drawing(viewer).ok().flatten();
            undrawn.fetch_add(usize::from(drawing.is_none()), Ordering::Relaxed);
            drawing.map(Into::into)
        };
        drawings[place].get_or_init(draw).clone()
    }

    fn read_action(_rules: &Rules, text: &str) -> Result<String, String> {
        match text.trim() {
            "" => Err("type an action".into()),
            action => Ok(action.to_owned()),
        }
    }

    fn objection(moment: &Moment<Self>, _seat: Seat, action: &String) -> Option<String> {
        match moment.game()?.objection(action) {
            Ok(None) => None,
            Ok(Some(why)) if why.is_empty() => Some("not a legal action".into()),
            Ok(Some(why)) => Some(format!("not a legal action: {}", arena_text::line(&why, WHY_CHARS_MAX))),
            Err(failure) => Some(format!(
                "the game fails with it: {}",
                arena_text::line(&failure.to_string(), WHY_CHARS_MAX)
            )),
        }
    }

    fn action_name(_rules: &Rules, action: &String) -> String {
        short(action)
    }

    fn sentence(
        _rules: &Rules,
        seat: Seat,
        action: &String,
        effect: &String,
        viewpoint: Viewpoint,
    ) -> String {
        if !viewpoint.sees(seat) {
            return "takes its turn".into();
        }
        format!("plays {}{}", short(action), effect_words(effect))
    }

    fn brief(
        _rules: &Rules,
        seat: Seat,
        action: &String,
        effect: &String,
        viewpoint: Viewpoint,
    ) -> (String, Tone) {
        if !viewpoint.sees(seat) {
            return ("a turn".into(), Tone::Faint);
        }
        (format!("{}{}", short(action), effect_words(effect)), Tone::Text)
    }
}
