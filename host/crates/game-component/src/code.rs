//! A game as the code of [`arena_rules::loaded`]: in this process, or in confined ones.

use crate::fault::Error;
use crate::game::Game;
use crate::play::{Ask, Begin, Step, Told, Turn};
use crate::process::{Link, Order, compare, nonsense, sound};
use crate::state::State;
use arena_referee::HostError;
use arena_rules::loaded::{self, Applied, Code, Parameter, Penalty, Sight};
use arena_rules::{Failure, GameRules, Seat};
use arena_sandbox::{AdmitError, Component, Sandbox, TEXT_BYTES_MAX, Value};
use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;

/// The code of a game, from the bytes of its component. They are admitted, and processes are started, when they are needed first:
/// many who read a record never play it.
struct FileCode {
    bytes: Arc<[u8]>,
    sandbox: Box<dyn Fn() -> Result<Sandbox, HostError> + Send + Sync>,
    /// The code, or the fault of the game. A failure of the arena is not kept: another time, it may load.
    loaded: OnceLock<Result<Loaded, Failure>>,
    /// Held while the code is loaded, so that it is done once.
    loading: Mutex<()>,
    /// The hashes of the bots that have the types of the game's bots.
    fitting: Mutex<HashSet<String>>,
}

/// Code that was loaded.
enum Loaded {
    /// In this process: one that plays, or any if the sandbox has no others.
    Here(Game),
    /// In confined processes, with the changes that are foreseen for each state.
    Elsewhere(Arc<Links>, Vec<Step>),
}

/// The code of a game, from the bytes of its component, which this sandbox admits when that is needed.
pub fn code(
    bytes: impl Into<Arc<[u8]>>,
    sandbox: impl Fn() -> Result<Sandbox, HostError> + Send + Sync + 'static,
) -> Arc<dyn Code> {
    let sandbox = Box::new(sandbox);
    let (loaded, loading, fitting) = (OnceLock::new(), Mutex::default(), Mutex::default());
    Arc::new(FileCode { bytes: bytes.into(), sandbox, loaded, loading, fitting })
}

/// The rules of a game with this code, made by [`code`], and the defaults of its options.
///
/// # Errors
/// The fault of the game, or a failure of the arena.
pub fn rules(code: &Arc<dyn Code>) -> Result<loaded::Rules, Failure> {
    let file = file(code).ok_or("its code is not that of a component")?;
    let (about, sha256) = match file.load()? {
        Loaded::Here(game) => (game.about().clone(), game.component().hash()),
        Loaded::Elsewhere(links, _) => {
            let about = crate::run(&links.sandbox, &links.component, Order::About, |_| true)?.about;
            (about, links.component.hash())
        }
    };
    Ok(loaded::Rules::new(about, sha256).with_code(Arc::clone(code)))
}

/// The reason why a game refuses the values of its options together; `None` if it takes them. These are rules by [`rules`].
///
/// # Errors
/// The game fails, or a failure of the arena.
pub fn refusal(rules: &loaded::Rules) -> Result<Option<String>, Failure> {
    let file = rules.code().and_then(file).ok_or("its code is not loaded")?;
    let why = match file.load()? {
        Loaded::Here(game) => started(game, rules.settings(), 0, Seat::First)?.err(),
        Loaded::Elsewhere(links, _) => {
            let settings = in_order(&rules.about().parameters, rules.settings())?;
            crate::run(&links.sandbox, &links.component, Order::Begin(settings), |_| true)?.refused
        }
    };
    Ok(why.map(|why| arena_text::line(&why, 200)))
}

/// The component of a loaded game, if these are rules of one whose code is that of a component.
///
/// # Errors
/// It cannot be loaded.
pub fn component(rules: &GameRules) -> Option<Result<Component, Failure>> {
    Some(file_of(rules)?.load().map(|loaded| match loaded {
        Loaded::Here(game) => game.component().clone(),
        Loaded::Elsewhere(links, _) => links.component.clone(),
    }))
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
    let found = match file.load()? {
        _ if new.is_empty() => Vec::new(),
        Loaded::Here(game) => {
            new.iter().map(|bot| game.check_bot(bot)).collect::<Result<_, _>>().map_err(Error::from)?
        }
        Loaded::Elsewhere(links, _) => compare(&links.sandbox, &links.component, &new)?,
    };
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
    Ok(rules.with_code(Arc::new(Loaded::Here(Game::new(component.clone())?))))
}

impl FileCode {
    fn load(&self) -> Result<&Loaded, Failure> {
        let load = || -> Result<Loaded, Failure> {
            let sandbox = (self.sandbox)().map_err(Error::from)?;
            let component = sandbox.admit_component(&self.bytes).map_err(|error| match error {
                AdmitError::Host(error) => Error::from(error).into(),
                refused => Failure::Game(refused.to_string()),
            })?;
            if sandbox.has_processes() {
                return Ok(Loaded::Elsewhere(Arc::new(Links::new(sandbox, component)), Vec::new()));
            }
            Ok(Loaded::Here(Game::new(component)?))
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

impl Code for FileCode {
    fn begin(
        &self,
        settings: &BTreeMap<String, i64>,
        seed: u64,
        starter: Seat,
    ) -> Result<Box<dyn loaded::State>, Failure> {
        self.load()?.begin(settings, seed, starter)
    }
}

impl Code for Loaded {
    fn begin(
        &self,
        settings: &BTreeMap<String, i64>,
        seed: u64,
        starter: Seat,
    ) -> Result<Box<dyn loaded::State>, Failure> {
        match self {
            Self::Here(game) => Ok(Box::new(begin(game, settings, seed, starter)?)),
            Self::Elsewhere(links, foreseen) => {
                Ok(Box::new(links.state(settings, seed, starter, foreseen.clone())?))
            }
        }
    }
}

/// The same rules for one game, in which these changes will probably follow: the game is then played at once, in one exchange with its
/// process. Any other changes may follow, and take longer.
pub fn foreseeing(rules: loaded::Rules, steps: Vec<Step>) -> loaded::Rules {
    match rules.code().and_then(file).map(FileCode::load) {
        Some(Ok(Loaded::Elsewhere(links, _))) => {
            let links = Arc::clone(links);
            rules.with_code(Arc::new(Loaded::Elsewhere(links, steps)))
        }
        // A failure is found when a game begins.
        _ => rules,
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

/// The state at the beginning of a game.
pub fn begin(
    game: &Game,
    settings: &BTreeMap<String, i64>,
    seed: u64,
    starter: Seat,
) -> Result<State, Failure> {
    let started = started(game, settings, seed, starter)?;
    started.map_err(|why| format!("it refuses its options: {why}").into())
}

/// The same. The inner error is the game's reason to refuse the values of its options together.
fn started(
    game: &Game,
    settings: &BTreeMap<String, i64>,
    seed: u64,
    starter: Seat,
) -> Result<Result<State, String>, Failure> {
    Ok(game.start(&in_order(&game.about().parameters, settings)?, seed, starter)?)
}

/// The values of options in the order in which a game names them.
fn in_order(
    parameters: &[Parameter],
    settings: &BTreeMap<String, i64>,
) -> Result<Vec<(String, i64)>, Failure> {
    let value = |it: &Parameter| Some((it.name.clone(), *settings.get(&it.name)?));
    let values: Option<Vec<_>> = parameters.iter().map(value).collect();
    values.ok_or_else(|| "an option of the game has no value".into())
}

/// A text of bounded length.
fn bounded(what: &str, text: String) -> Result<String, Failure> {
    match text.len() {
        0..=TEXT_BYTES_MAX => Ok(text),
        bytes => Err(format!("{what} has {bytes} bytes as text; it can have {TEXT_BYTES_MAX}").into()),
    }
}

fn text_of(what: &str, value: &Value) -> Result<String, Failure> {
    bounded(what, crate::state::text(value)?)
}

impl loaded::State for State {
    fn to_move(&mut self) -> Result<Option<Seat>, Failure> {
        Ok(self.current_player()?)
    }

    fn outcome(&mut self) -> Result<(Option<Seat>, String), Failure> {
        let outcome = Self::outcome(self)?;
        Ok((outcome.winner, self.about().endings[outcome.ending].name.clone()))
    }

    fn observe(&mut self, viewer: Seat) -> Result<Box<dyn Sight>, Failure> {
        Ok(Box::new(self.observation(viewer)?))
    }

    fn picture(&mut self, viewer: Option<Seat>) -> Result<String, Failure> {
        bounded("a picture", Self::picture(self, viewer)?)
    }

    fn legal_actions(&mut self) -> Result<Option<Vec<String>>, Failure> {
        let Some(actions) = Self::legal_actions(self)? else { return Ok(None) };
        actions.iter().map(|action| text_of("an action", action)).collect::<Result<_, _>>().map(Some)
    }

    /// A text that is no value of the action's type loses: no bot can answer it.
    fn apply(&mut self, action: &str) -> Result<Applied<String>, Failure> {
        let action = match self.parse_action(action) {
            Ok(action) => action,
            Err(why) => return Ok(Applied::Lost(format!("it is no action of the game: {why}"))),
        };
        Ok(match Self::apply(self, &action)? {
            Applied::Done(Some(effect)) => Applied::Done(text_of("an effect", &effect)?),
            Applied::Done(None) => Applied::Done(String::new()),
            Applied::Retry(why) => Applied::Retry(why),
            Applied::Lost(why) => Applied::Lost(why),
        })
    }

    fn overrun(&mut self) -> Result<Penalty, Failure> {
        Ok(Self::overrun(self)?)
    }

    fn random_action(&mut self, seed: u64) -> Result<String, Failure> {
        text_of("an action", &Self::random_action(self, seed)?)
    }
}

/// The processes with a game's code, of which each has a few states at a time. A state that is not in one is played again there.
struct Links {
    sandbox: Sandbox,
    component: Component,
    /// The processes that were started.
    links: Mutex<Vec<Arc<Mutex<Link>>>>,
    /// The number of states that were made.
    states: AtomicU64,
}

/// A state in one of the processes.
struct RemoteState {
    links: Arc<Links>,
    link: Arc<Mutex<Link>>,
    number: u64,
    begin: Begin,
    /// The turn after the steps.
    turn: Turn,
    /// The answers to the next changes. The state in the process has gone through them already.
    foreseen: VecDeque<(Step, Told)>,
}

impl Links {
    fn new(sandbox: Sandbox, component: Component) -> Self {
        Self { sandbox, component, links: Mutex::default(), states: AtomicU64::new(0) }
    }

    fn state(
        self: &Arc<Self>,
        settings: &BTreeMap<String, i64>,
        seed: u64,
        starter: Seat,
        foreseen: Vec<Step>,
    ) -> Result<RemoteState, Failure> {
        let number = self.next();
        let mut begin = Begin { settings: settings.clone(), seed, starter, steps: Vec::new(), foreseen };
        let begun = |link: &Mutex<Link>| lock(link).begin(number, &begin);
        let mut link = self.idle().map_err(Error::from)?;
        let mut told = begun(&link);
        if told.is_err() && lock(&link).is_broken() {
            // A process that has ended says nothing about the game: another one begins it.
            link = self.idle().map_err(Error::from)?;
            told = begun(&link);
        }
        let (turn, told) = told?;
        let foreseen = std::mem::take(&mut begin.foreseen).into_iter().zip(told).collect();
        Ok(RemoteState { links: Arc::clone(self), link, number, begin, turn, foreseen })
    }

    /// The number of another state.
    fn next(&self) -> u64 {
        self.states.fetch_add(1, Ordering::Relaxed)
    }

    /// A process that nobody talks to at the moment; another one is started if all are busy and the machine has cores for it.
    fn idle(&self) -> Result<Arc<Mutex<Link>>, HostError> {
        let mut links = lock(&self.links);
        links.retain(|link| match link.try_lock() {
            Ok(link) => !link.is_broken(),
            Err(TryLockError::Poisoned(_)) => false,
            Err(TryLockError::WouldBlock) => true,
        });
        let idle = links.iter().find(|link| link.try_lock().is_ok()).cloned();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Ok(match idle {
            Some(link) => link,
            None if links.len() < cores => {
                let link = Arc::new(Mutex::new(Link::start(&self.sandbox, &self.component)?));
                links.push(Arc::clone(&link));
                link
            }
            None => Arc::clone(&links[0]),
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RemoteState {
    /// Asks for something about the present state. A process that has ended says nothing about the game, so another one plays it again.
    fn ask(&mut self, ask: &Ask) -> Result<Told, Failure> {
        if let Ask::Step(step) = ask
            && self.foreseen.front().is_some_and(|(foreseen, _)| foreseen == step)
            && let Some((_, told)) = self.foreseen.pop_front()
        {
            return sound(told);
        }
        if !self.foreseen.is_empty() {
            // The state in the process is one of the future.
            self.foreseen.clear();
            self.number = self.links.next();
        }
        let told = self.ask_once(ask);
        if told.is_err() && lock(&self.link).is_broken() { self.ask_once(ask) } else { told }
    }

    fn ask_once(&mut self, ask: &Ask) -> Result<Told, Failure> {
        if lock(&self.link).is_broken() {
            self.link = self.links.idle().map_err(Error::from)?;
        }
        let mut link = lock(&self.link);
        if !link.has(self.number) && link.begin(self.number, &self.begin)?.0 != self.turn {
            return Err("it is another game when it is played again".into());
        }
        link.ask(self.number, ask)
    }

    /// Asks for something that no turn depends on. An instance that fails is not used any more: the state is played again in another one.
    fn look<T>(&mut self, ask: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let told = ask(self);
        if told.is_err() {
            self.number = self.links.next();
        }
        told
    }

    fn text(&mut self, ask: &Ask) -> Result<String, Failure> {
        if let Told::Text(text) = self.ask(ask)? { Ok(text) } else { Err(nonsense()) }
    }
}

impl loaded::State for RemoteState {
    fn to_move(&mut self) -> Result<Option<Seat>, Failure> {
        Ok(self.turn.to_move)
    }

    fn outcome(&mut self) -> Result<(Option<Seat>, String), Failure> {
        self.turn.outcome.clone().ok_or_else(nonsense)
    }

    fn observe(&mut self, viewer: Seat) -> Result<Box<dyn Sight>, Failure> {
        Ok(Box::new(self.text(&Ask::Observe(viewer))?))
    }

    fn picture(&mut self, viewer: Option<Seat>) -> Result<String, Failure> {
        // It was plain if the arena's code sent it.
        Ok(arena_text::lines(&self.look(|state| state.text(&Ask::Picture(viewer)))?))
    }

    fn legal_actions(&mut self) -> Result<Option<Vec<String>>, Failure> {
        self.look(|state| match state.ask(&Ask::LegalActions)? {
            Told::Actions(actions) => Ok(actions),
            _ => Err(nonsense()),
        })
    }

    fn apply(&mut self, action: &str) -> Result<Applied<String>, Failure> {
        let step = Step::Action(action.to_owned());
        let Told::Applied(applied, turn) = self.ask(&Ask::Step(step.clone()))? else {
            return Err(nonsense());
        };
        if let Applied::Done(_) = applied {
            self.begin.steps.push(step);
            self.turn = turn;
        }
        Ok(applied)
    }

    fn overrun(&mut self) -> Result<Penalty, Failure> {
        let Told::Overran(penalty, turn) = self.ask(&Ask::Step(Step::Overrun))? else {
            return Err(nonsense());
        };
        self.begin.steps.push(Step::Overrun);
        self.turn = turn;
        Ok(penalty)
    }

    fn random_action(&mut self, seed: u64) -> Result<String, Failure> {
        self.text(&Ask::RandomAction(seed))
    }

    fn fork(&self) -> Option<Box<dyn loaded::State>> {
        let Self { links, link, begin, turn, .. } = self;
        let (number, foreseen) = (links.next(), VecDeque::new());
        let (links, link) = (Arc::clone(links), Arc::clone(link));
        Some(Box::new(Self { links, link, number, begin: begin.clone(), turn: turn.clone(), foreseen }))
    }
}
