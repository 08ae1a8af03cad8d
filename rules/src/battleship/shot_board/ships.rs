//! The names of ships on a shot board.

use std::borrow::Cow;

/// A ship as a shot board names it. No two ships of a fleet may be equal; their order is that of the text.
///
/// ```
/// use arena_rules::battleship::shot_board::{ClassicShip, ShipKind};
///
/// assert_eq!((ClassicShip::Carrier.length(), ClassicShip::Carrier.symbol()), (5, 'C'));
/// ```
pub trait ShipKind: Copy + Ord {
    /// Its length in cells, from 1.
    fn length(self) -> u8;

    /// Its name for readers, in small letters.
    fn name(self) -> Cow<'static, str>;

    /// The symbol of its cells in the text: by default the first letter of the name, as a capital.
    fn symbol(self) -> char {
        self.name().chars().next().map_or('?', |letter| letter.to_ascii_uppercase())
    }
}

/// The five ships of the classic game, in the order of its fleet: 5, 4, 3, 3, 2.
///
/// ```
/// use arena_rules::battleship::shot_board::{ClassicShip, ShipKind};
///
/// assert_eq!(ClassicShip::ALL.map(ShipKind::length), [5, 4, 3, 3, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClassicShip {
    /// Length 5.
    Carrier,
    /// Length 4.
    Battleship,
    /// Length 3.
    Submarine,
    /// Length 3.
    Destroyer,
    /// Length 2.
    PatrolBoat,
}

impl ClassicShip {
    /// All five ships, in order.
    pub const ALL: [Self; 5] =
        [Self::Carrier, Self::Battleship, Self::Submarine, Self::Destroyer, Self::PatrolBoat];
}

impl ShipKind for ClassicShip {
    fn length(self) -> u8 {
        match self {
            Self::Carrier => 5,
            Self::Battleship => 4,
            Self::Submarine | Self::Destroyer => 3,
            Self::PatrolBoat => 2,
        }
    }

    fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Carrier => "carrier",
            Self::Battleship => "battleship",
            Self::Submarine => "submarine",
            Self::Destroyer => "destroyer",
            Self::PatrolBoat => "patrol boat",
        })
    }
}

/// A sunk ship of which only the length is announced.
///
/// Ships of the same length are distinguished by the order in which they sank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sunken {
    /// Its length in cells.
    pub length: u8,
    /// The number among the ships of its length, in the order in which they sank, from 1.
    pub number: u8,
}

impl ShipKind for Sunken {
    fn length(self) -> u8 {
        self.length
    }

    fn name(self) -> Cow<'static, str> {
        Cow::Owned(format!("ship {} of length {}", self.number, self.length))
    }

    /// Its length as one digit; letters follow after 9.
    fn symbol(self) -> char {
        char::from_digit(self.length.into(), 36).map_or('?', |digit| digit.to_ascii_uppercase())
    }
}
