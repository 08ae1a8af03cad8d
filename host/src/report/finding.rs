//! What `arena check` says of a bot.

use super::json;
use crate::roster::{Contestant, Refused, Roster};
use serde::Serialize;

/// What was found about one file.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a>(std::result::Result<&'a Contestant, Option<&'a Refused>>);

#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
enum Document<'a> {
    #[serde(rename_all = "kebab-case")]
    Ready {
        file: &'a str,
        name: &'a str,
        sha256: &'a str,
        size_bytes: usize,
        game: &'static str,
        contract: &'a str,
        imports: &'a [String],
    },
    Refused(json::Refused<'a>),
    Unknown,
}

impl<'a> Finding<'a> {
    /// The finding about the one file of a roster.
    pub fn of(roster: &'a Roster) -> Self {
        Self(roster.contestants.first().ok_or(roster.refused.first()))
    }

    /// For a reader.
    pub fn text(&self) -> String {
        let lines: Vec<(&str, String)> = match self.0 {
            Ok(Contestant { file, bot, .. }) => vec![
                ("file", file.clone()),
                ("name", bot.name().to_owned()),
                ("sha256", bot.hash().to_owned()),
                ("size", format!("{} bytes", bot.size_bytes())),
                ("game", format!("{}, contract {}", bot.game().name(), bot.contract_version())),
                ("imports", imports(bot.imports())),
                ("verdict", "ready to play".into()),
            ],
            Err(Some(refused)) => vec![
                ("file", refused.file.clone()),
                ("verdict", format!("refused ({})", refused.kind)),
                ("why", refused.message.clone()),
                ("next", refused.next.clone()),
            ],
            Err(None) => vec![("verdict", "nothing was looked at".into())],
        };
        lines.iter().map(|(what, found)| format!("{what:8} {found}")).collect::<Vec<_>>().join("\n")
    }

    /// For a program.
    pub fn json(&self) -> String {
        json::pretty(&match self.0 {
            Ok(Contestant { file, bot, .. }) => Document::Ready {
                file,
                name: bot.name(),
                sha256: bot.hash(),
                size_bytes: bot.size_bytes(),
                game: bot.game().name(),
                contract: bot.contract_version(),
                imports: bot.imports(),
            },
            Err(Some(refused)) => Document::Refused(json::refused(refused)),
            Err(None) => Document::Unknown,
        })
    }
}

fn imports(imports: &[String]) -> String {
    if imports.is_empty() { "nothing".into() } else { imports.join("\n         ") }
}
