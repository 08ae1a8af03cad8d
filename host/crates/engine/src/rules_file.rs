//! Rules files: reading them, with errors that name the line, and writing them with comments.

use crate::error::Error;
use crate::mistake::Mistake;
use arena_record::{Name, Problem, plain_rules};
use arena_rules::{Game, GameRules, with_game};
use arena_text::shown;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use std::path::Path;
use toml::de::DeTable;
use toml::{Deserializer, Table, Value};

/// The largest file that is read, in bytes. Chosen: `arena rules show` writes three kilobytes.
const FILE_BYTES_MAX: u64 = 64 << 10;

/// The longest line of a comment that is written, in characters. Chosen: it fits a terminal with an editor's margin.
const COMMENT_COLUMNS_MAX: usize = 100;

/// The first lines of a file that is written.
const HEADER: &str = "\
# Rules for `arena run --rules FILE BOT…`. A file may leave out the switches that it does not change:
# they are as in the rules that `like` names, which are `guide` by default, and `name` is \"custom\".
";

/// The rules of this name, or in this file. A name that looks like a path is a path.
///
/// # Errors
/// A name without rules, a file that cannot be read, or a mistake in the file, with its line.
pub fn load(name: &str) -> Result<GameRules, Error> {
    if let Some(rules) = GameRules::named(name) {
        return Ok(rules);
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !is_path {
        return Err(Mistake::NoSuchRules { name: Name::new(name), known: names() }.into());
    }
    let text = read(path)?;
    parse(&text).map_err(|(line, problem)| Mistake::RulesFile { file: shown(path), line, problem }.into())
}

/// The text of a file.
fn read(path: &Path) -> Result<String, Error> {
    const NEXT: &str = "check the path; `arena rules show guide > my.toml` writes a file to start from";
    arena_files::read_text(path, FILE_BYTES_MAX)
        .map_err(|error| Error::unreadable(shown(path), error, "rules file", NEXT))
}

/// The names of all built-in rules.
fn names() -> Vec<String> {
    GameRules::built_in().iter().map(|rules| rules.name().to_owned()).collect()
}

/// The rules that a file changes if it does not name others.
fn default_rules() -> GameRules {
    GameRules::built_in().swap_remove(0)
}

/// The rules in a text, or a line of it that is wrong, with the problem.
fn parse(text: &str) -> Result<GameRules, (usize, Problem)> {
    let mistake = |offset: usize, what: String| {
        let before = &text.as_bytes()[..offset.min(text.len())];
        (before.iter().filter(|&&byte| byte == b'\n').count() + 1, what.into())
    };
    let because = |what: &str, error: &toml::de::Error| {
        let words = error.message().lines().collect::<Vec<_>>().join("; ");
        mistake(
            error.span().map_or(0, |span| span.start),
            format!("{what}{}", plain(&words).unwrap_or(words)),
        )
    };
    let no_toml = |error| because("is not TOML: ", &error);
    let unreadable = |error| because("", &error);
    let mut file = DeTable::parse(text).map_err(no_toml)?;
    let base = match file.get_mut().remove("like") {
        None => default_rules(),
        Some(like) => {
            let offset = like.span().start;
            let like = String::deserialize(like.into_deserializer()).map_err(unreadable)?;
            GameRules::named(&like).ok_or_else(|| {
                mistake(
                    offset,
                    format!(
                        "there are no rules named \"{}\": choose one of {}",
                        Name::new(&like).as_str(),
                        names().join(", ")
                    ),
                )
            })?
        }
    };
    // Errors of the game's own type have their place in the text; those of an enum of all games do not.
    with_game!(base.kind(), G => {
        let read = serde_path_to_error::deserialize::<_, <G as Game>::Rules>(Deserializer::from(file.clone()));
        read.map_err(|error| because(&format!("{}: ", error.path()), error.inner()))?;
    });
    let switches = Table::deserialize(Deserializer::from(file.clone())).map_err(unreadable)?;
    let over = |base: &GameRules| -> Result<GameRules, (usize, Problem)> {
        let mut rules = table(base);
        rules.insert("name".into(), "custom".into());
        rules.extend(switches.clone());
        rules.try_into().map_err(unreadable)
    };
    let mut rules = over(&base)?;
    if rules.size() != base.size()
        && let Some(base) = rules.size().and_then(|size| base.resized(size))
    {
        rules = over(&base)?;
    }
    rules.validate().map_err(|error| {
        // A switch that the file does not set is wrong only together with one that it sets.
        let key = file.get_ref().get_key_value(&*error.switch);
        mistake(key.map_or(0, |(key, _)| key.span().start), error.to_string())
    })?;
    Ok(plain_rules(rules))
}

/// The message of a deserializer about a value of the wrong type, in plain words; `None` when it is about something else.
fn plain(message: &str) -> Option<String> {
    let value = message.strip_prefix("invalid value: ").or_else(|| message.strip_prefix("invalid type: "))?;
    let (value, expected) = value.split_once(", expected ")?;
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "u32" => "a whole number from 0 to 4294967295",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        other => other,
    };
    Some(format!("{} is not {expected}", value.trim_start_matches("integer ").replace('`', "")))
}

/// All switches of some rules, with the game.
fn table(rules: &GameRules) -> Table {
    Table::try_from(rules).expect("rules are plain data with named switches")
}

/// Returns a file with all switches of these rules and a comment for each, which loads back as the same rules.
pub fn write(rules: &GameRules) -> String {
    let mut text = HEADER.to_owned();
    let mut write = |switch: &str, comment: &str, value: &Value| {
        text += &format!("\n{}\n{switch} = {value}\n", folded(comment));
    };
    if rules.kind() != default_rules().kind()
        && let Some(like) = GameRules::default_of(rules.kind())
    {
        write(
            "like",
            "The rules that this file changes: they say which game it is for.",
            &like.name().into(),
        );
    }
    let switches = table(rules);
    for (switch, comment) in rules.comments() {
        match switches.get(&*switch) {
            Some(value) => write(&switch, &comment, value),
            // A later switch is not written where it has its default: see "How to add" in ARCHITECTURE.md.
            None => write(&format!("# {switch}"), &comment, &"the default".into()),
        }
    }
    text
}

/// A comment in lines of limited length.
fn folded(comment: &str) -> String {
    let mut text = String::from("#");
    let mut columns = 1;
    for word in comment.split(' ') {
        if columns + 1 + word.len() > COMMENT_COLUMNS_MAX {
            text += "\n#";
            columns = 1;
        }
        text += " ";
        text += word;
        columns += 1 + word.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::{OnInvalid, OnOverrun, OnSkip, Placing, Rounds, Ruleset, Starts};
    use arena_rules::submarine;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_long_comment_is_folded_between_words_into_as_few_lines_as_possible() {
        assert_eq!(folded("a comment"), "# a comment");
        let line = "x".repeat(COMMENT_COLUMNS_MAX - 2);
        assert_eq!(folded(&line), format!("# {line}"));
        let [full, over] = [line.len() - 2, line.len() - 1].map(|length| "x".repeat(length));
        assert_eq!(folded(&format!("{full} y")), format!("# {full} y"));
        assert_eq!(folded(&format!("{over} y z")), format!("# {over}\n# y z"));
    }

    #[test]
    fn a_file_has_the_rules_that_its_text_says_and_one_that_is_not_there_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("mine.toml");
        let load = || load(path.to_str().unwrap());
        let why = load().unwrap_err().to_string();
        assert!(why.contains("mine.toml") && why.contains("arena rules show guide"), "{why}");
        std::fs::write(&path, "width = 9").unwrap();
        let GameRules::Battleship(rules) = load().unwrap() else { panic!("they are of Battleship") };
        assert_eq!((rules.width, rules.height), (9, Ruleset::guide().height));
    }

    fn complaint(text: &str) -> (usize, Problem) {
        parse(text).unwrap_err()
    }

    fn any_ruleset() -> impl Strategy<Value = GameRules> {
        use {OnInvalid as I, prop::sample::select};
        let on_invalid = || select(vec![I::Retry, I::Waste, I::Lose]);
        let numbers = ("[ -~\\p{Greek}]{0,12}", 8u8..=32, 8u8..=32, 1u32..=u32::MAX, 1u32..=u32::MAX);
        let switches = prop::collection::vec(any::<bool>(), 8);
        let fleet = prop::collection::vec(1u8..4, 1..5);
        (numbers, fleet, on_invalid(), on_invalid(), switches).prop_map(
            |(numbers, mut fleet, off_board, repeat, on)| {
                let (name, width, height, turn_budget_ms, turns_max) = numbers;
                fleet.sort_unstable_by(|a, b| b.cmp(a));
                GameRules::Battleship(Ruleset {
                    name,
                    width,
                    height,
                    fleet,
                    may_touch: on[0],
                    placing: if on[1] { Placing::Bot } else { Placing::Engine },
                    starts: if on[2] { Starts::First } else { Starts::Drawn },
                    rounds: if on[3] { Rounds::EachShot } else { Rounds::BothShots },
                    off_board,
                    repeat,
                    skip: if on[4] { OnSkip::Skip } else { OnSkip::Lose },
                    two_skips_draw: on[5],
                    overrun: if on[6] { OnOverrun::Skip } else { OnOverrun::Lose },
                    sinkings_announced: on[7],
                    turn_budget_ms,
                    turns_max,
                })
            },
        )
    }

    fn any_submarine() -> impl Strategy<Value = GameRules> {
        let switches = ("[ -~\\p{Greek}]{0,12}", 1u32..=u32::MAX, 1u32..=u32::MAX);
        switches.prop_map(|(name, turn_budget_ms, actions_max)| {
            GameRules::Submarine(submarine::Rules { name, turn_budget_ms, actions_max })
        })
    }

    proptest! {
        #[test]
        fn what_is_written_loads_back_as_the_same(rules in prop_oneof![any_ruleset(), any_submarine()]) {
            prop_assert_eq!(parse(&write(&rules)), Ok(plain_rules(rules)));
        }

        #[test]
        fn any_text_is_rules_or_a_mistake(text in "\\PC{0,60}|[a-z-]{1,9} = [\\[\\]0-9\",a-z]{0,9}") {
            let _ = parse(&text);
        }
    }

    #[test]
    fn every_built_in_rule_set_is_written_in_full_and_loads_back_as_the_same() {
        for rules in GameRules::built_in() {
            let comments = rules.comments();
            let written: BTreeSet<&str> = comments.iter().map(|(switch, _)| &**switch).collect();
            let switches = table(&rules);
            assert!(
                switches.keys().all(|key| key == "game" || written.contains(key.as_str())),
                "{written:?}"
            );
            assert_eq!(parse(&write(&rules)), Ok(rules));
        }
    }

    #[test]
    fn a_file_may_say_only_what_it_changes() {
        let small = "name = \"small\"\nwidth = 6\nheight = 8\nfleet = [3, 2, 2, 1]\n";
        let guide = Ruleset::guide();
        let expected = Ruleset {
            name: "small".into(),
            width: 6,
            height: 8,
            fleet: vec![3, 2, 2, 1],
            turns_max: 4 * 48,
            ..guide.clone()
        };
        assert_eq!(parse(small), Ok(GameRules::Battleship(expected.clone())));
        let capped = Ruleset { turns_max: 7, ..expected };
        assert_eq!(parse(&format!("{small}turns-max = 7")), Ok(GameRules::Battleship(capped)));
        let custom = Ruleset { name: "custom".into(), ..guide };
        assert_eq!(parse(""), Ok(GameRules::Battleship(custom)));
    }

    #[test]
    fn a_file_may_change_the_rules_of_any_game() {
        let rules = submarine::Rules { name: "custom".into(), actions_max: 50, ..Default::default() };
        let text = "like = \"submarine\"\nactions-max = 50";
        assert_eq!(parse(text), Ok(GameRules::Submarine(rules)));
        let pirates = Ruleset { name: "custom".into(), turns_max: 50, ..Ruleset::pirates() };
        assert_eq!(parse("turns-max = 50\n'like' = 'pirates'"), Ok(GameRules::Battleship(pirates)));
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        assert_eq!(complaint("width = 6\nheigth = 8\n").0, 2);
        assert!(complaint("heigth = 8\n").1.contains("heigth: unknown field `heigth`"));
        let (line, problem) = complaint("\nskip = \"maybe\"\n");
        assert_eq!((line, problem.as_str()), (2, "skip: unknown variant `maybe`, expected `skip` or `lose`"));
        assert_eq!(complaint("width = 6\nheight = \n").0, 2);
        let message = |text| complaint(text).1;
        assert_eq!(message("may-touch = 1"), Problem::from("may-touch: 1 is not true or false"));
        assert_eq!(message("fleet = 5"), Problem::from("fleet: 5 is not a list"));
        let expected = "fleet[1]: string \"4\" is not a whole number from 0 to 255";
        assert_eq!(message("fleet = [5, \"4\"]"), Problem::from(expected));
        assert!(message("turns-max = -1").ends_with("-1 is not a whole number from 0 to 4294967295"));
        let expected = "width: 300 is not a whole number from 0 to 255";
        assert_eq!(complaint("width = 300\n"), (1, expected.into()));
        assert_eq!(
            complaint("# board\nwidth = 40\n"),
            (2, "a board of 40 columns by 10 rows is not possible: each side is 1 to 32 cells".into())
        );
        assert_eq!(complaint("height = 0").0, 1);
        assert_eq!(complaint("width = 5\nheight = 5\n\nfleet = [3, 3, 3, 3, 3]").0, 4);
        assert_eq!(complaint("fleet = [2, 3]"), (1, "the fleet must be listed longest first".into()));
        assert_eq!(complaint("\n\nturn-budget-ms = 0"), (3, "turn-budget-ms must be at least 1".into()));
        assert_eq!(complaint("\nlike = \"chess\"").0, 2);
        assert_eq!(complaint("\nlike = 5").0, 2);
        assert_eq!(complaint("skip = \"skip\"\ngame = \"battleship\"").0, 2);
        let submarine = "like = \"submarine\"\n";
        assert_eq!(
            complaint(&format!("{submarine}\nactions-max = 0")),
            (3, "actions-max must be at least 1".into())
        );
        assert!(complaint(&format!("{submarine}width = 6")).1.contains("unknown field `width`"));
        // Sixteen single cells on eight by eight: there are 281,571 ways, and random draws find none of them.
        let tight = "like = \"pirates\"\nwidth = 8\nheight = 8\nfleet = [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]";
        assert_eq!(complaint(tight).0, 4);
        assert!(complaint(tight).1.contains("let the bots place it"));
        assert!(parse(&tight.replace("pirates", "guide")).is_ok());
    }
}
