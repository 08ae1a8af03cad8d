use crate::board::Board;

/// The board of 7 columns and 6 rows after these columns.
fn after(columns: &[usize]) -> Board {
    let mut board = Board::new(7, 6, 0);
    for &column in columns {
        assert!(board.end.is_none() && board.drop_disc(column).is_some(), "column {column}");
    }
    board
}

#[test]
fn four_in_a_row_win_in_each_direction() {
    for columns in [
        &[0, 0, 1, 1, 2, 2, 3][..],
        &[3, 0, 3, 0, 3, 0, 3],
        &[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3],
        &[6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3],
    ] {
        assert_eq!(after(columns).end, Some(Some(0)), "{columns:?}");
    }
    assert_eq!(after(&[0, 0, 1, 1, 2, 2]).end, None);
}

#[test]
fn a_full_or_missing_column_takes_no_disc() {
    let mut board = after(&[0, 0, 0, 0, 0, 0]);
    let before = board.clone();
    assert_eq!((board.drop_disc(0), board.drop_disc(7)), (None, None));
    assert_eq!(board, before);
}

#[test]
fn a_full_board_without_four_is_a_draw() {
    let mut board = Board::new(4, 4, 0);
    for column in [0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2] {
        assert!(board.drop_disc(column).is_some());
    }
    assert_eq!(board.end, Some(None), "\n{}", board.picture());
}
