//! The report of `arena check --sandbox`: the measures that confine the compiler, and the bounds on a bot that runs.

use super::Output;
use arena_platform::confine::IS_CONFINED;
use arena_sandbox::{Confinement, Gap, Measure, SandboxLimits};
use arena_text::Text;
use serde::Serialize;
use serde_json::{Value, json};

/// The longest line of a value, in characters. Chosen: with the columns before it, a line of 80.
const VALUE_CHARS_MAX: usize = 59;

/// The report on a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxOutput<'a> {
    confinement: &'a Confinement,
    bounds: Vec<(&'static str, String)>,
}

impl<'a> SandboxOutput<'a> {
    /// The report on a sandbox with this confinement and these limits.
    pub fn new(confinement: &'a Confinement, limits: &SandboxLimits) -> Self {
        Self { confinement, bounds: limits.bounds() }
    }

    /// The number of measures that are missing.
    pub fn missing(&self) -> usize {
        self.confinement.gaps().count()
    }
}

impl Output for SandboxOutput<'_> {
    fn text(&self) -> Text {
        let mut lines =
            vec!["compiler  a child process for each bot; before it reads a byte of it:".to_owned()];
        for (measure, gap) in self.confinement.measures() {
            let state = if gap.is_none() { "enforced" } else { "MISSING" };
            lines.push(format!("  {:17}  {state:8}  {}", measure.name(), measure.effect()));
            if let Some(Gap { why, next }) = gap {
                lines.push(format!("{:19}  why: {why}", ""));
                lines.push(format!("{:19}  next: {next}", ""));
            }
        }
        lines.push("bot       a fresh instance for each game, within:".into());
        for (name, value) in &self.bounds {
            let mut name = *name;
            for part in wrapped(value) {
                lines.push(format!("  {name:17}  {part}"));
                name = "";
            }
        }
        lines.push(format!("  {:17}  as the rules say, or --fuel", "turn-fuel"));
        lines.push(match self.missing() {
            0 => "verdict   every measure is enforced".into(),
            missing => format!("verdict   incomplete: {missing} of {} measures missing", Measure::ALL.len()),
        });
        lines.join("\n").into()
    }

    fn json(&self) -> impl Serialize {
        let measures = self.confinement.measures().map(|(measure, gap)| {
            let mut entry = json!({
                "measure": measure.name(),
                "effect": measure.effect(),
                "enforced": gap.is_none(),
            });
            if let Some(Gap { why, next }) = gap {
                entry["why"] = why.as_str().into();
                entry["next"] = next.as_str().into();
            }
            entry
        });
        let bounds = self.bounds.iter().map(|(name, value)| json!({ "bound": name, "value": value }));
        json!({
            "verdict": if self.missing() == 0 { "complete" } else { "incomplete" },
            "compiler": measures.collect::<Value>(),
            "bot": bounds.collect::<Value>(),
        })
    }
}

/// The note for commands whose child processes miss measures. `None` when there is nothing to say.
pub fn missing_measures(confinement: &Confinement) -> Option<String> {
    if !IS_CONFINED {
        return Some(
            "note: this system does not confine the processes that compile and play: run only bots that you trust\n  \
             next: for the bots of strangers, use Linux, a container or WSL; `arena check --sandbox` lists what it adds"
                .into(),
        );
    }
    let names: Vec<&str> = confinement.gaps().map(|(measure, _)| measure.name()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "note: the processes that compile and play are confined without {}\n  next: `arena check --sandbox` says why, and what to do",
            names.join(", ")
        )
    })
}

/// The lines of a list with commas, none longer than [`VALUE_CHARS_MAX`] unless an item is.
fn wrapped(list: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for item in list.split_inclusive(", ") {
        let last = lines.last_mut().expect("there is one from the beginning");
        if last.is_empty() || last.len() + item.trim_end().len() <= VALUE_CHARS_MAX {
            last.push_str(item);
        } else {
            lines.push(item.to_owned());
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_wrapped_where_a_line_would_be_too_long() {
        let item = "x".repeat(28);
        // With a comma and a blank between them.
        let list = |last: usize| wrapped(&format!("{item}, {}", "y".repeat(last)));
        assert_eq!(list(29).len(), 1);
        assert_eq!(list(30), [format!("{item},"), "y".repeat(30)]);
    }
}
