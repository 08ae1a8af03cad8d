//! A contest without end: what is played next.

use arena_league::{Candidate, EndlessLimits, Format, NextStage, Schedule, Shares, next_stage};
use proptest::prelude::*;
use std::collections::BTreeMap;

const LIMITS: EndlessLimits = EndlessLimits { games_min: 20, games_max: 40, stage_games: 100, neighbours: 3 };

/// Contestants, of whom the first is the strongest, and their games.
#[derive(Clone, Debug, Default)]
struct Club {
    /// The work of a game for each.
    works: Vec<u64>,
    /// The half of each rating's interval. The ratings are 1 apart.
    bar: f64,
    /// Those whose interval is another one.
    bars: BTreeMap<usize, f64>,
    met: BTreeMap<[usize; 2], u32>,
    shares: Shares,
    /// The numbers of games after a full round.
    due: BTreeMap<[usize; 2], u32>,
    /// What was played: the field of each stage and the contestants of its games.
    history: Vec<(Vec<usize>, Vec<[usize; 2]>)>,
}

impl Club {
    fn of(works: &[u64]) -> Self {
        Self { works: works.to_vec(), bar: 1.0, ..Self::default() }
    }

    fn between(&self, one: usize, other: usize) -> u32 {
        self.met.get(&[one.min(other), one.max(other)]).copied().unwrap_or(0)
    }

    fn all(&self) -> Vec<usize> {
        (0..self.works.len()).collect()
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        self.all().into_iter().flat_map(|other| (0..other).map(move |one| [one, other])).collect()
    }

    fn begin_full_round(&mut self) {
        let after = |[one, other]: [usize; 2]| ([one, other], self.between(one, other) / 2 * 2 + 2);
        self.due = self.pairs().into_iter().map(after).collect();
    }

    fn is_due(&self, one: usize, other: usize) -> bool {
        let after = self.due.get(&[one.min(other), one.max(other)]);
        after.is_some_and(|&after| self.between(one, other) < after)
    }

    /// The shares with which the next stage begins.
    fn shares_now(&self) -> Shares {
        let mut shares = self.shares.clone();
        shares.begin(&self.all());
        shares
    }

    fn next(&self, limits: &EndlessLimits) -> Option<NextStage> {
        self.next_by(&self.shares_now(), limits)
    }

    fn next_by(&self, shares: &Shares, limits: &EndlessLimits) -> Option<NextStage> {
        let candidate = |of: usize| {
            let strength = -(of as f64);
            let bar = self.bars.get(&of).unwrap_or(&self.bar);
            let has_played = self.met.keys().any(|pair| pair.contains(&of));
            Candidate {
                strength: has_played.then_some(strength),
                low: has_played.then_some(strength - bar),
                high: has_played.then_some(strength + bar),
                share: shares.of(of),
                work: self.works[of],
            }
        };
        let candidates: Vec<Candidate> = self.all().into_iter().map(candidate).collect();
        let (met, is_due) = (
            |one: usize, other: usize| self.between(one, other),
            |one: usize, other: usize| self.is_due(one, other),
        );
        next_stage(&candidates, shares.usual(), &met, &is_due, limits)
    }

    /// Plays a stage, or its first games only. Returns the number of games.
    fn play(&mut self, stage: &NextStage, most: usize) -> usize {
        let playing = stage.field.len() - stage.resting;
        let more = stage.games_per_match - stage.games_before;
        let mut schedule = Schedule::new(stage.format, playing, more).expect("it can be scheduled");
        let round = schedule.next_round().expect("it has a round");
        self.shares.begin(&self.all());
        let mut games = Vec::new();
        for fixture in round.fixtures.iter() {
            let [one, other] = fixture.contestants().map(|index| stage.field[index]);
            let pair = [one.min(other), one.max(other)];
            // Games that were played before are not played again.
            let before = match stage.format {
                Format::RoundRobin => self.due.get(&pair).map_or(0, |after| after - 2),
                _ => stage.games_before,
            };
            if before + fixture.game <= self.between(one, other) || games.len() == most {
                continue;
            }
            *self.met.entry(pair).or_default() += 1;
            pair.iter().for_each(|&contestant| self.shares.add(contestant, self.works[contestant]));
            games.push(pair);
        }
        let played = games.len();
        self.history.push((self.all(), games));
        played
    }

    fn play_to_the_end(&mut self, limits: &EndlessLimits) -> usize {
        let mut games = 0;
        while let Some(stage) = self.next(limits) {
            games += self.play(&stage, usize::MAX);
        }
        games
    }
}

fn shown(stage: &NextStage) -> (Format, &[usize], usize, u32) {
    (stage.format, &stage.field, stage.resting, stage.games_per_match)
}

const GAUNTLET: Format = Format::Gauntlet { challengers: 1 };
const NEIGHBOURS: Format = Format::Neighbours { neighbours: 3 };

#[test]
fn a_new_contestant_plays_all_others_first_and_then_neighbours_play_on() {
    let mut club = Club::of(&[1, 1]);
    let first = club.next(&LIMITS).expect("they have not met");
    assert_eq!(shown(&first), (GAUNTLET, &[0, 1][..], 0, 20));
    club.play(&first, usize::MAX);
    let on = club.next(&LIMITS).expect("they have not met often");
    assert_eq!(shown(&on), (NEIGHBOURS, &[0, 1][..], 0, 40));
    club.play(&on, usize::MAX);
    assert_eq!(club.next(&LIMITS), None, "all is played");
    club.works.push(1);
    let new = club.next(&LIMITS).expect("there is a third");
    assert_eq!(shown(&new), (GAUNTLET, &[2, 0, 1][..], 0, 20));
}

#[test]
fn several_new_contestants_take_turns() {
    let limits = EndlessLimits { stage_games: 4, ..LIMITS };
    let mut club = Club { met: BTreeMap::from([([0, 1], 20)]), ..Club::of(&[1; 4]) };
    let mut challengers = Vec::new();
    for _ in 0..4 {
        let stage = club.next(&limits).expect("two are new");
        challengers.push(stage.field[0]);
        club.play(&stage, usize::MAX);
    }
    challengers.sort_unstable();
    assert_eq!(challengers, [2, 2, 3, 3]);
}

#[test]
fn a_new_contestant_plays_with_those_who_need_little_work_first() {
    let met = |works: &[u64]| {
        let club = Club::of(works);
        let met = club.pairs().into_iter().filter(|[_, other]| *other < 4).map(|pair| (pair, 20)).collect();
        Club { met, ..club }
    };
    // A game against the second one takes ten times as much as the cheapest ones, and one against the fourth more.
    let mut club = met(&[3, 39, 3, 40, 1]);
    let first = club.next(&LIMITS).expect("the last one is new");
    assert_eq!(shown(&first), (GAUNTLET, &[4, 0, 1, 2, 3][..], 1, 20));
    club.play(&first, usize::MAX);
    let rest = club.next(&LIMITS).expect("one match is left");
    assert_eq!(shown(&rest), (GAUNTLET, &[3, 4, 0, 1, 2][..], 3, 20));
    // A new one that needs much itself has no cheap matches.
    let heavy = met(&[3, 39, 3, 40, 90]);
    assert_eq!(heavy.next(&LIMITS).expect("the last one is new").resting, 0);
    // What is not known is no reason to wait.
    let unknown = met(&[0, 39, 0, 40, 0]);
    assert_eq!(shown(&unknown.next(&LIMITS).expect("the last one is new")).2, 0);
}

#[test]
fn of_new_contestants_the_one_that_needs_least_work_is_first_however_many_slow_ones_came_before() {
    // Two have played, four are slow, and the last one is quick.
    let works = [1, 1, 5_000, 5_000, 5_000, 5_000, 1];
    let mut club = Club { met: BTreeMap::from([([0, 1], 20)]), ..Club::of(&works) };
    let last = works.len() - 1;
    let games = |club: &Club| club.all().iter().map(|&other| club.between(last, other)).sum::<u32>();
    while games(&club) < 20 {
        let stage = club.next(&LIMITS).expect("it is new");
        assert_eq!((stage.field[0], stage.resting), (last, 4));
        club.play(&stage, usize::MAX);
    }
    club.play_to_the_end(&LIMITS);
    assert!(club.pairs().iter().all(|[one, other]| club.between(*one, *other) >= 20), "{:?}", club.met);
}

#[test]
fn only_neighbours_play_on_and_the_undecided_ones_first() {
    let limits = EndlessLimits { neighbours: 1, ..LIMITS };
    let mut club = Club::of(&[1; 5]);
    let games = club.play_to_the_end(&limits);
    assert_eq!(games, 10 * 20 + 4 * 20, "each pair has 20 games, and each pair of neighbours 20 more");
    assert!(club.met.iter().all(|([one, other], games)| *games == if other - one == 1 { 40 } else { 20 }));
    let met = club.pairs().into_iter().map(|pair| (pair, 20)).collect();
    let mut decided = Club { met, bar: 0.4, ..Club::of(&[1; 5]) };
    let apart = decided.next(&limits).expect("they have not met often");
    assert_eq!(shown(&apart), (Format::Neighbours { neighbours: 1 }, &[0, 1, 2, 3, 4][..], 0, 40));
    // Only the last two could be equal.
    decided.bars = BTreeMap::from([(3, 0.6)]);
    let close = decided.next(&limits).expect("they have not met often");
    assert_eq!(shown(&close), (Format::Neighbours { neighbours: 1 }, &[2, 3, 4, 0, 1][..], 2, 40));
}

#[test]
fn a_full_round_is_a_pair_of_games_for_every_two() {
    let mut club = Club::of(&[1; 5]);
    club.play_to_the_end(&LIMITS);
    club.begin_full_round();
    let before = club.met.clone();
    let round = club.next(&LIMITS).expect("a round is due");
    assert_eq!(shown(&round), (Format::RoundRobin, &[0, 1, 2, 3, 4][..], 0, 2));
    assert_eq!(club.play(&round, 7), 7, "it is interrupted");
    club.works.push(1);
    let new = club.next(&LIMITS).expect("there is a new one");
    assert_eq!(new.format, GAUNTLET, "a new one goes first");
    club.play_to_the_end(&LIMITS);
    // After their first 20 games, these two were no neighbours, and met in the round only.
    assert_eq!((before[&[0, 4]], club.met[&[0, 4]]), (20, 22));
    assert!(before.keys().all(|pair| club.met[pair] >= before[pair] + 2), "{:?}", club.met);
}

#[test]
fn one_contestant_or_none_has_nothing_to_play() {
    assert_eq!(Club::of(&[]).next(&LIMITS), None);
    assert_eq!(Club::of(&[1]).next(&LIMITS), None);
}

#[test]
fn one_that_joins_has_not_missed_the_past() {
    let mut shares = Shares::default();
    shares.begin(&[0, 1]);
    for _ in 0..100 {
        shares.add(0, 5);
        shares.add(1, 7);
    }
    shares.begin(&[1]);
    shares.begin(&[0, 1, 2]);
    assert_eq!([0, 1, 2].map(|contestant| shares.of(contestant)), [700, 700, 700], "the first one was away");
    assert_eq!(shares.usual(), 5);
}

#[test]
fn one_that_follows_another_of_the_same_owner_has_its_share() {
    let mut shares = Shares::default();
    shares.begin(&[0, 1]);
    shares.add(0, 1_000);
    shares.add(1, 10);
    // The first one is replaced.
    shares.follow(2, 0, 100);
    shares.begin(&[1, 2]);
    assert_eq!((shares.of(1), shares.of(2)), (10, 900));
    // One that has had little begins as any other.
    shares.follow(3, 1, 100);
    shares.begin(&[2, 3]);
    assert_eq!(shares.of(3), 900);
}

fn limits() -> impl Strategy<Value = EndlessLimits> {
    (2_u32..14, 2_u32..20, 1_u32..100, 1_u32..5).prop_map(
        |(games_min, games_max, stage_games, neighbours)| EndlessLimits {
            games_min,
            games_max,
            stage_games,
            neighbours,
        },
    )
}

fn club() -> impl Strategy<Value = Club> {
    let works = prop::collection::vec(prop_oneof![4 => 0_u64..5, 1 => 500_u64..5_000], 2..8);
    (works, 0.1_f64..3.0).prop_map(|(works, bar)| Club { bar, ..Club::of(&works) })
}

proptest! {
    #[test]
    fn nobody_starves_whatever_is_interrupted(
        mut club in club(),
        limits in limits(),
        interruptions in prop::collection::vec(1_usize..50, 0..60),
        round_at in 0_usize..40,
    ) {
        let mut interruptions = interruptions.into_iter();
        let mut stages = 0;
        let mut due = 0;
        while let Some(stage) = club.next(&limits) {
            if stages == round_at {
                club.begin_full_round();
                due = 2;
            }
            stages += 1;
            prop_assert!(stages < 20_000, "it has no end");
            prop_assert!(stage.games_per_match.is_multiple_of(2), "games come in pairs with swapped seats");
            prop_assert!(stage.games_before.is_multiple_of(2) && stage.games_before < stage.games_per_match);
            let playing = &stage.field[..stage.field.len() - stage.resting];
            let planned = Schedule::new(stage.format, playing.len(), stage.games_per_match - stage.games_before);
            let planned = planned.expect("it can be scheduled").games_planned().at_most;
            // A schedule has few games that were played before, so a journal of many stages is read in a short time.
            let pair_of_each = 2 * club.pairs().len() as u64;
            let most = 2 * u64::from(limits.neighbours) * pair_of_each.max(limits.stage_games.into());
            prop_assert!(planned <= most, "{} games", planned);
            let mut field = stage.field.clone();
            field.sort_unstable();
            prop_assert_eq!(field, club.all(), "all are in the field");
            let most = interruptions.next().unwrap_or(usize::MAX);
            let played = club.play(&stage, most);
            prop_assert!(played > 0, "a stage has games");
            let pair_of_each = 2 * club.pairs().len();
            prop_assert!(played <= pair_of_each.max(limits.stage_games as usize), "{} games", played);
        }
        let even = |games: u32| games - games % 2;
        let most = even(limits.games_max);
        let least = even(limits.games_min).min(most);
        for [one, other] in club.pairs() {
            let games = club.between(one, other);
            let is_near = other - one <= limits.neighbours as usize;
            prop_assert!(games.is_multiple_of(2) && games <= most + due, "{} games", games);
            prop_assert!(games >= if is_near { most } else { least }, "{} games of {} and {}", games, one, other);
        }
        prop_assert!(club.due.iter().all(|(pair, after)| club.met[pair] >= *after));
    }

    #[test]
    fn a_slow_contestant_delays_only_itself(
        contestants in 3_usize..8,
        slow in 0_usize..8,
        work in 50_u64..5_000,
        limits in limits(),
        most in 1_usize..60,
    ) {
        let slow = slow % contestants;
        let mut works = vec![1; contestants];
        works[slow] = work;
        let mut club = Club::of(&works);
        while let Some(stage) = club.next(&limits) {
            let shares = club.shares_now();
            let plays = stage.field[..contestants - stage.resting].contains(&slow);
            let without = |pair: &&[usize; 2]| !pair.contains(&slow);
            let is_open = |&[one, other]: &[usize; 2]| {
                let is_near = other - one <= limits.neighbours as usize;
                let most = if is_near { limits.games_max } else { limits.games_min.min(limits.games_max) };
                club.between(one, other) < most - most % 2
            };
            if plays && club.pairs().iter().filter(without).any(is_open) {
                let others = club.all().into_iter().filter(|&of| of != slow).map(|of| shares.of(of)).max();
                let games = u64::from(limits.games_min) * contestants as u64 + 2 * u64::from(limits.stage_games);
                let allowed = others.unwrap_or(0) + shares.usual() * games + 1;
                prop_assert!(shares.of(slow) <= allowed, "{} of {}", shares.of(slow), allowed);
            }
            club.play(&stage, most);
        }
    }

    #[test]
    fn the_same_games_give_the_same_plan(
        mut club in club(),
        limits in limits(),
        interruptions in prop::collection::vec(1_usize..50, 1..40),
    ) {
        for most in interruptions {
            let Some(stage) = club.next(&limits) else { break };
            club.play(&stage, most);
            // As after a restart: from what was played, and nothing else.
            let mut shares = Shares::default();
            for (field, games) in &club.history {
                shares.begin(field);
                games.iter().flatten().for_each(|&contestant| shares.add(contestant, club.works[contestant]));
            }
            prop_assert_eq!(&shares, &club.shares);
            shares.begin(&club.all());
            prop_assert_eq!(club.next_by(&shares, &limits), club.next(&limits));
        }
    }
}
