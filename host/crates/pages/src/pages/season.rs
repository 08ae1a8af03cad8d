//! The page about the season of a club: its state, the heads of its chain, its conditions, and how to verify it.

use super::front::verification::{self, Component, Offer};
use super::front::{conditions, rules_words, state, switches};
use super::{Report, render};
use crate::{Contest, Page, layout};
use askama::Template;

/// The number of stages that are listed, the latest ones. Chosen: those of some hours; a page of some 30 KB.
const LISTED: usize = 100;

/// The template of the page.
#[derive(Template)]
#[template(path = "season.html")]
struct SeasonPage<'a> {
    contest: &'a Contest,
    root: &'static str,
    trail: Vec<(&'static str, Option<String>)>,
    state: Vec<(&'static str, String)>,
    stages: Vec<Row<'a>>,
    /// The file of the journal, quoted for a shell.
    journal: &'a str,
    offer: Offer<'a>,
    components: Vec<Component<'a>>,
    conditions: Vec<(&'static str, String)>,
    rules_words: &'static str,
    rules: Vec<(String, String)>,
}

/// A stage.
struct Row<'a> {
    number: usize,
    begun: &'a str,
    games: String,
    head: &'a str,
}

pub(super) fn page(report: &Report<'_>) -> Page {
    let contest = report.contest;
    let rows = (1..).zip(&contest.stages).map(|(number, stage)| Row {
        number,
        begun: stage.begun.as_deref().unwrap_or("–"),
        games: arena_text::grouped(stage.games as u64),
        head: stage.head.as_ref().map_or("–", |head| &head.sha256),
    });
    let mut stages: Vec<Row<'_>> = rows.collect();
    stages.reverse();
    stages.truncate(LISTED);
    let page = SeasonPage {
        contest,
        root: "",
        trail: vec![("Season", None)],
        state: state(contest),
        stages,
        journal: &contest.journal.word,
        offer: verification::offer(contest),
        components: verification::components(contest),
        conditions: conditions(contest),
        rules_words: rules_words(contest),
        rules: switches(&contest.conditions.rules),
    };
    render(layout::SEASON.into(), &page)
}
