//! Boards that a bot clears alone: this measures how well it searches, independent of opponents. The fleets to find are drawn.

use crate::ExperimentError;
use crate::board_transcript::{KeptAnswers, Recorded};
use arena_players::{Board, Plan, SoloBots, WATCHDOG_TRIES_MAX, worker_pool};
use arena_record::{BoardSeeds, BotId};
use arena_referee::{Detail, Fault, FaultClass, HostError, Player, Solo, Stopped, Trouble, play_solo};
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

/// A board after a bot played on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardResult {
    /// The number, from 1.
    pub number: u32,
    /// The shots and the fuel that the bot needed, or its fault.
    pub result: Result<Cleared, Fault>,
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

impl<'a, G: Sandboxed> Boards<'a, G> {
    /// This number of boards, for bots of a sandbox.
    ///
    /// # Errors
    /// Rules by which one side cannot play alone.
    pub fn new(sandbox: &'a Sandbox, plan: &'a Plan, count: u32) -> Result<Self, ExperimentError> {
        let rules = arena_players::rules::<G>(&plan.conditions)?;
        G::suits_one(rules).map_err(|why| ExperimentError::NotAlone { why: why.to_string() })?;
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

    /// Lets a bot clear the boards, several at a time, and delivers each in order. A bot that faults or answers an invalid
    /// action has failed that board.
    ///
    /// It ends early if `stop` returns true, with the boards that were started.
    ///
    /// # Errors
    /// A failure of the arena on some board; the boards before it were delivered.
    pub fn play(
        &self,
        bot: &Bot,
        stop: impl Fn() -> bool + Sync,
        mut deliver: impl FnMut(BoardResult),
    ) -> Result<(), HostError> {
        let contract = bot.contract();
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let Plan { conditions, times, jobs, .. } = self.plan;
        let bot = SoloBots::new(self.sandbox, bot, conditions, *times, count.min(*jobs))?;
        let work = |index| {
            let number = self.first + u32::try_from(index).expect("the count fits");
            self.play_one(&bot, &contract, number)
        };
        let mut failed = None;
        worker_pool::in_order(*jobs, count, stop, work, |_, board| match worker_pool::settled(board) {
            Ok(board) => {
                deliver(board);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        failed.map_or(Ok(()), Err)
    }

    fn play_one(&self, bot: &SoloBots, contract: &str, number: u32) -> Result<BoardResult, HostError> {
        let (fuel_per_turn, seeds) = (self.plan.conditions.limits.fuel_per_turn, self.seeds(number));
        let info = G::info(self.rules, fuel_per_turn, seeds.side);
        let game = G::draw_solo(self.rules, seeds.fleets).map_err(HostError::defect)?;
        let board = Board { seed: seeds.side, fleets: seeds.fleets };
        let answers = RefCell::new(Vec::new());
        let (result, log) = self.tried(bot, board, |player| {
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
        let log = if self.keeps_logs { log } else { String::new() };
        Ok(BoardResult { number, result, log, transcript })
    }

    /// Lets a fresh player play, and another one if the watchdog stopped it: the clock says more about the machine than about the bot.
    fn tried(
        &self,
        bot: &SoloBots,
        board: Board,
        task: impl Fn(&mut dyn Player<G>) -> Result<Result<Cleared, Fault>, Stopped>,
    ) -> Result<(Result<Cleared, Fault>, String), HostError> {
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
