//! The lengths of lists: each is whole at its limit, and cut or left out with one more.

use super::{season, site};
use crate::{Contest, Game, Replays, Site};
use arena_engine::internals::kept_games::StageEnd;

/// The season with this number of bots, each of which has a place.
fn with_bots(count: usize) -> Contest {
    let (contest, _) = season();
    let row = |bot: usize| {
        let mut row = contest.standings[0].clone();
        (row.newest, row.score.contestant) = (bot, bot);
        row
    };
    let bots = vec![contest.bots[0].clone(); count];
    Contest { bots, standings: (0..count).map(row).collect(), disqualified: Vec::new(), ..contest }
}

/// The season with games between these bots, all like its first one.
fn with_games(bots: usize, seats: impl Iterator<Item = [usize; 2]>) -> Contest {
    let contest = with_bots(bots);
    let game = |(number, seats)| Game { number, seats, ..contest.games[0].clone() };
    let games = (1..).zip(seats).map(game).collect();
    Contest { games, ratings: arena_league::rate(bots, []), history: None, placings: None, ..contest }
}

/// All pairs of some bots, in an order in which a further bot adds the last ones.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    (1..).flat_map(|second| (0..second).map(move |first| [first, second]))
}

fn with_stages(count: usize) -> Contest {
    let stages = vec![StageEnd { begun: None, games: 1, head: None }; count];
    Contest { stages, served: Some(1), ..season().0 }
}

/// Checks the number of a text on a page of a contest of some size, at a limit and with one more.
#[track_caller]
fn check(limit: usize, of: fn(usize) -> Contest, count: impl Fn(&Site) -> usize, expected: [usize; 2]) {
    let found = [limit, limit + 1].map(|size| count(&site(&of(size), &season().1, Replays::None)));
    assert_eq!(found, expected);
}

#[test]
fn a_list_is_whole_at_its_limit_and_cut_or_left_out_with_one_more() {
    let lines = |page: &'static str, from: &'static str, until: &'static str| {
        move |site: &Site| {
            let after = site[page].split_once(from).map_or("", |(_, after)| after);
            after.split(until).next().unwrap().lines().filter(|line| line.len() > 1).count()
        }
    };
    let exists = |path: &'static str| move |site: &Site| usize::from(site.contains_key(path));
    let says = |page: &'static str, text: &'static str| move |site: &Site| site[page].matches(text).count();
    check(32, with_bots, says("index.html", "Points of each bot against each other"), [1, 0]);
    check(100, with_bots, lines("index.html", "\nBy performance\n", "\nBy faults"), [100, 100]);
    check(99, with_bots, lines("index.html", "\nBy performance\n", "\nBy faults"), [99, 100]);
    check(100, with_stages, says("season.html", "| – | 1 | –"), [100, 100]);
    check(99, with_stages, says("season.html", "| – | 1 | –"), [99, 100]);
    let games_of_two = |count| with_games(2, std::iter::repeat_n([0, 1], count));
    check(400, games_of_two, exists("pairs/1-2-2.html"), [0, 1]);
    let of_both = |text: &'static str| {
        move |site: &Site| {
            ["bots/1.html", "bots/2.html"].map(|page| site[page].matches(text).count()).iter().sum()
        }
    };
    // Each game has the fault of its recording.
    check(200, games_of_two, of_both("The first 200 of 201 faults:"), [0, 1]);
    check(200, games_of_two, of_both("| trap |"), [200, 200]);
    check(400, games_of_two, says("pairs/1-2.html", "| fleet sunk |"), [400, 400]);
    check(496, |count| with_games(33, pairs().take(count)), says("pairs/1-2.html", "Side by side"), [1, 0]);
    check(
        8,
        |count| Contest { served: Some(1), ..with_bots(count) },
        says("projector.html", "Places"),
        [1, 2],
    );
    check(
        5,
        |count| Contest { served: Some(1), ..with_games(9, pairs().take(count)) },
        says("projector.html", "1–0"),
        [5, 5],
    );
}
