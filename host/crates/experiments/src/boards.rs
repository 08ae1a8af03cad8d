//! Boards that a bot clears alone: this measures how well it searches, independent of opponents. The fleets to find are
//! drawn, or another bot places them: this measures how well that one hides.

use crate::board_transcript::{KeptAnswers, Recorded};
use arena_engine::Error;
use arena_players::{Plan, SoloBots, WATCHDOG_TRIES_MAX, solo_game, worker_pool};
use arena_record::{BoardSeeds, BotId, Name};
use arena_referee::{
    Detail, Fault, FaultClass, HostError, Player, Solo, Stopped, Trouble, play_solo, take_deployment,
};
use arena_rules::Game;
use arena_sandbox::{Bot, Sandbox, Sandboxed};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Boards to be cleared, by the rules and the seed of a plan.
#[derive(Clone, Copy)]
pub struct Boards<'a, G: Game> {
    /// The sandbox of the bots.
    sandbox: &'a Sandbox,
    plan: &'a Plan,
    rules: &'a G::Rules,
    /// The number of the first board.
    first: u32,
    count: u32,
    keeps_logs: bool,
    /// The bot, if the results have transcripts.
    recorded: Option<&'a BotId>,
}

/// A board after a bot did its task on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardResult<T = Cleared> {
    /// The number, from 1.
    pub number: u32,
    /// The result of the bot, or its fault.
    pub result: Result<T, Fault>,
    /// The text that the bot printed, if that is kept.
    pub log: String,
    /// The file of the transcript, if that is kept; otherwise it is empty.
    pub transcript: Vec<u8>,
}

/// The need of a bot for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// The number of shots.
    pub shots: u32,
    /// The fuel of all turns.
    pub fuel: u64,
}

/// A fleet that a bot placed on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<G: Game>(G::Setup);

impl<G: Game> Placed<G> {
    /// The fleet as a bot answers it.
    pub fn deployment(&self) -> G::Deployment {
        G::deployment(&self.0)
    }
}

impl<'a, G: Sandboxed> Boards<'a, G> {
    /// This number of boards, for bots of a sandbox.
    ///
    /// # Errors
    /// Rules by which one side cannot play alone.
    pub fn new(sandbox: &'a Sandbox, plan: &'a Plan, count: u32) -> Result<Self, Error> {
        let rules = arena_players::rules::<G>(&plan.conditions)?;
        G::suits_one(rules).map_err(|error| {
            Error::usage(error.to_string(), "choose other rules, or compare two bots with `arena sprt`")
        })?;
        Ok(Self { sandbox, plan, rules, first: 1, count, keeps_logs: false, recorded: None })
    }

    /// Only the board with this number, which is the same one among any number of boards.
    #[must_use]
    pub fn only(self, number: u32) -> Self {
        Self { first: number, count: 1, ..self }
    }

    /// The same boards, whose results have what the bot printed.
    #[must_use]
    pub fn with_logs(self) -> Self {
        Self { keeps_logs: true, ..self }
    }

    /// The same boards for the bot with this identity. The results of [`Boards::play`] have a transcript each, which any reader of games
    /// takes: seat 2 skips each turn, under rules that allow it.
    #[must_use]
    pub fn with_transcripts(self, bot: &'a BotId) -> Self {
        Self { recorded: Some(bot), ..self }
    }

    /// The random seeds of a board.
    pub fn seeds(&self, number: u32) -> BoardSeeds {
        BoardSeeds::new(self.plan.digest, self.plan.seed.seed, number)
    }

    /// Checks that bots place their fleets by these rules.
    ///
    /// # Errors
    /// The engine places them.
    pub fn require_placing(&self) -> Result<(), Error> {
        match G::drawn(self.rules, 0) {
            None => Ok(()),
            Some(_) => Err(Error::usage(
                format!(
                    "under the `{}` rules the engine draws the fleets, and no bot places one",
                    Name::new(self.plan.conditions.rules.name())
                ),
                "choose other rules, such as `--rules classic`",
            )),
        }
    }

    /// Lets a bot place a fleet on each board, several at a time, and delivers each in order.
    ///
    /// It ends early if `stop` returns true, with the boards that were started.
    ///
    /// # Errors
    /// A failure of the arena on some board; the boards before it were delivered.
    pub fn place(
        &self,
        bot: &Bot,
        stop: impl Fn() -> bool + Sync,
        deliver: impl FnMut(BoardResult<Placed<G>>),
    ) -> Result<(), HostError> {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let bot = self.solo(bot, count)?;
        let work = |index| {
            let number = self.first + u32::try_from(index).expect("the count fits");
            let (result, log) = self.place_one(&bot, number)?;
            Ok(BoardResult { number, result, log: self.kept(log), transcript: Vec::new() })
        };
        self.each(count, stop, work, deliver)
    }

    /// Lets a bot clear the boards, several at a time, and delivers each in order. A bot that faults or answers an invalid
    /// action has failed that board.
    ///
    /// The fleets to find are drawn, or another bot has placed these; a board without a fleet is then left out.
    ///
    /// It ends early if `stop` returns true, with the boards that were started.
    ///
    /// # Errors
    /// A failure of the arena on some board; the boards before it were delivered.
    pub fn play(
        &self,
        bot: &Bot,
        fleets: Option<&[BoardResult<Placed<G>>]>,
        stop: impl Fn() -> bool + Sync,
        deliver: impl FnMut(BoardResult),
    ) -> Result<(), HostError> {
        let tasks: Vec<(u32, Option<&G::Setup>)> = match fleets {
            None => (self.first..self.first + self.count).map(|number| (number, None)).collect(),
            Some(fleets) => fleets
                .iter()
                .filter_map(|board| Some((board.number, Some(&board.result.as_ref().ok()?.0))))
                .collect(),
        };
        let contract = bot.contract();
        let bot = self.solo(bot, tasks.len())?;
        let work = |index: usize| {
            let (number, fleet) = tasks[index];
            self.play_one(&bot, &contract, number, fleet)
        };
        self.each(tasks.len(), stop, work, deliver)
    }

    fn kept(&self, log: String) -> String {
        if self.keeps_logs { log } else { String::new() }
    }

    /// A bot for this number of boards.
    fn solo(&self, bot: &Bot, boards: usize) -> Result<SoloBots, HostError> {
        let Plan { conditions, times, jobs, .. } = self.plan;
        SoloBots::new(self.sandbox, bot, conditions, *times, boards.min(*jobs))
    }

    /// Does the work on this number of boards, and delivers the results in order.
    fn each<T: Send>(
        &self,
        count: usize,
        stop: impl Fn() -> bool + Sync,
        work: impl Fn(usize) -> Result<BoardResult<T>, HostError> + Sync,
        mut deliver: impl FnMut(BoardResult<T>),
    ) -> Result<(), HostError> {
        let mut failed = None;
        worker_pool::in_order(self.plan.jobs, count, stop, work, |_, board| {
            match worker_pool::settled(board) {
                Ok(board) => {
                    deliver(board);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        failed.map_or(Ok(()), Err)
    }

    fn place_one(
        &self,
        bot: &SoloBots,
        number: u32,
    ) -> Result<(Result<Placed<G>, Fault>, String), HostError> {
        let (fuel, seed) = (self.plan.conditions.limits.fuel_per_turn, self.seeds(number).placer);
        let info = G::info(self.rules, fuel, seed);
        self.tried(bot, &arena_players::Board::Place { seed }, |player| {
            let deployed = take_deployment::<G, _>(self.rules, &info, fuel, player)?;
            Ok(deployed.map(|deployed| Placed(deployed.setup)))
        })
    }

    fn play_one(
        &self,
        bot: &SoloBots,
        contract: &str,
        number: u32,
        fleet: Option<&G::Setup>,
    ) -> Result<BoardResult, HostError> {
        let (fuel_per_turn, seeds) = (self.plan.conditions.limits.fuel_per_turn, self.seeds(number));
        let info = G::info(self.rules, fuel_per_turn, seeds.side);
        let fleet = fleet.map(G::deployment);
        let game: G = solo_game(self.rules, seeds.fleets, fleet.as_ref())?;
        let board = arena_players::Board::Clear { seed: seeds.side, fleets: seeds.fleets, fleet };
        let answers = RefCell::new(Vec::new());
        let (result, log) = self.tried(bot, &board, |player| {
            let mut answers = answers.borrow_mut();
            let mut player = KeptAnswers::new(player, &mut answers);
            match play_solo(&info, game.clone(), fuel_per_turn, &mut player)? {
                Solo::Cleared { turns, fuel } => Ok(Ok(Cleared { shots: turns, fuel })),
                Solo::Failed(fault) => Ok(Err(fault)),
            }
        })?;
        let mut transcript = Vec::new();
        if let (Some(bot), Some(game)) = (self.recorded, game.solo_record(self.rules)) {
            let recorded = Recorded { bot, contract: contract.into(), number, seeds, game };
            let fault = result.as_ref().err();
            transcript = recorded.transcript(self.plan, answers.into_inner(), fault)?.to_bytes();
        }
        Ok(BoardResult { number, result, log: self.kept(log), transcript })
    }

    /// Lets a fresh player do its task, and another one if the watchdog stopped it: the clock says more about the machine than
    /// about the bot.
    fn tried<T>(
        &self,
        bot: &SoloBots,
        board: &arena_players::Board<G>,
        task: impl Fn(&mut dyn Player<G>) -> Result<Result<T, Fault>, Stopped>,
    ) -> Result<(Result<T, Fault>, String), HostError> {
        let mut stopped_by = Detail::default();
        for _ in 0..WATCHDOG_TRIES_MAX {
            match bot.ask(board, &task)? {
                (Err(fault), _) if fault.class == FaultClass::WallClock => stopped_by = fault.detail,
                done => return Ok(done),
            }
        }
        let what = format!("the watchdog stopped a board {WATCHDOG_TRIES_MAX} times: {stopped_by}");
        let next = "lower --jobs, or raise --game-timeout or --timeout";
        Err(HostError::Machine(Trouble::from(what).with_next(next)))
    }
}
