//! The rules of a loaded game: its code, and the values of its options.

use super::{About, Code};
use crate::{Reason, RulesError, ScoreRange};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The rules of a loaded game.
///
/// Those that were read from a record have no code. They say all that tables need, and a game by them fails until they
/// [are given it](Rules::with_code).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Rules {
    /// The name to show.
    name: String,
    /// The SHA-256 of the code's file, in hexadecimal.
    sha256: String,
    /// The facts about the game.
    about: About,
    /// The value of each option.
    settings: BTreeMap<String, i64>,
    #[serde(skip)]
    code: Option<Arc<dyn Code>>,
}

impl fmt::Debug for dyn Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code")
    }
}

/// Two are equal if they have the same code and the same values, whether the code is loaded or not.
impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, sha256, about, settings, code: _ } = other;
        (&self.name, &self.sha256, &self.about, &self.settings) == (name, sha256, about, settings)
    }
}

impl Eq for Rules {}

impl Rules {
    /// The rules of a game with these facts, of which the code's file has this SHA-256, with the default of each option. They have no
    /// code yet.
    pub fn new(about: About, sha256: impl Into<String>) -> Self {
        let settings = about.parameters.iter().map(|it| (it.name.clone(), it.default)).collect();
        Self { name: about.name.clone(), sha256: sha256.into(), about, settings, code: None }
    }

    /// The same rules with another value of an option.
    #[must_use]
    pub fn with(mut self, option: &str, value: i64) -> Self {
        self.settings.insert(option.to_owned(), value);
        self
    }

    /// The same rules with their code.
    #[must_use]
    pub fn with_code(self, code: Arc<dyn Code>) -> Self {
        Self { code: Some(code), ..self }
    }

    /// The same rules with their texts made plain, each in at most this number of characters.
    #[must_use]
    pub fn plain(mut self, plain: impl Fn(&str, usize) -> String) -> Self {
        let About { version, parameters, endings, .. } = &mut self.about;
        *version = plain(version, super::NAME_CHARS_MAX);
        let texts =
            parameters.iter_mut().map(|it| &mut it.help).chain(endings.iter_mut().map(|it| &mut it.text));
        texts.for_each(|text| *text = plain(text, super::TEXT_CHARS_MAX));
        self
    }

    /// The facts about the game.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The values of the options.
    pub fn settings(&self) -> &BTreeMap<String, i64> {
        &self.settings
    }

    /// The SHA-256 of the code's file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The code; `None` if it is not loaded.
    pub fn code(&self) -> Option<&Arc<dyn Code>> {
        self.code.as_ref()
    }
}

impl crate::Rules for Rules {
    fn game(&self) -> &str {
        &self.about.name
    }

    fn reasons(&self) -> Cow<'_, [Reason]> {
        self.about.endings.iter().filter_map(super::Ending::reason).collect()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }

    fn turn_budget_ms(&self) -> u32 {
        self.about.turn_milliseconds
    }

    fn score_range(&self) -> Option<ScoreRange> {
        self.about.scores
    }

    fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        let comment = |it: &super::Parameter| (it.name.clone().into(), it.help.clone().into());
        self.about.parameters.iter().map(comment).collect()
    }

    fn validate(&self) -> Result<(), RulesError> {
        let wrong = |switch: &str, cause: String| {
            Err(RulesError { switch: switch.to_owned().into(), cause: cause.into() })
        };
        if let Err(error) = self.about.check() {
            return wrong("about", format!("the game {error}"));
        }
        let About { name: game, parameters, .. } = &self.about;
        let is_known = |name: &&String| parameters.iter().any(|it| it.name == **name);
        if let Some(stray) = self.settings.keys().find(|name| !is_known(name)) {
            return wrong(stray, format!("{game} has no option {stray}"));
        }
        for super::Parameter { name, minimum, maximum, .. } in parameters {
            if !self.settings.get(name).is_some_and(|value| (minimum..=maximum).contains(&value)) {
                return wrong(name, format!("{name} must be a whole number from {minimum} to {maximum}"));
            }
        }
        Ok(())
    }

    fn reason_sentence(&self, reason: Reason, loser: &str) -> String {
        let known = self.about.endings.iter().find(|ending| ending.reason() == Some(reason));
        known.map_or_else(|| reason.sentence(loser), |ending| ending.text.clone())
    }
}
