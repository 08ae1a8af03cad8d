//! The crash message of a bot: the message and the place in its standard error, as the runtimes of the bots' languages write
//! it.
//!
//! All of it is the bot's own text, and may be made up. It is the same on every run, and has no path of the author's machine:
//! only the names of files.

use arena_referee::Frame;

/// The longest message, in characters. Chosen: with the place it goes into a fault's line.
const MESSAGE_CHARS_MAX: usize = 120;

/// The longest place, in characters. Chosen: as above.
const PLACE_CHARS_MAX: usize = 60;

/// The most functions of a traceback. Chosen: a screen shows it with the rest.
pub(crate) const FRAMES_MAX: usize = 10;

/// The last words of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CrashMessage {
    /// The message with its place, as one line.
    pub(crate) line: String,
    /// The functions that were being called, the innermost first, if the message has them. For an interpreted language,
    /// those of the interpreter would not help an author.
    pub(crate) stack: Vec<Frame>,
}

/// The files of a bot in JavaScript that are not its author's: the bindings that `componentize-js` adds, and the part of the template that
/// prints where the bot is.
const HIDDEN_FILES_OF_JAVASCRIPT: [&str; 2] = ["initializer.js", "where.js"];

/// The line with which a bot in JavaScript ends after its own crash message.
const END_OF_JAVASCRIPT: &str = "Redirecting call to abort() to mozalloc_abort";

/// A function that finds a crash message in a text.
type Finder = fn(&str) -> Option<CrashMessage>;

/// The finders, the more specific ones first: bindings for Python and JavaScript panic in Rust after they have written
/// everything.
const FINDERS: [Finder; 9] =
    [python, python_answer, thrown, javascript, javascript_panic, go, assertion, rust, last_line];

/// The beginning of the panic of the bindings for QuickJS, before the name of the function that has thrown something.
const QUICKJS_PANIC: &str = "\nFailed to call '";

/// Finds the crash message at the end of a call's standard error.
pub(crate) fn find(text: &str) -> Option<CrashMessage> {
    FINDERS.iter().find_map(|find| find(text))
}

/// The last stack in the text of a bot that was asked where it is. What it threw after that may have no stack.
pub(crate) fn traced(text: &str) -> Option<Vec<Frame>> {
    let message = python(text).or_else(|| javascript(text));
    message.map(|message| message.stack).filter(|stack| !stack.is_empty())
}

/// A place in the author's code.
struct CodePlace<'a> {
    file: &'a str,
    /// The line, and the column if there is one: `12` or `12:5`.
    line: &'a str,
    function: &'a str,
}

impl CodePlace<'_> {
    /// The place as text: `bot.py:12 in play`.
    fn text(&self) -> String {
        let Self { file, line, function } = self;
        let file = file_name(file);
        match *function {
            "" => format!("{file}:{line}"),
            function => format!("{file}:{line} in {function}"),
        }
    }

    /// The place as an entry of a stack: `play (bot.py:12)`.
    fn frame(&self) -> Frame {
        format!("{} ({}:{})", self.function, file_name(self.file), self.line).into()
    }
}

/// The name of a file, without the folders that it was built in.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The crash message with this text and place; `None` when the text is empty.
fn message_of(message: &str, place: Option<&CodePlace<'_>>, stack: Vec<Frame>) -> Option<CrashMessage> {
    let mut line = arena_text::line(message, MESSAGE_CHARS_MAX);
    if line.is_empty() {
        return None;
    }
    if let Some(place) = place {
        line += &format!(" ({})", arena_text::line(&place.text(), PLACE_CHARS_MAX));
    }
    Some(CrashMessage { line, stack })
}

/// A traceback of Python's: the last one, because it is of the error that was not caught.
fn python(text: &str) -> Option<CrashMessage> {
    let (_, traceback) = text.rsplit_once("Traceback (most recent call last):\n")?;
    let frame = |line| {
        let (file, rest) = str::strip_prefix(line, "  File \"")?.split_once("\", line ")?;
        let (line, function) = rest.split_once(", in ").unwrap_or((rest, ""));
        Some(CodePlace { file, line, function })
    };
    let frames: Vec<CodePlace<'_>> = traceback
        .lines()
        .map_while(|line| {
            // Lines of source and marks below them are between the frames, indented more.
            line.starts_with("  ").then(|| frame(line))
        })
        .flatten()
        .collect();
    let message = traceback.lines().find(|line| !line.starts_with(' '))?;
    // The standard library lies elsewhere than the author's files.
    let is_own = |place: &&CodePlace<'_>| !place.file.starts_with("/python") && !place.file.starts_with('<');
    let place = frames.iter().rev().find(is_own).or(frames.last());
    message_of(message, place, frames.iter().rev().take(FRAMES_MAX).map(CodePlace::frame).collect())
}

/// An answer in Python that is not of its type: the bindings panic with the error.
fn python_answer(text: &str) -> Option<CrashMessage> {
    let (_, error) = text.rsplit_once("PyErr { type: ")?;
    let (_, value) = error.split_once(", value: ")?;
    let (value, _) = value.split_once(", traceback: ")?;
    message_of(&format!("the answer is not of its type: {value}"), None, Vec::new())
}

/// An error of JavaScript's with its stack, as SpiderMonkey, QuickJS and V8 write them.
fn javascript(text: &str) -> Option<CrashMessage> {
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| script_frame(line).is_some())?;
    let is_outside = |line: &&str| script_frame(line).is_none() && !is_engines_frame(line);
    let first = lines[..last].iter().rposition(is_outside)?;
    let is_own = |place: &CodePlace<'_>| {
        // A text that was parsed is not a file: `<input>:1:2`.
        !HIDDEN_FILES_OF_JAVASCRIPT.contains(&file_name(place.file)) && !place.file.starts_with('<')
    };
    let frames = lines[first + 1..=last].iter().filter_map(|line| script_frame(line));
    let frames: Vec<CodePlace<'_>> = frames.filter(is_own).collect();
    let message = lines[..=first].iter().rfind(|line| !matches!(line.trim(), "" | "Stack:"))?;
    message_of(message, frames.first(), frames.iter().take(FRAMES_MAX).map(CodePlace::frame).collect())
}

/// A value that is not an error, and that JavaScript has thrown. It has no stack.
fn thrown(text: &str) -> Option<CrashMessage> {
    let value = thrown_in_quickjs(text).or_else(|| thrown_in_spidermonkey(text))?;
    message_of(&format!("threw {value}"), None, Vec::new())
}

/// The value as QuickJS's bindings write it when they panic: `Failed to call 'play': Value(String(Ok("no cell left")))`. They write
/// nothing about an object but its address. The template prints it before.
fn thrown_in_quickjs(text: &str) -> Option<String> {
    let (before, panic) = text.rsplit_once(QUICKJS_PANIC)?;
    let (_, value) = panic.lines().next()?.split_once("': Value(")?;
    let value = value.strip_suffix(')')?;
    let kind = value.split(['(', '"']).next()?;
    let written = value[kind.len()..].strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    Some(match kind {
        "String" => written?.strip_prefix("Ok(")?.strip_suffix(')')?.to_owned(),
        "Int" | "Float" | "Bool" => written?.to_owned(),
        "Undefined" | "Null" => kind.to_lowercase(),
        _ => {
            let is_shown = |line: &&str| matches!(line.bytes().next(), Some(b'{' | b'['));
            // The panic has an empty line and its place between the object and the value.
            let printed = before.lines().rev().nth(2).filter(is_shown);
            printed.map_or_else(|| format!("a value of type {kind}"), str::to_owned)
        }
    })
}

/// The value as SpiderMonkey's bindings write it, as code, in the line before they end.
fn thrown_in_spidermonkey(text: &str) -> Option<String> {
    let (before, _) = text.rsplit_once(END_OF_JAVASCRIPT)?;
    let line = before.lines().next_back().filter(|line| !line.trim().is_empty())?;
    Some(if line == "(void 0)" { "undefined".into() } else { line.to_owned() })
}

/// An error as QuickJS's bindings write it when they panic, for a bot that does not print it before.
fn javascript_panic(text: &str) -> Option<CrashMessage> {
    let (_, panic) = text.rsplit_once(QUICKJS_PANIC)?;
    let (_, error) = panic.lines().next()?.split_once("': Exception(Exception { message: Some(\"")?;
    let (message, stack) = error.split_once("\"), stack: Some(\"")?;
    let (stack, _) = stack.rsplit_once("\")")?;
    javascript(&format!("{}\n{}", message.replace("\\\"", "\""), stack.replace("\\n", "\n")))
}

/// Returns true for a line of a JavaScript stack that names a function of the engine: `at map (native)`, or with V8 `at Array.map
/// (<anonymous>)`.
fn is_engines_frame(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("at ") && (line.ends_with(" (native)") || line.ends_with(" (<anonymous>)"))
}

/// A line of a JavaScript stack: `play@bot.js:12:5`, `at play (bot.js:12:5)`, `at play (bot.js:12)` or `at bot.js:12:5`.
fn script_frame(line: &str) -> Option<CodePlace<'_>> {
    let line = line.trim();
    let (function, place) = match line.strip_prefix("at ") {
        Some(rest) => rest.strip_suffix(')').and_then(|rest| rest.split_once(" (")).unwrap_or(("", rest)),
        None => line.split_once('@')?,
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (rest, last) = place.rsplit_once(':').filter(|(_, last)| is_number(last))?;
    let (file, _) = match rest.rsplit_once(':').filter(|(_, number)| is_number(number)) {
        Some(with_column) => with_column,
        // The template's own stacks have no columns. Only the form with brackets is distinct enough without one.
        None if line.starts_with("at ") && line.ends_with(')') => (rest, last),
        None => return None,
    };
    if file.is_empty() || file.contains(' ') {
        return None;
    }
    let line = place.get(file.len() + 1..)?;
    Some(CodePlace { file, line, function })
}

/// A panic of Go's, and the first frame of its goroutine that is not the runtime's.
fn go(text: &str) -> Option<CrashMessage> {
    let (_, after) = text.rsplit_once("\ngoroutine ")?;
    let before = &text[..text.len() - after.len()];
    let is_cause = |line: &&str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let message = before.lines().rfind(is_cause)?;
    let mut lines = after.lines().skip(1);
    let mut frames = Vec::new();
    // Each frame is two lines: the function with its arguments, and, after a tab, the file and line with an offset.
    while let (Some(function), Some(place)) = (lines.next(), lines.next()) {
        let Some(place) = place.strip_prefix('\t') else { break };
        let place = place.split(" +0x").next().unwrap_or(place);
        let Some((file, line)) = place.rsplit_once(':') else { break };
        let function = function.rsplit_once('(').map_or(function, |(name, _)| name);
        frames.push(CodePlace { file, line, function });
    }
    let is_own = |place: &&CodePlace<'_>| {
        let is_panic = matches!(place.function, "panic" | "throw" | "goPanicIndex");
        !is_panic && !place.function.starts_with("runtime.")
    };
    message_of(
        message,
        frames.iter().find(is_own),
        frames.iter().take(FRAMES_MAX).map(CodePlace::frame).collect(),
    )
}

/// A failed assertion of C's, as wasi-libc writes it: `Assertion failed: x > 0 (bot.c: play: 12)`.
fn assertion(text: &str) -> Option<CrashMessage> {
    let failed = "Assertion failed: ";
    let line = text.lines().rfind(|line| line.starts_with(failed))?;
    let place = || {
        let (message, place) = line.strip_suffix(')')?.rsplit_once(" (")?;
        let mut parts = place.rsplitn(3, ": ");
        let (line, function, file) = (parts.next()?, parts.next()?, parts.next()?);
        message_of(message, Some(&CodePlace { file, line, function }), Vec::new())
    };
    place().or_else(|| message_of(line, None, Vec::new()))
}

/// A panic of Rust's: the place is on its line, the message on the next.
fn rust(text: &str) -> Option<CrashMessage> {
    let (_, after) = text.rsplit_once("panicked at ")?;
    let mut lines = after.lines();
    let place = lines.next()?.trim_end_matches(':');
    let message = format!("panicked: {}", lines.next().filter(|line| !line.trim().is_empty())?);
    match place.split_once(".rs:") {
        Some((file, line)) => {
            let file = format!("{file}.rs");
            message_of(&message, Some(&CodePlace { file: &file, line, function: "" }), Vec::new())
        }
        None => message_of(&message, None, Vec::new()),
    }
}

/// The last line that is not empty.
fn last_line(text: &str) -> Option<CrashMessage> {
    let lines = text.lines().filter(|line| *line != END_OF_JAVASCRIPT);
    let line = lines.map(|line| arena_text::line(line, MESSAGE_CHARS_MAX)).rfind(|line| !line.is_empty())?;
    Some(CrashMessage { line: format!("its last line on standard error: {line}"), stack: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outputs with their crash messages: see the head of the file.
    const CASES: &str = include_str!("../tests/data/last_words.txt");

    #[test]
    fn the_last_words_of_each_language_are_found() {
        let cases = CASES.split("\n=== ").skip(1);
        let mut count = 0;
        for case in cases {
            let (name, rest) = case.split_once('\n').expect("a case has a name");
            let (output, expected) = rest.split_once("\n--- found\n").expect("a case has an end");
            let found = find(output).map_or_else(
                || "nothing\n".into(),
                |CrashMessage { line, stack }| {
                    stack.iter().fold(line + "\n", |text, frame| text + "  " + frame + "\n")
                },
            );
            assert_eq!(found, format!("{}\n", expected.trim_end_matches('\n')), "{name}");
            count += 1;
        }
        assert_eq!(count, CASES.matches("\n--- found\n").count());
    }

    #[test]
    fn any_text_has_last_words_of_a_bounded_length() {
        let text = "panicked at x.rs:1:\nTraceback (most recent call last):\n  File \"@:1:2\", line \ngoroutine é 1\n\tAssertion failed: (\n at (:1:2)";
        let starts = text.char_indices().map(|(at, _)| at);
        for start in starts {
            for (end, _) in text[start..].char_indices() {
                if let Some(message) = find(&text[start..start + end].repeat(30)) {
                    assert!(
                        message.line.chars().count() < 250 && message.stack.len() <= FRAMES_MAX,
                        "{message:?}"
                    );
                }
            }
        }
    }
}
