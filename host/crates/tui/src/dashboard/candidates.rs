//! The games of a tournament that can be shown at human speed.

use crate::on_screen::OnScreen;
use arena_record::Transcript;

/// The kind of game that is shown next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShowcaseKind {
    /// A win that matters most for the standings: see [`stakes`](super::model::stakes).
    #[default]
    Stakes,
    /// A win of a side that had the smallest chance during the game.
    Comeback,
    /// A win of a bot over one with a higher rating so far.
    Upset,
    /// One with a fault.
    Fault,
    /// One of a pairing that the user has chosen.
    Pairing,
}

impl ShowcaseKind {
    /// All kinds.
    pub(super) const ALL: [Self; 5] = [Self::Stakes, Self::Comeback, Self::Upset, Self::Fault, Self::Pairing];

    /// The next kind, round and round.
    pub(super) fn next(self) -> Self {
        let place = Self::ALL.iter().position(|&kind| kind == self).unwrap_or(0);
        Self::ALL[(place + 1) % Self::ALL.len()]
    }

    /// The kind in words.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Stakes => "the game with most at stake",
            Self::Comeback => "the greatest comeback",
            Self::Upset => "the next upset",
            Self::Fault => "the last fault",
            Self::Pairing => "the pairing of your choice",
        }
    }
}

/// A game that can be shown.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<G: OnScreen> {
    /// The number of the game in the tournament, from 1.
    pub(crate) number: u64,
    pub(crate) transcript: Transcript<G>,
}

/// The games that can be shown: of each kind the best one since the last was taken.
#[derive(Debug)]
pub(super) struct Candidates<G: OnScreen> {
    /// A game of each kind, with its order: of two, the one with the higher order stays.
    best: [Option<(u64, Candidate<G>)>; ShowcaseKind::ALL.len()],
    /// The labels of the pairing that the user has chosen.
    pub(super) pairing: Option<[String; 2]>,
}

impl<G: OnScreen> Default for Candidates<G> {
    fn default() -> Self {
        Self { best: [const { None }; ShowcaseKind::ALL.len()], pairing: None }
    }
}

impl<G: OnScreen> Candidates<G> {
    /// True if a game of this kind and order would be kept.
    pub(super) fn wants(&self, kind: ShowcaseKind, order: u64) -> bool {
        self.best[kind as usize].as_ref().is_none_or(|(best, _)| order >= *best)
    }

    /// Keeps a game as the best of its kind.
    pub(super) fn put(&mut self, kind: ShowcaseKind, order: u64, game: Candidate<G>) {
        self.best[kind as usize] = Some((order, game));
    }

    /// Takes a game of this kind; otherwise one of any other kind except a pairing's.
    pub(super) fn take(&mut self, kind: ShowcaseKind) -> Option<Candidate<G>> {
        let others = [ShowcaseKind::Stakes, ShowcaseKind::Comeback, ShowcaseKind::Upset, ShowcaseKind::Fault];
        let kinds = [kind].into_iter().chain(others.into_iter().filter(|_| kind != ShowcaseKind::Pairing));
        let (_, game) = kinds.into_iter().find_map(|kind| self.best[kind as usize].take())?;
        // It may be of several kinds.
        for other in &mut self.best {
            other.take_if(|(_, other)| other.number == game.number);
        }
        Some(game)
    }

    /// True if there is no game that could be shown next.
    pub(super) fn is_empty(&self) -> bool {
        self.best.iter().all(Option::is_none)
    }
}
