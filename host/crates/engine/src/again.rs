//! A season that is played again: from its seeds, its rules and its bots, into a new journal. Its head follows from them, so it is the
//! head that the organiser has published, unless the journal was altered.

use crate::control::Control;
use crate::error::Error;
use crate::game_file;
use crate::mistake::Mistake;
use crate::open_season::OpenSeason;
use crate::plan::{self, GameOptions};
use crate::recordings::{self, Purpose};
use crate::roster::Roster;
use crate::run::{Local, Observer, PlannedRun, RunOptions};
use crate::season::Season;
use crate::seed::{DrawnSeed, StageSeed};
use crate::stored::{JournalContent, failure, failure_to_read};
use crate::tournament::{GameSummary, Results, Source};
use arena_league::Fixture;
use arena_players::{Contestant, LimitOptions, Plan, Played, RunSeed, TimeOptions};
use arena_record::{BotId, Conditions, GameResult, KeptGame, Seed};
use arena_referee::HostError;
use arena_sandbox::Sandbox;
use arena_store::{ChainHead, JournalError, LinkDifference, Reader, Tournament, Writer};
use arena_text::shown;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A season to be played again.
pub struct SeasonAgain {
    content: JournalContent,
    reader: Reader,
    /// The seed of each stage.
    seeds: Vec<Seed>,
    /// The games that a clock decided, by their numbers in the journal.
    by_clock: BTreeMap<u64, Fixture>,
}

/// The options of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgainOptions {
    /// The games at the same time. Usual: one for each core.
    pub jobs: Option<u16>,
    /// The limits of wall-clock time.
    pub times: TimeOptions,
}

/// A season that was played again, as far as it was the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedAgain {
    /// The number of games of the journal.
    pub games: usize,
    /// The numbers in the journal of the games that a clock decided. They are not reproducible, so they were taken from the journal as
    /// they are.
    pub by_clock: Vec<u64>,
    /// The head of the journal.
    pub head: ChainHead,
    /// The first difference; `None` when the head is the same.
    pub difference: Option<AgainDifference>,
}

/// The first difference between a journal and the season that was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgainDifference {
    /// The links that differ.
    pub link: LinkDifference,
    /// The game of the journal, if the link is that of one: its bots by seat, and its number in their match.
    pub game: Option<(String, String, u32)>,
    /// True if a clock decided a game when it was played again.
    pub is_by_clock: bool,
}

impl SeasonAgain {
    /// Reads a journal, to be played again by the bots at these paths. `secret` is the secret seed of the season, if the journal does not
    /// reveal it yet.
    ///
    /// # Errors
    /// A journal that cannot be read, has no games or no chain, or whose seed is secret, or no bots.
    pub fn read(path: &Path, bots: &[PathBuf], secret: Option<Seed>) -> Result<Self, Error> {
        let (content, reader) = JournalContent::read(path)?;
        let name = &content.name;
        if bots.is_empty() {
            return Err(Mistake::NoBots { command: Purpose::Verify.with_journal(name) }.into());
        }
        if content.known.is_empty() {
            return Err(Mistake::NoGames { journal: name.clone() }.into());
        }
        let recorded = content.tournament.conditions.seed;
        let is_other = |secret: &Seed| recorded.open().is_none() && !recorded.is_of(secret);
        if secret.as_ref().is_some_and(is_other) {
            return Err(Mistake::NotTheSecret { journal: name.clone() }.into());
        }
        let secret = content.revealed_seed.or(secret);
        let seeds = StageSeed::of_all(&content.tournament, &content.entries, secret);
        let seeds: Option<Vec<Seed>> = seeds.iter().map(|stage| stage.revealed).collect();
        let Some(seeds) = seeds else {
            return Err(Mistake::SecretNotRevealed { journal: name.clone() }.into());
        };
        let is_by_clock = |(_, (_, result)): &(&Fixture, &(usize, GameResult))| !result.reproducible;
        let by_clock = content.known.iter().filter(is_by_clock);
        let by_clock = by_clock.map(|(fixture, _)| (content.numbers[fixture], *fixture)).collect();
        Ok(Self { content, reader, seeds, by_clock })
    }

    /// The notes about games that the journal may lack.
    pub fn notes(&self) -> Vec<String> {
        self.content.log_note().into_iter().collect()
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.content.known.len()
    }

    /// The memory of a bot, in bytes.
    ///
    /// # Errors
    /// More than a bot can have.
    pub fn memory_bytes(&self) -> Result<u64, Error> {
        let bytes = self.content.tournament.conditions.limits.memory_bytes;
        recordings::possible_memory(bytes).map_err(|problem| {
            failure_to_read(&self.content.name, JournalError::damaged("the limits", problem.to_string()))
        })
    }

    /// Checks that the journal continues a published head.
    ///
    /// # Errors
    /// It does not.
    pub fn check_head(&self, head: &str) -> Result<(), Error> {
        recordings::check_head(&self.reader, &self.content.name, head)
    }

    /// Checks that the game of the journal is the one in a file.
    ///
    /// # Errors
    /// It is not.
    pub fn check_game(&self, file: &Path) -> Result<(), Error> {
        game_file::check_game(file, &self.content.name, &self.content.tournament.conditions)
    }

    /// Plays the games that the journal has, stage by stage, in the order of the schedule. It ends early at a game with another result;
    /// `each_game` is called after each. Returns `None` when it was cancelled.
    ///
    /// # Errors
    /// A bot that is missing, other versions or limits, or a failure of the machine or of the arena.
    pub fn play(
        &self,
        sandbox: &Sandbox,
        roster: &Roster,
        options: AgainOptions,
        control: &Control,
        each_game: &mut dyn FnMut(),
    ) -> Result<Option<PlayedAgain>, Error> {
        let components = Components::of(roster);
        self.require_bots(&components)?;
        let recorded = self.recorded()?;
        let folder = TempDir::with_prefix("arena-verify-").map_err(|error| {
            Error::machine("cannot make a temporary folder", error, "make room, or set TMPDIR")
        })?;
        let path = folder.path().join("again.db");
        let run_options = self.run_options(&path, options);
        let known = &self.content.known;
        let mut has_games = vec![false; self.content.stages.len()];
        known.values().for_each(|(stage, _)| has_games[stage - 1] = true);
        let mut comparing = Comparing { known, each_game, differs: false, is_by_clock: false, failed: None };
        let mut open = OpenSeason { options: run_options.clone(), content: None, played: None };
        let mut bots = 0;
        for (number, has_games) in (1..).zip(has_games) {
            let entrants = self.content.entries[number - 1].entrants.iter();
            bots = entrants.map(|entrant| entrant.bot + 1).max().unwrap_or(0).max(bots);
            let mut run = self.planned(open, number, bots, sandbox, &components)?.open()?;
            // After the last game of the stage in the journal, its run has ended.
            let instead = |fixture: Fixture| match known.get(&fixture) {
                Some((stage, _)) if *stage == number => {
                    recorded.get(&fixture).map(|played| Source::Played(Box::new(played.clone())))
                }
                _ => Some(Source::Missing),
            };
            let local = if has_games { Local::start(sandbox, &run, false)? } else { Local::here() };
            let played = run.play_but(&local, &|_| None, control, &mut comparing, &instead);
            played.map_err(|error| of_temporary(error, &path))?;
            if let Some(error) = comparing.failed.take() {
                return Err(error.into());
            }
            if control.is_cancelled() {
                return Ok(None);
            }
            if comparing.differs {
                drop(run);
                return self.compared(&path, comparing.is_by_clock).map(Some);
            }
            if number == self.content.stages.len() {
                break;
            }
            open = match run.into_season() {
                Some(open) => open,
                None => OpenSeason::read(run_options.clone())?,
            };
        }
        self.reveal(&path)?;
        self.compared(&path, comparing.is_by_clock).map(Some)
    }

    /// Requires the component of each bot that has played.
    fn require_bots(&self, components: &Components<'_>) -> Result<(), Error> {
        let JournalContent { name, tournament, known, .. } = &self.content;
        let has_played = |bot: usize| known.keys().any(|fixture| fixture.seats.contains(&bot));
        let is_missing =
            |(number, bot): &(usize, &BotId)| components.find(bot).is_none() && has_played(*number);
        match tournament.bots.iter().enumerate().find(is_missing) {
            Some((_, bot)) => {
                Err(Mistake::BotMissing { journal: name.clone(), bot: Box::new(bot.clone()) }.into())
            }
            None => Ok(()),
        }
    }

    /// The games that a clock decided, as the journal has them.
    fn recorded(&self) -> Result<HashMap<Fixture, Played>, Error> {
        let refuse = |error| failure_to_read(&self.content.name, error);
        let mut recorded = HashMap::new();
        for (&number, &fixture) in &self.by_clock {
            let Some(KeptGame { header, events }) = self.reader.kept_game(number).map_err(refuse)? else {
                continue;
            };
            let (_, result) = &self.content.known[&fixture];
            let played = Played {
                header,
                result: result.clone(),
                transcript: None,
                packed: Some(events),
                logs: Default::default(),
            };
            recorded.insert(fixture, played);
        }
        Ok(recorded)
    }

    fn run_options(&self, path: &Path, options: AgainOptions) -> RunOptions {
        let limits = LimitOptions { times: options.times, ..LimitOptions::default() };
        let limits = limits.or_of(&self.content.tournament.conditions.limits);
        RunOptions {
            game: GameOptions { jobs: options.jobs, limits, ..GameOptions::default() },
            journal: Some(path.to_owned()),
            forgets_bots: true,
            keeps_each_game: self.content.stages.len() > 1,
            ..RunOptions::default()
        }
    }

    /// The run that plays this stage again, between the first bots of the season, of which there are this number then.
    fn planned(
        &self,
        open: OpenSeason,
        number: usize,
        bots: usize,
        sandbox: &Sandbox,
        components: &Components<'_>,
    ) -> Result<PlannedRun, Error> {
        let JournalContent { name, tournament, stages, entries, seeds, .. } = &self.content;
        // A journal without names, as a club's, says nothing of what bots call themselves.
        let named = |bot: &BotId| components.find(bot).filter(|_| !bot.name.is_empty());
        let known = |bot: &BotId| BotId {
            name: named(bot).map_or(&bot.name, |contestant| &contestant.id.name).clone(),
            ..bot.clone()
        };
        let bots: Vec<BotId> = tournament.bots[..bots].iter().map(known).collect();
        let (mut contestants, mut seats) = (Vec::new(), vec![None; bots.len()]);
        for entrant in &entries[number - 1].entrants {
            // A bot that has not played need not be there.
            let Some(contestant) = components.find(&bots[entrant.bot]) else { continue };
            let id = BotId { label: entrant.label.clone(), ..bots[entrant.bot].clone() };
            seats[entrant.bot] = Some(contestants.len());
            contestants.push(Contestant { id, ..contestant.clone() });
        }
        let options = &open.options.game;
        let rules = plan::rules(options, Some(tournament.conditions.rules.clone()), &contestants)?;
        let recorded = seeds[number - 1].recorded;
        let seed = RunSeed { seed: self.seeds[number - 1], recorded };
        let jobs = arena_players::jobs(options.jobs);
        let plan = Plan::of(rules, sandbox.engine_hash(), seed, &options.limits, jobs);
        let season = tournament.conditions.seed;
        let now = Conditions { seed: season, ..plan.conditions.clone() };
        if let Some(difference) = tournament.difference(&now) {
            return Err(Mistake::OtherConditions { journal: name.clone(), difference }.into());
        }
        Ok(PlannedRun {
            open,
            plan,
            seed: DrawnSeed { run: seed, season, secret: None },
            roster: Roster { contestants, refused: Vec::new(), failed: Vec::new() },
            season: Season::again(
                bots,
                stages[number - 1].clone(),
                entries[number - 1].clone(),
                number,
                seats,
            ),
            notes: Vec::new(),
            component_bytes_max: sandbox.limits().component_bytes_max as u64,
        })
    }

    /// Reveals the seed, if it was revealed.
    fn reveal(&self, path: &Path) -> Result<(), Error> {
        let JournalContent { name, tournament, entries, revealed_seed, .. } = &self.content;
        let (Some(seed), Some(latest)) = (revealed_seed, entries.last()) else { return Ok(()) };
        let refuse = |error| failure(name, error);
        let Tournament { conditions, bots } = tournament.clone();
        let mut writer = Writer::open(path, &Tournament { conditions, bots }, latest).map_err(refuse)?;
        writer.tell_seed(*seed).map_err(refuse)
    }

    /// The comparison with the journal that was written.
    fn compared(&self, path: &Path, is_by_clock: bool) -> Result<PlayedAgain, Error> {
        let JournalContent { name, tournament, known, numbers, head, .. } = &self.content;
        let refuse = |error| failure_to_read(name, error);
        let again = Reader::open(path).map_err(refuse)?;
        let difference = self.reader.first_difference(&again).map_err(refuse)?.map(|link| {
            let number = link.here.as_ref().and_then(|row| row.game());
            let game = numbers.iter().find(|(_, its)| Some(**its) == number).map(|(fixture, _)| {
                let [first, second] = fixture.seats.map(|bot| tournament.bots[bot].label.to_string());
                (first, second, fixture.game)
            });
            AgainDifference { link, game, is_by_clock }
        });
        Ok(PlayedAgain {
            games: known.len(),
            by_clock: self.by_clock.keys().copied().collect(),
            head: head.clone().expect("it was checked when the journal was read"),
            difference,
        })
    }
}

/// The components of a roster, by their hashes.
struct Components<'a>(HashMap<&'a str, &'a Contestant>);

impl<'a> Components<'a> {
    fn of(roster: &'a Roster) -> Self {
        Self(
            roster.contestants.iter().map(|contestant| (contestant.id.sha256.as_str(), contestant)).collect(),
        )
    }

    /// The contestant with the component of a bot.
    fn find(&self, bot: &BotId) -> Option<&'a Contestant> {
        self.0.get(bot.sha256.as_str()).copied()
    }
}

/// An error about the temporary journal, with the next step for it: nothing of it is kept.
fn of_temporary(error: Error, path: &Path) -> Error {
    match error {
        Error::Machine { what, cause, .. } if what.starts_with(shown(path).as_str()) => Error::machine(
            "cannot write the temporary journal",
            cause,
            "make room, or set TMPDIR to another folder",
        ),
        error => error,
    }
}

/// Compares each game with that of the journal.
struct Comparing<'a> {
    known: &'a crate::stored::Known,
    each_game: &'a mut dyn FnMut(),
    /// True if one has another result.
    differs: bool,
    /// True if a clock has decided that one.
    is_by_clock: bool,
    failed: Option<HostError>,
}

impl Observer for Comparing<'_> {
    fn game(&mut self, game: &GameSummary, played: Option<&Played>, _: &Results) -> ControlFlow<()> {
        match (&game.result, played) {
            (Err(error), _) => self.failed = Some(error.clone()),
            // Not played, because a bot of it is disqualified.
            (Ok(_), None) => return ControlFlow::Continue(()),
            (Ok(result), Some(_)) => {
                (self.each_game)();
                let there = self.known.get(&game.fixture).map(|(_, there)| there);
                if there == Some(result) {
                    return ControlFlow::Continue(());
                }
                self.differs = true;
                self.is_by_clock = !result.reproducible;
            }
        }
        ControlFlow::Break(())
    }
}
