//! The verification of the contest by a visitor: the journal, the components, and the commands.

use crate::{Contest, layout};

/// The journal, which can be verified.
pub(in crate::pages) struct Offer<'a> {
    pub name: &'a str,
    /// The copy that the site offers, if it does.
    pub link: Option<&'static str>,
    /// The command that verifies it.
    pub command: String,
}

/// A bot's component.
pub(in crate::pages) struct Component<'a> {
    pub label: &'a str,
    pub own_name: &'a str,
    pub sha256: &'a str,
    /// The copy that the site offers, if it does.
    pub link: Option<String>,
}

/// The journal with the command that verifies it: where the files of the site are, if it offers them.
pub(in crate::pages) fn offer(contest: &Contest) -> Offer<'_> {
    let journal = &contest.journal;
    let bots = if contest.components.is_empty() { "bots/" } else { "." };
    let file = layout::JOURNAL.rsplit('/').next().filter(|_| journal.is_offered);
    let word = file.unwrap_or(&journal.word);
    let head = journal.head.as_ref().map_or(String::new(), |head| format!(" --head {}", head.sha256));
    Offer {
        name: journal.name.as_str(),
        link: journal.is_offered.then_some(layout::JOURNAL),
        command: format!("arena verify --journal {word} {bots}{head}"),
    }
}

/// The bots with their components, in the order in which they were named.
pub(in crate::pages) fn components<'a>(contest: &'a Contest) -> Vec<Component<'a>> {
    let component = |(index, bot): (usize, &'a arena_record::BotId)| Component {
        label: bot.label.as_str(),
        own_name: bot.name.as_str(),
        sha256: bot.sha256.as_str(),
        link: contest.components.contains(&index).then(|| layout::component(bot.sha256.as_str())),
    };
    contest.bots.iter().enumerate().map(component).collect()
}
