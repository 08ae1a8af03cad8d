//! A contest as its pages have it, from a journal.

use super::{
    Downloads, GameReader, JournalGames, KeptAt, SiteOptions, StoredContest, file_name, name as named,
};
use crate::contest::{Change, Contest, Game, History, Journal, RankedBot, Title};
use crate::notices::Notices;
use crate::{CompactResult, Reasons};
use arena_engine::internals::kept_bots::KeptBots;
use arena_engine::internals::ranking;
use arena_engine::internals::stored::failure_to_read;
use arena_engine::internals::tournament::score;
use arena_engine::{
    Error, GamePlace, GameSummary, JournalContent, Ranking, Rating, Results, Row, StoredSeason,
};
use arena_league::RatedGame;
use arena_pictures::spot;
use arena_record::BotId;
use arena_rules::SIDE_MAX;
use arena_text::{quoted, shown};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

impl StoredContest {
    /// Reads the contest in a journal, which another process may be writing.
    ///
    /// # Errors
    /// The reason why the journal cannot be read.
    pub fn read(path: &Path, options: &SiteOptions) -> Result<Self, Error> {
        let SiteOptions { title, url, logs, downloads, names } = options;
        let (mut games, mut kept, mut reasons) = (Vec::new(), Vec::new(), Reasons::default());
        let (mut season, reader) = StoredSeason::read_each(path, |summary, place| {
            games.push(game(summary, place, &mut reasons));
            kept.push(place.map(|GamePlace { number, .. }| KeptAt { number, game: summary.fixture.game }));
        })?;
        for (game, kept) in games.iter_mut().zip(&kept) {
            game.at = kept.zip(game.stage).and_then(|(KeptAt { number, .. }, stage)| {
                season.time_of(GamePlace { stage: stage as usize, number })
            });
        }
        season.content.tournament.bots.iter_mut().for_each(|bot| named(names, bot));
        let stage_ends = season.stage_ends(&reader).map_err(|error| failure_to_read(&shown(path), error))?;
        let ranking = season.ranking();
        let seed = season.content.tournament.conditions.seed.open().or(season.revealed());
        let stages = stages(&games);
        let all = AllGames { games: &games, kept: &kept };
        let standings = standings(&ranking, all, &season.newest, stages.last().copied());
        let history = history(&ranking, all, &standings, stages);
        let (first_seat, mut notes_on_bots) = (ranking.first_seat().map(Rating::signed), ranking.notes());
        notes_on_bots.extend(season.notes.iter().cloned());
        let (ratings, placings) = (ranking.ratings.clone(), ranking.placings());
        let (is_closed, dates) = (season.content.revealed_seed.is_some(), season.dates());
        let StoredSeason { content, settings, results, .. } = season;
        let JournalContent { tournament, entries, seeds, head, .. } = content;
        let (conditions, bots) = (tournament.conditions.clone(), tournament.bots.clone());
        let Results { disqualified, games_planned, complete, .. } = results;
        let components = KeptBots::of(path);
        let is_kept = |bot: &BotId| components.find(bot.sha256.as_str()).is_some();
        let is_offered = |&bot: &usize| *downloads == Downloads::All && is_kept(&bots[bot]);
        let offered: Vec<usize> = (0..bots.len()).filter(is_offered).collect();
        let name = file_name(path);
        let title = title.clone().unwrap_or_else(|| format!("Results of {name}"));
        let journal = Journal {
            name: name.as_str().into(),
            word: word(&name),
            head,
            is_offered: *downloads != Downloads::None,
        };
        let contest = Contest {
            title: Title::new(&title),
            url: url.clone(),
            journal,
            seed,
            format: settings.format,
            games_per_match: settings.games_per_match,
            max_faults: settings.max_faults,
            columns: (0..SIDE_MAX).map(spot::column).collect(),
            conditions,
            bots,
            standings,
            history,
            first_seat,
            notes_on_bots,
            ratings,
            placings,
            games,
            games_planned,
            is_complete: complete,
            is_closed,
            dates,
            disqualified,
            components: offered,
            stages: stage_ends,
            served: None,
            frozen_at: None,
            notices: Notices::default(),
            has_visitors: false,
            lone: None,
        };
        let journal = JournalGames {
            name: shown(path),
            tournament,
            stages: entries,
            seeds: seeds.into_iter().map(|seed| seed.recorded).collect(),
            first: Mutex::new(reader),
            readers: Mutex::default(),
        };
        let games = GameReader { journal, kept, logs: logs.clone(), names: names.clone(), components };
        Ok(Self { contest: Arc::new(contest), games })
    }
}

/// The name of a journal as a word of a shell that names no option.
fn word(journal: &str) -> String {
    let name = if journal.starts_with('-') { format!("./{journal}") } else { journal.to_owned() };
    quoted(&name).into_owned()
}

/// The number of moments at which the first bots are rated. Chosen: enough for a line, and a table of them can be read.
const MOMENTS: usize = 20;

/// The number of moments with the ends of the stages, at most. Chosen: twice as many; a season with more stages is rated at equal parts
/// only.
const MOMENTS_WITH_STAGES: usize = 2 * MOMENTS;

/// The number of bots times the number of moments, at most. Chosen: a rating takes a time that grows with the third power of the number
/// of bots, so a thousand bots are rated at four moments.
const BOTS_BY_MOMENTS: usize = 4_000;

/// The number of bots whose ratings over time are shown. Chosen: more lines cannot be told apart.
const RATED_OVER_TIME: usize = 8;

/// The number of games before each stage of a journal except the first.
fn stages(games: &[Game]) -> Vec<usize> {
    let mut latest = 1;
    let begins = |(index, game): (usize, &Game)| {
        let stage = game.stage?;
        let is_later = stage > latest;
        latest = latest.max(stage);
        is_later.then_some(index)
    };
    games.iter().enumerate().filter_map(begins).collect()
}

/// The games of a contest, with their places in the journal.
#[derive(Clone, Copy)]
struct AllGames<'a> {
    games: &'a [Game],
    kept: &'a [Option<KeptAt>],
}

impl AllGames<'_> {
    /// The games as ratings count them; `None` for one that does not count.
    fn rated(&self) -> impl Iterator<Item = Option<RatedGame>> {
        let rated = |(game, kept): (&Game, &Option<KeptAt>)| {
            let (result, kept) = (game.played()?, kept.as_ref()?);
            Some(RatedGame { seats: game.seats, pair: kept.pair(), score: score(result.outcome) })
        };
        self.games.iter().zip(self.kept).map(rated)
    }
}

/// The rows of the standings, as the table of a run has them, with the change of each rating since a number of games.
fn standings(
    ranking: &Ranking<'_>,
    all: AllGames<'_>,
    newest: &[usize],
    since: Option<usize>,
) -> Vec<RankedBot> {
    let rows = ranking.rows();
    let bots: Vec<usize> = rows.iter().map(|row| row.score.contestant).collect();
    let before = since.and_then(|since| ranking.ratings_after(all.rated(), &[(since, bots.clone())]).pop());
    let places = ranking.places();
    let row = |(place, row): (usize, &Row<'_>)| {
        let bot = bots[place];
        // An older version is not in the table, so the next one in it is compared.
        let next =
            bots[place + 1..].iter().find(|&&next| newest[next] == next).filter(|_| newest[bot] == bot);
        let change = || {
            let before = before.as_ref()?[place];
            if !row.rating.is_unknown() && before.is_unknown() {
                return Some(Change::New);
            }
            Some(Change::By(ranking::tenths(row.rating.elo? - before.elo?)))
        };
        RankedBot {
            place: places[place],
            score: row.score.clone(),
            los: next.and_then(|&next| ranking::known(ranking.los(bot, next))),
            newest: newest[bot],
            change: change(),
            rating: known(row.rating),
            mean_score: row.mean_score,
        }
    };
    rows.iter().enumerate().map(row).collect()
}

/// The ratings after equal parts of the games and after each stage: those of the first bots, and those of bots that share a label, while
/// they play.
fn history(
    ranking: &Ranking<'_>,
    all: AllGames<'_>,
    standings: &[RankedBot],
    stages: Vec<usize>,
) -> Option<History> {
    let first = standings.iter().filter(|row| row.rating.is_some() && !row.has_left());
    let bots: Vec<usize> = first.take(RATED_OVER_TIME).map(|row| row.score.contestant).collect();
    let games = all.games.len();
    let most = (BOTS_BY_MOMENTS / ranking.bots.len().max(1)).max(2);
    let parts = MOMENTS.min(most);
    let mut counts: Vec<usize> = (1..=parts).map(|part| games * part / parts).collect();
    if counts.len() + stages.len() <= most.min(MOMENTS_WITH_STAGES) {
        counts.extend(&stages);
    }
    counts.sort_unstable();
    counts.dedup();
    counts.retain(|&count| count > 0);
    let moments = moments(all.games, standings, &bots, counts);
    let ratings = ranking.ratings_after(all.rated(), &moments);
    let points = ratings.into_iter().zip(moments).map(|(ratings, (count, bots))| {
        let rated = bots.into_iter().zip(ratings).filter_map(|(bot, elo)| Some((bot, known(elo)?)));
        (count, rated.collect())
    });
    let points: Vec<_> = points.collect();
    (!points.is_empty() && !bots.is_empty()).then_some(History { bots, points, stages })
}

/// The bots that are rated after each number of games: always these, and of those that share a label the ones that have played since
/// the moment before.
fn moments(
    games: &[Game],
    standings: &[RankedBot],
    always: &[usize],
    counts: Vec<usize>,
) -> Vec<(usize, Vec<usize>)> {
    let labels: HashSet<usize> =
        standings.iter().filter(|row| row.is_older_version()).map(|row| row.newest).collect();
    let mut is_version = vec![false; standings.iter().map(|row| row.score.contestant + 1).max().unwrap_or(0)];
    standings.iter().for_each(|row| is_version[row.score.contestant] = labels.contains(&row.newest));
    let mut before = 0;
    let moment = |count: usize| {
        let games = games[before..count].iter().filter(|game| game.played().is_some());
        before = count;
        let versions = games.flat_map(|game| game.seats).filter(|&bot| is_version[bot]);
        let bots: BTreeSet<usize> = versions.chain(always.iter().copied()).collect();
        (count, bots.into_iter().collect())
    };
    counts.into_iter().map(moment).collect()
}

fn known(rating: Rating) -> Option<Rating> {
    Some(rating).filter(|rating| !rating.is_unknown())
}

/// A game as the pages have it, but for its time.
fn game(summary: &GameSummary, place: Option<GamePlace>, reasons: &mut Reasons) -> Game {
    let result = summary.result.as_ref().ok();
    Game {
        number: summary.number,
        seats: summary.fixture.seats,
        result: result.map(|result| CompactResult::of(result, reasons)),
        is_played: summary.is_played(),
        stage: place.map(|place| place.stage as u32),
        at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_begins_with_its_first_game_that_was_played() {
        let in_stage =
            |stage| Game { number: 1, seats: [0, 1], result: None, is_played: true, stage, at: None };
        let games = [Some(1), Some(1), None, Some(2), Some(2), None, Some(3)].map(in_stage);
        assert_eq!(stages(&games), [3, 6]);
        assert!(stages(&games[..3]).is_empty());
    }

    #[test]
    fn a_journal_is_one_word_of_a_command_and_no_option() {
        let words = ["season.db", "my season.db", "-o.db"].map(word);
        assert_eq!(words, ["season.db", "'my season.db'", "./-o.db"]);
    }
}
