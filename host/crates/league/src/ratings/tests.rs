//! The fit without virtual draws, and its information, which the public interface does not show. Other tests are in
//! `tests/ratings.rs`.

use super::*;
use crate::Side;
use serde_json::Value;

fn games(seats: [usize; 2], won: u64, lost: u64) -> impl Iterator<Item = RatedGame> {
    let game = move |side| RatedGame { seats, pair: 0, score: Score::Win(side) };
    (0..won).map(move |_| game(Side::First)).chain((0..lost).map(move |_| game(Side::Second)))
}

fn tally(contestants: usize, games: impl Iterator<Item = RatedGame>) -> Tally {
    let mut tally = Tally::new(contestants);
    games.for_each(|game| tally.add(game));
    tally
}

#[test]
fn a_published_table_with_home_advantage_has_its_published_fit() {
    let table: Value = serde_json::from_str(include_str!("../../tests/data/baseball.json")).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let played = table["results"].as_array().unwrap().iter().flat_map(|row| {
        let [home, away, won, lost] = std::array::from_fn(|column| row[column].as_u64().unwrap());
        games([home as usize, away as usize], won, lost)
    });
    let tally = tally(7, played);
    let fit = Fit::of(&tally, &Graph::of(&tally), 0.0);
    let covariance = fit.information.inverse();
    let close =
        |ours: f64, theirs: &Value| assert!((ours - number(theirs)).abs() < 0.000_06, "{ours} {theirs}");
    for team in 1..7 {
        close(fit.values[team] - fit.values[0], &table["abilities"][team]);
        let variance = covariance.get(team, team) + covariance.get(0, 0)
            - covariance.get(team, 0)
            - covariance.get(0, team);
        close(variance.sqrt(), &table["errors"][team]);
    }
    assert!(fit.tells_seats);
    close(fit.first_seat(), &table["home"]);
    close(covariance.get(7, 7).sqrt(), &table["home_error"]);
}

#[test]
fn seats_are_distinguished_from_strength_by_swapping_them_or_by_a_circle() {
    let tells = |seats: &[[usize; 2]]| {
        let tally = tally(4, seats.iter().flat_map(|&seats| games(seats, 1, 1)));
        Graph::of(&tally).tells_seats
    };
    assert!(!tells(&[]));
    assert!(!tells(&[[0, 1], [0, 1], [1, 2], [3, 2]]));
    assert!(tells(&[[0, 1], [1, 0]]));
    assert!(tells(&[[0, 1], [1, 2], [2, 0]]));
    assert!(!tells(&[[0, 1], [1, 2], [3, 2], [0, 3]]));
}
