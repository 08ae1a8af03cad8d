//! The marks of a class: what an organiser takes from a season into a table of authors. They follow from the standings, and contradict no page.

use crate::error::ClubError;
use crate::folder::Folder;
use crate::requests::Standing;
use crate::stages::standings;
use arena_engine::StoredStandings;
use arena_store::Version;
use serde::Serialize;
use std::collections::HashMap;
use std::str::FromStr;

/// The formula of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The share of the other authors in the standings who are behind, in percent.
    Percentile,
    /// The mark of the last of these authors, such as house bots, who is behind: each with the mark for being ahead of it, the lowest first.
    Ahead(Vec<(String, String)>),
}

/// A text that is not a [`Formula`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a formula for marks")]
pub struct WrongFormula;

impl FromStr for Formula {
    type Err = WrongFormula;

    /// Reads `percentile`, or thresholds such as `random=4,hunter=3,density=1`.
    fn from_str(text: &str) -> Result<Self, WrongFormula> {
        if text == "percentile" {
            return Ok(Self::Percentile);
        }
        let threshold = |text: &str| {
            let (author, mark) = text.split_once('=')?;
            let is_whole = !author.is_empty() && !mark.is_empty();
            is_whole.then(|| (author.to_owned(), mark.to_owned()))
        };
        text.split(',').map(threshold).collect::<Option<_>>().map(Self::Ahead).ok_or(WrongFormula)
    }
}

/// An author with what the season has of the author's bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MarkedAuthor {
    /// The name.
    pub author: String,
    /// The number of versions that were submitted.
    pub versions: u32,
    /// The time of the latest one, in UTC; `None` when there is none.
    pub last_submission: Option<String>,
    /// The standing of the version that plays, or else of the latest one that has played; `None` when none has.
    #[serde(flatten)]
    pub standing: Option<Standing>,
    /// The mark; `None` without a formula, and for those who have no place or are part of the formula.
    pub mark: Option<String>,
}

impl Folder {
    /// The authors of the club with their standings in the season that is played, best first, and their marks by a formula. The club may be
    /// served meanwhile.
    ///
    /// # Errors
    /// There is no club, its journal cannot be read, or the formula names somebody who is no author.
    pub fn marks(&self, formula: Option<&Formula>) -> Result<Vec<MarkedAuthor>, ClubError> {
        let register = self.register()?;
        let read = || {
            let names = register.list_authors()?.into_iter().map(|author| author.name);
            names.map(|name| Ok((register.versions_of(&name)?, name))).collect::<Result<Vec<_>, _>>()
        };
        let authors = read().map_err(|error| self.failure(error))?;
        if let Some(Formula::Ahead(thresholds)) = formula
            && let Some((name, _)) =
                thresholds.iter().find(|(name, _)| authors.iter().all(|(_, author)| author != name))
        {
            return Err(self.unknown_author(name));
        }
        // Before the first game, there is no journal.
        let standings = match self.journal().is_file() {
            true => standings(&StoredStandings::read(&self.journal(), None)?.ranking()),
            false => HashMap::new(),
        };
        let mut marked: Vec<MarkedAuthor> =
            authors.into_iter().map(|(versions, author)| entry(author, &versions, &standings)).collect();
        marked.sort_by_key(|it| place(it).unwrap_or(u32::MAX));
        if let Some(formula) = formula {
            mark(&mut marked, formula);
        }
        Ok(marked)
    }
}

fn entry(author: String, versions: &[Version], standings: &HashMap<String, Standing>) -> MarkedAuthor {
    let has_played = |version: &&Version| standings.contains_key(&version.sha256);
    let playing = versions.iter().filter(|version| version.plays);
    let latest = playing.chain(versions).find(has_played);
    MarkedAuthor {
        author,
        versions: versions.first().map_or(0, |version| version.number),
        last_submission: versions.first().map(|version| version.submitted_at.clone()),
        standing: latest.and_then(|version| standings.get(&version.sha256).cloned()),
        mark: None,
    }
}

fn place(author: &MarkedAuthor) -> Option<u32> {
    author.standing.as_ref()?.place
}

/// Marks those who have a place and are not part of the formula.
fn mark(authors: &mut [MarkedAuthor], formula: &Formula) {
    let placed: Vec<(String, u32)> =
        authors.iter().filter_map(|it| Some((it.author.clone(), place(it)?))).collect();
    let others = placed.len().saturating_sub(1);
    for author in authors {
        let Some(own) = place(author) else { continue };
        author.mark = match formula {
            Formula::Percentile => {
                let behind = placed.iter().filter(|(_, place)| *place > own).count();
                // An author without others has the best mark.
                Some((200 * behind + others).checked_div(2 * others).unwrap_or(100).to_string())
            }
            Formula::Ahead(thresholds) if thresholds.iter().any(|(name, _)| *name == author.author) => None,
            Formula::Ahead(thresholds) => {
                let is_behind = |name: &str| placed.iter().any(|(it, place)| it == name && *place > own);
                thresholds.iter().rev().find(|(name, _)| is_behind(name)).map(|(_, mark)| mark.clone())
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{bot, club};
    use arena_engine::Rating;

    fn author(name: &str, place: Option<u32>) -> MarkedAuthor {
        let standing = Standing { place, games: 4, points: 2.0, faults: 0, rating: Rating::default() };
        MarkedAuthor {
            author: name.into(),
            versions: 1,
            last_submission: None,
            standing: Some(standing),
            mark: None,
        }
    }

    fn marks(formula: &str, places: &[(&str, Option<u32>)]) -> Vec<Option<String>> {
        let mut authors: Vec<MarkedAuthor> =
            places.iter().map(|&(name, place)| author(name, place)).collect();
        mark(&mut authors, &formula.parse().expect("it is a formula"));
        authors.into_iter().map(|author| author.mark).collect()
    }

    #[test]
    fn a_percentile_is_the_share_of_the_others_who_are_behind() {
        let four = [("ann", Some(1)), ("ben", Some(2)), ("cat", Some(3)), ("dan", Some(4)), ("eve", None)];
        let expected = [Some("100"), Some("67"), Some("33"), Some("0"), None];
        assert_eq!(marks("percentile", &four), expected.map(|mark| mark.map(str::to_owned)));
        assert_eq!(marks("percentile", &four[..1]), [Some("100".to_owned())]);
    }

    #[test]
    fn a_threshold_gives_the_mark_of_the_best_bot_that_is_behind() {
        let places = [
            ("ann", Some(1)),
            ("hunter", Some(2)),
            ("ben", Some(3)),
            ("random", Some(4)),
            ("cat", Some(5)),
            ("dan", None),
        ];
        let expected = [Some("1+"), None, Some("4"), None, None, None];
        assert_eq!(marks("random=4,hunter=1+", &places), expected.map(|mark| mark.map(str::to_owned)));
    }

    #[test]
    fn a_formula_is_a_word_or_has_an_author_and_a_mark_in_each_part() {
        let thresholds = vec![("random".into(), "4".into()), ("hunter".into(), "A=".into())];
        assert_eq!("random=4,hunter=A=".parse(), Ok(Formula::Ahead(thresholds)));
        for wrong in ["", "Percentile", "random", "random=", "=4", "random=4,"] {
            assert_eq!(wrong.parse::<Formula>(), Err(WrongFormula), "{wrong}");
        }
    }

    #[test]
    fn the_marks_have_the_places_of_the_standings_and_all_authors() {
        let it = club(ClubOptions::default());
        let (ann, ben, _) = (it.author("ann"), it.author("ben"), it.author("cat"));
        it.admit(&ann, &bot("builtin:random", 10));
        let hunter = it.admit(&ben, &bot("builtin:hunter", 10));
        let before = it.folder.marks(Some(&Formula::Percentile)).expect("it needs no games");
        assert!(before.iter().all(|author| author.standing.is_none() && author.mark.is_none()));
        assert_eq!(before.iter().map(|author| author.versions).collect::<Vec<_>>(), [1, 1, 0]);
        it.play();
        it.admit(&ann, &bot("builtin:random", 11));
        let marked = it.folder.marks(Some(&Formula::Percentile)).expect("there are games");
        let rows: Vec<_> = marked
            .iter()
            .map(|it| (it.author.as_str(), it.versions, place(it), it.mark.as_deref()))
            .collect();
        // The hunter wins, and the first version of the other one has played before the second plays.
        assert_eq!(
            rows,
            [("ben", 1, Some(1), Some("100")), ("ann", 2, Some(2), Some("0")), ("cat", 0, None, None)]
        );
        assert_eq!(marked[0].last_submission.as_ref(), Some(&hunter.submitted_at));
        assert_eq!(marked[0].standing, it.club.state.standing(&hunter.sha256));
        let unknown = it.folder.marks(Some(&"eve=1".parse().expect("it is a formula")));
        assert!(matches!(unknown, Err(ClubError::UnknownAuthor { name, .. }) if name == "eve"));
    }
}
