//! The tables of `BENCHMARKS.md`.

use crate::machine::Machine;
use crate::results::Results;
use crate::setting::{
    BOTS, CLUB_BOTS, CLUB_PAGES_A_SECOND, CONNECT_FOUR_BOARDS, REMOTE_BOTS, RULES, THINKING_BOT,
};
use anyhow::{Result, ensure};
use arena_text::grouped;

/// A table, ready to be written.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name of its place in the document.
    pub name: &'static str,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(name: &'static str, header: &[&str]) -> Self {
        Self { name, header: header.iter().map(|&word| word.to_owned()).collect(), rows: Vec::new() }
    }

    fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table in Markdown. The first column is aligned left, and the others right.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = line(&self.header);
        let rules: Vec<String> =
            (0..self.header.len()).map(|column| if column == 0 { "---" } else { "---:" }.into()).collect();
        text.push_str(&line(&rules));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }
}

/// All tables of a run.
///
/// # Errors
/// A figure that was not measured.
pub fn all(results: &Results, machine: &Machine) -> Result<Vec<Table>> {
    Ok(vec![
        of_machine(machine),
        targets(results)?,
        playing(results, "alone", "a board")?,
        playing(results, "game", "a game")?,
        loaded(results)?,
        workers(results)?,
        processes(results)?,
        remote(results)?,
        traffic(results)?,
        million(results)?,
        steps(results)?,
        journal(results)?,
        games(results)?,
        bots(results)?,
        club(results)?,
        worst_unit(results)?,
        worst_call(results)?,
    ])
}

/// The table of the slowest units of fuel, slowest first.
///
/// # Errors
/// They were not measured.
pub fn worst_unit(results: &Results) -> Result<Table> {
    let mut table = Table::new("worst-unit", &["work", "a unit"]);
    let mut worst = results.beginning("worst-unit/");
    ensure!(!worst.is_empty(), "no unit was measured. Run `cargo xtask bench -- worst-unit`");
    worst.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    for (work, time) in worst {
        table.row([work.to_owned(), nanoseconds(time)]);
    }
    Ok(table)
}

/// The table of whole calls, for the time that fuel does not cover, slowest first.
///
/// # Errors
/// They were not measured.
pub fn worst_call(results: &Results) -> Result<Table> {
    let mut table = Table::new("worst-call", &["call", "time"]);
    let mut calls = results.beginning("worst-call/");
    ensure!(!calls.is_empty(), "no call was measured. Run `cargo xtask bench -- worst-unit`");
    calls.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    for (call, time) in calls {
        table.row([call.to_owned(), nanoseconds(time)]);
    }
    Ok(table)
}

fn of_machine(machine: &Machine) -> Table {
    let mut table = Table::new("machine", &["", "measured on"]);
    table.row(["processor", &machine.processor]);
    table.row(["cores", &machine.cores.to_string()]);
    table.row(["kernel", &machine.kernel]);
    table.row(["compiler", &machine.rustc]);
    table.row(["wasmtime", &machine.wasmtime]);
    table
}

/// A limit of a target.
#[derive(Clone, Copy)]
enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

fn targets(results: &Results) -> Result<Table> {
    let mut table = Table::new("targets", &["target", "limit", "measured", "met"]);
    let mut target = |what: &str, limit: Limit, value: f64, show: fn(f64) -> String| {
        let (words, is_met) = match limit {
            Limit::AtMost(most) => (format!("≤ {}", show(most)), value <= most),
            Limit::AtLeast(least) => (format!("≥ {}", show(least)), value >= least),
        };
        table.row([what, &words, &show(value), if is_met { "yes" } else { "no" }]);
    };
    let ratio = results.get("step/call/empty")? / results.get("step/bare call/empty")?;
    target("a call of the arena to one of a bare host, empty bot", Limit::AtMost(1.3), ratio, times);
    let rate = |bot: &str, workers: &str| results.get(&format!("workers/{bot}/{workers}/games a second"));
    let gain = rate(THINKING_BOT, "2")? / rate(THINKING_BOT, "1")?;
    target(&format!("two workers to one, `{THINKING_BOT}`"), Limit::AtLeast(1.85), gain, times);
    for bot in BOTS {
        for (workers, words) in [("1", "one worker"), ("2", "two workers")] {
            let threads = results.get(&format!("threads/{bot}/{workers}/games a second"))?;
            let what = format!("processes to threads, {words}, `{bot}`");
            target(&what, Limit::AtLeast(0.97), rate(bot, workers)? / threads, times);
        }
    }
    let remote = |bot: &str, workers: &str| results.get(&format!("remote/{bot}/{workers}/games a second"));
    for bot in REMOTE_BOTS {
        let [here, one] = [remote(bot, "0")?, remote(bot, "1")?];
        target(&format!("one remote worker to one local, `{bot}`"), Limit::AtLeast(0.95), one / here, times);
    }
    let gain = remote(THINKING_BOT, "2")? / remote(THINKING_BOT, "1")?;
    target(&format!("two remote workers to one, `{THINKING_BOT}`"), Limit::AtLeast(1.8), gain, times);
    let random = rate("random", "1")?;
    let what = "games a second, `random` against itself, one worker";
    target(what, Limit::AtLeast(3_000.0), random, digits);
    let what = "games a second, Connect Four as a component, `one-ahead` against itself, one worker";
    target(what, Limit::AtLeast(1_000.0), results.get("loaded/games a second")?, digits);
    for bot in BOTS {
        let time = |way: &str| results.get(&format!("journal/{bot}/{way}/seconds"));
        let what = format!("with a journal to without, `{bot}`");
        target(&what, Limit::AtMost(1.05), time("on")? / time("off")?, times);
    }
    let call = results.get("step/instance and first call/empty")?;
    target("instance and first call, empty bot", Limit::AtMost(10_000.0), call, nanoseconds);
    let start = results.get("start/warm/seconds")?;
    target("warm start to the first game, four bots", Limit::AtMost(0.05), start, seconds);
    let draw = results.get("step/draw a fleet/uniform/guide")?;
    target("uniform fleet by `guide`", Limit::AtMost(35_000.0), draw, nanoseconds);
    let admission = results.get("bots/many/cold/seconds")?;
    target("cold folder of 300 bots", Limit::AtMost(60.0), admission, seconds);
    for (name, bots) in CLUB_BOTS {
        let [first, second] = bots.map(code);
        let pages = grouped(CLUB_PAGES_A_SECOND.into());
        let what = format!("games of a club with {pages} pages a second to without, {first} and {second}");
        target(&what, Limit::AtLeast(0.9), games_left(results, name)?, times);
    }
    Ok(table)
}

/// Native bots compared with components: boards cleared alone, or games.
fn playing(results: &Results, name: &'static str, unit: &str) -> Result<Table> {
    let columns = ["rules", "bot", "native", "component", "component to native"];
    let columns = columns.map(|column| match column {
        "native" | "component" => format!("{column}, {unit}"),
        other => other.to_owned(),
    });
    let mut table = Table::new(name, &columns.each_ref().map(String::as_str));
    for rules in RULES {
        for bot in BOTS {
            let native = results.get(&format!("{name}/{rules}/{bot}/native"))?;
            let component = results.get(&format!("{name}/{rules}/{bot}/component"))?;
            let ratio = times(component / native);
            table.row([rules.to_owned(), code(bot), nanoseconds(native), nanoseconds(component), ratio]);
        }
    }
    Ok(table)
}

/// A game natively compared with one that is a component.
fn loaded(results: &Results) -> Result<Table> {
    let mut table =
        Table::new("loaded", &["board", "players", "natively, a turn", "as a component", "to native"]);
    for (name, [columns, rows]) in CONNECT_FOUR_BOARDS {
        for (players, native, component) in
            [("random", "native", "game"), ("`one-ahead` against itself", "native bots", "game and bots")]
        {
            let [native, component] =
                [results.get(&format!("{name}/{native}"))?, results.get(&format!("{name}/{component}"))?];
            let board = format!("{columns} by {rows}");
            let ratio = times(component / native);
            table.row([board, players.to_owned(), nanoseconds(native), nanoseconds(component), ratio]);
        }
    }
    Ok(table)
}

fn workers(results: &Results) -> Result<Table> {
    let mut table = Table::new(
        "workers",
        &["bot", "one worker, games a second", "two workers", "all cores", "two to one"],
    );
    for bot in BOTS {
        let rate = |workers: &str| results.get(&format!("workers/{bot}/{workers}/games a second"));
        let [one, two, all] = [rate("1")?, rate("2")?, rate("all")?];
        table.row([code(bot), digits(one), digits(two), digits(all), times(two / one)]);
    }
    Ok(table)
}

/// Workers that are processes compared with workers that are threads.
fn processes(results: &Results) -> Result<Table> {
    let header = [
        "bot",
        "threads, one worker, games a second",
        "two workers",
        "processes to threads, one worker",
        "two workers",
    ];
    let mut table = Table::new("processes", &header);
    for bot in BOTS {
        let rate =
            |place: &str, workers: &str| results.get(&format!("{place}/{bot}/{workers}/games a second"));
        let [one, two] = [rate("threads", "1")?, rate("threads", "2")?];
        let ratios = [rate("workers", "1")? / one, rate("workers", "2")? / two];
        table.row([code(bot), digits(one), digits(two), times(ratios[0]), times(ratios[1])]);
    }
    Ok(table)
}

fn remote(results: &Results) -> Result<Table> {
    let header =
        ["bot", "one job here, games a second", "one worker", "two workers", "one to here", "two to one"];
    let mut table = Table::new("remote", &header);
    for bot in REMOTE_BOTS {
        let rate = |workers: &str| results.get(&format!("remote/{bot}/{workers}/games a second"));
        let [here, one, two] = [rate("0")?, rate("1")?, rate("2")?];
        table.row([code(bot), digits(here), digits(one), digits(two), times(one / here), times(two / one)]);
    }
    Ok(table)
}

fn traffic(results: &Results) -> Result<Table> {
    let header = ["bot", "bytes a game out", "bytes a game back", "games a batch", "games a message back"];
    let mut table = Table::new("traffic", &header);
    for bot in REMOTE_BOTS {
        let figure = |name: &str| results.get(&format!("remote/{bot}/{name} a game"));
        table.row([
            code(bot),
            digits(figure("batches/bytes")?),
            digits(figure("results/bytes")?),
            digits(1.0 / figure("batches/messages")?),
            digits(1.0 / figure("results/messages")?),
        ]);
    }
    Ok(table)
}

fn million(results: &Results) -> Result<Table> {
    let mut table = Table::new("million", &["games", "coordinator", "a worker", "server"]);
    let games = results.get("remote/million/games")?;
    for share in [10, 50, 100] {
        let memory = |side: &str| results.get(&format!("remote/million/{share}/{side}/MiB")).map(mebibytes);
        let count = grouped((games * f64::from(share) / 100.0) as u64);
        table.row([count, memory("coordinator")?, memory("worker")?, memory("server")?]);
    }
    Ok(table)
}

fn steps(results: &Results) -> Result<Table> {
    let mut table = Table::new("steps", &["step", "time"]);
    let named = [
        ("cold load of `hunter`: compile it in a child process", "step/load/cold"),
        ("warm load of `hunter`: take it from the cache", "step/load/warm"),
        ("instance and first call, empty bot", "step/instance and first call/empty"),
        ("instance and first call, `random`", "step/instance and first call/random"),
        ("instance and first call, `hunter`", "step/instance and first call/hunter"),
        ("call of `play`, empty bot", "step/call/empty"),
        ("call of `play`, `random`", "step/call/random"),
        ("call of `play`, `hunter`", "step/call/hunter"),
        ("turn of refereeing by `guide`, players that cost nothing", "step/turn of refereeing/guide"),
        ("turn of refereeing by `classic`", "step/turn of refereeing/classic"),
        ("encode a transcript", "step/encode a transcript"),
        ("pack a game and write it to the journal, in batches", "journal/append"),
        ("draw a fleet by `guide`, uniform", "step/draw a fleet/uniform/guide"),
        ("draw a fleet by `classic`, uniform", "step/draw a fleet/uniform/classic"),
        ("draw a fleet by `pirates`, uniform", "step/draw a fleet/uniform/pirates"),
        ("draw a fleet by `guide`, scattered", "step/draw a fleet/scatter/guide"),
        ("draw a fleet by `classic`, scattered", "step/draw a fleet/scatter/classic"),
        ("draw a fleet by `pirates`, scattered", "step/draw a fleet/scatter/pirates"),
    ];
    for (step, name) in named {
        table.row([step.to_owned(), nanoseconds(results.get(name)?)]);
    }
    for (step, name) in [
        ("start `arena run` with four bots, to the end of its first game, warm", "start/warm/seconds"),
        ("the same, cold", "start/cold/seconds"),
    ] {
        table.row([step.to_owned(), seconds(results.get(name)?)]);
    }
    Ok(table)
}

fn journal(results: &Results) -> Result<Table> {
    let mut table =
        Table::new("journal", &["bot", "without", "with", "with to without", "the same in processor time"]);
    for bot in BOTS {
        let time = |way: &str| results.get(&format!("journal/{bot}/{way}/seconds"));
        let processor = |way: &str| results.get(&format!("journal/{bot}/{way}/processor/seconds"));
        let [off, on] = [time("off")?, time("on")?];
        let ratio = processor("on")? / processor("off")?;
        table.row([code(bot), seconds(off), seconds(on), times(on / off), times(ratio)]);
    }
    Ok(table)
}

fn games(results: &Results) -> Result<Table> {
    let mut table = Table::new("games", &["games", "time", "time a game", "memory"]);
    for size in ["few", "some", "many"] {
        let figure = |unit: &str| results.get(&format!("games/{size}/{unit}"));
        let (count, time) = (figure("count")?, figure("seconds")?);
        table.row([grouped(count as u64), seconds(time), seconds(time / count), mebibytes(figure("MiB")?)]);
    }
    Ok(table)
}

fn bots(results: &Results) -> Result<Table> {
    let mut table = Table::new(
        "bots",
        &["bots", "compiled", "cold", "cold, processor time a bot", "cold, memory", "warm", "warm, memory"],
    );
    for size in ["few", "some", "many"] {
        let figure = |unit: &str| results.get(&format!("bots/{size}/{unit}"));
        let count = figure("count")?;
        table.row([
            grouped(count as u64),
            grouped(figure("compiled")? as u64),
            seconds(figure("cold/seconds")?),
            seconds(figure("cold/processor/seconds")? / count),
            mebibytes(figure("cold/MiB")?),
            seconds(figure("warm/seconds")?),
            mebibytes(figure("warm/MiB")?),
        ]);
    }
    Ok(table)
}

/// The games of a club with readers to those without, on two cores that do nothing else: what a game costs the players more, and what is
/// left of the cores beside the pages.
fn games_left(results: &Results, name: &str) -> Result<f64> {
    let games = |readers: &str| results.get(&format!("club/{name}/{readers}/games a processor second"));
    let pages = f64::from(CLUB_PAGES_A_SECOND) * results.get("club/page/processor/seconds")?;
    Ok(games("with")? / games("without")? * (1.0 - pages / 2.0))
}

fn club(results: &Results) -> Result<Table> {
    let header = [
        "bots",
        "pages a second",
        "processor time a page",
        "games a second of the players' processor time, without readers",
        "with",
        "games left on two cores",
    ];
    let mut table = Table::new("club", &header);
    for (name, bots) in CLUB_BOTS {
        let figure = |unit: &str| results.get(&format!("club/{name}/{unit}"));
        let [first, second] = bots.map(code);
        table.row([
            format!("{first} and {second}"),
            digits(figure("pages a second")?),
            seconds(results.get("club/page/processor/seconds")?),
            digits(figure("without/games a processor second")?),
            digits(figure("with/games a processor second")?),
            times(games_left(results, name)?),
        ]);
    }
    Ok(table)
}

fn code(word: &str) -> String {
    format!("`{word}`")
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2}")
}

fn mebibytes(value: f64) -> String {
    format!("{} MiB", digits(value))
}

fn seconds(value: f64) -> String {
    nanoseconds(value * 1e9)
}

/// A time with the unit that fits it.
fn nanoseconds(value: f64) -> String {
    let (unit, size) = match value {
        ..1e3 => ("ns", 1.0),
        ..1e6 => ("µs", 1e3),
        ..1e9 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    format!("{} {unit}", digits(value / size))
}

/// A number with three significant digits, or more if it is large.
fn digits(value: f64) -> String {
    match value {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => grouped(value.round_ties_even() as u64),
    }
}
