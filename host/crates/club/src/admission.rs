//! The admission of bots that were submitted, one after the other: in a confined process, then in trial games.

use crate::challenges;
use crate::club::Club;
use crate::error::ClubError;
use crate::judging::{self, Waiting, Work};
use crate::stages;
use arena_engine::{Error, HostError, RefusedFile, Roster, Sandbox};
use arena_experiments::finding::Finding;
use arena_experiments::trial::{self, TrialGame, TrialOptions};
use arena_players::Contestant;
use arena_record::Name;
use arena_rules::GameRules;
use arena_store::{Challenge, Challenger, Register, RegisterError, Version, VersionState, seconds_now};
use arena_text::shown;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time between two looks at the register if nothing happens. Chosen: another process may have entered something.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The longest time before a bot is judged again that the arena has failed to judge. Chosen: by then, an organiser may have made room.
const AGAIN_AFTER_MAX: Duration = Duration::from_secs(3_600);

/// The fuel that a bot has for its trial games, in budgets of a turn. Chosen: with the default budget of 3 s, half a minute at worst, and a
/// house bot needs a hundredth of it. One that uses its whole budget in each turn takes five turns from each seat.
const TURNS_OF_TRIAL: u64 = 10;

/// The failures of the arena to judge a version.
pub(crate) struct Failed {
    times: u32,
    latest: Instant,
}

/// The time before a bot is judged again that the arena has failed to judge this many times. It doubles with each of them.
fn again_after(failures: u32) -> Duration {
    LOOK_EVERY.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(AGAIN_AFTER_MAX)
}

/// Judges the bots that wait, until the club is ended: each in its [turn](judging::next).
pub(crate) fn judge_all(club: &Club, sandbox: &Sandbox) {
    let state = &club.state;
    let mut failures: HashMap<i64, Failed> = HashMap::new();
    while !state.is_over() {
        let changes = state.changes();
        let work = state.begin_judging(|register| next(register, &failures)).unwrap_or_else(|error| {
            state.note(error.to_string());
            None
        });
        let Some(work) = work else {
            state.wait(changes, LOOK_EVERY);
            continue;
        };
        // Its processes are told from those of the games that are played meanwhile.
        let metered = sandbox.metered();
        let judged = match &work {
            Work::Version(version) => {
                tracing::info!(author = %version.author, version = version.number, "judging begins");
                judge(club, &metered, version)
            }
            Work::Challenge(challenge) => challenges::play(club, &metered, challenge),
        };
        if state.is_over() {
            return;
        }
        let charged = state.register(|register| charge(register, &work, metered.processor_time()));
        let judged = judged.or_else(|error| {
            let version = match &work {
                Work::Version(version) => version,
                Work::Challenge(challenge) => return challenges::fail(club, challenge, &error),
            };
            state.note(format!("{}, version {}: {error}", version.author, version.number));
            let failed = failures.entry(version.id).or_insert(Failed { times: 0, latest: Instant::now() });
            *failed = Failed { times: failed.times + 1, latest: Instant::now() };
            let what = match error {
                ClubError::Engine(Error::Host(HostError::Game(why))) => {
                    format!("the game of this club has failed in the trial: {why}")
                }
                _ => "the arena has failed to judge it".into(),
            };
            // It stays in the queue: no bot is refused for a failure of the arena.
            let finding = format!(
                "{what}\n  next: it is judged again; if it waits for more than an hour, tell the organiser"
            );
            state.register(|register| register.judge(version.id, VersionState::Waiting, &finding))
        });
        if let Err(error) = judged.and(charged) {
            state.note(error.to_string());
            state.pause(LOOK_EVERY);
        }
    }
}

/// The version or challenge to judge next, if any is waiting.
pub(crate) fn next(
    register: &mut Register,
    failures: &HashMap<i64, Failed>,
) -> Result<Option<Work>, RegisterError> {
    let mut waiting = register.waiting()?;
    // One that the arena has failed to judge holds up no other while it waits.
    let is_due = |failed: &Failed| failed.latest.elapsed() >= again_after(failed.times);
    waiting.retain(|version| failures.get(&version.id).is_none_or(is_due));
    let mut turns = Vec::with_capacity(waiting.len());
    for Version { id, author, size, .. } in &waiting {
        let failures = failures.get(id).map_or(0, |it| it.times);
        let account = register.account(author)?;
        turns.push(Waiting { author, account, is_challenge: false, number: *id, size: *size, failures });
    }
    let mut challenges = register.challenges_waiting()?;
    for Challenge { id, sides: [Challenger { author, .. }, _], .. } in &challenges {
        let account = register.account(author)?;
        turns.push(Waiting { author, account, is_challenge: true, number: *id, size: 0, failures: 0 });
    }
    let Some(place) = judging::next(&turns, seconds_now()) else { return Ok(None) };
    Ok(Some(match place.checked_sub(waiting.len()) {
        None => Work::Version(waiting.swap_remove(place)),
        Some(place) => Work::Challenge(challenges.swap_remove(place)),
    }))
}

/// Charges an author with the processor time of judging a version, or of a challenge.
fn charge(register: &mut Register, work: &Work, cost: Duration) -> Result<(), RegisterError> {
    // An author who was deleted meanwhile has another name.
    let now = register.version(work.version())?;
    let author = now.as_ref().map_or(work.author(), |version| &version.author);
    let account = judging::charged(register.account(author)?, cost, seconds_now());
    let (milliseconds, total) = (cost.as_millis() as u64, account.milliseconds);
    match work {
        Work::Version(Version { number: version, .. }) => {
            tracing::info!(%author, version, milliseconds, account = total, "judging charged");
        }
        Work::Challenge(Challenge { id: challenge, .. }) => {
            tracing::info!(%author, challenge, milliseconds, account = total, "judging charged");
        }
    }
    register.set_account(author, account)
}

/// The name of the game of these rules.
fn game(rules: &GameRules) -> String {
    match rules {
        GameRules::Loaded(_) => Name::new(rules.name()).to_string(),
        rules => rules.kind().to_string(),
    }
}

/// Records a verdict. The component of a bot that will not play is removed.
fn record(club: &Club, version: &Version, verdict: VersionState, finding: &str) -> Result<(), ClubError> {
    let state = &club.state;
    state.register(|register| register.judge(version.id, verdict, finding))?;
    tracing::info!(author = %version.author, version = version.number, ?verdict, "judged");
    if verdict != VersionState::Admitted {
        state.forget_unneeded(&version.sha256)?;
    }
    state.note_change();
    Ok(())
}

/// The finding about the one file of a roster, with its trial games, in the words of `arena check`.
pub(crate) fn finding(roster: &Roster, games: Option<&[TrialGame]>) -> String {
    Finding::of(roster).with_games(games).text().as_str().to_owned()
}

fn judge(club: &Club, sandbox: &Sandbox, version: &Version) -> Result<(), ClubError> {
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
        return record(club, version, VersionState::Refused, &finding(&roster, None));
    };
    if contestant.id.sha256 != version.sha256.as_str() {
        return Err(ClubError::ComponentChanged { component: contestant.path.clone() });
    }
    let options = TrialOptions {
        rules: vec![club.rules.clone()],
        fuel_per_turn: club.options.game.limits.fuel_per_turn,
        is_quick: false,
        turns_of_fuel: Some(TURNS_OF_TRIAL),
    };
    let games = trial::play(contestant, sandbox, &options, || !state.is_over())?;
    if state.is_over() {
        return Ok(());
    }
    let finding = finding(&roster, Some(&games));
    if games.iter().any(|game| !game.faults.is_empty()) {
        return record(club, version, VersionState::Faulted, &finding);
    }
    let fuel = games.iter().map(|game| game.played.result.fuel[game.seat.index()]).max().unwrap_or(0);
    let mut contestant: Contestant = contestant.clone();
    state.register(|register| {
        register.set_game_fuel(version.id, fuel)?;
        register.set_own_name(version.id, &contestant.id.name)
    })?;
    stages::name(&mut contestant, version);
    state.admit(contestant);
    record(club, version, VersionState::Admitted, &finding)?;
    if !version.is_draft {
        // It plays at once, and not after the stage.
        state.end_stage();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{bot, club};

    #[test]
    fn a_bot_of_another_game_is_refused_with_the_names_of_both() {
        let it = club(ClubOptions::default());
        let version =
            it.upload(&it.author("ann"), &bot("builtin:sub-random", 10), true).expect("it is taken");
        judge(&it.club, &it.sandbox, &version).expect("it is judged");
        let version = it.version(version.id);
        assert_eq!(version.state, VersionState::Refused);
        let expected = "plays submarine, and this club plays battleship";
        assert!(version.finding.contains(expected), "{}", version.finding);
    }

    #[test]
    fn what_a_bot_calls_itself_is_in_the_register_and_goes_with_its_author() {
        let it = club(ClubOptions::default());
        let version = it.upload(&it.author("ann"), &bot("builtin:random", 10), true).expect("it is taken");
        judge(&it.club, &it.sandbox, &version).expect("it is judged");
        let own_name = || {
            let names = it.club.state.register(|register| register.shown_names()).expect("it can be read");
            names.get(&version.sha256).cloned()
        };
        assert_eq!(own_name().as_deref(), Some("random"));
        let admitted = it.club.state.admitted(&version.sha256).expect("it is admitted");
        assert_eq!((admitted.id.label.as_str(), admitted.id.name.as_str()), ("author.1", ""));
        it.folder.organised_by(None).delete_author("ann").expect("there is one");
        assert_eq!(own_name(), None);
    }

    #[test]
    fn a_bot_that_the_arena_fails_to_judge_is_judged_again_after_longer_and_longer_times() {
        let seconds = [1, 2, 3, 9, 10, 1_000].map(|failures| again_after(failures).as_secs());
        assert_eq!(seconds, [10, 20, 40, 2_560, 3_600, 3_600]);
    }
}
