//! The finding of `arena check` about a bot.

use super::json;
use crate::roster::{Contestant, RefusedFile, Roster};
use arena_sandbox::Figure;
use arena_text::{Json, Text};
use serde_json::{Value, json};

/// The text between two lines of the same entry.
const NEXT_LINE: &str = "\n         ";

/// The finding about one file.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a>(Result<&'a Contestant, Option<&'a RefusedFile>>);

impl<'a> Finding<'a> {
    /// The finding about the one file of a roster.
    pub fn of(roster: &'a Roster) -> Self {
        Self(roster.contestants.first().ok_or(roster.refused.first()))
    }

    /// The text for a reader.
    pub fn text(&self) -> Text {
        let lines: Vec<(&str, String)> = match self.0 {
            Ok(Contestant { id, file, bot }) => vec![
                ("file", file.to_string()),
                ("name", id.name.to_string()),
                ("sha256", id.sha256.to_string()),
                ("size", format!("{} bytes", bot.size_bytes())),
                ("game", format!("{}, contract {}", bot.kind(), bot.contract_version())),
                ("imports", imports(bot.imports())),
                ("shape", shape(&bot.figures())),
                ("verdict", "ready to play".into()),
            ],
            Err(Some(refused)) => vec![
                ("file", refused.file.to_string()),
                ("verdict", format!("refused ({})", refused.kind)),
                ("why", refused.message.to_string()),
                ("next", refused.next.clone()),
            ],
            Err(None) => vec![("verdict", "no file was examined".into())],
        };
        lines.iter().map(|(name, value)| format!("{name:8} {value}")).collect::<Vec<_>>().join("\n").into()
    }

    /// The document for a program.
    pub fn json(&self) -> Json {
        Json::pretty(&match self.0 {
            Ok(Contestant { id, file, bot }) => json!({
                "verdict": "ready",
                "file": file,
                "name": id.name,
                "sha256": id.sha256,
                "size-bytes": bot.size_bytes(),
                "game": bot.kind(),
                "contract": bot.contract_version(),
                "imports": bot.imports(),
                "shape": bot.figures().into_iter().map(measure).collect::<Value>(),
            }),
            Err(Some(refused)) => {
                let mut document = json::refused(refused);
                document["verdict"] = "refused".into();
                document
            }
            Err(None) => json!({ "verdict": "unknown" }),
        })
    }
}

fn measure(Figure { what, found, max }: Figure) -> Value {
    json!({ "what": what, "found": found, "max": max })
}

fn imports(imports: &[String]) -> String {
    if imports.is_empty() { "nothing".into() } else { imports.join(NEXT_LINE) }
}

/// The shape of a component: a line for each limit that matters most, with the numbers in columns.
fn shape(figures: &[Figure]) -> String {
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
