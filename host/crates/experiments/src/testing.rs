//! Bots for tests, in a sandbox of this process.

use arena_players::{Contestant, LimitOptions, Plan, Runner};
use arena_record::{BotId, Seed, Transcript};
use arena_rules::GameRules;
use arena_rules::battleship::Battleship;
use arena_sandbox::{Sandbox, SandboxLimits};
use std::path::PathBuf;

/// Bots of the zoo, and the plan of their games.
pub struct Bots {
    pub sandbox: Sandbox,
    pub contestants: Vec<Contestant>,
    pub plan: Plan,
}

impl Bots {
    /// The bots of these names.
    pub fn of(names: &[&str]) -> Self {
        let sandbox = Sandbox::new(SandboxLimits::default()).expect("there is room");
        let contestants = names.iter().map(|name| contestant(&sandbox, name, &arena_testkit::zoo(name)));
        let contestants = contestants.collect();
        let rules = GameRules::built_in().swap_remove(0);
        let plan = Plan::of(rules, sandbox.engine_hash(), Seed::from(1).into(), &LimitOptions::default(), 1);
        Self { sandbox, contestants, plan }
    }

    pub fn runner(&self) -> Runner<'_> {
        let Self { contestants, plan, .. } = self;
        Runner { plan, contestants, keeps_transcripts: true, keeps_journal: false }
    }

    /// The recording of the first game between the first two bots.
    pub fn recorded(&self) -> Transcript<Battleship> {
        let fixture = arena_league::match_games(0, 1, 2).next().expect("a match has games");
        let played = self.runner().play(fixture, None).expect("the arena does not fail");
        played.recording().expect("it can be read").expect("it was kept")
    }
}

/// A bot as it is admitted.
pub fn contestant(sandbox: &Sandbox, label: &str, component: &[u8]) -> Contestant {
    let bot = sandbox.admit(component).expect("it is a bot");
    let id = BotId { label: label.into(), name: bot.name().into(), sha256: bot.hash().into() };
    Contestant { id, file: arena_text::shown(&PathBuf::new()), path: PathBuf::new(), bot }
}
