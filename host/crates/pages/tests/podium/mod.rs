//! The podium of the front page, and the order on the page for a projector.

use super::{Battleship, Contest, GUIDE, RankedBot, Replays, contest, served, site_of};

/// The steps of a contest with these rows, the best one first: label and figure of each.
#[track_caller]
fn check(change: impl Fn(&mut RankedBot), out: Option<usize>, expected: &[&str]) {
    let (mut contest, transcript) = contest::<Battleship>(GUIDE, "x");
    for (number, bot) in contest.bots.iter_mut().enumerate() {
        bot.label = format!("bot{number}").as_str().into();
    }
    // All bots play, and bot 1 is the first.
    for (row, place) in contest.standings.iter_mut().zip(1..) {
        (row.place, row.newest) = (Some(place), row.score.contestant);
        change(row);
    }
    let disqualified = contest.disqualified.pop();
    let out = out.zip(disqualified).map(|(contestant, it)| arena_record::Disqualified { contestant, ..it });
    let contest = Contest { disqualified: out.into_iter().collect(), ..contest };
    let site = site_of((contest, transcript), "x", Replays::None);
    let step = |part: &str| {
        let (_, after) = part.split_once("<bdi>").unwrap();
        let (step, _) = after.split_once("</span></span>").unwrap();
        step.replace("</bdi></a> <span class=\"n\">", ", ")
    };
    let steps: Vec<String> = site["index.html"].split("<li class=\"step").skip(1).map(step).collect();
    assert_eq!(steps, expected);
}

#[test]
fn the_first_three_are_on_it_with_their_ratings_or_points() {
    let all = ["bot1, &#62; 5 Elo", "bot0, &#62; 5 Elo", "bot2, &#62; 5 Elo"];
    check(|_| (), None, &all);
    let unrated = |row: &mut RankedBot| row.rating = row.rating.take().filter(|_| row.score.contestant != 1);
    check(unrated, None, &["bot1, 0.5 of 1 points", all[1], all[2]]);
}

#[test]
fn a_bot_that_has_left_or_has_not_played_or_was_disqualified_is_not_on_it() {
    let left = |row: &mut RankedBot| row.place = row.place.filter(|_| row.score.contestant != 1);
    check(left, None, &["bot0, &#62; 5 Elo", "bot2, &#62; 5 Elo"]);
    let has_not_played = |row: &mut RankedBot| row.score.games = u32::from(row.score.contestant != 1);
    check(has_not_played, None, &["bot0, &#62; 5 Elo", "bot2, &#62; 5 Elo"]);
}

#[test]
fn the_page_for_a_projector_has_the_bots_that_play_in_the_order_of_the_contest() {
    let site = served::<Battleship>(GUIDE, "x", Replays::None);
    let links = |page: &str| {
        let rows = site[page].split("<th scope=\"row\"><a href=\"").skip(1);
        rows.map(|row| row.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let front = links("index.html");
    assert_eq!(front[..2], ["bots/2.html", "bots/1.html"], "bot 1 is first, and has departed");
    assert_eq!(links("projector.html"), ["bots/1.html"]);
}
