//! Rule sets as files that people write: reading them with kind errors, and writing them with comments.

use crate::failure::Failure;
use crate::roster::shown;
use arena_rules::{
    GameRules, OnInvalid, OnOverrun, OnSkip, Placing, Rounds, Ruleset, RulesetError, SHIPS_MAX, SIDE_MAX,
    Size, Starts,
};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Read;
use std::path::Path;

/// The largest file that is read. Chosen: the one that `arena rules show` writes has three kilobytes.
const FILE_BYTES_MAX: u64 = 64 << 10;

/// What a file says: some switches, and whose they are otherwise.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RulesFile {
    like: Option<String>,
    name: Option<String>,
    width: Option<u8>,
    height: Option<u8>,
    fleet: Option<Vec<u8>>,
    may_touch: Option<bool>,
    placing: Option<Placing>,
    starts: Option<Starts>,
    rounds: Option<Rounds>,
    off_board: Option<OnInvalid>,
    repeat: Option<OnInvalid>,
    skip: Option<OnSkip>,
    two_skips_draw: Option<bool>,
    overrun: Option<OnOverrun>,
    sinkings_announced: Option<bool>,
    turn_budget_ms: Option<u32>,
    turns_max: Option<u32>,
}

/// The rules of a name, or of a file: a name that looks like a path is one.
///
/// # Errors
/// A name there are no rules of, a file that cannot be read, or one that says something wrong, with its line.
pub fn load(name: &str) -> Result<GameRules, Failure> {
    if let Some(rules) = GameRules::named(name) {
        return Ok(rules);
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.is_file();
    if !is_path {
        let what = format!("there are no rules named {name:?}");
        return Err(Failure::input(
            what,
            format!("choose one of: {}; or name a file", GameRules::NAMES.join(", ")),
        ));
    }
    let text = read(path).map_err(|error| {
        Failure::input(
            format!("{}: cannot be read: {error}", shown(path)),
            "`arena rules show guide > my.toml` writes a file to begin from",
        )
    })?;
    parse(&text).map(GameRules::Battleship).map_err(|Complaint { line, what }| {
        Failure::input(
            format!("{}:{line}: {what}", shown(path)),
            "`arena rules show guide` shows every switch with what it may be",
        )
    })
}

fn read(path: &Path) -> std::io::Result<String> {
    let file = fs::File::open(path)?;
    let mut text = String::new();
    file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > FILE_BYTES_MAX {
        let message = format!("it is larger than {FILE_BYTES_MAX} bytes, which no rules are");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    line: usize,
    what: String,
}

fn parse(text: &str) -> Result<Ruleset, Complaint> {
    let file: RulesFile = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Complaint { line, what: error.message().lines().collect::<Vec<_>>().join("; ") }
    })?;
    let like = file.like.as_deref().unwrap_or("guide");
    let base = Ruleset::named(like).ok_or_else(|| Complaint {
        line: line_of(text, "like"),
        what: format!("there are no rules named {like:?}: choose one of {}", Ruleset::NAMES.join(", ")),
    })?;
    let rules = file.over(base);
    rules
        .validate()
        .map_err(|error| Complaint { line: line_of(text, key_of(&error)), what: error.to_string() })?;
    Ok(rules)
}

impl RulesFile {
    /// The base with what the file says instead. The cap on turns keeps to the board's size unless the file has one.
    fn over(self, base: Ruleset) -> Ruleset {
        let size = Size::new(self.width.unwrap_or(base.width), self.height.unwrap_or(base.height));
        let base = if size == base.size() { base } else { base.with_size(size) };
        Ruleset {
            name: self.name.unwrap_or_else(|| "custom".into()),
            width: base.width,
            height: base.height,
            fleet: self.fleet.unwrap_or(base.fleet),
            may_touch: self.may_touch.unwrap_or(base.may_touch),
            placing: self.placing.unwrap_or(base.placing),
            starts: self.starts.unwrap_or(base.starts),
            rounds: self.rounds.unwrap_or(base.rounds),
            off_board: self.off_board.unwrap_or(base.off_board),
            repeat: self.repeat.unwrap_or(base.repeat),
            skip: self.skip.unwrap_or(base.skip),
            two_skips_draw: self.two_skips_draw.unwrap_or(base.two_skips_draw),
            overrun: self.overrun.unwrap_or(base.overrun),
            sinkings_announced: self.sinkings_announced.unwrap_or(base.sinkings_announced),
            turn_budget_ms: self.turn_budget_ms.unwrap_or(base.turn_budget_ms),
            turns_max: self.turns_max.unwrap_or(base.turns_max),
        }
    }
}

/// The key that an error is about.
fn key_of(error: &RulesetError) -> &'static str {
    match error {
        RulesetError::Size(size) if (1..=SIDE_MAX).contains(&size.width) => "height",
        RulesetError::Size(_) => "width",
        RulesetError::Zero(key) => key,
        RulesetError::ShipCount(_)
        | RulesetError::ShipLength(_)
        | RulesetError::ShipOrder
        | RulesetError::FleetTooLarge { .. }
        | RulesetError::FleetTooTight { .. }
        | RulesetError::FleetUndrawable { .. } => "fleet",
    }
}

/// The line on which a key is set, from 1; the first where it is not, because it is then the base's.
fn line_of(text: &str, key: &str) -> usize {
    let sets_key = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    text.lines().position(sets_key).map_or(1, |index| index + 1)
}

/// A value as TOML writes it.
fn value(value: &impl Serialize) -> String {
    toml::Value::try_from(value).expect("names, lists and switches are values of TOML").to_string()
}

/// A file that says all of these rules, with comments, and that loads back as the same.
pub fn write(rules: &Ruleset) -> String {
    format!(
        r#"# Rules for the arena. Use them with `arena run --rules FILE BOT…`, in a file of your own.
#
# A file may leave out what it does not change: it is then as in the rules that `like` names, `guide` unless it says
# otherwise, and `name` is "custom".

# What the tables call these rules.
name = {name}

# The board, 1 to {SIDE_MAX} cells a side.
width = {width}
height = {height}

# The lengths of each side's ships, longest first, at most {SHIPS_MAX}. A fleet that cannot be placed is refused.
fleet = {fleet}

# Whether ships may lie side by side, or corner to corner.
may-touch = {may_touch}

# Who places the fleets: "bot", each its own, or "engine", uniformly over all legal fleets, from the match's seed.
placing = {placing}

# Who shoots first: "first", the first seat, in which the paired game puts the other bot, or "drawn" from the seed for
# the first game of a match, then in turn.
starts = {starts}

# When the fleets are looked at: "each-shot", so that the first to sink the other wins, or "both-shots", at the end of a
# round, so that both can sink: a draw.
rounds = {rounds}

# A spot off the board, and one already shot at: "retry" asks again in the same turn and budget, "waste" spends the turn,
# "lose" loses the game.
off-board = {off_board}
repeat = {repeat}

# The answer `none`: "skip" passes the turn, "lose" loses the game.
skip = {skip}

# Whether both sides skipping, one after the other, is a draw.
two-skips-draw = {two_skips_draw}

# A turn over its budget: "skip" passes it, and the bot goes on in a fresh instance; "lose" loses the game.
overrun = {overrun}

# Whether a side is told which of the opponent's ships are still afloat.
sinkings-announced = {sinkings_announced}

# The budget of a turn with all its retries, and of a deployment, in milliseconds. It is measured in fuel, which is the
# same on every machine: 100,000 units a millisecond.
turn-budget-ms = {turn_budget_ms}

# Turns that each side may take; after them the game is a draw.
turns-max = {turns_max}
"#,
        name = value(&rules.name),
        width = rules.width,
        height = rules.height,
        fleet = value(&rules.fleet),
        may_touch = rules.may_touch,
        placing = value(&rules.placing),
        starts = value(&rules.starts),
        rounds = value(&rules.rounds),
        off_board = value(&rules.off_board),
        repeat = value(&rules.repeat),
        skip = value(&rules.skip),
        two_skips_draw = rules.two_skips_draw,
        overrun = value(&rules.overrun),
        sinkings_announced = rules.sinkings_announced,
        turn_budget_ms = rules.turn_budget_ms,
        turns_max = rules.turns_max,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn complaint(text: &str) -> (usize, String) {
        let Complaint { line, what } = parse(text).unwrap_err();
        (line, what)
    }

    fn any_rules() -> impl Strategy<Value = Ruleset> {
        use {OnInvalid as I, prop::sample::select};
        let on_invalid = || select(vec![I::Retry, I::Waste, I::Lose]);
        let numbers = ("[ -~\\p{Greek}]{0,12}", 8u8..=32, 8u8..=32, 1u32..=u32::MAX, 1u32..=u32::MAX);
        let switches = prop::collection::vec(any::<bool>(), 8);
        let fleet = prop::collection::vec(1u8..4, 1..5);
        (numbers, fleet, on_invalid(), on_invalid(), switches).prop_map(
            |(numbers, mut fleet, off_board, repeat, on)| {
                let (name, width, height, turn_budget_ms, turns_max) = numbers;
                fleet.sort_unstable_by(|a, b| b.cmp(a));
                Ruleset {
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
                }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_loads_back_as_the_same(rules in any_rules()) {
            prop_assert_eq!(parse(&write(&rules)), Ok(rules));
        }

        #[test]
        fn any_text_is_rules_or_a_complaint(text in "\\PC{0,60}|[a-z-]{1,9} = [\\[\\]0-9\",a-z]{0,9}") {
            let _ = parse(&text);
        }
    }

    #[test]
    fn every_built_in_rule_set_loads_back_as_the_same() {
        for name in Ruleset::NAMES {
            let rules = Ruleset::named(name).unwrap();
            assert_eq!(parse(&write(&rules)), Ok(rules));
        }
    }

    #[test]
    fn a_file_may_say_only_what_it_changes() {
        let rules = parse("name = \"small\"\nwidth = 6\nheight = 8\nfleet = [3, 2, 2, 1]\n").unwrap();
        let guide = Ruleset::guide();
        assert_eq!((rules.width, rules.height, rules.turns_max), (6, 8, 4 * 48));
        assert_eq!((rules.repeat, rules.turn_budget_ms), (guide.repeat, guide.turn_budget_ms));
        assert_eq!(parse("").unwrap(), Ruleset { name: "custom".into(), ..guide });
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        assert_eq!(complaint("width = 6\nheigth = 8\n").0, 2);
        assert!(complaint("heigth = 8\n").1.contains("unknown field `heigth`"));
        assert!(complaint("\nskip = \"maybe\"\n").1.contains("unknown variant `maybe`"));
        assert_eq!(complaint("width = 6\nheight = \n").0, 2);
        assert_eq!(complaint("width = 300\n").0, 1);
        assert_eq!(
            complaint("# board\nwidth = 40\n"),
            (2, "a board of 40 columns by 10 rows is not possible: each side is 1 to 32 cells".into())
        );
        assert_eq!(complaint("height = 0").0, 1);
        assert_eq!(complaint("width = 5\nheight = 5\n\nfleet = [3, 3, 3, 3, 3]").0, 4);
        assert_eq!(complaint("fleet = [2, 3]"), (1, "the fleet must be listed longest first".into()));
        assert_eq!(complaint("\n\nturn-budget-ms = 0"), (3, "turn-budget-ms must be at least 1".into()));
        assert_eq!(complaint("like = \"chess\"").0, 1);
        // Sixteen lone cells on eight by eight: there are 281,571 ways, and chance finds none of them.
        let tight = "like = \"pirates\"\nwidth = 8\nheight = 8\nfleet = [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]";
        assert_eq!(complaint(tight).0, 4);
        assert!(complaint(tight).1.contains("let the bots place it"));
        assert!(parse(&tight.replace("pirates", "guide")).is_ok());
    }
}
