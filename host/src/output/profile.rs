//! The fuel of a bot by its functions: a table, or folded stacks, which other programs draw as a flame graph.

use super::Output;
use arena_experiments::profile::Profile;
use arena_players::Contestant;
use arena_text::{Text, counted, grouped, table};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The largest number of functions in the table. Chosen: they fit on a screen.
const FUNCTIONS_SHOWN_MAX: usize = 20;

/// The label of functions without a name: those of a stripped component, or of an interpreter.
const UNNAMED: &str = "(without a name)";

/// A bot's profile under some rules.
#[derive(Debug)]
pub struct ProfileOutput<'a> {
    /// The bot.
    pub contestant: &'a Contestant,
    /// The name of the rules.
    pub rules: &'a str,
    /// The profile.
    pub profile: &'a Profile,
}

/// The samples of a function: its own, and all with those of the functions that it calls.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    own: u64,
    total: u64,
}

impl ProfileOutput<'_> {
    /// The stacks with their samples, the outermost function first.
    fn stacks(&self) -> impl Iterator<Item = (Vec<&str>, u64)> {
        self.profile.stacks.iter().map(|(stack, &count)| {
            let names = stack.iter().map(|frame| frame.as_str()).collect::<Vec<_>>();
            (if names.is_empty() { vec![UNNAMED] } else { names }, count)
        })
    }

    /// The functions, those with the most fuel of their own first.
    fn functions(&self) -> Vec<(&str, Share)> {
        let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
        for (stack, count) in self.stacks() {
            if let Some(innermost) = stack.last() {
                shares.entry(innermost).or_default().own += count;
            }
            // A function that calls itself counts once.
            for name in stack.into_iter().collect::<BTreeSet<_>>() {
                shares.entry(name).or_default().total += count;
            }
        }
        let mut functions: Vec<_> = shares.into_iter().collect();
        functions.sort_by_key(|(name, share)| (std::cmp::Reverse((share.own, share.total)), *name));
        functions
    }

    /// A number of samples, or of fuel if the bot has printed its profile, as text.
    fn unit(&self, count: u64) -> String {
        if self.profile.is_printed {
            format!("{} fuel by its own functions", grouped(count))
        } else {
            counted(count, "sample")
        }
    }

    fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.profile.sampled().max(1) as f64
    }
}

impl Output for ProfileOutput<'_> {
    fn text(&self) -> Text {
        let Profile { fuel, turns, overruns, answered, .. } = self.profile;
        let mut text = format!(
            "{}: {} fuel in {}, rules `{}`, {}\n",
            self.contestant.id.label,
            grouped(*fuel),
            counted(*turns, "turn"),
            self.rules,
            self.unit(self.profile.sampled()),
        );
        if *overruns > 0 {
            let _ = writeln!(
                text,
                "{} ran out of fuel, and each counts with its whole budget",
                counted(*overruns, "turn")
            );
        }
        let functions = self.functions();
        let rows = functions.iter().take(FUNCTIONS_SHOWN_MAX).map(|(name, share)| {
            let percent = |count| format!("{:.1} %", self.percent(count));
            vec![(*name).to_owned(), percent(share.own), percent(share.total)]
        });
        text += &table(&["function", "own", "with calls"], &[0], rows);
        if functions.len() > FUNCTIONS_SHOWN_MAX {
            let _ = write!(text, "\nand {}", counted(functions.len() - FUNCTIONS_SHOWN_MAX, "more function"));
        }
        if *answered > 0 {
            let _ = write!(
                text,
                "\n{} had no stack: the fresh object had already answered",
                counted(*answered, "further sample")
            );
        }
        if functions.iter().any(|(name, _)| *name == UNNAMED) {
            text +=
                "\nnext: keep the names of functions when you build; an interpreter's functions have none";
            if *overruns > 0 {
                text += "; `arena check` names the place where a turn ran out of fuel";
            }
        }
        text.into()
    }

    fn json(&self) -> impl Serialize {
        let function = |(name, share): &(&str, Share)| json!({ "function": name, "own": share.own, "with-calls": share.total });
        json!({
            "bot": self.contestant.id.label,
            "rules": self.rules,
            "fuel": self.profile.fuel,
            "turns": self.profile.turns,
            "overruns": self.profile.overruns,
            "is-printed": self.profile.is_printed,
            "samples": self.profile.sampled(),
            "answered": self.profile.answered,
            "functions": self.functions().iter().map(function).collect::<Value>(),
        })
    }

    fn folded(&self) -> Text {
        let line = |(stack, count): (Vec<&str>, u64)| {
            let names: Vec<String> = stack.iter().map(|name| name.replace(';', ":")).collect();
            format!("{} {count}", names.join(";"))
        };
        self.stacks().map(line).collect::<Vec<_>>().join("\n").into()
    }
}
