//! The turns of a recorded game, replayed against another build of a bot, to find where it decides differently.

use crate::ExperimentError;
use arena_players::{CalledBots, CalledPlayer, Contestant};
use arena_record::{BotId, Event, Header, Replay, Transcript};
use arena_referee::{
    Attempts, Deployed, Fault, FaultClass, HostError, PlayedTurn, PlayedTurnEnd, Player, Stopped,
    take_deployment, take_turn,
};
use arena_rules::{Game, GameRules, Seat};
use arena_sandbox::{Bot, Prompt, Sandbox, Sandboxed, TimeLimits};
use arena_text::{Line, RecordingName};
use std::ops::ControlFlow;

/// A decision as text, in at most 200 characters. The line of a fault fits.
pub type DecisionText = Line<200>;

/// A turn, with the recorded decision and the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedTurn {
    /// The number of the side's turn; 0 for the deployment.
    pub turn: u32,
    /// The index of its event in the recording, from 0.
    pub event: usize,
    /// The recorded decision.
    pub recorded: TurnDecision,
    /// The new decision.
    pub now: TurnDecision,
    /// True if they differ: in the action, the invalid attempts before it, or the class of a fault.
    pub differs: bool,
    /// The lines that the bot printed.
    pub printed: Vec<String>,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnDecision {
    /// The action or the fault.
    pub text: DecisionText,
    /// The fuel; `None` for a fault.
    pub fuel: Option<u64>,
}

/// A decision, in the form that is compared.
#[derive(Clone, Debug)]
enum Answer<G: Game> {
    Deployment(G::Deployment),
    Action(G::Action, Option<Attempts<G>>),
    Fault(Fault),
}

/// A decision with its fuel.
type Answered<G> = (Answer<G>, Option<u64>);

/// Checks that a bot can be asked at the turns of a recording with these rules.
///
/// # Errors
/// It plays another game, or does not choose its actions itself.
pub fn check_bot(
    contestant: &Contestant,
    rules: &GameRules,
    recording: &RecordingName,
) -> Result<(), ExperimentError> {
    let file = contestant.file.to_string();
    if contestant.bot.kind() != rules.kind() {
        let (plays, recording) = (contestant.bot.kind(), recording.clone());
        return Err(ExperimentError::BotOfOtherGame {
            file,
            plays,
            recording,
            game: rules.game().to_string(),
        });
    }
    if contestant.bot.leaves_the_choice() {
        return Err(ExperimentError::BotLeavesTheChoice { file });
    }
    Ok(())
}

/// The seat that a bot had in a recording: by its component, its label or its own name.
///
/// # Errors
/// It could be both seats, or none.
pub fn seat_of(bot: &BotId, header: &Header, recording: &RecordingName) -> Result<Seat, ExperimentError> {
    let by = |is_it: &dyn Fn(&BotId) -> bool| -> Vec<Seat> {
        Seat::BOTH.into_iter().filter(|seat| is_it(&header.bots[seat.index()].bot)).collect()
    };
    let found = [
        by(&|recorded| recorded.sha256 == bot.sha256),
        by(&|recorded| recorded.label == bot.label),
        by(&|recorded| recorded.name == bot.name),
    ];
    if let Some([seat]) = found.iter().find(|seats| seats.len() == 1).map(Vec::as_slice) {
        return Ok(*seat);
    }
    let (recording, played) = (recording.clone(), header.labels().map(Clone::clone));
    Err(ExperimentError::WhichSeat { recording, bot: bot.label.clone(), played })
}

/// Shows a bot the recorded views of a side, turn by turn, and returns its decisions with the recorded ones. The bot keeps
/// its memory from turn to turn, as in a game, and restarts with empty memory after a fault. The rerun ends after the turn
/// `last`, if that is given. `name` returns the text of an action.
///
/// The recording must have been checked against the rules. The sandbox must be the bot's, and have the recording's memory limit.
///
/// # Errors
/// A failure of the arena.
pub fn rerun<G: Sandboxed>(
    transcript: &Transcript<G>,
    seat: Seat,
    bot: &Bot,
    sandbox: &Sandbox,
    times: TimeLimits,
    last: Option<u32>,
    name: fn(&G::Rules, &G::Action) -> String,
) -> Result<Vec<AskedTurn>, HostError> {
    let header = &transcript.header;
    let rules = arena_players::rules::<G>(&header.conditions)?;
    let (fuel, seed) = (header.conditions.limits.fuel_per_turn, header.bots[seat.index()].seed);
    let seats = CalledBots::new(sandbox, vec![bot.clone()], &header.conditions, times)?;
    let player = seats.seat(0, seed)?;
    let info = G::info(rules, fuel, seed);
    let mut side = AskedSide { rules, info, seat, fuel, player, logged: 0, name };
    let mut asked = Vec::new();
    side.ask_each(transcript, |side, turn, event, recorded, game| {
        asked.push(side.ask(turn, event, recorded, game)?);
        Ok(if last == Some(turn) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(asked)
}

/// The factor by which a prompted bot's fuel for a call is larger. Chosen: several times what it costs to watch each line of
/// a bot in Python, so that the bot gets at least as far as before, and what a recursion without end needs to reach the limit of SpiderMonkey.
const PROMPTED_FUEL: u64 = 16;

/// Returns true if a bot may answer a prompt, which is on its standard input.
pub(crate) fn may_be_prompted(bot: &Bot) -> bool {
    bot.imports().iter().any(|import| import.starts_with("wasi:cli/stdin"))
}

/// Returns true for a fault of a bot's code that names no line of a file.
pub(crate) fn is_without_place(fault: &Fault) -> bool {
    use FaultClass::{OutOfFuel, OutOfMemory, StackOverflow, Trap};
    matches!(fault.class, OutOfFuel | OutOfMemory | StackOverflow | Trap) && place(fault).is_none()
}

/// The place of the innermost function that has one, in the form `bot.js:12 in play`.
fn place(fault: &Fault) -> Option<String> {
    fault.stack.iter().find_map(|frame| {
        let (function, place) = frame.as_str().strip_suffix(')')?.rsplit_once(" (")?;
        let (file, line) = place.split_once(':')?;
        let is_place = file.contains('.') && line.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        is_place.then(|| format!("{place} in {function}"))
    })
}

/// The part of a game that is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The last turn of the side; `None` for the whole game.
    pub last: Option<u32>,
    /// The fuel for all turns: when it is used up, no further one is replayed.
    pub fuel_max: u64,
}

/// Replays a side of a game up to a turn with a fault, and asks the bot to print where it is. Returns the fault with that place; `None`
/// when the bot does not print it, or not within the fuel. Most bots do not.
///
/// # Errors
/// A failure of the arena.
pub fn trace<G: Sandboxed>(
    transcript: &Transcript<G>,
    seat: Seat,
    bot: &Bot,
    sandbox: &Sandbox,
    times: TimeLimits,
    part: Part,
    fault: &Fault,
) -> Result<Option<Fault>, HostError> {
    let (traced, _) = prompted(transcript, seat, bot, sandbox, times, Prompt::Trace, part)?;
    Ok(traced.and_then(|traced| with_place(fault, traced)))
}

/// A fault, with the place of the same fault in the game that was played again.
fn with_place(fault: &Fault, traced: Fault) -> Option<Fault> {
    let place = place(&traced)?;
    if fault.class == FaultClass::OutOfFuel {
        if traced.class == fault.class {
            return Some(traced);
        }
        // With more fuel it ends in another way, as a recursion without end does.
        let detail = format!("{}: {}", fault.detail.as_str(), traced.detail.as_str());
        return Some(Fault::new(fault.class, detail).with_stack(traced.stack));
    }
    let detail = format!("{} ({place})", fault.detail.as_str());
    (traced.class == fault.class).then(|| Fault::new(fault.class, detail).with_stack(traced.stack))
}

/// Replays a part of a side of a game with a prompt for the bot. Returns the fault of the turn that is to be the last, if it was replayed
/// and had one, and the log.
pub(crate) fn prompted<G: Sandboxed>(
    transcript: &Transcript<G>,
    seat: Seat,
    bot: &Bot,
    sandbox: &Sandbox,
    times: TimeLimits,
    prompt: Prompt,
    Part { last, fuel_max }: Part,
) -> Result<(Option<Fault>, String), HostError> {
    let header = &transcript.header;
    let rules = arena_players::rules::<G>(&header.conditions)?;
    let (fuel, seed) = (header.conditions.limits.fuel_per_turn, header.bots[seat.index()].seed);
    let seats = CalledBots::prompted(sandbox, vec![bot.clone()], &header.conditions, times, prompt)?;
    let player = seats.seat(0, seed)?;
    let info = G::info(rules, fuel, seed);
    let fuel = fuel.saturating_mul(PROMPTED_FUEL);
    let name = |_: &G::Rules, _: &G::Action| String::new();
    let mut side = AskedSide { rules, info, seat, fuel, player, logged: 0, name };
    let (mut found, mut fuel_left) = (None, fuel_max);
    side.ask_each(transcript, |side, turn, _, _, game| {
        let (answer, used) = side.answer(turn, game)?;
        // The fuel of a call that failed is not exact.
        fuel_left = fuel_left.saturating_sub(used.unwrap_or(fuel));
        let is_last = last.is_some_and(|last| turn >= last);
        if is_last && let Answer::Fault(fault) = answer {
            found = Some(fault);
        }
        Ok(if is_last || fuel_left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok((found, side.player.log()))
}

/// Returns the decision in a recorded event; `None` when the bot was not asked.
fn answer_of<G: Game>(event: &Event<G>) -> Option<Answered<G>> {
    match event {
        Event::Placed { deployment, fuel: Some(fuel), .. } => {
            Some((Answer::Deployment(deployment.clone()), Some(*fuel)))
        }
        Event::Placed { fuel: None, .. } | Event::Ended { .. } => None,
        Event::Acted { action, attempts, fuel, .. } => {
            Some((Answer::Action(action.clone(), attempts.clone()), Some(*fuel)))
        }
        Event::Faulted { fault, .. } => Some((Answer::Fault(fault.clone()), None)),
    }
}

/// The side whose turns are replayed, with the bot that is asked.
struct AskedSide<'a, G: Sandboxed> {
    rules: &'a G::Rules,
    info: G::Info,
    seat: Seat,
    fuel: u64,
    player: CalledPlayer<'a, G>,
    /// The number of lines of the bot's log so far.
    logged: usize,
    name: fn(&G::Rules, &G::Action) -> String,
}

impl<G: Sandboxed> AskedSide<'_, G> {
    /// Calls `ask` for each recorded turn of the side, until it returns `Break`. The arguments are the side, the turn, the index of its
    /// event, the recorded answer, and the game before it.
    fn ask_each(
        &mut self,
        transcript: &Transcript<G>,
        mut ask: impl FnMut(&mut Self, u32, usize, Answered<G>, Option<&G>) -> Result<ControlFlow<()>, HostError>,
    ) -> Result<(), HostError> {
        let seat = self.seat;
        let header = &transcript.header;
        let mut replay = Replay::<G>::new(self.rules, header.starter, header.fleet_seed);
        for (event, recorded) in transcript.events.iter().enumerate() {
            let turn = recorded.turn().filter(|_| recorded.seat() == Some(seat));
            if let Some(turn) = turn
                && let Some(answer) = answer_of(recorded)
                && (turn == 0 || replay.to_move() == Some(seat))
                && ask(self, turn, event, answer, replay.game())?.is_break()
            {
                break;
            }
            replay.step(recorded).map_err(HostError::defect)?;
        }
        Ok(())
    }

    /// Asks for a deployment or an action. After a fault the bot is restarted.
    fn answer(&mut self, turn: u32, game: Option<&G>) -> Result<Answered<G>, HostError> {
        let answered = match game {
            Some(game) if turn > 0 => self.play(game.clone()),
            _ => self.deploy(),
        };
        let now = answered.map_err(Stopped::failure)?;
        if matches!(now.0, Answer::Fault(_)) {
            self.player.restart()?;
        }
        Ok(now)
    }

    fn ask(
        &mut self,
        turn: u32,
        event: usize,
        recorded: Answered<G>,
        game: Option<&G>,
    ) -> Result<AskedTurn, HostError> {
        let now = self.answer(turn, game)?;
        let log = self.player.log();
        let printed = log.lines().skip(self.logged).map(str::to_owned).collect();
        self.logged = log.lines().count();
        let differs = !is_same(&recorded.0, &now.0);
        let [recorded, now] =
            [recorded, now].map(|(answer, fuel)| TurnDecision { text: self.text(&answer), fuel });
        Ok(AskedTurn { turn, event, recorded, now, differs, printed })
    }

    fn deploy(&mut self) -> Result<Answered<G>, Stopped> {
        Ok(match take_deployment::<G, _>(self.rules, &self.info, self.fuel, &mut self.player)? {
            Ok(Deployed { deployment, fuel, .. }) => (Answer::Deployment(deployment), Some(fuel)),
            Err(fault) => (Answer::Fault(fault), None),
        })
    }

    fn play(&mut self, mut game: G) -> Result<Answered<G>, Stopped> {
        let PlayedTurn { fuel, attempts, end } =
            take_turn(&self.info, &mut game, self.seat, self.fuel, &mut self.player)?;
        Ok(match end {
            PlayedTurnEnd::Acted(action, _) => (Answer::Action(action, attempts), Some(fuel)),
            PlayedTurnEnd::Invalid(action, why) => {
                (Answer::Fault(Fault::new(FaultClass::IllegalAction, G::complaint(&action, &why))), None)
            }
            PlayedTurnEnd::Fault(fault) | PlayedTurnEnd::OpponentGone(fault) => (Answer::Fault(fault), None),
        })
    }

    fn text(&self, answer: &Answer<G>) -> DecisionText {
        let name = |action: &G::Action| (self.name)(self.rules, action);
        match answer {
            Answer::Deployment(deployment) => {
                serde_json::to_string(deployment).expect("a deployment is plain data").into()
            }
            Answer::Action(action, None) => name(action).into(),
            Answer::Action(action, Some(Attempts { invalid, first, why })) => {
                let attempts = if *invalid == 1 { "attempt" } else { "attempts" };
                format!("{}, after {invalid} invalid {attempts}: {} is {why}", name(action), name(first))
                    .into()
            }
            Answer::Fault(fault) => fault.to_string().into(),
        }
    }
}

/// True if two decisions are the same. Of faults, only the class is compared.
fn is_same<G: Game>(one: &Answer<G>, other: &Answer<G>) -> bool {
    match (one, other) {
        (Answer::Deployment(one), Answer::Deployment(other)) => one == other,
        (Answer::Action(one, before), Answer::Action(other, before_other)) => {
            (one, before) == (other, before_other)
        }
        (Answer::Fault(one), Answer::Fault(other)) => one.class == other.class,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Bots;
    use arena_rules::battleship::{Action, Battleship};

    /// The first game of the first of these bots against the second one, and the turns of the first seat as the third one decides them.
    fn asked(names: [&str; 3], last: Option<u32>) -> (Transcript<Battleship>, Vec<AskedTurn>) {
        let bots = Bots::of(&names);
        let recorded = bots.recorded();
        let name = |_: &_, action: &Action| format!("{action:?}");
        let bot = &bots.contestants[2].bot;
        let asked = rerun(&recorded, Seat::First, bot, &bots.sandbox, bots.plan.times, last, name);
        (recorded, asked.expect("the arena does not fail"))
    }

    #[test]
    fn a_bot_decides_as_it_did_in_each_turn_and_prints_the_same() {
        for name in ["log-half-lines", "off-board-once"] {
            let (recorded, all) = asked([name, "sweeper", name], None);
            let events = recorded.events.iter().enumerate().filter(|(_, it)| it.seat() == Some(Seat::First));
            assert!(
                events
                    .map(|(event, it)| (event, it.turn()))
                    .eq(all.iter().map(|it| (it.event, Some(it.turn))))
            );
            assert!(all.iter().all(|turn| !turn.differs && turn.recorded == turn.now), "{name}");
            assert!(all[0].turn == 0 && all.len() > 10 && all.iter().all(|turn| turn.now.fuel.is_some()));
            assert_eq!(all.iter().any(|turn| !turn.printed.is_empty()), name == "log-half-lines");
            let (_, part) = asked([name, "sweeper", name], Some(3));
            assert_eq!(part, all[..4], "{name}");
        }
    }

    #[test]
    fn another_build_differs_in_the_turns_in_which_it_decides_otherwise() {
        let (_, turns) = asked(["sweeper", "sweeper", "shoots-at-random"], None);
        assert!(turns.iter().all(|turn| turn.differs == (turn.recorded.text != turn.now.text)));
        assert!(turns.iter().filter(|turn| turn.differs).count() > 10);
        let (_, turns) = asked(["off-board-once", "sweeper", "sweeper"], None);
        let first = turns.iter().find(|turn| turn.differs).expect("it has an invalid attempt");
        assert!(first.recorded.text.contains(", after 1 invalid attempt: "), "{:?}", first.recorded);
        let (_, turns) = asked(["loops-in-play", "sweeper", "sweeper"], Some(1));
        let [deployment, first] = &turns[..] else { panic!("{turns:?}") };
        assert!(!deployment.differs && first.differs && first.recorded.fuel.is_none(), "{first:?}");
        // It restarts after the fault, and faults again.
        let (_, turns) = asked(["loops-in-play", "sweeper", "loops-in-play"], Some(2));
        assert!(turns.len() > 1 && turns.iter().all(|turn| !turn.differs), "{turns:?}");
    }

    fn fault(class: FaultClass, stack: &[&str]) -> Fault {
        Fault::new(class, "it failed").with_stack(stack.iter().map(|&frame| frame.into()).collect())
    }

    #[test]
    fn the_place_of_a_fault_is_that_of_the_innermost_function_with_a_line() {
        for (stack, expected) in [
            (&["f (bot.js:12)"][..], Some("bot.js:12 in f")),
            (&["$alloc", "f (native)", "g (lib/bot.py:3)", "h (bot.py:9)"], Some("lib/bot.py:3 in g")),
            (&["f (bot.js:12:5)"], Some("bot.js:12:5 in f")),
            (&["f (bot:12)", "f (bot.js:a)", "f bot.js:12", "f (bot.js)"], None),
            (&[], None),
        ] {
            let trap = fault(FaultClass::Trap, stack);
            assert_eq!(place(&trap).as_deref(), expected, "{stack:?}");
            assert_eq!(is_without_place(&trap), expected.is_none(), "{stack:?}");
        }
        // The fault is in the answer, not at a line.
        assert!(!is_without_place(&fault(FaultClass::BadResult, &[])));
    }

    #[test]
    fn a_fault_gets_the_place_that_the_same_fault_has_when_it_is_played_again() {
        use FaultClass::{OutOfFuel, StackOverflow, Trap};
        let stack = &["f (bot.js:12)"][..];
        for (class, again, stack, expected) in [
            (Trap, Trap, stack, Some((Trap, "it failed (bot.js:12 in f)"))),
            (Trap, StackOverflow, stack, None),
            (Trap, Trap, &[], None),
            (OutOfFuel, OutOfFuel, stack, Some((OutOfFuel, "it failed"))),
            // With more fuel, a recursion ends in another way.
            (OutOfFuel, StackOverflow, stack, Some((OutOfFuel, "it failed: it failed"))),
        ] {
            let placed = with_place(&fault(class, &[]), fault(again, stack));
            let found = placed.as_ref().map(|placed| (placed.class, placed.detail.as_str()));
            assert_eq!(found, expected, "{class}, {again}");
            assert!(placed.is_none_or(|placed| place(&placed).is_some()));
        }
    }
}
