//! Plots as SVG, without text of anybody's.
//!
//! The colours are names: the style sheet replaces each by one for a light or a dark page.

use crate::Rating;
use plotters::prelude::*;
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
        let whole = |number: &f64| format!("{number:.0}");
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
pub(crate) fn fuel(mean: &[(f64, f64)], most: &[(f64, f64)], budget: f64) -> Option<String> {
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
        let whole = |number: &f64| format!("{number:.0}");
        let mut axes = chart.configure_mesh();
        axes.x_label_formatter(&whole).y_label_formatter(&short);
        mesh(axes.x_desc("turn, 0 is the deployment").y_desc("fuel"))?;
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
