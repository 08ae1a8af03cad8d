use super::Difference;
use super::line::PointsCurve;
use super::meeting::Meeting;
use super::tally::{Encounter, Kind};
use crate::estimate::Bounded;
use crate::estimate::scale::{ELO_PER_LOGIT, elo_of_score, score_of_elo};

/// The virtual draws of a pairing. Chosen as for ratings of two contestants: see [`rate`](crate::rate).
const VIRTUAL_DRAWS: f64 = 1.0;

/// Two contestants, by the games between them that count for ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The two contestants, in ascending order.
    pub contestants: [usize; 2],
    /// The games in which the first of them had seat 1, then those in which it had seat 2.
    pub seats: [InSeat; 2],
    /// The Elo difference by these games alone, regardless of the seats. It is that of the expected score, so it is the same
    /// as a rating's only if no seat has an advantage.
    pub difference: Difference,
}

/// The games of one contestant against another in one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InSeat {
    /// The number of games.
    pub games: u64,
    /// The contestant's half points.
    pub half_points: u64,
}

impl Pairing {
    pub(super) fn of(encounter: &Encounter) -> Self {
        let (points, games) = (encounter.points(), encounter.games());
        let share = (points + VIRTUAL_DRAWS / 2.0) / (games + VIRTUAL_DRAWS);
        let estimate = elo_of_score(share) / ELO_PER_LOGIT;
        let meeting =
            Meeting::of(encounter, [estimate; 2], 1.0 / ((games + VIRTUAL_DRAWS) * share * (1.0 - share)));
        let ends = [points > 0.0, points < games];
        let line = PointsCurve::new([(&meeting, [1.0, 0.0])], ends == [true; 2]);
        Self {
            contestants: encounter.contestants,
            seats: [0, 1].map(|seat| InSeat::of(encounter, seat)),
            difference: Difference::of(&line, estimate, ends),
        }
    }
}

impl Pairing {
    /// The share of the points that one of the two has, 0 to 1; `None` without games. Its interval is that of the
    /// [`difference`](Self::difference), as scores; an end that is missing is 0 or 1.
    pub fn share(&self, contestant: usize) -> Option<Bounded> {
        let games: u64 = self.seats.iter().map(|seat| seat.games).sum();
        let half_points: u64 = self.seats.iter().map(|seat| seat.half_points).sum();
        let is_first = contestant == self.contestants[0];
        let share = half_points as f64 / (2 * games) as f64;
        let (value, difference) =
            if is_first { (share, self.difference) } else { (1.0 - share, self.difference.reversed()) };
        (games > 0).then(|| Bounded {
            value,
            low: difference.low.map_or(0.0, score_of_elo).min(value),
            high: difference.high.map_or(1.0, score_of_elo).max(value),
        })
    }
}

impl InSeat {
    /// The points of each of the two.
    pub fn points(&self) -> [f64; 2] {
        [self.half_points, 2 * self.games - self.half_points].map(|half_points| half_points as f64 / 2.0)
    }

    fn of(encounter: &Encounter, seat: usize) -> Self {
        let kinds =
            Kind::all().into_iter().zip(encounter.counts).filter(|(kind, _)| kind.seat_index() == seat);
        let (games, points) = kinds
            .fold((0.0, 0.0), |(games, points), (kind, count)| (games + count, points + kind.score * count));
        // Whole numbers, which an `f64` holds exactly.
        Self { games: games as u64, half_points: (2.0 * points) as u64 }
    }
}
