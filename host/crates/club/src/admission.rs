//! The admission of bots that were submitted, one after the other: in a confined process, then in trial games.

use crate::club::{Club, House};
use arena_engine::roster::{RefusedFile, Roster};
use arena_engine::{Error, HostError, Sandbox};
use arena_experiments::trial::{self, TrialOptions};
use arena_players::Contestant;
use arena_record::Name;
use arena_rules::GameRules;
use arena_store::{Version, VersionState};
use arena_text::shown;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// The number of times that the arena may fail to judge a bot. Chosen: a machine that is short of memory may have it later.
const FAILURES_MAX: u32 = 3;

/// The time between two looks at the register if nothing happens. Chosen: another process may have entered something.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Judges the bots that wait, until the club is ended.
pub(crate) fn judge_all(club: &Club, sandbox: &Sandbox, house: &dyn House) {
    let state = &club.state;
    let mut failures: HashMap<i64, u32> = HashMap::new();
    while !state.is_over() {
        let changes = state.changes();
        let waiting = state.register(|register| register.waiting()).unwrap_or_else(|error| {
            house.note(error.to_string());
            Vec::new()
        });
        // Those that the arena has failed to judge come after the others.
        let Some(version) =
            waiting.iter().min_by_key(|version| failures.get(&version.id).copied().unwrap_or(0))
        else {
            state.wait(changes, LOOK_EVERY);
            continue;
        };
        let judged = judge(club, sandbox, house, version);
        if state.is_over() {
            return;
        }
        let judged = judged.or_else(|error| {
            house.note(format!("{}, version {}: {error}", version.author, version.number));
            let failed = failures.entry(version.id).or_default();
            *failed += 1;
            if *failed < FAILURES_MAX {
                state.pause(LOOK_EVERY);
                return Ok(());
            }
            let finding = match error {
                Error::Host(HostError::Game(why)) => {
                    format!(
                        "the game of this club has failed in the trial: {why}\n  next: tell the organiser"
                    )
                }
                _ => "the arena has failed to judge it\n  next: tell the organiser, and submit another build"
                    .into(),
            };
            record(club, version, VersionState::Refused, &finding)
        });
        if let Err(error) = judged {
            house.note(error.to_string());
            state.pause(LOOK_EVERY);
        }
    }
}

/// The name of the game of these rules.
fn game(rules: &GameRules) -> String {
    match rules {
        GameRules::Loaded(_) => Name::new(rules.name()).to_string(),
        rules => rules.kind().to_string(),
    }
}

/// Records a verdict. The component of a bot that will not play is removed.
fn record(club: &Club, version: &Version, verdict: VersionState, finding: &str) -> Result<(), Error> {
    let state = &club.state;
    state.register(|register| register.judge(version.id, verdict, finding))?;
    tracing::info!(author = %version.author, version = version.number, ?verdict, "judged");
    if verdict != VersionState::Admitted {
        state.forget_unneeded(&version.sha256)?;
    }
    state.note_change();
    Ok(())
}

fn judge(club: &Club, sandbox: &Sandbox, house: &dyn House, version: &Version) -> Result<(), Error> {
    let state = &club.state;
    let path = state.folder.bot(&version.sha256);
    let mut roster = Roster { contestants: Vec::new(), refused: Vec::new(), failed: Vec::new() };
    let file = shown(Path::new(&format!("{}.wasm", version.author)));
    let refusal = |kind: &'static str, message: String, next: &str| RefusedFile {
        file: file.clone(),
        label: version.author.as_str().into(),
        kind,
        message: message.into(),
        next: next.into(),
    };
    if state.register(|register| register.other_author_of(version))?.is_some() {
        let message = "is the same component as a bot of another author".to_owned();
        roster.refused.push(refusal("same-component", message, "submit a bot of your own"));
    } else {
        roster = Roster::admit(sandbox, &[path], 1, || {})?;
        roster.require_no_failure()?;
        for refused in &mut roster.refused {
            refused.file = file.clone();
        }
        for contestant in &mut roster.contestants {
            contestant.id.label = version.author.as_str().into();
            contestant.file = file.clone();
        }
        let other = roster.contestants.first().map(|contestant| contestant.bot.kind());
        if let Some(other) = other.filter(|kind| *kind != club.rules.kind()) {
            roster.contestants.clear();
            let other = other.in_words();
            let message = format!("plays {other}, and this club plays {}", game(&club.rules));
            roster.refused.push(refusal("other-game", message, "submit a bot for that game"));
        }
        roster.refuse_other_types(&club.rules)?;
    }
    let Some(contestant) = roster.contestants.first() else {
        return record(club, version, VersionState::Refused, &house.finding(&roster, None));
    };
    if contestant.id.sha256 != version.sha256.as_str() {
        return Err(Error::usage(
            format!("{}: has changed since it was submitted", shown(&contestant.path)),
            "leave the folder of a club to the arena",
        ));
    }
    let options = TrialOptions {
        rules: vec![club.rules.clone()],
        fuel_per_turn: club.options.game.limits.fuel_per_turn,
        is_quick: false,
        turns_of_fuel: None,
    };
    let games = trial::play(contestant, sandbox, &options, || !state.is_over())?;
    if state.is_over() {
        return Ok(());
    }
    let finding = house.finding(&roster, Some(&games));
    if games.iter().any(|game| !game.faults.is_empty()) {
        return record(club, version, VersionState::Faulted, &finding);
    }
    let contestant: Contestant = contestant.clone();
    state.admit(contestant);
    record(club, version, VersionState::Admitted, &finding)?;
    // It plays at once, and not after the stage.
    state.end_stage();
    Ok(())
}
