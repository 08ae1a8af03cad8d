//! The site of a contest: from a journal to a folder of pages.

mod contest;
mod downloads;
mod error;
mod folder;
mod known;

pub use downloads::Downloads;
pub use error::SiteError;

use crate::index::{KeptReplay, Sha256Bytes, sha256};
use crate::layout::Page;
use crate::{Best, Contest, Game, GameFacts, Replays, Report, Reported, facts};
use arena_engine::Error;
use arena_engine::internals::kept_bots::KeptBots;
use arena_engine::internals::logs::{LoggedGame, Logs};
use arena_engine::internals::recordings::{check_kept, unreadable};
use arena_engine::internals::stored::{self, log_note};
use arena_league::Fixture;
use arena_players::worker_pool;
use arena_record::{BotId, KeptGame, Problem, RecordedSeed, Transcript};
use arena_referee::HostError;
use arena_rules::with_game;
use arena_store::{JournalError, Reader, Tournament};
use arena_text::{ShownPath, shown};
use folder::SiteFolder;
use known::Known;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The options of a site.
#[derive(Clone, Debug, Default)]
pub struct SiteOptions {
    /// The title; `None` for the journal's name.
    pub title: Option<String>,
    /// The address at which the site will be, with a `/` at its end, if it is known.
    pub url: Option<String>,
    /// The folder of the bots' logs, which are shown next to the replays.
    pub logs: Option<PathBuf>,
    /// The files that the site offers to download.
    pub downloads: Downloads,
    /// The names that are shown for what the journal says instead: by label, and by the SHA-256 of a component for the bot's own name. Empty
    /// if the journal has the names.
    pub names: HashMap<String, String>,
}

/// Gives a bot of a journal the [names](SiteOptions::names) that are shown.
fn name(names: &HashMap<String, String>, BotId { label, name, sha256 }: &mut BotId) {
    // The labels of older versions end with `@` and a number.
    let (first, rest) = label.as_str().split_at(label.find('@').unwrap_or(label.len()));
    if let Some(shown) = names.get(first) {
        *label = format!("{shown}{rest}").into();
        *name = names.get(sha256.as_str()).map_or("", String::as_str).into();
    }
}

/// A contest that was read from a journal, and the recordings of its games.
pub struct StoredContest {
    /// The contest.
    pub contest: Arc<Contest>,
    games: GameReader,
}

/// The recordings of a contest's games, for any number of workers.
struct GameReader {
    journal: JournalGames,
    /// The place of each game's recording; `None` for games that were not played.
    kept: Vec<Option<KeptAt>>,
    logs: Option<PathBuf>,
    /// As of [`SiteOptions`].
    names: HashMap<String, String>,
    /// The components next to the journal.
    components: KeptBots,
}

/// The place of a game's recording.
#[derive(Clone, Copy)]
struct KeptAt {
    /// The number of the game in the order in which the journal was written.
    number: u64,
    /// The number of the game among the games of its bots, from 1.
    game: u32,
}

impl KeptAt {
    /// The number of its pair among the games of its bots: a journal has no other.
    fn pair(&self) -> u32 {
        (self.game - 1) / 2
    }
}

/// The journal of a contest.
struct JournalGames {
    name: ShownPath,
    tournament: Tournament,
    stages: Vec<arena_store::Stage>,
    /// The seed of each stage.
    seeds: Vec<RecordedSeed>,
    /// The reader that others are made of: the journal is read once.
    first: Mutex<Reader>,
    /// The readers that are not in use, each with the number of recordings that it has read. One reads one recording at a time.
    readers: Mutex<Vec<(Reader, usize)>>,
}

/// The number of recordings that are read before others may begin to write the journal. Chosen: they take about a second if each has a replay.
const GAMES_AT_ONCE: usize = 16;

impl JournalGames {
    fn readers(&self) -> MutexGuard<'_, Vec<(Reader, usize)>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn game(&self, number: u64) -> Result<Option<KeptGame>, JournalError> {
        let free = self.readers().pop();
        let (reader, read) = match free {
            Some(reader) => reader,
            None => (self.first.lock().unwrap_or_else(PoisonError::into_inner).try_clone()?, 0),
        };
        if read.is_multiple_of(GAMES_AT_ONCE) {
            reader.renew()?;
        }
        let game = reader.kept_game(number);
        self.readers().push((reader, read + 1));
        game
    }
}

impl GameReader {
    fn note(&self) -> Option<String> {
        let reader = self.journal.first.lock().unwrap_or_else(PoisonError::into_inner);
        reader.lacks_log().then(|| log_note(&self.journal.name))
    }

    /// The recording of a game, by its index in the contest; `None` when it was not played.
    fn transcript<G: Reported>(
        &self,
        contest: &Contest,
        index: usize,
    ) -> Result<Option<Transcript<G>>, Error> {
        let Game { stage, seats, .. } = contest.games[index];
        let (kept, result) = (self.kept[index], contest.games[index].played());
        let (Some(at), Some(stage), Some(result)) = (kept, stage, result) else {
            return Ok(None);
        };
        let journal = &self.journal;
        let seed = journal.seeds[stage as usize - 1];
        let fixture = Fixture { seats, pair: at.pair(), game: at.game };
        let transcript = match journal.game(at.number) {
            Ok(Some(game)) => game.transcript().and_then(|mut transcript| {
                check_kept(&journal.tournament, fixture, seed, &result.whole(), &transcript)?;
                transcript.header.bots.iter_mut().for_each(|seated| name(&self.names, &mut seated.bot));
                Ok(transcript)
            }),
            Ok(None) => Err("the journal has no recording of it".into()),
            Err(error @ JournalError::Damaged { .. }) => Err(error.to_string().into()),
            Err(error) => return Err(stored::failure_to_read(&journal.name, error)),
        };
        transcript.map(Some).map_err(|problem| self.unreadable(contest, index, &problem))
    }

    /// The logs of a game, if the user names a folder of them.
    fn logs(&self, contest: &Contest, index: usize) -> Result<Logs, Error> {
        let game = &contest.games[index];
        let (Some(folder), Some(stage)) = (&self.logs, game.stage) else { return Ok(Logs::default()) };
        // The files that a run wrote have the labels that the bots had then. Since then, one may have gone to a later version.
        let entrants = &self.journal.stages[stage as usize - 1].entrants;
        let label = |bot: usize| entrants.iter().find(|entrant| entrant.bot == bot).map(|it| &it.label);
        let [Some(first), Some(second)] = game.seats.map(label) else { return Ok(Logs::default()) };
        LoggedGame::Number(Path::new(&game.number.to_string()), [first, second]).logs(Some(folder))
    }

    /// The pages of the replay of a game, by its index in the contest.
    fn pages_of_game<G: Reported>(
        &self,
        contest: &Contest,
        report: &Report<'_>,
        index: usize,
        transcript: &Transcript<G>,
        logs: Logs,
    ) -> Result<[Page; 2], Error> {
        let frames = arena_pictures::frames(transcript, logs)
            .map_err(|error| self.unreadable(contest, index, &error.to_string().into()))?;
        Ok(report.game(index, transcript, frames))
    }

    /// The best game for the front page, by its index in the contest.
    fn best<G: Reported>(
        &self,
        contest: &Contest,
        report: &Report<'_>,
        index: usize,
    ) -> Result<Option<Best>, Error> {
        let Some(transcript) = self.transcript::<G>(contest, index)? else { return Ok(None) };
        let frames = arena_pictures::frames(&transcript, Logs::default())
            .map_err(|error| self.unreadable(contest, index, &error.to_string().into()))?;
        Ok(Some(report.best(index, &transcript, frames)))
    }

    fn unreadable(&self, contest: &Contest, index: usize, problem: &Problem) -> Error {
        let name = format!("{} game {}", self.journal.name.as_str(), contest.games[index].number);
        unreadable(&name.into(), problem)
    }
}

impl StoredContest {
    /// The note about games that the journal may lack.
    pub fn note(&self) -> Option<String> {
        self.games.note()
    }

    /// Writes the site with these replays, which takes the place of the one that is in this folder, with this number of workers. Counts the
    /// games with `advance`. Returns the number of games that have a replay.
    ///
    /// Games that the index of the old site has sums of are not read again, and replays that are the same are kept.
    ///
    /// # Errors
    /// As [`SiteError`] says. The folder is as it was then.
    pub fn write_site(
        &self,
        site: &Path,
        replays: Replays,
        jobs: usize,
        stop: impl Fn() -> bool + Sync,
        advance: impl FnMut(),
    ) -> Result<usize, SiteError> {
        let report = Report::new(&self.contest, replays);
        let folder = SiteFolder::begin(site)?;
        let written = with_game!(self.contest.conditions.rules.kind(), G => {
            self.write::<G>(&report, &folder, jobs, stop, advance)
        });
        self.games.journal.readers().clear();
        written?;
        folder.finish()?;
        Ok((0..self.contest.games.len()).filter(|&index| report.has_replay(index)).count())
    }

    /// The page with the replay of a game, by its number, and the picture for previews of links to it, with these logs. `None` when there
    /// is no such game, or it was not played.
    ///
    /// # Errors
    /// Its recording cannot be read.
    pub fn replay(&self, number: usize, logs: Logs) -> Result<Option<[Page; 2]>, Error> {
        let Self { contest, games } = self;
        // The games are in the order of their numbers.
        let index = contest.games.binary_search_by_key(&number, |game| game.number);
        let Ok(index) = index else { return Ok(None) };
        with_game!(contest.conditions.rules.kind(), G => {
            let transcript = games.transcript::<G>(contest, index);
            games.journal.readers().clear();
            let Some(transcript) = transcript? else { return Ok(None) };
            let report = Report::new(contest, Replays::All);
            games.pages_of_game::<G>(contest, &report, index, &transcript, logs).map(Some)
        })
    }

    fn write<G: Reported>(
        &self,
        report: &Report<'_>,
        folder: &SiteFolder,
        jobs: usize,
        stop: impl Fn() -> bool + Sync,
        mut advance: impl FnMut(),
    ) -> Result<(), SiteError> {
        let Self { contest, games: source } = self;
        source.write_downloads(contest, folder)?;
        let mut known = Known::read(folder);
        let (first, mut facts) = known.facts(contest, source);
        let earlier: Vec<usize> = (0..first).filter(|&index| report.has_replay(index)).collect();
        let skipped = first - earlier.len();
        let index_of = |place: usize| earlier.get(place).copied().unwrap_or(place + skipped);
        (0..skipped).for_each(|_| advance());
        let mut replays = BTreeMap::new();
        let mut ended = Ok(());
        let site = Site { contest, source, report, folder, known: &known, first };
        worker_pool::in_order(
            jobs,
            contest.games.len() - skipped,
            &stop,
            |place| site.read::<G>(index_of(place)),
            |place, read| {
                advance();
                let index = index_of(place);
                let read = read.unwrap_or_else(|panic| Err(HostError::Panic(panic.into()).into()));
                match read {
                    Ok(ReadGame { facts: of_game, replay }) => {
                        of_game.into_iter().for_each(|game| facts.add(contest, index, game));
                        replays.extend(replay.map(|replay| (contest.games[index].number, replay)));
                        ControlFlow::Continue(())
                    }
                    Err(failure) => {
                        ended = Err(failure);
                        ControlFlow::Break(())
                    }
                }
            },
        );
        ended?;
        if stop() {
            return Err(SiteError::Stopped);
        }
        let best = report.best_game().map(|index| source.best::<G>(contest, report, index)).transpose()?;
        report.pages::<G, SiteError>(&facts, best.flatten().as_ref(), |page| {
            if stop() { Err(SiteError::Stopped) } else { Ok(folder.put(&page)?) }
        })?;
        known.next(contest, source, facts, replays).map_or(Ok(()), |page| Ok(folder.put(&page)?))
    }
}

/// A site while its games are read.
struct Site<'a> {
    contest: &'a Contest,
    source: &'a GameReader,
    report: &'a Report<'a>,
    folder: &'a SiteFolder,
    known: &'a Known,
    /// The index of the first game without known facts.
    first: usize,
}

/// A game that was read.
struct ReadGame {
    /// The facts about it, unless they were known.
    facts: Option<GameFacts>,
    /// Its replay, if it has one that a later report can keep.
    replay: Option<KeptReplay>,
}

impl Site<'_> {
    /// Reads a game if its facts are not known, and writes its page if it has one.
    fn read<G: Reported>(&self, index: usize) -> Result<ReadGame, Error> {
        let Self { contest, source, report, folder, first, .. } = *self;
        let replay = if report.has_replay(index) { self.kept_replay::<G>(index)? } else { Replay::None };
        let is_needed = index >= first || matches!(replay, Replay::New { .. });
        let transcript = if is_needed { source.transcript::<G>(contest, index)? } else { None };
        let impossible = |problem: Problem| source.unreadable(contest, index, &problem);
        let facts = match &transcript {
            _ if index < first => None,
            None => Some(GameFacts::default()),
            Some(transcript) => Some(facts(transcript).map_err(impossible)?),
        };
        let replay = match (replay, transcript) {
            (Replay::Kept(replay, pages), _) => {
                pages.iter().try_for_each(|page| folder.put(page))?;
                Some(replay)
            }
            (Replay::New { key, logs }, Some(transcript)) => {
                let pages = source.pages_of_game::<G>(contest, report, index, &transcript, logs)?;
                pages.iter().try_for_each(|page| folder.put(page))?;
                key.map(|key| KeptReplay { key, pages: pages.map(|page| sha256(&page.bytes)) })
            }
            _ => None,
        };
        Ok(ReadGame { facts, replay })
    }

    /// The replay of a game from the old site, or what a new one is made of.
    fn kept_replay<G: Reported>(&self, index: usize) -> Result<Replay, Error> {
        let Self { contest, source, report, folder, known, .. } = *self;
        let logs = source.logs(contest, index)?;
        let key = source.key_of_replay::<G>(report, index, &logs);
        let kept = key.and_then(|key| known.replay(folder, contest.games[index].number, &key));
        Ok(match kept {
            Some((replay, pages)) => Replay::Kept(replay, pages),
            None => Replay::New { key, logs },
        })
    }
}

/// The replay of a game.
enum Replay {
    /// The game has none.
    None,
    /// The old site has it.
    Kept(KeptReplay, [Page; 2]),
    /// It has to be made, with these logs.
    New { key: Option<Sha256Bytes>, logs: Logs },
}

/// The file's name of a path, for titles and commands on the pages: the rest of the path stays private.
fn file_name(path: &Path) -> ShownPath {
    path.file_name().map(|name| shown(Path::new(name))).unwrap_or_default()
}
