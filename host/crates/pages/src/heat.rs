//! Heat maps: shares as steps of a scale. Each cell also has its number, so that colour is never the only sign.

/// The number of steps above 0. Chosen: more can hardly be distinguished.
const STEPS: u64 = 8;

/// The step of a part of the most, from 0 to [`STEPS`], rounded up, so that only 0 gets step 0.
pub(crate) fn step(part: u64, most: u64) -> u64 {
    if most == 0 { 0 } else { (part * STEPS).div_ceil(most).min(STEPS) }
}

/// A cell of a heat map.
#[derive(Clone, Debug)]
pub(crate) struct HeatCell {
    pub step: u64,
    /// The share in percent, rounded.
    pub percent: u64,
}

/// A board as a heat map, row by row.
#[derive(Clone, Debug)]
pub(crate) struct HeatMap {
    pub rows: Vec<Vec<HeatCell>>,
}

impl HeatMap {
    /// The map of a board's counts, in rows of this width, as shares of a whole; `None` when there are no counts.
    pub fn of(counts: &[u64], width: usize, whole: u64) -> Option<Self> {
        let most = counts.iter().copied().max().filter(|&most| most > 0 && whole > 0)?;
        let warm =
            |&count: &u64| HeatCell { step: step(count, most), percent: (count * 100 + whole / 2) / whole };
        let rows = counts.chunks(width).map(|row| row.iter().map(warm).collect()).collect();
        Some(Self { rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nothing_is_cold_and_the_most_is_hottest() {
        assert_eq!([0, 1, 50, 99, 100].map(|part| step(part, 100)), [0, 1, 4, 8, 8]);
        assert_eq!(step(0, 0), 0);
        assert!(HeatMap::of(&[0, 0], 2, 0).is_none());
        let map = HeatMap::of(&[1, 3, 0, 0], 2, 4).unwrap();
        assert_eq!(map.rows[0][1].percent, 75);
    }
}
