//! A club that is ready to be served.

use crate::clock::Clock;
use crate::error::ClubError;
use crate::folder::Folder;
use crate::pages::Pages;
use crate::state::State;
use crate::workers::Noted;
use arena_cluster::RemoteOptions;
use arena_engine::internals::plan;
use arena_engine::{
    GameChoice, GameOptions, JournalContent, PreparedRun, RunOptions, SandboxLimits, SeedChoice,
};
use arena_record::Name;
use arena_rules::GameRules;
use std::fs::File;
use std::sync::Arc;

/// The options of a club.
#[derive(Clone, Debug, Default)]
pub struct ClubOptions {
    /// The game and its limits. Omitted ones have the journal's values.
    pub game: GameOptions,
    /// The games of each two bots that a new one plays first.
    pub games_min: u32,
    /// The most games of two bots, besides those of full rounds.
    pub games_max: u32,
    /// The largest distance, in places, of bots that play on after their first games.
    pub neighbours: u32,
    /// The workers on other machines that play the games; `None` to play them here.
    pub workers: Option<RemoteOptions>,
    /// The title of the pages; `None` for the name of the folder.
    pub title: Option<String>,
    /// The time of the day, in seconds after midnight in UTC, at which a full round begins; `None` for no full rounds.
    pub full_round: Option<u32>,
    /// The number of games with faults after which a bot is disqualified; `None` for the journal's, and 0 for never.
    pub max_faults: Option<u32>,
    /// The most bytes of an author's bots, logs and replays together; `None` for no limit.
    pub author_bytes_max: Option<u64>,
    /// True if a proxy sends all requests, and adds the addresses of its clients to their header `X-Forwarded-For`.
    pub is_behind_proxy: bool,
    /// The most games of visitors at a time, who play against the bots in a browser; 0 if none may.
    pub visitors_max: usize,
    /// The clock.
    pub clock: Clock,
}

/// A club that is ready to be served. No other process serves it.
pub struct Club {
    pub(crate) state: Arc<State>,
    pub(crate) options: ClubOptions,
    /// The rules of all games.
    pub(crate) rules: GameRules,
    limits: SandboxLimits,
    /// True if the seed of the season is revealed: nothing is played, and no bots are taken.
    pub(crate) is_over: bool,
    pub(crate) pages: Pages,
    /// The messages about workers that were noted.
    pub(crate) noted: Noted,
    _lock: File,
}

impl Club {
    /// Opens the club in a folder, or makes one.
    ///
    /// # Errors
    /// Another process serves it, the options contradict its season, or it cannot be written.
    pub fn open(folder: &Folder, options: ClubOptions) -> Result<Self, ClubError> {
        let register = folder.make()?;
        let lock = folder.lock()?;
        folder.settle()?;
        folder.clean().map_err(|error| folder.unwritable(&folder.bots(), error))?;
        folder.remove_deleted(&register, |_| false).map_err(|error| folder.failure(error))?;
        let commitment = folder.commitment()?;
        let season = JournalContent::read_begun(&folder.journal())?;
        let of_season = season.as_ref().map(|season| &season.tournament.conditions.rules);
        let rules = plan::rules_asked_or(&options.game, of_season)?;
        let rules = rules.unwrap_or_else(|| GameRules::built_in().swap_remove(0));
        let mut options = options;
        if let Some(season) = &season {
            let conditions = &season.tournament.conditions;
            let limits = options.game.limits;
            options.game.limits = limits.or_of(&conditions.limits);
            let is_other_fuel =
                limits.fuel_per_turn.is_some_and(|fuel| fuel != conditions.limits.fuel_per_turn);
            let is_other_memory = limits
                .memory_mib
                .is_some_and(|memory| u64::from(memory) << 20 != conditions.limits.memory_bytes);
            if rules != conditions.rules {
                let [its, asked] =
                    [&conditions.rules, &rules].map(|rules| Name::new(rules.name()).to_string());
                return Err(ClubError::OtherRules { folder: folder.path().to_owned(), its, asked });
            }
            if is_other_fuel || is_other_memory {
                return Err(ClubError::OtherLimits { folder: folder.path().to_owned() });
            }
        }
        if let GameRules::Loaded(_) = &rules {
            // So that its code is prepared once, and not each time that the journal is read.
            options.game.game = Some(GameChoice::of(rules.clone()));
        }
        let is_over = season.is_some_and(|season| season.revealed_seed.is_some());
        if !is_over {
            // A mistake in the options is found before anything is served.
            PreparedRun::new(run_options(folder, &options))?;
        }
        // One more for trial games.
        let limits = options.game.limits.sandbox(arena_players::jobs(options.game.jobs) + 1);
        folder.note_head()?;
        let season = register.season().map_err(|error| folder.failure(error))?.number;
        let bytes_max = limits.component_bytes_max as u64;
        let state =
            State::new(folder, register, season, commitment, bytes_max, options.author_bytes_max, is_over)
                .with_clock(options.clock.clone());
        state.look_at_class_code()?;
        let has_visitors = options.visitors_max > 0;
        let pages = Pages::new(folder, season, options.title.as_deref(), options.clock.clone(), has_visitors);
        let noted = Noted::default();
        Ok(Self { state: Arc::new(state), options, rules, limits, is_over, pages, noted, _lock: lock })
    }

    /// The number of the season, from 1.
    pub fn season(&self) -> u32 {
        self.state.season
    }

    /// True if the season is over, because its seed is revealed. Then the club has its pages only.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The limits of the sandbox in which its bots are judged and play.
    pub fn sandbox_limits(&self) -> SandboxLimits {
        self.limits.clone()
    }

    /// The SHA-256 of the season's secret seed.
    pub fn commitment(&self) -> &str {
        &self.state.commitment
    }

    /// The number of authors with a token.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn authors(&self) -> Result<usize, ClubError> {
        self.state.register(|register| register.authors())
    }

    /// A function that ends [`Club::serve`] from any thread: the games in progress are finished and kept.
    pub fn end(&self) -> impl FnOnce() + Send + 'static {
        let state = Arc::clone(&self.state);
        move || state.end()
    }

    /// The options of a run of its season.
    pub(crate) fn run_options(&self) -> RunOptions {
        run_options(&self.state.folder, &self.options)
    }
}

fn run_options(folder: &Folder, options: &ClubOptions) -> RunOptions {
    RunOptions {
        game: options.game.clone(),
        seed: Some(SeedChoice::Secret),
        journal: Some(folder.journal()),
        // So that the journal is not read again for each stage.
        keeps_each_game: true,
        ..RunOptions::default()
    }
}
