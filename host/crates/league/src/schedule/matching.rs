//! Perfect matchings of least cost, by Edmonds' blossom algorithm in its form with dual numbers ("Maximum matching and a polyhedron with
//! 0,1-vertices", Journal of Research of the National Bureau of Standards 69B, 1965).
//!
//! Each vertex has a dual number, and the slack of an edge is never negative: the sum of the duals of its ends and twice its cost. A
//! matching of edges without slack costs least. Each stage adds one edge: trees of alternating paths grow along edges without slack from
//! the vertices that are not matched, until two trees meet. A path that returns to its own tree closes a cycle of odd length, a *blossom*,
//! which is then one node. When no edge without slack is left, the duals change until there is one.

use std::collections::VecDeque;
use std::mem;

/// The two ends of an edge, as vertices.
type Edge = [usize; 2];

/// The number of edges from a node to the root of its tree in a stage: even or odd, or the node is outside of all trees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outside,
    Even,
    Odd,
}

/// A vertex, or a blossom.
#[derive(Clone)]
struct Node {
    dual: i128,
    depth: Depth,
    /// The matched edge that leaves it, its own end first.
    mate: Option<Edge>,
    /// The edge to its parent, if its depth is odd, its own end first.
    parent: Edge,
    /// The edge of the least slack from an even vertex outside of it; its own end is the second.
    nearest: Option<Edge>,
    /// The vertices inside it. Empty for a blossom that was dissolved.
    vertices: Vec<usize>,
    /// For a blossom, the nodes of its cycle. The first is the one that is not matched inside.
    cycle: Vec<usize>,
    /// The edges from each node of the cycle to the next.
    links: Vec<Edge>,
}

impl Node {
    fn new(dual: i128, vertices: Vec<usize>) -> Self {
        Self {
            dual,
            depth: Depth::Outside,
            mate: None,
            parent: [0; 2],
            nearest: None,
            vertices,
            cycle: Vec::new(),
            links: Vec::new(),
        }
    }
}

struct Matching<'a> {
    /// The costs, row by row.
    costs: &'a [i128],
    /// For each vertex, the outermost node with it.
    top: Vec<usize>,
    /// The vertices, then the blossoms.
    nodes: Vec<Node>,
    /// Even vertices whose edges have not been looked at.
    queue: VecDeque<usize>,
}

/// For each of `len` vertices, an even number, its mate in the perfect matching of least cost. Of the costs, row by row, only those above
/// the diagonal are used. Eight times the costliest matching must be below the largest number.
pub(super) fn cheapest_matching(len: usize, costs: &[i128]) -> Vec<usize> {
    let above_diagonal = (0..len).flat_map(|one| &costs[one * len + one + 1..(one + 1) * len]);
    let dual = -above_diagonal.min().copied().unwrap_or(0);
    let nodes = (0..len).map(|vertex| Node::new(dual, vec![vertex])).collect();
    let mut matching = Matching { costs, top: (0..len).collect(), nodes, queue: VecDeque::new() };
    for _ in 0..len / 2 {
        matching.add_edge();
    }
    matching.nodes[..len].iter().map(|node| node.mate.expect("all are matched")[1]).collect()
}

impl Matching<'_> {
    fn slack(&self, [one, other]: Edge) -> i128 {
        let cost = self.costs[one.min(other) * self.top.len() + one.max(other)];
        self.nodes[one].dual + self.nodes[other].dual + 2 * cost
    }

    /// The outermost nodes.
    fn tops(&self) -> Vec<usize> {
        let is_top =
            |&node: &usize| self.nodes[node].vertices.first().is_some_and(|&it| self.top[it] == node);
        (0..self.nodes.len()).filter(is_top).collect()
    }

    fn is_blossom(&self, node: usize) -> bool {
        node >= self.top.len()
    }

    fn set_even(&mut self, node: usize) {
        self.nodes[node].depth = Depth::Even;
        self.queue.extend(&self.nodes[node].vertices);
    }

    /// One stage.
    fn add_edge(&mut self) {
        self.queue.clear();
        for node in self.tops() {
            self.nodes[node].depth = Depth::Outside;
            self.nodes[node].nearest = None;
            if self.nodes[node].mate.is_none() {
                self.set_even(node);
            }
        }
        while !self.grow() {
            self.change_duals();
            for node in self.tops() {
                if self.is_blossom(node) && self.nodes[node].depth == Depth::Odd && self.nodes[node].dual == 0
                {
                    self.dissolve(node);
                }
            }
        }
    }

    /// Follows edges without slack until there are no more, or until the matching has grown, which it returns.
    fn grow(&mut self) -> bool {
        for node in self.tops() {
            if let Some(edge) = self.nodes[node].nearest
                && self.slack(edge) == 0
                && self.follow(edge)
            {
                return true;
            }
        }
        while let Some(vertex) = self.queue.pop_front() {
            for other in 0..self.top.len() {
                let top = self.top[other];
                if top == self.top[vertex] || self.nodes[top].depth == Depth::Odd {
                    continue;
                }
                let slack = self.slack([vertex, other]);
                if slack > 0 {
                    if self.nodes[top].nearest.is_none_or(|edge| slack < self.slack(edge)) {
                        self.nodes[top].nearest = Some([vertex, other]);
                    }
                } else if self.follow([vertex, other]) {
                    return true;
                }
            }
        }
        false
    }

    /// Follows an edge from an even vertex. Returns true when the matching has grown.
    fn follow(&mut self, edge @ [from, to]: Edge) -> bool {
        let [one, other] = edge.map(|vertex| self.top[vertex]);
        match self.nodes[other].depth {
            _ if one == other => false,
            Depth::Odd => false,
            Depth::Outside => {
                self.nodes[other].depth = Depth::Odd;
                self.nodes[other].parent = [to, from];
                let [_, mate] = self.nodes[other].mate.expect("it would be a root");
                self.set_even(self.top[mate]);
                false
            }
            Depth::Even => {
                let mut paths = [one, other].map(|node| self.path(node));
                if paths[0].last() != paths[1].last() {
                    self.augment(one, edge);
                    self.augment(other, [to, from]);
                    return true;
                }
                // The last node that both have closes the cycle.
                let mut base = one;
                while let [Some(&node), Some(&same)] = [paths[0].last(), paths[1].last()]
                    && node == same
                {
                    base = node;
                    for path in &mut paths {
                        path.pop();
                    }
                }
                self.close(base, edge, paths);
                false
            }
        }
    }

    /// The edge from a node in a tree to the next one on the way to the root.
    fn upwards(&self, node: usize) -> Option<Edge> {
        let Node { depth, parent, mate, .. } = self.nodes[node];
        if depth == Depth::Odd { Some(parent) } else { mate }
    }

    /// The nodes from one in a tree to its root.
    fn path(&self, node: usize) -> Vec<usize> {
        let next = |&node: &usize| self.upwards(node).map(|[_, next]| self.top[next]);
        std::iter::successors(Some(node), next).collect()
    }

    /// Matches a node by an edge, and everything on its path to the root the other way round.
    fn augment(&mut self, mut node: usize, mut edge: Edge) {
        while let Some([_, mate]) = self.nodes[node].mate {
            self.set_mate(node, edge);
            let parent @ [own, next] = self.nodes[self.top[mate]].parent;
            self.set_mate(self.top[mate], parent);
            (node, edge) = (self.top[next], [next, own]);
        }
        self.set_mate(node, edge);
    }

    /// Matches a node by an edge from it, and the rest of its cycle inside.
    fn set_mate(&mut self, node: usize, edge: Edge) {
        self.nodes[node].mate = Some(edge);
        if !self.is_blossom(node) {
            return;
        }
        let at = self.place_in_cycle(node, edge[0]);
        self.nodes[node].cycle.rotate_left(at);
        self.nodes[node].links.rotate_left(at);
        self.set_mate(self.nodes[node].cycle[0], edge);
        for index in (1..self.nodes[node].cycle.len()).step_by(2) {
            let [from, to] = self.nodes[node].links[index];
            self.set_mate(self.nodes[node].cycle[index], [from, to]);
            self.set_mate(self.nodes[node].cycle[index + 1], [to, from]);
        }
    }

    /// The place in a blossom's cycle of the node with a vertex.
    fn place_in_cycle(&self, blossom: usize, vertex: usize) -> usize {
        let has_it = |&node: &usize| self.nodes[node].vertices.contains(&vertex);
        self.nodes[blossom].cycle.iter().position(has_it).expect("it is in the blossom")
    }

    /// Makes a blossom of the paths from an edge's ends to a node.
    fn close(&mut self, base: usize, edge: Edge, [left, right]: [Vec<usize>; 2]) {
        let links_of = |path: &[usize]| -> Vec<Edge> {
            path.iter().map(|&node| self.upwards(node).expect("the base is above")).collect()
        };
        let back = links_of(&left).into_iter().rev().map(|[from, to]| [to, from]);
        let links = back.chain([edge]).chain(links_of(&right)).collect();
        let cycle: Vec<usize> = [base].into_iter().chain(left.into_iter().rev()).chain(right).collect();
        let vertices: Vec<usize> = cycle.iter().flat_map(|&node| self.nodes[node].vertices.clone()).collect();
        for &node in &cycle {
            if self.nodes[node].depth == Depth::Odd {
                self.set_even(node);
            }
        }
        let free = (self.top.len()..self.nodes.len()).find(|&node| self.nodes[node].vertices.is_empty());
        let blossom = free.unwrap_or(self.nodes.len());
        if free.is_none() {
            self.nodes.push(Node::new(0, Vec::new()));
        }
        for &vertex in &vertices {
            self.top[vertex] = blossom;
        }
        let mate = self.nodes[base].mate;
        self.nodes[blossom] = Node { depth: Depth::Even, mate, cycle, links, ..Node::new(0, vertices) };
        self.find_nearest(blossom);
    }

    /// Takes an odd blossom apart. The nodes between its parent and its mate stay in the tree.
    fn dissolve(&mut self, blossom: usize) {
        let entry = self.place_in_cycle(blossom, self.nodes[blossom].parent[0]);
        let Node { parent, cycle, links, .. } =
            mem::replace(&mut self.nodes[blossom], Node::new(0, Vec::new()));
        for &node in &cycle {
            self.nodes[node].depth = Depth::Outside;
            for index in 0..self.nodes[node].vertices.len() {
                self.top[self.nodes[node].vertices[index]] = node;
            }
        }
        // The way to the first node that has an even number of edges.
        let is_back = entry.is_multiple_of(2);
        let way: Vec<usize> =
            if is_back { (0..=entry).rev().collect() } else { (entry..cycle.len()).chain([0]).collect() };
        let mut parent = parent;
        for (index, &at) in way.iter().enumerate() {
            if index % 2 == 0 {
                self.nodes[cycle[at]].depth = Depth::Odd;
                self.nodes[cycle[at]].parent = parent;
            } else {
                self.set_even(cycle[at]);
                let next = way[index + 1];
                let [from, to] = links[at];
                parent = if is_back { links[next] } else { [to, from] };
            }
        }
        for node in cycle {
            self.find_nearest(node);
        }
    }

    /// Finds a node's nearest even vertex again.
    fn find_nearest(&mut self, node: usize) {
        let is_even =
            |&vertex: &usize| self.top[vertex] != node && self.nodes[self.top[vertex]].depth == Depth::Even;
        let even: Vec<usize> = (0..self.top.len()).filter(is_even).collect();
        let own = self.nodes[node].vertices.iter();
        let edges = own.flat_map(|&own| even.iter().map(move |&vertex| [vertex, own]));
        self.nodes[node].nearest = edges.min_by_key(|&edge| self.slack(edge));
    }

    /// Changes the duals by the most that leaves no slack negative, and no dual of a blossom.
    fn change_duals(&mut self) {
        let tops = self.tops();
        let step = |&top: &usize| {
            let node = &self.nodes[top];
            let slack = node.nearest.map(|edge| self.slack(edge));
            match node.depth {
                Depth::Outside => slack,
                Depth::Even => slack.map(|slack| slack / 2),
                Depth::Odd => self.is_blossom(top).then_some(node.dual / 2),
            }
        };
        let step = tops.iter().filter_map(step).min().expect("two trees can meet");
        for top in tops {
            let change = match self.nodes[top].depth {
                Depth::Outside => continue,
                Depth::Even => -step,
                Depth::Odd => step,
            };
            for index in 0..self.nodes[top].vertices.len() {
                let vertex = self.nodes[top].vertices[index];
                self.nodes[vertex].dual += change;
            }
            if self.is_blossom(top) {
                self.nodes[top].dual -= 2 * change;
            }
        }
    }
}

/// All perfect matchings of these.
#[cfg(test)]
pub(super) fn every_matching(left: &[usize]) -> Vec<Vec<Edge>> {
    let Some((&one, others)) = left.split_first() else { return vec![Vec::new()] };
    let mut matchings = Vec::new();
    for &other in others {
        let rest: Vec<_> = others.iter().copied().filter(|&left| left != other).collect();
        for mut matching in every_matching(&rest) {
            matching.push([one, other]);
            matchings.push(matching);
        }
    }
    matchings
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The costs of up to ten vertices: of few sizes, so that there are many ties and blossoms, or of many.
    fn any_costs() -> impl Strategy<Value = (usize, Vec<i128>)> {
        (1usize..6, prop_oneof![Just(2_i128), Just(5), Just(1_000)]).prop_flat_map(|(pairs, most)| {
            let len = 2 * pairs;
            (Just(len), prop::collection::vec(-most..most, len * len))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn no_other_matching_costs_less((len, costs) in any_costs()) {
            let mates = cheapest_matching(len, &costs);
            let cost = |[one, other]: Edge| costs[one * len + other];
            let vertices: Vec<usize> = (0..len).collect();
            prop_assert!(vertices.iter().all(|&it| mates[it] != it && mates[mates[it]] == it));
            let found: i128 = vertices.iter().filter(|&&it| it < mates[it]).map(|&it| cost([it, mates[it]])).sum();
            let sum = |matching: &Vec<Edge>| matching.iter().map(|&edge| cost(edge)).sum::<i128>();
            prop_assert_eq!(Some(found), every_matching(&vertices).iter().map(sum).min());
        }
    }
}
