//! What a visitor needs to verify the contest: the journals, the components, and the commands.

use crate::{Contest, layout};

/// A journal that can be verified.
pub(super) struct Offer<'a> {
    pub name: &'a str,
    /// The copy that the site offers, if it does.
    pub link: Option<String>,
    /// The command that verifies it.
    pub command: String,
}

/// A bot's component.
pub(super) struct Component<'a> {
    pub label: &'a str,
    pub own_name: &'a str,
    pub sha256: &'a str,
    /// The copy that the site offers, if it does.
    pub link: Option<String>,
}

/// The journals, each with the command that verifies it: where the files of the site are, if it offers them.
pub(super) fn offers(contest: &Contest) -> Vec<Offer<'_>> {
    let bots = if contest.components.is_empty() { "bots/" } else { "." };
    let offer = |(index, journal): (usize, &'_ crate::Journal)| {
        let link = journal.is_offered.then(|| layout::journal(index));
        let file = link.as_deref().and_then(|path| path.rsplit_once('/')).map(|(_, file)| file.to_owned());
        let word = file.unwrap_or_else(|| journal.word.clone());
        let head = journal.head.as_ref().map_or(String::new(), |head| format!(" --head {}", head.sha256));
        (link, format!("arena verify --journal {word} {bots}{head}"))
    };
    let named = contest.journals.iter().enumerate().map(|(index, journal)| {
        let (link, command) = offer((index, journal));
        Offer { name: journal.name.as_str(), link, command }
    });
    named.collect()
}

/// The bots with their components, in the order in which they were named.
pub(super) fn components(contest: &Contest) -> Vec<Component<'_>> {
    let component = |(index, bot): (usize, &'_ arena_record::BotId)| {
        let is_offered = contest.components.contains(&index);
        is_offered.then(|| layout::component(bot.sha256.as_str()))
    };
    let named = contest.bots.iter().enumerate().map(|(index, bot)| Component {
        label: bot.label.as_str(),
        own_name: bot.name.as_str(),
        sha256: bot.sha256.as_str(),
        link: component((index, bot)),
    });
    named.collect()
}
