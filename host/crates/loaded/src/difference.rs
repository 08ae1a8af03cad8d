//! The comparison of two types.

use arena_sandbox::ValueType;

/// The first difference between the type of a game and that of a bot, below a path; `None` when they are the same.
///
/// The types of two components are never the same objects, so they are compared part by part, with the names of fields and cases.
pub fn difference(path: &str, game: &ValueType, bot: &ValueType) -> Option<String> {
    use ValueType as T;
    match (game, bot) {
        (T::List(game), T::List(bot)) => difference(&format!("{path}[]"), game, bot),
        (T::Option(game), T::Option(bot)) => difference(&format!("{path}?"), game, bot),
        (T::Record(game), T::Record(bot)) => {
            let names =
                |fields: &[(String, T)]| fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            names_differ(path, "fields", &names(game), &names(bot)).or_else(|| {
                let mut fields = game.iter().zip(bot);
                fields.find_map(|((name, game), (_, bot))| difference(&format!("{path}.{name}"), game, bot))
            })
        }
        (T::Variant(game), T::Variant(bot)) => {
            let names = |cases: &[(String, Option<T>)]| {
                cases.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
            };
            names_differ(path, "cases", &names(game), &names(bot)).or_else(|| {
                let mut cases = game.iter().zip(bot);
                cases.find_map(|((name, game), (_, bot))| match (game, bot) {
                    (Some(game), Some(bot)) => difference(&format!("{path}.{name}"), game, bot),
                    _ => (game != bot).then(|| {
                        let shown =
                            |content: &Option<T>| content.as_ref().map_or("nothing".into(), T::to_string);
                        format!(
                            "`{path}.{name}` has {} in the game and {} in the bot",
                            shown(game),
                            shown(bot)
                        )
                    }),
                })
            })
        }
        (T::Enum(game), T::Enum(bot)) => names_differ(path, "cases", game, bot),
        (T::Flags(game), T::Flags(bot)) => names_differ(path, "flags", game, bot),
        (T::Tuple(game), T::Tuple(bot)) if game.len() == bot.len() => {
            let mut parts = game.iter().zip(bot).enumerate();
            parts.find_map(|(at, (game, bot))| difference(&format!("{path}.{at}"), game, bot))
        }
        _ => (game != bot).then(|| format!("`{path}` is {game} in the game and {bot} in the bot")),
    }
}

fn names_differ(path: &str, what: &str, game: &[String], bot: &[String]) -> Option<String> {
    (game != bot).then(|| {
        let (game, bot) = (game.join(", "), bot.join(", "));
        format!("`{path}` has the {what} {game} in the game and {bot} in the bot")
    })
}
