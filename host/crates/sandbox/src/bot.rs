//! An admitted bot: the facts about it, and fresh players of it.

use crate::compile::CompileTime;
use crate::contract::Sandboxed;
use crate::fault;
use crate::instance::{BotInstance, Budget};
use crate::judge;
use crate::limits::SandboxLimits;
use crate::loaded::Component;
use crate::log::Log;
use crate::player::SandboxedPlayer;
use crate::process::CodeFile;
use crate::program::Program;
use crate::refusal::{AdmitError, Refusal, RefusalKind};
use crate::scan::Figure;
use crate::side_clock::{TimeLimit, TimeLimits};
use crate::watchdog;
use arena_referee::{FaultClass, HostError, NoReply};
use arena_rules::GameKind;
use std::fmt;
use std::sync::Arc;

/// The longest name that is shown, in characters. Chosen, and part of the contract.
const NAME_CHARS_MAX: usize = 64;

/// The name of a bot whose own name has no printable character.
const NO_NAME: &str = "unnamed";

/// A component that has been checked, compiled and asked for its name. Cheap to clone.
#[derive(Clone)]
pub struct Bot {
    code: Code,
    facts: Arc<BotFacts>,
    compile_time: Option<CompileTime>,
}

/// The code of a bot.
#[derive(Clone)]
enum Code {
    /// Loaded in this process.
    Here(Arc<Program>),
    /// For processes that play, within these limits.
    Elsewhere(Arc<(SandboxLimits, CodeFile)>),
}

struct BotFacts {
    hash: String,
    size_bytes: usize,
    judged: judge::Facts,
    name: String,
}

impl Bot {
    /// A bot whose program is loaded in this process. It has no name yet.
    pub(crate) fn here(program: Program, hash: String, size_bytes: usize, judged: judge::Facts) -> Self {
        let facts = BotFacts { hash, size_bytes, judged, name: String::new() };
        Self { code: Code::Here(Arc::new(program)), facts: Arc::new(facts), compile_time: None }
    }

    /// A bot whose code this process does not load. It has no name yet.
    pub(crate) fn elsewhere(
        limits: SandboxLimits,
        code: CodeFile,
        hash: String,
        size_bytes: usize,
        judged: judge::Facts,
    ) -> Self {
        let facts = BotFacts { hash, size_bytes, judged, name: String::new() };
        let code = Code::Elsewhere(Arc::new((limits, code)));
        Self { code, facts: Arc::new(facts), compile_time: None }
    }

    /// The bot with the name that it gives itself.
    pub(crate) fn with_name(self, name: &str) -> Self {
        let BotFacts { hash, size_bytes, judged, .. } = &*self.facts;
        let facts = BotFacts {
            hash: hash.clone(),
            size_bytes: *size_bytes,
            judged: judged.clone(),
            name: plain_name(name),
        };
        Self { facts: Arc::new(facts), ..self }
    }

    pub(crate) fn with_compile_time(self, compile_time: Option<CompileTime>) -> Self {
        Self { compile_time, ..self }
    }

    /// The processor time that compiling it took when it was compiled, and its allowance. `None` if it was compiled in this
    /// process, or if the system does not say.
    pub fn compile_time(&self) -> Option<CompileTime> {
        self.compile_time
    }

    /// The code for processes that play; `None` when it is loaded here.
    pub(crate) fn code_file(&self) -> Option<&CodeFile> {
        match &self.code {
            Code::Here(_) => None,
            Code::Elsewhere(code) => Some(&code.1),
        }
    }

    fn limits(&self) -> &SandboxLimits {
        match &self.code {
            Code::Here(program) => program.limits(),
            Code::Elsewhere(code) => &code.0,
        }
    }

    /// The sha256 of its file, in hexadecimal: its identity.
    pub fn hash(&self) -> &str {
        &self.facts.hash
    }

    /// The name that it gives itself, safe to print, at most 64 characters. It is only for display: two bots may have
    /// the same one.
    pub fn name(&self) -> &str {
        &self.facts.name
    }

    /// The size of its file.
    pub fn size_bytes(&self) -> usize {
        self.facts.size_bytes
    }

    /// The game it plays; for a bot of a loaded one, [`GameKind::Loaded`].
    pub fn kind(&self) -> GameKind {
        self.facts.judged.contract.kind().expect("other components are not admitted as bots")
    }

    /// The contract it was built against: `arena:battleship@0.1.0`.
    pub fn contract(&self) -> String {
        self.facts.judged.contract.to_string()
    }

    /// The version of that contract.
    pub fn contract_version(&self) -> &str {
        self.facts.judged.contract.version
    }

    /// Its imports, sorted: interfaces of WASI 0.2 with their versions.
    pub fn imports(&self) -> &[String] {
        &self.facts.judged.imports
    }

    /// The amounts of its parts, with their limits.
    pub fn figures(&self) -> Vec<Figure> {
        self.facts.judged.shape.figures(self.size_bytes(), self.limits())
    }

    /// A player for one game, independent of any other game. Its WASI random numbers come from its side's seed, and the
    /// watchdog enforces `times`.
    ///
    /// # Errors
    /// The bot is for another game, or its code is not in this process.
    pub fn player<G: Sandboxed>(
        &self,
        side_seed: u64,
        times: TimeLimits,
    ) -> Result<SandboxedPlayer<G>, HostError> {
        if self.kind() != G::KIND {
            let what = format!("a bot for {} was asked to play {}", self.kind(), G::KIND);
            return Err(HostError::Defect(what.into()));
        }
        let adapter = G::adapter(self.facts.judged.contract);
        Ok(SandboxedPlayer::new(Arc::clone(self.program()?), adapter, side_seed, times))
    }

    /// Its code, if it is loaded in this process.
    pub(crate) fn program(&self) -> Result<&Arc<Program>, HostError> {
        match &self.code {
            Code::Here(program) => Ok(program),
            Code::Elsewhere(_) => Err(HostError::Defect(
                "a bot that plays in other processes was asked to play in this one".into(),
            )),
        }
    }

    /// Refuses a game.
    pub(crate) fn require_bot(&self) -> Result<(), Refusal> {
        if !self.is_game() {
            return Ok(());
        }
        Err(Refusal::new(
            RefusalKind::Game,
            "is a game, not a bot",
            "name it with `--game`, or check it alone, with `arena check`",
        ))
    }

    /// The same as a component of a loaded game; `None` for a bot for a built-in one.
    pub fn component(&self) -> Option<Component> {
        self.facts.judged.contract.is_of_loaded().then(|| Component(self.clone()))
    }

    /// True for the built-in opponent in loaded games: it leaves the choice of an action to the game.
    pub fn leaves_the_choice(&self) -> bool {
        crate::contract::plays_all_loaded(self.facts.judged.contract)
    }

    /// True for a game, which only a [`Component`](crate::Component) can be.
    pub(crate) fn is_game(&self) -> bool {
        self.facts.judged.contract.is_game()
    }
}

impl fmt::Debug for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bot").field("name", &self.name()).field("hash", &self.hash()).finish_non_exhaustive()
    }
}

/// A name as it is shown.
fn plain_name(name: &str) -> String {
    let name = arena_text::line(name, NAME_CHARS_MAX);
    if name.is_empty() { NO_NAME.to_owned() } else { name }
}

/// Asks a program for its name.
pub(crate) fn ask_name(program: &Program) -> Result<String, AdmitError> {
    let limits = program.limits();
    let exports = program.exports()?;
    let budget =
        Budget { fuel: limits.admission_fuel, epoch_ticks: watchdog::ticks_of(limits.admission_wall_clock) };
    let log = Log::new(limits.log_bytes_max);
    let asked = BotInstance::begin(program, 0, log.clone(), budget, |instance| instance.name(exports));
    match asked {
        Ok((_, name)) => Ok(plain_name(&name)),
        Err(ended) => Err(match fault::classify(&ended.error, ended.stage, &log, TimeLimit::Turn) {
            NoReply::Host(error) => error.into(),
            NoReply::Left | NoReply::OpponentGone(_) => {
                HostError::Defect("nobody waits for the bot's name".into()).into()
            }
            NoReply::Fault(fault) => {
                let stage = ended.stage.text();
                let next_step = match fault.class {
                    FaultClass::OutOfFuel => {
                        "do the work in `deploy` or `play`, where there is a budget for it"
                    }
                    FaultClass::WallClock => "try again on a machine that is less busy",
                    _ => {
                        "run it under a debugger or with a test of its own; `name` should only return a text"
                    }
                };
                let mut refusal = Refusal::new(
                    RefusalKind::Faulted,
                    format!("failed when it was {stage}: {fault}"),
                    next_step,
                );
                refusal.fault = Some(fault);
                refusal.into()
            }
        }),
    }
}
