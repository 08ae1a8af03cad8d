//! Two choices at once, made in two turns: the first player's choice stays hidden until the second player has made one.

/// The choices of a round, by players 0 and 1. Only `own` shows a hidden choice, and only to the player that made it; there is no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Both<T> {
    first: usize,
    hidden: Option<T>,
}

impl<T> Both<T> {
    /// Rounds in which this player chooses first.
    pub fn new(first: usize) -> Self {
        Self { first, hidden: None }
    }

    /// The player to choose.
    pub fn player(&self) -> usize {
        if self.hidden.is_none() { self.first } else { 1 - self.first }
    }

    /// The choice of this player that is hidden from the other one.
    pub fn own(&self, player: usize) -> Option<&T> {
        self.hidden.as_ref().filter(|_| player == self.first)
    }

    /// Takes the choice of the player to choose. The second one reveals both, in the order of the players, and ends the round.
    pub fn choose(&mut self, choice: T) -> Option<[T; 2]> {
        match self.hidden.take() {
            None => self.hidden = Some(choice),
            Some(hidden) if self.first == 0 => return Some([hidden, choice]),
            Some(hidden) => return Some([choice, hidden]),
        }
        None
    }

    /// Draws the choice again that is hidden from a viewer, for `resample-from-infostate`.
    pub fn resample(&mut self, viewer: usize, draw: impl FnOnce() -> T) {
        if viewer != self.first && self.hidden.is_some() {
            self.hidden = Some(draw());
        }
    }
}
