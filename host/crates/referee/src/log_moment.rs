//! The moments of a game that lines of a bot's log belong to.

use std::fmt;

/// The moment in which a bot printed a line. A log has it before each line: `deploy: …`, `turn 12: …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogMoment {
    /// The deployment.
    Deploy,
    /// The turn of this number, with all its retries.
    Turn(u32),
}

impl LogMoment {
    /// The moment by its number: that of a turn, and 0 for the deployment.
    pub fn of_turn(number: u32) -> Self {
        if number == 0 { Self::Deploy } else { Self::Turn(number) }
    }

    /// The number of the turn; 0 for the deployment.
    pub fn turn(self) -> u32 {
        match self {
            Self::Deploy => 0,
            Self::Turn(number) => number,
        }
    }

    /// The moment that a line of a log begins with; `None` when it begins with something else.
    pub fn of_line(line: &str) -> Option<Self> {
        Self::split(line).0
    }

    /// The moment that a line of a log begins with, and the text that the bot printed: the whole line if there is no moment.
    pub fn split(line: &str) -> (Option<Self>, &str) {
        let found = line.split_once(": ").and_then(|(moment, text)| {
            let moment = match moment {
                "deploy" => Self::Deploy,
                turn => Self::Turn(turn.strip_prefix("turn ")?.parse().ok()?),
            };
            Some((moment, text))
        });
        found.map_or((None, line), |(moment, text)| (Some(moment), text))
    }
}

impl fmt::Display for LogMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deploy => f.write_str("deploy"),
            Self::Turn(number) => write!(f, "turn {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for turn in [0, 1, 12, u32::MAX] {
            let moment = LogMoment::of_turn(turn);
            assert_eq!(LogMoment::split(&format!("{moment}: turn 3: text")), (Some(moment), "turn 3: text"));
            assert_eq!(moment.turn(), turn);
        }
        for other in ["", "turn 12", "turn x: ", "turn 1:", "deploys: ", "12: "] {
            assert_eq!(LogMoment::split(other), (None, other));
        }
    }
}
