//! Games that draw themselves: their pictures on all screens, and a person's action as text.

use crate::common::person_game::PersonGame;
use crate::common::pile::{Pile, rules, rules_of};
use crate::common::players::{Sweeper, header};
use crate::common::{self, LARGE, SMALL, WALL, picture, playing, press};
use crate::dashboard::{look, model};
use arena_pictures::{Timeline, frames};
use arena_record::Transcript;
use arena_referee::{Event, RandomPlayer};
use arena_rules::loaded::Loaded;
use arena_rules::{GameRules, Listed, Outcome, Seat};
use arena_tui::{
    DashboardScreen, DashboardState, Ended, GameScreen, KeyEffect, Screen, WallScreen, headless,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A game between two random players.
pub fn random(rules: &GameRules) -> Transcript<Loaded> {
    let header = header(rules, ["left", "right"]);
    let of_game = Loaded::rules(rules).unwrap();
    let mut events = Vec::new();
    let [mut one, mut two] = [1, 2].map(|seed| RandomPlayer::new(of_game, seed));
    common::play::<Loaded>(&header, [&mut one, &mut two], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

fn replay(options: &[(&str, i64)]) -> GameScreen<Loaded> {
    GameScreen::replay(Timeline::of(&random(&rules(options))).unwrap())
}

/// Words that have no meaning in such a game.
const NO_WORDS: [&str; 11] =
    ["ship", "shot", "shoot", "hit", "fleet", "heat", "chance", "board", "sunk", "plac", "mark"];

/// Checks that a picture has none of the [`NO_WORDS`].
fn check_words(picture: &str) {
    for word in NO_WORDS {
        assert!(!picture.to_lowercase().contains(word), "{word} is in:\n{picture}");
    }
}

#[test]
fn a_picture_is_shown_as_it_is_with_the_turns_at_its_right() {
    let mut screen = replay(&[]);
    insta::assert_snapshot!("loaded_beginning_small", picture(&screen, SMALL));
    press(&mut screen, "<right><right><right>");
    insta::assert_snapshot!("loaded_small", picture(&screen, SMALL));
    insta::assert_snapshot!("loaded_smallest", picture(&screen, (60, 20)));
    press(&mut screen, "<end>");
    insta::assert_snapshot!("loaded_end_large", picture(&screen, LARGE));
}

#[test]
fn turns_of_a_side_that_moves_again_have_rows_in_the_order_of_play() {
    let mut screen = replay(&[("pile", 30), ("again", 1)]);
    press(&mut screen, "<end>");
    insta::assert_snapshot!("loaded_again_large", picture(&screen, LARGE));
}

#[test]
fn no_text_of_a_screen_is_about_ships() {
    for size in [(60, 20), SMALL, LARGE, WALL] {
        let mut screen = common::saving(replay(&[("hidden", 1)]));
        for keys in ["<right>", "<right>", "hm", "?", "<esc>", "b", "l", "<end>", "n"] {
            press(&mut screen, keys);
            check_words(&picture(&screen, size));
        }
        let (mut wall, shared) = (WallScreen::new(vec![replay(&[]), replay(&[])], 2), busy());
        for keys in ["<right>", "?"] {
            press(&mut wall, keys);
            check_words(&picture(&wall, size));
        }
        let mut dashboard = DashboardScreen::new(Arc::clone(&shared));
        look(&mut dashboard);
        for keys in ["<right>", "<enter>", "<esc>", "v", "c", "?"] {
            press(&mut dashboard, keys);
            check_words(&picture(&dashboard, size));
        }
        let mut table = PersonGame::<Loaded>::of(&rules(&[]), Seat::First);
        for keys in ["?", "<esc>", "x<enter>", "<esc>", "<down><enter>"] {
            table.press(keys);
            check_words(&picture(&table.screen, size));
        }
    }
}

#[test]
fn a_side_sees_its_own_secret_and_no_action_that_may_be_hidden_from_it() {
    let mut screen = replay(&[("hidden", 1)]);
    press(&mut screen, "<right><right>");
    let seen = |screen: &GameScreen<Loaded>| picture(screen, SMALL);
    let all = seen(&screen);
    assert!(
        all.contains("seat 1: 3") && all.contains("seat 2: 0") && all.contains("right plays take("),
        "{all}"
    );
    press(&mut screen, "b");
    let one = seen(&screen);
    assert!(one.contains("seat 1: 3") && one.contains("seat 2: ?"), "{one}");
    assert!(one.contains("turn 1: right takes its turn") && one.contains("a turn"), "{one}");
    press(&mut screen, "b");
    let two = seen(&screen);
    assert!(
        two.contains("seat 1: ?") && two.contains("seat 2: 0") && two.contains("right plays take("),
        "{two}"
    );
    insta::assert_snapshot!("loaded_as_seat_2_sees_it_small", two);
}

#[test]
fn where_all_pictures_are_the_same_a_side_sees_all_actions() {
    let mut screen = replay(&[]);
    press(&mut screen, "<right><right>b");
    let one = picture(&screen, SMALL);
    assert!(one.contains("as 1 left sees it") && one.contains("right plays take("), "{one}");
}

#[test]
fn a_picture_that_does_not_fit_is_scrolled() {
    let mut screen = replay(&[("rows", 60), ("columns", 150)]);
    press(&mut screen, "<right>");
    insta::assert_snapshot!("loaded_scrolled_small", picture(&screen, SMALL));
    press(&mut screen, "<down>>");
    let part = |screen: &GameScreen<Loaded>| {
        let seen = picture(screen, SMALL);
        seen.lines().find(|line| line.contains(" of ")).unwrap().trim().to_owned()
    };
    assert_eq!(part(&screen), "rows 5–20 of 62, columns 21–99 of 150");
    press(&mut screen, "<pgdn>>>>>>>>");
    assert_eq!(part(&screen), "rows 47–62 of 62, columns 72–150 of 150");
    press(&mut screen, "<up>");
    assert_eq!(part(&screen), "rows 43–58 of 62, columns 72–150 of 150", "no key is lost at the end");
    press(&mut screen, "f");
    assert_eq!(part(&screen), "rows 1–16 of 62, columns 1–79 of 150");
    // On a wall it fits.
    assert!(!picture(&screen, (200, 80)).contains(" of 62"), "{}", picture(&screen, (200, 80)));
}

#[test]
fn a_picture_is_asked_for_once_a_position() {
    let code = Pile::default();
    let game = random(&rules_of(code.clone(), &[("hidden", 1)]));
    let mut screen = GameScreen::replay(Timeline::of(&game).unwrap());
    press(&mut screen, "<right>");
    let before = code.pictures.load(Ordering::Relaxed);
    for _ in 0..10 {
        picture(&screen, SMALL);
        press(&mut screen, "l");
    }
    assert_eq!(code.pictures.load(Ordering::Relaxed), before + 1);
}

#[test]
fn a_picture_that_fails_is_a_line_of_text_and_the_game_goes_on() {
    let mut screen = replay(&[("fails", 1)]);
    press(&mut screen, "<right><right>");
    let seen = picture(&screen, LARGE);
    assert!(seen.contains("The game draws no picture: `picture` trapped in the code"), "{seen}");
    press(&mut screen, "<right>");
    assert!(picture(&screen, LARGE).contains("taken: "), "{}", picture(&screen, LARGE));
}

#[test]
fn a_game_whose_pictures_all_fail_is_not_asked_for_many() {
    let code = Pile::default();
    let game = random(&rules_of(code.clone(), &[("fails", 2), ("pile", 100)]));
    let blocks: Vec<String> = headless(Timeline::of(&game).unwrap()).collect();
    assert!(blocks.len() > 30 && blocks[1].contains("draws no picture: `picture` trapped"), "{}", blocks[1]);
    assert!(blocks[20].contains("The game draws no picture, and has failed"), "{}", blocks[20]);
    assert_eq!(code.pictures.load(Ordering::Relaxed), 3);
}

#[test]
fn a_game_as_plain_text_has_its_picture_after_each_turn() {
    let blocks: Vec<String> = headless(Timeline::of(&random(&rules(&[("hidden", 1)]))).unwrap()).collect();
    insta::assert_snapshot!("loaded_headless", blocks.join("\n\n"));
}

#[test]
fn the_positions_for_pages_have_three_pictures_and_no_boards() {
    let game = random(&rules(&[("hidden", 1)]));
    let frames: Vec<_> = frames(&game, [None, None]).unwrap().collect();
    assert_eq!(frames.len(), game.events.len() + 1);
    for frame in &frames {
        let [all, one, two] = frame.pictures.clone();
        assert!(all.contains("seat 1: 3") && all.contains("seat 2: 0"), "{all}");
        assert!(one.contains("seat 1: 3") && one.contains("seat 2: ?"), "{one}");
        assert!(two.contains("seat 1: ?") && two.contains("seat 2: 0"), "{two}");
        assert!(frame.boards.iter().all(|board| board.cells.is_empty()));
    }
    assert_eq!(frames[1].text_of[1], "turn 1: left takes its turn");
    assert_eq!(frames.last().unwrap().pictures, frames[frames.len() - 2].pictures);
}

/// A tournament with two games that are played and one that was.
fn busy() -> Arc<DashboardState<Loaded>> {
    let shared = DashboardState::new(arena_tui::Model { faults: Default::default(), ..model() });
    let game = random(&rules(&[("hidden", 1)]));
    drop(playing(&shared, 1, &game, usize::MAX));
    for (number, events) in [(2, 2), (3, 4)] {
        // It stays: a slot that is dropped ends its game.
        std::mem::forget(playing(&shared, number, &game, events));
    }
    shared
}

#[test]
fn a_dashboard_shows_the_pictures_of_running_games_and_the_showcase() {
    let mut screen = DashboardScreen::new(busy());
    look(&mut screen);
    insta::assert_snapshot!("loaded_dashboard_small", picture(&screen, SMALL));
    insta::assert_snapshot!("loaded_dashboard_large", picture(&screen, LARGE));
    insta::assert_snapshot!("loaded_dashboard_wall", picture(&screen, WALL));
    press(&mut screen, "<enter>");
    insta::assert_snapshot!("loaded_dashboard_game_small", picture(&screen, SMALL));
    press(&mut screen, "<esc>v");
    screen.tick(Duration::from_secs(1));
    insta::assert_snapshot!("loaded_showcase_small", picture(&screen, SMALL));
}

#[test]
fn a_running_game_goes_on_with_its_new_events_and_begins_again_without_the_old_ones() {
    let shared = DashboardState::<Loaded>::new(model());
    let mut screen = DashboardScreen::new(Arc::clone(&shared));
    let game = random(&rules(&[]));
    let slot = shared.slot();
    slot.begin(1, &game.header);
    let mut taken = |slot: &arena_tui::Slot<Loaded>, events: std::ops::Range<usize>| {
        game.events[events].iter().for_each(|event| slot.event(event));
        look(&mut screen);
        let seen = picture(&screen, SMALL);
        let line = seen.lines().find(|line| line.contains("taken:")).unwrap();
        let numbers = line.trim_start().strip_prefix("taken:").unwrap();
        numbers.chars().skip(1).collect::<String>().split("  ").next().unwrap().split_whitespace().count()
    };
    assert_eq!(taken(&slot, 0..1), 1);
    assert_eq!(taken(&slot, 1..3), 3);
    slot.begin(1, &game.header);
    assert_eq!(taken(&slot, 0..0), 0);
    assert_eq!(taken(&slot, 0..2), 2);
}

#[test]
fn several_games_are_side_by_side() {
    let mut wall = WallScreen::new(vec![replay(&[]), replay(&[("hidden", 1)])], 2);
    press(&mut wall, "<right><right>");
    insta::assert_snapshot!("loaded_two_games_large", picture(&wall, LARGE));
}

#[test]
fn a_person_chooses_or_types_an_action_and_no_other_is_sent() {
    let mut table = PersonGame::<Loaded>::of(&rules(&[("hidden", 1), ("pile", 9)]), Seat::First);
    insta::assert_snapshot!("loaded_play_small", picture(&table.screen, SMALL));
    for (keys, expected) in [
        ("<enter>", "type an action, or choose one with the arrows"),
        ("take(4)<enter>", "not a legal action: take one to three"),
        ("<esc>sink them<enter>", "type variant { take(u8) }"),
        ("<down>", "no legal action has that in it"),
        ("<esc>take(13)<enter>", "the game fails with it: `apply-action` trapped"),
    ] {
        table.press(keys);
        assert_eq!(table.hint(), expected);
        if keys.contains("sink") {
            insta::assert_snapshot!("loaded_play_no_action_small", picture(&table.screen, SMALL));
        }
    }
    table.press("<esc><down><down>");
    insta::assert_snapshot!("loaded_play_chosen_small", picture(&table.screen, SMALL));
    // From the last one back to the first, and one typed over.
    table.press("<enter>");
    table.press("3<tab>");
    assert!(
        picture(&table.screen, LARGE).contains("legal actions 1 of 3"),
        "{}",
        picture(&table.screen, LARGE)
    );
    table.press("<enter>");
    let events = table.screen.game().timeline().events_until(usize::MAX).to_vec();
    let mine = events.iter().filter_map(|event| match event {
        Event::Acted { seat: Seat::First, action, attempts, .. } => {
            Some((action.as_str(), attempts.is_none()))
        }
        _ => None,
    });
    assert_eq!(mine.collect::<Vec<_>>(), [("take(2)", true), ("take(3)", true)]);
    let seen = picture(&table.screen, LARGE);
    assert!(seen.contains("seat 1: 3") && seen.contains("seat 2: ?"), "{seen}");
    // Both have taken seven.
    table.press("take(3)<enter>");
    assert_eq!(table.hint(), "not a legal action: there are only 2 left");
}

#[test]
fn a_person_sees_all_at_the_end() {
    let mut table = PersonGame::<Loaded>::of(&rules(&[("hidden", 1), ("pile", 2)]), Seat::First);
    table.press("take(2)<enter>");
    let seen = picture(&table.screen, LARGE);
    assert!(seen.contains("seat 2: 0") && seen.contains("person won"), "{seen}");
    assert_eq!(table.leave().unwrap().0, Outcome::Win(Seat::First));
}

#[test]
fn a_game_that_lists_no_actions_is_played_by_typing_them() {
    let mut table = PersonGame::<Loaded>::of(&rules(&[("lists", 0)]), Seat::Second);
    assert_eq!(table.hint(), "type an action, as the game writes it");
    assert!(!picture(&table.screen, LARGE).contains("legal actions"));
    table.press("<down>");
    assert_eq!(table.hint(), "the game does not list its legal actions: type one");
    table.press("take(1)<enter>");
    assert_eq!(table.screen.game().timeline().len(), 3, "the bot has answered");
    assert_eq!(table.press("<esc>q"), KeyEffect::End(Ended::Quit));
}

#[test]
fn of_a_long_line_the_end_is_shown() {
    let mut table = PersonGame::<Loaded>::of(&rules(&[]), Seat::First);
    table.press(&format!("{}end", "x".repeat(300)));
    let seen = picture(&table.screen, SMALL);
    assert!(seen.lines().any(|line| line.starts_with(" > …xx") && line.ends_with("xend_")), "{seen}");
}

/// The players of the tests play it, too.
#[test]
fn a_sweeper_takes_one() {
    let header = header(&rules(&[]), ["left", "right"]);
    let mut events = 0;
    common::play::<Loaded>(&header, [&mut Sweeper, &mut Sweeper], &mut |_| events += 1).unwrap();
    assert_eq!(events, 11);
}
