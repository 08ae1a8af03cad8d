//! A cell of a board as a tile of a picture: the shapes of the drawn boards, so that a ship, a hit, a miss and a sinking differ in black and
//! white, too.

use arena_pictures::{Hull, Painted, Tone};

/// The smallest number of pixels of a tile's side for shapes. Chosen: below, a shape is a few pixels, and one colour shows more.
const SHAPES_MIN: usize = 12;

/// Half of a tile's side, in the units of the shapes.
const HALF: i32 = 32;

/// The width of an outline, in the same units.
const OUTLINE: i32 = 3;

/// A colour of a picture: its place in the [palette](PALETTE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Colour {
    Page,
    Water,
    Swell,
    Hull,
    Outline,
    Deck,
    Wreck,
    Fire,
    Flame,
    Foam,
    Cross,
    Cream,
    Last,
    Sign,
}

/// The colours, each with red, green and blue, as those of the drawn boards on a light page.
pub(crate) const PALETTE: [[u8; 3]; 14] = [
    [0xfc, 0xfc, 0xfa],
    [0xdf, 0xea, 0xf2],
    [0xb9, 0xcf, 0xde],
    [0x6f, 0x7f, 0x8c],
    [0x25, 0x32, 0x3c],
    [0x93, 0xa2, 0xae],
    [0xa9, 0xb5, 0xbf],
    [0xd3, 0x28, 0x1c],
    [0xff, 0xd2, 0x3f],
    [0x3f, 0x7f, 0xb5],
    [0xa3, 0x12, 0x3a],
    [0xff, 0xf3, 0xd0],
    [0xb0, 0x6a, 0x00],
    [0x4a, 0x6a, 0x85],
];

/// The colour of a pixel of a cell's tile, by its column and row of `side` pixels each.
pub(crate) fn pixel(cell: &Painted, side: usize, (column, row): (usize, usize)) -> Colour {
    let is_border = column == 0 || row == 0 || column + 1 == side || row + 1 == side;
    if side < SHAPES_MIN {
        return if is_border && side > 3 { Colour::Page } else { plain(cell) };
    }
    // A side has 1,200 pixels at most.
    let [x, y] = [column, row].map(|place| (2 * place as i32 + 1) * HALF / side as i32 - HALF);
    if cell.is_last && x.abs().max(y.abs()) > HALF - 2 * OUTLINE {
        return Colour::Last;
    }
    let water = if column == 0 || row == 0 { Colour::Swell } else { Colour::Water };
    sign(cell.tone, x, y).or_else(|| cell.hull.and_then(|hull| ship(hull, cell.tone, x, y))).unwrap_or(
        // Without a known ship below it, a cell of its own kind is filled.
        match cell.tone {
            Tone::Faint | Tone::Miss | Tone::Hit | Tone::Sunk => water,
            _ if cell.hull.is_none() && x.abs().max(y.abs()) < HALF - 2 * OUTLINE => plain(cell),
            _ => water,
        },
    )
}

/// The one colour of a cell without shapes.
const fn plain(cell: &Painted) -> Colour {
    match cell.tone {
        Tone::Faint => Colour::Water,
        Tone::Miss => Colour::Foam,
        Tone::Hit => Colour::Fire,
        Tone::Sunk => Colour::Cross,
        Tone::Last => Colour::Sign,
        _ => Colour::Hull,
    }
}

/// The colour of what lies on a cell over its ship at a place: a fire, a ring in the water, a cross.
fn sign(tone: Tone, x: i32, y: i32) -> Option<Colour> {
    let (x, y) = (x.abs(), y.abs());
    match tone {
        Tone::Hit if x + y <= 14 => Some(Colour::Flame),
        Tone::Hit if is_star(x, y, 0) => Some(Colour::Fire),
        Tone::Hit if is_star(x, y, OUTLINE + 1) => Some(Colour::Cream),
        Tone::Miss if matches!(x * x + y * y, 0..=64 | 225..=400) => Some(Colour::Foam),
        Tone::Sunk if x.abs_diff(y) <= 4 && x.max(y) <= 18 => Some(Colour::Cross),
        Tone::Sunk if x.abs_diff(y) <= 7 && x.max(y) <= 20 => Some(Colour::Cream),
        _ => None,
    }
}

/// True on a star with eight points, with an outline around it.
const fn is_star(x: i32, y: i32, outline: i32) -> bool {
    let [low, high] = if x < y { [x, y] } else { [y, x] };
    // The points along the axes, and those between them.
    x + y <= 20 + outline || 4 * low + high <= 28 + outline || 3 * (high - low) + low <= 19 + outline
}

/// The colour of a part of a ship at a place; `None` on the water around it. A ship that is sunk is pale, with stripes.
fn ship(hull: Hull, tone: Tone, x: i32, y: i32) -> Option<Colour> {
    if !is_hull(hull, x, y) {
        return None;
    }
    let beside = [(OUTLINE, 0), (-OUTLINE, 0), (0, OUTLINE), (0, -OUTLINE)];
    if beside.into_iter().any(|(dx, dy)| !is_hull(hull, x + dx, y + dy)) {
        return Some(Colour::Outline);
    }
    let tower = x * x + y * y;
    Some(match tone {
        Tone::Sunk if (x + y).rem_euclid(14) < 4 => Colour::Outline,
        Tone::Sunk => Colour::Wreck,
        _ if tower <= 64 => Colour::Deck,
        _ if tower <= 121 => Colour::Outline,
        _ => Colour::Hull,
    })
}

/// True on the hull: it goes on to the neighbours of the same ship, has a pointed bow in the west or north, and a round stern.
const fn is_hull(hull: Hull, x: i32, y: i32) -> bool {
    // Along the ship, and across it.
    let is_upright = hull.north || hull.south;
    let (along, across) = if is_upright { (y, x.abs()) } else { (x, y.abs()) };
    let [before, after] = if is_upright { [hull.north, hull.south] } else { [hull.west, hull.east] };
    let bow = before || along >= 0 || across * 28 <= 22 * (28 + along);
    let stern = after || along <= 12 || (along - 12) * (along - 12) + across * across / 2 <= 16 * 16;
    across <= 22 && bow && stern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(tone: Tone) -> Painted {
        Painted { text: "x".into(), tone, is_last: false, shade: None, written: String::new(), hull: None }
    }

    /// The tones with their colours: of a small tile, and in the middle of a large one.
    const COLOURS: [(Tone, Colour, Colour); 6] = [
        (Tone::Faint, Colour::Water, Colour::Water),
        (Tone::Miss, Colour::Foam, Colour::Foam),
        (Tone::Hit, Colour::Fire, Colour::Flame),
        (Tone::Sunk, Colour::Cross, Colour::Cross),
        (Tone::Last, Colour::Sign, Colour::Sign),
        (Tone::Ship, Colour::Hull, Colour::Hull),
    ];

    #[test]
    fn a_tile_too_small_for_shapes_has_the_one_colour_of_its_tone_and_a_border_if_there_is_room() {
        for (tone, colour, _) in COLOURS {
            assert_eq!([0, 1].map(|place| pixel(&cell(tone), 3, (place, 1))), [colour; 2], "{tone:?}");
            assert_eq!(pixel(&cell(tone), SHAPES_MIN - 1, (5, 5)), colour, "{tone:?}");
        }
        for border in [(0, 2), (2, 0), (3, 2), (2, 3)] {
            assert_eq!(pixel(&cell(Tone::Hit), 4, border), Colour::Page);
        }
    }

    #[test]
    fn a_large_tile_has_the_shape_of_its_tone_on_water() {
        let at = |tone, place| pixel(&cell(tone), 64, place);
        for (tone, _, middle) in COLOURS {
            assert_eq!(at(tone, (32, 32)), middle, "{tone:?}");
            assert_eq!([at(tone, (63, 63)), at(tone, (0, 63))], [Colour::Water, Colour::Swell], "{tone:?}");
        }
        let last = Painted { is_last: true, ..cell(Tone::Hit) };
        assert_eq!([pixel(&last, 64, (1, 32)), pixel(&last, 64, (32, 32))], [Colour::Last, Colour::Flame]);
    }
}
