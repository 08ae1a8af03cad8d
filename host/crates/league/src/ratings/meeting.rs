//! The games of two contestants, with the games that a fit expects.

use super::tally::{Encounter, Kind};

/// The games of two contestants, and the sums over their clusters from which the dependence of games is estimated. A
/// cluster is a pair of games, or the games that were played of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meeting {
    /// The two contestants, in ascending order.
    pub(super) contestants: [usize; 2],
    /// The games in which the first of them had seat 1, then those in which it had seat 2.
    pub(super) seats: [SeatGames; 2],
    /// Over clusters, the sums of a², a·b and b², where a is the surplus of points over the fit, and b that in seat 1 minus
    /// that in seat 2. In them, the square of each single game is replaced by its expectation.
    surplus_squares: [f64; 3],
    /// Over clusters, the sums of the variances of the points in each seat, if all games are independent, as the fit leaves
    /// them: each cluster draws the fit towards itself, by its leverage h, and counts (1 − h)². This is the jackknife of J.
    /// MacKinnon and H. White (1985), the safe one if there are few clusters.
    left: [f64; 2],
    /// Over clusters, the sums of the products of two of these variances: of seat 1 twice, of both seats, of seat 2 twice.
    variance_products: [f64; 3],
    /// Over clusters, the sums of the fourth cumulants of the points in each seat.
    fourth_cumulants: [f64; 2],
    /// Over clusters, the sums of the products of the standard deviations of the points, if all games in a seat depend on each
    /// other as much as possible: of seat 1 twice, of both seats, of seat 2 twice.
    deviation_products: [f64; 3],
}

/// Games of one contestant against another in one seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SeatGames {
    /// The number of games.
    pub(super) count: f64,
    /// The contestant's points.
    pub(super) points: f64,
    /// The log odds that it wins.
    pub(super) log_odds: f64,
    /// The probability that it wins.
    pub(super) win: f64,
}

/// The estimated dependence of games: sums over clusters along a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Dependence {
    /// The squares of the surplus.
    pub(super) observed: f64,
    /// Their expectation, if all games are independent and the fit is exact.
    pub(super) independent: f64,
    /// Their expectation, if all games are independent.
    pub(super) left: f64,
    /// Their expectation, if the games of a cluster depend on each other as much as possible.
    pub(super) dependent: f64,
    /// The variance of `observed`, if all games are independent.
    pub(super) spread: f64,
}

impl Meeting {
    /// The games of an encounter, where `log_odds` are those of a win of the first contestant in each seat, and `uncertainty`
    /// is the variance of the difference between the two, as it was fitted.
    pub(super) fn of(encounter: &Encounter, log_odds: [f64; 2], uncertainty: f64) -> Self {
        let wins = log_odds.map(crate::estimate::scale::logistic);
        let kinds = Kind::all();
        let seats = [0, 1].map(|seat| {
            let kinds = kinds.iter().zip(encounter.counts).filter(|(kind, _)| kind.seat_index() == seat);
            let (mut count, mut points) = (0.0, 0.0);
            kinds.for_each(|(kind, games)| {
                count += games;
                points += games * kind.score;
            });
            SeatGames { count, points, log_odds: log_odds[seat], win: wins[seat] }
        });
        let mut meeting = Self {
            contestants: encounter.contestants,
            seats,
            surplus_squares: [0.0; 3],
            left: [0.0; 2],
            variance_products: [0.0; 3],
            fourth_cumulants: [0.0; 2],
            deviation_products: [0.0; 3],
        };
        for (counts, &times) in &encounter.clusters {
            let times = times as f64;
            let (mut in_seats, mut of_seats, mut own) = ([0.0; 2], [0.0; 2], [0.0; 2]);
            let mut deviations = [0.0; 2];
            for (kind, &games) in kinds.iter().zip(counts) {
                let (games, seat) = (f64::from(games), kind.seat_index());
                let win = wins[seat];
                let of_game = win * (1.0 - win);
                in_seats[seat] += games * (kind.score - win);
                of_seats[seat] += games * of_game;
                // Of its square, y² differs from y only by draws: y is replaced by its expectation, since how many games were
                // won does not show how they depend on each other.
                let drawn = kind.score * (1.0 - kind.score);
                own[seat] -= games * (drawn + (kind.score - win) * (kind.score - win));
                deviations[seat] += games * of_game.sqrt();
                // The fourth cumulant of a sum of independent games is the sum of theirs.
                meeting.fourth_cumulants[seat] += times * games * of_game * (1.0 - 6.0 * of_game);
            }
            let variance = of_seats[0] + of_seats[1];
            let kept = (1.0 - variance * uncertainty).max(0.0);
            let own = [0, 1].map(|seat| own[seat] + of_seats[seat] * kept);
            let (own_sum, own_difference) = (own[0] + own[1], own[0] - own[1]);
            let (sum, difference) = (in_seats[0] + in_seats[1], in_seats[0] - in_seats[1]);
            let squares =
                [sum * sum + own_sum, sum * difference + own_difference, difference * difference + own_sum];
            meeting.surplus_squares.iter_mut().zip(squares).for_each(|(sum, square)| *sum += times * square);
            for seat in [0, 1] {
                meeting.left[seat] += times * of_seats[seat] * kept * kept;
            }
            for (sums, of) in
                [(&mut meeting.variance_products, of_seats), (&mut meeting.deviation_products, deviations)]
            {
                let products = [of[0] * of[0], of[0] * of[1], of[1] * of[1]];
                sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += times * product);
            }
        }
        meeting
    }

    /// Adds to the sums along a direction, on which the log odds of the first contestant change by `slope`, and by
    /// `seat_slope` more in seat 1 and less in seat 2.
    pub(super) fn add_to(&self, sums: &mut Dependence, slope: f64, seat_slope: f64) {
        let [squares, products, of_seats] = self.surplus_squares;
        sums.observed += slope * slope * squares
            + 2.0 * slope * seat_slope * products
            + seat_slope * seat_slope * of_seats;
        let slopes = [slope + seat_slope, slope - seat_slope];
        let [first, second] = slopes.map(|slope| slope * slope);
        for ((games, left), square) in self.seats.iter().zip(self.left).zip([first, second]) {
            sums.independent += square * games.count * games.win * (1.0 - games.win);
            sums.left += square * left;
        }
        let [of_first, of_both, of_second] = self.deviation_products;
        let both = (slopes[0] * slopes[1]).abs();
        sums.dependent += first * of_first + 2.0 * both * of_both + second * of_second;
        // The variance of a square: the fourth cumulant, and twice the square of the variance.
        let [of_first, of_both, of_second] = self.variance_products;
        let normal = first * first * of_first + 2.0 * first * second * of_both + second * second * of_second;
        let cumulant = first * first * self.fourth_cumulants[0] + second * second * self.fourth_cumulants[1];
        // Not less than for pairs of equals: the squares of single games of equals would not vary at all, were there no draws.
        sums.spread += (2.0 * normal + cumulant).max(normal);
    }
}
