//! What `arena check` says of a bot.

use super::json;
use crate::roster::{Contestant, Refused, Roster};
use arena_sandbox::{Figure, Shape};
use serde::Serialize;

/// What stands between two lines of the same thing.
const NEXT_LINE: &str = "\n         ";

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
        shape: Vec<Measure>,
    },
    Refused(json::Refused<'a>),
    Unknown,
}

/// How much of something it has, and how much it may have.
#[derive(Serialize)]
struct Measure {
    what: &'static str,
    found: u64,
    max: u64,
}

impl From<Figure> for Measure {
    fn from(Figure { what, found, max }: Figure) -> Self {
        Self { what, found, max }
    }
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
                ("shape", shape(bot.shape())),
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
                shape: bot.shape().figures().into_iter().map(Measure::from).collect(),
            },
            Err(Some(refused)) => Document::Refused(json::refused(refused)),
            Err(None) => Document::Unknown,
        })
    }
}

fn imports(imports: &[String]) -> String {
    if imports.is_empty() { "nothing".into() } else { imports.join(NEXT_LINE) }
}

/// What it is made of, a line for each limit that matters most, with the numbers in columns.
fn shape(shape: &Shape) -> String {
    let figures = shape.figures();
    let texts: Vec<String> = figures.iter().map(Figure::to_string).collect();
    let digits = |text: &str| text.find(' ').unwrap_or_default();
    let what_width = figures.iter().map(|figure| figure.what.len()).max().unwrap_or_default();
    let digits_width = texts.iter().map(|text| digits(text)).max().unwrap_or_default();
    let line = |(figure, text): (&Figure, &String)| {
        let padding = digits_width - digits(text);
        format!("{:what_width$}  {:padding$}{text}", figure.what, "")
    };
    figures.iter().zip(&texts).map(line).collect::<Vec<_>>().join(NEXT_LINE)
}
