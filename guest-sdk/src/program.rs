//! The practice program of a bot's folder: its arguments, its output, and the comparison of two builds.

use crate::call::{Call, NotACall};
use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs, path};

/// The part of a practice program that its game decides.
pub(crate) struct Practice {
    /// The things that are counted, boards or games. It is also the name of the option.
    pub count: &'static str,
    /// The names of the rules, the default first. With a single one there is no option.
    pub rules: &'static [&'static str],
    /// Plays, and returns a number for each board or game. Fewer is better.
    pub play: fn(&Options) -> Result<Vec<u32>, String>,
    /// The result of these numbers, in a line.
    pub result: fn(&[u32]) -> String,
    /// Makes a bot that is called as in recorded calls.
    pub bot: fn() -> Box<RecordedBot>,
}

/// A bot, which is called as in the text of a recorded call, and returns its answer in the form of recordings.
pub(crate) type RecordedBot = dyn FnMut(&str) -> Result<String, NotACall>;

/// The arguments of a practice program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The name of the rules.
    pub rules: String,
    /// The number of boards or games, at least 1.
    pub count: u32,
    /// The random seed of all boards or games.
    pub seed: u64,
    /// The file of recorded calls.
    calls: Option<String>,
    /// True if only the numbers are printed, for another build.
    raw: bool,
    /// True if only the usage is printed.
    help: bool,
    /// The program of another build.
    other: Option<String>,
}

/// An error, and the exit code of the program: 2 for wrong arguments, otherwise 1.
type Failure = (u8, String);

/// The number of boards or games if no other is chosen. Chosen: the error of the mean is about one shot, within a second.
const COUNT: u32 = 200;

/// The time after which progress is printed, and between two lines of it. Chosen: most bots need less for all boards.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// The fuel of a millisecond of a budget. The arena sets it.
const FUEL_PER_MILLISECOND: u64 = 100_000;

/// The line before the numbers for another build. What the bot prints comes before it.
const RESULTS: &str = "practice results\n";

/// Returns the fuel of a budget, as in the arena.
pub(crate) fn fuel_of_milliseconds(milliseconds: u32) -> u64 {
    u64::from(milliseconds) * FUEL_PER_MILLISECOND
}

impl Options {
    /// Returns a function that counts a board or a game, and prints the number on standard error when some seconds have passed. For another
    /// build it prints nothing.
    pub fn progress(&self, what: &'static str) -> impl FnMut() + use<> {
        let (count, raw, mut done, mut printed) = (self.count, self.raw, 0, Instant::now());
        move || {
            done += 1;
            if !raw && done < count && printed.elapsed() >= PROGRESS_INTERVAL {
                printed = Instant::now();
                // It is only progress, so it may be lost.
                let _ = writeln!(std::io::stderr(), "practice: {done} of {count} {what}");
            }
        }
    }
}

/// Runs the program with the arguments of this process.
pub(crate) fn main(practice: &Practice) -> ExitCode {
    let (code, text) = match practice.run(env::args().skip(1)) {
        Ok(text) => (0, text),
        Err((code, text)) => (code, format!("practice: {text}")),
    };
    // A closed pipe is no error: the reader has seen enough.
    let _ = match code {
        0 => writeln!(std::io::stdout(), "{text}"),
        _ => writeln!(std::io::stderr(), "{text}"),
    };
    ExitCode::from(code)
}

impl Practice {
    fn run(&self, args: impl Iterator<Item = String>) -> Result<String, Failure> {
        let options = self.options(args).map_err(|problem| (2, format!("{problem}; {}", self.usage())))?;
        if options.help {
            return Ok(self.help());
        }
        if let Some(file) = &options.calls {
            let text =
                fs::read_to_string(file).map_err(|error| (2, format!("cannot read {file}: {error}")))?;
            return self.repeat_calls(&text).map_err(|error| (2, format!("{file}: {error}")));
        }
        let mine = (self.play)(&options).map_err(|foul| (1, foul))?;
        if options.raw {
            let lines: Vec<String> = mine.iter().map(u32::to_string).collect();
            return Ok(format!("\n{RESULTS}{}", lines.join("\n")));
        }
        let result = (self.result)(&mine);
        let Some(other) = &options.other else { return Ok(result) };
        let others = self.other_build(other, &options).map_err(|problem| (2, problem))?;
        let difference = mine.iter().zip(&others).map(|(&mine, &other)| f64::from(mine) - f64::from(other));
        Ok(format!("{result}\n{} against {other} on the same {}", with_error(difference), self.count))
    }

    /// Calls a bot as it was called in a recorded game. The text begins with each answer that is not the recorded one: the bot's memory may
    /// be another one then, too. The last answer comes last.
    fn repeat_calls(&self, text: &str) -> Result<String, NotACall> {
        let (mut bot, mut said) = ((self.bot)(), String::new());
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let answer = bot(line)?;
            let known = Call(line).whole("answer")?;
            if known != "null" && known != answer {
                let turn = Call(line).value("turn").unwrap_or("0");
                said += &format!("turn {turn}: {answer}, and not {known} as recorded\n");
            }
            if lines.peek().is_none() {
                said += &answer;
            }
        }
        Ok(said)
    }

    fn options(&self, args: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            rules: self.rules[0].to_owned(),
            count: COUNT,
            seed: 1,
            calls: None,
            raw: false,
            help: false,
            other: None,
        };
        let count = format!("--{}", self.count);
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--rules" if self.rules.len() > 1 => options.rules = value()?,
                "--seed" => options.seed = value()?.parse().map_err(|_| "--seed must be a whole number")?,
                "--calls" => options.calls = Some(value()?),
                "--raw" => options.raw = true,
                "-h" | "--help" => options.help = true,
                name if name == count => {
                    let number = value()?.parse().ok().filter(|&number| number > 0);
                    options.count = number.ok_or_else(|| format!("{count} must be at least 1"))?;
                }
                name if name.starts_with('-') => return Err(format!("there is no option {name}")),
                _ if options.other.is_some() => return Err("only one other build is compared".into()),
                _ => options.other = Some(arg),
            }
        }
        if !self.rules.contains(&options.rules.as_str()) {
            return Err(format!("there are no built-in rules {}", options.rules));
        }
        match options.other.as_ref().filter(|other| !Path::new(other).is_file()) {
            Some(other) => Err(format!("there is no file {other}")),
            None => Ok(options),
        }
    }

    /// Lets another build play the same boards or games.
    fn other_build(&self, program: &str, options: &Options) -> Result<Vec<u32>, String> {
        // Without a folder in it, the path would be looked for elsewhere.
        let path = path::absolute(program).map_err(|error| format!("cannot find {program}: {error}"))?;
        let mut command = Command::new(path);
        command.arg("--raw").arg(format!("--{}", self.count)).arg(options.count.to_string());
        command.arg("--seed").arg(options.seed.to_string());
        if self.rules.len() > 1 {
            command.arg("--rules").arg(&options.rules);
        }
        let advice = "name a copy of this program that was made before your change";
        let output = command.output().map_err(|error| format!("cannot run {program}: {error}; {advice}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let results = text.rsplit_once(RESULTS).map_or("", |(_, results)| results);
        let numbers: Vec<u32> = results.lines().map_while(|line| line.parse().ok()).collect();
        if !output.status.success() || numbers.len() != options.count as usize {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().next().unwrap_or("it does not print a number for each of them");
            return Err(format!("{program} failed: {said}; {advice}"));
        }
        Ok(numbers)
    }

    fn usage(&self) -> String {
        let rules =
            if self.rules.len() > 1 { format!("[--rules {}] ", self.rules.join("|")) } else { String::new() };
        format!("usage: practice {rules}[--{} N] [--seed S] [--calls FILE] [OTHER_BUILD]", self.count)
    }

    fn help(&self) -> String {
        let Self { count, rules, .. } = self;
        let mut lines = vec![self.usage(), String::new()];
        let mut option = |name: &str, text: &dyn Display| lines.push(format!("  {name:<13} {text}"));
        option(
            "OTHER_BUILD",
            &format_args!("copy of this program, made before a change; compared on the same {count}"),
        );
        if rules.len() > 1 {
            option("--rules NAME", &format_args!("built-in rules [default: {}]", rules[0]));
        }
        option(&format!("--{count} N"), &format_args!("number of {count} [default: {COUNT}]"));
        option("--seed S", &format_args!("random seed of the {count} [default: 1]"));
        option("--calls FILE", &"call the bot as in a recorded game, and print its last answer");
        option("--raw", &"print only a number for each, as another build reads them");
        lines.join("\n")
    }
}

/// A mean with half of its 95 % interval.
pub(crate) fn with_error(numbers: impl Iterator<Item = f64> + Clone) -> String {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
    let error = 1.96 * (squares / (count - 1.0) / count).sqrt();
    if error.is_nan() { format!("{mean:.2} ± ?") } else { format!("{mean:.2} ± {error:.2}") }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fmt;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    /// Boards on which the bot needs 10, 12, 10, … shots, and two more under `classic`.
    const PRACTICE: Practice = Practice {
        count: "boards",
        rules: &["guide", "classic"],
        play: |options| {
            let more = if options.rules == "classic" { 2 } else { 0 };
            Ok((0..options.count).map(|board| 10 + board % 2 * 2 + more).collect())
        },
        result: |shots| format!("{} shots a board", with_error(shots.iter().copied().map(f64::from))),
        bot: || {
            let mut calls = 0;
            Box::new(move |text| {
                calls += 1;
                Call(text).number::<u32>("turn")?;
                Ok(format!("[{}]", calls / 4))
            })
        },
    };

    /// The output of the program with these arguments.
    fn said(args: &str) -> Result<String, Failure> {
        PRACTICE.run(args.split_whitespace().map(str::to_owned))
    }

    /// A file in a folder of its own, which is removed with it.
    struct File(PathBuf);

    impl fmt::Display for File {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.display().fmt(f)
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = self.0.parent().map(fs::remove_dir_all);
        }
    }

    /// A file, which is a program if it begins with `#!`.
    fn file(name: &str, text: &str) -> File {
        let folder = env::temp_dir().join(format!("arena-sdk-practice-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        File(path)
    }

    #[test]
    fn a_result_has_half_of_its_95_percent_interval() {
        // The standard deviation of 10 and 12 in turn, 100 boards, is 1.005.
        assert_eq!(said("--boards 100").unwrap(), "11.00 ± 0.20 shots a board");
        assert_eq!(said("--boards 100 --rules classic").unwrap(), "13.00 ± 0.20 shots a board");
        assert_eq!(said("--boards 1").unwrap(), "10.00 ± ? shots a board");
        assert_eq!(said("--boards 2 --raw").unwrap(), "\npractice results\n10\n12");
    }

    #[test]
    fn another_build_is_asked_for_the_same_boards_and_compared_board_by_board() {
        let script = "#!/bin/sh\ntest \"$*\" = '--raw --boards 2 --seed 7 --rules classic' && printf '5\\nthe bot prints\\npractice results\\n13\\n17\\n'";
        let other = file("other", script);
        let text = said(&format!("--boards 2 --seed 7 --rules classic {other}")).unwrap();
        // It needs 12 and 14 shots, and the other build 13 and 17.
        let expected = format!("13.00 ± 1.96 shots a board\n-2.00 ± 1.96 against {other} on the same boards");
        assert_eq!(text, expected);
    }

    #[test]
    fn a_program_that_is_no_other_build_is_told_with_its_own_message() {
        let few = file("few", "#!/bin/sh\necho practice results; echo 12");
        let (code, text) = said(&format!("--boards 2 {few}")).unwrap_err();
        assert!(code == 2 && text.contains("it does not print a number for each"), "{text}");
        let foul = file("foul", "#!/bin/sh\necho 'a foul' >&2; exit 1");
        let (_, text) = said(&format!("--boards 2 {foul}")).unwrap_err();
        assert!(text.contains("foul failed: a foul; name a copy of this program"), "{text}");
        let text_file = file("text", "no program");
        let (_, text) = said(&format!("--boards 2 {text_file}")).unwrap_err();
        assert!(text.contains("cannot run"), "{text}");
    }

    #[test]
    fn recorded_calls_are_repeated_with_one_bot_and_another_file_is_refused() {
        let calls = ["null", "[0]", "[1]", "[1]"]
            .iter()
            .enumerate()
            .map(|(turn, answer)| format!("{{\"view\":{{\"turn\":{turn}}},\"answer\":{answer}}}\n"));
        let calls: String = calls.collect();
        let recorded = file("calls", &calls);
        let text = said(&format!("--calls {recorded}")).unwrap();
        assert_eq!(text, "turn 2: [0], and not [1] as recorded\n[1]");
        let other = file("no-call", "{");
        let (code, text) = said(&format!("--calls {other}")).unwrap_err();
        assert!(code == 2 && text.contains("not a recorded call: `turn`"), "{text}");
    }

    #[test]
    fn wrong_arguments_are_told_with_the_usage() {
        for (args, says) in [
            (
                "--boards 0",
                "--boards must be at least 1; usage: practice [--rules guide|classic] [--boards N]",
            ),
            ("--boards", "--boards needs a value"),
            ("--seed x", "--seed must be a whole number"),
            ("--rules none", "there are no built-in rules none"),
            ("--wrong", "there is no option --wrong"),
            ("none", "there is no file none"),
            ("--calls none.jsonl", "cannot read none.jsonl"),
            ("Cargo.toml Cargo.toml", "only one other build is compared"),
        ] {
            let (code, text) = said(args).unwrap_err();
            assert!(code == 2 && text.contains(says), "{args}: {text}");
        }
        assert!(said("--help").unwrap().contains("--boards N    number of boards [default: 200]"));
    }
}
