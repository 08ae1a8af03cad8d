//! A journal as the report sees it. It is the one place that knows both.

use super::{GameReader, file_name};
use crate::failure::Failure;
use crate::output::{self, StandingsOutput};
use arena_engine::ranking::{Ranking, Row};
use arena_engine::stored::StoredSeason;
use arena_engine::tournament::{GameSummary, Results};
use arena_report::{Contest, Game, Head, Rating, Standing, Title};
use arena_text::{quoted, shown};
use arena_tui::spot;
use std::path::Path;
use std::sync::Mutex;

/// The contest in a journal, which another process may be writing, and the source of its recordings.
///
/// # Errors
/// The reason why the journal cannot be read.
pub fn contest(
    path: &Path,
    title: Option<&str>,
    logs: Option<&Path>,
) -> Result<(Contest, GameReader), Failure> {
    let (kept, reader) = StoredSeason::read(path)?;
    let journal = file_name(path);
    let ranking = kept.ranking();
    let text = StandingsOutput::new(&kept.tournament.conditions, ranking.clone()).with_told_seed(kept.told());
    let (standings, seed) = (standings(&ranking), text.seed());
    let (first_seat, mut notes_on_bots) = (text.first_seat(), text.notes_on_bots());
    notes_on_bots.extend(kept.uncounted.clone());
    let number = |game: &GameSummary| {
        Some((*kept.numbers.get(&game.fixture)?, game.fixture, kept.seed_of(&game.fixture)?.recorded))
    };
    let numbers = kept.results.games.iter().map(number).collect();
    let StoredSeason { tournament, settings, results, head, .. } = kept;
    let Results { games, disqualified, placings, games_planned, complete, .. } = results;
    let title = title.map_or_else(|| format!("Results of {}", journal.as_str()), str::to_owned);
    let contest = Contest {
        title: Title::new(&title),
        journal_word: word(&journal),
        journal: journal.as_str().into(),
        seed,
        head: head.map(|head| Head { sha256: head.sha256, links: head.links }),
        format: settings.format,
        games_per_match: settings.games_per_match,
        max_faults: settings.max_faults,
        columns: (0..tournament.conditions.rules.size().width).map(spot::column).collect(),
        conditions: tournament.conditions.clone(),
        bots: tournament.bots.clone(),
        standings,
        first_seat,
        notes_on_bots,
        placings,
        games: games.into_iter().map(game).collect(),
        games_planned,
        is_complete: complete,
        disqualified,
    };
    let source = GameReader {
        name: shown(path),
        tournament,
        kept: numbers,
        first: Mutex::new(reader),
        readers: Mutex::default(),
        logs: logs.map(Path::to_owned),
    };
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
        rating: (!row.rating.is_unknown()).then(|| Rating {
            words: output::rating_words(row.rating),
            elo: row.rating.elo,
            low: row.rating.low,
            high: row.rating.high,
        }),
    };
    ranking.rows().into_iter().map(row).collect()
}

fn game(summary: GameSummary) -> Game {
    Game {
        number: summary.number,
        seats: summary.fixture.seats,
        is_played: summary.is_played(),
        result: summary.result.ok(),
    }
}
