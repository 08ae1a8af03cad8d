//! Trial games of a bot against a built-in opponent. They show how it plays under each of the rules of its game, and its fuel and memory.

pub use crate::difference::Difference;
use crate::rerun::{self, Part};
pub use crate::throughput::{NANOSECONDS_ASSUMED, Throughput};
use arena_engine::Error;
use arena_players::{
    self, CalledBots, CalledPlayer, Contestant, Draw, LimitOptions, Plan, Played, RunSeed, header, referee,
};
use arena_record::{BotId, GameResult, Header, Name, Seed, Transcript};
use arena_referee::{Event, Fault, HostError, NoReply, Player, RandomPlayer, Reply, Stopped, Verdict};
use arena_rules::{GameRules, Outcome, Reason, Seat, with_game};
use arena_sandbox::{Bot, Sandbox, Sandboxed};
use std::mem;
use std::slice;

#[cfg(test)]
mod tests;

/// The random seed of trial games. Chosen: fixed, so that two builds of a bot have the same trial.
const SEED: u64 = 1;

/// The label of the opponent. The opponent has no component.
pub const OPPONENT: &str = "built-in";

/// The reason why a trial game is not played on, without a result: the bot has no fuel left for it.
const FUEL_OF_TRIAL: Reason = Reason::own("fuel-of-the-trial-is-used");

/// A trial game. It is played twice, unless the trial is quick or the fuel of the trial is not enough.
#[derive(Clone, Debug)]
pub struct TrialGame {
    /// The seat of the bot.
    pub seat: Seat,
    /// The game as it was played the first time.
    pub played: Played,
    /// The fuel of each of the bot's turns that ended well, from the least to the most.
    pub fuel_of_turns: Vec<u64>,
    /// The number of turns that it skipped.
    pub turns_skipped: usize,
    /// The fuel of its deployment; `None` when it was not asked for one, or had no legal one.
    pub fuel_of_deployment: Option<u64>,
    /// Its faults.
    pub faults: Vec<TrialFault>,
    /// The peak of its memory, in bytes.
    pub memory_bytes_peak: usize,
    /// The processor time of its calls that ended well, and their fuel. Calls that made an instance, or used hardly any fuel, are left
    /// out.
    pub throughput: Throughput,
    /// True if it was played twice.
    pub is_repeated: bool,
    /// The difference when the game was played again; `None` when all events were the same.
    pub differs: Option<Difference>,
}

impl TrialGame {
    /// The text that the bot printed.
    pub fn log(&self) -> &str {
        &self.played.logs[self.seat.index()]
    }

    /// A name for the game, for a file: `guide-seat1`.
    pub fn file_stem(&self) -> String {
        format!("{}-seat{}", self.played.header.conditions.rules.name(), u8::from(self.seat))
    }
}

/// The number of turns that a bot took in all trial games, if it skipped each of them: its `play` has no path to an action.
pub fn turns_all_skipped(games: &[TrialGame]) -> Option<usize> {
    let skipped: usize = games.iter().map(|game| game.turns_skipped).sum();
    let turns: usize = games.iter().map(|game| game.fuel_of_turns.len()).sum();
    (skipped > 0 && skipped == turns).then_some(turns)
}

/// True if a bot was at fault in a trial game, or skipped each turn of all.
pub fn has_faults(games: &[TrialGame]) -> bool {
    games.iter().any(|game| !game.faults.is_empty()) || turns_all_skipped(games).is_some()
}

/// A fault in a trial game.
#[derive(Clone, Debug)]
pub struct TrialFault {
    /// The turn; 0 is the deployment.
    pub turn: u32,
    /// The fault.
    pub fault: Fault,
    /// The consequence.
    pub verdict: Verdict,
}

/// The trial games to play.
#[derive(Clone, Debug, Default)]
pub struct TrialOptions {
    /// The rules; empty for all built-in ones. Rules for other games than the bot's are skipped.
    pub rules: Vec<GameRules>,
    /// The fuel of a turn; `None` for the fuel that the rules' time budget stands for.
    pub fuel_per_turn: Option<u64>,
    /// True for one game under each of the rules, from the first seat, played once.
    pub is_quick: bool,
    /// The fuel that the bot has for all its trial games, in budgets of a turn; `None` for no limit. Each game has an equal part: it
    /// is not played on when less than a turn's budget is left of that, and played twice if it needs half of it at most.
    pub turns_of_fuel: Option<u64>,
}

impl TrialOptions {
    /// The number of trial games of a bot.
    pub fn count(&self, bot: &Bot) -> usize {
        self.seats().len() * self.rules_of(bot).len()
    }

    fn seats(&self) -> &'static [Seat] {
        if self.is_quick { &Seat::BOTH[..1] } else { &Seat::BOTH }
    }

    /// The rules of a bot's trial games.
    pub fn rules_of(&self, bot: &Bot) -> Vec<GameRules> {
        let rules = if self.rules.is_empty() { GameRules::built_in() } else { self.rules.clone() };
        rules.into_iter().filter(|rules| rules.kind() == bot.kind()).collect()
    }

    /// The plan of the trial games under these rules.
    pub fn plan(&self, rules: GameRules, engine: String) -> Plan {
        let limits = LimitOptions { fuel_per_turn: self.fuel_per_turn, ..LimitOptions::default() };
        Plan::of(rules, engine, RunSeed::from(Seed::from(SEED)), &limits, 1)
    }
}

/// Plays the trial games of a bot of a sandbox: from both seats under each of the rules, unless the options say otherwise. It
/// ends early when `go_on` returns false after a game.
///
/// # Errors
/// A failure of the arena.
pub fn play(
    contestant: &Contestant,
    sandbox: &Sandbox,
    options: &TrialOptions,
    go_on: impl FnMut() -> bool,
) -> Result<Vec<TrialGame>, Error> {
    let plan = |rules| options.plan(rules, sandbox.engine_hash());
    let plans: Vec<Plan> = options.rules_of(&contestant.bot).into_iter().map(plan).collect();
    play_plans(contestant, sandbox, &plans, options, go_on)
}

/// Plays a trial game from each seat by a plan for the bot's game. It ends early when `go_on` returns false after a game.
///
/// # Errors
/// A failure of the arena.
pub fn play_by(
    contestant: &Contestant,
    sandbox: &Sandbox,
    plan: &Plan,
    go_on: impl FnMut() -> bool,
) -> Result<Vec<TrialGame>, Error> {
    play_plans(contestant, sandbox, slice::from_ref(plan), &TrialOptions::default(), go_on)
}

/// Plays the trial games by each of the plans, with the seats of the options.
fn play_plans(
    contestant: &Contestant,
    sandbox: &Sandbox,
    plans: &[Plan],
    options: &TrialOptions,
    mut go_on: impl FnMut() -> bool,
) -> Result<Vec<TrialGame>, Error> {
    let mut games = Vec::new();
    // One trace is enough: it replays the game with more fuel.
    let mut traces = rerun::may_be_prompted(&contestant.bot);
    let count = (plans.len() * options.seats().len()).max(1) as u64;
    for plan in plans {
        let turn = plan.conditions.limits.fuel_per_turn;
        let fuel = options.turns_of_fuel.map_or(u64::MAX, |turns| turn.saturating_mul(turns) / count);
        let seats = CalledBots::new(sandbox, vec![contestant.bot.clone()], &plan.conditions, plan.times)?;
        for &seat in options.seats() {
            let mut game = with_game!(
                contestant.bot.kind(),
                G => play_game::<G>(contestant, plan, &seats, seat, fuel, !options.is_quick)?
            );
            if traces {
                traces = !place_fault(contestant, sandbox, plan, fuel, &mut game)?;
            }
            games.push(game);
            if !go_on() {
                return Ok(games);
            }
        }
    }
    Ok(games)
}

/// Replays a game up to the first turn whose fault names no line, with this fuel for all its turns, and adds to the fault where the bot
/// was. Returns false if there was no such turn.
fn place_fault(
    contestant: &Contestant,
    sandbox: &Sandbox,
    plan: &Plan,
    fuel_max: u64,
    game: &mut TrialGame,
) -> Result<bool, Error> {
    let seat = game.seat;
    let Some(faulted) = game.faults.iter_mut().find(|it| rerun::is_without_place(&it.fault)) else {
        return Ok(false);
    };
    let fault = with_game!(contestant.bot.kind(), G => {
        let Some(transcript) = game.played.recording::<G>()? else { return Ok(true) };
        let TrialFault { turn, fault, .. } = &*faulted;
        let part = Part { last: Some(*turn), fuel_max };
        rerun::trace(&transcript, seat, &contestant.bot, sandbox, plan.times, part, fault)?
    });
    if let Some(fault) = fault {
        faulted.fault = fault;
    }
    Ok(true)
}

/// A game that was played once.
struct Once<G: Sandboxed> {
    events: Vec<Event<G>>,
    log: String,
    memory_bytes_peak: usize,
    throughput: Throughput,
    /// The fuel that it has cost.
    fuel: u64,
}

/// The header of a trial game.
pub(crate) fn header_of(contestant: &Contestant, plan: &Plan, seat: Seat) -> Header {
    let opponent = BotId { label: OPPONENT.into(), name: OPPONENT.into(), sha256: Name::default() };
    let mut bots = [contestant.id.clone(), contestant.id.clone()];
    bots[seat.other().index()] = opponent;
    let draw = Draw::of(plan, 0, [&bots[0].sha256, &bots[1].sha256]);
    header(plan, 1, contestant.bot.contract(), bots, draw)
}

/// The events of a trial game.
pub(crate) fn events<G: Sandboxed>(
    seats: &CalledBots,
    plan: &Plan,
    header: &Header,
    seat: Seat,
) -> Result<Vec<Event<G>>, HostError> {
    Ok(play_once::<G>(seats, plan, header, seat, u64::MAX)?.events)
}

fn play_game<G: Sandboxed>(
    contestant: &Contestant,
    plan: &Plan,
    seats: &CalledBots,
    seat: Seat,
    fuel: u64,
    may_repeat: bool,
) -> Result<TrialGame, HostError> {
    let header = header_of(contestant, plan, seat);
    let once = || {
        let played = play_once::<G>(seats, plan, &header, seat, fuel);
        let game = format_args!("a trial game with the bot in seat {}", u8::from(seat));
        played.map_err(|error| error.in_game(game))
    };
    let first = once()?;
    let is_repeated = may_repeat && first.fuel <= fuel / 2;
    let again = is_repeated.then(once).transpose()?;
    let differs = again.as_ref().and_then(|again| Difference::of(&first.events, &again.events));
    let mine = |event: &&Event<G>| event.seat() == Some(seat);
    let (mut fuel_of_turns, mut turns_skipped) = (Vec::new(), 0);
    let (mut fuel_of_deployment, mut faults) = (None, Vec::new());
    for event in first.events.iter().filter(mine) {
        match event {
            Event::Placed { fuel, .. } => fuel_of_deployment = *fuel,
            Event::Acted { fuel, effect, .. } => {
                fuel_of_turns.push(*fuel);
                turns_skipped += usize::from(G::is_skip(effect));
            }
            Event::Faulted { turn, fault, verdict, .. } => {
                faults.push(TrialFault { turn: *turn, fault: fault.clone(), verdict: *verdict });
            }
            Event::Ended { .. } => {}
        }
    }
    fuel_of_turns.sort_unstable();
    let Once { events, log, memory_bytes_peak, throughput, .. } = first;
    let mut logs = [String::new(), String::new()];
    logs[seat.index()] = log;
    Ok(TrialGame {
        seat,
        fuel_of_turns,
        turns_skipped,
        fuel_of_deployment,
        faults,
        memory_bytes_peak,
        throughput,
        is_repeated,
        differs,
        played: Played {
            result: GameResult::of(&events)?,
            transcript: Some(Transcript { header: header.clone(), events }.to_bytes()),
            header,
            packed: None,
            logs,
        },
    })
}

/// Plays a trial game once, until the bot has used up the fuel for it.
fn play_once<G: Sandboxed>(
    seats: &CalledBots,
    plan: &Plan,
    header: &Header,
    seat: Seat,
    fuel: u64,
) -> Result<Once<G>, HostError> {
    let rules = arena_players::rules::<G>(&plan.conditions)?;
    let player = seats.seat::<G>(0, header.bots[seat.index()].seed)?;
    let mut bot =
        Timed { player, throughput: Throughput::default(), is_fresh: true, fuel_left: fuel, is_cut: false };
    let mut opponent = RandomPlayer::<G>::new(rules, header.bots[seat.other().index()].seed);
    let mut events = Vec::new();
    let mut record = |event| events.push(event);
    let ended = match seat {
        Seat::First => referee(header, [&mut bot, &mut opponent], true, &mut record),
        Seat::Second => referee(header, [&mut opponent, &mut bot], true, &mut record),
    };
    let Timed { player, throughput, fuel_left, is_cut, .. } = bot;
    match ended {
        Err(Stopped::Left) if is_cut => {
            let (outcome, reason) = (Outcome::NoContest, FUEL_OF_TRIAL);
            events.push(Event::Ended { outcome, reason, scores: None, reproducible: true });
        }
        ended => ended.map_err(Stopped::failure)?,
    }
    let (log, memory_bytes_peak) = (player.log(), player.memory_bytes_peak());
    Ok(Once { events, log, memory_bytes_peak, throughput, fuel: fuel - fuel_left })
}

/// A bot whose calls are timed, and which has an amount of fuel. The first call of each instance is not timed: it also makes the instance,
/// and that costs no fuel.
struct Timed<'a, G: Sandboxed> {
    player: CalledPlayer<'a, G>,
    throughput: Throughput,
    is_fresh: bool,
    /// The fuel that is left for the game.
    fuel_left: u64,
    /// True if there was not enough for a call.
    is_cut: bool,
}

impl<'a, G: Sandboxed> Timed<'a, G> {
    /// Makes a call with this fuel.
    fn time<T>(
        &mut self,
        fuel: u64,
        ask: impl FnOnce(&mut CalledPlayer<'a, G>) -> Result<Reply<T>, NoReply>,
    ) -> Result<Reply<T>, NoReply> {
        let Some(fuel_left) = self.fuel_left.checked_sub(fuel) else {
            self.is_cut = true;
            return Err(NoReply::Left);
        };
        let reply = ask(&mut self.player);
        // The fuel of a call that failed is not exact.
        let used = reply.as_ref().map_or(fuel, |reply| reply.fuel_used.min(fuel));
        self.fuel_left = fuel_left + (fuel - used);
        let reply = reply?;
        if !mem::take(&mut self.is_fresh) {
            self.throughput.add(reply.fuel_used, self.player.took());
        }
        Ok(reply)
    }
}

impl<G: Sandboxed> Player<G> for Timed<'_, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.time(fuel, |player| player.deploy(game, fuel))
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        self.time(fuel, |player| player.play(game, view, fuel))
    }

    fn begin_turn(&mut self) {
        self.player.begin_turn();
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.is_fresh = true;
        self.player.restart()
    }
}
