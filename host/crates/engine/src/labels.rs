//! Bots by their labels, as users name them.

use crate::builtin;
use crate::error::Error;
use crate::mistake::Mistake;
use arena_record::{BotId, Name};

/// The number of the bot with this label. `builtin:random` is that of a loaded game, too.
///
/// # Errors
/// It does not exist.
pub fn find(label: &str, bots: &[BotId]) -> Result<usize, Error> {
    let position = |label: &str| bots.iter().position(|bot| bot.label.as_str() == label);
    position(label).or_else(|| position(builtin::other_name(label)?)).ok_or_else(|| {
        let known = bots.iter().map(|bot| bot.label.clone()).collect();
        Mistake::NoSuchBot { label: Name::new(label), known }.into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_record::Label;

    #[test]
    fn builtin_random_is_found_by_the_name_with_which_it_was_given() {
        let bots = |labels: &[&str]| {
            let bot = |label: &&str| BotId {
                label: Label::new(label),
                name: Name::new("a bot"),
                sha256: Name::new(""),
            };
            labels.iter().map(bot).collect::<Vec<_>>()
        };
        let loaded = bots(&["mine", "builtin:game-random"]);
        assert_eq!(find("builtin:random", &loaded).unwrap(), 1);
        assert_eq!(find("builtin:game-random", &loaded).unwrap(), 1);
        assert_eq!(find("builtin:random", &bots(&["builtin:game-random", "builtin:random"])).unwrap(), 1);
        assert!(find("builtin:hunter", &loaded).is_err());
    }
}
