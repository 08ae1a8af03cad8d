use super::*;
use crate::rivals::{Anything, Hunter, Stalker};
use arena_sdk::Coord;
use arena_sdk::submarine::practice::{Rules, Score, play, play_by};

const fn at(row: u8, column: u8) -> Coord {
    Coord::new(row, column)
}

#[test]
fn it_wins_nearly_all_games_against_random_play_in_either_seat() {
    let score = play::<SubTracker, Anything>(500, 1).unwrap();
    println!("moving first: {score}");
    assert!(score.wins >= 490 && score.mean_actions < 30.0, "{score}");
    let score = play::<Anything, SubTracker>(500, 1).unwrap();
    println!("moving second: {score}");
    assert!(score.losses >= 490 && score.mean_actions < 30.0, "{score}");
}

#[test]
fn its_games_against_itself_end() {
    let score = play::<SubTracker, SubTracker>(100, 1).unwrap();
    println!("against itself: {score}");
    assert_eq!(score.draws, 0, "{score}");
    assert!(score.mean_actions < 160.0, "{score}");
}

/// The share of games that it wins against a rival, half of them in each seat. A game that goes on for 300 actions is a draw: of
/// two last ships, one that flees is never caught.
fn share_of_wins<R: Bot>(games: u32) -> f64 {
    let rules = Rules { actions_max: 300, ..Rules::default() };
    let show = |score: Score| println!("{} against {}: {score}", SubTracker::NAME, R::NAME);
    let [first, second] =
        [play_by::<SubTracker, R>(&rules, games / 2, 1), play_by::<R, SubTracker>(&rules, games / 2, 2)];
    let (first, second) = (first.unwrap(), second.unwrap());
    show(first);
    show(second);
    f64::from(first.wins + second.losses) / f64::from(games)
}

#[test]
fn it_wins_nine_games_of_ten_against_a_rival_that_attacks() {
    // Measured: 0.98. Five standard deviations of 400 games at 0.95 are 0.05.
    assert!(share_of_wins::<Hunter>(400) > 0.9);
}

#[test]
fn it_wins_most_games_against_a_rival_that_flees() {
    // Measured: 0.91. Five standard deviations of 400 games at 0.91 are 0.07.
    assert!(share_of_wins::<Stalker>(400) > 0.84);
}

#[test]
fn its_ships_begin_far_apart_and_in_many_places() {
    let deployed = |seed| SubTracker::default().deploy(&Game::of(&Rules::default(), seed));
    let random = |seed| {
        let game = Game::of(&Rules::default(), seed);
        game.random_positions(&mut game.rng(0))
    };
    let sum = |of: &dyn Fn(u64) -> [Coord; 3]| (0..500).map(|seed| spread(&of(seed))).sum::<u32>();
    assert!(sum(&deployed) > sum(&random) * 3 / 2);
    let different: std::collections::BTreeSet<[Coord; 3]> = (0..500).map(deployed).collect();
    assert!(different.len() > 250, "{}", different.len());
}

#[test]
fn an_enemy_that_only_flees_is_not_feared_and_caution_ends() {
    assert_eq!([caution(0, 0.0), caution(0, 0.5), caution(0, 1.0)], [1.0, 1.0, 0.0]);
    assert_eq!(caution(PATIENCE, 0.0), 0.0);
}

#[test]
fn the_trackers_always_contain_the_true_positions() {
    /// Checks at each turn that positions of the enemy are left, and that the true own position is in the enemy's
    /// tracker.
    #[derive(Default)]
    struct Checked(SubTracker);

    impl Bot for Checked {
        const NAME: &'static str = "checked";

        fn play(&mut self, game: &Game, view: &View) -> Action {
            let action = self.0.play(game, view);
            let own = Ship::ALL.map(|ship| view.at(ship));
            assert!(self.0.own.states().any(|state| state == own), "{view:?}");
            assert!(self.0.enemy.count() > 0);
            let afloat = self.0.enemy.states().next().expect("there is one").map(|cell| cell.is_some());
            let expected = Ship::ALL.map(|ship| view.enemy.iter().any(|enemy| enemy.ship == ship));
            assert_eq!(afloat, expected);
            action
        }
    }

    for score in
        [play::<Checked, Anything>(50, 2), play::<Anything, Checked>(50, 2), play::<Checked, Checked>(10, 2)]
    {
        println!("{}", score.unwrap());
    }
}

#[test]
fn it_plays_on_when_the_reports_contradict_each_other() {
    let game = Game::of(&Rules::default(), 7);
    let mut bot = SubTracker::default();
    let mut view = View::first([at(0, 0), at(0, 1), at(0, 2)]);
    bot.play(&game, &view);
    view.enemy.retain(|enemy| enemy.ship != Ship::Cruiser);
    // Reports of all ships at once, and of none anywhere: they soon contradict each other.
    for turn in 2..100 {
        view.turn = turn;
        let hit = turn.is_multiple_of(2).then_some(Ship::Battleship);
        let near = if turn.is_multiple_of(3) { Ship::ALL.to_vec() } else { Vec::new() };
        let cell = at((turn % 5) as u8, (turn / 5 % 5) as u8);
        let report = Report::Attacked { at: cell, hit, near };
        (view.my_last, view.enemy_last) = (Some(report.clone()), Some(report));
        assert!(view.is_legal(bot.play(&game, &view)));
    }
}

#[test]
fn a_ship_that_is_found_is_attacked_and_attacked_again() {
    let game = Game::of(&Rules::default(), 7);
    let mut bot = SubTracker::default();
    let mut view = View::first([at(0, 0), at(0, 4), at(4, 0)]);
    view.my_last = Some(Report::Attacked { at: at(1, 1), hit: Some(Ship::Battleship), near: Vec::new() });
    view.enemy[0].hit_points = 2;
    view.turn = 2;
    assert_eq!(bot.play(&game, &view), Action::Attack(at(1, 1)));
}
