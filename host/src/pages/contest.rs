//! Journals in the report's form. Only this module knows both.

use super::{GameReader, JournalGames, file_name};
use crate::failure::Failure;
use crate::output::{self, StandingsOutput};
use arena_engine::ranking::{self, Ranking, Row};
use arena_engine::tournament::{GameSummary, Results};
use arena_engine::union::Union;
use arena_report::{Contest, Game, Head, Journal, Rating, Standing, Title};
use arena_store::ChainHead;
use arena_text::{ShownPath, quoted};
use arena_tui::spot;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The contest in one or more journals, which other processes may be writing, and the source of its recordings.
///
/// # Errors
/// The reason why a journal cannot be read, or why they do not belong together.
pub fn contest(
    paths: &[PathBuf],
    title: Option<&str>,
    url: Option<&str>,
    logs: Option<&Path>,
) -> Result<(Contest, GameReader), Failure> {
    let kept = Union::read(paths, None)?;
    let ranking = kept.ranking();
    let text = StandingsOutput::new(&kept.conditions, ranking.clone()).with_revealed_seed(kept.revealed);
    let (standings, seed) = (standings(&ranking), text.seed());
    let (first_seat, mut notes_on_bots) = (text.first_seat(), text.notes_on_bots());
    notes_on_bots.extend(kept.uncounted.iter().cloned());
    let ratings = ranking.ratings.clone();
    let games: Vec<Game> = kept.results.games.iter().map(|summary| game(summary, &kept)).collect();
    let Union {
        conditions,
        settings,
        bots,
        results,
        journals,
        tournaments,
        readers,
        kept,
        is_closed,
        dates,
        ..
    } = kept;
    let Results { disqualified, placings, games_planned, complete, .. } = results;
    let names: Vec<ShownPath> = paths.iter().map(|path| file_name(path)).collect();
    let of_names = || names.iter().map(ShownPath::as_str).collect::<Vec<_>>().join(" and ");
    let title = title.map_or_else(|| format!("Results of {}", of_names()), str::to_owned);
    let heads = journals.iter().map(|(_, head)| head.clone());
    let journal = |(name, head): (&ShownPath, Option<ChainHead>)| Journal {
        name: name.as_str().into(),
        word: word(name),
        head: head.map(|head| Head { sha256: head.sha256, links: head.links }),
    };
    let contest = Contest {
        title: Title::new(&title),
        url: url.map(str::to_owned),
        journals: names.iter().zip(heads).map(journal).collect(),
        seed,
        format: settings.format,
        games_per_match: settings.games_per_match,
        max_faults: settings.max_faults,
        columns: (0..conditions.rules.size().width).map(spot::column).collect(),
        conditions,
        bots,
        standings,
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
    };
    let opened = journals.into_iter().zip(tournaments).zip(readers);
    let opened = opened.map(|(((name, _), tournament), first)| JournalGames {
        name,
        tournament,
        first: Mutex::new(first),
        readers: Mutex::default(),
    });
    let source = GameReader { journals: opened.collect(), kept, logs: logs.map(Path::to_owned) };
    Ok((contest, source))
}

/// The name of a journal as a word of a shell that names no option.
fn word(journal: &str) -> String {
    let name = if journal.starts_with('-') { format!("./{journal}") } else { journal.to_owned() };
    quoted(&name).into_owned()
}

/// The rows of the standings, as the table of a run has them.
fn standings(ranking: &Ranking<'_>) -> Vec<Standing> {
    let row = |row: Row<'_>| Standing {
        score: row.score.clone(),
        los: ranking::known(row.los),
        is_departed: ranking::has_left(ranking.results, row.score.contestant),
        rating: (!row.rating.is_unknown()).then(|| Rating {
            text: output::rating_words(row.rating),
            elo: row.rating.elo,
            low: row.rating.low,
            high: row.rating.high,
        }),
    };
    ranking.rows().into_iter().map(row).collect()
}

fn game(summary: &GameSummary, of: &Union) -> Game {
    Game {
        number: summary.number,
        kept: of.index_of(summary.number),
        seats: summary.fixture.seats,
        is_played: summary.is_played(),
        result: summary.result.clone().ok(),
    }
}
