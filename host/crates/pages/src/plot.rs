//! Plots as SVG. Of text from outside, they have only names of bots, cut and escaped.
//!
//! The colours are names: the style sheet replaces each by one for a light or a dark page.

use arena_engine::Rating;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

/// Axes, labels and marks.
const INK: RGBColor = RGBColor(0x10, 0x10, 0x10);
/// Lines of the grid, and the scale of a rating.
const FAINT: RGBColor = RGBColor(0xcc, 0xcc, 0xcc);
/// The bot that a page is about.
const BOT: RGBColor = RGBColor(0x10, 0x60, 0xc0);
/// All bots together.
const FIELD: RGBColor = RGBColor(0x80, 0x80, 0x80);
/// The limit.
const LIMIT: RGBColor = RGBColor(0xc0, 0x20, 0x20);

/// The size of a plot, in units that a page scales. Chosen: readable at the width of a phone.
const SIZE: (u32, u32) = (560, 260);

/// The size of a rating's interval in a row of a table.
const BAR_SIZE: (u32, u32) = (180, 20);

/// The width up to which a picture is one for a phone, which has no room for names and dates.
const NARROW: u32 = 500;

/// The room for names next to a wide picture, and the largest number of characters of a name there. Chosen: they fit with wide letters.
const NAMES_WIDTH: u32 = 150;
/// See [`NAMES_WIDTH`].
const NAME_CHARS: usize = 14;

/// The largest number of bars of a histogram. Chosen: each is some pixels wide on a phone.
const BARS_MAX: u32 = 40;

type Drawn = Result<(), Box<dyn Error>>;

/// Draws a picture. Drawing into memory fails only because of a defect of the arena.
fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Drawn,
) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area).and_then(|()| Ok(area.present()?)).expect("memory takes any picture");
    }
    text
}

/// The interval of a rating on the scale of all ratings.
pub(crate) fn rating(rating: &Rating, (from, to): (f64, f64)) -> String {
    let (width, height) = (f64::from(BAR_SIZE.0 - 12), BAR_SIZE.1 as i32);
    let place = |elo: f64| 6 + ((elo.clamp(from, to) - from) / (to - from).max(1.0) * width).round() as i32;
    let middle = height / 2;
    // An open end goes to the edge of the scale.
    let (low, high) = (rating.low.unwrap_or(from), rating.high.unwrap_or(to));
    svg(BAR_SIZE, |area| {
        let line = |from, to, style: ShapeStyle| PathElement::new(vec![from, to], style);
        area.draw(&line((place(from), middle), (place(to), middle), FAINT.stroke_width(1)))?;
        area.draw(&line((place(0.0), 2), (place(0.0), height - 2), FAINT.stroke_width(1)))?;
        area.draw(&line((place(low), middle), (place(high), middle), BOT.stroke_width(3)))?;
        for end in [rating.low, rating.high].into_iter().flatten() {
            area.draw(&line((place(end), middle - 4), (place(end), middle + 4), BOT.stroke_width(2)))?;
        }
        if let Some(elo) = rating.elo {
            area.draw(&Circle::new((place(elo), middle), 4, BOT.filled()))?;
        }
        Ok(())
    })
}

/// The colours of lines, one for each of the first bots; the style sheet has them again for a dark page.
const LINES: [RGBColor; 8] = [
    RGBColor(0x10, 0x60, 0xC1),
    RGBColor(0xB3, 0x46, 0x0F),
    RGBColor(0x1B, 0x7A, 0x4B),
    RGBColor(0x8A, 0x3F, 0xB0),
    RGBColor(0x92, 0x66, 0x0A),
    RGBColor(0x0B, 0x7A, 0x86),
    RGBColor(0xC0, 0x26, 0x70),
    RGBColor(0x5B, 0x63, 0x6B),
];

/// The height of a number at the end of a line, in units of the picture.
const NUMBER_HEIGHT: i32 = 16;

/// The width that a number at the end of a line may take. Chosen: three digits.
const NUMBER_WIDTH: i32 = 28;

/// The rating of a bot after a number of games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub games: f64,
    /// The rating in Elo, or the end of its interval that is known.
    pub elo: f64,
    /// True if only that end is known.
    pub is_bound: bool,
}

/// Ratings over the number of games, a line for each bot, with its number and name at its end. Where only bounds are known, a line has the
/// width 1, which the style sheet makes dotted; it is a point if there is one moment. A vertical line is the beginning of a stage. `None`
/// when no two moments have a rating.
pub(crate) fn ratings_over_time(
    size: (u32, u32),
    lines: &[Vec<Moment>],
    ends_of: &[(usize, &str)],
    stages: &[f64],
    date_of: impl Fn(f64) -> String,
) -> Option<String> {
    let is_wide = size.0 > NARROW;
    let ends = |of: fn(&Moment) -> f64| {
        let all = lines.iter().flatten().map(of);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
    };
    let ((first, last), (low, high)) = (ends(|moment| moment.games), ends(|moment| moment.elo));
    if first >= last {
        return None;
    }
    let margin = (high - low).max(20.0) * 0.05;
    let picture = svg(size, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(if is_wide { NAMES_WIDTH } else { 34 })
            .x_label_area_size(34)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..last, low - margin..high + margin)?;
        let games = |number: &f64| match date_of(*number) {
            date if is_wide && !date.is_empty() => format!("{}, {date}", units(*number)),
            _ => units(*number),
        };
        let elo = |number: &f64| format!("{number:.0}");
        let mut axes = chart.configure_mesh();
        mesh(axes.x_label_formatter(&games).y_label_formatter(&elo).x_desc("games").y_desc("Elo"))?;
        for &games in stages {
            let line = [(games, low - margin), (games, high + margin)];
            chart.draw_series(DashedLineSeries::new(line, 4, 4, FIELD.stroke_width(1)))?;
        }
        let mut ends = Vec::new();
        for ((line, &(number, _)), colour) in lines.iter().zip(ends_of).zip(LINES.iter().cycle()) {
            if let [only] = line[..] {
                chart.draw_series([Circle::new((only.games, only.elo), 3, colour.filled())])?;
            }
            // The parts between two moments, as many as are alike in one piece.
            let parts: Vec<&[Moment]> = line.windows(2).collect();
            let is_bound = |part: &[Moment]| part.iter().any(|moment| moment.is_bound);
            for alike in parts.chunk_by(|part, next| is_bound(part) == is_bound(next)) {
                let moments = alike[..1].iter().map(|part| part[0]).chain(alike.iter().map(|part| part[1]));
                let width = if is_bound(alike[0]) { 1 } else { 2 };
                let points = moments.map(|moment| (moment.games, moment.elo));
                chart.draw_series(LineSeries::new(points, colour.stroke_width(width)))?;
            }
            ends.extend(line.last().map(|end| (chart.backend_coord(&(end.games, end.elo)), number, colour)));
        }
        let right = chart.backend_coord(&(last, low)).0;
        let bottom = size.1 as i32 - 42;
        for ((x, y), number, colour) in spread(ends, bottom) {
            let style = ("sans-serif", 14).into_font().color(colour).pos(Pos::new(HPos::Left, VPos::Center));
            let name = ends_of.iter().find(|(of, _)| is_wide && *of == number).map(|(_, name)| *name);
            let text =
                format!("{number} {}", name.map_or(String::new(), |name| arena_text::line(name, NAME_CHARS)));
            area.draw(&Text::new(text.trim_end().to_owned(), (x.min(right) + 7, y), style))?;
        }
        Ok(())
    });
    Some(picture)
}

/// The end of a line: its place, its number and its colour.
type End<'a> = ((i32, i32), usize, &'a RGBColor);

/// Moves the numbers at the ends of lines apart, so that none covers another. Lines that end far from each other are left alone.
fn spread(mut ends: Vec<End<'_>>, bottom: i32) -> Vec<End<'_>> {
    ends.sort_by_key(|&((x, _), number, _)| (x, number));
    for near in ends.chunk_by_mut(|&((x, _), ..), &((next, _), ..)| next - x < NUMBER_WIDTH) {
        near.sort_by_key(|&((_, y), number, _)| (y, number));
        let mut above = 0;
        for ((_, y), ..) in near.iter_mut() {
            *y = (*y).max(above + NUMBER_HEIGHT);
            above = *y;
        }
        let mut below = bottom + NUMBER_HEIGHT;
        for ((_, y), ..) in near.iter_mut().rev() {
            *y = (*y).min(below - NUMBER_HEIGHT);
            below = *y;
        }
    }
    ends
}

/// The distribution of a bot's turns to win next to that of the field, both as shares in percent.
pub(crate) fn turns_to_win(bot: &[u32], field: &[u32]) -> Option<String> {
    let both = || bot.iter().chain(field).copied();
    let (least, most) = (both().min()?, both().max()?);
    let width = (most - least + 1).div_ceil(BARS_MAX).max(1);
    let bars = ((most - least) / width + 1) as usize;
    let shares = |turns: &[u32]| {
        let mut shares = vec![0.0; bars];
        for turn in turns {
            shares[((turn - least) / width) as usize] += 100.0 / turns.len() as f64;
        }
        shares
    };
    let (of_bot, of_field) = (shares(bot), shares(field));
    let top = of_bot.iter().chain(&of_field).copied().fold(1.0, f64::max) * 1.1;
    let start = |bar: usize| f64::from(least + bar as u32 * width);
    let step = f64::from(width);
    let picture = svg(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(44)
            .build_cartesian_2d(start(0)..start(bars), 0.0..top)?;
        let whole = |number: &f64| whole(*number);
        let mut axes = chart.configure_mesh();
        mesh(
            axes.x_label_formatter(&whole)
                .y_label_formatter(&whole)
                .x_desc("turns to win")
                .y_desc("% of wins"),
        )?;
        chart.draw_series(of_bot.iter().enumerate().filter(|(_, share)| **share > 0.0).map(
            |(bar, &share)| {
                Rectangle::new([(start(bar), 0.0), (start(bar) + 0.9 * step, share)], BOT.filled())
            },
        ))?;
        let outline = of_field
            .iter()
            .enumerate()
            .flat_map(|(bar, &share)| [(start(bar), share), (start(bar + 1), share)]);
        chart.draw_series(LineSeries::new(outline, FIELD.stroke_width(2)))?;
        Ok(())
    });
    Some(picture)
}

/// The fuel of a bot by turn: the mean, the most, and the budget, on a logarithmic scale.
pub(crate) fn fuel(mean: &[(f64, f64)], most: &[(f64, f64)], budget: f64, turn: &str) -> Option<String> {
    // A deployment alone is no line.
    let last = mean.last()?.0;
    if last == 0.0 {
        return None;
    }
    let least = mean.iter().map(|&(_, fuel)| fuel).fold(budget, f64::min).max(1.0);
    let picture = svg(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..last, (least / 2.0..budget * 2.0).log_scale())?;
        let short = |fuel: &f64| units(*fuel);
        let whole = |number: &f64| whole(*number);
        let mut axes = chart.configure_mesh();
        axes.x_label_formatter(&whole).y_label_formatter(&short);
        mesh(axes.x_desc(turn).y_desc("fuel"))?;
        chart.draw_series(LineSeries::new(most.iter().copied(), FIELD.stroke_width(1)))?;
        chart.draw_series(LineSeries::new(mean.iter().copied(), BOT.stroke_width(2)))?;
        chart.draw_series(LineSeries::new([(0.0, budget), (last, budget)], LIMIT.stroke_width(2)))?;
        Ok(())
    });
    Some(picture)
}

/// Draws axes, few lines and labels.
fn mesh<'a, 'b, X, Y, DB>(mesh: &mut plotters::chart::MeshStyle<'a, 'b, X, Y, DB>) -> Drawn
where
    X: plotters::coord::ranged1d::Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    Y: plotters::coord::ranged1d::Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    DB: DrawingBackend,
    DB::ErrorType: 'static,
{
    let text = || ("sans-serif", 13).into_font().color(&INK);
    mesh.disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style(text())
        .axis_desc_style(text())
        .x_labels(8)
        .y_labels(5)
        .draw()?;
    Ok(())
}

/// A number at an axis: nothing at a place between two whole numbers.
fn whole(number: f64) -> String {
    if (number - number.round()).abs() < 1e-6 { format!("{number:.0}") } else { String::new() }
}

/// A number of units of fuel in few characters: `845`, `1.2k`, `300M`.
fn units(number: f64) -> String {
    let (scale, suffix) = match number {
        ..1e3 => (1.0, ""),
        ..1e6 => (1e3, "k"),
        ..1e9 => (1e6, "M"),
        _ => (1e9, "G"),
    };
    let scaled = number / scale;
    if scaled < 10.0 && scaled.fract() > 0.05 {
        format!("{scaled:.1}{suffix}")
    } else {
        format!("{scaled:.0}{suffix}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_ends_of_lines_do_not_cover_each_other() {
        let ends = [(100, 1), (101, 2), (102, 3), (290, 4), (295, 5)];
        let ends = ends.map(|(y, number)| ((0, y), number, &LINES[0])).to_vec();
        let places: Vec<_> = spread(ends, 300).into_iter().map(|((_, y), number, _)| (y, number)).collect();
        assert_eq!(places, [(100, 1), (116, 2), (132, 3), (284, 4), (300, 5)]);
        let apart = [((0, 100), 1, &LINES[0]), ((90, 101), 2, &LINES[1])];
        assert_eq!(spread(apart.to_vec(), 300), apart);
    }

    #[test]
    fn a_line_of_ratings_needs_two_moments() {
        let no_date = |_| String::new();
        let moment = |games: f64, is_bound| Moment { games, elo: games / 2.0, is_bound };
        assert_eq!(
            ratings_over_time((400, 300), &[vec![moment(10.0, false)]], &[(1, "a")], &[], no_date),
            None
        );
        let lines = [vec![moment(10.0, true), moment(20.0, false), moment(30.0, false)]];
        let draw = |width, lines: &[Vec<Moment>]| {
            let date = |games: f64| format!("day {games}");
            ratings_over_time((width, 300), lines, &[(7, "<i>a long name of a bot")], &[], date).unwrap()
        };
        let dotted = |picture: &str| {
            picture
                .lines()
                .filter(|line| line.contains("#1060C1") && line.contains("stroke-width=\"1\""))
                .count()
        };
        let picture = draw(400, &lines);
        assert_eq!(dotted(&picture), 1, "the first part is dotted");
        assert_eq!(dotted(&draw(400, &lines.clone().map(|line| line[1..].to_vec()))), 0);
        assert!(picture.contains("\n7\n") && !picture.contains("day "), "{picture}");
        let wide = draw(940, &lines);
        assert!(wide.contains("7 &lt;i&gt;a long nam") && wide.contains("10, day 10"), "{wide}");
    }

    #[test]
    fn only_whole_numbers_are_at_an_axis_of_turns() {
        assert_eq!([0.0, 0.2, 0.4, 0.6, 0.1 + 0.9, 1.5, 20.0].map(whole), ["0", "", "", "", "1", "", "20"]);
    }

    #[test]
    fn a_number_of_units_has_a_decimal_only_where_it_tells_something() {
        let texts = [0.0, 9.5, 845.0, 999.0, 1e3, 1.04e3, 1.2e3, 12.3e3, 300e6, 2.5e9].map(units);
        assert_eq!(texts, ["0", "9.5", "845", "999", "1k", "1k", "1.2k", "12k", "300M", "2.5G"]);
    }
}
