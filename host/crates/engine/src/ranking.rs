//! The standings of a season: places and ratings. Every output is derived from it, and no other module puts bots in order.

mod words;

use crate::tournament::{Results, Settings};
use arena_league::{Difference, Format, MeanScore, Placings, RatedGame, RatedGames, Ratings, Superiority};
use arena_record::{BotId, Label};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The standings of a season.
#[derive(Clone, Debug)]
pub struct Ranking<'a> {
    /// The settings of the last stage.
    pub settings: &'a Settings,
    /// The bots, by their numbers.
    pub bots: &'a [BotId],
    /// The results.
    pub results: &'a Results,
    /// The ratings that follow from them.
    pub ratings: Ratings,
    /// The bot that was chosen as the anchor of its group.
    pub anchor: Option<usize>,
    /// The anchors by group: their ratings are 0. `None` for a group without a rated bot.
    pub anchors: Vec<Option<usize>>,
    /// What the bots are in the order of.
    pub by: OrderBy,
}

/// What bots are put in order by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    /// The results of their games.
    #[default]
    Result,
    /// The mean of the scores that the game gives.
    Score,
}

/// The row of a bot.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row<'a> {
    /// The place, from 1.
    pub place: usize,
    /// The label.
    pub bot: &'a Label,
    /// The rating, in Elo above the anchor of its group.
    #[serde(flatten)]
    pub rating: Rating,
    /// The likelihood that the bot is stronger than the next one, 0 to 1; `None` when there is no next one, or when it is
    /// too early.
    #[serde(serialize_with = "likelihood")]
    pub los: Option<Superiority>,
    /// The points: one for a win, a half for a draw.
    pub points: f64,
    /// The mean of the scores that the game gives, in hundredths; `None` when it gives none.
    #[serde(flatten)]
    pub mean_score: Option<MeanScore>,
    /// The numbers of games, wins and faults.
    #[serde(flatten)]
    pub score: &'a arena_league::Row,
    /// True if the bot was disqualified. Then it has no rating.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disqualified: bool,
}

/// The rating of a bot, in tenths of an Elo: the rest is noise, and its last bits could differ from machine to machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The estimate; `None` when one of the ends is missing.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval.
    pub high: Option<f64>,
}

impl Rating {
    /// The rating of an anchor.
    const ZERO: Self = Self { elo: Some(0.0), low: Some(0.0), high: Some(0.0) };

    /// The estimate, or the end that is known.
    pub fn about(&self) -> Option<f64> {
        self.elo.or(self.low).or(self.high)
    }

    /// True if nothing is known.
    pub fn is_unknown(&self) -> bool {
        self.low.or(self.high).is_none()
    }
}

impl From<Difference> for Rating {
    fn from(Difference { elo, low, high }: Difference) -> Self {
        Self { elo: elo.map(tenths), low: low.map(tenths), high: high.map(tenths) }
    }
}

impl<'a> Ranking<'a> {
    /// The standings of these bots.
    pub fn new(settings: &'a Settings, bots: &'a [BotId], results: &'a Results) -> Self {
        Self::with_ratings(settings, bots, results, results.sums.rated.rate())
    }

    /// The standings of these bots with ratings of the same bots from earlier games, for a view that rates them less often than games end.
    pub fn with_ratings(
        settings: &'a Settings,
        bots: &'a [BotId],
        results: &'a Results,
        ratings: Ratings,
    ) -> Self {
        let (anchor, anchors, by) = (None, Vec::new(), OrderBy::default());
        Self { settings, bots, results, ratings, anchor, anchors, by }.with_anchor(None)
    }

    /// The same standings with this bot as the anchor of its group, if it has a rating. Otherwise the anchor is that of the
    /// season, and for another group the bot in its middle.
    #[must_use]
    pub fn with_anchor(self, anchor: Option<usize>) -> Self {
        let of_season = anchor.or(self.results.anchor);
        let anchor_of = |group: &Vec<usize>| {
            let mut rated = group.iter().copied().filter(|&member| self.is_rated(member));
            match of_season.filter(|anchor| rated.clone().any(|member| member == *anchor)) {
                Some(anchor) => Some(anchor),
                None => self.ratings.middle(&mut rated),
            }
        };
        let anchors = self.ratings.groups().iter().map(anchor_of).collect();
        Self { anchor, anchors, ..self }
    }

    /// The same standings with the bots in the order of this.
    #[must_use]
    pub fn by(self, by: OrderBy) -> Self {
        Self { by, ..self }
    }

    /// The bots by their numbers, best first: by place in formats that place, by points if all bots have met each other equally often, else
    /// by rating, because some have met stronger opponents than others; or [by score](OrderBy::Score). Disqualified bots come last. Ties are broken by share of points,
    /// then by wins, then by the order in which the bots were named.
    pub fn order(&self) -> Vec<usize> {
        let results = self.results;
        let mut order = by_points(results);
        match &results.placings {
            _ if self.by == OrderBy::Score => {
                let means = self.mean_scores();
                let key = |&bot: &usize| means[bot].map_or(f64::NEG_INFINITY, |it| it.mean);
                order.sort_by(|a, b| key(b).total_cmp(&key(a)));
            }
            Some(Placings::Swiss(places)) => by_place(&mut order, places.iter().map(|it| it.contestant)),
            Some(Placings::Knockout { places, .. }) => {
                by_place(&mut order, places.iter().map(|it| it.contestant));
            }
            None if self.is_balanced() => {}
            None => {
                // Bots without a rating come last.
                let key = |&bot: &usize| self.strength(bot).unwrap_or(f64::NEG_INFINITY);
                order.sort_by(|a, b| key(b).total_cmp(&key(a)));
            }
        }
        order.sort_by_key(|&bot| is_disqualified(results, bot));
        order
    }

    /// For each of these bots, true if only the order in which they were named decides between it and the one before, and both have played.
    pub fn ties(&self, order: &[usize]) -> Vec<bool> {
        let (rows, results) = (self.results.standings.rows(), self.results);
        let means = if self.by == OrderBy::Score { self.mean_scores() } else { Vec::new() };
        let is_by_strength = !self.is_balanced();
        let place = |bot: usize| match &results.placings {
            _ if self.by == OrderBy::Score => None,
            Some(Placings::Swiss(places)) => Some(places.iter().find(|it| it.contestant == bot)?.place),
            Some(Placings::Knockout { places, .. }) => {
                Some(places.iter().find(|it| it.contestant == bot)?.place)
            }
            None => None,
        };
        let figures = |bot: usize| {
            let strength = self.strength(bot).filter(|_| is_by_strength);
            let mean = means.get(bot).copied().flatten().map(|it| it.mean);
            (rows[bot].games, rows[bot].wins, rows[bot].half_points(), strength, mean)
        };
        let are_tied = |pair: &[usize]| {
            let (a, b) = (pair[0], pair[1]);
            let have_played = rows[a].games > 0 && rows[b].games > 0;
            let are_equal = match place(a).zip(place(b)) {
                Some((a, b)) => a == b,
                None => figures(a) == figures(b),
            };
            have_played && are_equal && is_disqualified(results, a) == is_disqualified(results, b)
        };
        std::iter::once(false).chain(order.windows(2).map(are_tied)).take(order.len()).collect()
    }

    /// The rows in the [order](Self::order) of the bots.
    pub fn rows(&self) -> Vec<Row<'a>> {
        let order = self.order();
        let (scores, means) = (self.results.standings.rows(), self.mean_scores());
        let row = |(index, &bot): (usize, &usize)| Row {
            place: index + 1,
            bot: self.label(bot),
            rating: self.rating(bot),
            los: order.get(index + 1).and_then(|&next| self.los(bot, next)),
            points: scores[bot].points(),
            mean_score: means[bot].map(|MeanScore { mean, error }| MeanScore {
                mean: hundredths(mean),
                error: error.map(hundredths),
            }),
            score: &scores[bot],
            disqualified: is_disqualified(self.results, bot),
        };
        order.iter().enumerate().map(row).collect()
    }

    /// The places in the [order](Self::order) of the bots, from 1, among those that play. One that has left, such as an older version, keeps
    /// its row and has no place.
    pub fn places(&self) -> Vec<Option<u32>> {
        let mut places = 1..;
        let place = |bot| if has_left(self.results, bot) { None } else { places.next() };
        self.order().into_iter().map(place).collect()
    }

    /// The mean score of each bot.
    fn mean_scores(&self) -> Vec<Option<MeanScore>> {
        self.results.sums.scores.of(self.bots.len())
    }

    /// The places of a format that has them, in the [order](Self::order) of the bots: a disqualified bot comes last, with the place that
    /// its matches gave it.
    pub fn placings(&self) -> Option<Placings> {
        let mut placings = self.results.placings.clone()?;
        let ranks: HashMap<usize, usize> = self.order().into_iter().zip(0..).collect();
        let rank = |bot: usize| ranks.get(&bot).copied();
        match &mut placings {
            Placings::Swiss(places) => places.sort_by_key(|it| rank(it.contestant)),
            Placings::Knockout { places, .. } => places.sort_by_key(|it| rank(it.contestant)),
        }
        Some(placings)
    }

    /// True if points compare: every two bots that have games have met equally often, and no more games are to come.
    fn is_balanced(&self) -> bool {
        let Results { standings, complete, .. } = self.results;
        if !complete || self.settings.format != Format::RoundRobin {
            return false;
        }
        let there: Vec<usize> =
            standings.rows().iter().filter(|row| row.games > 0).map(|row| row.contestant).collect();
        let mut met = there.iter().enumerate().flat_map(|(index, &one)| {
            there[index + 1..]
                .iter()
                .map(move |&other| standings.against(one, other).map_or(0, |(_, games)| games))
        });
        let first = met.next();
        met.all(|games| Some(games) == first)
    }

    /// The advantage of seat 1, in Elo; `None` when the games do not determine it.
    pub fn first_seat(&self) -> Option<Rating> {
        self.ratings.first_seat().map(Rating::from)
    }

    /// The bots that do not play any more.
    pub fn gone(&self) -> impl Iterator<Item = &'a Label> {
        let gone = (0..self.bots.len()).filter(|&bot| has_left(self.results, bot));
        gone.map(|bot| self.label(bot))
    }

    /// The label of a bot.
    pub fn label(&self, bot: usize) -> &'a Label {
        &self.bots[bot].label
    }

    /// The labels of two bots.
    pub fn labels(&self, bots: [usize; 2]) -> [&'a Label; 2] {
        bots.map(|bot| self.label(bot))
    }

    /// The estimate of a bot's strength, in Elo above the mean of its group, rounded to tenths; `None` when it has no rating.
    pub fn strength(&self, bot: usize) -> Option<f64> {
        self.ratings.strength(bot).filter(|_| !is_disqualified(self.results, bot)).map(tenths)
    }

    /// True if a bot has a rating: it has played, and was not disqualified.
    fn is_rated(&self, bot: usize) -> bool {
        self.strength(bot).is_some()
    }

    /// The likelihood that a bot is stronger than another; `None` when one of them has no rating.
    pub fn los(&self, bot: usize, other: usize) -> Option<Superiority> {
        if !self.is_rated(bot) || !self.is_rated(other) {
            return None;
        }
        self.ratings.los(bot, other)
    }

    /// The ratings after each of these numbers of games, in ascending order, of the bots named with it, against the anchors of now.
    /// `games` are all games; `None` stands for one that does not count. The cost is that of a rating for each number, and one pass over the
    /// games.
    pub fn ratings_after(
        &self,
        mut games: impl Iterator<Item = Option<RatedGame>>,
        moments: &[(usize, Vec<usize>)],
    ) -> Vec<Vec<Rating>> {
        let mut rated = RatedGames::new(self.bots.len());
        let mut counted = 0;
        let after = |(count, bots): &(usize, Vec<usize>)| {
            let new = games.by_ref().take(*count - counted).flatten();
            new.for_each(|game| rated.add(game));
            counted = *count;
            let ratings = rated.rate();
            bots.iter().map(|&bot| self.rating_by(&ratings, bot)).collect()
        };
        moments.iter().map(after).collect()
    }

    fn rating(&self, bot: usize) -> Rating {
        self.rating_by(&self.ratings, bot)
    }

    /// The rating of a bot by these ratings, which may be earlier ones.
    fn rating_by(&self, ratings: &Ratings, bot: usize) -> Rating {
        let anchor = self.anchors[self.ratings.group_of(bot)];
        let has_played = ratings.strength(bot).is_some() && self.is_rated(bot);
        let Some(anchor) = anchor.filter(|_| has_played) else { return Rating::default() };
        if anchor == bot {
            return Rating::ZERO;
        }
        ratings.difference(bot, anchor).map_or_else(Rating::default, Rating::from)
    }

    /// The bots that have a rating, by their ratings alone, best first. Those of different groups, which cannot be compared, are in the
    /// order of their distances from the mean of their group.
    pub fn by_rating(&self) -> Vec<&'a BotId> {
        let rated = |bot: usize| Some((self.strength(bot)?, bot));
        let mut rated: Vec<_> = (0..self.bots.len()).filter_map(rated).collect();
        rated.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        rated.into_iter().map(|(_, bot)| &self.bots[bot]).collect()
    }
}

/// The bots by share of points, best first, then by wins, then in the order in which they were named.
fn by_points(results: &Results) -> Vec<usize> {
    let rows = results.standings.rows();
    // Games without a result are excluded; a bot with no others has a half.
    let share = |row: &arena_league::Row| match row.wins + row.draws + row.losses {
        0 => 0.5,
        scored => row.points() / f64::from(scored),
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&rows[a], &rows[b]);
        share(b).total_cmp(&share(a)).then(b.wins.cmp(&a.wins))
    });
    order
}

/// Puts bots in the order of their places; those without one come last.
fn by_place(order: &mut [usize], places: impl Iterator<Item = usize>) {
    let place_of: HashMap<usize, usize> = places.zip(0..).collect();
    order.sort_by_key(|bot| place_of.get(bot).copied().unwrap_or(usize::MAX));
}

/// True if a bot has played and is not in the latest stage.
pub fn has_left(results: &Results, bot: usize) -> bool {
    !results.field.contains(&bot)
}

/// True if this bot was disqualified.
pub fn is_disqualified(results: &Results, bot: usize) -> bool {
    results.disqualified.iter().any(|out| out.contestant == bot)
}

/// Rounds to one decimal: the rest is noise, and its last bits could differ from machine to machine.
pub fn tenths(number: f64) -> f64 {
    // Adding zero makes a negative zero positive.
    (number * 10.0).round() / 10.0 + 0.0
}

/// Rounds to two decimals, for the same reason.
fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// Rounds a likelihood to a tenth of a percent.
pub fn known(los: Option<Superiority>) -> Option<f64> {
    match los {
        Some(Superiority::Likelihood(likelihood)) => Some((likelihood * 1_000.0).round() / 1_000.0),
        Some(Superiority::TooEarly) | None => None,
    }
}

fn likelihood<S: serde::Serializer>(los: &Option<Superiority>, serializer: S) -> Result<S::Ok, S::Error> {
    known(*los).serialize(serializer)
}

#[cfg(test)]
mod tests;
