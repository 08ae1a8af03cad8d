//! A game as the code of a loaded one: two sides take from a pile, each with a secret number. Its options make its picture large, its
//! secrets visible, its calls fail, and a side that takes one move again.

use arena_rules::loaded::{
    About, AnyState, Applied, BoardResult, Code, Ending, Observed, Parameter, Rules, State,
};
use arena_rules::{Failure, GameRules, Seat};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The code, which counts the pictures that it is asked for.
#[derive(Clone, Debug, Default)]
pub struct Pile {
    pub pictures: Arc<AtomicU32>,
}

/// A state.
#[derive(Clone)]
struct Taking {
    pictures: Arc<AtomicU32>,
    settings: BTreeMap<String, i64>,
    secrets: [u64; 2],
    left: i64,
    mover: Seat,
    actions: Vec<i64>,
}

impl Code for Pile {
    fn begin(&self, settings: &BTreeMap<String, i64>, seed: u64, starter: Seat) -> Result<AnyState, Failure> {
        let (pictures, settings) = (Arc::clone(&self.pictures), settings.clone());
        let (secrets, left) = ([seed % 10, seed / 10 % 10], settings["pile"]);
        Ok(Arc::new(Taking { pictures, settings, secrets, left, mover: starter, actions: Vec::new() }))
    }
}

impl Taking {
    fn has(&self, option: &str) -> bool {
        self.settings[option] != 0
    }

    /// The number that an action takes, or why it is none.
    fn number(&self, action: &str) -> Result<i64, Applied<(String, AnyState)>> {
        let number = action.strip_prefix("take(").and_then(|rest| rest.strip_suffix(')'));
        let number = number.and_then(|number| number.parse().ok());
        let number: i64 = number.ok_or_else(|| {
            let how = "write it like take(1), of the type variant { take(u8) }";
            Applied::Lost(format!("{action}: invalid token; {how}"))
        })?;
        match number {
            1..=3 if number <= self.left => Ok(number),
            1..=3 => Err(Applied::Retry(format!("there are only {} left", self.left))),
            _ => Err(Applied::Retry("take one to three".into())),
        }
    }
}

impl State for Taking {
    fn to_move(&self) -> Result<Option<Seat>, Failure> {
        Ok((self.left > 0).then_some(self.mover))
    }

    fn outcome(&self) -> Result<BoardResult, Failure> {
        Ok(BoardResult { winner: Some(self.mover.other()), reason: "took-last".into(), scores: None })
    }

    fn observe(&self, viewer: Seat) -> Result<Box<dyn Observed>, Failure> {
        Ok(Box::new(format!("{{left: {}, secret: {}}}", self.left, self.secrets[viewer.index()])))
    }

    fn picture(&self, viewer: Option<Seat>) -> Result<String, Failure> {
        self.pictures.fetch_add(1, Ordering::Relaxed);
        let fails = self.settings["fails"];
        if fails == 2 || (fails == 1 && self.actions.len() == 2) {
            return Err("`picture` \u{1b}[31mtrapped\nin the code".into());
        }
        let taken = self.actions.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let mut lines = vec![format!("数独 {}", "●".repeat(self.left as usize)), format!("  taken: {taken}")];
        if self.has("hidden") {
            for seat in Seat::BOTH {
                let is_seen = viewer.is_none_or(|viewer| viewer == seat);
                let secret = if is_seen { self.secrets[seat.index()].to_string() } else { "?".into() };
                lines.push(format!("  secret of seat {}: {secret}", u8::from(seat)));
            }
        }
        for row in 0..self.settings["rows"] {
            let row = |column: i64| char::from(b'a' + ((row + column) % 26) as u8);
            lines.push((0..self.settings["columns"]).map(row).collect());
        }
        Ok(lines.join("\n"))
    }

    fn legal_actions(&self) -> Result<Option<Vec<String>>, Failure> {
        let all = (1..=self.left.min(3)).map(|number| format!("take({number})"));
        Ok(self.has("lists").then(|| all.collect()))
    }

    fn apply(&self, action: &str) -> Result<Applied<(String, AnyState)>, Failure> {
        if action == "take(13)" {
            return Err("`apply-action` trapped".into());
        }
        Ok(match self.number(action) {
            Ok(number) => {
                let moves_again = number == 1 && self.has("again");
                let mover = if moves_again { self.mover } else { self.mover.other() };
                let left = self.left - number;
                let mut next = Self { left, mover, ..self.clone() };
                next.actions.push(number);
                Applied::Done((format!("{left} left"), Arc::new(next)))
            }
            Err(refusal) => refusal,
        })
    }

    fn overrun(&self) -> Result<Option<AnyState>, Failure> {
        Ok(Some(Arc::new(Self { mover: self.mover.other(), ..self.clone() })))
    }

    fn random_action(&self, seed: u64) -> Result<String, Failure> {
        Ok(format!("take({})", 1 + seed % self.left.min(3) as u64))
    }
}

/// The rules of the game with this code and other values for some options.
pub fn rules_of(code: Pile, options: &[(&str, i64)]) -> GameRules {
    let parameter = |(name, default, maximum): (&str, i64, i64)| Parameter {
        name: name.into(),
        help: format!("the number for {name}"),
        default,
        minimum: 0,
        maximum,
    };
    let parameters = [
        ("pile", 10, 1_000),
        ("rows", 0, 1_000),
        ("columns", 0, 1_000),
        ("hidden", 0, 1),
        ("lists", 1, 1),
        ("fails", 0, 2),
        ("again", 0, 1),
    ];
    let about = About {
        name: "pile".into(),
        version: "1.2.3".into(),
        parameters: parameters.map(parameter).into(),
        endings: vec![Ending { name: "took-last".into(), text: "the last one is taken".into() }],
        max_game_length: 10_000,
        turn_milliseconds: 10,
        scores: None,
    };
    let rules = Rules::new(about, "ab".repeat(32)).with_code(Arc::new(code));
    GameRules::Loaded(options.iter().fold(rules, |rules, (name, value)| rules.with(name, *value)))
}

/// The rules of the game with other values for some options.
pub fn rules(options: &[(&str, i64)]) -> GameRules {
    rules_of(Pile::default(), options)
}
