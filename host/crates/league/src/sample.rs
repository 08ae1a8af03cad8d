//! A bot on its own: how many shots it took to clear boards.

use crate::Interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// Counts, such as shots to clear a board, each kept once with how often it came. What it says does not depend on the
/// order in which they came, to the last bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    times: BTreeMap<u32, u64>,
}

/// What a sample says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SampleSummary {
    /// How many counts there are, at least one.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// Half the width of the mean's 95 % interval, by a normal distribution of the mean, so for tens of counts or more;
    /// nothing for a single one.
    pub error: Option<f64>,
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The 95th percentile: the least count that is not below 95 % of them (by nearest rank).
    pub p95: u32,
    /// The least.
    pub min: u32,
    /// The greatest.
    pub max: u32,
}

/// A column of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Bucket {
    /// The least count that belongs here.
    pub from: u32,
    /// The greatest count that belongs here.
    pub to: u32,
    /// How often such counts came.
    pub times: u64,
}

impl Sample {
    /// Adds a count.
    pub fn add(&mut self, count: u32) {
        *self.times.entry(count).or_default() += 1;
    }

    /// How many counts there are.
    pub fn len(&self) -> u64 {
        self.times.values().sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// What the sample says; nothing where it is empty.
    pub fn summary(&self) -> Option<SampleSummary> {
        let (&min, _) = self.times.first_key_value()?;
        let (&max, _) = self.times.last_key_value()?;
        let count = self.len();
        let sum: u128 = self.sum(u128::from);
        let middle = [count.div_ceil(2), count / 2 + 1].map(|rank| f64::from(self.ranked(rank)));
        Some(SampleSummary {
            count,
            mean: sum as f64 / count as f64,
            error: self.mean_variance(sum, count).map(|variance| Interval::of(0.0, variance).error),
            median: (middle[0] + middle[1]) / 2.0,
            p95: self.ranked((count * 95).div_ceil(100)),
            min,
            max,
        })
    }

    /// The counts in columns of so many values each, from the least to the greatest count, empty columns between them
    /// included. Columns begin at multiples of their width.
    ///
    /// # Panics
    /// Where the width is 0.
    pub fn histogram(&self, width: u32) -> Vec<Bucket> {
        let [Some((&min, _)), Some((&max, _))] = [self.times.first_key_value(), self.times.last_key_value()]
        else {
            return Vec::new();
        };
        (min / width..=max / width)
            .map(|column| {
                let from = column * width;
                let to = from.saturating_add(width - 1);
                Bucket { from, to, times: self.times.range(from..=to).map(|(_, times)| times).sum() }
            })
            .collect()
    }

    /// The least width of 1, 2 or 5 times a power of ten for which a histogram has no more than so many columns.
    ///
    /// # Panics
    /// Where there is to be no column.
    pub fn bucket_width(&self, columns_max: u32) -> u32 {
        assert!(columns_max > 0, "a histogram has a column at least");
        let [Some((&min, _)), Some((&max, _))] = [self.times.first_key_value(), self.times.last_key_value()]
        else {
            return 1;
        };
        let widths = (0..10).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
        let fits = |&width: &u32| max / width - min / width < columns_max;
        widths.map_while(|width| u32::try_from(width).ok()).find(fits).unwrap_or(u32::MAX)
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

    /// The variance of the mean, by the unbiased variance of the counts, in whole numbers up to the division.
    fn mean_variance(&self, sum: u128, count: u64) -> Option<f64> {
        if count < 2 {
            return None;
        }
        let squares = self.sum(|count| u128::from(count) * u128::from(count));
        let count = u128::from(count);
        Some((count * squares - sum * sum) as f64 / (count * (count - 1)) as f64 / count as f64)
    }
}

impl FromIterator<u32> for Sample {
    fn from_iter<I: IntoIterator<Item = u32>>(counts: I) -> Self {
        let mut sample = Self::default();
        sample.extend(counts);
        sample
    }
}

impl Extend<u32> for Sample {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, counts: I) {
        counts.into_iter().for_each(|count| self.add(count));
    }
}
