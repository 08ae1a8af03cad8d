//! The dashboard of a tournament that is being played.

use crate::common::{LARGE, PLAIN, SMALL, WALL, buffer, picture, playing, press, sweepers, transcript};
use arena_league::Row;
use arena_referee::FaultClass;
use arena_rules::battleship::{Battleship, FLEET_SUNK, Ruleset};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Outcome, Seat, Size};
use arena_tui::{
    DashboardScreen, DashboardState, FAULTS_KEPT_MAX, FaultNotice, GameLine, KeyEffect, Model, OnScreen,
    RefusedBot, Screen, Slot, StandingsLine,
};
use ratatui::style::Modifier;
use std::sync::Arc;
use std::time::Duration;

pub fn standing(label: &str, [wins, draws, losses, faults]: [u32; 4]) -> StandingsLine {
    let games = wins + draws + losses;
    let score = Row { games, wins, draws, losses, faults, ..Row::default() };
    // Stronger the larger the share of its points is.
    let strength_tenths = (games > 0).then(|| i64::from(score.half_points() * 1_000 / games));
    StandingsLine { label: label.into(), score, strength_tenths, ..StandingsLine::default() }
}

/// A tournament in its middle.
pub fn model() -> Model {
    let mut model = Model {
        title: "guide  10×10  seed 1".into(),
        games_done: 1_234,
        games_planned: 4_000,
        games_per_second: Some(85.4),
        time_left: Some(Duration::from_secs(33)),
        standings: vec![
            standing("hunter", [400, 3, 9, 0]),
            standing("数独", [310, 0, 101, 0]),
            standing("a-bot-with-a-very-long-label-indeed", [120, 1, 290, 3]),
            standing("panics", [0, 0, 411, 411]),
            standing("newcomer", [0, 0, 0, 0]),
        ],
        refused: vec![RefusedBot { label: "imports-http".into(), why: "it imports wasi:http".into() }],
        ..Model::default()
    };
    for game in 1..=3 {
        model.fault(fault(game, "panics", game as u32 - 1, FaultClass::Trap, "panicked: no spot left"));
    }
    model
}

/// Adds games that the bot at seat 1 has won, numbered from 1, to the list.
pub fn list_wins(shared: &DashboardState<Battleship>, labels: [&str; 2], count: u64) {
    for number in 1..=count {
        let (outcome, labels) = (Outcome::Win(Seat::First), labels.map(Into::into));
        shared.add_game(GameLine { number, labels, outcome, reason: FLEET_SUNK, turns: 60, faults: [0, 0] });
    }
}

fn fault(game: u64, label: &str, turn: u32, class: FaultClass, detail: &str) -> FaultNotice {
    FaultNotice { game, label: label.into(), turn, class, detail: detail.into() }
}

/// A tournament in its middle, without games.
pub fn shared() -> Arc<DashboardState<Battleship>> {
    DashboardState::new(model())
}

/// The slots of three workers at their games.
pub fn slots(shared: &Arc<DashboardState<Battleship>>) -> Vec<Slot<Battleship>> {
    slots_of(shared, [("guide", 70), ("pirates", 50), ("classic", 3)])
}

/// The slots of workers at these recorded games, after a number of events each.
pub fn slots_of<'a>(
    shared: &Arc<DashboardState<Battleship>>,
    games: impl IntoIterator<Item = (&'a str, usize)>,
) -> Vec<Slot<Battleship>> {
    let games = (1_235..).zip(games);
    games.map(|(number, (name, events))| playing(shared, number, &transcript(name), events)).collect()
}

/// Looks again.
pub fn look<G: OnScreen>(screen: &mut DashboardScreen<G>) -> bool {
    screen.tick(Duration::from_millis(100))
}

#[test]
fn a_tournament_in_its_middle() {
    let shared = shared();
    let _slots = slots(&shared);
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    insta::assert_snapshot!("dashboard_small", picture(&screen, SMALL));
    insta::assert_snapshot!("dashboard_large", picture(&screen, LARGE));
    insta::assert_snapshot!("dashboard_wall", picture(&screen, WALL));
    insta::assert_snapshot!("dashboard_smallest", picture(&screen, (60, 20)));
    press(&mut screen, "?");
    insta::assert_snapshot!("dashboard_help_small", picture(&screen, SMALL));
}

#[test]
fn the_speed_gives_way_to_the_rules_in_the_title() {
    let title = "rules `guide`, seed 1".into();
    let shared = DashboardState::<Battleship>::new(Model { title, games_planned: 12_000, ..model() });
    let screen = DashboardScreen::new(shared);
    let title = |size| picture(&screen, size).lines().next().unwrap().to_owned();
    let smallest = title((60, 20));
    assert_eq!(smallest, " rules `guide`, seed 1     1,234 of 12,000 games, 33 s left");
    assert!(title(SMALL).ends_with(" 1,234 of 12,000 games, 85 a second, 33 s left"), "{}", title(SMALL));
}

#[test]
fn a_disqualified_bot_is_out_instead_of_having_a_place() {
    let shared = shared();
    shared.update(|model| {
        model.standings.swap(3, 4);
        model.standings[4].is_out = true;
    });
    let screen = DashboardScreen::new(shared);
    let picture = picture(&screen, LARGE);
    let line = |label: &str| picture.lines().find(|line| line.contains(label)).unwrap().to_owned();
    assert!(line("panics  ").contains(" out panics"), "{picture}");
    assert!(line("newcomer").contains(" 4 newcomer"), "{picture}");
}

#[test]
fn a_game_is_selected_and_shown_large() {
    let shared = shared();
    let _slots = slots(&shared);
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    press(&mut screen, "<right><enter>");
    insta::assert_snapshot!("dashboard_game_small", picture(&screen, SMALL));
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed, "the first one goes back to all games");
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Nothing, "it never quits");
}

#[test]
fn boards_that_do_not_fit_are_left_out_and_bars_stay() {
    let rules = Ruleset::guide().with_size(Size::new(32, 32));
    let game = sweepers::<Battleship>(&GameRules::Battleship(rules), ["left", "right"]);
    let shared = shared();
    let _slots = [playing(&shared, 7, &game, 900), playing(&shared, 8, &transcript("guide"), 20)];
    let screen = DashboardScreen::new(Arc::clone(&shared));
    insta::assert_snapshot!("dashboard_of_large_boards_small", picture(&screen, SMALL));
}

#[test]
fn a_tournament_of_submarine() {
    let shared = DashboardState::new(model());
    let _slot = playing(&shared, 8, &transcript::<Submarine>("submarine"), 20);
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    insta::assert_snapshot!("dashboard_of_submarine_small", picture(&screen, SMALL));
    press(&mut screen, "<enter>");
    insta::assert_snapshot!("dashboard_submarine_game_small", picture(&screen, SMALL));
}

#[test]
fn it_looks_at_most_ten_times_a_second_and_only_at_what_has_changed() {
    let shared = shared();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    assert!(!look(&mut screen), "nothing has changed");
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    shared.update(|model| model.games_done += 1);
    assert!(!screen.tick(Duration::from_millis(99)));
    assert_eq!(screen.wait(), Some(Duration::from_millis(1)));
    assert!(screen.tick(Duration::from_millis(1)));
    assert!(picture(&screen, SMALL).contains("1,235 of 4,000 games"));
    assert!(!screen.tick(Duration::from_secs(5)), "nothing has changed since");
    assert_eq!(screen.wait(), Some(Duration::from_millis(100)), "and it does not look all the time");
}

#[test]
fn a_game_is_seen_from_its_beginning_to_its_end() {
    let shared = DashboardState::<Battleship>::new(Model::default());
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    let slot = shared.slot();
    let game = transcript::<Battleship>("guide");
    slot.begin(1, &game.header);
    assert!(look(&mut screen));
    assert!(picture(&screen, SMALL).contains("1 hunter v sweeper"));
    slot.event(&game.events[0]);
    assert!(look(&mut screen));
    assert!(picture(&screen, SMALL).contains('■'));
    slot.end();
    assert!(look(&mut screen));
    assert!(picture(&screen, SMALL).contains("no game is being played"));
    slot.begin(2, &game.header);
    drop(slot);
    assert!(look(&mut screen));
    assert!(picture(&screen, SMALL).contains("playing 0"), "a worker that is gone plays nothing");
}

#[test]
fn a_game_that_follows_another_is_shown_in_the_same_place() {
    let shared = shared();
    let game = transcript::<Battleship>("guide");
    let [left, right] = [1, 2].map(|number| playing(&shared, number, &game, 0));
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    let games = |screen: &DashboardScreen<Battleship>| {
        let seen = picture(screen, SMALL);
        let heads: Vec<String> =
            seen.lines().filter(|line| line.contains(" v ")).map(|line| line.trim().into()).collect();
        assert!(!heads.is_empty(), "{seen}");
        heads.concat().split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()
    };
    assert_eq!(games(&screen), [1, 2]);
    drop(left);
    let next = playing(&shared, 3, &game, 0);
    assert!(look(&mut screen));
    assert_eq!(games(&screen), [3, 2]);
    drop(right);
    drop(next);
    assert!(look(&mut screen));
    assert!(picture(&screen, SMALL).contains("playing 0"));
}

#[test]
fn the_standings_are_scrolled_if_they_do_not_fit() {
    let standings = (1..=40).map(|bot| standing(&format!("bot-{bot}"), [1, 0, 0, 0])).collect();
    let shared = DashboardState::<Battleship>::new(Model { standings, ..model() });
    let mut screen = DashboardScreen::new(shared);
    let first = |screen: &DashboardScreen<Battleship>| {
        picture(screen, SMALL).lines().nth(4).unwrap()[..12].trim().to_owned()
    };
    assert_eq!(first(&screen), "1 bot-1");
    assert!(picture(&screen, SMALL).contains("31 more ↓"), "{}", picture(&screen, SMALL));
    let smallest = picture(&screen, (60, 20));
    let head = smallest.lines().nth(3).unwrap();
    assert!(head.contains("more ↓") && head.contains("lost  faults"), "no head is hidden: {smallest}");
    press(&mut screen, "<down><down>");
    assert_eq!(first(&screen), "3 bot-3");
    press(&mut screen, "<end>");
    assert_eq!(first(&screen), "32 bot-32");
    assert!(!picture(&screen, SMALL).contains("more ↓"));
    press(&mut screen, "<home>");
    assert_eq!(first(&screen), "1 bot-1");
}

#[test]
fn only_the_newest_faults_are_kept() {
    let mut model = Model::default();
    for game in 0..1_000 {
        model.fault(fault(game, "bot", 1, FaultClass::Trap, ""));
    }
    assert_eq!(model.faults.len(), 1, "they are equal");
    assert_eq!((model.faults[0].newest.game, model.faults[0].count), (999, 1_000));
    for game in 0..1_000 {
        model.fault(fault(game, "bot", 1, FaultClass::Trap, &format!("fault {game}")));
    }
    assert_eq!(model.faults.len(), FAULTS_KEPT_MAX);
    assert_eq!(model.faults[0].newest.detail, "fault 999");
}

#[test]
fn equal_faults_are_one_line_with_their_number_and_the_newest_is_first() {
    let shared = shared();
    shared.update(|model| {
        model.fault(fault(9, "newcomer", 2, FaultClass::OutOfFuel, "out of fuel"));
    });
    let seen = picture(&DashboardScreen::new(shared), WALL);
    let place = |words: &str| seen.lines().position(|line| line.contains(words)).expect(words);
    assert!(
        place("newcomer out-of-fuel game 9, turn 2: out of fuel") < place("panics 3× trap game 3, turn 2")
    );
}

#[test]
fn a_long_fault_continues_in_the_next_row_as_long_as_each_fault_has_one() {
    let shared = shared();
    let faults = |screen: &DashboardScreen<Battleship>| {
        let seen = picture(screen, SMALL);
        let rows = seen.lines().skip_while(|line| !line.ends_with("faults") || line.contains("bot"));
        rows.skip(1)
            .take(11)
            .map(|line| line.chars().skip(50).collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    };
    let screen = DashboardScreen::new(Arc::clone(&shared));
    insta::assert_snapshot!("faults_in_rows_small", faults(&screen));
    shared.update(|model| {
        for number in 0..20 {
            let label = format!("bot-{number}");
            model.fault(fault(number, &label, 2, FaultClass::OutOfFuel, "a fault of its own"));
        }
    });
    let seen = faults(&DashboardScreen::new(shared));
    assert!(seen.lines().all(|line| !line.starts_with("  ")), "{seen}");
}

/// A tournament with ratings, in which games end while the dashboard is shown.
pub fn busy() -> (Arc<DashboardState<Battleship>>, DashboardScreen<Battleship>) {
    let shared = shared();
    shared.update(|model| {
        let elos = ["620 (+410 -180)", "120 ± 35", "0", "> 450"];
        for (standing, elo) in model.standings.iter_mut().zip(elos) {
            standing.elo = Some(elo.into());
        }
    });
    let screen = DashboardScreen::new(Arc::clone(&shared));
    (shared, screen)
}

#[test]
fn a_bot_that_climbs_or_falls_is_marked_for_a_while() {
    let (shared, mut screen) = busy();
    look(&mut screen);
    shared.update(|model| model.standings.swap(0, 1));
    look(&mut screen);
    // The first look has nothing to compare with.
    shared.update(|model| model.standings.swap(0, 1));
    look(&mut screen);
    let seen = picture(&screen, LARGE);
    assert!(seen.contains("1▲hunter") && seen.contains("2▼数独"), "{seen}");
    screen.tick(Duration::from_secs(5));
    let seen = picture(&screen, LARGE);
    assert!(!seen.contains('▲') && !seen.contains('▼'), "{seen}");
}

#[test]
fn without_colours_the_selected_game_still_stands_out() {
    let shared = shared();
    let _slots = slots(&shared);
    let screen = DashboardScreen::new(Arc::clone(&shared));
    assert_eq!(reversed(&screen), "1235 hunter v sweeper");
    let buffer = buffer(&screen, PLAIN, SMALL);
    assert!(buffer.content.iter().all(|cell| cell.fg == ratatui::style::Color::Reset));
}

/// The text in reverse video on a screen without colours.
fn reversed(screen: &DashboardScreen<Battleship>) -> String {
    let buffer = buffer(screen, PLAIN, SMALL);
    let cells = buffer.content.iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED));
    cells.map(|cell| cell.symbol()).collect()
}

#[test]
fn the_selected_game_is_among_those_that_are_shown() {
    let shared = shared();
    let _slots = slots_of(&shared, [("guide", 20); 7]);
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    // There is room for two.
    for number in 1_235..1_242 {
        let selected = reversed(&screen);
        assert!(selected.starts_with(&format!("{number} ")), "{number}: {selected}");
        press(&mut screen, "<right>");
    }
}
