//! The dashboard of a tournament.

use crate::common::{LARGE, PLAIN, SMALL, WALL, buffer, picture, press, sweepers, transcript};
use arena_league::Row;
use arena_referee::FaultClass;
use arena_rules::battleship::{Battleship, FLEET_SUNK, Ruleset};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Outcome, Reason, Seat, Size};
use arena_tui::{
    DashboardScreen, DashboardState, Ended, FAULTS_KEPT_MAX, FaultNotice, GameLine, KeyEffect, Model,
    OnScreen, RefusedBot, Screen, Slot, Standing, WorkersColumn, WorkersState, WorkersTable,
};
use std::sync::Arc;
use std::time::Duration;

pub fn standing(label: &str, [wins, draws, losses, faults]: [u32; 4]) -> Standing {
    let games = wins + draws + losses;
    let score = Row { games, wins, draws, losses, faults, ..Row::default() };
    Standing { label: label.into(), score, ..Standing::default() }
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
        model.fault(FaultNotice {
            game,
            label: "panics".into(),
            turn: game as u32 - 1,
            class: FaultClass::Trap,
            detail: "panicked: no spot left".into(),
        });
    }
    model
}

/// A tournament in its middle, without games.
fn shared() -> Arc<DashboardState<Battleship>> {
    DashboardState::new(model())
}

/// The slots of three workers at their games.
fn slots(shared: &Arc<DashboardState<Battleship>>) -> Vec<Slot<Battleship>> {
    slots_of(shared, [("guide", 70), ("pirates", 50), ("classic", 3)])
}

/// The slots of workers at these recorded games, after a number of events each.
pub fn slots_of<'a>(
    shared: &Arc<DashboardState<Battleship>>,
    games: impl IntoIterator<Item = (&'a str, usize)>,
) -> Vec<Slot<Battleship>> {
    let slot = |(number, (name, events)): (u64, (&str, usize))| {
        let game = transcript(name);
        let slot = shared.slot();
        slot.begin(number, &game.header);
        game.events.iter().take(events).for_each(|event| slot.event(event));
        slot
    };
    (1_235..).zip(games).map(slot).collect()
}

/// Looks again.
fn look<G: OnScreen>(screen: &mut DashboardScreen<G>) -> bool {
    screen.tick(Duration::from_millis(100))
}

#[test]
fn workers_on_other_machines_have_a_line_unless_there_is_a_note() {
    let state = "2 workers with 8 jobs, 500 games a second, 1200 in flight";
    let shared = shared();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    shared.update(|model| {
        model.workers = Some(WorkersState { line: state.into(), ..WorkersState::default() });
    });
    look(&mut screen);
    assert!(picture(&screen, SMALL).contains(state), "{}", picture(&screen, SMALL));
    shared.update(|model| model.note = Some("the games in flight are being finished".into()));
    look(&mut screen);
    assert!(!picture(&screen, SMALL).contains(state));
}

/// Workers as `arena run` shows them: names of columns, true for words, and the order in which they are left out.
const WORKERS_COLUMNS: [(&str, bool, u8); 16] = [
    ("worker", true, 0),
    ("owner", true, 15),
    ("machine", true, 4),
    ("arena", true, 10),
    ("jobs", false, 5),
    ("games", false, 13),
    ("share", false, 6),
    ("games/s", false, 1),
    ("batch s", false, 14),
    ("heard", false, 7),
    ("same", false, 9),
    ("other", false, 3),
    ("failed", false, 8),
    ("late", false, 12),
    ("residual", true, 2),
    ("state", true, 11),
];

/// A table of workers, of which there are very many.
fn workers_table() -> WorkersTable {
    let columns = WORKERS_COLUMNS.map(|(name, is_text, rank)| WorkersColumn { name, is_text, rank }).to_vec();
    let row = |number: usize| {
        let name = if number == 0 { "an-old-laptop-in-the-attic".into() } else { format!("node-{number}") };
        let (residual, state) = match number {
            1 => ("+6.2 hunter", "refused: its game 17 is another one when it is played again"),
            2 => ("-", "plays"),
            _ => ("-0.7 random", "plays"),
        };
        let owner = if number == 3 { "数独" } else { "alice" };
        let machine = format!("rack-{}.example.org", number / 8);
        [
            name.as_str(),
            owner,
            &machine,
            "0.1.0",
            "8",
            "12345",
            "4%",
            "812.5",
            "0.5",
            "0.3",
            "124",
            "0",
            "1",
            "2",
            residual,
            state,
        ]
        .map(str::to_owned)
        .to_vec()
    };
    let sum = "40 workers with 320 jobs, 32500 games a second".into();
    WorkersTable { columns, rows: (0..40).map(row).collect(), sum }
}

#[test]
fn each_worker_has_a_row_on_a_page_of_its_own_and_columns_give_way_where_there_is_no_room() {
    let shared = shared();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    assert_eq!(press(&mut screen, "w"), KeyEffect::Nothing, "there are no workers");
    assert!(!picture(&screen, SMALL).contains("w workers"));
    let line = "40 workers with 320 jobs, 32500 games a second, 120 in flight";
    shared.update(|model| {
        model.workers = Some(WorkersState { line: line.into(), table: workers_table() });
    });
    look(&mut screen);
    assert!(picture(&screen, SMALL).contains("w workers"), "{}", picture(&screen, SMALL));
    press(&mut screen, "?");
    assert!(picture(&screen, SMALL).contains("the workers on other machines"), "{}", picture(&screen, SMALL));
    press(&mut screen, "<esc>w");
    insta::assert_snapshot!("dashboard_workers_small", picture(&screen, SMALL));
    insta::assert_snapshot!("dashboard_workers_large", picture(&screen, LARGE));
    insta::assert_snapshot!("dashboard_workers_smallest", picture(&screen, (60, 20)));
    press(&mut screen, "<end>");
    let seen = picture(&screen, SMALL);
    assert!(seen.contains("node-39") && !seen.contains("more ↓"), "{seen}");
    press(&mut screen, "<home><down>");
    assert!(!picture(&screen, SMALL).contains("an-old-l"));
    assert_eq!(press(&mut screen, "w"), KeyEffect::Changed, "back to the dashboard");
    assert!(picture(&screen, SMALL).contains("playing 0"));
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

/// A tournament of 40 games: `hunter` wins all but game 12, and `panics` faults in each third game.
fn shared_with_games() -> Arc<DashboardState<Battleship>> {
    let shared = shared();
    for number in 1..=40 {
        let other = ["数独", "a-bot-with-a-very-long-label-indeed", "panics"][number % 3];
        let labels = if number % 2 == 1 { ["hunter", other] } else { [other, "hunter"] };
        let hunter = if number % 2 == 1 { Seat::First } else { Seat::Second };
        let has_fault = other == "panics";
        shared.add_game(GameLine {
            number: number as u64,
            labels: labels.map(Into::into),
            outcome: Outcome::Win(if number == 12 { hunter.other() } else { hunter }),
            reason: if has_fault { Reason::Forfeit } else { FLEET_SUNK },
            turns: 20 + number as u32,
            faults: if has_fault && hunter == Seat::First { [0, 1] } else { [u32::from(has_fault), 0] },
        });
    }
    shared
}

/// The line with the number of games that are listed.
fn listed<G: OnScreen>(screen: &DashboardScreen<G>) -> String {
    picture(screen, SMALL).lines().nth(3).unwrap().trim().to_owned()
}

#[test]
fn all_games_so_far_are_listed_and_filtered_by_keys() {
    let shared = shared_with_games();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    press(&mut screen, "g");
    insta::assert_snapshot!("dashboard_games_small", picture(&screen, SMALL));
    insta::assert_snapshot!("dashboard_games_large", picture(&screen, LARGE));
    insta::assert_snapshot!("dashboard_games_smallest", picture(&screen, (60, 20)));
    for (keys, expected) in [
        ("f", "13 games with faults"),
        ("u", "1 upset by the points so far, the most surprising first"),
        ("a", "40 games"),
        ("b", "14 games of a-bot-with-a-very-long-…"),
        ("b", "40 games of hunter"),
        ("f", "13 games with faults of hunter"),
        ("a", "40 games"),
    ] {
        press(&mut screen, keys);
        assert_eq!(listed(&screen), expected, "{keys}");
    }
    press(&mut screen, "u");
    insta::assert_snapshot!("dashboard_upsets_small", picture(&screen, SMALL));
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed, "back to the dashboard");
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Nothing, "it never quits");
}

#[test]
fn the_list_grows_as_games_are_played_and_the_cursor_stays() {
    let shared = shared_with_games();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    assert_eq!(press(&mut screen, "g<home><down><down><enter>"), KeyEffect::Open(3));
    shared.add_game(GameLine {
        number: 41,
        labels: ["hunter", "panics"].map(Into::into),
        outcome: Outcome::Draw,
        reason: Reason::TurnsMax,
        turns: 400,
        faults: [0, 0],
    });
    assert!(look(&mut screen));
    assert_eq!(listed(&screen), "41 games");
    assert_eq!(press(&mut screen, "<enter>"), KeyEffect::Open(3));
    assert_eq!(press(&mut screen, "<end><enter>"), KeyEffect::Open(41));
    assert_eq!(press(&mut screen, "<pgup><enter>"), KeyEffect::Open(31));
}

#[test]
fn a_game_of_the_list_is_replayed_and_esc_goes_back_to_the_list() {
    let mut screen = DashboardScreen::new(shared_with_games());
    press(&mut screen, "g");
    screen.opened(7, Err("no game is kept that could be shown".into()));
    assert!(picture(&screen, SMALL).contains("no game is kept that could be shown"));
    assert!(screen.game_screen().is_none());
    screen.opened(7, Ok(transcript("guide")));
    assert!(picture(&screen, SMALL).contains("the game is about to begin"));
    press(&mut screen, "<right><right>");
    assert_eq!(screen.game_screen().unwrap().position(), 2);
    assert_eq!(press(&mut screen, " "), KeyEffect::Changed);
    assert!(screen.wait().is_some() && screen.tick(Duration::from_secs(1)), "it plays");
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed);
    assert_eq!(listed(&screen), "40 games");
    assert_eq!(press(&mut screen, "q"), KeyEffect::Changed);
    assert_eq!(press(&mut screen, "q"), KeyEffect::End(Ended::Quit));
}

#[test]
fn a_list_without_games_says_so() {
    let mut screen = DashboardScreen::new(DashboardState::<Battleship>::new(Model::default()));
    assert_eq!(press(&mut screen, "g<enter>"), KeyEffect::Nothing);
    assert!(picture(&screen, SMALL).contains("there are none so far"));
}

#[test]
fn boards_that_do_not_fit_are_left_out_and_bars_stay() {
    let rules = Ruleset::guide().with_size(Size::new(32, 32));
    let game = sweepers::<Battleship>(&GameRules::Battleship(rules), ["left", "right"]);
    let shared = shared();
    let slot = shared.slot();
    slot.begin(7, &game.header);
    game.events.iter().take(900).for_each(|event| slot.event(event));
    let guide = transcript::<Battleship>("guide");
    let other = shared.slot();
    other.begin(8, &guide.header);
    guide.events.iter().take(20).for_each(|event| other.event(event));
    let screen = DashboardScreen::new(Arc::clone(&shared));
    insta::assert_snapshot!("dashboard_of_large_boards_small", picture(&screen, SMALL));
}

#[test]
fn a_tournament_of_submarine() {
    let shared = DashboardState::new(model());
    let game = transcript::<Submarine>("submarine");
    let slot = shared.slot();
    slot.begin(8, &game.header);
    game.events.iter().take(20).for_each(|event| slot.event(event));
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
    let [left, right] = [1, 2].map(|number| {
        let slot = shared.slot();
        slot.begin(number, &game.header);
        slot
    });
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
    let next = shared.slot();
    next.begin(3, &game.header);
    assert!(look(&mut screen));
    assert_eq!(games(&screen), [3, 2]);
    drop(right);
    drop(next);
    assert!(look(&mut screen));
    assert!(picture(&screen, SMALL).contains("playing 0"));
}

#[test]
fn the_end_of_the_tournament_is_shown_until_the_user_leaves() {
    let shared = shared();
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    shared.update(|model| {
        model.games_done = model.games_planned;
        model.is_over = true;
        model.note = Some("all results are in out.db".into());
    });
    assert!(look(&mut screen));
    insta::assert_snapshot!("dashboard_over_small", picture(&screen, SMALL));
    assert!(!picture(&screen, SMALL).contains("enlarge"), "there is no game to enlarge");
    assert_eq!(screen.wait(), None);
    assert_eq!(press(&mut screen, "q"), KeyEffect::End(Ended::Quit));
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
        let label = "bot".to_owned();
        model.fault(FaultNotice { game, label, turn: 1, class: FaultClass::Trap, detail: String::new() });
    }
    assert_eq!(model.faults.len(), 1, "they are equal");
    assert_eq!((model.faults[0].newest.game, model.faults[0].count), (999, 1_000));
    for game in 0..1_000 {
        let (label, detail) = ("bot".to_owned(), format!("fault {game}"));
        model.fault(FaultNotice { game, label, turn: 1, class: FaultClass::Trap, detail });
    }
    assert_eq!(model.faults.len(), FAULTS_KEPT_MAX);
    assert_eq!(model.faults[0].newest.detail, "fault 999");
}

#[test]
fn equal_faults_are_one_line_with_their_number_and_the_newest_is_first() {
    let shared = shared();
    shared.update(|model| {
        let (label, detail) = ("newcomer".to_owned(), "out of fuel".to_owned());
        model.fault(FaultNotice { game: 9, label, turn: 2, class: FaultClass::OutOfFuel, detail });
    });
    let seen = picture(&DashboardScreen::new(shared), WALL);
    let place = |words: &str| seen.lines().position(|line| line.contains(words)).expect(words);
    assert!(
        place("newcomer out-of-fuel game 9, turn 2: out of fuel") < place("panics 3× trap game 3, turn 2")
    );
}

/// A tournament with ratings, in which games end while the dashboard is shown.
fn busy() -> (Arc<DashboardState<Battleship>>, DashboardScreen<Battleship>) {
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

/// Plays a recorded game to its end, as game `number`.
fn play(shared: &Arc<DashboardState<Battleship>>, number: u64, name: &str) {
    let game = transcript(name);
    let slot = shared.slot();
    slot.begin(number, &game.header);
    game.events.iter().for_each(|event| slot.event(event));
}

#[test]
fn a_showcase_shows_a_game_at_human_speed_while_the_others_go_on() {
    let (shared, mut screen) = busy();
    let _slots = slots(&shared);
    look(&mut screen);
    insta::assert_snapshot!("showcase_waits_wall", picture(&screen, WALL));
    play(&shared, 77, "classic");
    assert!(look(&mut screen), "the game that has ended is shown from its beginning");
    assert!(picture(&screen, LARGE).contains("game 77"), "{}", picture(&screen, LARGE));
    for _ in 0..40 {
        screen.tick(Duration::from_millis(250));
    }
    insta::assert_snapshot!("showcase_large", picture(&screen, LARGE));
    insta::assert_snapshot!("showcase_wall", picture(&screen, WALL));
    press(&mut screen, "v");
    insta::assert_snapshot!("showcase_small", picture(&screen, SMALL));
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed);
    assert!(picture(&screen, SMALL).contains("playing 3"));
}

/// The number of the game that is shown next, by keys that choose it.
fn shown_next(screen: &mut DashboardScreen<Battleship>, keys: &str) -> Option<u64> {
    press(screen, keys);
    screen.tick(Duration::from_millis(100));
    let seen = picture(screen, LARGE);
    let line = seen.lines().skip_while(|line| !line.contains("showcase:")).nth(1)?.trim().to_owned();
    line.strip_prefix("game ")?.split(' ').next()?.parse().ok()
}

#[test]
fn the_showcase_chooses_the_closest_game_an_upset_a_fault_or_a_pairing() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.standings = vec![standing("random", [400, 0, 0, 0]), standing("hunter", [0, 0, 400, 0])];
    });
    // In `guide`, `hunter` beats `sweeper`; in `classic` and `pirates`, `random`, which is an upset here.
    play(&shared, 1, "classic");
    play(&shared, 2, "panic");
    play(&shared, 3, "guide");
    assert_eq!(shown_next(&mut screen, "cc"), Some(2), "the last fault");
    play(&shared, 4, "pirates");
    assert_eq!(shown_next(&mut screen, "cccn"), Some(4), "the newest of equal upsets");
    let slot = shared.slot();
    slot.begin(5, &transcript::<Battleship>("guide").header);
    look(&mut screen);
    assert_eq!(shown_next(&mut screen, "mn"), Some(4), "it waits for a game of the pairing");
    play(&shared, 6, "classic");
    assert_eq!(shown_next(&mut screen, "n"), Some(4));
    play(&shared, 7, "guide");
    assert_eq!(shown_next(&mut screen, "n"), Some(7));
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
fn a_bot_that_has_left_is_marked_and_gets_no_step_of_the_podium() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.standings[1].has_left = true;
        model.games_done = model.games_planned;
        model.is_over = true;
    });
    look(&mut screen);
    insta::assert_snapshot!("podium_without_one_that_left_small", picture(&screen, SMALL));
}

#[test]
fn the_end_has_a_podium() {
    let (shared, mut screen) = busy();
    shared.update(|model| {
        model.games_done = model.games_planned;
        model.is_over = true;
    });
    look(&mut screen);
    insta::assert_snapshot!("podium_small", picture(&screen, SMALL));
    insta::assert_snapshot!("podium_large", picture(&screen, LARGE));
    insta::assert_snapshot!("podium_wall", picture(&screen, WALL));
}

#[test]
fn after_the_end_the_screen_closes_by_itself_if_no_key_is_pressed() {
    let (shared, screen) = busy();
    let mut screen = screen.lingering(Some(Duration::from_secs(10)));
    screen.tick(Duration::from_secs(60));
    assert_eq!(screen.ended(), None, "the tournament goes on");
    shared.update(|model| model.is_over = true);
    look(&mut screen);
    assert!(picture(&screen, SMALL).contains("over, ends in 10 s"), "{}", picture(&screen, SMALL));
    assert!(screen.tick(Duration::from_secs(9)) && screen.ended().is_none());
    press(&mut screen, "<down>");
    screen.tick(Duration::from_secs(9));
    assert_eq!(screen.ended(), None, "somebody is there");
    screen.tick(Duration::from_secs(1));
    assert_eq!(screen.ended(), Some(Ended::Quit));
    let (shared, mut screen) = busy();
    shared.update(|model| model.is_over = true);
    look(&mut screen);
    screen.tick(Duration::from_secs(100_000));
    assert_eq!((screen.ended(), screen.wait()), (None, None), "without a time, it stays");
}

#[test]
fn for_a_projector_standings_and_games_take_turns() {
    let (shared, screen) = busy();
    let mut screen = screen.rotating();
    assert!(shared.wants_game());
    shared.offer(12, transcript("panic"));
    assert!(!shared.wants_game());
    look(&mut screen);
    assert!(shared.wants_game(), "it was taken");
    assert!(!picture(&screen, SMALL).contains("showcase:"));
    screen.tick(Duration::from_secs(12));
    assert!(picture(&screen, SMALL).contains("showcase:"), "{}", picture(&screen, SMALL));
    // The game is shown to its end, and then the standings again.
    let mut ticks = 0;
    while picture(&screen, SMALL).contains("showcase:") {
        screen.tick(Duration::from_secs(1));
        ticks += 1;
        assert!(ticks < 100);
    }
    assert!(ticks > 4, "{ticks}");
}

#[test]
fn without_colours_the_selected_game_still_stands_out() {
    let shared = shared();
    let _slots = slots(&shared);
    let screen = DashboardScreen::new(Arc::clone(&shared));
    let buffer = buffer(&screen, PLAIN, SMALL);
    let reversed =
        buffer.content.iter().filter(|cell| cell.modifier.contains(ratatui::style::Modifier::REVERSED));
    let text: String = reversed.map(|cell| cell.symbol()).collect();
    assert_eq!(text, "1235 hunter v sweeper");
    assert!(buffer.content.iter().all(|cell| cell.fg == ratatui::style::Color::Reset));
}
