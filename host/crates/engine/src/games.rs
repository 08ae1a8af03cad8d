//! Games of a journal, chosen and put in order.

use crate::stored::StoredSeason;
use crate::tournament::{GameSummary, Results};
use arena_league::{Ratings, score_of_elo};
use arena_record::GameResult;
use arena_rules::{Outcome, Seat};
use std::cmp::Reverse;

/// A filter of games, with their order: it has those that every part of it allows. Contestants are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Bots that both have to take part, if they are two.
    pub bots: Vec<usize>,
    /// The winner.
    pub won_by: Option<usize>,
    /// The loser.
    pub lost_by: Option<usize>,
    /// True if a side must have a fault: one of the bots, if any are named.
    pub with_faults: bool,
    /// The order of the games.
    pub order: GameOrder,
}

/// An order of games. Ties are in the order of the schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameOrder {
    /// The order of the schedule.
    #[default]
    Schedule,
    /// Wins of a lower-rated bot over a higher-rated one, and no others: the most surprising one first.
    Upsets,
    /// The longest one first.
    Longest,
    /// The shortest one first.
    Shortest,
}

/// A chosen game.
#[derive(Clone, Copy, Debug)]
pub struct FilteredGame<'a> {
    /// The game.
    pub game: &'a GameSummary,
    /// Its result.
    pub result: &'a GameResult,
    /// The probability of this winner by the ratings, regardless of the seats, 0 to 1. `None` without a winner, and for
    /// bots whose ratings cannot be compared.
    pub chance: Option<f64>,
}

impl FilteredGame<'_> {
    /// The seat that won, if one did.
    fn winner(&self) -> Option<Seat> {
        match self.result.outcome {
            Outcome::Win(seat) => Some(seat),
            Outcome::Draw | Outcome::NoContest => None,
        }
    }

    /// The number of turns of the side that had more.
    pub fn turns(&self) -> u32 {
        self.result.turns[0].max(self.result.turns[1])
    }
}

impl GameFilter {
    /// The games that were played and that it allows, in its order.
    pub fn of<'a>(&self, results: &'a Results, ratings: &Ratings) -> Vec<FilteredGame<'a>> {
        let played = results.games.iter().filter(|game| game.is_played());
        let mut chosen: Vec<FilteredGame<'a>> = played
            .filter_map(|game| {
                let result = game.result.as_ref().ok()?;
                let chosen = FilteredGame { game, result, chance: chance(game, result, ratings) };
                self.allows(&chosen).then_some(chosen)
            })
            .collect();
        match self.order {
            GameOrder::Schedule => {}
            GameOrder::Upsets => chosen.sort_by(|a, b| {
                let chance = |chosen: &FilteredGame<'_>| chosen.chance.unwrap_or(1.0);
                chance(a).total_cmp(&chance(b))
            }),
            GameOrder::Longest => chosen.sort_by_key(|chosen| Reverse(chosen.turns())),
            GameOrder::Shortest => chosen.sort_by_key(FilteredGame::turns),
        }
        chosen
    }

    fn allows(&self, chosen: &FilteredGame<'_>) -> bool {
        let seats = chosen.game.fixture.seats;
        let winner = chosen.winner().map(|seat| seats[seat.index()]);
        let loser = chosen.winner().map(|seat| seats[seat.other().index()]);
        let is = |wanted: Option<usize>, is: Option<usize>| wanted.is_none() || wanted == is;
        self.bots.iter().all(|bot| seats.contains(bot))
            && is(self.won_by, winner)
            && is(self.lost_by, loser)
            && (!self.with_faults || self.faults_of(chosen).next().is_some())
            && (self.order != GameOrder::Upsets || chosen.chance.is_some_and(|chance| chance < 0.5))
    }

    /// The faults of a game that are of interest, by seat and class: those of the first bot, if one is named.
    pub fn faults_of<'a>(
        &self,
        chosen: &FilteredGame<'a>,
    ) -> impl Iterator<Item = (usize, arena_referee::FaultClass, &'a arena_record::FaultCount)> + use<'a>
    {
        let (seats, by) = (chosen.game.fixture.seats, self.bots.first().copied());
        let faults = chosen.result.faults.iter();
        let faults = faults.map(move |((seat, class), fault)| (seats[seat.index()], *class, fault));
        faults.filter(move |(contestant, ..)| by.is_none_or(|by| by == *contestant))
    }
}

impl StoredSeason {
    /// The numbers of the most interesting games: upsets, those with most at stake and those with faults, in turn, and so many of each kind
    /// at most.
    pub fn best_games(&self, of_each: usize) -> Vec<u64> {
        let ratings = self.results.sums.rated.rate();
        let number = |chosen: &FilteredGame<'_>| chosen.game.number as u64;
        let of = |filter: GameFilter| -> Vec<u64> {
            filter.of(&self.results, &ratings).iter().map(number).collect()
        };
        let upsets = of(GameFilter { order: GameOrder::Upsets, ..GameFilter::default() });
        let stakes = by_stakes(&self.results, &self.ranking().order());
        let mut with_faults = of(GameFilter { with_faults: true, ..GameFilter::default() });
        // The newest one first.
        with_faults.reverse();
        let mut best = Vec::new();
        for place in 0..of_each {
            for number in [&upsets, &stakes, &with_faults].into_iter().filter_map(|kind| kind.get(place)) {
                if !best.contains(number) {
                    best.push(*number);
                }
            }
        }
        best
    }
}

/// The numbers of the games that were played, those first that decided most of an order of the bots, best first: the higher both stand and
/// the nearer they are to each other, the more, and of equal ones the latest.
fn by_stakes(results: &Results, order: &[usize]) -> Vec<u64> {
    let mut places = vec![0_usize; order.len()];
    (0..).zip(order).for_each(|(place, &bot)| places[bot] = place);
    let played = results.games.iter().filter(|game| game.is_played());
    let mut games: Vec<(usize, Reverse<u64>)> = played
        .map(|game| {
            let [first, second] = game.fixture.seats.map(|bot| places[bot]);
            ((1 + first.min(second)) * first.abs_diff(second).max(1), Reverse(game.number as u64))
        })
        .collect();
    games.sort_unstable();
    games.into_iter().map(|(_, Reverse(number))| number).collect()
}

/// The probability of the winner of a game.
fn chance(game: &GameSummary, result: &GameResult, ratings: &Ratings) -> Option<f64> {
    let Outcome::Win(seat) = result.outcome else { return None };
    let [winner, loser] = [seat, seat.other()].map(|seat| game.fixture.seats[seat.index()]);
    if winner == loser || ratings.group_of(winner) != ratings.group_of(loser) {
        return None;
    }
    Some(score_of_elo(ratings.strength(winner)? - ratings.strength(loser)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_league::Fixture;
    use arena_rules::battleship::FLEET_SUNK;
    use std::collections::BTreeMap;

    /// The results of games between this number of contestants: their seats, the winner, and the turns.
    fn results_of(contestants: usize, games: &[([usize; 2], usize, u32)]) -> Results {
        let game = |(number, &(seats, winner, turns)): (usize, &([usize; 2], usize, u32))| GameSummary {
            number,
            fixture: Fixture { seats, pair: number as u32, game: 1 },
            result: Ok(GameResult {
                outcome: Outcome::Win(Seat::BOTH[usize::from(seats[0] != winner)]),
                reason: FLEET_SUNK,
                scores: None,
                turns: [turns, turns - 1],
                fuel: [1, 2],
                faults: BTreeMap::new(),
                reproducible: true,
            }),
            disqualified: [false; 2],
        };
        let mut results = Results::new(contestants);
        (1..).zip(games).map(game).for_each(|game| results.count(game, Vec::new(), false));
        results
    }

    /// Games between three contestants: the first beats all others except once, and the last loses to all others except
    /// once.
    fn results() -> Results {
        let games = [
            ([0, 1], 0, 30),
            ([1, 0], 0, 40),
            ([0, 2], 0, 20),
            ([2, 0], 2, 50),
            ([1, 2], 1, 35),
            ([2, 1], 1, 35),
            ([0, 2], 0, 60),
            ([0, 1], 0, 33),
        ];
        results_of(3, &games)
    }

    #[track_caller]
    fn check(choice: &GameFilter, expected: &[usize]) {
        let results = results();
        let ratings = results.sums.rated.rate();
        let chosen = choice.of(&results, &ratings);
        assert_eq!(chosen.iter().map(|chosen| chosen.game.number).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn games_between_neighbours_at_the_top_decide_most_and_of_these_the_latest() {
        assert_eq!(by_stakes(&results(), &[0, 1, 2]), [8, 2, 1, 7, 6, 5, 4, 3]);
        assert_eq!(by_stakes(&results(), &[2, 1, 0]), [6, 5, 8, 7, 4, 3, 2, 1]);
    }

    #[test]
    fn filters_combine() {
        check(&GameFilter::default(), &[1, 2, 3, 4, 5, 6, 7, 8]);
        check(&GameFilter { bots: vec![1], ..GameFilter::default() }, &[1, 2, 5, 6, 8]);
        check(&GameFilter { bots: vec![1, 2], ..GameFilter::default() }, &[5, 6]);
        check(&GameFilter { lost_by: Some(0), ..GameFilter::default() }, &[4]);
        check(&GameFilter { lost_by: Some(2), won_by: Some(0), ..GameFilter::default() }, &[3, 7]);
        check(&GameFilter { with_faults: true, ..GameFilter::default() }, &[]);
    }

    #[test]
    fn a_win_is_an_upset_only_if_the_ratings_of_both_can_be_compared() {
        // The weaker one of two beats the stronger one of two others, and no rated game connects them.
        let rated = [
            ([0, 1], 0, 30),
            ([1, 0], 0, 30),
            ([0, 1], 1, 30),
            ([2, 3], 2, 30),
            ([3, 2], 2, 30),
            ([2, 3], 3, 30),
        ];
        let upsets = |rated: &[([usize; 2], usize, u32)]| {
            let ratings = results_of(4, rated).sums.rated.rate();
            let results = results_of(4, &[([1, 2], 1, 30)]);
            GameFilter { order: GameOrder::Upsets, ..GameFilter::default() }.of(&results, &ratings).len()
        };
        assert_eq!(upsets(&rated), 0);
        let connected = [&rated[..], &[([0, 2], 0, 30), ([2, 0], 2, 30)]].concat();
        assert_eq!(upsets(&connected), 1);
    }

    #[test]
    fn a_chosen_game_has_the_probability_of_its_winner_and_the_turns_of_the_side_with_more() {
        let results = results();
        let ratings = results.sums.rated.rate();
        let upsets = GameFilter { order: GameOrder::Upsets, ..GameFilter::default() };
        let [upset] = upsets.of(&results, &ratings)[..] else { panic!("there is one") };
        let strength = |bot| ratings.strength(bot).unwrap();
        let chance = upset.chance.unwrap();
        assert!((chance - score_of_elo(strength(2) - strength(0))).abs() < 1e-9, "{chance}");
        assert_eq!(upset.turns(), 50);
        let later = FilteredGame { result: &GameResult { turns: [3, 4], ..upset.result.clone() }, ..upset };
        assert_eq!(later.turns(), 4);
    }

    #[test]
    fn a_win_of_one_of_two_equal_bots_is_no_upset() {
        let even = results_of(2, &[([0, 1], 0, 30), ([1, 0], 1, 30), ([0, 1], 1, 30), ([1, 0], 0, 30)]);
        let ratings = even.sums.rated.rate();
        let of = |order| GameFilter { order, ..GameFilter::default() }.of(&even, &ratings);
        assert!(of(GameOrder::Schedule).iter().all(|chosen| chosen.chance == Some(0.5)));
        assert!(of(GameOrder::Upsets).is_empty());
    }

    #[test]
    fn games_are_in_the_order_that_is_asked_for() {
        check(&GameFilter { order: GameOrder::Upsets, ..GameFilter::default() }, &[4]);
        check(
            &GameFilter { order: GameOrder::Longest, bots: vec![2], ..GameFilter::default() },
            &[7, 4, 5, 6, 3],
        );
        check(
            &GameFilter { order: GameOrder::Shortest, bots: vec![2], ..GameFilter::default() },
            &[3, 5, 6, 4, 7],
        );
    }
}
