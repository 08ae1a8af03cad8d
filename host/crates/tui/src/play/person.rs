//! A person as a player: the referee's questions go to the screen, and its answers come back.

use crate::words::RESIGNED;
use arena_referee::{Fault, FaultClass, HostError, NoReply, Player, Reply, SubmarineInfo, SubmarinePlayer};
use arena_rules::submarine::{Action, View as SubmarineView};
use arena_rules::{Coord, GameInfo, Placement, View};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the referee asks a person for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// A fleet; `seed` is the side's own.
    Fleet { seed: u64 },
    /// A shot, or none.
    Shot,
    /// Where the ships of submarine begin.
    Positions { seed: u64 },
    /// An action of submarine.
    Action,
}

/// What a person says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Fleet(Vec<Placement>),
    Shot(Option<Coord>),
    Positions([Coord; 3]),
    Action(Action),
    Resign,
}

/// A person at the keyboard, as a player of either game. The referee asks it as any player, and waits for as long as the
/// person thinks: a person has no fuel and no clock.
///
/// A person who resigns loses by a fault. When the screen is gone, the game ends without a result.
#[derive(Debug)]
pub struct Person {
    asks: Sender<Ask>,
    says: Receiver<Said>,
}

/// The screen's end of a person.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) asks: Receiver<Ask>,
    pub(crate) says: Sender<Said>,
}

/// A person, and the screen's end of it.
pub(crate) fn person() -> (Person, Line) {
    let (ask, asks) = channel();
    let (say, says) = channel();
    (Person { asks: ask, says }, Line { asks, says: say })
}

impl Person {
    fn ask<T>(&self, ask: Ask, answer: impl FnOnce(Said) -> Option<T>) -> Result<Reply<T>, NoReply> {
        let left = || HostError("the person has left the game".into());
        self.asks.send(ask).map_err(|_| left())?;
        let said = self.says.recv().map_err(|_| left())?;
        if said == Said::Resign {
            return Err(Fault::new(FaultClass::Disconnected, RESIGNED).into());
        }
        let answer = answer(said).ok_or_else(|| HostError(format!("the screen answered {ask:?} amiss")))?;
        Ok(Reply { answer, fuel_used: 0 })
    }
}

impl Player for Person {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        self.ask(Ask::Fleet { seed: game.seed }, |said| match said {
            Said::Fleet(placements) => Some(placements),
            _ => None,
        })
    }

    fn play(&mut self, _game: &GameInfo, _view: &View, _fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
        self.ask(Ask::Shot, |said| match said {
            Said::Shot(spot) => Some(spot),
            _ => None,
        })
    }

    fn restart(&mut self) -> Result<(), HostError> {
        // A person remembers.
        Ok(())
    }
}

impl SubmarinePlayer for Person {
    fn deploy(&mut self, game: &SubmarineInfo, _fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        self.ask(Ask::Positions { seed: game.seed }, |said| match said {
            Said::Positions(cells) => Some(cells),
            _ => None,
        })
    }

    fn play(
        &mut self,
        _game: &SubmarineInfo,
        _view: &SubmarineView,
        _fuel: u64,
    ) -> Result<Reply<Action>, NoReply> {
        self.ask(Ask::Action, |said| match said {
            Said::Action(action) => Some(action),
            _ => None,
        })
    }
}
