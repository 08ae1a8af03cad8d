//! The seeding of a tournament: the order of its bots by the ratings of a journal.

use crate::error::Error;
use crate::stored::StoredSeason;
use arena_players::Contestant;
use arena_record::BotId;
use arena_text::{shown, some_of};
use std::path::Path;

/// The largest number of bots that a note names. Chosen: a few lines.
const NAMED_MAX: usize = 10;

/// Puts contestants in the order of their ratings in a journal, best first. A bot is known by its component, else by its
/// label, so that a new version of a bot has the place of the old one. Bots without a rating come last, in their present
/// order; the returned note names them.
///
/// # Errors
/// A journal that cannot be read.
pub fn order(contestants: &mut Vec<Contestant>, seeding: &Path) -> Result<String, Error> {
    let (kept, _) = StoredSeason::read(seeding)?;
    let ranked = kept.ranking().by_rating();
    let (mut seeded, unseeded): (Vec<_>, Vec<_>) = std::mem::take(contestants)
        .into_iter()
        .map(|contestant| (place_of(&contestant.id, &ranked), contestant))
        .partition(|(place, _)| place.is_some());
    // Two versions of a bot may have the same place: they stay in their order.
    seeded.sort_by_key(|(place, _)| *place);
    let name = shown(seeding);
    let all = seeded.len() + unseeded.len();
    let mut note = format!("seeded by the ratings of {name}: {} of {all} bots", seeded.len());
    if !unseeded.is_empty() {
        let labels = unseeded.iter().map(|(_, contestant)| contestant.id.label.to_string());
        note += &format!(
            "; it has no rating of {}, seeded last",
            some_of(labels, unseeded.len(), NAMED_MAX, ", ")
        );
    }
    contestants.extend(seeded.into_iter().chain(unseeded).map(|(_, contestant)| contestant));
    Ok(note)
}

/// The place of a bot in a list: by component, else by label.
fn place_of(bot: &BotId, list: &[&BotId]) -> Option<usize> {
    let same = |is_same: &dyn Fn(&BotId) -> bool| list.iter().position(|other| is_same(other));
    same(&|other| other.sha256 == bot.sha256).or_else(|| same(&|other| other.label == bot.label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_has_the_place_of_its_component_and_a_new_version_that_of_its_label() {
        let bot = |label: &str, sha256: &str| BotId {
            label: label.into(),
            name: label.into(),
            sha256: sha256.repeat(32).as_str().into(),
        };
        let ranked = [bot("ann", "0a"), bot("ben", "0b"), bot("cat", "0c")];
        let list: Vec<&BotId> = ranked.iter().collect();
        for (label, sha256, place) in [
            ("ann", "0a", Some(0)),
            ("cat", "0c", Some(2)),
            ("another", "0b", Some(1)),
            ("ann", "0b", Some(1)),
            ("cat", "0d", Some(2)),
            ("dan", "0d", None),
        ] {
            assert_eq!(place_of(&bot(label, sha256), &list), place, "{label} {sha256}");
        }
    }
}
