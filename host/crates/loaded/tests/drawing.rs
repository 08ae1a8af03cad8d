//! Games that draw themselves for pages.

use crate::common::{admit, fault, game};
use arena_loaded::{FaultKind, Game, trial, with_code_here};
use arena_rules::loaded::{Loaded, Rules};
use arena_rules::{Game as _, Seat};
use arena_sandbox::Component;

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 1'>";

/// The function that draws.
const DRAWS: &str = "(call $text (i32.const 0) (i32.const 2048) (i32.const LENGTH)) (i32.const 0)";

/// The well-behaved game with a function of this result and this body that draws.
fn drawing_with(svg: &str, result: &str, body: &str) -> Component {
    let body = body.replace("LENGTH", &svg.len().to_string());
    let parts = format!(
        "(data $svg (i32.const 2048) \"{svg}\")
        (func $picture-svg (param $state i32) (param $some i32) (param $viewer i32) (result i32) {body})
        (export \"zoo:matches/moves@0.1.0#picture-svg\" (func $picture-svg))"
    );
    let component = arena_testkit::drawing_game_component(&parts, result).expect("it is encoded");
    admit(&component).expect("it is admitted")
}

fn drawing(svg: &str) -> Component {
    drawing_with(svg, "string", DRAWS)
}

/// The game of a component at its beginning.
fn begin(component: &Component) -> Loaded {
    let about = Game::new(component.clone()).expect("it is a game").about().clone();
    let rules = Rules::new(about, component.hash());
    Loaded::new(&with_code_here(rules, component).expect("its code is here"), [7; 2], Seat::First)
}

#[test]
fn a_game_that_draws_is_shown_as_it_was_read_and_one_that_does_not_has_no_drawing() {
    let component = drawing(&format!("{SVG}<rect width='4'/></svg>"));
    let drawn = begin(&component).drawing(None).expect("it does not fail").expect("it draws");
    assert_eq!(
        drawn,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 1\">\n<rect width=\"4\">\n</rect>\n</svg>\n"
    );
    let drawer = Game::new(component).expect("it is a game");
    let trial = trial::play(&drawer, 40, &[], |_| true).expect("the host does not fail");
    assert!(trial.fault.is_none() && trial.fuel["picture-svg"].calls > 100, "{trial:?}");
    let silent = trial::play(&game(""), 40, &[], |_| true).expect("the host does not fail");
    assert!(!silent.fuel.contains_key("picture-svg"));
    // All else is the same.
    assert_eq!((silent.turns, silent.wins), (trial.turns, trial.wins));
}

#[test]
fn a_drawing_that_no_page_shows_is_left_out_and_found_by_the_trial_with_its_place() {
    for (inner, what) in [
        ("<script/>", "line 1, column 60: <script> is not among the elements of a drawing"),
        ("<rect onclick='a'/>", "line 1, column 66: `onclick` is not among the attributes of a drawing"),
        ("<rect fill='url(http://a)'/>", "line 1, column 66: `fill` has the character ':'"),
        ("<rect>", "line 1, column 66: expected 'rect' tag, not 'svg'"),
    ] {
        let component = drawing(&format!("{SVG}{inner}</svg>"));
        assert_eq!(begin(&component).drawing(Some(Seat::First)), Ok(None), "{inner}");
        let game = Game::new(component).expect("it is a game");
        let trial = trial::play(&game, 40, &[], |_| true).expect("the host does not fail");
        let fault = trial.fault.expect("it is found").fault;
        assert_eq!((fault.kind, fault.call.as_str()), (FaultKind::BadValue, "picture-svg"), "{fault}");
        assert!(fault.what.contains(what), "{inner}: {fault}");
    }
}

#[test]
fn no_game_depends_on_a_drawing_that_fails() {
    let component = drawing_with("", "string", "unreachable");
    let mut game = begin(&component);
    assert!(game.drawing(None).is_err());
    while let Some(seat) = game.to_move() {
        let _ = game.act(seat, &"{take: 1}".to_owned());
    }
    assert!(game.end().is_some() && game.failure().is_none());
}

#[test]
fn a_drawing_of_another_type_is_refused() {
    let component = drawing_with("", "list<u8>", DRAWS);
    let fault = fault(component);
    assert_eq!((fault.kind, fault.call.as_str()), (FaultKind::WrongTypes, "picture-svg"));
    assert!(fault.what.contains("it must return string"), "{fault}");
}
