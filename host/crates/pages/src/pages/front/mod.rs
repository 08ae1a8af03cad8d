//! The front page: who won, and how.

mod best;
mod crosstable;
mod games;
mod standings;
pub(super) mod verification;

use super::history::HistoryView;
use super::list;
use super::{Report, counted, render};
use crate::{Contest, Page, RankedBot, layout, time_in_words};
use arena_league::Placings;
use arena_record::RecordedSeed;
use arena_rules::GameRules;
use arena_rules::loaded::Parameter;
use arena_store::ChainHead;
use arena_text::grouped;
use askama::Template;
pub use best::Best;
use best::BestView;
use crosstable::{CrossRow, RoundOf, SwissRow};
use games::{FaultRow, Highlight, Out, Pick, Share};
use standings::{Order, StandingRow};
use verification::{Component, Offer};

/// The number of bots of the podium. Chosen: as many as a podium has steps.
const PODIUM: usize = 3;

/// The template of the front page.
#[derive(Template)]
#[template(path = "front.html")]
struct Front<'a> {
    contest: &'a Contest,
    root: &'static str,
    summary: String,
    podium: Vec<Step<'a>>,
    podium_words: &'static str,
    best: Option<BestView<'a>>,
    state: Vec<(&'static str, String)>,
    standings: Vec<StandingRow<'a>>,
    has_changes: bool,
    has_scores: bool,
    has_versions: bool,
    orders: Vec<Order<'a>>,
    history: Option<HistoryView<'a>>,
    crosstable: Option<Vec<CrossRow<'a>>>,
    bracket: Vec<RoundOf<'a>>,
    rounds: Vec<RoundOf<'a>>,
    swiss: Vec<SwissRow<'a>>,
    highlights: Vec<Highlight<'a>>,
    choice_words: String,
    has_replay_list: bool,
    picks: Vec<Pick<'a>>,
    endings: Vec<Share>,
    seats: Vec<Share>,
    faults: Vec<FaultRow<'a>>,
    disqualified: Vec<Out<'a>>,
    offer: Offer<'a>,
    components: Vec<Component<'a>>,
    conditions: Vec<(&'static str, String)>,
    rules: Vec<(String, String)>,
    rules_words: &'static str,
}

/// A step of the podium.
struct Step<'a> {
    place: u32,
    name: &'a str,
    link: String,
    /// The rating, or the points of a bot without one.
    figure: String,
}

pub(super) fn page(report: &Report<'_>, best: Option<&Best>) -> Page {
    let contest = report.contest;
    let (bracket, swiss) = match &contest.placings {
        Some(Placings::Knockout { matches, .. }) => (crosstable::bracket(report, matches), Vec::new()),
        Some(Placings::Swiss(_)) | None => (Vec::new(), crosstable::swiss(report)),
    };
    let rows = standings::standings(report);
    let front = Front {
        contest,
        root: "",
        summary: summary(contest),
        podium: podium(report),
        podium_words: if contest.is_complete { "The first three" } else { "The first three so far" },
        best: best.map(|best| best.view(report)),
        state: state(contest),
        has_scores: contest.standings.iter().any(|row| row.mean_score.is_some()),
        has_changes: contest.standings.iter().any(|row| row.change.is_some()),
        has_versions: contest.standings.iter().any(crate::RankedBot::is_older_version),
        orders: standings::orders(&rows),
        standings: rows,
        history: HistoryView::of_first(report),
        crosstable: crosstable::crosstable(report),
        bracket,
        rounds: crosstable::rounds(report),
        swiss,
        highlights: games::highlights(report),
        choice_words: report.choice_words(),
        has_replay_list: list::is_there(report),
        picks: games::picks(report),
        endings: games::endings(report),
        seats: games::seats(report),
        faults: games::faults(report),
        disqualified: games::disqualified(report),
        offer: verification::offer(contest),
        components: verification::components(contest),
        conditions: conditions(contest),
        rules: switches(&contest.conditions.rules),
        rules_words: rules_words(contest),
    };
    render(layout::FRONT.into(), &front)
}

/// The contest in a sentence.
fn summary(contest: &Contest) -> String {
    let rules = &contest.conditions.rules;
    let by = match rules {
        GameRules::Loaded(loaded) => format!("of {} {}", rules.name(), loaded.about().version),
        _ => format!("under the {} rules{}", rules.name(), rules.on_board()),
    };
    format!(
        "{} between {} {by}, {}, {} a match.",
        counted(contest.games.len() as u64, "game"),
        counted(contest.bots.len() as u64, "bot"),
        contest.format,
        counted(contest.games_per_match.into(), "game"),
    )
}

/// The first bots that have played, still play and were not disqualified.
fn podium<'a>(report: &Report<'a>) -> Vec<Step<'a>> {
    let stands = |row: &&RankedBot| row.score.games > 0 && !report.is_out(row.score.contestant);
    let step = |row: &'a RankedBot| {
        let bot = row.score.contestant;
        let points = || format!("{} of {} points", row.score.points(), row.score.games);
        let figure = row.rating.as_ref().map_or_else(points, |rating| format!("{rating} Elo"));
        Some(Step { place: row.place?, name: report.name(bot), link: layout::bot(bot), figure })
    };
    report.newest().filter(stands).filter_map(step).take(PODIUM).collect()
}

/// The state of the contest: whether it goes on, its dates, and the head of each journal.
pub(super) fn state(contest: &Contest) -> Vec<(&'static str, String)> {
    let (games, planned) = (grouped(contest.games.len() as u64), grouped(contest.games_planned as u64));
    let state = match (contest.is_closed, contest.is_complete) {
        (true, true) => format!("closed, all {planned} games played"),
        (true, false) => format!("closed after {games} of {planned} games"),
        (false, true) => format!("all {planned} games played; a further stage may follow"),
        (false, false) => format!("running, {games} of {planned} games played"),
    };
    let mut lines = vec![("State", state)];
    if let Some(at) = &contest.frozen_at {
        lines.push((
            "Frozen",
            format!("since {}: no more bots are taken, and those that play go on", time_in_words(at)),
        ));
    }
    if let Some([from, to]) = &contest.dates {
        let [from, to] = [from, to].map(|time| time.split('T').next().unwrap_or_default());
        lines.push(("Dates", if from == to { from.to_owned() } else { format!("{from} to {to}") }));
    }
    lines
}

/// The head of the journal's chain in words, for those who check it.
pub(super) fn head(contest: &Contest) -> Option<(&'static str, String)> {
    let ChainHead { sha256, links } = contest.journal.head.as_ref()?;
    Some(("Journal’s head", format!("{sha256}, after {}", counted(*links, "link"))))
}

pub(super) fn conditions(contest: &Contest) -> Vec<(&'static str, String)> {
    let conditions = &contest.conditions;
    let mut lines = Vec::from_iter(head(contest));
    lines.extend([
        ("Arena", conditions.arena.to_string()),
        ("wasmtime", conditions.wasmtime.to_string()),
        ("Engine", conditions.engine.to_string()),
    ]);
    lines.extend(match &conditions.rules {
        GameRules::Loaded(rules) => vec![
            ("Game", format!("{} {}", rules.about().name, rules.about().version)),
            ("SHA-256 of the game’s component", rules.sha256().to_owned()),
        ],
        rules => vec![("Game", rules.kind().to_string()), ("Rules", rules.name().to_owned())],
    });
    lines.extend([
        (
            "Format",
            format!("{}, {} a match", contest.format, counted(contest.games_per_match.into(), "game")),
        ),
        ("Fuel of a turn", grouped(conditions.limits.fuel_per_turn)),
        ("Memory of a bot", format!("{} MiB", conditions.limits.memory_bytes >> 20)),
    ]);
    if let Some(games) = contest.max_faults {
        lines.push(("Disqualified", format!("after faults in {}", counted(games.into(), "game"))));
    }
    let seed = contest.seed.map_or("secret until the last game".into(), |seed| seed.to_string());
    lines.push(("Random seed", seed));
    if let RecordedSeed::Secret(commitment) = &conditions.seed {
        lines.push(("SHA-256 of the seed, published before the first game", commitment.digits().to_string()));
    }
    lines
}

/// The title of the switches.
pub(super) fn rules_words(contest: &Contest) -> &'static str {
    match &contest.conditions.rules {
        GameRules::Loaded(_) => "The options of the game",
        _ => "The rules, switch by switch",
    }
}

/// The switches of the rules, by name.
pub(super) fn switches(rules: &GameRules) -> Vec<(String, String)> {
    if let GameRules::Loaded(rules) = rules {
        let option = |it: &Parameter| {
            let value = rules.settings().get(&it.name).map_or_else(String::new, i64::to_string);
            (it.name.clone(), format!("{value} ({} to {}): {}", it.minimum, it.maximum, it.help))
        };
        return rules.about().parameters.iter().map(option).collect();
    }
    let value = serde_json::to_value(rules).expect("rules are plain data");
    let all = value.as_object().cloned().unwrap_or_default();
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    all.into_iter().map(|(name, value)| (name, text(value))).collect()
}
