//! The games of a journal as a table, as comma-separated values or as lines of JSON; and their faults, grouped.

use super::Output;
use super::csv::{cell, csv};
use super::json;
use super::lines::score;
use arena_engine::{FilteredGame, GameFilter, GameOrder, StoredSeason};
use arena_record::Label;
use arena_referee::{Detail, FaultClass};
use arena_rules::{Outcome, Seat};
use arena_text::{Json, Text, counted, grouped, table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most rows of a table. Chosen: more would not be read, and other programs have CSV and JSON Lines.
const ROWS_MAX: usize = 10_000;

/// The numbers of games of a group of faults in a table. Chosen: they fit next to the description in a line of 120.
const NUMBERS_SHOWN_MAX: usize = 5;

/// The list of a journal's games.
pub struct GamesList<'a> {
    kept: &'a StoredSeason,
    choice: &'a GameFilter,
    chosen: Vec<FilteredGame<'a>>,
    top: Option<usize>,
}

/// Faults of one class by one bot with the same description.
struct Group<'a> {
    contestant: usize,
    class: FaultClass,
    detail: &'a Detail,
    times: u32,
    games: Vec<usize>,
}

impl<'a> GamesList<'a> {
    /// The games of a journal that a filter allows, of which the first `top` are listed; all when `None`.
    pub fn new(kept: &'a StoredSeason, choice: &'a GameFilter, top: Option<usize>) -> Self {
        let ratings = kept.results.sums.rated.rate();
        Self { kept, choice, chosen: choice.of(&kept.results, &ratings), top }
    }

    /// The number of the first game, if there is one.
    pub fn first(&self) -> Option<usize> {
        self.chosen.first().map(|chosen| chosen.game.number)
    }

    fn label(&self, contestant: usize) -> &'a Label {
        &self.kept.content.tournament.bots[contestant].label
    }

    fn labels(&self, chosen: &FilteredGame<'_>) -> [&'a Label; 2] {
        chosen.game.fixture.seats.map(|contestant| self.label(contestant))
    }

    fn listed(&self) -> impl Iterator<Item = &FilteredGame<'a>> {
        self.chosen.iter().take(self.top.unwrap_or(usize::MAX))
    }

    /// The number of games that were played, as text.
    fn played(&self) -> String {
        counted(self.kept.results.sums.played, "game")
    }
}

impl Output for GamesList<'_> {
    /// The table, with the number of games that are left out.
    fn text(&self) -> Text {
        let header = ["game", "seat 1", "", "seat 2", "end", "turn", "fuel 1", "fuel 2", "faults", "chance"];
        let rows = self.listed().take(ROWS_MAX).map(|chosen| {
            let ([first, second], result) = (self.labels(chosen), chosen.result);
            vec![
                chosen.game.number.to_string(),
                first.to_string(),
                score(result.outcome).to_owned(),
                second.to_string(),
                result.reason.to_string(),
                chosen.turns().to_string(),
                grouped(result.fuel[0]),
                grouped(result.fuel[1]),
                Seat::BOTH.map(|seat| result.fault_count(seat)).into_iter().sum::<u32>().to_string(),
                chosen.chance.map_or(String::new(), |chance| format!("{:.1}%", 100.0 * chance)),
            ]
        });
        let shown = self.listed().take(ROWS_MAX).count();
        let summary = summary(shown, counted(self.chosen.len(), "game"), self.chosen.len());
        let summary = format!("{summary}, of {} played", self.played());
        if self.chosen.is_empty() {
            return summary.into();
        }
        let mut lines = vec![table(&header, &[1, 2, 3, 4], rows), String::new(), summary];
        if self.choice.order == GameOrder::Upsets {
            lines.push(
                "chance: the probability of this winner by the ratings, regardless of the seats".into(),
            );
        }
        lines.join("\n").into()
    }

    fn csv(&self) -> Vec<Text> {
        let header = [
            "game", "seat1", "seat2", "winner", "outcome", "reason", "turns1", "turns2", "fuel1", "fuel2",
            "faults1", "faults2", "chance",
        ];
        let rows = self.listed().map(|chosen| {
            let (labels, result) = (self.labels(chosen), chosen.result);
            let winner = match result.outcome {
                Outcome::Win(seat) => cell(labels[seat.index()]),
                Outcome::Draw | Outcome::NoContest => String::new(),
            };
            let mut row = vec![chosen.game.number.to_string()];
            row.extend(labels.map(cell));
            row.extend([winner, json::outcome(result.outcome).to_owned(), word(&json!(result.reason))]);
            row.extend(result.turns.map(|turns| turns.to_string()));
            row.extend(result.fuel.map(|fuel| fuel.to_string()));
            row.extend(Seat::BOTH.map(|seat| result.fault_count(seat).to_string()));
            row.push(chosen.chance.map_or(String::new(), |chance| thousandths(chance).to_string()));
            row
        });
        csv(&header, rows)
    }

    fn jsonl(&self) -> impl Iterator<Item = Json> {
        self.listed().map(|chosen| {
            let mut game = json::game(chosen.game.number, self.labels(chosen), &chosen.game.result);
            game["chance"] = chosen.chance.map(thousandths).into();
            Json::line(&game)
        })
    }
}

/// The faults in a list of games.
pub struct FaultsList<'a>(pub GamesList<'a>);

impl<'a> FaultsList<'a> {
    /// The faults, in the order of the bots, the most frequent ones first.
    fn groups(&self) -> Vec<Group<'a>> {
        let mut groups: BTreeMap<(usize, FaultClass, &str), Group<'a>> = BTreeMap::new();
        for chosen in &self.0.chosen {
            for (contestant, class, fault) in self.0.choice.faults_of(chosen) {
                let new = || Group { contestant, class, detail: &fault.detail, times: 0, games: Vec::new() };
                let group = groups.entry((contestant, class, fault.detail.as_str())).or_insert_with(new);
                group.times += fault.count;
                group.games.push(chosen.game.number);
            }
        }
        let mut groups: Vec<Group<'a>> = groups.into_values().collect();
        groups.sort_by_key(|group| (group.contestant, std::cmp::Reverse(group.times)));
        groups
    }
}

impl Output for FaultsList<'_> {
    fn text(&self) -> Text {
        let groups = self.groups();
        let shown = self.0.top.unwrap_or(usize::MAX).min(ROWS_MAX).min(groups.len());
        let rows = groups.iter().take(shown).map(|group| {
            let mut numbers: Vec<String> =
                group.games.iter().take(NUMBERS_SHOWN_MAX).map(ToString::to_string).collect();
            numbers.extend((group.games.len() > NUMBERS_SHOWN_MAX).then(|| "…".to_owned()));
            vec![
                self.0.label(group.contestant).to_string(),
                group.class.to_string(),
                group.times.to_string(),
                group.games.len().to_string(),
                numbers.join(" "),
                group.detail.to_string(),
            ]
        });
        let header = ["bot", "fault", "times", "games", "numbers", "description"];
        let kinds = format!("{} of fault", counted(groups.len(), "kind"));
        let summary = format!("{} in {}", summary(shown, kinds, groups.len()), self.0.played());
        if groups.is_empty() {
            return summary.into();
        }
        format!("{}\n\n{summary}", table(&header, &[0, 1, 4, 5], rows)).into()
    }

    fn csv(&self) -> Vec<Text> {
        let header = ["bot", "fault", "times", "games", "first-game", "description"];
        let rows = self.groups().into_iter().take(self.0.top.unwrap_or(usize::MAX)).map(|group| {
            vec![
                cell(self.0.label(group.contestant)),
                group.class.to_string(),
                group.times.to_string(),
                group.games.len().to_string(),
                group.games.first().map_or(String::new(), ToString::to_string),
                cell(group.detail),
            ]
        });
        csv(&header, rows)
    }

    fn jsonl(&self) -> impl Iterator<Item = Json> {
        self.groups().into_iter().take(self.0.top.unwrap_or(usize::MAX)).map(|group| {
            let document: Value = json!({
                "bot": self.0.label(group.contestant),
                "class": group.class,
                "detail": group.detail,
                "times": group.times,
                "games": group.games,
            });
            Json::line(&document)
        })
    }
}

/// The shown rows, and the number of all as text.
fn summary(shown: usize, in_words: String, all: usize) -> String {
    match all - shown {
        0 => in_words,
        more => format!("{shown} of {in_words} ({more} more with --top or -o csv)"),
    }
}

/// A word as documents have it.
fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Rounds to three decimals: the rest is noise.
fn thousandths(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}
