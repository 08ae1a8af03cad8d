//! The pages of the site.

mod bot;
mod cell;
mod compare;
mod front;
mod game;
mod history;
mod label;
mod list;
mod pair;
mod projector;
mod season;

use crate::choice::ReplayChoice;
use crate::facts::Facts;
use crate::tally::{Pair, Tally, pair_of};
use crate::{Contest, MARKER, Page, RankedBot, Replays, Reported, layout};
use arena_league::Pairing;
use arena_pictures::Frame;
use arena_record::Transcript;
use askama::Template;
pub use front::Best;
pub(crate) use game::{Watched, with_replay};
use std::collections::BTreeMap;

/// A report of a contest.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    contest: &'a Contest,
    tally: Tally,
    choice: ReplayChoice,
    /// The pairs of bots with games that count for ratings.
    pairings: BTreeMap<Pair, Pairing>,
    /// The labels that several bots share.
    labels: Vec<Label>,
    /// For each bot, the index in `labels`.
    label_of: Vec<Option<usize>>,
}

/// A label that several bots share: the versions of a bot.
#[derive(Clone, Debug)]
struct Label {
    /// The version that has the label now.
    newest: usize,
    /// All versions in the order in which they came. There are two or more.
    versions: Vec<usize>,
}

impl Label {
    /// The path of its page.
    fn link(&self) -> String {
        layout::label(self.versions[0])
    }
}

impl<'a> Report<'a> {
    /// A report of a contest, in which some games have a replay.
    pub fn new(contest: &'a Contest, replays: Replays) -> Self {
        let pairings = contest.ratings.pairings().map(|pairing| (pairing.contestants, pairing)).collect();
        let labels = labels(contest);
        let mut label_of = vec![None; contest.bots.len()];
        for (label, Label { versions, .. }) in labels.iter().enumerate() {
            versions.iter().for_each(|&bot| label_of[bot] = Some(label));
        }
        let choice = ReplayChoice::of(contest, replays);
        Self { contest, tally: Tally::of(contest), choice, pairings, labels, label_of }
    }

    /// True if a game has a replay, by its index in the contest.
    pub fn has_replay(&self, index: usize) -> bool {
        self.choice.has(self.contest, index)
    }

    /// The page with the replay of a game, and the picture for previews of links to it, by its index in the contest. The positions are that before the first event, and one
    /// after each event.
    ///
    /// # Panics
    /// If there are not as many positions as that.
    pub fn game<G: Reported>(
        &self,
        index: usize,
        transcript: &Transcript<G>,
        positions: impl Iterator<Item = Frame>,
    ) -> [Page; 2] {
        game::page::<G>(self, index, transcript, positions)
    }

    /// The page of a game, by its index in the contest, as it is before its replay: it has everything of the page that does not follow from
    /// the recording and the logs. Two reports with the same bytes here, the same recording and the same logs have the same page of the game.
    pub fn game_without_replay<G: Reported>(&self, index: usize) -> Vec<u8> {
        game::without_replay::<G>(self, index)
    }

    /// All other pages, each of which goes to `put`. The front page shows the best game, if there is one.
    ///
    /// # Errors
    /// The error of `put`.
    pub fn pages<G: Reported, E>(
        &self,
        facts: &Facts,
        best: Option<&Best>,
        mut put: impl FnMut(Page) -> Result<(), E>,
    ) -> Result<(), E> {
        put(Page::new(MARKER, "This folder is written by `arena report`, which replaces it as a whole.\n"))?;
        let is_served = self.contest.served.is_some();
        for (path, text) in
            layout::ASSETS.iter().take(if is_served { usize::MAX } else { layout::STATIC_ASSETS })
        {
            put(Page::new(*path, *text))?;
        }
        put(front::page(self, best))?;
        put(Page::new(layout::BEST, best.map_or_else(Best::no_preview, Best::preview)))?;
        if is_served {
            put(season::page(self))?;
            put(projector::page(self))?;
        }
        if let Some(page) = list::page(self) {
            put(page)?;
        }
        for bot in 0..self.contest.bots.len() {
            put(bot::page::<G>(self, facts, bot))?;
        }
        for label in &self.labels {
            put(label::page(self, facts, label))?;
        }
        for (&bots, games) in &self.tally.pairs {
            pair::pages(self, facts, bots, games).try_for_each(&mut put)?;
        }
        Ok(())
    }

    /// The row of a bot in the standings.
    fn row(&self, bot: usize) -> Option<&'a RankedBot> {
        self.contest.standings.iter().find(|row| row.score.contestant == bot)
    }

    /// True if a bot was disqualified.
    fn is_out(&self, bot: usize) -> bool {
        self.contest.disqualified.iter().any(|out| out.contestant == bot)
    }

    /// The label of a bot, if it shares it with other versions.
    fn label(&self, bot: usize) -> Option<&Label> {
        Some(&self.labels[self.label_of[bot]?])
    }

    /// The rows of the standings but for those of older versions: the newest one stands for its label.
    fn newest(&self) -> impl Iterator<Item = &'a RankedBot> + use<'a> {
        self.contest.standings.iter().filter(|row| !row.is_older_version())
    }

    /// The place of a bot among those that play, as in `place 3 of 7`; `None` for one that has left.
    fn place_words(&self, bot: usize) -> Option<String> {
        let places = self.contest.standings.iter().filter(|row| row.place.is_some()).count();
        Some(format!("{} of {places}", self.row(bot)?.place?))
    }

    /// The label of a bot.
    fn name(&self, bot: usize) -> &'a str {
        self.contest.bots[bot].label.as_str()
    }

    fn names(&self, bots: [usize; 2]) -> [&'a str; 2] {
        bots.map(|bot| self.name(bot))
    }

    /// The games of two bots that count for ratings.
    fn pairing(&self, bots: [usize; 2]) -> Option<&Pairing> {
        self.pairings.get(&pair_of(bots))
    }

    /// The page of a game, if it has one.
    fn link(&self, index: usize) -> Option<String> {
        let game = &self.contest.games[index];
        let is_made = self.contest.served.is_some() && game.played().is_some();
        (is_made || self.has_replay(index)).then(|| layout::game(game.number))
    }

    /// A sentence about the games that have a replay, and why.
    fn choice_words(&self) -> String {
        let ReplayChoice { replays, is_all, .. } = self.choice;
        match replays {
            Replays::None => format!(
                "The report was written without replays. A terminal shows a game by its number: arena replay {} 1",
                self.contest.journal.word
            ),
            _ if is_all => "Every game that was played has a replay.".into(),
            Replays::All => String::new(),
            Replays::Most(most) => format!(
                "{} games have a replay, the most interesting ones. They are taken in turn from these lists: the last games of the last round, if \
                 the format has rounds; wins against the largest difference in rating; games with a fault, those with a \
                 new kind of fault first; the shortest wins on the board; the longest games. The most surprising win and the longest game of the front page \
                 come before them.",
                arena_text::grouped(most as u64)
            ),
        }
    }
}

/// The labels that several bots share.
fn labels(contest: &Contest) -> Vec<Label> {
    let mut labels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for row in &contest.standings {
        labels.entry(row.newest).or_default().push(row.score.contestant);
    }
    let label = |(newest, mut versions): (usize, Vec<usize>)| {
        versions.sort_unstable();
        Label { newest, versions }
    };
    labels.into_iter().filter(|(_, versions)| versions.len() > 1).map(label).collect()
}

/// A page of a template. Only a defect of the arena makes it fail.
fn render(path: String, template: &impl Template) -> Page {
    Page::new(path, template.render().expect("memory takes any page"))
}

/// Half points as points: `7`, or `7.5`.
fn points(half_points: u64) -> String {
    if half_points.is_multiple_of(2) {
        format!("{}", half_points / 2)
    } else {
        format!("{}.5", half_points / 2)
    }
}

/// A share in percent; a dash of nothing.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "–".into() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

/// A likelihood in percent, never rounded to certainty.
fn percent(likelihood: f64) -> String {
    match 100.0 * likelihood {
        ..0.1 => "<0.1%".into(),
        percent if percent > 99.9 => ">99.9%".into(),
        percent => format!("{percent:.1}%"),
    }
}

/// A value with an interval that a narrow column breaks only between the two.
fn in_two_lines(text: &str) -> String {
    let whole = |text: &str| text.replace(' ', "\u{a0}");
    match text.split_once(" (") {
        Some((value, interval)) => format!("{} ({}", whole(value), whole(interval)),
        None => whole(text),
    }
}

/// A number with its sign; a zero has none.
fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", number.abs());
    match text.chars().all(|digit| matches!(digit, '0' | '.')) {
        true => text,
        false => format!("{}{text}", if number < 0.0 { '−' } else { '+' }),
    }
}

/// A number of things as text: `1 game`, `2,000 games`.
fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", arena_text::grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_likelihood_is_never_certain() {
        let texts = [0.0, 0.0004, 0.001, 0.5, 0.999, 0.9996, 1.0].map(percent);
        assert_eq!(texts, ["<0.1%", "<0.1%", "0.1%", "50.0%", "99.9%", ">99.9%", ">99.9%"]);
    }
}
