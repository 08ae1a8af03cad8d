//! A run: a stage of a season is played, into its journal if it has one.
//!
//! [`PreparedRun`] reads the options and the journal, [`PlannedRun`] adds the bots, and [`Run`] plays.

use crate::archive::Archive;
use crate::builtin;
use crate::control::Control;
use crate::error::Error;
use crate::faults::Faults;
use crate::journal::Journal;
use crate::kept_bots::KeptBots;
use crate::open_season::{OpenSeason, PlayedStage};
use crate::plan::{self, GameOptions, TournamentOptions};
use crate::ranking::Ranking;
use crate::roster::Roster;
use crate::round::RoundQueue;
use crate::season::Season;
use crate::seed::{DrawnSeed, SeedChoice, SeedSource};
use crate::seeding;
use crate::stored::{JournalContent, Known};
use crate::tournament::{Contest, Delivery, GameSummary, Receiver, Results, RoundGames, Source};
use arena_league::{Fixture, Format};
use arena_players::worker_pool::Workers;
use arena_players::{Contestant, Plan, Played, Processes, Runner, Session, Watcher};
use arena_record::{Beacon, BotId, Label};
use arena_rules::GameRules;
use arena_sandbox::{Sandbox, SandboxLimits};
use arena_store::{ChainHead, Trail, TrailEntry};
use arena_text::RecordingName;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The options of a run. Omitted ones have their default, or the journal's value.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The game and its limits.
    pub game: GameOptions,
    /// The tournament.
    pub tournament: TournamentOptions,
    /// The random seed of the stage. Default: a fresh one, or that of the continued stage.
    pub seed: Option<SeedChoice>,
    /// A public random value that was announced before it was known: the seed follows from it.
    pub beacon: Option<Beacon>,
    /// The journal. It is made, or continued if it exists.
    pub journal: Option<PathBuf>,
    /// True if the journal has to exist.
    pub resumes: bool,
    /// The folder for a transcript of each game.
    pub transcripts: Option<PathBuf>,
    /// The folder for the bots' output.
    pub logs: Option<PathBuf>,
    /// The folder for faults.
    pub faults: Option<PathBuf>,
    /// True if the components of the bots are not kept next to the journal.
    pub forgets_bots: bool,
    /// True if the results include each game, and not only the sums: a million games take some 300 MB. Otherwise, the journal is read
    /// again before another stage.
    pub keeps_each_game: bool,
}

/// A run whose options and journal have been read.
pub struct PreparedRun {
    pub(crate) season: OpenSeason,
    pub(crate) rules: Option<GameRules>,
    pub(crate) seed: SeedSource,
}

/// A run whose bots are known. Nothing has been written.
pub struct PlannedRun {
    pub(crate) open: OpenSeason,
    /// The plan of all games.
    pub plan: Plan,
    /// The seed of the stage and of the season.
    pub seed: DrawnSeed,
    /// The bots, in their order, and the files that were not admitted.
    pub roster: Roster,
    /// The season, and the stage of it that is played.
    pub season: Season,
    /// Notes for the organiser.
    pub notes: Vec<String>,
    pub(crate) component_bytes_max: u64,
}

/// A run that can be played.
pub struct Run {
    planned: PlannedRun,
    contest: Contest,
    games_planned: usize,
    archive: Archive,
    faults: Faults,
    journal: Journal,
}

/// An observer of the games of a run, in the order of the schedule. It is called on the thread that calls [`Run::play`].
pub trait Observer {
    /// A game has been kept, and counts. `played` is present if it was played now; `results` are those before it.
    /// Returning [`ControlFlow::Break`] ends the run.
    fn game(&mut self, _game: &GameSummary, _played: Option<&Played>, _results: &Results) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// All games that were kept together have been passed to [`game`](Self::game). Returning [`ControlFlow::Break`] ends the run.
    fn after_batch(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// An observer that does nothing.
impl Observer for () {}

/// A supplier of games that were played: by processes of this machine, or by workers on others. It hands over refereed games.
pub trait Supplier: Sync {
    /// Has games played, as one of several threads, until no game is left for it.
    fn supply(&self, games: &RoundQueue<'_, '_>);

    /// The number of games that may be taken before the first of them is kept, if it is more than the default.
    fn lead(&self) -> usize {
        0
    }

    /// All games up to this number are kept.
    fn kept(&self, _number: usize) {}

    /// No more games of the run will be asked for.
    fn over(&self) {}

    /// The events of workers since the last call, for the trail of the journal. They are written before the games that are kept
    /// after that.
    fn trail(&self) -> Vec<TrailEntry> {
        Vec::new()
    }
}

/// The processes of this machine, or its threads where there are no processes.
pub struct Local(Option<Processes>);

/// A function that returns the watcher of a game, by its number.
pub type Watch<'a> = dyn Fn(usize) -> Option<Box<dyn Watcher + 'a>> + Sync + 'a;

impl Local {
    /// Starts processes for the remaining games of a run. If `is_live`, they send each answer at once, for watchers.
    ///
    /// # Errors
    /// They cannot be started.
    pub fn start(sandbox: &Sandbox, run: &Run, is_live: bool) -> Result<Self, Error> {
        let planned = &run.planned;
        let at_once = planned.plan.jobs.min(run.games_left());
        let session = Session::of(&planned.plan, is_live);
        Ok(Self(Processes::start(sandbox, planned.runner().bots(), &session, at_once)?))
    }

    /// No processes, for a run that plays no game.
    pub(crate) const fn here() -> Self {
        Self(None)
    }
}

impl Supplier for Local {
    fn supply(&self, games: &RoundQueue<'_, '_>) {
        match &self.0 {
            Some(processes) => {
                processes.work_if_there_is_room(games);
            }
            None => games.play_here(),
        }
    }
}

impl PreparedRun {
    /// Reads the options, and the journal if it exists.
    ///
    /// # Errors
    /// A mistake in them, or a journal that cannot be continued.
    pub fn new(options: RunOptions) -> Result<Self, Error> {
        let tournament = options.tournament.clone();
        OpenSeason::read(options)?.stage(tournament)
    }

    /// The number of games at the same time.
    pub fn jobs(&self) -> usize {
        arena_players::jobs(self.season.options.game.jobs)
    }

    /// The paths of its bots, of which a built-in one may be another in its game.
    pub fn paths(&self, bots: Vec<PathBuf>) -> Vec<PathBuf> {
        builtin::in_game(self.rules.as_ref(), bots)
    }

    /// The limits of the sandbox for its bots.
    pub fn sandbox_limits(&self) -> SandboxLimits {
        self.season.options.game.limits.sandbox(self.jobs())
    }

    /// Keeps the last version of each bot in play whose new file was refused, if the journal's components were kept. Returns notes
    /// on them for the organiser.
    ///
    /// # Errors
    /// A component that cannot be read.
    pub fn restore(&self, sandbox: &Sandbox, roster: &mut Roster) -> Result<Vec<String>, Error> {
        match (&self.season.content, &self.season.options.journal) {
            (Some(content), Some(journal)) => roster.restore(sandbox, content, &KeptBots::of(journal)),
            _ => Ok(Vec::new()),
        }
    }

    /// Refuses the bots of a roster whose types are not those of a loaded game, before the run is planned.
    ///
    /// # Errors
    /// The game cannot be loaded, or a failure of the arena.
    pub fn refuse_other_types(&self, roster: &mut Roster) -> Result<(), Error> {
        self.rules.as_ref().map_or(Ok(()), |rules| roster.refuse_other_types(rules))
    }

    /// Plans the run between the bots of a roster, which this sandbox has admitted.
    ///
    /// # Errors
    /// Bots that cannot play each other, or not in this journal.
    pub fn plan(self, sandbox: &Sandbox, mut roster: Roster) -> Result<PlannedRun, Error> {
        let Self { season: open, rules, seed } = self;
        let OpenSeason { options, content, played } = &open;
        let mut notes = roster.note_namesakes();
        notes.extend(content.as_ref().and_then(JournalContent::log_note));
        let before = content.as_ref().and_then(JournalContent::settings);
        // A journal that was begun keeps its order, because the folder may have grown.
        if let (Some(seeding), None) = (&options.tournament.seeding, before) {
            notes.push(seeding::order(&mut roster.contestants, seeding)?);
        }
        let rules = plan::rules(&options.game, rules, &roster.contestants)?;
        let settings = plan::settings(&options.tournament, before, roster.contestants.len());
        if let Some(content) = content {
            let out = |max_faults| match played {
                Some(played) => played.contest.disqualified(max_faults),
                None => content.disqualified(max_faults),
            };
            notes.extend(Season::leave_out(content, &mut roster.contestants, &settings, out));
        }
        let contestants = &roster.contestants;
        // For a gauntlet, the user names the challengers first, and for neighbours the strongest; the bracket of a knockout is drawn
        // once.
        let is_of_order = matches!(settings.format, Format::Gauntlet { .. } | Format::Neighbours { .. });
        let keeps_order = options.tournament.format.is_none() || !(is_of_order || settings.resting > 0);
        let mut season = Season::new(content.as_ref(), contestants, settings, keeps_order)?;
        // Only now, so that no admitted bot can be made for it.
        let seed = seed.draw(&mut season, content.as_ref())?;
        let plan = Plan::of(
            rules,
            sandbox.engine_hash(),
            seed.run,
            &options.game.limits,
            arena_players::jobs(options.game.jobs),
        );
        let component_bytes_max = sandbox.limits().component_bytes_max as u64;
        Ok(PlannedRun { open, plan, seed, roster, season, notes, component_bytes_max })
    }
}

impl PlannedRun {
    /// The runner of all games.
    pub fn runner(&self) -> Runner<'_> {
        let RunOptions { journal, transcripts, faults, .. } = &self.open.options;
        Runner {
            plan: &self.plan,
            contestants: &self.roster.contestants,
            keeps_transcripts: transcripts.is_some() || faults.is_some(),
            keeps_journal: journal.is_some(),
        }
    }

    /// The trail of the workers that have played for the journal before.
    pub fn trail(&self) -> Option<&Trail> {
        self.open.content.as_ref().map(|content| &content.trail)
    }

    /// The season, if the stage is not played.
    pub fn into_season(self) -> OpenSeason {
        self.open
    }

    /// Opens the journal and the folders.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn open(mut self) -> Result<Run, Error> {
        let OpenSeason { options, content, played } = &mut self.open;
        let (journal, mut contest) = match played.take() {
            Some(PlayedStage { mut contest, mut journal }) => {
                journal.enter(&self.season)?;
                contest.enter(self.season.bots.len(), self.season.resumes);
                (journal, contest)
            }
            None => {
                let known = content.as_mut().map_or_else(Known::new, JournalContent::take_games);
                let path = options.journal.as_deref();
                let journal = Journal::open(path, &self.plan.conditions, &self.seed, &self.season, known)?;
                let stages = content.as_ref().map_or(&[][..], |content| &content.stages);
                let contest = journal.contest(&self.season, &stages[..self.season.number - 1]);
                self.notes.extend(journal.note(&self.season, &contest));
                (journal, contest)
            }
        };
        if let (Some(path), false) = (&options.journal, options.forgets_bots) {
            let kept = KeptBots::of(path);
            for Contestant { id, path, file, .. } in &self.roster.contestants {
                if !kept.keep(path, &id.sha256, self.component_bytes_max)? {
                    self.notes.push(format!(
                        "{}: has changed since it was admitted, so no copy of it is kept",
                        file.as_str()
                    ));
                }
            }
        }
        let games_planned = contest.games_planned(&self.season.stage);
        let RunOptions { transcripts, logs, faults, keeps_each_game, .. } = options;
        let archive = Archive::open(transcripts.as_deref(), logs.as_deref(), games_planned)?;
        let faults = Faults::open(faults.as_deref())?;
        if !*keeps_each_game {
            contest.sum_up();
        }
        Ok(Run { planned: self, contest, games_planned, archive, faults, journal })
    }
}

impl Run {
    /// The plan, the bots and the season.
    pub fn planned(&self) -> &PlannedRun {
        &self.planned
    }

    /// The season after the stage, which stays open for another one. `None` if the journal has to be read again for it: if the results
    /// do not include each game, or are not those of the journal, because a game has failed, for example.
    pub fn into_season(self) -> Option<OpenSeason> {
        let Self { planned, contest, journal, .. } = self;
        OpenSeason::after(planned, contest, journal)
    }

    /// The number of games of the season, as far as it was known when the run began.
    pub fn games_planned(&self) -> usize {
        self.games_planned
    }

    /// The results so far.
    pub fn results(&self) -> &Results {
        self.contest.results()
    }

    /// The standings so far.
    pub fn ranking(&self) -> Ranking<'_> {
        let Season { stage, bots, .. } = &self.planned.season;
        Ranking::new(&stage.settings, bots, self.results())
    }

    /// All bots of the season, by their numbers in the results.
    pub fn bots(&self) -> &[BotId] {
        &self.planned.season.bots
    }

    /// The end of the journal's chain of hashes, if there is a journal.
    pub fn head(&self) -> Option<ChainHead> {
        self.journal.head()
    }

    /// The note about folders of faults that were not made; `None` when all were.
    pub fn note_on_faults(&self) -> Option<String> {
        self.faults.note()
    }

    /// The place of the transcript of a game.
    pub fn transcript_of(&self, number: usize, labels: [&Label; 2]) -> RecordingName {
        self.archive.transcript_of(number, labels)
    }

    /// True if all games have been played and have a result.
    pub fn is_over(&self) -> bool {
        let results = self.results();
        results.complete && results.games.iter().all(|game| game.result.is_ok())
    }

    fn games_left(&self) -> usize {
        self.games_planned.saturating_sub(self.results().sums.played)
    }

    /// Plays the games that the journal does not have, on one thread for each job. Each game is kept, then passed to the
    /// observer, then counted. It ends when all are played, when it is cancelled, or when the observer breaks.
    ///
    /// # Errors
    /// The games cannot be kept. Those before are.
    pub fn play(
        &mut self,
        supplier: &dyn Supplier,
        watch: &Watch<'_>,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        self.play_but(supplier, watch, control, observer, &|_| None)
    }

    /// The same as [`play`](Self::play), but a game is not played if `instead` has something for it.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn play_but(
        &mut self,
        supplier: &dyn Supplier,
        watch: &Watch<'_>,
        control: &Control,
        observer: &mut dyn Observer,
        instead: &(dyn Fn(Fixture) -> Option<Source> + Sync),
    ) -> Result<(), Error> {
        let Self { planned, contest, archive, faults, journal, .. } = self;
        let (known, writer) = journal.split();
        let keeps_file = planned.open.options.transcripts.is_some();
        let tells_faults = planned.open.options.faults.is_some();
        // A game that waits for those before it, one of which may be slow.
        let ready = |mut played: Played| {
            let is_told = tells_faults && !played.result.faults.is_empty();
            if !keeps_file && !is_told {
                played.transcript = None;
            }
            Source::Played(Box::new(played))
        };
        let known = |fixture| {
            let known = known.get(&fixture).map(|(_, result)| Source::Taken(result.clone()));
            known.or_else(|| instead(fixture))
        };
        let (runner, season) = (planned.runner(), &planned.season);
        let work = |games: &RoundGames<'_>| {
            let queue = RoundQueue { games, runner, season, control, watch, known: &known, ready: &ready };
            supplier.supply(&queue);
        };
        let lead = || supplier.lead();
        let workers_of = Workers::from(planned.plan.jobs).ahead(&lead);
        let keep = |games: &[Delivery]| {
            if let Err(error) = writer.note(&supplier.trail()) {
                return (0, Err(error));
            }
            let file = |game: &Delivery| match &game.played {
                Some(played) => archive.keep(&game.summary, played).and_then(|()| {
                    let name = archive.number(game.summary.number);
                    let file = |bot| planned.roster.contestants[season.contestant(bot)].file.as_str();
                    faults.keep(&name, played, game.summary.fixture.seats.map(file))
                }),
                None => Ok(()),
            };
            let filed =
                games.iter().map(file).enumerate().find_map(|(place, filed)| Some((place, filed.err()?)));
            let of_files = filed.as_ref().map_or(games.len(), |(place, _)| *place);
            let (kept, keeping) = writer.keep(&games[..of_files]);
            if let Some(last) = kept.checked_sub(1) {
                supplier.kept(games[last].summary.number);
            }
            (kept, keeping.and(filed.map_or(Ok(()), |(_, error)| Err(error))))
        };
        let receiver = RunReceiver { keep, observer };
        match contest.play(&season.stage, workers_of, || control.is_cancelled(), work, receiver) {
            Ok(()) | Err(Halt::Observer) => {
                writer.note(&supplier.trail())?;
                writer.settle();
                Ok(())
            }
            Err(Halt::Unkept(error)) => Err(error),
        }
    }
}

/// The reason why the games of a run end early.
enum Halt {
    /// They cannot be kept.
    Unkept(Error),
    /// The observer has had enough.
    Observer,
}

/// Keeps the games of a run, and passes them to the observer.
struct RunReceiver<'a, K> {
    keep: K,
    observer: &'a mut dyn Observer,
}

impl<K: FnMut(&[Delivery]) -> (usize, Result<(), Error>)> Receiver for RunReceiver<'_, K> {
    type Error = Halt;

    const STOPS_AT_GAP: bool = true;

    fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), Halt>) {
        let (kept, keeping) = (self.keep)(games);
        (kept, keeping.map_err(Halt::Unkept))
    }

    fn show(&mut self, game: &GameSummary, played: Option<&Played>, results: &Results) -> Result<(), Halt> {
        go_on(self.observer.game(game, played, results))
    }

    fn shown(&mut self) -> Result<(), Halt> {
        go_on(self.observer.after_batch())
    }
}

fn go_on(flow: ControlFlow<()>) -> Result<(), Halt> {
    if flow.is_continue() { Ok(()) } else { Err(Halt::Observer) }
}
