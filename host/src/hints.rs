//! Hints for authors: known mistakes, and the signs by which they are recognised.

use arena_referee::{Fault, FaultClass};

/// The signs of a mistake: what is known of a bot.
#[derive(Clone, Copy, Debug)]
pub struct Signs<'a> {
    /// The imports of the component.
    pub imports: &'a [String],
    /// Its faults.
    pub faults: &'a [&'a Fault],
    /// The reason why it was refused; empty if it was admitted.
    pub refusal: &'a str,
}

impl Signs<'_> {
    fn imports(&self, interface: &str) -> bool {
        self.imports.iter().any(|import| import.starts_with(interface))
    }

    /// True if some fault's line has these words.
    fn says(&self, words: &str) -> bool {
        self.faults.iter().any(|fault| fault.detail.contains(words))
    }

    fn is(&self, class: FaultClass) -> bool {
        self.faults.iter().any(|fault| fault.class == class)
    }
}

/// A known mistake.
struct Mistake {
    is_made: fn(&Signs<'_>) -> bool,
    hint: &'static str,
}

/// The known mistakes. Each was made by an author, or while the bots of a language were tried.
const MISTAKES: &[Mistake] = &[
    Mistake {
        is_made: |signs| signs.refusal.contains("wasi:http"),
        hint: "a bot has no network: in JavaScript, build with `componentize-js … -d http -d fetch-event`",
    },
    Mistake {
        is_made: |signs| signs.is(FaultClass::Trap) && !signs.imports("wasi:cli/stderr"),
        hint: "it imports no standard error, so its last words are lost: build Python without --stub-wasi (-s), with which \
               the first print traps, and JavaScript without `-d stdio`",
    },
    Mistake {
        is_made: |signs| signs.says("ModuleNotFoundError") || signs.says("ImportError"),
        hint: "in Python, import all modules at the top of the file: they are loaded when the bot is built, and none can be \
               while it plays",
    },
    Mistake {
        is_made: |signs| signs.says("OverflowError"),
        hint: "rows and columns are numbers from 0 to 255: in Python, a larger or a negative one cannot be an answer",
    },
    Mistake {
        is_made: |signs| signs.says("called exit("),
        hint: "a bot must return from each call: it is not a program that ends",
    },
    Mistake {
        is_made: |signs| signs.says("already shot at"),
        hint: "shoot only at cells that are 0 in `view.attacks`; if `view.retry` is true, the last answer was not valid",
    },
    Mistake {
        is_made: |signs| signs.says("off the board"),
        hint: "rows and columns count from 0: on a board of 10 by 10 cells the last one is (9, 9)",
    },
    Mistake {
        is_made: |signs| signs.is(FaultClass::OutOfMemory),
        hint: "keep less, or free it after each turn: all that a bot holds counts against its memory",
    },
    Mistake {
        is_made: |signs| signs.is(FaultClass::InitError),
        hint: "it failed before the first call: move work from global variables and start-up code into `deploy` or `play`",
    },
];

/// The hints for the mistakes that are recognised.
pub fn hints(signs: &Signs<'_>) -> Vec<&'static str> {
    MISTAKES.iter().filter(|mistake| (mistake.is_made)(signs)).map(|mistake| mistake.hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(imports: &[&str], faults: &[(FaultClass, &str)], refusal: &str, expected: &[&str]) {
        let imports: Vec<String> = imports.iter().map(ToString::to_string).collect();
        let faults: Vec<Fault> = faults.iter().map(|(class, detail)| Fault::new(*class, *detail)).collect();
        let faults: Vec<&Fault> = faults.iter().collect();
        let found = hints(&Signs { imports: &imports, faults: &faults, refusal });
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (hint, words) in found.iter().zip(expected) {
            assert!(hint.contains(words), "{words} in {hint}");
        }
    }

    #[test]
    fn known_mistakes_are_recognised_by_their_signs() {
        let stdio = ["wasi:cli/stderr@0.2.12"];
        check(&stdio, &[], "", &[]);
        check(&[], &[], "", &[]);
        check(&[], &[], "imports `wasi:http/types@0.2.10`", &["-d fetch-event"]);
        check(&[], &[(FaultClass::Trap, "wasm `unreachable` instruction executed")], "", &["--stub-wasi"]);
        check(
            &stdio,
            &[(FaultClass::Trap, "ModuleNotFoundError: No module named 'x'")],
            "",
            &["top of the file"],
        );
        check(
            &stdio,
            &[(FaultClass::Trap, "not of its type: OverflowError('out of range')")],
            "",
            &["0 to 255"],
        );
        check(&stdio, &[(FaultClass::Trap, "called exit(1)")], "", &["not a program"]);
        check(
            &stdio,
            &[(FaultClass::IllegalAction, "the cell (1, 2) is already shot at")],
            "",
            &["view.retry"],
        );
        check(&stdio, &[(FaultClass::IllegalAction, "the cell (10, 2) is off the board")], "", &["(9, 9)"]);
        check(&stdio, &[(FaultClass::OutOfMemory, "asked for more")], "", &["memory"]);
        check(&stdio, &[(FaultClass::InitError, "called abort")], "", &["start-up"]);
    }
}
