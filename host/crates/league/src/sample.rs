//! Statistics of a bot that plays alone: the number of shots it took to clear each board.

use crate::Interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// A sample of counts, such as shots to clear a board. Each value is stored once, with its frequency. All statistics
/// are independent of the order in which the counts were added, to the last bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    times: BTreeMap<u32, u64>,
}

/// The statistics of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SampleSummary {
    /// The number of counts, at least 1.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// Half the width of the mean's 95 % interval. It assumes that the mean is normally distributed, which is accurate
    /// for samples of some tens of counts or more. `None` for a single count.
    pub error: Option<f64>,
    /// The median: the middle count, or the mean of the two in the middle.
    pub median: f64,
    /// The 95th percentile by nearest rank: the least count that is not less than 95 % of the counts.
    pub p95: u32,
    /// The least count.
    pub min: u32,
    /// The greatest count.
    pub max: u32,
}

/// A column of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Bucket {
    /// The least count in this column.
    pub from: u32,
    /// The greatest count in this column.
    pub to: u32,
    /// The number of counts in this column.
    pub times: u64,
}

impl Sample {
    /// Adds a count.
    pub fn add(&mut self, count: u32) {
        *self.times.entry(count).or_default() += 1;
    }

    /// The number of counts.
    pub fn len(&self) -> u64 {
        self.times.values().sum()
    }

    /// Returns true if there are no counts.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The statistics of the sample. `None` when it is empty.
    pub fn summary(&self) -> Option<SampleSummary> {
        let (min, max) = self.range()?;
        let count = self.len();
        let sum = self.sum(u128::from);
        let middle = [count.div_ceil(2), count / 2 + 1].map(|rank| f64::from(self.ranked(rank)));
        // The unbiased variance of the counts by their number. Whole numbers up to the division, so that it is exact.
        let error = (count > 1).then(|| {
            let squares = self.sum(|count| u128::from(count) * u128::from(count));
            let n = u128::from(count);
            let variance = (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64 / n as f64;
            Interval::of(0.0, variance).error
        });
        Some(SampleSummary {
            count,
            mean: sum as f64 / count as f64,
            error,
            median: (middle[0] + middle[1]) / 2.0,
            p95: self.ranked((count * 95).div_ceil(100)),
            min,
            max,
        })
    }

    /// The histogram with columns of this width, from the least to the greatest count, empty columns included. Each
    /// column begins at a multiple of the width.
    ///
    /// # Panics
    /// If the width is 0.
    pub fn histogram(&self, width: u32) -> Vec<Bucket> {
        let Some((min, max)) = self.range() else { return Vec::new() };
        (min / width..=max / width)
            .map(|column| {
                let from = column * width;
                let to = from.saturating_add(width - 1);
                Bucket { from, to, times: self.times.range(from..=to).map(|(_, times)| times).sum() }
            })
            .collect()
    }

    /// The least width of 1, 2 or 5 times a power of ten with which a histogram has at most `columns_max` columns.
    ///
    /// # Panics
    /// If `columns_max` is 0.
    pub fn bucket_width(&self, columns_max: u32) -> u32 {
        assert!(columns_max > 0, "a histogram has at least one column");
        let (min, max) = self.range().unwrap_or((0, 0));
        let widths = (0..10).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
        let fits = |&width: &u32| max / width - min / width < columns_max;
        widths.map_while(|width| u32::try_from(width).ok()).find(fits).unwrap_or(u32::MAX)
    }

    /// The least and the greatest count.
    fn range(&self) -> Option<(u32, u32)> {
        Some((*self.times.first_key_value()?.0, *self.times.last_key_value()?.0))
    }

    /// The count of this rank, from 1.
    fn ranked(&self, rank: u64) -> u32 {
        let mut below = 0;
        let reached = |&(_, times): &(&u32, &u64)| {
            below += times;
            below >= rank
        };
        self.times.iter().find(reached).map_or(0, |(&count, _)| count)
    }

    fn sum(&self, of: impl Fn(u32) -> u128) -> u128 {
        self.times.iter().map(|(&count, &times)| of(count) * u128::from(times)).sum()
    }
}

impl FromIterator<u32> for Sample {
    fn from_iter<I: IntoIterator<Item = u32>>(counts: I) -> Self {
        let mut sample = Self::default();
        counts.into_iter().for_each(|count| sample.add(count));
        sample
    }
}
