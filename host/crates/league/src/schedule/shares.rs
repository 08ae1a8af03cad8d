//! The work of each contestant in a contest without end, so that each has an equal share of the machine.

/// The work of contestants, by which a contest without end gives each an equal share: one that needs much for a game plays fewer
/// games, and delays no other. Work is a number that a recording has, such as fuel, so the same games give the same shares.
///
/// It is the virtual time of weighted fair queueing. One that joins begins with the least share of the others, so that it need not
/// catch up with the past of the contest.
///
/// ```
/// use arena_league::Shares;
///
/// let mut shares = Shares::default();
/// shares.begin(&[0, 1]);
/// shares.add(0, 10);
/// shares.add(1, 500);
/// // The third joins.
/// shares.begin(&[0, 1, 2]);
/// assert_eq!([0, 1, 2].map(|contestant| shares.of(contestant)), [10, 500, 10]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    of: Vec<Share>,
    /// The contestants of the stage.
    field: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    /// What the contestant has had of the machine.
    had: u64,
    /// The number of its games.
    games: u64,
    /// The work of these games.
    work: u64,
}

impl Shares {
    /// Begins a stage between these contestants.
    pub fn begin(&mut self, field: &[usize]) {
        let stay = field.iter().filter(|contestant| self.field.contains(contestant));
        let least = stay.map(|&contestant| self.of(contestant)).min().unwrap_or(0);
        for &contestant in field {
            if !self.field.contains(&contestant) {
                let share = self.share(contestant);
                share.had = share.had.max(least);
            }
        }
        self.field = field.to_vec();
    }

    /// Has a contestant follow another one of the same owner, before it begins: it has had what the other one has, but for an allowance.
    /// So an owner does not get another share with each contestant.
    pub fn follow(&mut self, contestant: usize, before: usize, allowance: u64) {
        let had = self.of(before).saturating_sub(allowance);
        let share = self.share(contestant);
        share.had = share.had.max(had);
    }

    /// Adds the work of a contestant in a game of the stage.
    pub fn add(&mut self, contestant: usize, work: u64) {
        let share = self.share(contestant);
        share.had = share.had.saturating_add(work);
        share.work = share.work.saturating_add(work);
        share.games += 1;
    }

    /// The share that a contestant has had.
    pub fn of(&self, contestant: usize) -> u64 {
        self.of.get(contestant).map_or(0, |share| share.had)
    }

    /// The work of one of the contestant's games, on average; `None` when it has played none.
    pub fn work_of_game(&self, contestant: usize) -> Option<u64> {
        let share = self.of.get(contestant)?;
        share.work.checked_div(share.games)
    }

    /// The usual work of a game: in the middle of the contestants of the stage that have played; 0 when none has.
    pub fn usual(&self) -> u64 {
        let of_game = |&contestant: &usize| self.work_of_game(contestant);
        let mut works: Vec<u64> = self.field.iter().filter_map(of_game).collect();
        works.sort_unstable();
        works.get(works.len().saturating_sub(1) / 2).copied().unwrap_or(0)
    }

    fn share(&mut self, contestant: usize) -> &mut Share {
        if self.of.len() <= contestant {
            self.of.resize(contestant + 1, Share::default());
        }
        &mut self.of[contestant]
    }
}
