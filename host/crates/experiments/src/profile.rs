//! The fuel of a bot by its functions.
//!
//! A trial game is played, and its fuel is divided into equal parts. For the middle of each part, a fresh instance of the bot plays that
//! turn with only as much fuel as the turn had used up to there. It runs out of fuel, and its stack is a sample. So a profile is the same
//! on every machine and in every run, and ordinary games pay nothing for it. A bot that keeps state is sampled without that state.
//!
//! The stack of a bot in Python or JavaScript would be the interpreter's. Such a bot is asked to print the fuel of its own functions: see
//! [`Prompt`].

use crate::{rerun, trial};
use arena_engine::Error;
use arena_players::{CalledBots, Contestant, Plan};
use arena_record::{Replay, Transcript};
use arena_referee::{Event, Fault, FaultClass, Frame, HostError, NoReply, Player, Reply, Stopped};
use arena_rules::{Seat, with_game};
use arena_sandbox::{FUEL_PER_SECOND, Prompt, Sandbox, Sandboxed};
use std::collections::BTreeMap;

/// The stack of a sample, the outermost function first.
pub type Stack = Vec<Frame>;

/// The beginning of a line in which a bot prints the fuel of a stack. After it come the functions, separated by `;` with the outermost
/// first, a space, and the time by the bot's clock in nanoseconds. That clock advances with the fuel.
const PRINTED: &str = "arena profile: ";

/// The number of turns out of fuel after which a bot is not asked for more of its profile. Chosen: each of them may take eight budgets, some
/// seconds, and a bot in a loop has one in every turn.
const OVERRUNS_PROMPTED_MAX: usize = 3;

/// The nanoseconds of a bot's clock for a unit of fuel.
const NANOSECONDS_PER_FUEL: u64 = 1_000_000_000 / FUEL_PER_SECOND;

/// The fuel of a bot by its functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The number of samples of each stack, or its fuel if the bot has printed it. In an empty stack no function has a name.
    pub stacks: BTreeMap<Stack, u64>,
    /// The number of samples in which the fresh instance answered before its fuel ran out: it does less than one with state.
    pub answered: u64,
    /// True if the bot itself has printed the stacks.
    pub is_printed: bool,
    /// The fuel of the turns.
    pub fuel: u64,
    /// The number of turns: those with an answer, and those that ran out of fuel.
    pub turns: usize,
    /// The number of turns that ran out of fuel. Each counts with its whole budget.
    pub overruns: usize,
}

impl Profile {
    /// The number of samples with a stack, or the fuel of all stacks.
    pub fn sampled(&self) -> u64 {
        self.stacks.values().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

/// Profiles a bot in its trial game from the first seat under these rules, with at most this number of samples.
///
/// # Errors
/// A failure of the arena.
pub fn profile(
    contestant: &Contestant,
    sandbox: &Sandbox,
    plan: &Plan,
    samples: u32,
    go_on: impl FnMut() -> bool,
) -> Result<Profile, Error> {
    let seats = CalledBots::new(sandbox, vec![contestant.bot.clone()], &plan.conditions, plan.times)?;
    Ok(
        with_game!(contestant.bot.kind(), G => sample::<G>(contestant, sandbox, plan, &seats, samples, go_on)?),
    )
}

fn sample<G: Sandboxed>(
    contestant: &Contestant,
    sandbox: &Sandbox,
    plan: &Plan,
    seats: &CalledBots,
    samples: u32,
    mut go_on: impl FnMut() -> bool,
) -> Result<Profile, HostError> {
    const SEAT: Seat = Seat::First;
    let header = trial::header_of(contestant, plan, SEAT);
    let events = trial::events::<G>(seats, plan, &header, SEAT)?;
    let rules = arena_players::rules::<G>(&plan.conditions)?;
    let (fuel_per_turn, seed) = (plan.conditions.limits.fuel_per_turn, header.bots[SEAT.index()].seed);
    let info = G::info(rules, fuel_per_turn, seed);

    let overrun = |event: &Event<G>| match event {
        Event::Faulted { seat: SEAT, turn: turn @ 1.., fault, .. }
            if fault.class == FaultClass::OutOfFuel =>
        {
            Some(*turn)
        }
        _ => None,
    };
    let fuel_of = |event: &Event<G>| match event {
        Event::Acted { seat: SEAT, fuel, .. } => Some(*fuel),
        _ => overrun(event).map(|_| fuel_per_turn),
    };
    let mut profile = Profile {
        fuel: events.iter().filter_map(fuel_of).fold(0, u64::saturating_add),
        turns: events.iter().filter_map(fuel_of).count(),
        overruns: events.iter().filter_map(overrun).count(),
        ..Profile::default()
    };
    if profile.turns > 0 && rerun::may_be_prompted(&contestant.bot) {
        let transcript = Transcript { header: header.clone(), events: events.clone() };
        let last = last_prompted(events.iter().filter_map(overrun));
        let part = rerun::Part { last, fuel_max: u64::MAX };
        let (_, log) =
            rerun::prompted(&transcript, SEAT, &contestant.bot, sandbox, plan.times, Prompt::Profile, part)?;
        let stacks = printed(&log);
        if !stacks.is_empty() {
            return Ok(Profile { stacks, is_printed: true, ..profile });
        }
    }

    // The middle of each part, so that in a game of few turns each turn has samples.
    let at = |sample: u32| {
        let point =
            (2 * u128::from(sample) + 1) * u128::from(profile.fuel) / (2 * u128::from(samples.max(1)));
        u64::try_from(point).unwrap_or(u64::MAX)
    };
    let mut points = (0..samples).map(at).peekable();
    let mut replay = Replay::<G>::new(rules, header.starter, header.fleet_seed);
    let has_deployment = G::without_deployment(rules, header.fleet_seed).is_none();
    let mut before = 0_u64;
    let mut player = seats.seat::<G>(0, seed)?;
    for event in &events {
        if let (Some(fuel), Some(game)) = (fuel_of(event), replay.game()) {
            let view = game.view(SEAT);
            while let Some(point) = points.next_if(|&point| point < before + fuel) {
                if !go_on() {
                    return Ok(profile);
                }
                player.restart()?;
                // The first call includes the start of the language's runtime, so it is made before the sample.
                if has_deployment && fault_of(player.deploy(&info, fuel_per_turn))?.is_some() {
                    player.restart()?;
                }
                player.begin_turn();
                match fault_of(player.play(&info, view, point - before))? {
                    Some(fault) if fault.class == FaultClass::OutOfFuel => {
                        let stack = fault.stack.iter().rev().cloned().collect();
                        *profile.stacks.entry(stack).or_default() += 1;
                    }
                    _ => profile.answered += 1,
                }
            }
            before += fuel;
        }
        replay.step(event).map_err(HostError::defect)?;
    }
    Ok(profile)
}

/// The last turn that is played again for a profile, of those out of fuel; `None` when they are few, so that all turns are.
fn last_prompted(mut overruns: impl Iterator<Item = u32>) -> Option<u32> {
    overruns.nth(OVERRUNS_PROMPTED_MAX - 1)
}

/// Returns the stacks that a bot has printed in its turns, with their fuel.
fn printed(log: &str) -> BTreeMap<Stack, u64> {
    let mut stacks: BTreeMap<Stack, u64> = BTreeMap::new();
    for line in log.lines().filter(|line| line.starts_with("turn ")) {
        let Some((stack, time)) =
            line.split_once(PRINTED).and_then(|(_, rest)| rest.trim_end().rsplit_once(' '))
        else {
            continue;
        };
        // The text is the bot's: a line without a valid number is skipped.
        if let Ok(time) = time.parse::<u64>() {
            let fuel = stacks.entry(stack.split(';').map(Frame::from).collect()).or_default();
            *fuel = fuel.saturating_add(time / NANOSECONDS_PER_FUEL);
        }
    }
    stacks
}

/// Returns the fault in a reply; `None` when it is an answer.
fn fault_of<T>(reply: Result<Reply<T>, NoReply>) -> Result<Option<Fault>, HostError> {
    match reply {
        Ok(_) => Ok(None),
        Err(no_reply) => no_reply.fault().map(Some).map_err(Stopped::failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Bots;

    #[test]
    fn a_game_is_played_again_up_to_its_third_turn_out_of_fuel() {
        let last = |turns: &[u32]| last_prompted(turns.iter().copied());
        assert_eq!(last(&[]), None);
        assert_eq!(last(&[4, 7]), None);
        assert_eq!(last(&[4, 7, 9]), Some(9));
        assert_eq!(last(&[4, 7, 9, 12]), Some(9));
    }

    /// The profile of a bot of the zoo, whose turns have this fuel, with 20 samples.
    fn profile_of(name: &str, fuel_per_turn: u64, go_on: bool) -> Profile {
        let mut bots = Bots::of(&[name]);
        bots.plan.conditions.limits.fuel_per_turn = fuel_per_turn;
        profile(&bots.contestants[0], &bots.sandbox, &bots.plan, 20, || go_on)
            .expect("the arena does not fail")
    }

    #[test]
    fn each_sample_is_a_stack_or_an_answer_before_its_fuel_ran_out() {
        let sweeper = profile_of("sweeper", 100_000, true);
        assert_eq!(sweeper.sampled() + sweeper.answered, 20);
        assert!(sweeper.turns > 10 && sweeper.overruns == 0 && !sweeper.is_printed, "{sweeper:?}");
        assert!(sweeper.fuel > sweeper.turns as u64 && sweeper.fuel < 100_000 * sweeper.turns as u64);
        let endless = profile_of("loops-in-play", 100_000, true);
        assert_eq!((endless.sampled(), endless.answered), (20, 0));
        assert_eq!((endless.overruns, endless.fuel), (endless.turns, 100_000 * endless.turns as u64));
        // Each sample is taken in a fresh bot, whose first turn is not endless.
        let third = profile_of("loops-on-third-play", 100_000, true);
        assert!(third.overruns > 0 && third.answered > 0, "{third:?}");
        assert_eq!(third.sampled() + third.answered, 20);
        let ended = profile_of("sweeper", 100_000, false);
        assert_eq!((ended.sampled() + ended.answered, ended.fuel), (0, sweeper.fuel));
    }

    #[test]
    fn the_stacks_that_a_bot_has_printed_are_added_up_in_fuel() {
        let log = "turn 1: arena profile: play;search 2000\nturn 2: arena profile: play;search 500\nturn 2: arena profile: play 10\n\
                   turn 2: arena profile: play many\nturn 3: arena profile: \nstart: arena profile: play 900\nturn 4: play 900\n";
        let stack = |functions: &[&str]| functions.iter().map(|&name| Frame::from(name)).collect::<Stack>();
        let expected = [(stack(&["play"]), 1), (stack(&["play", "search"]), 250)];
        assert_eq!(printed(log), expected.into());
    }
}
