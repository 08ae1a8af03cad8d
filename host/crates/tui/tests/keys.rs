//! The effect of keys, and of a running game, on the screen of a game.

use crate::common::{self, LARGE, SMALL, WALL, picture, press, replay, transcript};
use arena_pictures::{Timeline, Viewpoint};
use arena_referee::Event as GameEvent;
use arena_rules::Seat;
use arena_rules::battleship::Battleship;
use arena_tui::{
    Ended, GameScreen, Gesture, KeyCode, KeyEffect, Mouse, Playback, Score, Screen, Update, WallScreen,
};
use std::time::Duration;

/// Presses keys on a recorded game. Returns the position of the screen.
fn position(game: &str, keys: &str) -> usize {
    let mut screen = replay::<Battleship>(game);
    press(&mut screen, keys);
    screen.position()
}

/// The screen of a game of which a number of events have been played.
fn watched(game: &str, events: usize) -> (GameScreen<Battleship>, Vec<GameEvent<Battleship>>) {
    let transcript = transcript(game);
    let mut screen = GameScreen::watch(Timeline::new(transcript.header).unwrap());
    let mut rest = transcript.events;
    for event in rest.drain(..events) {
        assert!(screen.receive(Update::Event(event)));
    }
    (screen, rest)
}

#[test]
fn arrows_step_and_home_and_end_go_all_the_way() {
    assert_eq!(position("guide", "<right><right><right><left>"), 2);
    assert_eq!(position("guide", "<left>"), 0);
    assert_eq!(position("guide", "<end>"), 124);
    assert_eq!(position("guide", "<end><right>"), 124);
    assert_eq!(position("guide", "<end><left><left>"), 122);
    assert_eq!(position("guide", "<end><home>"), 0);
}

#[test]
fn a_turn_is_gone_to_by_its_number() {
    // Both deployments and nineteen turns of both come before it.
    assert_eq!(position("guide", "g20<enter>"), 41);
    assert_eq!(position("guide", "g21<back>0<enter>"), 41);
    assert_eq!(position("guide", "<end>g0<enter>"), 1);
    assert_eq!(position("guide", "g9999999999<enter>"), 124);
    assert_eq!(position("guide", "<right>g20<esc>"), 1);
    assert_eq!(position("guide", "<right>g<enter>"), 1);
    assert_eq!(position("guide", "<right>gx<enter>"), 1);
}

#[test]
fn faults_are_gone_to_one_by_one() {
    let faults = Timeline::of(&transcript::<Battleship>("overruns")).unwrap().faults().to_vec();
    assert!(faults.len() > 3);
    assert_eq!(position("overruns", "n"), faults[0]);
    assert_eq!(position("overruns", "nn"), faults[1]);
    assert_eq!(position("overruns", "nnnp"), faults[1]);
    assert_eq!(position("overruns", "<end>p"), *faults.last().unwrap());
    assert_eq!(position("overruns", "np"), *faults.last().unwrap(), "before the first comes the last");
    assert_eq!(position("overruns", "<end>n"), faults[0], "and after the last the first");
    assert_eq!(position("guide", "<right>n"), 1);
}

#[test]
fn the_view_goes_round() {
    let mut screen = replay::<Battleship>("guide");
    let sights = [Viewpoint::Of(Seat::First), Viewpoint::Of(Seat::Second), Viewpoint::Truth];
    for viewpoint in sights {
        press(&mut screen, "b");
        assert_eq!(screen.viewpoint(), viewpoint);
    }
}

#[test]
fn quitting_and_ctrl_c_end_the_screen_and_the_first_only_closes_what_is_open() {
    for (keys, effect) in [
        ("q", KeyEffect::End(Ended::Quit)),
        ("<esc>", KeyEffect::Changed),
        ("<ctrl-c>", KeyEffect::End(Ended::Interrupted)),
        ("?q", KeyEffect::Changed),
        ("?<esc>q", KeyEffect::End(Ended::Quit)),
        ("g<esc>", KeyEffect::Changed),
        ("g<ctrl-c>", KeyEffect::End(Ended::Interrupted)),
        ("<ctrl-z>", KeyEffect::Suspend),
        ("?<ctrl-l>", KeyEffect::Redraw),
        ("t", KeyEffect::Theme),
        ("z", KeyEffect::Nothing),
        ("<tab>", KeyEffect::Nothing),
    ] {
        assert_eq!(press(&mut replay::<Battleship>("guide"), keys), effect, "{keys}");
    }
}

#[test]
fn a_game_is_saved_only_when_it_is_over_and_the_host_can() {
    assert_eq!(press(&mut replay::<Battleship>("guide"), "w"), KeyEffect::Nothing);
    assert_eq!(press(&mut common::saving(replay::<Battleship>("guide")), "w"), KeyEffect::Save);
    let (screen, _) = watched("guide", 20);
    assert_eq!(press(&mut common::saving(screen), "w"), KeyEffect::Nothing);
}

#[test]
fn a_recording_plays_at_its_speed_and_stops_at_its_end() {
    let mut screen = replay::<Battleship>("guide");
    assert_eq!(screen.playback(), Playback::Paused);
    assert!(!screen.tick(Duration::from_secs(60)));
    assert_eq!(screen.wait(), None, "nothing moves by itself");
    press(&mut screen, " ");
    assert!(!screen.tick(Duration::from_millis(249)));
    assert_eq!(screen.wait(), Some(Duration::from_millis(33)));
    assert!(screen.tick(Duration::from_millis(1)));
    assert_eq!(screen.position(), 1);
    press(&mut screen, "+");
    assert!(screen.tick(Duration::from_secs(1)));
    assert_eq!(screen.position(), 9);
    press(&mut screen, "---");
    assert!(screen.tick(Duration::from_secs(2)));
    assert_eq!(screen.position(), 11);
    assert!(screen.tick(Duration::from_secs(1_000)));
    assert_eq!((screen.position(), screen.playback()), (124, Playback::Paused));
    // Once more from the beginning.
    press(&mut screen, " ");
    assert_eq!((screen.position(), screen.playback()), (0, Playback::Playing));
}

#[test]
fn a_game_goes_on_while_the_user_steps_back_in_it() {
    let (mut screen, mut rest) = watched("guide", 50);
    press(&mut screen, "<end>");
    assert_eq!((screen.position(), screen.playback()), (50, Playback::Live));
    screen.receive(Update::Event(rest.remove(0)));
    assert_eq!(screen.position(), 51);
    press(&mut screen, "<left>");
    screen.receive(Update::Event(rest.remove(0)));
    assert_eq!((screen.position(), screen.playback(), screen.timeline().len()), (50, Playback::Paused, 52));
    press(&mut screen, "<end>");
    assert_eq!((screen.position(), screen.playback()), (52, Playback::Live));
}

#[test]
fn a_fast_game_is_shown_at_a_speed_that_can_be_followed() {
    let (mut screen, _) = watched("guide", 100);
    assert_eq!((screen.position(), screen.playback()), (0, Playback::Playing));
    screen.tick(Duration::from_secs(2));
    assert_eq!(screen.position(), 8);
}

#[test]
fn an_event_of_a_slow_game_is_shown_when_it_comes() {
    let (mut screen, mut rest) = watched("guide", 1);
    screen.tick(Duration::from_secs(2));
    assert_eq!((screen.position(), screen.wait()), (1, None));
    screen.tick(Duration::from_secs(60));
    screen.receive(Update::Event(rest.remove(0)));
    assert!(screen.tick(Duration::ZERO));
    assert_eq!(screen.position(), 2);
}

#[test]
fn a_game_that_stops_without_a_result_says_so() {
    let (mut screen, _) = watched("guide", 20);
    press(&mut screen, "<end>");
    assert!(screen.close_feed());
    assert!(picture(&screen, SMALL).contains("the game has stopped without a result"));
    let (mut screen, _) = watched("guide", 20);
    screen.receive(Update::Stopped("the arena failed: no memory".into()));
    screen.close_feed();
    assert!(!picture(&screen, SMALL).contains("no memory"), "it comes after the last event");
    press(&mut screen, "<end>");
    assert!(picture(&screen, SMALL).contains("the game has no result: the arena failed: no memory"));
    press(&mut screen, "<left><right>");
    assert!(picture(&screen, SMALL).contains("no memory"), "the reason stays");
}

#[test]
fn a_game_that_restarts_is_shown_from_its_beginning() {
    let (mut screen, _) = watched("overruns", 150);
    press(&mut screen, "<end>");
    screen.receive(Update::Log { seat: Seat::First, text: "old".into() });
    assert!(screen.receive(Update::Restarted));
    assert_eq!((screen.position(), screen.timeline().len(), screen.playback()), (0, 0, Playback::Live));
    assert_eq!(screen.timeline().log_at(Seat::First, 0), "");
    for event in transcript::<Battleship>("overruns").events {
        screen.receive(Update::Event(event));
    }
    assert!(screen.timeline().is_over());
    assert_eq!(
        screen.timeline().faults(),
        Timeline::of(&transcript::<Battleship>("overruns")).unwrap().faults()
    );
}

#[test]
fn the_next_game_of_a_series_begins_with_the_score_so_far() {
    let game = transcript::<Battleship>("guide");
    let mut next = game.header.clone();
    next.bots.reverse();
    next.game = 2;
    let watch = GameScreen::watch(Timeline::new(game.header.clone()).unwrap());
    let mut screen = watch.of_series(&game.header, 3);
    for event in game.events {
        screen.receive(Update::Event(event));
    }
    assert!(picture(&screen, SMALL).contains("1 of 3, 0–0"), "the screen is at its beginning");
    press(&mut screen, "<end>");
    assert_eq!(screen.score(), Score { wins: [1, 0], draws: 0 });
    assert!(picture(&screen, SMALL).contains("1 of 3, 1–0"), "{}", picture(&screen, SMALL));
    screen.receive(Update::Game(Box::new(next)));
    assert_eq!((screen.position(), screen.timeline().len()), (0, 0));
    let seen = picture(&screen, SMALL);
    assert!(seen.contains("game 2") && seen.contains("2 of 3, 1–0"), "{seen}");
    let names = seen.lines().nth(2).unwrap();
    assert!(names.find("2 hunter") < names.find("1 sweeper"), "the bot on the left stays there:\n{seen}");
}

#[test]
fn in_a_narrow_game_the_reason_of_an_end_is_left_out_and_not_cut() {
    let mut screen = WallScreen::new(vec![replay::<Battleship>("guide"), replay("classic")], 2);
    press(&mut screen, "<end>");
    let seen = picture(&screen, (64, 20));
    assert!(seen.contains(" hunter wins ") && !seen.contains('…'), "{seen}");
}

#[test]
fn several_games_are_side_by_side_and_keys_go_to_all_of_them() {
    let games = |count: usize| {
        let names = ["guide", "classic", "pirates", "overruns"];
        WallScreen::new(names.iter().take(count).map(|name| replay::<Battleship>(name)).collect(), 10)
    };
    let mut screen = games(4);
    for _ in 0..40 {
        press(&mut screen, "<right>");
    }
    insta::assert_snapshot!("four_games_small", picture(&screen, SMALL));
    insta::assert_snapshot!("four_games_large", picture(&screen, LARGE));
    insta::assert_snapshot!("four_games_wall", picture(&screen, WALL));
    press(&mut screen, "<tab><enter>");
    assert!(picture(&screen, SMALL).starts_with(" classic"), "{}", picture(&screen, SMALL));
    press(&mut screen, "<right>?<esc>");
    assert!(picture(&screen, SMALL).starts_with(" classic"), "the first esc closes the help only");
    assert_eq!(press(&mut screen, "<esc>"), KeyEffect::Changed, "back to all");
    let (column, row) = (WALL.0 - 10, WALL.1 - 10);
    assert_eq!(click(&mut screen, Gesture::Press, column, row), KeyEffect::Changed);
    let seen = picture(&screen, WALL);
    assert!(seen.contains("0 of 10, 0–0"), "{seen}");
    click(&mut screen, Gesture::Press, column, row);
    press(&mut screen, "<end>");
    assert!(picture(&screen, WALL).contains(" over"), "the second click enlarges the last one");
    press(&mut screen, "<esc><end>");
    assert_eq!(screen.score().games(), 4);
    assert_eq!(press(&mut screen, "q"), KeyEffect::End(Ended::Quit));
    let mut two = games(2);
    press(&mut two, "<end>");
    insta::assert_snapshot!("two_games_wall", picture(&two, WALL));
}

#[test]
fn events_that_do_not_follow_are_refused_and_the_others_can_still_be_looked_at() {
    let (mut screen, mut rest) = watched("guide", 20);
    // The next turn is the other side's.
    screen.receive(Update::Event(rest.remove(1)));
    assert_eq!(screen.timeline().len(), 20);
    press(&mut screen, "<end>");
    assert_eq!(screen.position(), 20);
}

#[test]
fn what_a_bot_prints_is_shown_as_of_its_turn() {
    let (mut screen, mut rest) = watched("guide", 2);
    let mut log = String::new();
    for turn in 1..=3 {
        log.push_str(&format!("turn {turn}\n"));
        screen.receive(Update::Log { seat: Seat::First, text: log.clone() });
        for event in rest.drain(..2) {
            screen.receive(Update::Event(event));
        }
    }
    let timeline = screen.timeline();
    assert_eq!(timeline.log_at(Seat::First, 2), "");
    assert_eq!(timeline.log_at(Seat::First, 3), "turn 1\n");
    assert_eq!(timeline.log_at(Seat::First, 5), "turn 1\nturn 2\n");
    assert_eq!(timeline.log_at(Seat::First, 8), log);
    assert_eq!(timeline.log_at(Seat::Second, 8), "");
}

#[test]
fn keys_without_an_effect_change_nothing() {
    let mut screen = replay::<Battleship>("guide");
    for key in
        [KeyCode::Tab, KeyCode::Enter, KeyCode::Backspace, KeyCode::Char('é'), KeyCode::Char('\u{202e}')]
    {
        let before = picture(&screen, SMALL);
        assert_eq!(screen.key(key), KeyEffect::Nothing);
        assert_eq!(picture(&screen, SMALL), before);
    }
}

/// The gesture of the mouse at a place of the screen that was drawn last.
fn click(screen: &mut impl Screen, gesture: Gesture, column: u16, row: u16) -> KeyEffect {
    screen.mouse(Mouse { gesture, column, row })
}

#[test]
fn the_mouse_goes_along_the_bar_and_to_turns_and_its_wheel_steps() {
    let mut screen = replay::<Battleship>("guide");
    let (width, height) = SMALL;
    let seen = picture(&screen, SMALL);
    let bar = seen.lines().nth(22).unwrap();
    let columns = bar.chars().take_while(|c| !c.is_ascii_digit()).count() as u16;
    assert!(columns > width / 2, "{seen}");
    assert_eq!(click(&mut screen, Gesture::Press, columns / 2, height - 2), KeyEffect::Changed);
    assert!((55..70).contains(&screen.position()), "{}", screen.position());
    click(&mut screen, Gesture::Drag, 1, height - 2);
    assert_eq!(screen.position(), 0);
    click(&mut screen, Gesture::Down, 5, 5);
    click(&mut screen, Gesture::Down, 5, 5);
    click(&mut screen, Gesture::Up, 5, 5);
    assert_eq!(screen.position(), 1);
    press(&mut screen, "g20<enter>");
    let seen = picture(&screen, SMALL);
    let row = seen.lines().position(|line| line[..].contains(" 15 ")).unwrap() as u16;
    assert_eq!(click(&mut screen, Gesture::Press, 60, row), KeyEffect::Changed);
    assert_eq!(screen.position(), screen.timeline().position_of_turn(15));
    // A board is a large button.
    click(&mut screen, Gesture::Press, 10, 8);
    assert_eq!(screen.playback(), Playback::Playing);
    press(&mut screen, "?");
    assert_eq!(click(&mut screen, Gesture::Press, 0, 0), KeyEffect::Changed, "it closes the help");
    assert_eq!(click(&mut screen, Gesture::Press, 0, 0), KeyEffect::Nothing);
}

#[test]
fn a_saved_game_is_not_saved_twice() {
    let mut screen = common::saving(replay::<Battleship>("guide"));
    assert_eq!(press(&mut screen, "w"), KeyEffect::Save);
    screen.saved(Ok("a-vs-b.jsonl".into()));
    assert!(picture(&screen, SMALL).contains("saved: a-vs-b.jsonl"));
    assert_eq!(press(&mut screen, "w"), KeyEffect::Changed);
    assert!(picture(&screen, SMALL).contains("already saved: a-vs-b.jsonl"));
}
