//! The finding about a bot that was checked, in words and as a document.

mod drawings;
mod hints;
mod trial;

pub use trial::Trial;

use crate::trial::TrialGame;
use arena_engine::{RefusedFile, Roster};
use arena_players::Contestant;
use arena_rules::GameKind;
use arena_sandbox::{Bot, CompileTime, Figure};
use arena_text::Text;
use hints::{Signs, hints};
use serde_json::{Value, json};

/// The text between two lines of the same entry.
pub const NEXT_LINE: &str = "\n         ";

/// The finding about one file.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    of: Result<&'a Contestant, Option<&'a RefusedFile>>,
    trial: Option<Trial<'a>>,
}

impl<'a> Finding<'a> {
    /// The finding about the one file of a roster.
    pub fn of(roster: &'a Roster) -> Self {
        Self { of: roster.contestants.first().ok_or(roster.refused.first()), trial: None }
    }

    /// The same finding with trial games of the bot, if it was admitted.
    pub fn with_games(self, games: Option<&'a [TrialGame]>) -> Self {
        let trial = self.of.ok().zip(games).map(|(contestant, games)| Trial { bot: &contestant.bot, games });
        Self { trial, ..self }
    }

    /// True if the bot was at fault in a trial game.
    pub fn has_faults(&self) -> bool {
        self.trial.is_some_and(|trial| trial.has_faults())
    }

    /// The name of the bot's game; that of a game that is a component is known from its trial games.
    fn game(&self, bot: &Bot) -> String {
        let of_trial = self.trial.and_then(|trial| trial.games.first());
        match (bot.kind(), of_trial) {
            (GameKind::Loaded, Some(game)) => game.played.header.conditions.rules.name().to_owned(),
            (GameKind::Loaded, None) => "a component".to_owned(),
            (kind, _) => kind.to_string(),
        }
    }

    /// The text for a reader.
    pub fn text(&self) -> Text {
        let mut lines: Vec<(&str, String)> = match self.of {
            Ok(Contestant { id, file, bot, .. }) => vec![
                ("file", file.to_string()),
                ("name", id.name.to_string()),
                ("sha256", id.sha256.to_string()),
                ("size", format!("{} bytes", bot.size_bytes())),
                ("game", format!("{}, contract {}", self.game(bot), bot.contract_version())),
                ("imports", imports(bot.imports())),
                ("shape", shape(&bot.figures())),
                ("compile", compile_time(bot.compile_time())),
            ],
            Err(Some(refused)) => vec![
                ("file", refused.file.to_string()),
                ("verdict", format!("refused ({})", refused.kind)),
                ("why", refused.message.to_string()),
                ("next", refused.next.clone()),
            ],
            Err(None) => vec![("verdict", "no file was examined".into())],
        };
        if let Err(Some(refused)) = self.of {
            lines.extend(refusal_hints(refused).into_iter().map(|hint| ("hint", hint)));
        }
        if let Some(trial) = self.trial {
            lines.extend(trial.lines());
        }
        if self.of.is_ok() {
            lines.push(("verdict", self.trial.map_or("ready to play".into(), |trial| trial.verdict())));
        }
        lines.iter().map(|(name, value)| format!("{name:8} {value}")).collect::<Vec<_>>().join("\n").into()
    }

    /// The document for a program.
    pub fn json(&self) -> Value {
        let mut document = match self.of {
            Ok(Contestant { id, file, bot, .. }) => json!({
                "verdict": if self.has_faults() { "faulted" } else { "ready" },
                "file": file,
                "name": id.name,
                "sha256": id.sha256,
                "size-bytes": bot.size_bytes(),
                "game": self.game(bot),
                "contract": bot.contract_version(),
                "imports": bot.imports(),
                "shape": bot.figures().into_iter().map(measure).collect::<Value>(),
                "compile-ms": bot.compile_time().map(compile_json),
            }),
            Err(Some(refused)) => {
                let RefusedFile { file, kind, message, next, .. } = refused;
                json!({
                    "file": file,
                    "kind": kind,
                    "message": message,
                    "next": next,
                    "verdict": "refused",
                    "hints": refusal_hints(refused),
                })
            }
            Err(None) => json!({ "verdict": "unknown" }),
        };
        if let Some(trial) = self.trial {
            document["trial"] = trial.json();
        }
        document
    }
}

fn refusal_hints(refused: &RefusedFile) -> Vec<String> {
    hints(&Signs { refusal: refused.message.as_str(), ..Signs::default() })
}

/// A measure of a component next to its limit, for a program.
pub fn measure(Figure { what, found, max }: Figure) -> Value {
    json!({ "what": what, "found": found, "max": max })
}

/// The processor time that compiling took and the allowance of this machine, for a program.
pub fn compile_json(time: CompileTime) -> Value {
    json!({ "used": time.used.as_millis() as u64, "allowed": time.allowed.as_millis() as u64 })
}

/// The processor time that compiling took, next to the allowance of this machine.
pub fn compile_time(time: Option<CompileTime>) -> String {
    time.map_or("not measured".into(), |CompileTime { used, allowed }| {
        format!("{:.1} of {} s of processor time", used.as_secs_f64(), allowed.as_secs())
    })
}

/// The imports, with those of a package in one line: a bot in Python has 20 of them, in 7 packages.
pub fn imports(imports: &[String]) -> String {
    let mut packages: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for import in imports {
        let (path, version) = import.find('@').map_or((import.as_str(), ""), |at| import.split_at(at));
        let (package, interface) = path.split_once('/').unwrap_or((path, ""));
        match packages.iter_mut().find(|known| (known.0, known.1) == (package, version)) {
            Some((.., interfaces)) => interfaces.push(interface),
            None => packages.push((package, version, vec![interface])),
        }
    }
    let line = |(package, version, interfaces): &(&str, &str, Vec<&str>)| match &interfaces[..] {
        [""] => format!("{package}{version}"),
        [interface] => format!("{package}/{interface}{version}"),
        _ => format!("{package}/{{{}}}{version}", interfaces.join(", ")),
    };
    if packages.is_empty() {
        return "nothing".into();
    }
    packages.iter().map(line).collect::<Vec<_>>().join(NEXT_LINE)
}

/// The shape of a component: a line for each limit that matters most, with the numbers in columns.
pub fn shape(figures: &[Figure]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_time_of_compiling_is_shown_beside_its_allowance() {
        let time = CompileTime { used: Duration::from_millis(1_250), allowed: Duration::from_secs(8) };
        assert_eq!(compile_time(Some(time)), "1.2 of 8 s of processor time");
        assert_eq!(compile_time(None), "not measured");
        assert_eq!(compile_json(time), json!({ "used": 1_250, "allowed": 8_000 }));
    }

    #[test]
    fn a_refused_file_is_told_with_its_hints_in_words_and_for_a_program() {
        let refused = |message: &str| RefusedFile {
            file: "bot.wasm".into(),
            label: "bot".into(),
            kind: "imports",
            message: message.into(),
            next: "remove the import".into(),
        };
        let told = |refused: Vec<RefusedFile>| {
            let roster = Roster { contestants: Vec::new(), refused, failed: Vec::new() };
            let finding = Finding::of(&roster);
            (finding.text().to_string(), finding.json())
        };
        let (text, document) = told(vec![refused("it imports wasi:http/types")]);
        assert!(text.contains("\nhint     a bot has no network"), "{text}");
        assert!(text.contains("verdict  refused (imports)\nwhy      it imports wasi:http/types\n"), "{text}");
        assert_eq!(document["hints"].as_array().map(Vec::len), Some(1), "{document}");
        assert_eq!((&document["verdict"], &document["kind"]), (&json!("refused"), &json!("imports")));
        let (text, document) = told(vec![refused("it imports another")]);
        assert!(!text.contains("hint ") && document["hints"] == json!([]), "{text} {document}");
        let (text, document) = told(Vec::new());
        assert_eq!(
            (text.as_str(), document),
            ("verdict  no file was examined", json!({ "verdict": "unknown" }))
        );
    }

    #[test]
    fn imports_of_a_package_are_in_one_line_and_those_of_another_version_are_not() {
        let shown = |list: &[&str]| imports(&list.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(shown(&[]), "nothing");
        assert_eq!(shown(&["wasi:cli/exit@0.2.12"]), "wasi:cli/exit@0.2.12");
        let several = [
            "wasi:cli/exit@0.2.12",
            "wasi:io/streams@0.2.12",
            "wasi:cli/stdin@0.2.12",
            "wasi:cli/exit@0.2.1",
        ];
        let expected = ["wasi:cli/{exit, stdin}@0.2.12", "wasi:io/streams@0.2.12", "wasi:cli/exit@0.2.1"];
        assert_eq!(shown(&several), expected.join(NEXT_LINE));
        assert_eq!(shown(&["a-function"]), "a-function");
    }
}
