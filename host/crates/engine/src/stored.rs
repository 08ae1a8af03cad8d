//! A journal's content, the season that follows from it, and the season's end.

mod failures;

pub(crate) use failures::notes;
pub use failures::{failure, failure_to_read, log_note, uncounted};

use crate::counted_games::CountedGames;
use crate::error::Error;
use crate::game_file;
use crate::games::{FilteredGame, GameFilter};
use crate::mistake::Mistake;
use crate::ranking::Ranking;
use crate::season;
use crate::seed::{self, SecretFile, StageSeed};
use crate::tournament::{Contest, GameSummary, Results, Settings, Stage};
use arena_league::{Fixture, GAMES_MAX};
use arena_record::{GameResult, RecordedSeed, Seed};
use arena_store::{
    ChainHead, Content, GameKey, JournalError, Moment, Pass, Reader, Tournament, Trail, Writer,
};
use arena_text::{ShownPath, shown};
use std::collections::HashMap;
use std::path::Path;

/// The games of a journal: the result of each, and the number of its stage.
pub type Known = HashMap<Fixture, (usize, GameResult)>;

/// The place of a game in its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePlace {
    /// The number of the stage in which it was played, from 1.
    pub stage: usize,
    /// The number of the game in the order in which the journal was written, from 1.
    pub number: u64,
}

/// The content of a journal before anything is worked out from it.
#[derive(Clone)]
pub struct JournalContent {
    /// The file.
    pub name: ShownPath,
    /// The conditions, and all bots that have ever played, with their first labels.
    pub tournament: Tournament,
    /// The stages.
    pub stages: Vec<Stage>,
    /// The same as the journal has them.
    pub entries: Vec<arena_store::Stage>,
    /// The results.
    pub known: Known,
    /// The seed of each stage.
    pub seeds: Vec<StageSeed>,
    /// The seed, revealed when the season was closed; `None` before.
    pub revealed_seed: Option<Seed>,
    /// The moments at which stages began and games were added.
    pub moments: Vec<Moment>,
    /// The end of their side chain, if they have one.
    pub clock: Option<ChainHead>,
    /// The trail of the workers that have played for it.
    pub trail: Trail,
    /// The end of the chain of hashes; `None` when the content was cut before its first stage.
    pub head: Option<ChainHead>,
    /// The number in the journal of each game.
    pub numbers: HashMap<Fixture, u64>,
    /// True if the write-ahead log of the file is missing, so that games may be missing.
    pub lacks_log: bool,
}

impl JournalContent {
    /// The note about a missing log; `None` when it is not missing.
    pub fn log_note(&self) -> Option<String> {
        self.lacks_log.then(|| log_note(&self.name))
    }

    /// Reads the journal at this path; `None` when no run has begun it.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read_begun(path: &Path) -> Result<Option<Self>, Error> {
        let name = shown(path);
        let begun = Reader::open_begun(path)
            .and_then(|reader| reader.map(|reader| Self::of(&reader, &name)).transpose());
        begun.map_err(|error| failure(&name, error))
    }

    /// Reads a journal, which another process may be writing.
    ///
    /// # Errors
    /// The reason why it cannot be read, or that no run has begun it.
    pub fn read(path: &Path) -> Result<(Self, Reader), Error> {
        let name = shown(path);
        let refuse = |error| failure_to_read(&name, error);
        let reader = Reader::open(path).map_err(refuse)?;
        let journal_content = Self::of(&reader, &name).map_err(refuse)?;
        if journal_content.stages.is_empty() {
            return Err(Mistake::NoGames { journal: name }.into());
        }
        Ok((journal_content, reader))
    }

    fn of(reader: &Reader, name: &ShownPath) -> Result<Self, JournalError> {
        let ((known, numbers), content) = reader.read_games(known)?;
        let stages = content.stages.iter().map(stage).collect::<Result<Vec<_>, _>>()?;
        if let Some(planned) = season::too_many_games(&stages) {
            return Err(too_many_games(planned));
        }
        Ok(Self { known, numbers, ..Self::without_games(reader, name, content, stages)? })
    }

    /// The content with these stages, and no games.
    fn without_games(
        reader: &Reader,
        name: &ShownPath,
        content: Content,
        stages: Vec<Stage>,
    ) -> Result<Self, JournalError> {
        let Content { mut tournament, stages: entries, moments, clock, revealed_seed, trail, head, .. } =
            content;
        game_file::give_code(reader, &mut tournament.conditions)?;
        let seeds = StageSeed::of_all(&tournament, &entries, revealed_seed);
        Ok(Self {
            name: name.clone(),
            tournament,
            stages,
            entries,
            known: Known::new(),
            seeds,
            revealed_seed,
            moments,
            clock,
            trail,
            head: Some(head),
            numbers: HashMap::new(),
            lacks_log: reader.lacks_log(),
        })
    }

    /// The bots that are disqualified when a stage with this limit begins.
    pub fn disqualified(&self, max_faults: Option<u32>) -> Vec<usize> {
        self.contest().disqualified(max_faults)
    }

    /// The contest after all stages.
    fn contest(&self) -> Contest {
        recalled(self.tournament.bots.len(), &self.stages, &self.known)
    }

    /// The settings of the latest stage, if there is one.
    pub fn settings(&self) -> Option<&Settings> {
        self.stages.last().map(|stage| &stage.settings)
    }
}

/// The error about stages that plan this number of games.
pub(crate) fn too_many_games(planned: usize) -> JournalError {
    let problem = format!("they plan {planned} games, and a season has at most {GAMES_MAX}");
    JournalError::damaged("the stages", problem)
}

/// A stage of a journal. The reader has checked that its bots exist.
pub(crate) fn stage(entry: &arena_store::Stage) -> Result<Stage, JournalError> {
    let damaged = |problem: String| JournalError::damaged("a stage", problem);
    let settings: Settings =
        serde_json::from_str(&entry.settings).map_err(|error| damaged(error.to_string()))?;
    let field: Vec<usize> = entry.entrants.iter().map(|entrant| entrant.bot).collect();
    Stage::new(settings, field).map_err(|error| damaged(error.to_string()))
}

/// The contest between this number of bots after the first stages of a season, of which the known games count.
pub fn recalled(bots: usize, stages: &[Stage], known: &Known) -> Contest {
    let mut contest = Contest::new(bots);
    recall(&mut contest, 1, stages, known);
    contest
}

/// Counts the known games of these stages, without playing. The first of them has this number.
pub fn recall(contest: &mut Contest, first: usize, stages: &[Stage], known: &Known) {
    for (number, stage) in (first..).zip(stages) {
        contest.recall(stage, |fixture| {
            let known = known.get(&fixture).filter(|(played_in, _)| *played_in <= number);
            known.map(|(_, result)| result.clone())
        });
    }
}

/// The content of a journal, with everything that follows from it.
pub struct StoredSeason {
    /// The content without its games, which are in `places` and `results`. Its conditions have the seed of the latest stage, and its bots
    /// their labels of today.
    pub content: JournalContent,
    /// The newest version of each bot: the bot that has its label now, which may be itself.
    pub newest: Vec<usize>,
    /// The settings of the latest stage.
    pub settings: Settings,
    /// The place of each game that was played.
    pub places: HashMap<Fixture, GamePlace>,
    /// The number of games that the journal has, by stage.
    pub kept: Vec<usize>,
    /// The results.
    pub results: Results,
    /// The entry of the season's seed: the hash of its secret, or the seed of its first stage.
    pub seed: RecordedSeed,
    /// The notes about games that may be missing, and about those that are kept and do not count.
    pub notes: Vec<String>,
}

impl StoredSeason {
    /// The standings.
    pub fn ranking(&self) -> Ranking<'_> {
        Ranking::new(&self.settings, &self.content.tournament.bots, &self.results)
    }

    /// The games that a filter allows, in its order.
    pub fn games(&self, filter: &GameFilter) -> Vec<FilteredGame<'_>> {
        filter.of(&self.results, &self.ranking().ratings)
    }

    /// The time at which a stage began; `None` when there is no such stage.
    pub fn begun(&self, stage: usize) -> Option<&str> {
        begun(&self.content.moments, stage)
    }

    /// The seed of the latest stage, if it has been revealed.
    pub fn revealed(&self) -> Option<Seed> {
        self.content.seeds.last().and_then(|latest| latest.revealed)
    }

    /// The seed, as records have it, of the stage in which a game was played.
    pub fn seed_of(&self, fixture: &Fixture) -> Option<&StageSeed> {
        self.content.seeds.get(self.places.get(fixture)?.stage - 1)
    }

    /// Reads a journal, which another process may be writing.
    ///
    /// # Errors
    /// The reason why it cannot be read, or that no run has begun it.
    pub fn read(path: &Path) -> Result<(Self, Reader), Error> {
        let mut places = HashMap::new();
        let (mut season, reader) = Self::read_with(path, true, |game, place| {
            place.map(|place| places.insert(game.fixture, place));
        })?;
        season.places = places;
        Ok((season, reader))
    }

    /// The same, and `each` is called for each game, in the order of the schedule, with its place if it was played. The season has no places,
    /// and of the games only those that the sums do not cover: so it needs little memory.
    ///
    /// # Errors
    /// As those of [`StoredSeason::read`].
    pub fn read_each(
        path: &Path,
        each: impl FnMut(&GameSummary, Option<GamePlace>),
    ) -> Result<(Self, Reader), Error> {
        Self::read_with(path, false, each)
    }

    /// Reads a journal, and keeps all of its games or only those that the sums do not cover.
    fn read_with(
        path: &Path,
        keeps_all: bool,
        each: impl FnMut(&GameSummary, Option<GamePlace>),
    ) -> Result<(Self, Reader), Error> {
        let name = shown(path);
        let refuse = |error| failure_to_read(&name, error);
        let reader = Reader::open(path).map_err(refuse)?;
        let counted = reader.read_games(|pass| CountedGames::of(pass, keeps_all, each));
        let (mut counted, content) = counted.map_err(refuse)?;
        let stages = std::mem::take(&mut counted.stages);
        if stages.is_empty() {
            return Err(Mistake::NoGames { journal: name }.into());
        }
        let kept = std::mem::take(&mut counted.kept);
        let results = counted.into_results(&content.tournament);
        let content = JournalContent::without_games(&reader, &name, content, stages).map_err(refuse)?;
        Ok((Self::with(content, HashMap::new(), kept, results), reader))
    }

    /// The same as [`StoredSeason::read`], as the journal was at a moment if one is given.
    ///
    /// # Errors
    /// The reason why it cannot be read, or that no stage had begun then.
    pub fn read_at(path: &Path, at: Option<&At>) -> Result<(Self, Reader), Error> {
        let Some(at) = at else { return Self::read(path) };
        let (mut journal_content, reader) = JournalContent::read(path)?;
        journal_content.cut(at, &reader)?;
        Ok((Self::of(journal_content), reader))
    }

    /// The season of a journal after each of its stages, as far as it was played, and the note about its missing log. One is in memory at a
    /// time.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn history(path: &Path) -> Result<(Option<String>, impl Iterator<Item = Self>), Error> {
        let (journal_content, reader) = JournalContent::read(path)?;
        let note = journal_content.log_note();
        let stages = (1..=journal_content.stages.len()).map(move |stage| {
            let mut journal_content = journal_content.clone();
            journal_content
                .cut(&At::Stage(stage), &reader)
                .expect("the journal has the stage, and has been read");
            Self::of(journal_content)
        });
        Ok((note, stages))
    }

    pub(crate) fn of(mut content: JournalContent) -> Self {
        let results = content.contest().into_results();
        let numbers = std::mem::take(&mut content.numbers);
        let place = |(fixture, (stage, _)): (Fixture, (usize, GameResult))| {
            (fixture, GamePlace { stage, number: numbers[&fixture] })
        };
        let places: HashMap<_, GamePlace> =
            std::mem::take(&mut content.known).into_iter().map(place).collect();
        let mut kept = vec![0; content.entries.len()];
        places.values().for_each(|place| kept[place.stage - 1] += 1);
        Self::with(content, places, kept, results)
    }

    /// The season of a journal with these games and results, which the content does not have.
    fn with(
        mut content: JournalContent,
        places: HashMap<Fixture, GamePlace>,
        kept: Vec<usize>,
        results: Results,
    ) -> Self {
        let settings = *content.settings().expect("a journal that is read has a stage");
        let seed = content.tournament.conditions.seed;
        content.tournament.conditions.seed = content.seeds.last().map_or(seed, |latest| latest.recorded);
        let newest = season::label_versions(&mut content.tournament.bots, &content.entries);
        let notes = notes(&content.name, content.lacks_log, kept.iter().sum(), results.sums.played);
        Self { content, places, kept, newest, settings, results, seed, notes }
    }
}

/// The time at which a stage began; `None` when there is no such stage.
fn begun(moments: &[Moment], stage: usize) -> Option<&str> {
    moments.iter().find(|moment| moment.stage == stage).map(|moment| moment.at.as_str())
}

/// A moment of a season that is past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The end of the stage with this number, as far as it was played.
    Stage(usize),
    /// The end of a day, an hour, a minute or a second, in UTC: the beginning of `2026-01-31T12:00:00Z`.
    Time(String),
}

impl JournalContent {
    /// Cuts what came after a moment.
    fn cut(&mut self, at: &At, reader: &Reader) -> Result<(), Error> {
        // The stages and the number of moments that stay, and the first game that does not.
        let (stages, moments, end) = match at {
            At::Stage(stage) => {
                let moments = self.moments.iter().take_while(|moment| moment.stage <= *stage).count();
                (*stage, moments, u64::MAX)
            }
            At::Time(text) => {
                let is_later =
                    |moment: &Moment| &moment.at[..text.len().min(moment.at.len())] > text.as_str();
                match self.moments.iter().position(is_later) {
                    None => (self.stages.len(), self.moments.len(), u64::MAX),
                    Some(place) => {
                        let later = &self.moments[place];
                        let is_first = begun(&self.moments, later.stage) == Some(&later.at);
                        (later.stage - usize::from(is_first), place, later.game)
                    }
                }
            }
        };
        let count = self.stages.len();
        if stages == 0 || stages > count && matches!(at, At::Stage(_)) {
            let journal = self.name.clone();
            let mistake = match (at, begun(&self.moments, 1)) {
                (At::Time(at), Some(first)) => {
                    Mistake::BeforeFirstStage { journal, at: at.clone(), first: first.into() }
                }
                _ => Mistake::NoSuchStage { journal, stages: count },
            };
            return Err(mistake.into());
        }
        self.stages.truncate(stages);
        self.entries.truncate(stages);
        self.seeds.truncate(stages);
        let (known, numbers) = (&mut self.known, &mut self.numbers);
        known.retain(|fixture, (stage, _)| *stage <= stages && numbers[fixture] < end);
        numbers.retain(|fixture, _| known.contains_key(fixture));
        self.moments.truncate(moments);
        let bots = self.entries.iter().flat_map(|stage| &stage.entrants).map(|entrant| entrant.bot + 1).max();
        self.tournament.bots.truncate(bots.unwrap_or(0));
        // The seed of a season is revealed after its last game, at a time that is not recorded: such a head does not belong to
        // one of the games.
        let head = reader.head_after(self.numbers.len(), self.stages.len());
        self.head = head.map_err(|error| failure_to_read(&self.name, error))?;
        Ok(())
    }
}

/// Closes a season: reveals its secret seed in the journal, or repeats the open one, and removes the file of the secret. No run
/// continues a closed season. Unless `unfinished`, all games of its schedule have to be played.
///
/// # Errors
/// A season that is closed or not played to its end, a secret that is lost, or a journal that cannot be written: nothing is
/// revealed then.
pub fn close_season(path: &Path, unfinished: bool) -> Result<StoredSeason, Error> {
    let name = shown(path);
    let (journal_content, _) = JournalContent::read(path)?;
    if let Some(note) = journal_content.log_note() {
        return Err(Mistake::NoLog { note }.into());
    }
    if journal_content.revealed_seed.is_some() {
        return Err(Mistake::SeasonClosed { journal: name, again: true }.into());
    }
    let Results { games_planned, sums, complete, .. } = journal_content.contest().into_results();
    if !complete && !unfinished {
        return Err(Error::Mistake(Mistake::SeasonUnfinished {
            journal: name,
            played: sums.played,
            planned: games_planned,
        }));
    }
    let JournalContent { tournament, entries, .. } = journal_content;
    let recorded = tournament.conditions.seed;
    let secret = recorded.open().map_or_else(|| seed::secret_of(path, recorded), Ok)?;
    let latest = entries.last().expect("a journal that is read has a stage");
    let mut writer = Writer::open(path, &tournament, latest).map_err(|error| failure(&name, error))?;
    writer.tell_seed(secret).map_err(|error| {
        Error::machine(
            format!("{name}: cannot be written; all games are kept, and the season is not closed"),
            error,
            "make room, or check the disk, and close it again",
        )
    })?;
    drop(writer);
    SecretFile::of(path).remove();
    StoredSeason::read(path).map(|(kept, _)| kept)
}

/// The games of a journal, and the number of each.
fn known(pass: &mut Pass<'_>) -> Result<(Known, HashMap<Fixture, u64>), JournalError> {
    let (mut known, mut numbers) = (Known::new(), HashMap::new());
    while let Some(game) = pass.next_game()? {
        let fixture = fixture(game.key);
        numbers.insert(fixture, game.number);
        known.insert(fixture, (game.stage, game.result));
    }
    Ok((known, numbers))
}

pub(crate) fn fixture(key: GameKey) -> Fixture {
    Fixture { seats: key.seats, pair: key.pair, game: key.game }
}
