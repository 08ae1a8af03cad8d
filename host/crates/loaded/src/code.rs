//! A game as the code of [`arena_rules::loaded`]: in this process, or in confined ones.

use crate::code_host::Games;
use crate::fault::Error;
use crate::game::Game;
use crate::lock::lock;
use crate::position::{Position, other_answer};
use crate::process::{Answer, Order, compare};
use crate::questions::{Begin, Step, in_order};
use crate::random_games::RandomGames;
use crate::trial::Progress;
use arena_referee::HostError;
use arena_rules::loaded::{self, AnyState, Code};
use arena_rules::{Failure, GameRules, Seat};
use arena_sandbox::{AdmitError, Component, Sandbox};
use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};

/// The code of a game, from the bytes of its component. They are admitted, and processes are started, when they are needed first:
/// many who read a record never play it.
struct FileCode {
    bytes: Arc<[u8]>,
    sandbox: Box<dyn Fn() -> Result<Sandbox, HostError> + Send + Sync>,
    /// The code, or the fault of the game. A failure of the arena is not kept: another time, it may load.
    loaded: OnceLock<Result<Admitted, Failure>>,
    /// Held while the code is loaded, so that it is done once.
    loading: Mutex<()>,
    /// The hashes of the bots that have the types of the game's bots.
    fitting: Mutex<HashSet<String>>,
    /// The games that begin next.
    coming: Mutex<Vec<Coming>>,
}

/// A game that begins next, with the changes that will probably follow.
struct Coming {
    seed: u64,
    starter: Seat,
    steps: Vec<Step>,
}

/// A component that was admitted.
struct Admitted {
    sandbox: Sandbox,
    component: Component,
    code: Where,
}

impl Admitted {
    fn run(&self, order: Order) -> Result<Answer, Failure> {
        Ok(crate::run(&self.sandbox, &self.component, order, |_| true)?)
    }
}

/// The host of some code.
enum Where {
    /// In this process: one that plays, or any if the sandbox has no others.
    Here(Arc<Game>),
    /// In confined processes.
    Elsewhere(Arc<Games>),
}

/// The code of a game, from the bytes of its component, which this sandbox admits when that is needed.
pub fn code(
    bytes: impl Into<Arc<[u8]>>,
    sandbox: impl Fn() -> Result<Sandbox, HostError> + Send + Sync + 'static,
) -> Arc<dyn Code> {
    let sandbox = Box::new(sandbox);
    let (loaded, loading) = (OnceLock::new(), Mutex::default());
    let (fitting, coming) = (Mutex::default(), Mutex::default());
    Arc::new(FileCode { bytes: bytes.into(), sandbox, loaded, loading, fitting, coming })
}

/// The rules of a game with this code, made by [`code`], and the defaults of its options.
///
/// # Errors
/// The fault of the game, or a failure of the arena.
pub fn rules(code: &Arc<dyn Code>) -> Result<loaded::Rules, Failure> {
    let admitted = file(code).ok_or("its code is not that of a component")?.load()?;
    let about = admitted.run(Order::About)?.about;
    Ok(loaded::Rules::new(about, admitted.component.hash()).with_code(Arc::clone(code)))
}

/// The reason why a game refuses the values of its options together; `None` if it takes them. These are rules by [`rules`].
///
/// # Errors
/// The game fails, or a failure of the arena.
pub fn refusal(rules: &loaded::Rules) -> Result<Option<String>, Failure> {
    let admitted = rules.code().and_then(file).ok_or("its code is not loaded")?.load()?;
    let settings = in_order(&rules.about().parameters, rules.settings())?;
    let why = admitted.run(Order::Begin(settings))?.refused;
    Ok(why.map(|why| arena_text::line(&why, 200)))
}

/// Plays this number of games with random actions by rules of [`rules`]. `go_on` is called after each game and every few turns; the games end
/// early when it returns false.
///
/// # Errors
/// The game fails, or a failure of the arena.
pub fn random_games(
    rules: &loaded::Rules,
    games: u32,
    seed: u64,
    go_on: impl FnMut(Progress) -> bool,
) -> Result<RandomGames, Failure> {
    let Admitted { sandbox, component, .. } =
        rules.code().and_then(file).ok_or("its code is not loaded")?.load()?;
    let settings = in_order(&rules.about().parameters, rules.settings())?;
    let played = crate::run(sandbox, component, Order::Random(games, settings, seed), go_on)?;
    played.random.ok_or_else(other_answer)
}

/// The component of a loaded game, if these are rules of one whose code is that of a component.
///
/// # Errors
/// It cannot be loaded.
pub fn component(rules: &GameRules) -> Option<Result<Component, Failure>> {
    Some(file_of(rules)?.load().map(|admitted| admitted.component.clone()))
}

/// The bytes of the component of a loaded game, if these are rules of one whose code is that of a component.
pub fn bytes(rules: &GameRules) -> Option<Arc<[u8]>> {
    file_of(rules).map(|file| Arc::clone(&file.bytes))
}

/// Checks, for each of these bots, that it exports the interface of the bots of this game, with the same types. The inner error is the
/// first difference, as a sentence about the bot.
///
/// # Errors
/// The game has no code or cannot be loaded, or a failure of the arena.
pub fn check_bots(rules: &GameRules, bots: &[Component]) -> Result<Vec<Result<(), String>>, Failure> {
    let file = file_of(rules).ok_or("its code is not loaded")?;
    // A bot that fits is compared once.
    let mut fitting = lock(&file.fitting);
    let is_new = |bot: &&Component| !fitting.contains(bot.hash());
    let new: Vec<Component> = bots.iter().filter(is_new).cloned().collect();
    let admitted = file.load()?;
    let found = compare(&admitted.sandbox, &admitted.component, &new)?;
    let mut differing: HashMap<&str, String> = HashMap::new();
    for (bot, found) in new.iter().zip(found) {
        match found {
            Ok(()) => _ = fitting.insert(bot.hash().to_owned()),
            Err(difference) => _ = differing.insert(bot.hash(), difference),
        }
    }
    let answer = |bot: &Component| differing.get(bot.hash()).cloned().map_or(Ok(()), Err);
    Ok(bots.iter().map(answer).collect())
}

fn file(code: &Arc<dyn Code>) -> Option<&FileCode> {
    let code: &dyn Any = &**code;
    code.downcast_ref()
}

fn file_of(rules: &GameRules) -> Option<&FileCode> {
    let GameRules::Loaded(rules) = rules else { return None };
    file(rules.code()?)
}

/// The same rules with the code of a component that is loaded in this process, as in one that plays.
///
/// # Errors
/// The fault of the game, or a failure of the arena.
pub fn with_code_here(rules: loaded::Rules, component: &Component) -> Result<loaded::Rules, Error> {
    if component.hash() != rules.sha256() {
        return Err(HostError::Defect("the rules are of another game than its code".into()).into());
    }
    Ok(rules.with_code(Arc::new(Where::Here(Arc::new(Game::new(component.clone())?)))))
}

impl FileCode {
    fn load(&self) -> Result<&Admitted, Failure> {
        let load = || -> Result<Admitted, Failure> {
            let sandbox = (self.sandbox)().map_err(Error::from)?;
            let component = sandbox.admit_component(&self.bytes).map_err(|error| match error {
                AdmitError::Host(error) => Error::from(error).into(),
                refused => Failure::Game(refused.to_string()),
            })?;
            let code = if sandbox.has_processes() {
                Where::Elsewhere(Arc::new(Games::new(&sandbox, &component)))
            } else {
                Where::Here(Arc::new(Game::new(component.clone())?))
            };
            Ok(Admitted { sandbox, component, code })
        };
        let _loading = lock(&self.loading);
        let loaded = match self.loaded.get() {
            Some(loaded) => loaded,
            None => match load() {
                Err(failure @ Failure::Arena(_)) => return Err(failure),
                loaded => self.loaded.get_or_init(|| loaded),
            },
        };
        loaded.as_ref().map_err(Failure::clone)
    }
}

impl Where {
    fn begin(&self, begin: Begin) -> Result<AnyState, Failure> {
        Ok(match self {
            Self::Here(game) => Arc::new(Position::begin(Arc::clone(game), begin)?),
            Self::Elsewhere(games) => Arc::new(Position::begin(Arc::clone(games), begin)?),
        })
    }
}

impl Code for FileCode {
    fn begin(&self, settings: &BTreeMap<String, i64>, seed: u64, starter: Seat) -> Result<AnyState, Failure> {
        let foreseen = {
            let mut coming = lock(&self.coming);
            let place = coming.iter().position(|it| (it.seed, it.starter) == (seed, starter));
            place.map(|place| coming.swap_remove(place).steps).unwrap_or_default()
        };
        self.load()?.code.begin(Begin {
            settings: settings.clone(),
            seed,
            starter,
            steps: Vec::new(),
            foreseen,
        })
    }
}

impl Code for Where {
    fn begin(&self, settings: &BTreeMap<String, i64>, seed: u64, starter: Seat) -> Result<AnyState, Failure> {
        let (steps, foreseen) = (Vec::new(), Vec::new());
        Self::begin(self, Begin { settings: settings.clone(), seed, starter, steps, foreseen })
    }
}

/// Names the changes that will probably follow in the game that begins next by these rules, with this seed for everything that is drawn:
/// the game is then played at once, in one exchange with its process. Any other changes may follow, and take longer.
pub fn foresee(rules: &GameRules, seed: u64, starter: Seat, steps: Vec<Step>) {
    if let Some(file) = file_of(rules) {
        lock(&file.coming).push(Coming { seed, starter, steps });
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Game(fault) => Self::Game(fault.to_string()),
            Error::Host(error) => Self::Arena(error.to_string()),
        }
    }
}
