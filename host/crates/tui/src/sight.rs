//! The eyes that a game is seen with.

use arena_rules::Seat;

/// The eyes that a board is seen with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Everything is seen.
    Truth,
    /// The knowledge of the side at this seat.
    Of(Seat),
}

impl Sight {
    /// True if a side's board is seen as it is.
    pub(crate) fn sees(self, owner: Seat) -> bool {
        self == Self::Truth || self == Self::Of(owner)
    }
}
