//! Players of any game that answer from a script.

use arena_referee::{Fault, FaultClass, GameNotice, HostError, NoReply, Player, Reply};
use arena_rules::battleship::{self, Battleship, Mark, Ruleset, scatter};
use arena_rules::submarine::{self, Ship, Submarine};
use arena_rules::{Coord, Direction, Game, Placement, random};

/// The fuel of each call.
pub const FUEL_PER_CALL: u64 = 7;

/// A game with an honest way to play it, and with ways to break its rules.
pub trait ScriptedGame: Game {
    fn default_rules() -> Self::Rules;
    fn place(info: &Self::Info) -> Self::Deployment;
    fn choose(info: &Self::Info, view: &Self::View) -> Self::Action;
    fn bad_deployments() -> Vec<Self::Deployment>;
    /// Rules, an action that they do not forgive, and the complaint about it.
    fn unforgiven() -> (Self::Rules, Self::Action, &'static str);
}

/// Places a random fleet and shoots row by row.
impl ScriptedGame for Battleship {
    fn default_rules() -> Ruleset {
        Ruleset::guide()
    }

    fn place(info: &battleship::GameInfo) -> Vec<Placement> {
        scatter(&info.fleet_spec(), &mut random::seeded(info.seed)).unwrap().placements().to_vec()
    }

    fn choose(info: &battleship::GameInfo, view: &battleship::View) -> battleship::Action {
        let unknown = view.attacks.iter().position(|&mark| mark == Mark::Unknown);
        unknown.map(|cell| info.size.coord(cell)).into()
    }

    fn bad_deployments() -> Vec<Vec<Placement>> {
        vec![vec![], vec![Placement::new(Coord::new(0, 0), Direction::North); 10]]
    }

    fn unforgiven() -> (Ruleset, battleship::Action, &'static str) {
        let off_board = battleship::Action::Shot(Coord::new(10, 3));
        (Ruleset::classic(), off_board, "the cell (10, 3) is off the board")
    }
}

/// Attacks the cell of its own strongest ship.
impl ScriptedGame for Submarine {
    fn default_rules() -> submarine::Rules {
        submarine::Rules { actions_max: 4, ..submarine::Rules::default() }
    }

    fn place(_: &submarine::GameInfo) -> [Coord; 3] {
        [(0, 0), (0, 1), (1, 0)].map(Coord::from)
    }

    fn choose(_: &submarine::GameInfo, view: &submarine::View) -> submarine::Action {
        submarine::Action::Attack(view.own[0].at)
    }

    fn bad_deployments() -> Vec<[Coord; 3]> {
        vec![[(0, 0), (0, 0), (1, 0)].map(Coord::from), [(0, 0), (0, 5), (1, 0)].map(Coord::from)]
    }

    fn unforgiven() -> (submarine::Rules, submarine::Action, &'static str) {
        let onto_own = submarine::Action::Move(Ship::Cruiser, Coord::new(0, 0));
        (Self::default_rules(), onto_own, "the move of the cruiser to (0, 0) is a move onto another own ship")
    }
}

/// The reaction to a call of `play`.
#[derive(Clone)]
pub enum Act<G: Game> {
    Answers(G::Action),
    Faults(FaultClass),
    Fails(HostError),
    Leaves,
    SeesItsOpponentGone,
}

/// A player that follows a script, and counts what the referee does with it.
pub struct Scripted<G: Game> {
    /// The deployment, if it is not the honest one.
    deployment: Option<Result<G::Deployment, FaultClass>>,
    /// The reactions to the first calls. After them it plays honestly, or repeats the last one.
    script: Vec<Act<G>>,
    repeats: bool,
    pub calls: usize,
    pub turns: usize,
    pub restarts: usize,
    /// The fuel that each call was given.
    pub fuels: Vec<u64>,
    pub heard: Vec<String>,
}

pub fn acting<G: Game>(script: &[Act<G>]) -> Scripted<G> {
    Scripted {
        deployment: None,
        script: script.to_vec(),
        repeats: false,
        calls: 0,
        turns: 0,
        restarts: 0,
        fuels: vec![],
        heard: vec![],
    }
}

pub fn honest<G: Game>() -> Scripted<G> {
    acting(&[])
}

pub fn always<G: Game>(act: Act<G>) -> Scripted<G> {
    Scripted { repeats: true, ..acting(&[act]) }
}

pub fn deploying<G: Game>(deployment: Result<G::Deployment, FaultClass>) -> Scripted<G> {
    Scripted { deployment: Some(deployment), ..honest() }
}

fn fault(class: FaultClass) -> NoReply {
    Fault::new(class, "as scripted").into()
}

impl<G: ScriptedGame> Player<G> for Scripted<G> {
    fn deploy(&mut self, game: &G::Info, _fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        let answer = self.deployment.clone().unwrap_or_else(|| Ok(G::place(game))).map_err(fault)?;
        Ok(Reply { answer, fuel_used: FUEL_PER_CALL })
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let step = if self.repeats { 0 } else { self.calls };
        self.calls += 1;
        self.fuels.push(fuel);
        let answer = match self.script.get(step).cloned() {
            Some(Act::Answers(action)) => action,
            Some(Act::Faults(class)) => return Err(fault(class)),
            Some(Act::Fails(error)) => return Err(error.into()),
            Some(Act::Leaves) => return Err(NoReply::Left),
            Some(Act::SeesItsOpponentGone) => {
                let gone = Fault::new(FaultClass::Disconnected, "as scripted");
                return Err(NoReply::OpponentGone(gone));
            }
            None => G::choose(game, view),
        };
        Ok(Reply { answer, fuel_used: FUEL_PER_CALL })
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.restarts += 1;
        Ok(())
    }

    fn hear(&mut self, notice: &GameNotice<'_, G>) {
        self.heard.push(match notice {
            GameNotice::Turn { mine } => if *mine { "mine" } else { "theirs" }.into(),
            GameNotice::Acted { me, mover, effect, .. } => {
                let who = if me == mover { "I" } else { "they" };
                format!("{who} {}", if effect.is_some() { "acted" } else { "faulted" })
            }
            GameNotice::End { outcome, .. } => format!("{outcome:?}"),
        });
    }
}
