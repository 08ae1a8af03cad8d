//! The finding of `arena check` about a game.

use super::Output;
use arena_experiments::finding::{NEXT_LINE, compile_json, compile_time, imports, measure, shape};
use arena_loaded::trial::{ScoresSeen, Trial, TrialFault};
use arena_loaded::{Answer, CallFuel, Ending, FaultKind, GameFault, Parameter};
use arena_rules::ScoreRange;
use arena_rules::loaded::Reproduction;
use arena_sandbox::Component;
use arena_text::{ShownPath, Text, counted, grouped, table};
use serde::Serialize;
use serde_json::{Value, json};

/// The finding about a game.
pub struct GameFinding<'a> {
    /// The file.
    pub file: ShownPath,
    /// The component.
    pub component: &'a Component,
    /// The facts and the trial, or the fault of a game that cannot be played at all.
    pub answer: Result<&'a Answer, &'a GameFault>,
    /// The number of games that were to be played.
    pub games: u32,
    /// True if the user has ended the trial.
    pub is_interrupted: bool,
}

impl GameFinding<'_> {
    /// The fault, if there is one.
    pub fn fault(&self) -> Option<&GameFault> {
        match self.answer {
            Err(fault) => Some(fault),
            Ok(_) => self.trial_fault().map(|found| &found.fault),
        }
    }

    fn trial_fault(&self) -> Option<&TrialFault> {
        self.answer.ok()?.trial.as_ref()?.fault.as_ref()
    }

    /// The finding in a line.
    pub(super) fn verdict(&self) -> String {
        let trial = self.answer.ok().and_then(|answer| answer.trial.as_ref());
        match (self.fault(), trial) {
            (Some(_), None) => "cannot be played".to_owned(),
            (Some(_), Some(trial)) => {
                format!("at fault, after {} without a fault", games(trial.games, "random game"))
            }
            (None, Some(trial)) if trial.games > 0 => {
                let rest = match trial.games < self.games {
                    true if self.is_interrupted => ", before the trial was interrupted".to_owned(),
                    true => format!("; there was no fuel for all {}", grouped(self.games.into())),
                    false => String::new(),
                };
                format!("no fault in {}, each played twice{rest}", games(trial.games, "random game"))
            }
            (None, _) => "its contract is right; no game was played".to_owned(),
        }
    }
}

impl Output for GameFinding<'_> {
    fn text(&self) -> Text {
        let component = self.component;
        let mut lines = vec![("file", self.file.to_string())];
        if let Ok(Answer { about, .. }) = self.answer {
            lines.push(("name", format!("{} {}", about.name, about.version)));
        }
        lines.extend([
            ("sha256", component.hash().to_owned()),
            ("size", format!("{} bytes", component.size_bytes())),
            ("contract", component.contract()),
            ("imports", imports(component.imports())),
            ("shape", shape(&component.figures())),
            ("compile", compile_time(component.compile_time())),
        ]);
        if let Ok(answer) = self.answer {
            lines.extend(facts(answer));
            lines.extend(
                answer
                    .trial
                    .as_ref()
                    .filter(|trial| !trial.turns.is_empty())
                    .map_or_else(Vec::new, |it| trial_lines(answer, it)),
            );
        }
        if let Some(fault) = self.fault() {
            let found = self.trial_fault();
            let place = found.map(|TrialFault { game, turn, .. }| format!("in game {game}, turn {turn}"));
            let reproduction = found.map(|found| found.reproduction.to_string().replace('\n', NEXT_LINE));
            let parts = [Some(format!("{}: {fault}", fault.kind.name())), place, reproduction];
            lines.push(("fault", parts.into_iter().flatten().collect::<Vec<_>>().join(NEXT_LINE)));
            lines.push(("next", next_step(fault.kind).to_owned()));
        }
        lines.push(("verdict", self.verdict()));
        lines.iter().map(|(name, value)| format!("{name:8} {value}")).collect::<Vec<_>>().join("\n").into()
    }

    fn json(&self) -> impl Serialize {
        let component = self.component;
        let mut document = json!({
            "verdict": if self.fault().is_some() { "faulted" } else { "ready" },
            "file": self.file.as_str(),
            "sha256": component.hash(),
            "size-bytes": component.size_bytes(),
            "contract": component.contract(),
            "imports": component.imports(),
            "shape": component.figures().into_iter().map(measure).collect::<Value>(),
            "compile-ms": component.compile_time().map(compile_json),
        });
        if let Ok(Answer { about, lists_actions, resamples, trial, .. }) = self.answer {
            document["name"] = json!(about.name);
            document["version"] = json!(about.version);
            document["parameters"] = about.parameters.iter().map(|it| json!(it)).collect();
            document["max-game-length"] = about.max_game_length.into();
            document["turn-milliseconds"] = about.turn_milliseconds.into();
            document["scores"] = json!(about.scores);
            document["lists-actions"] = (*lists_actions).into();
            document["resamples"] = (*resamples).into();
            document["trial"] = trial.as_ref().map_or(Value::Null, |trial| trial_json(self.answer, trial));
        }
        if let Some(fault) = self.fault() {
            let found = self.trial_fault();
            document["fault"] = json!({
                "kind": fault.kind.name(),
                "call": fault.call,
                "what": fault.what,
                "game": found.map(|found| found.game),
                "turn": found.map(|found| found.turn),
                "course": found.map(|found| reproduction_json(&found.reproduction)),
            });
        }
        document
    }
}

/// The facts that a game states about itself.
fn facts(Answer { about, lists_actions, resamples, .. }: &Answer) -> Vec<(&'static str, String)> {
    let row = |Parameter { name, help, default, minimum, maximum }: &Parameter| {
        vec![name.to_string(), default.to_string(), format!("{minimum} to {maximum}"), help.to_string()]
    };
    let options = match about.parameters.is_empty() {
        true => "none".to_owned(),
        false => {
            let header = ["name", "default", "range", "meaning"];
            table(&header, &[0, 2, 3], about.parameters.iter().map(row)).replace('\n', NEXT_LINE)
        }
    };
    let can = |function: &str, has: bool, what: &str| {
        if has { format!("{function} is there") } else { format!("{function} is not there: {what}") }
    };
    let optional = [
        can("legal-actions", *lists_actions, "nothing lists the actions of a turn"),
        can(
            "resample-from-infostate",
            *resamples,
            "whether an observation gives anything away is not checked",
        ),
    ];
    vec![
        ("options", options),
        (
            "caps",
            format!(
                "{} turns of both players together, {} ms a turn for a bot",
                grouped(about.max_game_length.into()),
                grouped(about.turn_milliseconds.into())
            ),
        ),
        ("optional", optional.join(NEXT_LINE)),
    ]
}

/// The lines about a trial with at least one game.
fn trial_lines(answer: &Answer, trial: &Trial) -> Vec<(&'static str, String)> {
    let turns = &trial.turns;
    let (fewest, most) = (turns.first().copied().unwrap_or(0), turns.last().copied().unwrap_or(0));
    let endings = answer.about.endings.iter().zip(&trial.endings);
    let by = |count: u32, what: &str| format!("{} by {what}", grouped(count.into()));
    let mut ends: Vec<String> =
        endings.map(|(it, count)| by(*count, &format!("{}: {}", it.name, it.text))).collect();
    ends.extend((trial.lost > 0).then(|| by(trial.lost, "an action that loses")));
    ends.extend((trial.overrun_games > 0).then(|| by(trial.overrun_games, "an overrun that loses")));
    let odd = [
        format!(
            "at random: {} taken, {} refused with another try, {} lost the game",
            grouped(trial.odd_actions.into()),
            grouped(trial.retries.into()),
            grouped(trial.lost.into())
        ),
        format!(
            "overruns: {} lost the turn, {} the game",
            grouped(trial.overrun_turns.into()),
            grouped(trial.overrun_games.into())
        ),
    ];
    let row = |(name, fuel): (&String, &CallFuel)| {
        vec![name.clone(), grouped(fuel.calls), grouped(fuel.average()), grouped(fuel.max)]
    };
    let fuel = table(&["function", "calls", "fuel: average", "most"], &[0], trial.fuel.iter().map(row));
    let [lines, width] = trial.picture;
    let mut picture = vec![format!(
        "{} of {} at most; the end of the first game:",
        counted(lines, "line"),
        counted(width, "character")
    )];
    picture.extend(trial.last_picture.lines().map(|line| format!("  {line}")));
    let mut all = vec![
        (
            "trial",
            format!(
                "{}; seat 1 won {}, seat 2 {}, {}; {fewest} to {most} turns, median {}",
                games(trial.games, "game"),
                trial.wins[0],
                trial.wins[1],
                counted(trial.draws, "draw"),
                turns[turns.len() / 2]
            ),
        ),
        ("ends", ends.join(NEXT_LINE)),
    ];
    if let (Some(range), Some(seen)) = (answer.about.scores, trial.scores) {
        let ScoresSeen { lowest, highest, .. } = seen;
        let [one, two] = means(&seen, trial).map(|mean| format!("{mean:.2}"));
        let ScoreRange { minimum, maximum } = range;
        let text =
            format!("{lowest} to {highest} of {minimum} to {maximum}; mean of seat 1 {one}, of seat 2 {two}");
        all.push(("scores", text));
    }
    all.extend([("answers", odd.join(NEXT_LINE))]);
    all.extend(settings(answer, trial).map(|lines| ("settings", lines)));
    if answer.resamples {
        all.push(("hidden", hidden(trial)));
    }
    all.extend([
        ("fuel", fuel.replace('\n', NEXT_LINE)),
        ("memory", format!("{:.1} MiB at most", trial.memory_bytes as f64 / f64::from(1 << 20))),
        ("observed", format!("{} bytes as text at most", grouped(trial.observation_bytes as u64))),
        ("picture", picture.join(NEXT_LINE)),
    ]);
    all
}

/// The mean score of each seat.
fn means(seen: &ScoresSeen, trial: &Trial) -> [f64; 2] {
    seen.sums.map(|sum| sum as f64 / f64::from(trial.games.max(1)))
}

/// How many games had other options than the defaults, or than those of `--set`; `None` in a game without options.
fn settings(Answer { about, .. }: &Answer, trial: &Trial) -> Option<String> {
    let counts = about.parameters.iter().zip(&trial.other_values);
    let each: Vec<String> =
        counts.map(|(it, count)| format!("{} in {}", it.name, grouped((*count).into()))).collect();
    let (with, all) = (grouped(trial.other_options.into()), games(trial.games, "game"));
    let first = format!("{with} of {all} had other values: {}", each.join(", "));
    let refused = counted(trial.refused_settings as usize, "set");
    let were = if trial.refused_settings == 1 { "was" } else { "were" };
    let refused = format!("{refused} of other values {were} refused; the usual ones were played instead");
    let lines = [Some(first), (trial.refused_settings > 0).then_some(refused)];
    (!each.is_empty()).then(|| lines.into_iter().flatten().collect::<Vec<_>>().join(NEXT_LINE))
}

/// What was seen after everything hidden was drawn again.
fn hidden(trial: &Trial) -> String {
    let same = format!(
        "drawn again for a player {} times, who never saw a difference",
        grouped(trial.resampled.into())
    );
    let others = match (trial.resampled, trial.resampled_otherwise) {
        (0, _) => return "drawn again in no finished game".to_owned(),
        (_, 0) => "warning: nor did the other player or an observer; nothing is hidden here, or \
                   `resample-from-infostate` draws nothing again"
            .to_owned(),
        (_, count) => format!("the other player or an observer did {} times", grouped(count.into())),
    };
    [same, others].join(NEXT_LINE)
}

fn trial_json(answer: Result<&Answer, &GameFault>, trial: &Trial) -> Value {
    let endings = answer.map_or(&[][..], |answer| &answer.about.endings);
    let ending = |(ending, count): (&Ending, &u32)| {
        json!({
            "name": ending.name,
            "text": ending.text,
            "games": count,
        })
    };
    let fuel = |(name, fuel): (&String, &CallFuel)| {
        json!({
            "function": name,
            "calls": fuel.calls,
            "average": fuel.average(),
            "most": fuel.max,
        })
    };
    json!({
        "games": trial.games,
        "wins": trial.wins,
        "draws": trial.draws,
        "endings": endings.iter().zip(&trial.endings).map(ending).collect::<Value>(),
        "turns": {
            "fewest": trial.turns.first(),
            "median": trial.turns.get(trial.turns.len() / 2),
            "most": trial.turns.last(),
        },
        "scores": trial.scores.as_ref().map(|seen| json!({
            "lowest": seen.lowest,
            "highest": seen.highest,
            "means": means(seen, trial),
        })),
        "answers": { "taken": trial.odd_actions, "retried": trial.retries, "lost": trial.lost },
        "overruns": { "turn": trial.overrun_turns, "game": trial.overrun_games },
        "resampled": trial.resampled,
        "resampled-otherwise": trial.resampled_otherwise,
        "other-options": trial.other_options,
        "refused-settings": trial.refused_settings,
        "fuel": trial.fuel.iter().map(fuel).collect::<Value>(),
        "memory-bytes": trial.memory_bytes,
        "observation-bytes": trial.observation_bytes,
        "picture": { "lines": trial.picture[0], "characters": trial.picture[1], "last": trial.last_picture },
    })
}

fn reproduction_json(Reproduction { settings, seed, starter, turns, left_out, .. }: &Reproduction) -> Value {
    json!({
        "settings": settings,
        // As text: a number in JSON may lose digits.
        "seed": seed.to_string(),
        "starter": u8::from(*starter),
        "turns": turns,
        "turns-left-out": left_out,
    })
}

/// A number of games, with its digits in groups.
fn games(count: u32, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count.into()), if count == 1 { "" } else { "s" })
}

/// What the author can do about a kind of fault.
fn next_step(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::WrongTypes => {
            "compare its WIT with `arena wit game`; `arena new FOLDER --game` makes a game that fits"
        }
        FaultKind::Failed(_) => {
            "run these turns in a test of the rules; a game must take every state and every answer of a bot"
        }
        FaultKind::BadValue => "correct the value; `arena wit game` says what it may be",
        FaultKind::Contradiction => "correct the function, or the one that it contradicts",
        FaultKind::Endless => {
            "end each game within `max-game-length` turns, as a draw if no side has won, or raise it"
        }
        FaultKind::NotDeterministic => {
            "keep no state outside of the state, and use no clock, address or order of a hash map"
        }
        FaultKind::GivesAway => {
            "leave out of an observation and of a player's picture what that player must not know"
        }
    }
}
