use super::*;
use arena_sdk::Coord;
use arena_sdk::submarine::practice::{Rules, play};

const fn at(row: u8, column: u8) -> Coord {
    Coord::new(row, column)
}

/// Plays random legal actions, as `sub-random` does.
#[derive(Default)]
struct Anything;

impl Bot for Anything {
    const NAME: &'static str = "anything";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
    }
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
    assert!(score.mean_actions < 120.0, "{score}");
}

/// Attacks where a hit is likeliest by the same tracker, and plays a random action if no attack can hit.
#[derive(Default)]
struct Hasty {
    enemy: Tracker,
}

impl Bot for Hasty {
    const NAME: &'static str = "hasty";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        self.enemy.observe(view);
        let hits = |cell: Coord| self.enemy.states().filter(|state| state.contains(&Some(cell))).count();
        match view.reach().map(|cell| (hits(cell), cell)).max_by_key(|&(hits, _)| hits) {
            Some((1.., cell)) => Action::Attack(cell),
            _ => game.rng(view.turn).pick(view.legal_actions()).expect("there is always something"),
        }
    }
}

#[test]
fn it_wins_most_games_against_a_bot_that_only_looks_for_the_likeliest_hit() {
    let score = play::<SubTracker, Hasty>(200, 1).unwrap();
    println!("moving first: {score}");
    assert!(score.wins > 120, "{score}");
    let score = play::<Hasty, SubTracker>(200, 1).unwrap();
    println!("moving second: {score}");
    assert!(score.losses > 120, "{score}");
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
