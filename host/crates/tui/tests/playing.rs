//! A person who plays against a bot: the real referee on a thread, and keys.

use crate::common::person_game::PersonGame;
use crate::common::players::header;
use crate::common::{self, LARGE, SMALL, WALL, picture, press};
use arena_pictures::Timeline;
use arena_referee::{Event, FaultClass, Stopped};
use arena_rules::battleship::{Action, Battleship, FLEET_SUNK, Ruleset};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Outcome, Reason, Seat, Size};
use arena_tui::{Ended, Gesture, KeyCode, KeyEffect, Mouse, OnScreen, PlayScreen, Screen, feed};
use std::time::Duration;

/// A game by these rules, with the person at a seat.
pub fn sit_down(rules: &GameRules, seat: Seat) -> PersonGame {
    PersonGame::of(rules, seat)
}

/// A game of submarine, with the person at the first seat.
pub fn submarine() -> PersonGame<Submarine> {
    PersonGame::of(&named("submarine"), Seat::First)
}

fn named(rules: &str) -> GameRules {
    GameRules::named(rules).unwrap()
}

/// One ship of one cell on 3 by 2, so that a game is short.
fn tiny() -> Ruleset {
    Ruleset { fleet: vec![1], ..Ruleset::guide() }.with_size(Size::new(3, 2))
}

#[test]
fn a_fleet_is_placed_ship_by_ship_and_illegal_ways_are_explained() {
    let mut table = sit_down(&named("guide"), Seat::First);
    insta::assert_snapshot!("placing_begins_small", table.picture());
    assert_eq!(table.hint(), "ship 1 of 10, 4 long, from a0 to the right: Enter places it");
    table.press("<enter>");
    assert_eq!(table.hint(), "ship 2 of 10, 3 long, from a0 to the right: it lies on ship 1 at a0");
    table.press("<down>r");
    assert_eq!(table.hint(), "ship 2 of 10, 3 long, from a1 downwards: it touches ship 1 at a1");
    table.press("<enter>");
    assert_eq!(table.hint(), "not there: it touches ship 1 at a1");
    table.press("<pgdn>");
    assert_eq!(table.hint(), "ship 2 of 10, 3 long, from a9 downwards: it leaves the board");
    insta::assert_snapshot!("placing_off_the_board_small", table.picture());
    table.press("<up><up><enter><back><back>");
    assert!(table.hint().starts_with("ship 1 of 10"), "{}", table.hint());
    table.press("<back>");
    assert_eq!(table.hint(), "no ship is placed yet");
    table.press("x");
    assert_eq!(table.hint(), "all ships are placed: Enter begins, x draws others, Backspace takes one back");
    insta::assert_snapshot!("placing_complete_large", picture(&table.screen, LARGE));
    table.press("<enter>");
    assert!(table.picture().contains("your turn"));
    assert_eq!(table.leave(), Err(Stopped::Left));
}

#[test]
fn every_random_fleet_is_another_and_each_is_legal() {
    let mut table = sit_down(&named("classic"), Seat::Second);
    let mut pictures = Vec::new();
    for _ in 0..5 {
        table.press("x");
        pictures.push(table.picture());
    }
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), 5);
    table.press("<enter>");
    assert!(table.picture().contains("your turn"), "the referee took the fleet, and the bot has shot");
}

#[test]
fn a_fleet_that_leaves_no_room_for_the_rest_is_noticed_at_once() {
    let rules = Ruleset { fleet: vec![2, 2], ..Ruleset::guide() }.with_size(Size::new(3, 3));
    let mut table = sit_down(&GameRules::Battleship(rules), Seat::First);
    table.press("<down><enter>");
    assert_eq!(table.hint(), "no room is left for the next ship: Backspace takes one back");
    table.press("<back><up><enter>");
    assert!(table.hint().starts_with("ship 2 of 2"), "{}", table.hint());
}

#[test]
fn a_spot_is_shot_by_the_cursor_or_by_typing_it() {
    let mut table = sit_down(&named("guide"), Seat::First);
    table.press("x<enter>");
    assert_eq!(table.hint(), "Enter shoots f5");
    table.press("<left><up><enter>b7<enter>7,2<enter>");
    let shots: Vec<String> = table
        .screen
        .game()
        .timeline()
        .events_until(usize::MAX)
        .iter()
        .filter_map(|event| match event {
            Event::Acted { seat: Seat::First, action: Action::Shot(at), .. } => Some(at.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(shots, ["(4, 4)", "(7, 1)", "(7, 2)"]);
    insta::assert_snapshot!("aiming_small", table.picture());
    insta::assert_snapshot!("aiming_large", picture(&table.screen, LARGE));
    insta::assert_snapshot!("aiming_wall", picture(&table.screen, WALL));
}

#[test]
fn illegal_input_is_explained_and_never_sent() {
    let mut table = sit_down(&named("classic"), Seat::First);
    table.press("x<enter>b7<enter>");
    let events = table.screen.game().timeline().len();
    for (keys, words) in [
        ("b7<enter>", "you have shot b7 already"),
        ("<enter>", "you have shot b7 already"),
        ("b77<enter>", "there is no row 77: rows are 0 to 9"),
        ("1,10<enter>", "there is no column 10: columns are 0 to 9"),
        ("b<enter>", "“b” is not a spot"),
        ("5k<enter>", "“5k” is not a spot"),
        ("b7", "you have shot b7 already"),
        ("<esc>c", "a spot is a letter and a number"),
        ("<esc>k9<enter>", "there is no column k: columns are a to j"),
        ("c", "a spot is a letter and a number"),
    ] {
        table.press(keys);
        assert!(table.hint().contains(words), "{keys}: {}", table.hint());
    }
    assert_eq!(table.screen.game().timeline().len(), events, "nothing was sent to the referee");
    table.press("<back>a0<enter>");
    assert!(table.screen.game().timeline().len() > events);
}

#[test]
fn a_skip_is_confirmed_and_its_consequence_is_shown() {
    let mut table = sit_down(&named("classic"), Seat::First);
    table.press("x<enter>s");
    insta::assert_snapshot!("skip_that_loses_small", table.picture());
    table.press("n");
    assert!(table.picture().contains("your turn"));
    table.press("sy");
    let result = table.transcript().end();
    assert_eq!(result, Some((Outcome::Win(Seat::Second), Reason::Forfeit)));

    let mut table = sit_down(&named("guide"), Seat::First);
    table.press("x<enter>s");
    assert!(table.picture().contains("your turn passes without a shot"));
    table.press("y");
    assert!(table.picture().contains("turn 1: sweeper shoots a0"), "{}", table.picture());
}

#[test]
fn if_a_column_is_called_s_or_q_these_letters_begin_a_spot() {
    let rules = GameRules::Battleship(Ruleset::guide().with_size(Size::new(20, 20)));
    let mut table = sit_down(&rules, Seat::First);
    table.press("x<enter>s3");
    assert_eq!(table.hint(), "Enter shoots s3");
    insta::assert_snapshot!("aiming_on_a_wide_board_small", table.picture());
    table.press("<enter>");
    assert!(table.picture().contains("s3"));
    table.press("s<enter>");
    assert!(table.picture().contains("skip? your turn passes"));
    table.press("n");
    table.press("q<enter>");
    assert!(table.picture().contains("leave the game?"));
    table.press("n");
    assert_eq!(table.press("<esc>q"), KeyEffect::End(Ended::Quit));
}

#[test]
fn a_game_is_played_to_its_end_and_can_be_saved_and_looked_at() {
    let mut table = sit_down(&GameRules::Battleship(tiny()), Seat::First);
    // The sweeper needs six shots at most, and so does the person.
    table.press("<down><right><right><enter><enter>");
    for spot in ["a0", "b0", "c0", "a1", "b1", "c1"] {
        if !table.screen.game().timeline().is_over() {
            table.press(&format!("{spot}<enter>"));
        }
    }
    let transcript = table.transcript();
    transcript.replay().unwrap();
    assert!(matches!(transcript.end(), Some((Outcome::Win(_), FLEET_SUNK))));
    assert!(table.picture().contains("wins: all ships of"));
    // The bot's budget is on the screen, and the person has no budget.
    assert_eq!(table.picture().matches("/300M").count(), 1, "{}", table.picture());
    assert_eq!(table.press("w"), KeyEffect::Save);
    assert_eq!(
        table.screen.game().viewpoint(),
        arena_pictures::Viewpoint::Truth,
        "the bot's ships may be seen now"
    );
    assert_eq!(table.press("<left>"), KeyEffect::Changed);
    assert_eq!(table.press("q"), KeyEffect::End(Ended::Quit));
    let end = transcript.end().unwrap();
    assert_eq!(table.leave(), Ok(end));
}

#[test]
fn the_bots_ships_are_not_seen_before_the_end() {
    let mut table = sit_down(&named("guide"), Seat::Second);
    table.press("x<enter>");
    for spot in ["a0", "j9", "e5"] {
        table.press(&format!("{spot}<enter>"));
        // The person's board is on the left, and the bot's is at its right.
        let boards: String = table
            .picture()
            .lines()
            .skip(4)
            .take(10)
            .map(|row| row.chars().skip(26).take(25).collect::<String>())
            .collect();
        assert!(!boards.contains('■') && !boards.contains('#'), "{}", table.picture());
        assert!(!table.picture().contains("sunk"), "sinkings are not announced by these rules");
    }
}

#[test]
fn leaving_is_confirmed_and_leaves_no_result() {
    let mut table = sit_down(&named("guide"), Seat::First);
    table.press("q");
    insta::assert_snapshot!("leaving_small", table.picture());
    table.press("<enter>");
    assert!(!table.picture().contains("leave the game?"), "any other key plays on");
    table.press("<esc>");
    assert_eq!(table.press("q"), KeyEffect::End(Ended::Quit));
    assert_eq!(table.leave(), Err(Stopped::Left));
}

fn check_resignation<G: OnScreen>(mut table: PersonGame<G>, keys: &str) {
    table.press(keys);
    let transcript = table.transcript();
    transcript.replay().unwrap();
    let Some((Outcome::Win(Seat::Second), _)) = transcript.end() else { panic!("{transcript:?}") };
    let resigned = transcript.events.iter().any(|event| match event {
        Event::Faulted { seat: Seat::First, fault, .. } => fault.class == FaultClass::Resigned,
        _ => false,
    });
    assert!(resigned);
    assert!(table.picture().contains("sweeper wins: person resigned"), "{}", table.picture());
}

#[test]
fn a_person_who_resigns_loses_and_the_game_has_a_result() {
    check_resignation(sit_down(&named("guide"), Seat::First), "qr");
    check_resignation(sit_down(&named("guide"), Seat::First), "x<enter>b7<enter>qr");
    check_resignation(submarine(), "x<enter>qr");
}

#[test]
fn a_game_whose_fleets_the_engine_places_begins_with_a_shot() {
    let mut table = sit_down(&named("pirates"), Seat::First);
    assert!(table.picture().contains("your turn"));
    table.press("a0<enter>");
    assert!(table.picture().contains("turn 1: sweeper shoots a0"));
}

#[test]
fn submarine_is_placed_and_played_by_cursor_and_by_text() {
    let mut table = submarine();
    assert_eq!(table.hint(), "the battleship, 3 hit points, to c2: Enter places it");
    table.press("<enter>");
    assert_eq!(table.hint(), "the cruiser to c2: the battleship is there already");
    table.press("<enter>");
    assert_eq!(table.hint(), "the battleship is there already");
    table.press("<right><enter><down><enter>");
    insta::assert_snapshot!("submarine_placed_small", table.picture());
    table.press("<enter>");
    insta::assert_snapshot!("submarine_attack_small", table.picture());
    table.press("a0");
    assert_eq!(table.hint(), "attack a0: none of your ships is within one step of it");
    table.press("<enter>");
    assert_eq!(table.hint(), "attack a0: none of your ships is within one step of it");
    table.press("zz<enter>");
    assert!(table.hint().ends_with("like b4, or row,column, like 4,1"), "{}", table.hint());
    table.press("b3<enter>");
    assert!(table.picture().contains("turn 1: sweeper attacks"), "{}", table.picture());
    table.press("m w c3");
    assert_eq!(table.hint(), "Enter: move the battleship to c3");
    table.press("<enter><tab>");
    insta::assert_snapshot!("submarine_move_small", table.picture());
    assert_eq!(table.hint(), "move the battleship to c3: it is there already");
    table.press("<left>");
    assert_eq!(table.hint(), "Enter: move the battleship to b3");
    table.press("<tab><tab><tab><esc>");
    assert!(table.picture().contains("leave the game?"));
}

#[test]
fn the_cells_of_an_enemy_move_are_not_shown() {
    // The person as the second seat sees the bot's moves only as the rules report them; the sweeper never moves, so the
    // recording of another game is looked at as one side sees it.
    let mut screen = common::replay::<Submarine>("submarine");
    press(&mut screen, "g6<enter>bb");
    let seen = picture(&screen, SMALL);
    assert!(seen.contains("turn 6: sub-random moves its cruiser 4 down"), "{seen}");
    assert!(seen.contains("c ↓4"), "{seen}");
    assert!(!seen.contains("b4"), "{seen}");
}

/// Clicks on a cell of a board: the person's own is the first.
fn click(table: &mut PersonGame, gesture: Gesture, board: u16, at: &str) -> KeyEffect {
    let _ = table.picture();
    let at = arena_pictures::spot::parse(Size::new(10, 10), at).unwrap();
    // On 80 columns a block has 24 of them, with labels of three, and a gap of three between two.
    let column = 4 + board * 27 + 2 * u16::from(at.column);
    let effect = table.screen.mouse(Mouse { gesture, column, row: 4 + u16::from(at.row) });
    table.wait();
    effect
}

#[test]
fn a_fleet_is_placed_and_a_spot_is_shot_by_the_mouse() {
    let mut table = sit_down(&named("guide"), Seat::First);
    click(&mut table, Gesture::Press, 0, "c2");
    assert_eq!(table.hint(), "ship 1 of 10, 4 long, from c2 to the right: Enter places it");
    click(&mut table, Gesture::Turn, 0, "d3");
    assert_eq!(table.hint(), "ship 1 of 10, 4 long, from d3 downwards: Enter places it");
    click(&mut table, Gesture::Press, 0, "d3");
    assert!(table.hint().starts_with("ship 2 of 10"), "{}", table.hint());
    table.press("xy<enter>");
    assert_eq!(click(&mut table, Gesture::Press, 0, "d3"), KeyEffect::Changed, "it is the own board");
    assert!(!table.picture().contains("turn 1: person"));
    click(&mut table, Gesture::Turn, 1, "b7");
    assert_eq!(table.hint(), "Enter shoots b7");
    click(&mut table, Gesture::Press, 1, "j9");
    assert!(table.picture().contains("turn 1: person shoots j9"), "{}", table.picture());
    click(&mut table, Gesture::Press, 1, "j9");
    assert!(table.hint().starts_with("you have shot j9 already"), "{}", table.hint());
}

#[test]
fn ships_that_were_placed_by_hand_are_not_thrown_away_without_asking() {
    let mut table = sit_down(&named("guide"), Seat::First);
    table.press("<enter>x");
    assert!(table.picture().contains("throw away the ships that you have placed?"), "{}", table.picture());
    table.press("n");
    assert!(table.hint().starts_with("ship 2 of 10"), "{}", table.hint());
    table.press("xy");
    assert!(table.hint().starts_with("all ships are placed"), "{}", table.hint());
    table.press("x");
    assert!(!table.picture().contains("throw away"), "another drawn fleet takes the place of a drawn one");
    let mut table = submarine();
    table.press("<enter>x");
    assert!(table.picture().contains("throw away the ships that you have placed?"), "{}", table.picture());
}

#[test]
fn the_effect_of_a_persons_shot_is_shown_with_the_answer() {
    let mut table = sit_down(&named("guide"), Seat::First);
    table.press("x<enter>b7<enter>");
    let seen = table.picture();
    let place = |words: &str| seen.lines().position(|line| line.contains(words));
    let (mine, answer) = (place("turn 1: person shoots b7: a"), place("turn 1: sweeper shoots a0"));
    assert!(mine.is_some() && mine < answer, "{seen}");
}

#[test]
fn with_animation_a_persons_shot_is_seen_before_the_answer_and_a_key_skips_the_wait() {
    let mut table = sit_down(&named("guide"), Seat::First);
    table.screen.offer(true, true);
    table.press("x");
    table.screen.key(KeyCode::Enter);
    table.act_until(|screen| screen.is_asked(), |screen| screen.tick(Duration::from_secs(1)));
    for c in "b7".chars() {
        table.screen.key(KeyCode::Char(c));
    }
    table.screen.key(KeyCode::Enter);
    table.act_until(|screen| screen.game().timeline().len() >= 4, |screen| screen.tick(Duration::ZERO));
    assert_eq!(table.screen.game().position(), 3, "the answer is there, and not shown yet");
    assert!(!table.screen.is_asked() && !table.picture().contains("sweeper shoots"));
    // The referee's question may come a moment after its event.
    table.act_until(
        |screen| screen.is_asked(),
        |screen| {
            screen.key(KeyCode::Left);
            screen.tick(Duration::ZERO)
        },
    );
    assert!(table.picture().contains("turn 1: sweeper shoots a0"), "{}", table.picture());
}

#[test]
fn a_hint_names_a_cell_and_its_chance_and_shoots_nothing() {
    let mut table = sit_down(&named("classic"), Seat::First);
    table.press("x<enter>e4<enter>");
    let events = table.screen.game().timeline().len();
    table.press("!");
    let hint = table.hint();
    assert!(hint.starts_with("hint: ") && hint.contains(" %, sampled"), "{hint}");
    assert_eq!(table.screen.game().timeline().len(), events);
    let cell = hint["hint: ".len()..].split(',').next().unwrap().to_owned();
    table.press("<enter>");
    assert!(table.picture().contains(&format!("person shoots {cell}:")), "{}", table.picture());
    let mut table = submarine();
    table.press("x<enter>!");
    assert!(table.hint().starts_with("hint: attack "), "{}", table.hint());
}

#[test]
fn every_phase_has_its_help() {
    let mut table = sit_down(&named("guide"), Seat::First);
    table.press("?");
    insta::assert_snapshot!("play_help_small", table.picture());
    assert_eq!(table.press("q"), KeyEffect::Changed, "any key closes it");
    let mut table = submarine();
    table.press("x<enter>?");
    insta::assert_snapshot!("play_help_submarine_large", picture(&table.screen, LARGE));
}

#[test]
fn ctrl_c_ends_the_screen_at_once_in_any_phase() {
    for keys in ["", "?", "q", "x<enter>", "x<enter>b7", "x<enter>s"] {
        let mut table = sit_down(&named("guide"), Seat::First);
        table.press(keys);
        assert_eq!(table.screen.key_event(&common::ctrl_c()), KeyEffect::End(Ended::Interrupted));
    }
}

#[test]
fn the_failure_of_a_referee_is_shown() {
    let (feed, updates) = feed::<Battleship>();
    let timeline = Timeline::new(header(&named("guide"), ["person", "bot"])).unwrap();
    let (mut screen, person) = PlayScreen::new(timeline, Seat::First, updates);
    feed.stopped(&Stopped::Host(arena_referee::HostError::Machine("no memory".into())));
    drop((feed, person));
    screen.tick(Duration::ZERO);
    assert!(picture(&screen, SMALL).contains("the game has no result: the arena failed: no memory"));
    assert_eq!(press(&mut screen, "q"), KeyEffect::End(Ended::Quit));
}
