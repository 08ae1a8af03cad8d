//! The state machine of Battleship, by the games in `games/`: each is a rule as a sentence, and moves that show it. Their
//! format is in `games/README.txt`.

use arena_rules::battleship::{Action, Battleship, Effect, Ruleset};
use arena_rules::{
    Coord, Direction, Game, GameRules, Outcome, Placement, Reason, Ruling, Seat, judge_deployments,
};
use serde_json::{Value, from_str, from_value, json, to_value};
use std::collections::BTreeSet;

#[test]
fn games_under_guide_go_as_the_file_says() {
    check_file("guide", Ruleset::guide());
}

#[test]
fn games_under_classic_go_as_the_file_says() {
    check_file("classic", Ruleset::classic());
}

#[test]
fn games_under_pirates_go_as_the_file_says() {
    check_file("pirates", Ruleset::pirates());
}

#[test]
fn games_with_changed_switches_go_as_the_file_says() {
    check_file("switches", Ruleset::guide());
}

#[test]
fn all_built_in_rules_can_be_played_and_are_found_by_their_names() {
    let names = GameRules::built_in().iter().map(|rules| rules.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names, ["guide", "classic", "pirates", "submarine"]);
    for rules in GameRules::built_in() {
        rules.validate().unwrap();
        assert_eq!(GameRules::named(rules.name()), Some(rules));
    }
    assert_eq!(GameRules::named("chess"), None);
}

#[test]
fn the_switches_of_all_rules_have_comments_and_defaults_and_unknown_switches_are_refused() {
    for rules in GameRules::built_in() {
        let Value::Object(mut switches) = to_value(&rules).unwrap() else { panic!("{rules:?}") };
        let comments = rules.comments();
        let commented = comments.iter().map(|(switch, _)| &**switch).chain(["game"]);
        assert_eq!(commented.collect::<BTreeSet<_>>(), switches.keys().map(String::as_str).collect());
        switches.insert("fog".into(), true.into());
        let error = from_value::<GameRules>(switches.into()).unwrap_err().to_string();
        assert!(error.contains("unknown field `fog`"), "{error}");
        let all_defaults = from_value::<GameRules>(json!({ "game": rules.kind() })).unwrap();
        assert_eq!(all_defaults.kind(), rules.kind());
    }
}

fn check_file(name: &str, rules: Ruleset) {
    let games = std::fs::read_to_string(format!("tests/games/{name}.txt")).unwrap();
    let games: Vec<_> = games.split("\n## ").skip(1).collect();
    assert!(games.len() > 5, "{name}.txt holds more games than {}", games.len());
    for game in games {
        let (sentence, lines) = game.split_once('\n').unwrap();
        Written::new(&rules, &format!("{name}: {sentence}")).check(lines);
    }
}

/// A game of a file, while it is played and compared with its lines.
struct Written<'a> {
    /// The rule that it shows.
    sentence: &'a str,
    whole: &'a Ruleset,
    /// The same rules on a board of 4 by 4 with the fleet 2, 1, and with the game's own switches.
    small: Value,
    starter: Seat,
    game: Option<Battleship>,
    end: Option<(Outcome, Reason)>,
}

impl<'a> Written<'a> {
    fn new(whole: &'a Ruleset, sentence: &'a str) -> Self {
        let small = Ruleset { fleet: vec![2, 1], width: 4, height: 4, ..whole.clone() };
        let small = to_value(small).unwrap();
        Self { sentence, whole, small, starter: Seat::First, game: None, end: None }
    }

    fn check(mut self, lines: &str) {
        let mut compared = false;
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let (what, written) = line.split_once(" -> ").unwrap_or((line, ""));
            let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
            let seen = match word {
                "rules" => self.change(rest),
                "starter" => self.start(rest),
                "has" => self.has(rest),
                "fleet" => self.fleet(rest),
                "deploys" => self.deployments(rest),
                "afloat" => self.afloat(seat(rest)),
                "both" => self.both(rest),
                "=" => {
                    assert_eq!(rest, self.end(), "{}", self.sentence);
                    String::new()
                }
                _ => self.turn(seat(word), rest, line),
            };
            assert_eq!(seen, written, "{}: {line:?}", self.sentence);
            compared |= word == "=" || word == "has" || line.contains(" -> ");
        }
        assert!(compared, "{}: nothing is compared", self.sentence);
    }

    fn change(&mut self, switches: &str) -> String {
        let switches: serde_json::Map<_, _> = from_str(switches).unwrap();
        self.small.as_object_mut().unwrap().extend(switches);
        String::new()
    }

    fn start(&mut self, word: &str) -> String {
        self.starter = seat(word);
        String::new()
    }

    fn has(&self, switches: &str) -> String {
        let whole = to_value(self.whole).unwrap();
        for (switch, written) in from_str::<serde_json::Map<_, _>>(switches).unwrap() {
            assert_eq!(whole[&switch], written, "{}: {switch}", self.sentence);
        }
        String::new()
    }

    fn fleet(&self, placements: &str) -> String {
        let placements: Vec<Placement> = from_str(placements).unwrap();
        match Battleship::setup(self.whole, &placements) {
            Ok(_) => "legal".into(),
            Err(error) => error.to_string(),
        }
    }

    fn deployments(&mut self, seats: &str) -> String {
        let deploys = |seat: Seat| seats.contains(&u8::from(seat).to_string());
        self.end = judge_deployments(Seat::BOTH.map(|seat| deploys(seat).then_some(()))).err();
        String::new()
    }

    fn afloat(&mut self, seat: Seat) -> String {
        match &self.game().view(seat).ships_remaining {
            None => "nothing".into(),
            Some(lengths) => lengths.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
        }
    }

    fn both(&mut self, spot_and_times: &str) -> String {
        let (spot, times) = spot_and_times.split_once(" x").unwrap();
        for _ in 0..times.parse().unwrap() {
            for _ in Seat::BOTH {
                let mover = self.game().to_move().unwrap();
                self.game().act(mover, &action(spot));
            }
        }
        String::new()
    }

    fn turn(&mut self, seat: Seat, word: &str, line: &str) -> String {
        assert_eq!(self.game().to_move(), Some(seat), "{}: whose turn at {line:?}", self.sentence);
        match word {
            "overrun" => drop(self.game().overrun(seat)),
            "fails" => self.game().forfeit(seat),
            _ => {
                let ruling = self.game().act(seat, &action(word));
                let is_retry = matches!(ruling, Ruling::Retry(_));
                let retry = self.game().view(seat).retry;
                assert_eq!(retry, is_retry, "{}: {line:?}", self.sentence);
                return text(ruling);
            }
        }
        String::new()
    }

    fn rules(&self) -> Ruleset {
        let rules: Ruleset = from_value(self.small.clone()).unwrap();
        rules.validate().unwrap();
        rules
    }

    fn game(&mut self) -> &mut Battleship {
        let rules = self.rules();
        self.game.get_or_insert_with(|| {
            let ships = [
                Placement::new(Coord::new(0, 0), Direction::East),
                Placement::new(Coord::new(3, 3), Direction::North),
            ];
            let fleet = || Battleship::setup(&rules, &ships.to_vec()).unwrap();
            Battleship::new(&rules, [fleet(), fleet()], self.starter)
        })
    }

    fn end(&self) -> String {
        let end = self.game.as_ref().map_or(self.end, Battleship::end);
        let Some((outcome, reason)) = end else { return "goes on".into() };
        let reason = name(reason);
        match outcome {
            Outcome::Win(seat) => format!("win {} {reason}", u8::from(seat)),
            Outcome::Draw => format!("draw {reason}"),
            Outcome::NoContest => format!("no-contest {reason}"),
        }
    }
}

fn seat(word: &str) -> Seat {
    Seat::try_from(word.parse::<u8>().unwrap_or_else(|_| panic!("no line of a game begins with {word:?}")))
        .unwrap()
}

fn action(word: &str) -> Action {
    match word.split_once(',') {
        Some((row, column)) => Action::Shot(Coord::new(row.parse().unwrap(), column.parse().unwrap())),
        None => Action::Skip,
    }
}

fn name(value: impl serde::Serialize) -> String {
    to_value(value).unwrap().as_str().unwrap().to_owned()
}

/// A ruling as the files name it: the names of the values.
fn text(ruling: Ruling<Battleship>) -> String {
    match ruling {
        Ruling::Done(Effect::Shot(result)) => name(result),
        Ruling::Done(Effect::Skipped) => "skipped".into(),
        Ruling::Done(Effect::Wasted { why, result: None }) => format!("wasted {}", name(why)),
        Ruling::Done(Effect::Wasted { why, result: Some(again) }) => {
            format!("wasted {} {}", name(why), name(again))
        }
        Ruling::Retry(why) => format!("retry {}", name(why)),
        Ruling::Lost(why) => format!("lost {}", name(why)),
    }
}

#[test]
fn a_reason_is_recorded_by_its_name_and_other_text_is_refused() {
    let shared = ["turns-max", "forfeit", "bad-deploy", "both-bad-deploy"];
    for name in shared.into_iter().chain(["fleet-sunk", "4-in-a-row", &"a".repeat(31)]) {
        let reason = from_value::<Reason>(name.into()).unwrap();
        assert_eq!(reason.is_own(), !shared.contains(&name), "{name}");
        assert_eq!(to_value(reason).unwrap(), name);
    }
    for name in ["", "-", "a-", "-a", "a--b", "Fleet", "a b", "a\n", "\u{e9}", &"a".repeat(32)] {
        assert!(from_value::<Reason>(name.into()).is_err(), "{name:?}");
    }
}
