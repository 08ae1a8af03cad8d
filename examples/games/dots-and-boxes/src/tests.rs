use crate::grid::Grid;

/// A grid of one row of two boxes, after these lines. Lines 0 to 3 go across, and 4 to 6 down.
fn after(lines: &[usize]) -> Grid {
    let mut grid = Grid::new(1, 2, 0, 0, 7);
    for &line in lines {
        assert!(grid.draw(line).is_some(), "line {line}");
    }
    grid
}

#[test]
fn a_player_that_completes_a_box_moves_again() {
    let mut grid = after(&[0, 2, 4]);
    assert_eq!(grid.player, 1);
    assert_eq!((grid.draw(5), grid.player, grid.score(1)), (Some(1), 1, 1));
    assert_eq!((grid.draw(1), grid.player), (Some(0), 0));
}

#[test]
fn a_line_between_two_boxes_may_complete_both() {
    let mut grid = after(&[0, 1, 2, 3, 4, 6]);
    assert!(!grid.is_over());
    assert_eq!((grid.draw(5), grid.player), (Some(2), 0));
    assert!(grid.is_over());
    assert_eq!((grid.winner(), grid.free_lines().len()), (Some(0), 0));
}

#[test]
fn a_game_with_as_many_boxes_for_each_is_a_draw() {
    let grid = after(&[1, 4, 0, 2, 5, 3, 6]);
    assert_eq!((grid.score(0), grid.score(1), grid.winner()), (1, 1, None), "\n{}", grid.picture());
}

#[test]
fn a_line_that_is_drawn_or_not_there_changes_nothing() {
    let mut grid = after(&[0]);
    let before = grid.clone();
    assert_eq!((grid.draw(0), grid.draw(7)), (None, None));
    assert_eq!(grid, before);
}

#[test]
fn lines_that_are_there_at_the_beginning_come_from_the_seed_and_complete_no_box() {
    for seed in 0..50 {
        let grid = Grid::new(3, 3, 20, 1, seed);
        assert_eq!(grid, Grid::new(3, 3, 20, 1, seed));
        let drawn = grid.lines.iter().filter(|&&line| line).count();
        assert!((12..=20).contains(&drawn) && grid.boxes.iter().all(Option::is_none), "\n{}", grid.picture());
        assert_eq!(grid.player, 1);
    }
    assert_ne!(Grid::new(3, 3, 4, 0, 1), Grid::new(3, 3, 4, 0, 2));
}

#[test]
fn a_picture_shows_lines_and_boxes() {
    let picture = after(&[0, 2, 4, 5]).picture();
    assert_eq!(picture, "+---+   +\n| 2 |    \n+---+   +\nseat 1: 0, seat 2: 1");
}
