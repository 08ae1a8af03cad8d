//! The rules of a loaded game: its code, and the values of its options.

use crate::{Code, Facts};
use arena_rules::{Reason, RulesError};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The rules of a loaded game. Two are equal if they have the same code and the same values.
///
/// Those that were read from a record have no code, and are not valid until they are given it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Rules {
    /// The name to show.
    name: String,
    /// The SHA-256 of the code's file, in hexadecimal.
    code: String,
    /// The value of each parameter.
    settings: BTreeMap<String, i64>,
    #[serde(skip)]
    loaded: Option<Arc<Game>>,
}

/// A game that was loaded.
pub(crate) struct Game {
    pub(crate) facts: Facts,
    pub(crate) code: Box<dyn Code>,
    sha256: String,
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.facts.name, self.sha256)
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.sha256 == other.sha256
    }
}

impl Eq for Game {}

impl Rules {
    /// The rules of a game with this code, whose file has this SHA-256, with the default of each option.
    pub fn new(facts: Facts, code: impl Code, sha256: impl Into<String>) -> Self {
        let (name, sha256) = (facts.name.clone(), sha256.into());
        let settings = facts.parameters.iter().map(|it| (it.name.to_string(), it.default)).collect();
        let code = Box::new(code);
        Self { name, code: sha256.clone(), settings, loaded: Some(Arc::new(Game { facts, code, sha256 })) }
    }

    /// The same rules with another value of an option.
    #[must_use]
    pub fn with(mut self, option: &str, value: i64) -> Self {
        self.settings.insert(option.to_owned(), value);
        self
    }

    /// Rules that were read from a record, with the code of these. They are valid only if it is the code that the record names.
    #[must_use]
    pub fn with_code_of(self, other: &Self) -> Self {
        Self { loaded: other.loaded.clone(), ..self }
    }

    /// The values of the options.
    pub fn settings(&self) -> &BTreeMap<String, i64> {
        &self.settings
    }

    /// The game that was loaded; `None` for rules from a record.
    pub(crate) fn loaded(&self) -> Option<&Arc<Game>> {
        self.loaded.as_ref()
    }

    fn facts(&self) -> Option<&Facts> {
        self.loaded.as_ref().map(|loaded| &loaded.facts)
    }
}

impl arena_rules::Rules for Rules {
    fn game(&self) -> &str {
        self.facts().map_or("", |facts| &facts.name)
    }

    fn reasons(&self) -> &[Reason] {
        self.facts().map_or(&[], |facts| &facts.reasons)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }

    fn turn_budget_ms(&self) -> u32 {
        self.facts().map_or(1, |facts| facts.turn_budget_ms)
    }

    fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        let parameters = self.facts().map_or(&[][..], |facts| &facts.parameters);
        parameters.iter().map(|it| (it.name.to_string().into(), it.help.to_string().into())).collect()
    }

    fn validate(&self) -> Result<(), RulesError> {
        let wrong = |switch: &str, cause: String| {
            Err(RulesError { switch: switch.to_owned().into(), cause: cause.into() })
        };
        let Some(Game { facts, sha256, .. }) = self.loaded.as_deref() else {
            return wrong("code", format!("the game {} is not loaded", self.code));
        };
        if *sha256 != self.code {
            return wrong("code", format!("the rules are of {}, and the game is {sha256}", self.code));
        }
        let is_known = |name: &&String| facts.parameters.iter().any(|it| it.name.as_str() == **name);
        if let Some(stray) = self.settings.keys().find(|name| !is_known(name)) {
            return wrong(stray, format!("{} has no option {stray}", facts.name));
        }
        for parameter in &facts.parameters {
            let (name, range) = (parameter.name.as_str(), parameter.minimum..=parameter.maximum);
            if !self.settings.get(name).is_some_and(|value| range.contains(value)) {
                let (least, most) = range.into_inner();
                return wrong(name, format!("{name} must be a whole number from {least} to {most}"));
            }
        }
        Ok(())
    }

    fn reason_sentence(&self, reason: Reason, loser: &str) -> String {
        let known = self.facts().and_then(|facts| {
            let place = facts.reasons.iter().position(|own| *own == reason)?;
            Some(facts.sentences[place].to_string())
        });
        known.unwrap_or_else(|| reason.sentence(loser))
    }
}
