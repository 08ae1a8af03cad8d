//! All that a game depends on, so that its author can reproduce it.

use super::LIST_MAX;
use crate::Seat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The longest text of all turns, in characters. Chosen: a screen and a half, in which most games fit.
const TURNS_CHARS_MAX: usize = 4_000;

/// The longest action that is kept, in characters. Chosen: a half of all, so that an action is rarely cut, and never takes the room of all
/// others.
const ACTION_CHARS_MAX: usize = TURNS_CHARS_MAX / 2;

/// All that a game depends on, so that its author can reproduce it in a test. It is of bounded length, and its text has two
/// lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reproduction {
    /// The value of each option.
    pub settings: BTreeMap<String, i64>,
    /// The seed for everything that is drawn.
    pub seed: u64,
    /// The seat that was to begin. The game decides whose turn each is.
    pub starter: Seat,
    /// The first turns: each an action as text, or an overrun.
    pub turns: Vec<String>,
    /// The number of turns after those, which had no room.
    pub left_out: u32,
    /// The length of all turns, in characters.
    #[serde(skip)]
    chars: usize,
}

impl Reproduction {
    /// A game before its first turn.
    pub fn new(settings: BTreeMap<String, i64>, seed: u64, starter: Seat) -> Self {
        Self { settings, seed, starter, turns: Vec::new(), left_out: 0, chars: 0 }
    }

    /// The same with its bounds, and with plain text: for one that comes from a process.
    #[must_use]
    pub fn plain(self) -> Self {
        let settings = self.settings.into_iter().take(LIST_MAX).map(|(name, value)| (short(&name), value));
        let mut plain = Self::new(settings.collect(), self.seed, self.starter);
        self.turns.iter().for_each(|turn| plain.act(turn));
        plain.left_out = plain.left_out.saturating_add(self.left_out);
        plain
    }

    /// Adds a turn that took this action, or failed with it.
    pub fn act(&mut self, action: &str) {
        self.add(short(action));
    }

    /// Adds a turn that overran its budget.
    pub fn overrun(&mut self) {
        self.add("overrun".to_owned());
    }

    fn add(&mut self, turn: String) {
        let chars = self.chars + turn.chars().count();
        if self.left_out > 0 || chars > TURNS_CHARS_MAX {
            self.left_out += 1;
        } else {
            self.chars = chars;
            self.turns.push(turn);
        }
    }
}

/// A text of bounded length in one line.
fn short(text: &str) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut short: String = text.chars().take(ACTION_CHARS_MAX).map(plain).collect();
    if text.chars().nth(ACTION_CHARS_MAX).is_some() {
        short.pop();
        short.push('…');
    }
    short
}

impl fmt::Display for Reproduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { settings, seed, starter, turns, left_out, .. } = self;
        write!(f, "it began with the seed {seed}, and seat {} as the starter", u8::from(*starter))?;
        settings.iter().try_for_each(|(name, value)| write!(f, ", {name}={value}"))?;
        f.write_str("\nits turns were")?;
        if turns.is_empty() {
            f.write_str(" none")?;
        }
        for (number, turn) in (1..).zip(turns) {
            let comma = if number == 1 { "" } else { "," };
            write!(f, "{comma} {number}: {turn}")?;
        }
        if *left_out > 0 {
            write!(f, ", and {left_out} more")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_has_all_that_a_game_depends_on_in_two_lines_of_bounded_length() {
        let settings = BTreeMap::from([("least".into(), 1), ("most".into(), 3)]);
        let mut reproduction = Reproduction::new(settings, 7, Seat::Second);
        let begin = "it began with the seed 7, and seat 2 as the starter, least=1, most=3\nits turns were";
        assert_eq!(reproduction.to_string(), format!("{begin} none"));
        reproduction.act("{heap: 0}");
        reproduction.overrun();
        reproduction.act("a\nb");
        assert_eq!(reproduction.to_string(), format!("{begin} 1: {{heap: 0}}, 2: overrun, 3: a\u{fffd}b"));
        (0..1_000).for_each(|_| reproduction.act(&"x".repeat(1_000)));
        assert_eq!(reproduction.turns.len() + reproduction.left_out as usize, 1_003);
        assert_eq!(reproduction.clone().plain(), reproduction);
        let text = reproduction.to_string();
        assert!(
            text.len() < 5_000 && text.ends_with(&format!(", and {} more", reproduction.left_out)),
            "{text}"
        );
        assert_eq!(text.lines().count(), 2);
    }
}
