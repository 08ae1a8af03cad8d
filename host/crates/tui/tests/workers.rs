//! The workers on other machines, on the dashboard and on a page of their own.

use crate::common::{LARGE, SMALL, picture, press};
use crate::dashboard::{look, shared};
use arena_tui::{DashboardScreen, KeyEffect, WorkersColumn, WorkersState, WorkersTable};
use std::sync::Arc;

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
    insta::assert_snapshot!("workers_small", picture(&screen, SMALL));
    insta::assert_snapshot!("workers_large", picture(&screen, LARGE));
    insta::assert_snapshot!("workers_smallest", picture(&screen, (60, 20)));
    press(&mut screen, "<end>");
    let seen = picture(&screen, SMALL);
    assert!(seen.contains("node-39") && !seen.contains("more ↓"), "{seen}");
    press(&mut screen, "<home><down>");
    assert!(!picture(&screen, SMALL).contains("an-old-l"));
    assert_eq!(press(&mut screen, "w"), KeyEffect::Changed, "back to the dashboard");
    assert!(picture(&screen, SMALL).contains("playing 0"));
}
