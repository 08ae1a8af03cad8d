//! Laws of every knockout.

use super::{Outcome, Played, any_outcomes, matches, play};
use arena_league::{
    DecidedBy, Fixture, Format, GameScore, KnockoutMatch, KnockoutPlacing, Placings, Score, Side,
    TIE_BREAK_PAIRS_MAX,
};
use proptest::prelude::*;

fn knockout(played: &Played) -> (&[KnockoutPlacing], &[KnockoutMatch]) {
    let Some(Placings::Knockout { places, matches }) = &played.placings else {
        panic!("{:?}", played.placings)
    };
    (places, matches)
}

fn loser(decided: &KnockoutMatch) -> usize {
    let [first, second] = decided.contestants;
    if decided.winner == first { second } else { first }
}

/// The sums over all games between two contestants in the tournament, game by game.
#[derive(Debug, Default)]
struct Sums {
    pairs: u32,
    complete_pairs: u32,
    half_points: [u32; 2],
    wins: [u32; 2],
    faults: [u32; 2],
    turns: [u32; 2],
    without_result: u32,
}

impl Sums {
    fn of(contestants: [usize; 2], results: &[(Fixture, Outcome)]) -> Self {
        let of_these: Vec<_> =
            results.iter().filter(|(fixture, _)| fixture.contestants() == contestants).collect();
        let mut sums = Self::default();
        for pair in of_these.chunks_exact(2) {
            sums.pairs += 1;
            sums.without_result += pair.iter().filter(|(_, outcome)| outcome.is_none()).count() as u32;
            let complete = pair.iter().all(|(_, outcome)| outcome.is_some());
            sums.complete_pairs += u32::from(complete);
            for (seats, game) in pair.iter().map(|(fixture, outcome)| (fixture.seats, *outcome)) {
                for (index, one) in contestants.into_iter().enumerate() {
                    let seat = usize::from(seats[1] == one);
                    let won = Score::Win([Side::First, Side::Second][seat]);
                    sums.half_points[index] += match game {
                        Some(game) if complete && game.score == won => 2,
                        Some(game) if complete && game.score != Score::Draw => 0,
                        _ => 1,
                    };
                    if let Some(game) = game.filter(|_| complete) {
                        sums.faults[index] += game.faults[seat];
                        if game.score == won {
                            sums.wins[index] += 1;
                            sums.turns[index] += game.turns[seat];
                        }
                    }
                }
            }
        }
        sums
    }
}

proptest! {
    #[test]
    fn a_knockout_ends_with_one_champion_for_any_results(
        contestants in 2usize..40, pairs in 1u32..4, outcomes in any_outcomes(),
    ) {
        let played = play(Format::Knockout, contestants, 2 * pairs, &outcomes);
        let (places, matches) = knockout(&played);
        let most = (contestants as u32 - 1) * (2 * pairs + 2 * TIE_BREAK_PAIRS_MAX);
        prop_assert!(played.results.len() as u32 <= most);
        prop_assert_eq!(matches.len(), contestants - 1);
        let champions: Vec<_> = places.iter().filter(|line| line.place == 1).collect();
        prop_assert_eq!(champions.len(), 1);
        prop_assert_eq!(champions[0].knocked_out_in, None);
        prop_assert_eq!(matches.last().unwrap().winner, champions[0].contestant);

        // Everyone else lost exactly one match, their last.
        let mut losers: Vec<_> = matches.iter().map(loser).collect();
        losers.push(champions[0].contestant);
        losers.sort_unstable();
        prop_assert_eq!(losers, (0..contestants).collect::<Vec<_>>());
        for lost in matches {
            let later = matches.iter().filter(|later| later.round > lost.round);
            prop_assert!(later.flat_map(|later| later.contestants).all(|one| one != loser(lost)));
        }
    }

    #[test]
    fn a_place_in_a_knockout_is_behind_everyone_who_got_further(
        contestants in 2usize..40, outcomes in any_outcomes(),
    ) {
        let played = play(Format::Knockout, contestants, 2, &outcomes);
        let (places, _) = knockout(&played);
        for line in places {
            let further = |other: &&KnockoutPlacing| match (other.knocked_out_in, line.knocked_out_in) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(other), Some(round)) => other > round,
            };
            prop_assert_eq!(line.place as usize, places.iter().filter(further).count() + 1);
        }
    }

    #[test]
    fn byes_of_a_knockout_are_all_in_the_first_round_and_go_to_the_highest_seeds(
        contestants in 2usize..70, outcomes in any_outcomes(),
    ) {
        let rounds = play(Format::Knockout, contestants, 2, &outcomes).rounds;
        let byes = contestants.next_power_of_two() - contestants;
        prop_assert_eq!(&rounds[0].byes, &(0..byes).collect::<Vec<_>>());
        prop_assert!(rounds[1..].iter().all(|round| round.byes.is_empty()));
    }

    #[test]
    fn if_the_higher_seed_always_wins_each_round_leaves_the_highest_seeds(contestants in 2usize..70) {
        let better = [Side::First, Side::Second]
            .map(|side| Some(GameScore { score: Score::Win(side), faults: [0, 0], turns: [40, 40] }));
        let played = play(Format::Knockout, contestants, 2, &better);
        for round in &played.rounds {
            let left = contestants.next_power_of_two() >> (round.number - 1);
            for [one, other] in matches(round) {
                // In a full field the highest seed meets the lowest, and so on inwards.
                prop_assert_eq!(one + other, left - 1);
            }
        }
        let (_, matches) = knockout(&played);
        prop_assert!(matches.iter().all(|decided| decided.decided_by == DecidedBy::Points));
    }

    #[test]
    fn a_match_of_a_knockout_is_decided_by_the_reported_criterion(
        contestants in 2usize..12, pairs in 1u32..3, outcomes in any_outcomes(),
    ) {
        let played = play(Format::Knockout, contestants, 2 * pairs, &outcomes);
        for decided in knockout(&played).1 {
            let sums = Sums::of(decided.contestants, &played.results);
            prop_assert_eq!(sums.half_points, decided.half_points);
            prop_assert_eq!(sums.without_result, decided.games_without_result);
            let winner = usize::from(decided.winner == decided.contestants[1]);
            let loser = 1 - winner;
            let tied = sums.half_points[0] == sums.half_points[1];
            prop_assert_eq!(sums.pairs, pairs + decided.tie_break_pairs);
            prop_assert_eq!(sums.complete_pairs == 0, decided.decided_by == DecidedBy::NoResult);
            if tied {
                prop_assert_eq!(decided.tie_break_pairs, TIE_BREAK_PAIRS_MAX);
                prop_assert_eq!(sums.wins[0], sums.wins[1]);
            } else {
                prop_assert!(sums.half_points[winner] > sums.half_points[loser]);
            }
            let equal = [sums.faults[0] == sums.faults[1], sums.turns[0] == sums.turns[1]];
            match decided.decided_by {
                DecidedBy::Points => prop_assert!(!tied && decided.tie_break_pairs == 0),
                DecidedBy::TieBreak => prop_assert!(!tied && decided.tie_break_pairs > 0),
                DecidedBy::Faults => prop_assert!(tied && sums.faults[winner] < sums.faults[loser]),
                DecidedBy::Turns => prop_assert!(tied && equal[0] && sums.turns[winner] < sums.turns[loser]),
                DecidedBy::Seeding | DecidedBy::NoResult => prop_assert!(tied && equal == [true; 2] && winner == 0),
            }
        }
    }
}
