//! Hints for authors: known mistakes, and the signs by which they are recognised.

use arena_referee::{Fault, FaultClass};
use arena_rules::Size;

/// The signs of a mistake: what is known about a bot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signs<'a> {
    /// The imports of the component.
    pub imports: &'a [String],
    /// The name that is shown for it; empty if it was refused.
    pub name: &'a str,
    /// Its faults.
    pub faults: &'a [&'a Fault],
    /// True if it was at fault in its deployment.
    pub in_deployment: bool,
    /// True if it went on as a fresh instance after a fault.
    pub went_on: bool,
    /// The log of the first game with a fault, or of the first game if there was no fault. Each line begins with its turn.
    pub log: &'a str,
    /// The size of the board on which it was first at fault.
    pub board: Option<Size>,
    /// The reason why it was refused; empty if it was admitted.
    pub refusal: &'a str,
}

impl Signs<'_> {
    fn imports(&self, interface: &str) -> bool {
        self.imports.iter().any(|import| import.starts_with(interface))
    }

    /// True if a fault's line, or the refusal, contains one of these phrases.
    fn says(&self, phrases: &[&str]) -> bool {
        let has = |text: &str| phrases.iter().any(|phrase| text.contains(phrase));
        has(self.refusal) || self.faults.iter().any(|fault| has(&fault.detail))
    }

    fn is(&self, class: FaultClass) -> bool {
        self.faults.iter().any(|fault| fault.class == class)
    }

    /// True if it printed so much that printing may have used up its fuel.
    fn floods(&self) -> bool {
        let lines = self.log.lines().count();
        self.is(FaultClass::OutOfFuel) && (self.log.contains(LOG_IS_FULL) || lines > FLOOD_LINES)
    }

    /// True if it prints whole buffers only, so that its output may stop within a line: in each turn with output, its size is a multiple
    /// of [`BLOCK_BYTES`].
    fn buffers(&self) -> bool {
        let mut turns: Vec<(&str, usize)> = Vec::new();
        for line in self.log.lines() {
            let Some((turn, text)) = line.split_once(": ") else { return false };
            let bytes = text.len() + 1;
            match turns.last_mut() {
                Some((last, sum)) if *last == turn => *sum += bytes,
                _ => turns.push((turn, bytes)),
            }
        }
        // The last line may have no line break, so the sum may be one byte too large.
        let is_block = |bytes: usize| bytes >= BLOCK_BYTES && (bytes % BLOCK_BYTES) <= 1;
        !turns.is_empty() && turns.iter().all(|(_, bytes)| is_block(*bytes))
    }
}

/// The beginning of the line that marks a full log.
const LOG_IS_FULL: &str = "[the log is full: ";

/// The longest name that is shown, in characters. The contract sets it.
const NAME_CHARS_MAX: usize = 64;

/// The number of lines above which a log counts as a flood. Chosen: ten for each turn of a long game.
const FLOOD_LINES: usize = 1_000;

/// The common divisor of the sizes of output buffers. Measured: C libraries have buffers of 512, 1,024 and 4,096 bytes, Python 8,192.
const BLOCK_BYTES: usize = 512;

/// Parts of what Python and JavaScript say of an answer that is no cell.
const IS_NO_CELL: &[&str] = &[
    "not of its type",
    "a cell is",
    "a cell must be",
    "must be an int",
    "to unpack",
    "has no attribute 'row'",
];

/// Parts of their messages about an invalid fleet.
const IS_NO_FLEET: &[&str] =
    &["must return a list such as", "must return an array such as", "a direction must be"];

/// A known mistake.
struct Mistake {
    is_made: fn(&Signs<'_>) -> bool,
    hint: &'static str,
}

/// The known mistakes. Each was made by an author, or found while the bots of a language were tried out.
const MISTAKES: &[Mistake] = &[
    Mistake {
        is_made: |signs| signs.refusal.contains("wasi:http"),
        hint: "a bot has no network: in JavaScript, build with `componentize-js … -d http -d fetch-event`",
    },
    Mistake {
        is_made: |signs| {
            signs.says(&[
                "wasi:sockets",
                "unknown encoding: idna",
                "gaierror",
                "getaddrinfo",
                "failed to lookup address",
                "dial tcp",
                "dial udp",
                "fetch is not defined",
                "XMLHttpRequest",
                // SpiderMonkey's `fetch`.
                "`[constructor]fields`",
            ])
        },
        hint: "a bot has no network: all it needs is in `game` and `view`; build data into the component",
    },
    Mistake {
        is_made: |signs| {
            signs.says(&[
                "FileNotFoundError",
                "No such file or directory",
                "os error 44",
                "Bad file number",
                "pre-opened",
                // Rust's `std::fs`.
                "Os { code: 76,",
                "os error 76",
                "wasi:filesystem",
                "require is not defined",
                "Cannot find module",
            ])
        },
        hint: "a bot has no files: put the data into its source (Rust `include_bytes!` or `include_str!`, a Python or JavaScript module, a C or Go \
               table)",
    },
    Mistake {
        is_made: |signs| {
            signs.says(&[
                "start new thread",
                "failed to spawn thread",
                "Worker is not defined",
                "wasi:thread",
                "shared memor",
                "threads support",
                "-threads",
                "operation not supported on this platform",
                // The same, when the rest of the line is cut.
                "kind: Unsupported,",
            ])
        },
        hint: "a bot has one thread, and starts no programs: do the work in `play` itself, and stop by `game.fuel-per-turn` or the clock",
    },
    Mistake {
        // Of Python, Go and Rust, which reads an empty line and makes no number of it.
        is_made: |signs| {
            signs.says(&["EOFError", "panic: EOF (", "ParseIntError { kind: Empty }", "from empty string"])
        },
        hint: "a bot has no input to read, so that what it reads is empty: all it needs is in `game` and `view`",
    },
    Mistake {
        // Rust's `std::env::var`.
        is_made: |signs| signs.says(&["an `Err` value: NotPresent", "environment variable not found"]),
        hint: "a bot has no environment variables: put settings into its source",
    },
    Mistake {
        is_made: |signs| signs.says(&["all goroutines are asleep"]),
        hint: "goroutines wait for each other: each receive from a channel needs a send, and each `Wait` its `Done`",
    },
    Mistake {
        is_made: |signs| signs.says(&["out of bounds memory access"]),
        hint: "it used memory outside of what it has: an index, a length or a pointer is wrong; in C and C++ a native build with \
               `-fsanitize=address,undefined` names the line; or large arrays in a function, and the stack overflowed: it has 1 MiB in Rust \
               and 16 MiB in C, so keep them in a `Vec` or in global variables",
    },
    Mistake {
        is_made: |signs| {
            signs.says(&["uninitialized element", "undefined element", "indirect call type mismatch"])
        },
        hint: "it called a function by a pointer that is not valid: it was never set, was overwritten, or belongs to something that \
               failed, such as the FILE of an `fopen` that returned NULL; a bot has no files",
    },
    Mistake {
        is_made: |signs| signs.says(&["integer divide by zero"]),
        hint: "it divides by zero, or takes a remainder by zero, such as that of a random number by the size of an empty list",
    },
    Mistake {
        is_made: |signs| signs.says(&["setTimeout is not", "setInterval is not", "setImmediate is not"]),
        hint: "a bot has no timers: nothing runs after its function has returned; stop a search by `game.fuelPerTurn` or \
               `Date.now()`, which advances with the fuel",
    },
    Mistake {
        is_made: |signs| {
            let objects =
                ["process", "Buffer", "window", "document", "navigator", "structuredClone", "TextEncoder"];
            let is_missing = |object: &str| signs.says(&[&format!("{object} is not defined")]);
            objects.into_iter().any(is_missing)
        },
        hint: "a bot runs neither in Node nor in a browser: it has JavaScript's own objects and `console`",
    },
    Mistake {
        is_made: |signs| signs.says(&["coroutine", "[object Promise]", "Promise", "is async"]),
        hint: "`play` and `deploy` must not be async: a bot answers when its function returns, and nothing runs after that",
    },
    Mistake {
        is_made: |signs| {
            let fell = signs.faults.iter().any(|fault| {
                fault.class == FaultClass::Trap && fault.detail.starts_with("wasm `unreachable`")
            });
            let silent = signs.is(FaultClass::Trap) && !signs.imports("wasi:cli/stderr");
            silent || (fell && signs.log.is_empty())
        },
        hint: "it printed no last words. If it imports no standard error, build Python without --stub-wasi (-s), and \
               JavaScript without `-d stdio`; in Rust a panic prints its line unless `panic = \"abort\"` hides it; in C print \
               before `abort`",
    },
    Mistake {
        is_made: |signs| signs.says(&["ModuleNotFoundError", "ImportError"]),
        hint: "in Python, import all modules at the top of the file: they are loaded when the bot is built, and none can be \
               while it plays",
    },
    Mistake {
        is_made: |signs| signs.says(&["OverflowError"]),
        hint: "rows and columns are numbers from 0 to 255: in Python, a larger or a negative one cannot be an answer",
    },
    Mistake {
        is_made: |signs| {
            // A number that is not a valid row has its own hint, for `OverflowError`.
            let is_wrong_type = signs.says(IS_NO_CELL);
            let is_of_play = !signs.in_deployment && !signs.says(&["OverflowError"]);
            is_of_play && (signs.is(FaultClass::BadResult) || is_wrong_type)
        },
        hint: "`play` returns a cell or none: Rust `Some(Coord { row, column })` or `None`; Python `Coord(row, column)` or `None`; \
               JavaScript `{ row, column }` or `undefined`; `arena wit` prints the types",
    },
    Mistake {
        is_made: |signs| {
            let is_wrong_type = signs.says(IS_NO_CELL) || signs.says(IS_NO_FLEET);
            signs.in_deployment && (signs.is(FaultClass::BadResult) || is_wrong_type)
        },
        hint: "`deploy` returns a list with a place for each ship of `game.fleet`: an anchor, which is a cell, and one of the directions \
               north, east, south and west; in C and Go they count from 0 to 3; `arena wit` prints the types",
    },
    Mistake {
        is_made: |signs| signs.says(&["called exit("]),
        hint: "a bot must return from each call: it is not a program that ends",
    },
    Mistake {
        is_made: |signs| signs.says(&["already shot at"]),
        hint: "shoot only at cells that are 0 in `view.attacks`; if `view.retry` is true, the last answer was not valid",
    },
    Mistake {
        is_made: |signs| signs.says(&["off the board"]),
        hint: "rows and columns count from 0: the last cell of this board is {last}, and `game` has its size",
    },
    Mistake {
        is_made: |signs| {
            // With the words of the fault, also if it tried again until its fuel was used up.
            let phrases = ["MemoryError", "out of memory", "bytes of memory; the cap is"];
            signs.is(FaultClass::OutOfMemory) || signs.says(&phrases)
        },
        hint: "keep less, or free it after each turn: all that a bot holds counts against its memory, and a list or table that \
               grows is copied, so that it needs twice its size",
    },
    Mistake {
        is_made: |signs| {
            signs.is(FaultClass::StackOverflow)
                || signs.says(&["RecursionError", "too much recursion", "call stack size"])
        },
        hint: "the stack is full, because a function calls itself too often: give the recursion an end, or keep the open cells in a list",
    },
    Mistake {
        is_made: |signs| {
            signs.is(FaultClass::InitError)
                || (signs.refusal.contains("failed when it was") && signs.refusal.contains("fuel"))
        },
        hint: "it failed before the first call: move work from global variables and start-up code into `deploy` or `play`",
    },
    Mistake {
        is_made: |signs| signs.name == "unnamed",
        hint: "its function `name` returns no text that can be shown: return the bot's name, of at most 64 characters",
    },
    Mistake {
        is_made: |signs| signs.name.chars().count() >= NAME_CHARS_MAX,
        hint: "its name is longer than 64 characters, and only the beginning is shown",
    },
    Mistake {
        is_made: |signs| signs.floods(),
        hint: "it printed a lot in a turn that used up its fuel: printing costs 1,000 fuel a call; print less",
    },
    Mistake {
        is_made: |signs| {
            signs.is(FaultClass::OutOfFuel)
                && !signs.floods()
                && !signs.says(&["already shot at", "off the board", "too much recursion"])
        },
        hint: "a loop may not end, or search too long: print before and in it, since the last line in the log is where it was; end \
               a search by `game.fuel-per-turn` or the clock, which advances with the fuel",
    },
    Mistake {
        is_made: |signs| signs.went_on,
        hint: "after a turn over its budget a fresh object goes on, without the state of the last one: `deploy` is not called again; \
               read all you need from `game` and `view`",
    },
    Mistake {
        is_made: |signs| signs.is(FaultClass::BadDeploy),
        hint: "`deploy` returns a place for each ship of `game.fleet`, in its order; ships share no cell, and touch only if \
               `game.may-touch`",
    },
    Mistake {
        is_made: |signs| signs.buffers(),
        hint: "its output comes in whole buffers, and the rest of the last one is lost: flush after each line (C `setvbuf(stdout, \
               NULL, _IOLBF, 0)`, Python `print(…, flush=True)`, Rust `println!` does)",
    },
];

/// Returns the hints for the mistakes that are recognised.
pub fn hints(signs: &Signs<'_>) -> Vec<String> {
    let made = MISTAKES.iter().filter(|mistake| (mistake.is_made)(signs));
    let last = signs.board.map_or("that of its size less one".to_owned(), |size| {
        format!("({}, {})", size.height.saturating_sub(1), size.width.saturating_sub(1))
    });
    made.map(|mistake| mistake.hint.replace("{last}", &last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(imports: &[&str], faults: &[(FaultClass, &str)], refusal: &str, expected: &[&str]) {
        let imports: Vec<String> = imports.iter().map(ToString::to_string).collect();
        let faults: Vec<Fault> = faults.iter().map(|(class, detail)| Fault::new(*class, *detail)).collect();
        let faults: Vec<&Fault> = faults.iter().collect();
        let found = hints(&Signs {
            imports: &imports,
            faults: &faults,
            refusal,
            log: "turn 1: x\n",
            board: Some(Size::new(12, 10)),
            ..Signs::default()
        });
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
        for empty in [
            "EOFError: EOF when reading a line",
            "panic: EOF (bot.go:22 in main.(*Bot).Play)",
            "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: Empty }",
        ] {
            check(&stdio, &[(FaultClass::Trap, empty)], "", &["no input"]);
        }
        let no_digit = "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }";
        check(&stdio, &[(FaultClass::Trap, no_digit), (FaultClass::Trap, "panic: EOFX")], "", &[]);
        let unsupported = "an `Err` value: Error { kind: Unsupported, message: \"operation not supported on … (lib.rs:13:52)";
        check(&stdio, &[(FaultClass::Trap, unsupported)], "", &["starts no programs"]);
        check(
            &stdio,
            &[(FaultClass::IllegalAction, "the cell (1, 2) is already shot at")],
            "",
            &["view.retry"],
        );
        check(
            &stdio,
            &[(FaultClass::IllegalAction, "the cell (10, 2) is off the board")],
            "",
            &["this board is (9, 11),"],
        );
        check(&stdio, &[(FaultClass::OutOfMemory, "asked for more")], "", &["memory"]);
        let refused = "used up its fuel: asked for 75431936 bytes of memory; the cap is 67108864";
        check(&stdio, &[(FaultClass::OutOfFuel, refused)], "", &["keep less", "a loop may not end"]);
        check(&stdio, &[(FaultClass::InitError, "called abort")], "", &["start-up"]);
    }

    #[test]
    fn a_bot_that_printed_nothing_before_it_fell_is_told_how_to_print_its_last_words() {
        for (detail, imports, log, is_told) in [
            ("wasm `unreachable` instruction executed", "wasi:cli/stderr@0.2.12", "", true),
            ("wasm `unreachable` instruction executed", "wasi:cli/stderr@0.2.12", "turn 1: x\n", false),
            ("out of bounds memory access", "wasi:cli/stderr@0.2.12", "", false),
            ("out of bounds memory access", "wasi:cli/stdout@0.2.12", "turn 1: x\n", true),
        ] {
            let (fault, imports) = (Fault::new(FaultClass::Trap, detail), [imports.to_owned()]);
            let told = hints(&Signs { imports: &imports, faults: &[&fault], log, ..Signs::default() });
            assert_eq!(told.iter().any(|hint| hint.contains("last words")), is_told, "{detail} {log}");
        }
    }

    #[test]
    fn an_answer_of_a_wrong_type_has_the_hint_for_the_function_that_returned_it() {
        let discriminant = (FaultClass::BadResult, "unexpected discriminant: 7");
        let tuple = (
            FaultClass::Trap,
            "TypeError: `deploy` (bot.py:19) must return a list such as [Placement(Coord(0, 0), Direction.EAST)], not [(0, 0)]",
        );
        let nothing = (
            FaultClass::Trap,
            "TypeError: `deploy` must return an array such as [], not undefined (app.js:52:11)",
        );
        let cell = (FaultClass::Trap, "TypeError: a cell must be Coord(row, column) of two ints, not 'a1'");
        let own = (FaultClass::Trap, "TypeError: aim is not a function (bot.js:19:72)");
        let told = |(class, detail): (FaultClass, &str), in_deployment| {
            let fault = Fault::new(class, detail);
            let imports = ["wasi:cli/stderr@0.2.12".to_owned()];
            let signs = Signs { imports: &imports, faults: &[&fault], in_deployment, ..Signs::default() };
            hints(&signs)
                .iter()
                .map(|hint| hint.split(' ').next().unwrap_or("").to_owned())
                .collect::<Vec<_>>()
        };
        for fault in [discriminant, tuple, nothing, cell] {
            assert_eq!(told(fault, true), ["`deploy`"], "{}", fault.1);
        }
        assert_eq!(told(discriminant, false), ["`play`"]);
        assert_eq!(told(cell, false), ["`play`"]);
        assert!(told(own, true).is_empty() && told(own, false).is_empty());
    }

    #[test]
    fn a_bot_floods_its_log_if_it_is_out_of_fuel_and_the_log_is_full_or_has_many_lines() {
        let floods = |class, log: &str| {
            let fault = Fault::new(class, "it failed");
            Signs { faults: &[&fault], log, ..Signs::default() }.floods()
        };
        let lines = "turn 1: x\n".repeat(FLOOD_LINES);
        assert!(!floods(FaultClass::OutOfFuel, &lines));
        let more = lines + "turn 1: x\n";
        assert!(floods(FaultClass::OutOfFuel, &more) && !floods(FaultClass::Trap, &more));
        assert!(floods(FaultClass::OutOfFuel, "turn 1: x\n[the log is full: 9 lines]\n"));
    }

    #[test]
    fn output_is_that_of_a_buffer_if_each_turn_has_whole_blocks_of_it() {
        let buffers = |log: &str| Signs { log, ..Signs::default() }.buffers();
        // A line has its line break, unless the buffer ends within it.
        let turn = |turn: u32, bytes: usize| format!("turn {turn}: {}\n", "x".repeat(bytes - 1));
        assert!(buffers(&turn(1, 512)) && buffers(&turn(1, 513)) && buffers(&turn(1, 1_024)));
        assert!(!buffers(&turn(1, 511)) && !buffers(&turn(1, 514)) && !buffers(&turn(1, 1)));
        assert!(
            buffers(&(turn(1, 500) + &turn(1, 12) + &turn(4, 512))),
            "the lines of a turn count together"
        );
        assert!(!buffers(&(turn(1, 512) + &turn(4, 12))) && !buffers(&(turn(1, 500) + &turn(2, 12))));
        assert!(!buffers("") && !buffers("no turn\n"));
    }
}
