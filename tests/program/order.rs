//! Who is first: every output has the bots in the same order, in each format.

use crate::support::{Place, house_bot};
use crate::terminal;
use serde_json::Value;
use std::fs;

/// The house bots that play, and a built-in one.
const FIVE: &str = "hunter.wasm density.wasm random.wasm sweeper.wasm builtin:hunter";

fn place() -> Place {
    let place = Place::with_house_bots();
    for name in ["density", "posterior"] {
        fs::copy(house_bot(name), place.path(&format!("{name}.wasm"))).expect("it can be copied");
    }
    place
}

/// Bots, the first one first.
type Order = Vec<String>;

fn labels(rows: &Value) -> Order {
    let rows = rows.as_array().expect("a list");
    rows.iter().map(|row| row["bot"].as_str().expect("a label").to_owned()).collect()
}

/// The labels in a table of `arena standings`: that of the standings, with the heading `points`.
fn of_table(text: &str) -> Order {
    let rows = text.lines().skip_while(|line| !line.contains("faults")).skip(1);
    let rows = rows.map(|line| line.trim_matches(['│', '┃', '|', ' '])).take_while(|line| !line.is_empty());
    let label = |row: &str| {
        let mut words = row.split_whitespace().filter(|word| *word != "│");
        let place = words.next().expect("a place").parse::<usize>();
        place.ok().and(words.next()).map(str::to_owned)
    };
    rows.filter_map(label).collect()
}

/// The labels of elements of a page that begin with this text.
fn of_page(page: &str, begin: &str) -> Order {
    let name = |part: &str| {
        let (_, after) = part.split_once("<bdi>").expect("a name");
        after.split_once("</bdi>").expect("its end").0.to_owned()
    };
    page.split(begin).skip(1).map(name).collect()
}

/// The standings on a screen of 80 columns, and the bots on its podium.
fn of_screen(text: &str) -> [Order; 2] {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("     bot")).skip(1);
    let rows: Vec<&str> = lines.by_ref().take_while(|line| !line.trim().is_empty()).collect();
    // A place of four columns and a sign come before the label.
    let cells =
        |line: &str, from: usize, count: usize| line.chars().skip(from).take(count).collect::<String>();
    let first_word = |text: &str| text.split_whitespace().next().map(str::to_owned);
    let standings = rows.iter().map(|row| first_word(&cells(row, 5, 75)).expect("a label")).collect();
    let rest: Vec<&str> = lines.collect();
    // Steps of 25 columns: the second bot's, the first one's, the third one's. A label is at the top of each.
    let step = |from: usize| rest.iter().find_map(|line| first_word(&cells(line, from, 25)));
    [standings, [27, 2, 52].into_iter().filter_map(step).collect()]
}

/// Waits until the end is on the screen as a whole: its last row is drawn last.
#[track_caller]
fn over(terminal: &mut arena_testkit::Terminal) {
    terminal.shows(", over");
    terminal.shows("q quit");
}

/// Plays with the screen on, and checks that the screen and all outputs of the journal have one order.
#[track_caller]
fn check(place: &Place, args: &str) -> Order {
    // Without the champion's confetti, which falls over the podium.
    let mut terminal = terminal::start(place, &format!("{args} --journal a.db --watch --no-animation"));
    over(&mut terminal);
    let running = of_screen(&terminal.text());
    terminal::quit(terminal);

    let document = place.arena("standings a.db -o json").expect_code(0).json();
    let order = labels(&document["standings"]);
    let gone = document["gone"].as_array().expect("a list");
    let on_podium: Order =
        order.iter().filter(|bot| !gone.iter().any(|gone| gone == *bot)).take(3).cloned().collect();
    assert_eq!(running, [order.clone(), on_podium.clone()], "run --watch");

    let mut terminal = terminal::start(place, "watch --tv a.db --no-animation");
    over(&mut terminal);
    assert_eq!(of_screen(&terminal.text()), [order.clone(), on_podium.clone()], "watch --tv");
    terminal::quit(terminal);

    let table = place.arena("standings a.db").expect_code(0).stdout;
    assert_eq!(of_table(&table), order, "{table}");
    if let Some((_, champion)) = table.split_once("champion: ") {
        assert_eq!(champion.lines().next(), Some(order[0].as_str()), "{table}");
    }
    let csv = place.arena("standings a.db -o csv").expect_code(0).stdout;
    let of_csv: Order =
        csv.lines().skip(1).filter_map(|row| row.split(',').nth(1)).map(str::to_owned).collect();
    assert_eq!(of_csv, order, "{csv}");
    let history = place.arena("journal history a.db -o json").expect_code(0).json();
    let latest = history.as_array().expect("a list").last().expect("a stage");
    assert_eq!(labels(&latest["standings"]), order, "{latest}");
    for kind in ["swiss", "knockout"] {
        let placings = &document["placings"][kind];
        let places = if kind == "swiss" { placings } else { &placings["places"] };
        if !places.is_null() {
            assert_eq!(labels(places), order, "{places}");
        }
    }

    place.arena("report a.db -o site --replays none").expect_code(0);
    let page = fs::read_to_string(place.path("site/index.html")).expect("the front page");
    let (_, table) = page.split_once("id=\"standings-table\"").expect("its standings");
    let (table, _) = table.split_once("</table>").expect("their end");
    assert_eq!(of_page(table, "<th scope=\"row\">"), order, "the standings of the page");
    assert_eq!(of_page(&page, "<li class=\"step"), on_podium, "the podium of the page");
    order
}

#[test]
fn a_round_robin_has_one_order() {
    check(&place(), &format!("run {FIVE} --games 2 --seed 1"));
}

#[test]
fn a_gauntlet_has_one_order() {
    check(&place(), &format!("run {FIVE} --format gauntlet --challengers 2 --games 2 --seed 6"));
}

#[test]
fn a_swiss_has_one_order() {
    check(&place(), &format!("run {FIVE} --format swiss --rounds 2 --games 2 --seed 1"));
}

#[test]
fn a_knockout_has_one_order_and_its_champion_is_first() {
    let place = place();
    let knockout = format!("run {FIVE} --format knockout --games 2");
    // The games of a seed depend on the bots' bytes, and so on the compiler of this machine.
    let is_won_with_fewer_points = |seed: &u32| {
        let document = place.arena(&format!("{knockout} --seed {seed} -q -o json")).expect_code(0).json();
        let points = |row: &Value| row["points"].as_f64().expect("a number");
        let rows = document["standings"].as_array().expect("a list");
        rows.iter().any(|row| points(row) > points(&rows[0]))
    };
    let seed = (1..=20).find(is_won_with_fewer_points).expect("some bot goes out with more points");
    check(&place, &format!("{knockout} --seed {seed}"));
}

#[test]
fn a_season_in_which_some_have_met_stronger_bots_than_others_has_one_order() {
    let place = place();
    place.arena("run hunter.wasm random.wasm sweeper.wasm --journal a.db --games 40 --seed 1").expect_code(0);
    check(&place, "run hunter.wasm posterior.wasm density.wasm --games 4 --seed 2");
}
