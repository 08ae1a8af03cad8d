//! A contest as its pages have it, from a journal.

use super::{
    Downloads, GameReader, JournalGames, KeptAt, SiteOptions, StoredContest, file_name, name as named,
};
use crate::contest::{Change, Contest, Game, History, Journal, RankedBot, Title};
use crate::notices::Notices;
use arena_engine::internals::kept_bots::KeptBots;
use arena_engine::internals::ranking;
use arena_engine::internals::stored::failure_to_read;
use arena_engine::{
    Error, GamePlace, GameSummary, JournalContent, Ranking, Rating, Results, Row, StoredSeason,
};
use arena_league::Fixture;
use arena_pictures::spot;
use arena_record::BotId;
use arena_rules::SIDE_MAX;
use arena_text::{quoted, shown};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

impl StoredContest {
    /// Reads the contest in a journal, which another process may be writing.
    ///
    /// # Errors
    /// The reason why the journal cannot be read.
    pub fn read(path: &Path, options: &SiteOptions) -> Result<Self, Error> {
        let SiteOptions { title, url, logs, downloads, names } = options;
        let (mut season, reader) = StoredSeason::read(path)?;
        season.content.tournament.bots.iter_mut().for_each(|bot| named(names, bot));
        let stage_ends = season.stage_ends(&reader).map_err(|error| failure_to_read(&shown(path), error))?;
        let place = |game: &GameSummary| season.places.get(&game.fixture).copied();
        let places: Vec<_> = season.results.games.iter().map(place).collect();
        let ranking = season.ranking();
        let seed = season.content.tournament.conditions.seed.open().or(season.revealed());
        let stages = stages(&places);
        let standings = standings(&ranking, &season.newest, stages.last().copied());
        let history = history(&ranking, &standings, stages);
        let (first_seat, mut notes_on_bots) = (ranking.first_seat().map(Rating::signed), ranking.notes());
        notes_on_bots.extend(season.notes.iter().cloned());
        let (ratings, placings) = (ranking.ratings.clone(), ranking.placings());
        let (is_closed, dates) = (season.content.revealed_seed.is_some(), season.dates());
        // It has some megabytes, and what follows has the place of each game.
        season.places = HashMap::new();
        let (games, kept) = games(&mut season, places);
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
fn stages(places: &[Option<GamePlace>]) -> Vec<usize> {
    let mut latest = 1;
    let begins = |(index, place): (usize, &Option<GamePlace>)| {
        let stage = place.as_ref()?.stage;
        let is_later = stage > latest;
        latest = latest.max(stage);
        is_later.then_some(index)
    };
    places.iter().enumerate().filter_map(begins).collect()
}

/// The rows of the standings, as the table of a run has them, with the change of each rating since a number of games.
fn standings(ranking: &Ranking<'_>, newest: &[usize], since: Option<usize>) -> Vec<RankedBot> {
    let rows = ranking.rows();
    let bots: Vec<usize> = rows.iter().map(|row| row.score.contestant).collect();
    let before = since.and_then(|since| ranking.ratings_after(&[(since, bots.clone())]).pop());
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
fn history(ranking: &Ranking<'_>, standings: &[RankedBot], stages: Vec<usize>) -> Option<History> {
    let first = standings.iter().filter(|row| row.rating.is_some() && !row.has_left());
    let bots: Vec<usize> = first.take(RATED_OVER_TIME).map(|row| row.score.contestant).collect();
    let all = ranking.results.games.len();
    let most = (BOTS_BY_MOMENTS / ranking.bots.len().max(1)).max(2);
    let parts = MOMENTS.min(most);
    let mut counts: Vec<usize> = (1..=parts).map(|part| all * part / parts).collect();
    if counts.len() + stages.len() <= most.min(MOMENTS_WITH_STAGES) {
        counts.extend(&stages);
    }
    counts.sort_unstable();
    counts.dedup();
    counts.retain(|&count| count > 0);
    let moments = moments(ranking, standings, &bots, counts);
    let points = ranking.ratings_after(&moments).into_iter().zip(moments).map(|(ratings, (count, bots))| {
        let rated = bots.into_iter().zip(ratings).filter_map(|(bot, elo)| Some((bot, known(elo)?)));
        (count, rated.collect())
    });
    let points: Vec<_> = points.collect();
    (!points.is_empty() && !bots.is_empty()).then_some(History { bots, points, stages })
}

/// The bots that are rated after each number of games: always these, and of those that share a label the ones that have played since
/// the moment before.
fn moments(
    ranking: &Ranking<'_>,
    standings: &[RankedBot],
    always: &[usize],
    counts: Vec<usize>,
) -> Vec<(usize, Vec<usize>)> {
    let labels: HashSet<usize> =
        standings.iter().filter(|row| row.is_older_version()).map(|row| row.newest).collect();
    let mut is_version = vec![false; ranking.bots.len()];
    standings.iter().for_each(|row| is_version[row.score.contestant] = labels.contains(&row.newest));
    let mut before = 0;
    let moment = |count: usize| {
        let games = ranking.results.games[before..count].iter().filter(|game| game.is_played());
        before = count;
        let versions = games.flat_map(|game| game.fixture.seats).filter(|&bot| is_version[bot]);
        let bots: BTreeSet<usize> = versions.chain(always.iter().copied()).collect();
        (count, bots.into_iter().collect())
    };
    counts.into_iter().map(moment).collect()
}

fn known(rating: Rating) -> Option<Rating> {
    Some(rating).filter(|rating| !rating.is_unknown())
}

/// Takes the games of a season as the pages have them, and their places in the journal. The last ones come first, so that the season's list
/// becomes shorter while the others grow: both have more than a hundred bytes a game.
fn games(season: &mut StoredSeason, mut places: Vec<Option<GamePlace>>) -> (Vec<Game>, Vec<Option<KeptAt>>) {
    let mut summaries = std::mem::take(&mut season.results.games);
    let (mut games, mut kept) = (Vec::with_capacity(summaries.len()), Vec::with_capacity(summaries.len()));
    while let Some((summary, place)) = summaries.pop().zip(places.pop()) {
        if summaries.len().is_multiple_of(SHORTENED_BY) {
            summaries.shrink_to_fit();
        }
        let (is_played, at) = (summary.is_played(), place.and_then(|place| season.time_of(place)));
        let GameSummary { number, fixture: Fixture { seats, pair, game }, result, .. } = summary;
        let stage = place.map(|place| place.stage);
        games.push(Game { number, seats, is_played, result: result.ok(), stage, at });
        kept.push(place.map(|place| KeptAt { number: place.number, pair, game }));
    }
    games.reverse();
    kept.reverse();
    (games, kept)
}

/// The number of games by which a list becomes shorter at a time. Chosen: some megabytes.
const SHORTENED_BY: usize = 1 << 14;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_begins_with_its_first_game_that_was_played() {
        let place = |stage| Some(GamePlace { stage, number: 1 });
        let games = [place(1), place(1), None, place(2), place(2), None, place(3)];
        assert_eq!(stages(&games), [3, 6]);
        assert!(stages(&games[..3]).is_empty());
    }

    #[test]
    fn a_journal_is_one_word_of_a_command_and_no_option() {
        let words = ["season.db", "my season.db", "-o.db"].map(word);
        assert_eq!(words, ["season.db", "'my season.db'", "./-o.db"]);
    }
}
