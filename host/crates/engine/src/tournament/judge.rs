//! The judge of faults: which games count, and which bots are disqualified after them.

use super::{GameSummary, Source, unplayed};
use arena_league::Fixture;
use arena_players::Played;
use arena_record::{Disqualified, GameResult};
use arena_referee::HostError;
use arena_rules::Seat;
use std::sync::atomic::{AtomicBool, Ordering};

/// A game whose turn has come: everything before it in the schedule is decided.
#[derive(Debug)]
pub struct Delivery {
    /// The game.
    pub summary: GameSummary,
    /// The game with its transcript, if it was played now and counts.
    pub played: Option<Box<Played>>,
    /// The bots that are disqualified after it.
    pub(super) disqualified: Vec<Disqualified>,
}

/// The faults of the bots of a season, by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    /// The number of games in which each has faulted.
    games: Vec<u32>,
    /// Each as it would be disqualified after the last game in which it has faulted, by the first fault in it.
    last: Vec<Option<Disqualified>>,
}

/// The judge of a stage: for each game, in the order of the schedule, it decides if it counts and which bots are
/// disqualified after it.
pub(super) struct Judge<'a> {
    pub(super) out: &'a Disqualifications,
    pub(super) max_faults: Option<u32>,
    pub(super) faults: &'a mut Faults,
}

/// The bots that are disqualified. Only results in the order of the schedule add one, so that it does not depend on the
/// workers, who may look at any time.
pub(super) struct Disqualifications(Vec<AtomicBool>);

impl Disqualifications {
    /// Those that are disqualified when a stage begins.
    pub(super) fn new(bots: usize, disqualified: &[Disqualified]) -> Self {
        let out = Self((0..bots).map(|_| AtomicBool::new(false)).collect());
        disqualified.iter().for_each(|it| out.add(it.contestant));
        out
    }

    /// True for each seat of a game whose bot is disqualified.
    pub(super) fn of(&self, fixture: Fixture) -> [bool; 2] {
        fixture.seats.map(|contestant| self.0[contestant].load(Ordering::SeqCst))
    }

    fn add(&self, contestant: usize) {
        self.0[contestant].store(true, Ordering::SeqCst);
    }
}

impl Faults {
    /// No faults of this number of bots.
    pub(super) fn new(bots: usize) -> Self {
        Self { games: vec![0; bots], last: vec![None; bots] }
    }

    /// Adds bots without faults, up to this number.
    pub(super) fn grow(&mut self, bots: usize) {
        self.games.resize(bots, 0);
        self.last.resize(bots, None);
    }

    /// The number of bots.
    pub(super) fn bots(&self) -> usize {
        self.games.len()
    }

    /// The bots that have faulted in too many games when a stage with this limit begins: those that were disqualified before,
    /// then others, which a lower limit disqualifies.
    pub(super) fn disqualified(
        &self,
        max_faults: Option<u32>,
        before: Vec<Disqualified>,
    ) -> Vec<Disqualified> {
        let Some(max) = max_faults else { return Vec::new() };
        let mut all: Vec<_> = before.into_iter().filter(|it| self.games[it.contestant] >= max).collect();
        for (contestant, &games) in self.games.iter().enumerate() {
            if games < max || all.iter().any(|it| it.contestant == contestant) {
                continue;
            }
            all.extend(self.last[contestant].clone());
        }
        all
    }
}

impl Judge<'_> {
    /// The game as it counts; `None` when it is missing.
    pub(super) fn judge(
        &mut self,
        number: usize,
        fixture: Fixture,
        source: Result<Source, HostError>,
    ) -> Option<Delivery> {
        let disqualified = self.out.of(fixture);
        let (result, played) = match source {
            // It may have been played early; the games before it in the schedule decide.
            _ if disqualified != [false; 2] => (Ok(unplayed(disqualified)), None),
            Ok(Source::Missing) => return None,
            Ok(Source::Taken(result)) => (Ok(result), None),
            Ok(Source::Played(played)) => (Ok(played.result.clone()), Some(played)),
            Err(error) => (Err(error.in_game(format_args!("game {number}"))), None),
        };
        let mut after = Vec::new();
        if let Ok(result) = &result {
            for seat in Seat::BOTH {
                let contestant = fixture.seats[seat.index()];
                after.extend(self.count_faults(number, contestant, result, seat));
            }
        }
        let summary = GameSummary { number, fixture, result, disqualified };
        Some(Delivery { summary, played, disqualified: after })
    }

    /// Disqualifies the bot of this seat if it has faulted in too many games with this one.
    fn count_faults(
        &mut self,
        after_game: usize,
        contestant: usize,
        result: &GameResult,
        seat: Seat,
    ) -> Option<Disqualified> {
        let faults = result.faults.iter().filter(|((by, _), _)| *by == seat);
        let ((_, class), fault) = faults.min_by_key(|(_, fault)| fault.first_turn)?;
        let out = Disqualified { contestant, after_game, class: *class, detail: fault.detail.clone() };
        self.faults.games[contestant] += 1;
        let is_out = Some(self.faults.games[contestant]) == self.max_faults;
        self.faults.last[contestant] = Some(out.clone());
        is_out.then(|| {
            self.out.add(contestant);
            out
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_referee::FaultClass;

    #[test]
    fn a_bot_is_out_from_the_limit_of_a_stage_on_whenever_it_was_disqualified() {
        let out = |contestant| Disqualified {
            contestant,
            after_game: 7,
            class: FaultClass::Trap,
            detail: "unreachable".into(),
        };
        // The bots have faulted in no, one, two and three games.
        let faults = Faults { games: vec![0, 1, 2, 3], last: (0..4).map(|bot| Some(out(bot))).collect() };
        let bots_out = |max_faults, before: &[usize]| {
            let before = before.iter().copied().map(out).collect();
            faults.disqualified(max_faults, before).iter().map(|it| it.contestant).collect::<Vec<_>>()
        };
        assert_eq!(bots_out(Some(2), &[]), [2, 3]);
        assert_eq!(bots_out(Some(3), &[]), [3]);
        assert!(bots_out(Some(4), &[]).is_empty());
        assert_eq!(bots_out(Some(2), &[3]), [3, 2], "those of before come first, and once");
        let kept = faults.disqualified(Some(2), vec![Disqualified { after_game: 5, ..out(2) }]);
        assert_eq!(kept[0].after_game, 5, "one at the limit stays out for the same fault");
        assert_eq!(bots_out(Some(3), &[2]), [3], "a higher limit takes it back");
        assert!(bots_out(None, &[2, 3]).is_empty());
    }
}
