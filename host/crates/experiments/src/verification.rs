//! Verification of a recorded game: its bots play it again, and the events are compared.

mod batches;

pub use batches::{Batch, Batches, ReadRecording};

use arena_players::{Contestant, Draw, Replayer, TimeOptions};
use arena_record::{
    Conditions, Event, Header, Label, MatchSeed, Name, Problem, Recording, ReplayError, RulesDigest, Seed,
    Transcript, play_the_same,
};
use arena_referee::HostError;
use arena_rules::{Failure, Game, Listed, Seat, with_game};
use arena_sandbox::{Bot, Sandbox, Sandboxed, TimeLimits, WASMTIME_VERSION};

/// Bots that play recorded games again.
pub struct Verifier {
    /// The hash of the engine.
    engine: String,
    bots: Vec<Contestant>,
    replayer: Replayer,
}

/// The verdict on a recording. All except the first mean that it is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game played again is the same, event for event.
    Same {
        /// The number of events.
        events: usize,
    },
    /// The replayed game is the same, but its secret seed has not been revealed: the seeds of its sides could have been chosen.
    SeedNotTold {
        /// The number of events.
        events: usize,
    },
    /// The revealed seed is not the recorded one, or does not have the recorded hash.
    OtherSeed {
        /// The entry of the record.
        recorded: String,
        /// The revealed seed.
        told: Seed,
    },
    /// The recording is incomplete or damaged: the line, and the reason.
    Unreadable(Problem),
    /// A part of the arena had another version, and the same bots may have played differently.
    OtherVersion {
        /// The part: `arena`, `wasmtime` or `engine`.
        what: &'static str,
        /// The recorded value.
        recorded: Name,
        /// The value here.
        here: Name,
        /// The version of the arena that recorded the game.
        by: Name,
    },
    /// A bot of the recording is not among those given.
    OtherBot {
        /// The label in the recording.
        label: Label,
        /// The hash in the recording.
        sha256: Name,
        /// The hash of the bot given under that label, if there is one.
        given: Option<Name>,
    },
    /// A component of the recording was deleted on purpose by the organiser of its contest.
    BotDeleted {
        /// The label in the recording.
        label: Label,
        /// The hash in the recording.
        sha256: Name,
    },
    /// A side was a person, or a client over a socket: its answers cannot be repeated.
    NoComponent {
        /// The label of the side.
        label: Label,
    },
    /// The recording says that a clock decided.
    DecidedByClock,
    /// An entry of the header does not follow from its rules, its seed and its bots.
    OtherHeader {
        /// The entry.
        what: &'static str,
        /// The recorded value.
        recorded: Name,
        /// The value that follows.
        expected: Name,
    },
    /// The events do not follow from each other by the rules.
    Impossible(ReplayError),
    /// The code of the game, which its author wrote, fails when the game is played again: the call, and why.
    GameFailed(Problem),
    /// An event differs when the bots play again.
    Differs {
        /// The number of the first one that differs, from 1.
        event: usize,
        /// The event as it is recorded, in JSON; `None` when the recording has ended.
        recorded: Option<String>,
        /// The event as it is played, in JSON; `None` when the game has ended.
        played: Option<String>,
    },
}

impl Verdict {
    /// The name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Same { .. } => "same",
            Self::SeedNotTold { .. } => "seed-not-told",
            Self::OtherSeed { .. } => "other-seed",
            Self::Unreadable(_) => "unreadable",
            Self::OtherVersion { .. } => "other-version",
            Self::OtherBot { .. } => "other-bot",
            Self::BotDeleted { .. } => "bot-deleted",
            Self::NoComponent { .. } => "no-component",
            Self::DecidedByClock => "decided-by-clock",
            Self::OtherHeader { .. } => "other-header",
            Self::Impossible(_) => "impossible",
            Self::GameFailed(_) => "game-failed",
            Self::Differs { .. } => "differs",
        }
    }

    /// True if the recording is verified.
    pub const fn is_same(&self) -> bool {
        matches!(self, Self::Same { .. })
    }
}

impl Verifier {
    /// These bots of a sandbox, whose memory limit is that of the recordings.
    pub fn new(sandbox: &Sandbox, contestants: &[Contestant]) -> Self {
        let bots = contestants.iter().map(|contestant| contestant.bot.clone()).collect();
        Self {
            engine: sandbox.engine_hash(),
            bots: contestants.to_vec(),
            replayer: Replayer::new(sandbox.clone(), bots),
        }
    }

    /// Plays a recorded game again and compares. A secret seed is checked if it has been revealed.
    ///
    /// # Errors
    /// A failure of the arena: there is no verdict.
    pub fn verify(
        &self,
        recording: &Recording,
        told: Option<Seed>,
        times: TimeOptions,
    ) -> Result<Verdict, HostError> {
        let rules = &recording.header.conditions.rules;
        let times = times.limits(rules);
        with_game!(rules.kind(), G => match recording.transcript::<G>() {
            Ok(transcript) => verify_game(&transcript, self, told, times),
            Err(error) => Ok(Verdict::Unreadable(error.to_string().into())),
        })
    }

    /// The bot of a component.
    fn bot(&self, sha256: &str) -> Option<&Bot> {
        self.bots.iter().map(|known| &known.bot).find(|bot| bot.hash() == sha256)
    }
}

fn verify_game<G: Sandboxed>(
    recording: &Transcript<G>,
    by: &Verifier,
    told: Option<Seed>,
    times: TimeLimits,
) -> Result<Verdict, HostError> {
    let header = &recording.header;
    let found = other_version(header, &by.engine)
        .or_else(|| played_by_no_component(header))
        .or_else(|| other_bot(header, by));
    let found = match found {
        None => impossible(recording)?,
        found => found,
    };
    let found = found.or_else(|| other_seed(header, told));
    let seed = told.or(header.conditions.seed.open());
    let found = found.or_else(|| seed.and_then(|seed| other_draw(header, seed)));
    if let Some(verdict) = found {
        return Ok(verdict);
    }
    let [Some(first), Some(second)] = header.bots.each_ref().map(|seated| by.bot(&seated.bot.sha256)) else {
        unreachable!("both have been found")
    };
    if let Some(verdict) = other_entry(header, [first, second]) {
        return Ok(verdict);
    }
    // Only the recording says so, so everything that does not depend on a clock is checked first.
    if matches!(recording.events.last(), Some(Event::Ended { reproducible: false, .. })) {
        return Ok(Verdict::DecidedByClock);
    }
    let played = match by.replayer.play(header.clone(), [first, second], times) {
        Err(HostError::Game(why)) => return Ok(Verdict::GameFailed(why.to_string().into())),
        played => played?,
    };
    Ok(match compare(&recording.events, &played.events) {
        Verdict::Same { events } if seed.is_none() => Verdict::SeedNotTold { events },
        verdict => verdict,
    })
}

/// Checks that the events follow from each other by the rules.
fn impossible<G: Listed>(recording: &Transcript<G>) -> Result<Option<Verdict>, HostError> {
    match recording.replay() {
        Ok(_) => Ok(None),
        Err(error) => match error.failure {
            None => Ok(Some(Verdict::Impossible(error))),
            Some(Failure::Game(why)) => Ok(Some(Verdict::GameFailed(why.into()))),
            Some(failure) => Err(failure.into()),
        },
    }
}

fn other_version(header: &Header, engine: &str) -> Option<Verdict> {
    let Conditions { arena, wasmtime, engine: recorded_engine, .. } = &header.conditions;
    let other = |what, recorded: &Name, here: &str| Verdict::OtherVersion {
        what,
        recorded: recorded.clone(),
        here: here.into(),
        by: arena.clone(),
    };
    let own = env!("CARGO_PKG_VERSION");
    if !play_the_same(arena.as_str(), own) {
        return Some(other("arena", arena, own));
    }
    let pairs = [("wasmtime", wasmtime, WASMTIME_VERSION), ("engine", recorded_engine, engine)];
    let (what, recorded, here) = pairs.into_iter().find(|(_, recorded, here)| recorded.as_str() != *here)?;
    Some(other(what, recorded, here))
}

/// Finds a side that has no component, and so no hash: a person, or a client.
fn played_by_no_component(header: &Header) -> Option<Verdict> {
    let seated = header.bots.iter().find(|seated| seated.bot.sha256.is_empty())?;
    Some(Verdict::NoComponent { label: seated.bot.label.clone() })
}

fn other_bot(header: &Header, by: &Verifier) -> Option<Verdict> {
    let mut bots = header.bots.iter().map(|seated| &seated.bot);
    let missing = bots.find(|bot| by.bot(&bot.sha256).is_none())?;
    let namesake = by.bots.iter().find(|known| known.id.label == missing.label);
    Some(Verdict::OtherBot {
        label: missing.label.clone(),
        sha256: missing.sha256.clone(),
        given: namesake.map(|candidate| candidate.bot.hash().into()),
    })
}

/// Checks that the revealed seed is the recorded one.
fn other_seed(header: &Header, told: Option<Seed>) -> Option<Verdict> {
    let recorded = header.conditions.seed;
    told.filter(|told| !recorded.is_of(told))
        .map(|told| Verdict::OtherSeed { recorded: recorded.to_string(), told })
}

/// Checks that all random choices follow from the rules, the seed and the bots.
fn other_draw(header: &Header, seed: Seed) -> Option<Verdict> {
    let [first, second] = &header.bots;
    let Some(before) = header.game.checked_sub(1) else {
        let (recorded, expected) = ("0".into(), "1 or more".into());
        return Some(Verdict::OtherHeader { what: "game", recorded, expected });
    };
    let rules = &header.conditions.rules;
    let hashes = [first, second].map(|seated| seated.bot.sha256.as_str());
    let seed = MatchSeed::new(RulesDigest::of(rules), seed, hashes);
    let draw = Draw::from_seed(rules, seed, before / 2);
    let hex = |number: u64| format!("{number:016x}");
    let seat = |seat: Seat| format!("seat {}", u8::from(seat));
    let entries = [
        ("seed of seat 1", hex(first.seed), hex(draw.sides[0])),
        ("seed of seat 2", hex(second.seed), hex(draw.sides[1])),
        ("fleet seed", hex(header.fleet_seed), hex(draw.fleets)),
        ("starter", seat(header.starter), seat(draw.starter)),
    ];
    differing(entries)
}

/// Checks what the header says about the bots.
fn other_entry(header: &Header, bots: [&Bot; 2]) -> Option<Verdict> {
    let [first, second] = bots;
    let kind = header.conditions.rules.kind().to_string();
    // A journal without names, as a club's, says nothing of what bots call themselves.
    let name = |seat: usize, bot: &Bot| match header.bots[seat].bot.name.as_str() {
        "" => (String::new(), String::new()),
        name => (name.to_owned(), bot.name().to_owned()),
    };
    let [(name_1, own_1), (name_2, own_2)] = [name(0, first), name(1, second)];
    differing([
        ("game of the rules", kind.clone(), first.kind().to_string()),
        ("game of the rules", kind, second.kind().to_string()),
        ("contract", header.contract.as_str().to_owned(), first.contract()),
        ("name of seat 1", name_1, own_1),
        ("name of seat 2", name_2, own_2),
    ])
}

fn differing<const N: usize>(entries: [(&'static str, String, String); N]) -> Option<Verdict> {
    let (what, recorded, expected) =
        entries.into_iter().find(|(_, recorded, expected)| recorded != expected)?;
    Some(Verdict::OtherHeader { what, recorded: recorded.into(), expected: expected.into() })
}

fn compare<G: Game>(recorded: &[Event<G>], played: &[Event<G>]) -> Verdict {
    let same = recorded.iter().zip(played).take_while(|(recorded, played)| recorded == played).count();
    if same == recorded.len() && same == played.len() {
        return Verdict::Same { events: same };
    }
    let at = |events: &[Event<G>]| {
        events.get(same).map(|event| serde_json::to_string(event).expect("an event is plain data"))
    };
    Verdict::Differs { event: same + 1, recorded: at(recorded), played: at(played) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Bots;
    use arena_record::{Commitment, RecordedSeed};
    use arena_rules::battleship::{Action, BOTH_SKIPPED, Battleship, Effect, ShotResult};
    use arena_rules::{Coord, Outcome};
    use std::sync::LazyLock;

    fn shot(row: u8) -> Event<Battleship> {
        let action = Action::Shot(Coord { row, column: 0 });
        let effect = Effect::Shot(ShotResult::Miss);
        Event::Acted { seat: Seat::First, turn: 1, action, effect, fuel: 1, attempts: None }
    }

    fn end() -> Event<Battleship> {
        Event::Ended {
            outcome: Outcome::Draw,
            reason: BOTH_SKIPPED,
            scores: Some([0; 2]),
            reproducible: true,
        }
    }

    fn json(event: &Event<Battleship>) -> Option<String> {
        Some(serde_json::to_string(event).unwrap())
    }

    #[test]
    fn the_first_event_that_differs_is_named() {
        assert_eq!(compare(&[shot(1), end()], &[shot(1), end()]), Verdict::Same { events: 2 });
        let differs = Verdict::Differs { event: 1, recorded: json(&shot(1)), played: json(&shot(2)) };
        assert_eq!(compare(&[shot(1), end()], &[shot(2), end()]), differs);
    }

    #[test]
    fn a_recording_that_ends_early_or_late_differs_there() {
        let early = Verdict::Differs { event: 2, recorded: None, played: json(&end()) };
        assert_eq!(compare(&[shot(1)], &[shot(1), end()]), early);
        let late = Verdict::Differs { event: 2, recorded: json(&end()), played: None };
        assert_eq!(compare(&[shot(1), end()], &[shot(1)]), late);
    }

    /// The verdict on the first game of two bots after a change of its recording, if its seed is revealed as this one.
    fn verdict(told: Option<u64>, change: impl FnOnce(&mut Transcript<Battleship>)) -> Verdict {
        static BOTS: LazyLock<Bots> = LazyLock::new(|| Bots::of(&["sweeper", "shoots-at-random"]));
        let bots = &*BOTS;
        let mut recorded = bots.recorded();
        change(&mut recorded);
        let recording = Recording::read(&recorded.to_bytes()[..]).unwrap();
        let verifier = Verifier::new(&bots.sandbox, &bots.contestants);
        verifier.verify(&recording, told.map(Seed::from), TimeOptions::default()).unwrap()
    }

    #[test]
    fn a_recording_is_verified_only_if_all_of_it_is_as_it_was_played() {
        assert!(verdict(None, |_| {}).is_same());
        assert!(verdict(Some(1), |_| {}).is_same());
        let name = |change: fn(&mut Transcript<Battleship>)| verdict(None, change).name();
        let header = |change: fn(&mut Header)| match verdict(None, |it| change(&mut it.header)) {
            Verdict::OtherHeader { what, .. } | Verdict::OtherVersion { what, .. } => what,
            other => other.name(),
        };
        assert_eq!(header(|it| it.conditions.arena = "0.0.1".into()), "arena");
        assert_eq!(header(|it| it.conditions.wasmtime = "1.0.0".into()), "wasmtime");
        assert_eq!(header(|it| it.conditions.engine = "00ff".into()), "engine");
        assert_eq!(header(|it| it.bots[1].bot.sha256 = "".into()), "no-component");
        assert_eq!(header(|it| it.bots[0].bot.sha256 = "00ff".into()), "other-bot");
        assert_eq!(header(|it| it.bots[0].seed ^= 1), "seed of seat 1");
        assert_eq!(header(|it| it.bots[1].seed ^= 1), "seed of seat 2");
        assert_eq!(header(|it| it.fleet_seed ^= 1), "fleet seed");
        assert_eq!(header(|it| it.game = 0), "game");
        // The second game of a pair has the same seeds, and the third one others.
        assert_eq!(header(|it| it.game = 2), "same");
        assert_eq!(header(|it| it.game = 3), "seed of seat 1");
        assert_eq!(header(|it| it.contract = "arena:battleship@9.0.0".into()), "contract");
        assert_eq!(header(|it| it.bots[0].bot.name = "another".into()), "name of seat 1");
        assert_eq!(header(|it| it.bots[1].bot.name = "another".into()), "name of seat 2");
        assert_eq!(header(|it| it.bots.iter_mut().for_each(|it| it.bot.name = "".into())), "same");
        assert_eq!(name(|it| _ = it.events.remove(5)), "impossible");
        assert_eq!(
            name(|it| match &mut it.events[2] {
                Event::Acted { fuel, .. } => *fuel += 1,
                other => panic!("{other:?}"),
            }),
            "differs"
        );
        // A clock decides no game without a timeout.
        assert_eq!(
            name(|it| match it.events.last_mut() {
                Some(Event::Ended { reproducible, .. }) => *reproducible = false,
                other => panic!("{other:?}"),
            }),
            "impossible"
        );
    }

    #[test]
    fn a_secret_seed_has_to_be_the_one_that_is_revealed() {
        let secret = |it: &mut Transcript<Battleship>| {
            it.header.conditions.seed = RecordedSeed::Secret(Commitment::to(&Seed::from(1)));
        };
        assert_eq!(verdict(None, secret).name(), "seed-not-told");
        assert!(verdict(Some(1), secret).is_same());
        assert_eq!(verdict(Some(2), secret).name(), "other-seed");
        assert_eq!(verdict(Some(2), |_| {}).name(), "other-seed");
    }
}
