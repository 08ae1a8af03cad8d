//! Whose bot is judged next. It follows from the arguments alone: there is no clock, no file and no register here.
//!
//! Turns go by author. An author whose bots have taken little processor time comes before one whose bots have taken much, so that those who
//! submit slow bots without end wait for each other, and not others for them. An author has an [`Account`] of that time, which
//! is halved at each full hour: what was used is forgotten in hours, at the same moment for all. Of an author's bots, the newest comes first.
//! The games of challenges are charged to the same account, so they do not delay authors who have used less.

use arena_store::{Account, Challenge, Version};
use std::cmp::Reverse;
use std::time::Duration;

const HOUR_SECONDS: i64 = 3_600;

/// The least that judging a bot counts. Chosen: the least that the system counts of a process, so that refusals count, too.
const COST_MIN: Duration = Duration::from_millis(10);

/// What is judged: a version, or a challenge, whose games are played.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Version(Version),
    Challenge(Challenge),
}

impl Work {
    /// The name of the author who has asked for it.
    pub(crate) fn author(&self) -> &str {
        match self {
            Self::Version(version) => &version.author,
            Self::Challenge(challenge) => &challenge.sides[0].author,
        }
    }

    /// The number of the version that it is about.
    pub(crate) const fn version(&self) -> i64 {
        match self {
            Self::Version(version) => version.id,
            Self::Challenge(challenge) => challenge.sides[0].version,
        }
    }
}

/// A bot that waits to be judged, or a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting<'a> {
    pub(crate) author: &'a str,
    /// The account of the author.
    pub(crate) account: Account,
    /// True for a challenge. It comes after the bots of its author, and of authors who have used the same.
    pub(crate) is_challenge: bool,
    /// Grows with each bot that is submitted, and with each challenge.
    pub(crate) number: i64,
    /// The size, in bytes.
    pub(crate) size: u64,
    /// The number of times that the arena has failed to judge it.
    pub(crate) failures: u32,
}

/// The bot that is judged next at this time, in seconds since 1970, by its place among those that wait.
///
/// Those that the arena has failed to judge come after the others. Of authors who have used the same, such as new ones, the one with the
/// smaller file comes first: it takes less time to compile.
pub(crate) fn next(waiting: &[Waiting<'_>], now: i64) -> Option<usize> {
    let within_author = |it: &Waiting<'_>| (it.failures, it.is_challenge, Reverse(it.number));
    let is_first_of_author = |it: &Waiting<'_>| {
        waiting.iter().all(|other| other.author != it.author || within_author(other) >= within_author(it))
    };
    let firsts = waiting.iter().enumerate().filter(|(_, it)| is_first_of_author(it));
    let turn = |it: &Waiting<'_>| (it.failures, used(it.account, now), it.is_challenge, it.size, it.number);
    firsts.min_by_key(|(_, it)| turn(it)).map(|(place, _)| place)
}

/// The processor time on an account at this time, in milliseconds.
pub(crate) fn used(account: Account, now: i64) -> u64 {
    // A clock that was set back halves nothing.
    let hours = (now.div_euclid(HOUR_SECONDS)).saturating_sub(account.hour).clamp(0, 63);
    account.milliseconds >> hours
}

/// An account after a bot was judged for this much processor time.
pub(crate) fn charged(account: Account, cost: Duration, now: i64) -> Account {
    let cost = u64::try_from(cost.max(COST_MIN).as_millis()).unwrap_or(u64::MAX);
    Account { milliseconds: used(account, now).saturating_add(cost), hour: now.div_euclid(HOUR_SECONDS) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// The most that judging a bot costs in the simulation, in milliseconds: a bomb, or a bot that is slow and legal.
    const BOUND: u64 = 90_000;

    fn waiting(author: &str, milliseconds: u64, number: i64) -> Waiting<'_> {
        Waiting {
            author,
            account: Account { milliseconds, hour: 0 },
            is_challenge: false,
            number,
            size: 1,
            failures: 0,
        }
    }

    fn first(all: &[Waiting<'_>]) -> i64 {
        all[next(all, 0).expect("one waits")].number
    }

    #[test]
    fn the_author_who_has_used_least_is_next_with_the_newest_bot() {
        assert_eq!(next(&[], 0), None);
        let all = [waiting("ann", 5, 1), waiting("ben", 4, 2), waiting("ben", 4, 3), waiting("cat", 6, 4)];
        assert_eq!(first(&all), 3);
    }

    #[test]
    fn of_authors_who_have_used_the_same_the_smaller_file_is_next_and_then_the_older_one() {
        let large = Waiting { size: 2_000_000, ..waiting("ann", 0, 1) };
        assert_eq!(first(&[large, waiting("ben", 0, 2), waiting("cat", 0, 3)]), 2);
        let used = Waiting { account: Account { milliseconds: 1, hour: 0 }, ..waiting("ben", 0, 2) };
        assert_eq!(first(&[large, used]), 1);
    }

    #[test]
    fn a_bot_that_the_arena_has_failed_to_judge_comes_after_the_others() {
        let failed = Waiting { failures: 1, ..waiting("ann", 0, 3) };
        assert_eq!(first(&[failed, waiting("ann", 0, 1), waiting("ben", 9_000, 2)]), 1);
        assert_eq!(first(&[failed, waiting("ben", 9_000, 2)]), 2);
        assert_eq!(first(&[failed]), 3);
    }

    #[test]
    fn a_challenge_comes_after_the_bots_of_its_author_and_is_paid_from_the_same_account() {
        let challenge = |author, milliseconds, number| Waiting {
            is_challenge: true,
            size: 0,
            ..waiting(author, milliseconds, number)
        };
        assert_eq!(first(&[challenge("ann", 0, 9), waiting("ann", 0, 1)]), 1);
        assert_eq!(
            first(&[challenge("ann", 0, 9), waiting("ben", 0, 1)]),
            1,
            "as do those who have used the same"
        );
        assert_eq!(first(&[challenge("ann", 5, 1), waiting("ben", 6, 9)]), 1);
        assert_eq!(first(&[challenge("ann", 7, 1), waiting("ben", 6, 9)]), 9);
        assert_eq!(first(&[challenge("ann", 7, 1), challenge("ben", 6, 9)]), 9);
    }

    #[test]
    fn an_account_is_halved_at_each_full_hour_and_not_by_a_clock_that_was_set_back() {
        let hour = 490_000;
        let at = |hours: i64, seconds: i64| (hour + hours) * HOUR_SECONDS + seconds;
        let account = charged(Account::default(), Duration::from_secs(100), at(0, 3_599));
        assert_eq!(account, Account { milliseconds: 100_000, hour });
        let later = [at(0, 3_599), at(1, 0), at(1, 3_599), at(2, 0), at(99, 0), at(-5, 0)];
        assert_eq!(later.map(|now| used(account, now)), [100_000, 50_000, 50_000, 25_000, 0, 100_000]);
        let account = charged(account, Duration::from_secs(1), at(1, 0));
        assert_eq!(account, Account { milliseconds: 51_000, hour: hour + 1 });
        // What takes less than the system can count counts as well.
        assert_eq!(charged(Account::default(), Duration::ZERO, 0).milliseconds, 10);
    }

    /// The judge of a club, in a world whose clock is the processor time of judging.
    #[derive(Default)]
    struct Judge {
        /// The time, in milliseconds.
        now: u64,
        accounts: HashMap<&'static str, Account>,
        queue: Vec<(&'static str, i64, u64)>,
        submitted: i64,
    }

    impl Judge {
        fn seconds(&self) -> i64 {
            (self.now / 1_000) as i64
        }

        /// Submits a bot that costs this much to judge, which replaces those of its author that wait.
        fn submit(&mut self, author: &'static str, cost: u64) {
            self.submitted += 1;
            self.queue.retain(|(other, ..)| *other != author);
            self.queue.push((author, self.submitted, cost));
        }

        /// Judges the next bot, and returns its author.
        fn judge(&mut self) -> Option<&'static str> {
            let account = |author| self.accounts.get(author).copied().unwrap_or_default();
            let all: Vec<Waiting<'_>> = self
                .queue
                .iter()
                .map(|&(author, number, _)| Waiting {
                    account: account(author),
                    ..waiting(author, 0, number)
                })
                .collect();
            let place = next(&all, self.seconds())?;
            let (author, _, cost) = self.queue.remove(place);
            let before = account(author);
            self.now += cost;
            self.accounts.insert(author, charged(before, Duration::from_millis(cost), self.seconds()));
            Some(author)
        }
    }

    const CROWD: [&str; 4] = ["one", "two", "three", "four"];

    proptest! {
        /// Four authors submit the worst they can without end, from before the first bot of a fifth.
        #[test]
        fn a_bot_waits_for_one_bounded_judging_however_many_slow_ones_others_submit(
            begun in 4_u32..400,
            replaces: bool,
            costs in prop::collection::vec(1_u64..BOUND, 4),
            // Together less than the least of one of the crowd's.
            own in prop::collection::vec((10_u64..3_700, 1_u32..60), 1..12),
        ) {
            let mut judge = Judge::default();
            let crowd = |judge: &mut Judge| {
                for (author, cost) in CROWD.into_iter().zip(&costs) {
                    if replaces || judge.queue.iter().all(|(other, ..)| *other != author) {
                        judge.submit(author, BOUND.min(BOUND / 2 + cost));
                    }
                }
            };
            for _ in 0..begun {
                crowd(&mut judge);
                judge.judge();
            }
            for (cost, pause) in own {
                // One is being judged when it arrives, at the earliest moment.
                crowd(&mut judge);
                let arrived = judge.now;
                judge.judge();
                judge.submit("fifth", cost);
                crowd(&mut judge);
                while judge.judge() != Some("fifth") {
                    crowd(&mut judge);
                }
                let took = judge.now - arrived;
                prop_assert!(took <= 2 * cost + BOUND, "{took} ms for {cost} ms");
                for _ in 0..pause {
                    crowd(&mut judge);
                    judge.judge();
                }
            }
        }

        /// Authors with something to judge at all times get the same, whatever their bots cost.
        #[test]
        fn authors_who_always_wait_get_the_same_time_up_to_one_bot(
            costs in prop::collection::vec(10_u64..BOUND, 4..200),
        ) {
            let mut judge = Judge::default();
            let mut had: HashMap<&str, u64> = HashMap::new();
            for cost in &costs {
                for author in CROWD {
                    judge.submit(author, *cost);
                }
                // In one hour, so that nothing is forgotten.
                judge.now = 0;
                let author = judge.judge().expect("they wait");
                *had.entry(author).or_default() += cost;
            }
            let had = CROWD.map(|author| had.get(author).copied().unwrap_or(0));
            let (least, most) = (had.iter().min().expect("four"), had.iter().max().expect("four"));
            prop_assert!(most - least <= BOUND, "{had:?}");
        }
    }
}
