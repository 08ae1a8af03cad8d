//! The graph of who played whom. It determines which contestants can be compared, and if the advantage of a seat can be
//! distinguished from strength.

use super::tally::{Kind, Tally};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Graph {
    /// The groups of contestants who are connected by games, each in ascending order, the groups by their first
    /// members.
    pub(super) groups: Vec<Vec<usize>>,
    /// The index of each contestant's group.
    pub(super) group_of: Vec<usize>,
    /// True if an advantage of seat 1 can be distinguished from strength. It cannot if there are heights for the
    /// contestants such that in every game the one in seat 1 stands one higher than its opponent: then more advantage,
    /// and less strength in proportion to the height, predict the same results.
    pub(super) tells_seats: bool,
    /// For each contestant, the opponents that it took half a point or more from.
    took_from: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn of(tally: &Tally) -> Self {
        // For each contestant its opponents, and 1 or −1 for the seat that it had.
        let mut opponents = vec![Vec::new(); tally.games.len()];
        for encounter in tally.encounters() {
            let [low, high] = encounter.contestants;
            for (kind, _) in Kind::all().iter().zip(encounter.counts).filter(|&(_, games)| games > 0.0) {
                let seat = kind.seat as i64;
                opponents[low].push((high, seat));
                opponents[high].push((low, -seat));
            }
        }
        let mut graph = Self {
            groups: Vec::new(),
            group_of: vec![0; opponents.len()],
            tells_seats: false,
            took_from: took_from(tally),
        };
        let mut heights = vec![None; opponents.len()];
        for first in 0..opponents.len() {
            if heights[first].is_some() {
                continue;
            }
            heights[first] = Some(0);
            let mut group = vec![(first, 0)];
            let mut visited = 0;
            while let Some(&(contestant, height)) = group.get(visited) {
                graph.group_of[contestant] = graph.groups.len();
                for &(opponent, seat) in &opponents[contestant] {
                    let expected = height - seat;
                    match heights[opponent] {
                        Some(known) => graph.tells_seats |= known != expected,
                        None => {
                            heights[opponent] = Some(expected);
                            group.push((opponent, expected));
                        }
                    }
                }
                visited += 1;
            }
            let mut group: Vec<_> = group.into_iter().map(|(member, _)| member).collect();
            group.sort_unstable();
            graph.groups.push(group);
        }
        graph
    }

    /// The contestants that this one took a point from, directly or through others: these cannot be stronger by any amount.
    /// The set includes itself.
    pub(super) fn reach(&self, contestant: usize) -> Vec<bool> {
        let mut reached = vec![false; self.took_from.len()];
        reached[contestant] = true;
        let mut ahead = vec![contestant];
        while let Some(next) = ahead.pop() {
            for &opponent in &self.took_from[next] {
                if !std::mem::replace(&mut reached[opponent], true) {
                    ahead.push(opponent);
                }
            }
        }
        reached
    }
}

fn took_from(tally: &Tally) -> Vec<Vec<usize>> {
    let mut took_from = vec![Vec::new(); tally.games.len()];
    for encounter in tally.encounters() {
        let [low, high] = encounter.contestants;
        let (points, games) = (encounter.points(), encounter.games());
        if points > 0.0 {
            took_from[low].push(high);
        }
        if points < games {
            took_from[high].push(low);
        }
    }
    took_from
}
