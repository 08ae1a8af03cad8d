//! The lines by which bots draw on boards.

use arena_record::Overlay;
use arena_record::overlay::{is_drawing, wrong_lines};
use arena_referee::LogMoment;
use arena_rules::Size;

/// Parts of lines, of which random bytes make overlays: each byte stands for one of them.
const PARTS: [&str; 40] = [
    "\n@mark ",
    "\n@shade ",
    "\n@scale ",
    "\n@line ",
    "\n@text ",
    "\n@note ",
    "\n@mark a0 ",
    "\n@line a0 ",
    "\n@text b1 ",
    "\nturn 1: @mark ",
    "\ndeploy: @text ",
    "\n@mark",
    "\n",
    " ",
    " ",
    " ",
    "\t",
    "a0",
    "b1",
    "c2",
    "k7",
    "z9",
    "a",
    "7",
    "0",
    "1",
    "10",
    ".5",
    "1e9",
    "NaN",
    "inf",
    "-",
    "-1",
    ",",
    "(",
    ")",
    "é",
    "数",
    "\u{301}",
    "\u{1b}",
];

/// An overlay of any text stays on the board and within its limits. Wrong lines draw nothing: without them, the overlay is the same. Each
/// wrong line has an example that is right.
pub fn overlays_stay_on_the_board(data: &[u8]) {
    let [width, height, rest @ ..] = data else { return };
    // A board of one cell has no line that is right.
    let size = Size::new(2 + width % 31, 1 + height % 32);
    check(&String::from_utf8_lossy(rest), size);
    check(&rest.iter().map(|&byte| PARTS[usize::from(byte) % PARTS.len()]).collect::<String>(), size);
}

fn check(printed: &str, size: Size) {
    let overlay = Overlay::of(printed, size);
    let shades = overlay.shades();
    assert!(shades.iter().all(|(&index, &shade)| index < size.cells() && shade < 10), "{shades:?}");
    // The darkest number has the darkest shade, unless a scale or zeroes alone were printed.
    assert!(
        printed.contains("@scale")
            || shades.values().all(|&shade| shade == 0)
            || shades.values().any(|&shade| shade == 9)
    );
    for index in 0..2 * size.cells() {
        let text = overlay.text(index).unwrap_or("x");
        assert!(overlay.text(index).is_none() || index < size.cells());
        assert!(
            (1..=2).contains(&text.len()) && text.bytes().all(|byte| (b'!'..=b'~').contains(&byte)),
            "{text:?}"
        );
    }
    assert!(overlay.lines().len() <= 64);
    assert!(
        overlay.lines().iter().all(|[from, to]| from != to && size.contains(*from) && size.contains(*to))
    );
    assert!(overlay.note().is_none_or(|note| !note.is_empty() && note.chars().count() <= 120));

    // A turn by itself, as overlays have it, so that its limits are those of the overlay.
    let lines: Vec<&str> = printed.lines().map(|line| LogMoment::split(line).1).collect();
    let of_turn = |lines: &[&str]| lines.iter().map(|line| format!("turn 7: {line}\n")).collect::<String>();
    let wrong = wrong_lines(&of_turn(&lines), size);
    let mut kept = lines.clone();
    for line in &wrong {
        // A carriage return at the end of a line belongs to the end.
        let is_it = |it: &&str| it.trim_end_matches('\r') == line.text.trim_end_matches('\r');
        let place = kept.iter().rposition(is_it).expect("the bot printed it");
        kept.remove(place);
        assert!(is_drawing(&line.text) || line.text.starts_with("@note"));
        assert!(!line.problem.is_empty() && wrong_lines(&line.example, size).is_empty(), "{line:?}");
        assert!(line.example.starts_with(line.text.split_whitespace().next().expect("it has a word")));
    }
    assert_eq!(Overlay::of(&of_turn(&kept), size), overlay);
    assert_eq!(Overlay::of(&printed.replace("@", ""), size), Overlay::default());
}
