//! Two bots side by side.

use super::{Report, counted, percent, points, share, signed};
use crate::facts::{BotFacts, Facts};
use crate::tally::quantile;
use crate::{layout, plot};
use arena_engine::Rating;
use arena_league::{Bounded, Difference, Superiority};
use arena_text::grouped;

/// The largest number of pairs that are compared. The cost of a comparison grows with the bots, and that of its ratings with
/// all pairs. Chosen: the pairs of 32 bots, as many as a crosstable has.
const COMPARED_MAX: usize = 496;

/// The comparison of two bots.
pub(super) struct Comparison<'a> {
    /// The difference of the two ratings in a sentence; empty when they cannot be compared.
    pub difference: String,
    /// Figures of each bot, by name.
    pub figures: Vec<(&'static str, [String; 2])>,
    pub common: Vec<Common<'a>>,
    /// For each bot the turns that it took to win, with the other's as a line, on the same scales.
    pub turns: [Option<String>; 2],
}

/// An opponent of both bots.
pub(super) struct Common<'a> {
    pub name: &'a str,
    pub links: [String; 2],
    pub scores: [String; 2],
    /// The points of each in percent.
    pub shares: [String; 2],
    /// The difference of the shares, 0 to 1: that of the first bot minus that of the other.
    pub by: Bounded,
    /// The same in words, in percentage points.
    pub difference: String,
    /// True if the interval does not contain 0.
    pub is_clear: bool,
}

impl<'a> Comparison<'a> {
    /// `None` if the contest has too many pairs.
    pub fn of(report: &Report<'a>, facts: &Facts, bots: [usize; 2]) -> Option<Self> {
        let won = bots.map(|bot| report.tally.turns_to_win[bot].as_slice());
        let plot =
            |bot: &[u32], other: &[u32]| (!bot.is_empty()).then(|| plot::turns_to_win(bot, other)).flatten();
        (report.tally.pairs.len() <= COMPARED_MAX).then(|| Self {
            difference: difference(report, bots),
            figures: figures(report, facts, bots),
            common: common(report, bots),
            turns: [plot(won[0], won[1]), plot(won[1], won[0])],
        })
    }
}

/// How far one bot is above the other in rating, and the likelihood that it is stronger. The one with the higher rating is
/// named first.
pub(super) fn difference(report: &Report<'_>, bots: [usize; 2]) -> String {
    let contest = report.contest;
    if bots.iter().any(|&bot| report.is_out(bot)) {
        return String::new();
    }
    let Some(difference) = contest.ratings.difference(bots[0], bots[1]) else { return String::new() };
    let is_lower = difference.elo.map_or(difference.low.is_none(), |elo| elo < 0.0);
    let (difference, [higher, lower]) =
        if is_lower { (difference.reversed(), [bots[1], bots[0]]) } else { (difference, bots) };
    let Some(words) = elo_words(difference) else { return String::new() };
    // A label isolates right-to-left text when it is written.
    let [name, other] = [higher, lower].map(|bot| &contest.bots[bot].label);
    let los = match contest.ratings.los(higher, lower) {
        Some(Superiority::Likelihood(likelihood)) => {
            format!("The likelihood that {name} is the stronger one is {}.", likelihood_words(likelihood))
        }
        Some(Superiority::TooEarly) | None => {
            "It is too early for a likelihood that one is the stronger.".into()
        }
    };
    format!("By all games, {name} is {words} {other}. {los}")
}

/// An Elo difference that is not negative, with its interval, or its lower end alone.
fn elo_words(Difference { elo, low, high }: Difference) -> Option<String> {
    // A zero has no minus sign.
    let whole = |elo: f64| format!("{:.0}", elo + 0.0);
    let [rounded_low, rounded_high] = [low, high].map(|end| end.map(f64::round).map(whole));
    Some(match (elo, low) {
        (Some(elo), Some(_)) => {
            format!("{} Elo ({} to {}) above", whole(elo.round()), rounded_low?, rounded_high?)
        }
        // Rounded away from the other side, so that it still holds.
        (None, Some(low)) if low < 0.0 => format!("at most {} Elo below", whole((-low).ceil())),
        (None, Some(low)) => format!("at least {} Elo above", whole(low.floor())),
        _ => return None,
    })
}

/// A likelihood in percent, for a sentence.
fn likelihood_words(likelihood: f64) -> String {
    percent(likelihood).replace('<', "less than ").replace('>', "more than ")
}

fn figures(report: &Report<'_>, facts: &Facts, bots: [usize; 2]) -> Vec<(&'static str, [String; 2])> {
    let dash = || "–".to_owned();
    let rating = |bot: usize| report.row(bot)?.rating.as_ref().map(Rating::to_string);
    let pairing = report.pairing(bots);
    let in_seat = |bot: usize, seat: usize| {
        let pairing = pairing?;
        let side = usize::from(pairing.contestants[1] == bot);
        // The seats are those of the first of the two.
        let in_seat = pairing.seats[seat ^ side];
        (in_seat.games > 0).then(|| format!("{} of {}", in_seat.points()[side], in_seat.games))
    };
    let of = |text: &dyn Fn(usize) -> Option<String>| bots.map(|bot| text(bot).unwrap_or_else(dash));
    let share_of = |bot: usize| pairing?.share(bot).map(percent_words);
    let mut figures = vec![
        ("Place", of(&|bot| report.place_words(bot))),
        ("Rating, Elo", of(&rating)),
        ("Score against each other", of(&share_of)),
        ("Points in seat 1", of(&|bot| in_seat(bot, 0))),
        ("Points in seat 2", of(&|bot| in_seat(bot, 1))),
    ];
    let [one, other] = bots.map(|bot| habits(report, facts, bot));
    figures.extend(HABITS.into_iter().zip(one.into_iter().zip(other)).map(|(name, (a, b))| (name, [a, b])));
    figures
}

/// The names of the [`habits`].
pub(super) const HABITS: [&str; 4] =
    ["Turns to win, median", "Faults", "Fuel of a turn, mean", "Fuel of a turn, most"];

/// The habits of a bot in all of its games, in words; a dash where there are no such games.
pub(super) fn habits(report: &Report<'_>, facts: &Facts, bot: usize) -> [String; 4] {
    let of_bot = &facts.bots[bot];
    let turns = || {
        let won = &report.tally.turns_to_win[bot];
        let [half, few, many] = [50, 5, 95].map(|percent| quantile(won, percent));
        Some(format!("{}; nine in ten {} to {}", half?, few?, many?))
    };
    let faults = format!("{} in {}", grouped(of_bot.fault_count), counted(of_bot.games, "game"));
    let most = of_bot.fuel.iter().map(|it| it.most).max();
    [turns(), Some(faults), mean_fuel(of_bot).map(grouped), most.map(grouped)]
        .map(|text| text.unwrap_or_else(|| "–".into()))
}

/// The mean fuel of a turn; `None` without turns.
fn mean_fuel(bot: &BotFacts) -> Option<u64> {
    let (games, sum) = bot.fuel.iter().fold((0, 0), |(games, sum), it| (games + it.games, sum + it.sum));
    let mean = sum.checked_div(u128::from(games))?;
    Some(u64::try_from(mean).unwrap_or(u64::MAX))
}

/// A share in percent with its interval.
fn percent_words(Bounded { value, low, high }: Bounded) -> String {
    format!("{:.1}% ({:.1} to {:.1})", 100.0 * value, 100.0 * low, 100.0 * high)
}

/// The opponents that both bots have met, in the order of the standings.
pub(super) fn common<'a>(report: &Report<'a>, bots: [usize; 2]) -> Vec<Common<'a>> {
    let opponents = report.contest.standings.iter().map(|row| row.score.contestant);
    let against = |opponent: usize| {
        let of = |bot: usize| report.pairing([bot, opponent])?.share(bot);
        let difference = of(bots[0])?.minus(of(bots[1])?);
        let [one, other] =
            bots.map(|bot| report.tally.score(report.contest, bot, opponent).unwrap_or_default());
        let percent = |share: f64| signed(100.0 * share, 1);
        Some(Common {
            name: report.name(opponent),
            links: bots.map(|bot| layout::pair([bot, opponent], 1)),
            scores: [one, other].map(|it| format!("{} of {}", points(it.half_points), it.games)),
            shares: [one, other].map(|it| share(it.half_points, 2 * it.games)),
            by: difference,
            difference: format!(
                // A narrow column breaks before the interval, not in it.
                "{} ({}\u{a0}to\u{a0}{})",
                percent(difference.value),
                percent(difference.low),
                percent(difference.high)
            ),
            is_clear: difference.low > 0.0 || difference.high < 0.0,
        })
    };
    opponents.filter(|opponent| !bots.contains(opponent)).filter_map(against).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_likelihood_is_rounded_to_certainty() {
        let words = [0.0, 0.000_99, 0.001, 0.5, 0.999, 0.999_4, 1.0].map(likelihood_words);
        let (little, much) = ("less than 0.1%", "more than 99.9%");
        assert_eq!(words, [little, little, "0.1%", "50.0%", "99.9%", much, much]);
    }

    #[test]
    fn a_difference_with_an_open_end_has_the_other_one() {
        let words = |elo, low, high| elo_words(Difference { elo, low, high });
        assert_eq!(words(Some(20.0), Some(-5.2), Some(46.2)).unwrap(), "20 Elo (-5 to 46) above");
        assert_eq!(words(Some(0.2), Some(-0.2), Some(0.6)).unwrap(), "0 Elo (0 to 1) above");
        assert_eq!(words(None, Some(12.9), None).unwrap(), "at least 12 Elo above");
        assert_eq!(words(None, Some(-12.1), None).unwrap(), "at most 13 Elo below");
        assert_eq!(words(None, None, None), None);
    }
}
