//! A contest without end: what is played next.

use arena_league::{EndlessLimits, Format, NextStage, Schedule, next_stage};
use proptest::prelude::*;
use std::collections::BTreeMap;

const LIMITS: EndlessLimits = EndlessLimits { first_games: 20, games_max: 40, stage_games: 100 };

/// The games of each two contestants.
#[derive(Clone, Debug, Default)]
struct Met(BTreeMap<[usize; 2], u32>);

impl Met {
    fn between(&self, one: usize, other: usize) -> u32 {
        self.0.get(&[one.min(other), one.max(other)]).copied().unwrap_or(0)
    }

    fn next(&self, contestants: usize, limits: &EndlessLimits) -> Option<NextStage> {
        next_stage(contestants, |one, other| self.between(one, other), limits)
    }

    /// Plays a stage, or its first games only.
    fn play(&mut self, stage: &NextStage, games: usize) {
        let mut schedule = Schedule::new(stage.format, stage.field.len(), stage.games_per_match)
            .expect("it can be scheduled");
        let round = schedule.next_round().expect("it has a round");
        let fixtures =
            round.fixtures.iter().map(|it| (it.contestants().map(|index| stage.field[index]), it.game));
        let mut left = games;
        for ([one, other], game) in fixtures {
            let before = self.between(one, other);
            // Games that were played before are not played again.
            if game > before && left > 0 {
                self.0.insert([one.min(other), one.max(other)], before + 1);
                left -= 1;
            }
        }
    }
}

fn format(stage: &NextStage) -> (Format, &[usize], u32) {
    (stage.format, &stage.field, stage.games_per_match)
}

const GAUNTLET: Format = Format::Gauntlet { challengers: 1 };

#[test]
fn a_new_contestant_plays_all_others_first_and_then_all_play_on() {
    let mut met = Met::default();
    let first = met.next(2, &LIMITS).expect("they have not met");
    assert_eq!(format(&first), (GAUNTLET, &[0, 1][..], 20));
    met.play(&first, usize::MAX);
    let round = met.next(2, &LIMITS).expect("they have not met often");
    assert_eq!(format(&round), (Format::RoundRobin, &[0, 1][..], 40));
    met.play(&round, usize::MAX);
    assert_eq!(met.next(2, &LIMITS), None, "all is played");
    let new = met.next(3, &LIMITS).expect("there is a third");
    assert_eq!(format(&new), (GAUNTLET, &[2, 0, 1][..], 20));
}

#[test]
fn several_new_contestants_take_turns() {
    let limits = EndlessLimits { stage_games: 4, ..LIMITS };
    let mut met = Met(BTreeMap::from([([0, 1], 20)]));
    let mut challengers = Vec::new();
    for _ in 0..4 {
        let stage = met.next(4, &limits).expect("two are new");
        challengers.push(stage.field[0]);
        met.play(&stage, usize::MAX);
    }
    assert_eq!(challengers, [2, 3, 2, 3]);
}

#[test]
fn one_contestant_or_none_has_nothing_to_play() {
    assert_eq!(Met::default().next(0, &LIMITS), None);
    assert_eq!(Met::default().next(1, &LIMITS), None);
}

proptest! {
    #[test]
    fn a_contest_comes_to_its_end_whatever_is_interrupted_and_all_meet_equally_often(
        contestants in 2_usize..9,
        first_games in 2_u32..30,
        games_max in 2_u32..30,
        stage_games in 1_u32..200,
        interruptions in prop::collection::vec(1_usize..50, 0..60),
    ) {
        let limits = EndlessLimits { first_games, games_max, stage_games };
        let mut met = Met::default();
        let mut interruptions = interruptions.into_iter();
        let mut stages = 0;
        while let Some(stage) = met.next(contestants, &limits) {
            stages += 1;
            prop_assert!(stages < 20_000, "it has no end");
            prop_assert!(stage.games_per_match.is_multiple_of(2));
            let mut field = stage.field.clone();
            field.sort_unstable();
            prop_assert_eq!(field, (0..contestants).collect::<Vec<_>>(), "all are in the field");
            let before: u32 = met.0.values().sum();
            met.play(&stage, interruptions.next().unwrap_or(usize::MAX));
            let played = met.0.values().sum::<u32>() - before;
            let pair_of_each = 2 * (contestants * (contestants - 1) / 2) as u32;
            prop_assert!(played > 0, "a stage has games");
            prop_assert!(played <= stage_games.max(pair_of_each), "{} games", played);
        }
        let most = games_max - games_max % 2;
        prop_assert!(met.0.len() == contestants * (contestants - 1) / 2);
        prop_assert!(met.0.values().all(|&games| games == most), "{:?}", met);
    }
}
