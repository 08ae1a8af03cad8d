//! What games can tell at all: who can be compared with whom, and whether seats can be told from strength.

use super::tally::Tally;
use std::collections::VecDeque;

/// Who played whom, with the seats: for each contestant its opponents, and by how much the seat was its own (1 for
/// seat 1, −1 for seat 2).
fn opponents(contestants: usize, tally: &Tally) -> Vec<Vec<(usize, i64)>> {
    let mut opponents = vec![Vec::new(); contestants];
    for encounter in tally.encounters() {
        let [low, high] = encounter.contestants;
        for (kind, _) in Tally::kinds().iter().zip(encounter.counts).filter(|&(_, games)| games > 0.0) {
            let seat = kind.seat as i64;
            opponents[low].push((high, seat));
            opponents[high].push((low, -seat));
        }
    }
    opponents
}

/// The groups between whose members there are chains of games, by their first members.
pub(super) fn groups(contestants: usize, tally: &Tally) -> Vec<Vec<usize>> {
    let opponents = opponents(contestants, tally);
    let mut seen = vec![false; contestants];
    let mut groups = Vec::new();
    for first in 0..contestants {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut group = vec![first];
        let mut next = 0;
        while next < group.len() {
            for &(opponent, _) in &opponents[group[next]] {
                if !std::mem::replace(&mut seen[opponent], true) {
                    group.push(opponent);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// Whether an advantage of seat 1 can be told from strength. It cannot where each contestant can be given a height so
/// that in every game the one in seat 1 stands one higher than its opponent: then more advantage and so much less
/// strength by height come to the same.
pub(super) fn tells_seats(contestants: usize, tally: &Tally) -> bool {
    let opponents = opponents(contestants, tally);
    let mut heights: Vec<Option<i64>> = vec![None; contestants];
    for first in 0..contestants {
        if heights[first].is_some() {
            continue;
        }
        heights[first] = Some(0);
        let mut queue = VecDeque::from([(first, 0)]);
        while let Some((contestant, height)) = queue.pop_front() {
            for &(opponent, seat) in &opponents[contestant] {
                match heights[opponent] {
                    None => {
                        heights[opponent] = Some(height - seat);
                        queue.push_back((opponent, height - seat));
                    }
                    Some(known) if known != height - seat => return true,
                    Some(_) => {}
                }
            }
        }
    }
    false
}
