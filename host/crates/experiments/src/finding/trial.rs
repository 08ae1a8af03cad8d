//! The part of a finding about trial games: results, fuel and memory next to the budgets, faults, output, hints.

use super::hints::{Signs, hints};
use super::{NEXT_LINE, drawings};
use crate::trial::{self, Difference, NANOSECONDS_ASSUMED, OPPONENT, Throughput, TrialFault, TrialGame};
use arena_record::moment;
use arena_referee::{FaultClass, Verdict};
use arena_rules::{Outcome, Seat, Size};
use arena_sandbox::Bot;
use arena_text::{counted, grouped, table};
use serde_json::{Value, json};

/// The most lines of output that are shown, from the start and from the end. Chosen: they fit a screen with the rest.
const LOG_LINES_MAX: usize = 5;

/// The most different faults that are shown, and the most turns of each. Chosen: a bot at fault in each turn has hundreds,
/// mostly for one reason.
const FAULTS_SHOWN_MAX: usize = 8;
const PLACES_SHOWN_MAX: usize = 6;

/// The trial games of a bot.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The bot.
    pub bot: &'a Bot,
    /// The games.
    pub games: &'a [TrialGame],
}

impl Trial<'_> {
    /// True if the bot was at fault in a game, or skipped each turn of all.
    pub fn has_faults(&self) -> bool {
        trial::has_faults(self.games)
    }

    /// The verdict in words.
    pub(super) fn verdict(&self) -> String {
        let faulty = self.games.iter().filter(|game| !game.faults.is_empty()).count();
        match (self.games.len(), faulty) {
            (0, _) => "ready to play; no trial game was played".into(),
            (_, 0) if self.has_faults() => "may play; it skips each of its turns".into(),
            (games, 0) => {
                let but = self.slow().map_or("", |_| "; its fuel takes unusually long");
                format!(
                    "ready to play; no fault in {} against a random player{but}",
                    counted(games, "trial game")
                )
            }
            (games, faulty) => {
                format!(
                    "may play; at fault in {faulty} of {} against a random player",
                    counted(games, "trial game")
                )
            }
        }
    }

    /// The lines for a reader, each with its name.
    pub(super) fn lines(&self) -> Vec<(&'static str, String)> {
        if self.games.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![
            ("trial", self.table().replace('\n', NEXT_LINE)),
            ("memory", self.memory()),
            ("budget", self.budgets()),
        ];
        lines.extend(self.slow().map(|slow| ("slow", slow)));
        if self.games.iter().all(|game| game.is_repeated) {
            lines.push(("repeat", self.repeats()));
        }
        lines.extend(self.faults());
        lines.extend(trial::turns_all_skipped(self.games).map(|turns| {
            (
                "fault",
                format!("it skipped {turns} of {turns} turns: does `play` return an action on every path?"),
            )
        }));
        lines.push(("log", self.log()));
        lines.extend(self.drawings().map(|text| ("drawing", text)));
        lines.extend(self.hints().into_iter().map(|hint| ("hint", hint)));
        lines
    }

    /// The entry about lines of overlays that are wrong, if there are some.
    pub fn drawings(&self) -> Option<String> {
        drawings::text(self.games)
    }

    /// The results, and the fuel of a turn next to the budget.
    fn table(&self) -> String {
        let header = [
            "rules",
            "seat",
            "result",
            "turns",
            "fuel: deploy",
            "median turn",
            "most",
            "of budget",
            "faults",
        ];
        let rows = self.games.iter().map(|game| {
            let number = |number: Option<u64>| number.map_or("-".into(), grouped);
            let most = game.fuel_of_turns.last().copied();
            let share = most.map_or("-".into(), |most| percent(most, budget(game)));
            vec![
                game.played.header.conditions.rules.name().to_owned(),
                u8::from(game.seat).to_string(),
                result(game),
                game.played.result.turns[game.seat.index()].to_string(),
                number(game.fuel_of_deployment),
                number(median(&game.fuel_of_turns)),
                number(most),
                share,
                game.faults.len().to_string(),
            ]
        });
        table(&header, &[0, 2], rows)
    }

    fn memory(&self) -> String {
        let most = self.games.iter().map(|game| game.memory_bytes_peak).max().unwrap_or(0);
        let cap = self.games[0].played.header.conditions.limits.memory_bytes;
        format!("{:.1} of {} MiB at most", most as f64 / f64::from(1 << 20), cap >> 20)
    }

    fn throughput(&self) -> Throughput {
        self.games.iter().map(|game| game.throughput).sum()
    }

    /// The entry about a bot whose fuel takes unusually long, if it does.
    fn slow(&self) -> Option<String> {
        let budget = self.games.iter().map(budget).max()?;
        slow(self.throughput(), budget)
    }

    /// The budget of a turn by each of the rules, in fuel and in time on this machine.
    fn budgets(&self) -> String {
        let throughput = self.throughput();
        let mut lines: Vec<String> = Vec::new();
        for game in self.games {
            let fuel = budget(game);
            let time = throughput
                .milliseconds_of(fuel)
                .map_or(String::new(), |time| format!(", some {time:.0} ms of this bot here"));
            let line = format!(
                "{}: {} fuel a turn{time}",
                game.played.header.conditions.rules.name(),
                grouped(fuel)
            );
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        lines.join(NEXT_LINE)
    }

    /// The comparison of the two runs of each game.
    fn repeats(&self) -> String {
        let differing = self.games.iter().filter_map(|game| Some((game, game.differs?)));
        let lines: Vec<String> = differing
            .map(|(game, Difference { event, is_by_clock })| {
                let why = if is_by_clock {
                    "a clock decided: try again on a machine that is less busy"
                } else {
                    "this is a bug of the arena, please report it"
                };
                format!("{} differs in event {event} when it is played again: {why}", name(game))
            })
            .collect();
        if lines.is_empty() {
            "each game was the same when it was played again".into()
        } else {
            lines.join(NEXT_LINE)
        }
    }

    /// An entry for each fault, with its stack and the turns in which it happened.
    fn faults(&self) -> Vec<(&'static str, String)> {
        let mut kinds: Vec<(&TrialFault, Vec<String>)> = Vec::new();
        for game in self.games {
            for it in &game.faults {
                let place = format!("{}, {}", name(game), moment(it.turn));
                match kinds.iter_mut().find(|(other, _)| is_same_kind(other, it)) {
                    Some((_, places)) => places.push(place),
                    None => kinds.push((it, vec![place])),
                }
            }
        }
        let entry = |(TrialFault { fault, verdict, .. }, places): &(&TrialFault, Vec<String>)| {
            let follows = match verdict {
                Verdict::TurnSkipped => "the turn is skipped",
                Verdict::NotPlaced => "it has no fleet",
                Verdict::Loses => "it loses",
            };
            let mut lines = vec![format!("{}: {}, {follows}", fault.class, fault.detail)];
            lines.extend(fault.stack.iter().map(|frame| format!("  in {frame}")));
            lines.extend(places.iter().take(PLACES_SHOWN_MAX).map(|place| format!("at {place}")));
            if places.len() > PLACES_SHOWN_MAX {
                lines.push(format!("and in {}", counted(places.len() - PLACES_SHOWN_MAX, "more turn")));
            }
            ("fault", lines.join(NEXT_LINE))
        };
        let mut entries: Vec<_> = kinds.iter().take(FAULTS_SHOWN_MAX).map(entry).collect();
        if kinds.len() > FAULTS_SHOWN_MAX {
            entries.push(("fault", format!("{} others, see --json", kinds.len() - FAULTS_SHOWN_MAX)));
        }
        entries
    }

    /// The game whose output is shown: the first one with a fault, or the first one.
    fn shown_game(&self) -> &TrialGame {
        self.games.iter().find(|game| !game.faults.is_empty()).unwrap_or(&self.games[0])
    }

    /// An excerpt of the output in the first game with a fault, or in the first one.
    fn log(&self) -> String {
        let game = self.shown_game();
        let lines: Vec<&str> = game.log().lines().map(str::trim_end).collect();
        if lines.is_empty() {
            let may_print = self.bot.imports().iter().any(|import| import.starts_with("wasi:cli/stdout"));
            return match may_print {
                true => "it printed nothing; if it should, flush the output after each line".into(),
                false => "it printed nothing".into(),
            };
        }
        let mut shown = vec![format!("{}, {}:", name(game), counted(lines.len(), "line"))];
        if lines.len() <= 2 * LOG_LINES_MAX {
            shown.extend(lines.iter().map(ToString::to_string));
        } else {
            shown.extend(lines[..LOG_LINES_MAX].iter().map(ToString::to_string));
            shown.push("…".into());
            shown.extend(lines[lines.len() - LOG_LINES_MAX..].iter().map(ToString::to_string));
        }
        shown.join(NEXT_LINE)
    }

    fn hints(&self) -> Vec<String> {
        let all = || self.games.iter().flat_map(|game| &game.faults);
        let faults: Vec<_> = all().map(|fault| &fault.fault).collect();
        hints(&Signs {
            imports: self.bot.imports(),
            name: self.bot.name(),
            faults: &faults,
            in_deployment: all().any(|fault| fault.turn == 0),
            went_on: all().any(|fault| fault.verdict == Verdict::TurnSkipped),
            log: self.shown_game().log(),
            board: self.games.iter().find(|game| !game.faults.is_empty()).and_then(board),
            refusal: "",
        })
    }

    /// The entry for a program.
    pub(super) fn json(&self) -> Value {
        let throughput = self.throughput();
        let game = |game: &TrialGame| {
            let outcome = match game.played.result.outcome {
                Outcome::Win(seat) if seat == game.seat => "win",
                Outcome::Win(_) => "loss",
                Outcome::Draw => "draw",
                Outcome::NoContest => "no-contest",
            };
            let fault = |it: &TrialFault| {
                json!({
                    "turn": it.turn,
                    "class": it.fault.class,
                    "detail": it.fault.detail,
                    "stack": it.fault.stack,
                    "verdict": it.verdict,
                })
            };
            let milliseconds =
                throughput.milliseconds_of(budget(game)).map(|time| (time * 10.0).round() / 10.0);
            json!({
                "rules": game.played.header.conditions.rules.name(),
                "seat": game.seat,
                "opponent": OPPONENT,
                "outcome": outcome,
                "reason": game.played.result.reason,
                "turns": game.played.result.turns[game.seat.index()],
                "fuel": {
                    "budget": budget(game),
                    "budget-ms-here": milliseconds,
                    "deployment": game.fuel_of_deployment,
                    "median-turn": median(&game.fuel_of_turns),
                    "most-turn": game.fuel_of_turns.last(),
                },
                "memory-bytes-peak": game.memory_bytes_peak,
                "same-when-repeated": game.is_repeated.then_some(game.differs.is_none()),
                "turns-skipped": game.turns_skipped,
                "faults": game.faults.iter().map(fault).collect::<Value>(),
                "log": game.log(),
                "wrong-drawings": drawings::json(game),
            })
        };
        json!({
            "games": self.games.iter().map(game).collect::<Value>(),
            "is-slow": throughput.slow_nanoseconds().is_some(),
            "hints": self.hints(),
        })
    }
}

/// The entry about a bot that takes unusually long for its fuel, with the largest budget of its turns; `None` for others.
fn slow(throughput: Throughput, budget: u64) -> Option<String> {
    let nanoseconds = throughput.slow_nanoseconds()?;
    let here = throughput.milliseconds_of(budget)?;
    let assumed = NANOSECONDS_ASSUMED * budget as f64 / 1e6;
    let next = if nanoseconds > NANOSECONDS_ASSUMED {
        "run it again on a machine that is less busy; if it is the same, report the bot to the arena's maintainers"
    } else {
        "run it again on a machine that is less busy; if it is the same, avoid reads all over a large memory, and very small or denormal \
         numbers"
    };
    let lines = [
        format!(
            "a unit of its fuel takes {nanoseconds:.1} ns here: bots in Rust take less than 0.2, and {NANOSECONDS_ASSUMED:.0} at most are allowed for"
        ),
        format!(
            "a turn of {} fuel would take {here:.0} ms, and {assumed:.0} are allowed for",
            grouped(budget)
        ),
        next.to_owned(),
    ];
    Some(lines.join(NEXT_LINE))
}

/// True if two faults are shown as one. Fuel and memory run out in another function each time, for one reason. Of other equal faults,
/// only the first one has its place behind it.
fn is_same_kind(one: &TrialFault, other: &TrialFault) -> bool {
    let is_overrun = |it: &TrialFault| match it.fault.class {
        FaultClass::OutOfFuel => it.fault.detail.starts_with("used up its fuel"),
        class => class == FaultClass::OutOfMemory,
    };
    let is_placed =
        one.fault.detail.strip_prefix(other.fault.detail.as_str()).is_some_and(|rest| rest.starts_with(" ("));
    one.verdict == other.verdict
        && one.fault.class == other.fault.class
        && (one.fault == other.fault || is_placed || (is_overrun(one) && is_overrun(other)))
}

pub(super) fn name(game: &TrialGame) -> String {
    format!("{}, seat {}", game.played.header.conditions.rules.name(), u8::from(game.seat))
}

fn budget(game: &TrialGame) -> u64 {
    game.played.header.conditions.limits.fuel_per_turn
}

pub(super) fn board(game: &TrialGame) -> Option<Size> {
    game.played.header.conditions.rules.size()
}

/// The result from the bot's side, with the reason.
fn result(game: &TrialGame) -> String {
    let outcome = match game.played.result.outcome {
        Outcome::Win(seat) if seat == game.seat => "wins",
        Outcome::Win(Seat::First | Seat::Second) => "loses",
        Outcome::Draw => "draws",
        Outcome::NoContest => "no contest",
    };
    format!("{outcome}: {}", game.played.result.reason)
}

/// The middle of sorted numbers; the lower one of two.
fn median(sorted: &[u64]) -> Option<u64> {
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests;
