use super::pairs::PairTally;
use super::scale::fixed;
use crate::{EloModel, Sprt};

/// The text for a number that is undefined.
const NONE: &str = "-";

/// The summary of a match in the layout of the chess program fastchess: four lines, and a fifth if there is a test.
///
/// ```text
/// Elo: 12.20 +/- 24.10, nElo: 14.54 +/- 28.73
/// LOS: 83.96 %, DrawRatio: 42.00 %, PairsRatio: 1.15
/// Games: 562, Wins: 213, Losses: 193, Draws: 156, Points: 291.0 (51.78 %)
/// Ptnml(0-2): [33, 43, 118, 49, 38]
/// LLR: 0.69 (23.4%) (-2.94, 2.94) [0.00, 10.00]
/// ```
///
/// `DrawRatio` is the share of even pairs, `PairsRatio` the ratio of pairs won to pairs lost. Undefined numbers are
/// printed as a dash. The percentage after `LLR` is of the bound that the ratio approaches. Other than fastchess, it names the
/// unit of the test's bounds after them, unless it is plain Elo.
pub fn summary(tally: &PairTally, test: Option<&Sprt>) -> String {
    let estimate = tally.pairs.estimate();
    let percent = |share: Option<f64>| share.map_or(NONE.into(), |share| fixed(100.0 * share, 2) + " %");
    let [lost_twice, lost, even, won, won_twice] = tally.pairs.0;
    let mut lines = vec![
        format!(
            "Elo: {}, nElo: {}",
            estimate.map_or(NONE.into(), |estimate| estimate.elo.to_string()),
            estimate.map_or(NONE.into(), |estimate| estimate.nelo.to_string()),
        ),
        format!(
            "LOS: {}, DrawRatio: {}, PairsRatio: {}",
            percent(estimate.map(|estimate| estimate.los)),
            percent(estimate.map(|estimate| estimate.draw_ratio)),
            estimate.and_then(|estimate| estimate.pairs_ratio).map_or(NONE.into(), |ratio| fixed(ratio, 2)),
        ),
        format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({})",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            percent(estimate.map(|_| tally.pairs.share())),
        ),
        format!("Ptnml(0-2): [{lost_twice}, {lost}, {even}, {won}, {won_twice}]"),
    ];
    if let Some(test) = test {
        let llr = test.llr(&tally.pairs);
        let [lower, upper] = test.bounds();
        let share_of_bound = if llr < 0.0 { -llr / lower } else { llr / upper };
        let unit = match test.model() {
            EloModel::Logistic => String::new(),
            model => format!(" {}", model.unit()),
        };
        lines.push(format!(
            "LLR: {} ({}%) ({lower:.2}, {upper:.2}) [{}, {}]{unit}",
            fixed(llr, 2),
            fixed(100.0 * share_of_bound, 1),
            fixed(test.elo0(), 2),
            fixed(test.elo1(), 2),
        ));
    }
    lines.join("\n")
}
