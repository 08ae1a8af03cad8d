//! The tables of a tournament, for a reader.

use super::{StandingsOutput, faults, json, placings};
use arena_engine::{Rating, Row};
use arena_league::Superiority;
use arena_record::{Label, Name, moment};
use arena_store::ChainHead;
use arena_text::{Text, counted, table};

/// The largest number of contestants of a crosstable. Chosen: more do not fit a line of 120.
const CROSSTABLE_MAX: usize = 12;

/// The largest number of rows of a table that is shown whole. Chosen: two screens, in which one can look for a bot.
const ROWS_WHOLE_MAX: usize = 60;

/// The rows that are shown of the top and of the end of a longer table. Chosen: a screen.
const ROWS_CUT: [usize; 2] = [30, 5];

/// The largest number of lines of faults in a table. Chosen: they are read one by one, and standings come first.
const FAULT_LINES_MAX: usize = 20;

/// The largest number of disqualified bots that are printed with their last fault. Chosen as above; each has two lines.
const DISQUALIFIED_MAX: usize = 10;

/// The largest number of functions of a stack in a table; a transcript has more. Chosen: a line or two of 120.
const FRAMES_SHOWN_MAX: usize = 5;

pub(super) fn text(report: &StandingsOutput<'_>) -> Text {
    let rows = report.ranking.rows();
    let mut parts: Vec<String> = placings::text(report).into_iter().collect();
    let gone: Vec<&Label> = report.ranking.gone().collect();
    parts.push(standings(&rows, &gone, Cut::of(rows.len(), report.top)));
    parts.extend(crosstable(report, &rows));
    parts.extend(fault_table(report));
    parts.extend(disqualified(report));
    parts.push(notes(report).join("\n"));
    format!("\n{}", parts.join("\n\n")).into()
}

/// A likelihood in whole percent. It is never rounded to certainty.
fn whole_percent(likelihood: f64) -> String {
    match 100.0 * likelihood {
        ..=0.5 => "<1%".into(),
        percent if percent >= 99.5 => ">99%".into(),
        percent => format!("{percent:.0}%"),
    }
}

fn standings(rows: &[Row<'_>], gone: &[&Label], cut: Cut) -> String {
    let mut header = vec!["", "bot", "elo", "±", "los", "points", "games", "won", "drawn", "lost", "faults"];
    let has_scores = rows.iter().any(|row| row.mean_score.is_some());
    if has_scores {
        header.extend(["score", "±"]);
    }
    let cells = |row: &Row<'_>| {
        let [value, error] =
            if row.disqualified { ["out".into(), String::new()] } else { row.rating.cells() };
        let los = match row.los {
            Some(Superiority::Likelihood(los)) => whole_percent(los),
            Some(Superiority::TooEarly) => "too early".into(),
            None => String::new(),
        };
        let mut cells = vec![
            row.place.to_string(),
            if gone.contains(&row.bot) { format!("{} (left)", row.bot) } else { row.bot.to_string() },
            value,
            error,
            los,
            points(row.points),
            row.score.games.to_string(),
            row.score.wins.to_string(),
            row.score.draws.to_string(),
            row.score.losses.to_string(),
            row.score.faults.to_string(),
        ];
        if has_scores {
            let error = row.mean_score.and_then(|it| it.error);
            let figure = |figure: Option<f64>| figure.map_or(String::new(), |it| format!("{it:.2}"));
            cells.extend([figure(row.mean_score.map(|it| it.mean)), figure(error)]);
        }
        cells
    };
    let mut text = table(&header, &[1], cut.lines(rows, cells, header.len()));
    if cut.left_out > 0 {
        text += &format!("\n{} left out: --top {} shows all", counted(cut.left_out, "bot"), rows.len());
    }
    text
}

/// The rows of a table that are shown: some of the top, and some of the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    top: usize,
    /// The number of rows that are left out after the top.
    left_out: usize,
}

impl Cut {
    /// The rows that are shown of this number: the top ones that were asked for, or all if they are few.
    pub(super) fn of(rows: usize, asked: Option<usize>) -> Self {
        let [top, end] = match asked {
            Some(top) => [top.min(rows), 0],
            None if rows <= ROWS_WHOLE_MAX => [rows, 0],
            None => ROWS_CUT,
        };
        Self { top, left_out: rows - top - end }
    }

    /// The cells of the rows that are shown, with a row of dots for those that are left out between them.
    pub(super) fn lines<'a, T>(
        self,
        rows: &'a [T],
        cells: impl Fn(&'a T) -> Vec<String>,
        columns: usize,
    ) -> impl Iterator<Item = Vec<String>> {
        let (top, rest) = rows.split_at(self.top);
        let end = &rest[self.left_out..];
        let dots = (self.left_out > 0 && !end.is_empty()).then(|| {
            let mut dots = vec![String::new(); columns];
            dots[..2].fill("...".into());
            dots
        });
        let mut lines: Vec<Vec<String>> = top.iter().map(&cells).collect();
        lines.extend(dots);
        lines.extend(end.iter().map(&cells));
        lines.into_iter()
    }
}

/// The points of each bot against each, in the order of the standings; with the number of games if it is not the same everywhere.
fn crosstable(report: &StandingsOutput<'_>, rows: &[Row<'_>]) -> Option<String> {
    if rows.len() < 3 || rows.len() > CROSSTABLE_MAX {
        return None;
    }
    let places: Vec<String> = rows.iter().map(|row| row.place.to_string()).collect();
    let header: Vec<&str> =
        ["", "points against"].into_iter().chain(places.iter().map(String::as_str)).collect();
    let met = |row: &Row<'_>, other: &Row<'_>| {
        report.ranking.results.standings.against(row.score.contestant, other.score.contestant)
    };
    let mut games = rows.iter().flat_map(|row| rows.iter().filter_map(move |other| Some(met(row, other)?.1)));
    let first = games.next();
    let are_same = games.all(|games| Some(games) == first);
    let cells = rows.iter().map(|row| {
        let against = |other: &Row<'_>| match met(row, other) {
            None => "-".into(),
            Some((scored, _)) if are_same => points(scored),
            Some((scored, games)) => format!("{} of {games}", points(scored)),
        };
        [row.place.to_string(), row.bot.to_string()].into_iter().chain(rows.iter().map(against)).collect()
    });
    Some(table(&header, &[1], cells))
}

/// Points with a half as a half: `7` or `7.5`.
pub(super) fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// The faults of each bot by class; `None` when there are no faults.
fn fault_table(report: &StandingsOutput<'_>) -> Option<String> {
    let all = faults::lines(report);
    let lines = &all[..all.len().min(FAULT_LINES_MAX)];
    let cells = lines.iter().map(|line| {
        let turn = moment(line.first_turn);
        vec![
            line.bot.to_string(),
            line.class.to_string(),
            line.count.to_string(),
            line.games.to_string(),
            format!("game {}, {turn}", line.first_game),
            line.detail.to_string(),
        ]
    });
    let header = ["bot", "fault", "times", "in games", "first", "description"];
    let stacks = lines.iter().filter(|line| !line.stack.is_empty()).map(|line| {
        let calls = line.stack.iter().take(FRAMES_SHOWN_MAX).map(ToString::to_string).collect::<Vec<_>>();
        format!("stack of {}, {}: {}", line.bot, line.class, calls.join(" < "))
    });
    let parts = std::iter::once(table(&header, &[0, 1, 4, 5], cells)).chain(stacks);
    let parts: Vec<String> = parts.chain(and_more(all.len(), FAULT_LINES_MAX)).collect();
    (!lines.is_empty()).then(|| parts.join("\n"))
}

/// A line for each bot that was disqualified, with the place of the recording of its last game.
fn disqualified(report: &StandingsOutput<'_>) -> Option<String> {
    let disqualified = faults::disqualified(report);
    let games = counted(report.ranking.settings.max_faults.unwrap_or_default(), "game");
    let line = |it: &faults::DisqualifiedRow<'_>| {
        let recording = it.recording.as_ref().map_or(String::new(), |place| format!("; recorded: {place}"));
        let unplayed = match it.unplayed {
            1 => "1 of its games was not played and counts as lost".to_owned(),
            unplayed => format!("{unplayed} of its games were not played and count as lost"),
        };
        format!(
            "{} was disqualified after faults in {games}: {unplayed}\n  last fault: game {}, {}: {}{recording}",
            it.bot, it.after_game, it.class, it.detail
        )
    };
    let lines = disqualified.iter().take(DISQUALIFIED_MAX).map(line);
    let lines: Vec<String> = lines.chain(and_more(disqualified.len(), DISQUALIFIED_MAX)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The line for those of a list that are not shown, if there are any.
fn and_more(all: usize, shown_max: usize) -> Option<String> {
    let more = all.saturating_sub(shown_max);
    (more > 0).then(|| format!("and {more} more: -o json has all"))
}

/// Notes: the conditions of the games, and the limits of the figures.
fn notes(report: &StandingsOutput<'_>) -> Vec<String> {
    let (conditions, results, ratings) = (report.conditions, report.ranking.results, &report.ranking.ratings);
    let played = results.sums.delivered;
    let of = if results.complete { String::new() } else { format!(" of {}", results.games_planned) };
    let games = if played == 1 && of.is_empty() || results.games_planned == 1 { "game" } else { "games" };
    let mut notes = vec![format!(
        "{played}{of} {games} under the `{}` rules{}, {}, {} fuel a turn",
        Name::new(conditions.rules.name()),
        conditions.rules.on_board(),
        report.ranking.settings.format,
        conditions.limits.fuel_per_turn,
    )];
    notes.extend(report.seed().map(|seed| format!("seed {seed}")));
    if let Some(commitment) = json::commitment(&conditions.seed) {
        let known = if report.seed().is_some() {
            "known before the first game"
        } else {
            "revealed when the season is closed"
        };
        notes.push(format!("SHA-256 of the stage's seed, {known}: {}", commitment.digits()));
    }
    if let Some(first) = report.ranking.first_seat().map(Rating::signed) {
        notes.push(format!(
            "seat 1 is worth {first} Elo; {} of {} drawn",
            ratings.draws(),
            counted(ratings.games(), "game")
        ));
    }
    notes.extend(report.ranking.notes());
    if let Some(ChainHead { links, sha256 }) = &report.head {
        notes.push(format!("head of the journal's chain after {links} links: {sha256}"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_likelihood_is_never_rounded_to_certainty() {
        let texts = [0.0, 0.005, 0.006, 0.5, 0.994, 0.995, 1.0].map(whole_percent);
        assert_eq!(texts, ["<1%", "<1%", "1%", "50%", "99%", ">99%", ">99%"]);
    }

    #[test]
    fn up_to_sixty_rows_are_shown_whole_and_of_more_the_top_and_the_end() {
        let shown = |rows: usize, asked: Option<usize>| {
            let (numbers, cut) = ((1..=rows).collect::<Vec<_>>(), Cut::of(rows, asked));
            let lines = cut.lines(&numbers, |number| vec![number.to_string(), String::new()], 2);
            let first: Vec<String> = lines.map(|mut line| line.swap_remove(0)).collect();
            (first.len(), first.last().cloned().unwrap_or_default(), cut.left_out)
        };
        assert_eq!(shown(60, None), (60, "60".into(), 0));
        // With a line of dots.
        assert_eq!(shown(61, None), (36, "61".into(), 26));
        assert_eq!(shown(61, Some(2)), (2, "2".into(), 59));
        assert_eq!(shown(3, Some(4)), (3, "3".into(), 0));
    }

    #[test]
    fn what_a_table_leaves_out_is_counted() {
        let texts = [19, 20, 21].map(|all| and_more(all, 20));
        assert_eq!(texts, [None, None, Some("and 1 more: -o json has all".into())]);
    }
}
