//! The battle's state machine, by games written down in `games/`: each is a rule as a sentence and the moves that show it.
//! `games/README.txt` says how they are written.

use arena_rules::{
    Answer, Battle, Coord, Direction, Effect, Fleet, FleetSpec, Outcome, Placement, Reason, Ruleset, Seat,
    judge_deployments,
};
use serde_json::{Value, from_str, from_value, to_value};

#[test]
fn by_the_rules_of_guide_every_game_goes_as_it_is_written() {
    check_file("guide", Ruleset::guide());
}

#[test]
fn by_the_rules_of_classic_every_game_goes_as_it_is_written() {
    check_file("classic", Ruleset::classic());
}

#[test]
fn by_the_rules_of_pirates_every_game_goes_as_it_is_written() {
    check_file("pirates", Ruleset::pirates());
}

#[test]
fn by_rules_of_ones_own_every_game_goes_as_it_is_written() {
    check_file("switches", Ruleset::guide());
}

#[test]
fn every_rule_set_has_its_name_and_can_be_played() {
    for name in Ruleset::NAMES {
        let rules = Ruleset::named(name).unwrap();
        assert_eq!((rules.name.as_str(), rules.validate()), (name, Ok(())));
    }
    assert_eq!(Ruleset::named("chess"), None);
}

fn check_file(name: &str, rules: Ruleset) {
    let games = std::fs::read_to_string(format!("tests/games/{name}.txt")).unwrap();
    let games: Vec<_> = games.split("\n## ").skip(1).collect();
    assert!(games.len() > 5, "{name}.txt holds more games than {}", games.len());
    for game in games {
        let (sentence, lines) = game.split_once('\n').unwrap();
        Game::new(&rules, &format!("{name}: {sentence}")).check(lines);
    }
}

/// A game that is being compared with what is written.
struct Game<'a> {
    /// The rule that it shows.
    sentence: &'a str,
    whole: &'a Ruleset,
    /// The same rules on a board of 4 by 4 with the fleet 2, 1, and with the game's own switches.
    small: Value,
    starter: Seat,
    battle: Option<Battle>,
    end: Option<(Outcome, Reason)>,
}

impl<'a> Game<'a> {
    fn new(whole: &'a Ruleset, sentence: &'a str) -> Self {
        let small = Ruleset { fleet: vec![2, 1], width: 4, height: 4, ..whole.clone() };
        let small = to_value(small).unwrap();
        Self { sentence, whole, small, starter: Seat::First, battle: None, end: None }
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
                "told" => self.told(seat(rest)),
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
        match Fleet::parse(&FleetSpec::of(self.whole), &placements) {
            Ok(_) => "legal".into(),
            Err(error) => error.to_string(),
        }
    }

    fn deployments(&mut self, seats: &str) -> String {
        let deploys = |seat: Seat| seats.contains(&u8::from(seat).to_string());
        let fleets = Seat::BOTH.map(|seat| deploys(seat).then(|| fleet(&self.rules())));
        self.end = judge_deployments(fleets).err();
        String::new()
    }

    fn told(&mut self, seat: Seat) -> String {
        match self.battle().view(seat).ships_remaining {
            None => "nothing".into(),
            Some(lengths) => lengths.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
        }
    }

    fn both(&mut self, spot_and_times: &str) -> String {
        let (spot, times) = spot_and_times.split_once(" x").unwrap();
        for _ in 0..times.parse().unwrap() {
            for _ in Seat::BOTH {
                let mover = self.battle().to_move().unwrap();
                self.battle().answer(mover, answer(spot));
            }
        }
        String::new()
    }

    fn turn(&mut self, seat: Seat, action: &str, line: &str) -> String {
        assert_eq!(self.battle().to_move(), Some(seat), "{}: whose turn at {line:?}", self.sentence);
        match action {
            "overrun" => drop(self.battle().overrun(seat)),
            "fails" => self.battle().forfeit(seat),
            _ => {
                let effect = self.battle().answer(seat, answer(action));
                let asked_again = matches!(effect, Effect::Retry { .. });
                assert_eq!(self.battle().view(seat).retry, asked_again, "{}: {line:?}", self.sentence);
                return text(effect);
            }
        }
        String::new()
    }

    fn rules(&self) -> Ruleset {
        let rules: Ruleset = from_value(self.small.clone()).unwrap();
        rules.validate().unwrap();
        rules
    }

    fn battle(&mut self) -> &mut Battle {
        let rules = self.rules();
        self.battle.get_or_insert_with(|| {
            let fleet = fleet(&rules);
            Battle::new(&rules, [fleet.clone(), fleet], self.starter)
        })
    }

    fn end(&self) -> String {
        let end = self.battle.as_ref().map_or(self.end, Battle::end);
        let Some((outcome, reason)) = end else { return "goes on".into() };
        let reason = name(reason);
        match outcome {
            Outcome::Win(seat) => format!("win {} {reason}", u8::from(seat)),
            Outcome::Draw => format!("draw {reason}"),
            Outcome::NoContest => format!("no-contest {reason}"),
        }
    }
}

fn fleet(rules: &Ruleset) -> Fleet {
    let placements = [
        Placement::new(Coord::new(0, 0), Direction::East),
        Placement::new(Coord::new(3, 3), Direction::North),
    ];
    Fleet::parse(&FleetSpec::of(rules), &placements).unwrap()
}

fn seat(word: &str) -> Seat {
    Seat::try_from(word.parse::<u8>().unwrap_or_else(|_| panic!("{word:?} begins no line of a game")))
        .unwrap()
}

fn answer(word: &str) -> Answer {
    match word.split_once(',') {
        Some((row, column)) => Answer::Shot(Coord::new(row.parse().unwrap(), column.parse().unwrap())),
        None => Answer::Skip,
    }
}

fn name(value: impl serde::Serialize) -> String {
    to_value(value).unwrap().as_str().unwrap().to_owned()
}

/// An effect in the words of the file: the names of the values, without the spot, which is on the line already.
fn text(effect: Effect) -> String {
    match effect {
        Effect::Shot { result, .. } => name(result),
        Effect::Skipped => "skipped".into(),
        Effect::Retry { why, .. } => format!("retry {}", name(why)),
        Effect::Lost { why, .. } => format!("lost {}", name(why)),
        Effect::Wasted { why, result, .. } => {
            let again = result.map(|result| format!(" {}", name(result)));
            format!("wasted {}{}", name(why), again.unwrap_or_default())
        }
    }
}
