//! Samples of counts and their statistics.

use arena_league::{Bucket, Sample};
use proptest::prelude::*;

fn sample(counts: &[u32]) -> Sample {
    counts.iter().copied().collect()
}

#[test]
fn a_sample_has_the_statistics_calculated_by_hand() {
    let summary = sample(&[44, 40, 41, 47, 40, 52]).summary().unwrap();
    assert_eq!((summary.count, summary.mean, summary.median), (6, 44.0, 42.5));
    assert_eq!((summary.min, summary.max, summary.p95), (40, 52, 52));
    // Squares of the differences: 0 + 16 + 9 + 9 + 16 + 64 = 114; 1.95996 · √(114 / 5 / 6).
    assert!((summary.error.unwrap() - 3.820_7).abs() < 0.000_1);
}

#[test]
fn the_95th_percentile_is_by_nearest_rank() {
    let p95 = |counts| (1..=counts).collect::<Sample>().summary().unwrap().p95;
    assert_eq!([1, 19, 20, 21, 100, 101].map(p95), [1, 19, 19, 20, 95, 96]);
}

#[test]
fn a_single_count_has_no_error_bar_and_an_empty_sample_no_summary() {
    let summary = sample(&[17]).summary().unwrap();
    assert_eq!((summary.mean, summary.error, summary.median, summary.p95), (17.0, None, 17.0, 17));
    assert_eq!(sample(&[]).summary(), None);
    assert_eq!(sample(&[]).histogram(5), []);
    assert!(sample(&[]).is_empty());
}

#[test]
fn equal_counts_have_an_error_of_0() {
    assert_eq!(sample(&[17; 40]).summary().unwrap().error, Some(0.0));
}

#[test]
fn a_histogram_begins_at_multiples_of_its_width_and_keeps_empty_columns() {
    let bucket = |from, to, times| Bucket { from, to, times };
    assert_eq!(
        sample(&[44, 40, 41, 47, 40, 58]).histogram(5),
        [bucket(40, 44, 4), bucket(45, 49, 1), bucket(50, 54, 0), bucket(55, 59, 1)]
    );
    assert_eq!(sample(&[u32::MAX]).histogram(10), [bucket(u32::MAX - 5, u32::MAX, 1)]);
}

#[test]
fn a_column_is_as_narrow_as_the_number_of_columns_allows() {
    let width = |columns_max| sample(&[17, 96]).bucket_width(columns_max);
    assert_eq!([200, 80, 79, 20, 10, 2, 1].map(width), [1, 1, 2, 5, 10, 50, 100]);
}

proptest! {
    #[test]
    fn the_order_does_not_change_a_bit(
        (counts, shuffled) in prop::collection::vec(0_u32..5000, 0..50)
            .prop_flat_map(|counts| (Just(counts.clone()), Just(counts).prop_shuffle()))
    ) {
        prop_assert_eq!(sample(&counts).summary(), sample(&shuffled).summary());
    }

    #[test]
    fn a_summary_is_that_of_the_sorted_counts(mut counts in prop::collection::vec(0_u32..300, 2..80)) {
        let summary = sample(&counts).summary().unwrap();
        counts.sort_unstable();
        let count = counts.len() as f64;
        let mean = counts.iter().map(|&count| f64::from(count)).sum::<f64>() / count;
        let squares: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2)).sum();
        prop_assert!((summary.mean - mean).abs() < 1e-9);
        prop_assert!((summary.error.unwrap() - 1.96 * (squares / (count - 1.0) / count).sqrt()).abs() < 0.01);
        let middle = f64::from(counts[(counts.len() - 1) / 2] + counts[counts.len() / 2]) / 2.0;
        prop_assert_eq!(summary.median, middle);
        let not_above = counts.iter().filter(|&&count| count <= summary.p95).count();
        let below = counts.iter().filter(|&&count| count < summary.p95).count();
        prop_assert!(20 * not_above >= 19 * counts.len() && 20 * below < 19 * counts.len());
    }

    #[test]
    fn a_histogram_holds_every_count_once(
        counts in prop::collection::vec(0_u32..5000, 1..80), columns_max in 1_u32..40
    ) {
        let sample = sample(&counts);
        let buckets = sample.histogram(sample.bucket_width(columns_max));
        prop_assert!(buckets.len() <= columns_max as usize);
        prop_assert_eq!(buckets.iter().map(|bucket| bucket.times).sum::<u64>(), counts.len() as u64);
        for bucket in &buckets {
            let within = counts.iter().filter(|&&count| (bucket.from..=bucket.to).contains(&count)).count();
            prop_assert_eq!(bucket.times, within as u64);
        }
        prop_assert!(buckets.windows(2).all(|two| two[0].to + 1 == two[1].from));
    }
}
