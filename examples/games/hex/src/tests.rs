use crate::board::Side::{Across, Down};
use crate::board::{Board, neighbours};

/// A board of 3 × 3 with the swap rule, after stones in these rows and columns. `Down` begins.
fn after(stones: &[(usize, usize)]) -> Board {
    let mut board = Board::new(3, true);
    for &(row, column) in stones {
        assert!(board.place(row, column), "({row}, {column})\n{}", board.picture());
    }
    board
}

#[test]
fn who_connects_its_two_sides_wins() {
    assert_eq!(after(&[(0, 2), (0, 0), (1, 1), (0, 1)]).winner, None);
    assert_eq!(after(&[(0, 2), (0, 0), (1, 1), (0, 1), (2, 1)]).winner, Some(Down));
    // (0, 0) and (1, 1) do not touch.
    assert_eq!(after(&[(0, 0), (0, 2), (1, 1), (1, 2), (2, 1)]).winner, None);
    // The other player connects the left to the right.
    assert_eq!(after(&[(0, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2)]).winner, Some(Across));
}

#[test]
fn a_drawing_has_a_hexagon_for_each_cell_and_a_circle_for_each_stone() {
    let svg = after(&[(0, 2), (1, 1)]).picture_svg();
    assert_eq!(svg.matches("<polygon ").count(), 9);
    // And one for the last stone.
    assert_eq!(svg.matches("<circle ").count(), 3);
    assert_eq!(svg.matches("r=\"8\" fill=\"#c0392b\"").count(), 1);
}

#[test]
fn a_full_board_has_one_winner() {
    for seed in 0..100_u64 {
        let mut board = Board::new(5, true);
        let mut random = seed;
        while board.winner.is_none() {
            let empty: Vec<usize> = board.empty_cells().collect();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let cell = empty[(random >> 33) as usize % empty.len()];
            assert!(board.place(cell / 5, cell % 5));
        }
    }
}

#[test]
fn a_swap_takes_the_first_stone_over_to_the_own_side_of_the_board() {
    let mut board = after(&[(0, 2)]);
    assert!(board.may_swap() && board.swap());
    assert_eq!(board.picture(), " . . .\n  . . .\n   O . .");
    assert_eq!((board.player, board.last, board.may_swap()), (Down, Some(6), false));
}

#[test]
fn only_the_second_turn_may_be_a_swap_and_only_if_swaps_are_on() {
    let mut swapped = after(&[(1, 1)]);
    assert!(swapped.swap());
    let mut without = Board::new(3, false);
    assert!(without.place(1, 1));
    for mut board in [after(&[]), after(&[(0, 0), (1, 1)]), swapped, without] {
        let before = board.clone();
        assert!(!board.swap() && board == before);
    }
}

#[test]
fn a_cell_that_is_taken_or_not_there_changes_nothing() {
    let mut board = after(&[(1, 1)]);
    let before = board.clone();
    assert!(!board.place(1, 1) && !board.place(0, 3) && !board.place(3, 0));
    assert_eq!(board, before);
}

#[test]
fn neighbours_are_mutual_and_follow_each_other_in_a_circle() {
    let around: Vec<usize> = neighbours(3, 4).into_iter().flatten().collect();
    assert_eq!(around, [1, 2, 5, 7, 6, 3]);
    assert_eq!(neighbours(3, 0), [None, None, Some(1), Some(3), None, None]);
    for at in 0..6 {
        assert!(neighbours(3, around[at]).contains(&Some(around[(at + 1) % 6])));
    }
}
