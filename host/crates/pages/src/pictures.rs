//! The pictures of a game that draws itself, as the data of a page: each different line once, and each different picture as a list of lines.

use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The largest number of rows of a picture on a page. Chosen: some screens full.
const ROWS_MAX: usize = 200;

/// The largest number of characters of a row. Chosen: two screens wide.
const COLUMNS_MAX: usize = 400;

/// The largest sum of all different lines of a page, in bytes, and of four bytes for each line of each different picture. Chosen: a page
/// is then sent and read at once, and a game of 100 turns may have pictures of 20 KiB without a common line.
const PAGE_BYTES_MAX: usize = 2 << 20;

/// The bytes that a line of a picture is counted as, besides the line itself.
const REFERENCE_BYTES: usize = 4;

/// A picture on a page: its lines, and whether it was cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub lines: Vec<String>,
    pub is_cut: bool,
}

impl Shown {
    /// The part of a picture that a page shows.
    pub fn of(picture: &str) -> Self {
        let mut is_cut = false;
        let mut lines = Vec::new();
        for (row, line) in picture.lines().enumerate() {
            if row == ROWS_MAX {
                is_cut = true;
                break;
            }
            let end = line.char_indices().nth(COLUMNS_MAX).map(|(at, _)| at);
            is_cut |= end.is_some();
            lines.push(line[..end.unwrap_or(line.len())].to_owned());
        }
        Self { lines, is_cut }
    }
}

/// The pictures of all positions of a game.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Pictures {
    /// The different lines.
    lines: Vec<String>,
    /// The different pictures, as indices of lines.
    pictures: Vec<Vec<usize>>,
    #[serde(skip)]
    line_of: HashMap<String, usize>,
    /// The place of each picture that was taken or left out.
    #[serde(skip)]
    place_of: HashMap<Arc<str>, Option<usize>>,
    #[serde(skip)]
    bytes: usize,
    /// True if a picture was cut.
    #[serde(skip)]
    pub has_cut: bool,
    /// The number of different pictures that were left out.
    #[serde(skip)]
    pub left_out: usize,
}

/// The lines and pictures that have come since a moment.
#[derive(Serialize)]
pub(crate) struct NewPictures<'a> {
    lines: &'a [String],
    pictures: &'a [Vec<usize>],
}

impl NewPictures<'_> {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.pictures.is_empty()
    }
}

impl Pictures {
    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty()
    }

    /// The numbers of lines and of pictures.
    pub fn known(&self) -> [usize; 2] {
        [self.lines.len(), self.pictures.len()]
    }

    /// The lines and pictures that have come since there were these numbers of them.
    pub fn since(&self, [lines, pictures]: [usize; 2]) -> NewPictures<'_> {
        NewPictures { lines: &self.lines[lines..], pictures: &self.pictures[pictures..] }
    }

    /// Takes a picture. Returns its place; `None` when the page has no room for it.
    pub fn take(&mut self, picture: &Arc<str>) -> Option<usize> {
        if let Some(place) = self.place_of.get(picture) {
            return *place;
        }
        let Shown { lines, is_cut } = Shown::of(picture);
        let place = self.place(picture, lines);
        self.has_cut |= is_cut && place.is_some();
        self.left_out += usize::from(place.is_none());
        place
    }

    /// Takes a drawing, which is never cut. Returns its place; `None` when the page has no room for it.
    pub fn take_drawing(&mut self, svg: &Arc<str>) -> Option<usize> {
        match self.place_of.get(svg) {
            Some(place) => *place,
            None => self.place(svg, svg.lines().map(str::to_owned).collect()),
        }
    }

    /// Takes the lines of a picture or a drawing, if there is room.
    fn place(&mut self, text: &Arc<str>, lines: Vec<String>) -> Option<usize> {
        let different: HashSet<&String> = lines.iter().collect();
        let is_new = |line: &&&String| !self.line_of.contains_key(**line);
        let new: usize = different.iter().filter(is_new).map(|line| line.len()).sum();
        let bytes = self.bytes + new + REFERENCE_BYTES * lines.len();
        let place = (bytes <= PAGE_BYTES_MAX).then(|| {
            self.bytes = bytes;
            let places = lines.into_iter().map(|line| {
                *self.line_of.entry(line).or_insert_with_key(|line| {
                    self.lines.push(line.clone());
                    self.lines.len() - 1
                })
            });
            let places = places.collect();
            self.pictures.push(places);
            self.pictures.len() - 1
        });
        self.place_of.insert(Arc::clone(text), place);
        place
    }

    /// A sentence about what the page does not show; empty if it shows all.
    pub fn note(&self) -> String {
        let cut = if self.has_cut {
            format!("Pictures are cut after {ROWS_MAX} rows and {COLUMNS_MAX} columns.")
        } else {
            String::new()
        };
        let left_out = match self.left_out {
            0 => String::new(),
            1 => "One picture is left out, because the page would be too large.".to_owned(),
            some => {
                let some = arena_text::grouped(some as u64);
                format!("{some} pictures are left out, because the page would be too large.")
            }
        };
        [cut, left_out].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_a_picture_are_news_too() {
        let lines = ["a line".to_owned()];
        let pictures = [vec![0]];
        let is_empty = |lines, pictures| NewPictures { lines, pictures }.is_empty();
        assert!(is_empty(&[], &[]));
        assert!(!is_empty(&lines, &[]) && !is_empty(&[], &pictures) && !is_empty(&lines, &pictures));
    }

    #[test]
    fn a_large_picture_is_cut_between_characters() {
        let Shown { lines, is_cut } = Shown::of(&"é".repeat(COLUMNS_MAX + 1));
        assert_eq!((lines, is_cut), (vec!["é".repeat(COLUMNS_MAX)], true));
        let Shown { lines, is_cut } = Shown::of(&"a\n".repeat(ROWS_MAX + 1));
        assert_eq!((lines.len(), is_cut), (ROWS_MAX, true));
        assert!(!Shown::of(&"a\n".repeat(ROWS_MAX)).is_cut);
    }

    #[test]
    fn lines_and_pictures_that_come_again_are_there_once() {
        let mut pictures = Pictures::default();
        let places = ["a\nb", "b\nb", "a\nb", ""].map(|text| pictures.take(&text.into()));
        assert_eq!(places, [Some(0), Some(1), Some(0), Some(2)]);
        assert_eq!(pictures.lines, ["a", "b"]);
        assert_eq!(pictures.pictures, [vec![0, 1], vec![1, 1], vec![]]);
        assert_eq!(pictures.note(), "");
    }

    #[test]
    fn a_page_has_no_more_than_its_room_for_pictures_that_share_nothing() {
        let mut pictures = Pictures::default();
        let large = |number: usize| -> Arc<str> { format!("{number:0400}\n").repeat(ROWS_MAX).into() };
        // Each has one line many times: the references count.
        let places: Vec<_> = (0..3_000).map(|number| pictures.take(&large(number))).collect();
        let taken = places.iter().flatten().count();
        assert!((1_000..2_000).contains(&taken), "{taken}");
        assert!(pictures.bytes <= PAGE_BYTES_MAX);
        assert_eq!(pictures.left_out, 3_000 - taken);
        assert!(serde_json::to_string(&pictures).unwrap().len() < 2 * PAGE_BYTES_MAX);
        assert!(pictures.note().contains("pictures are left out"), "{}", pictures.note());
        assert_eq!(pictures.take(&large(0)), Some(0), "one that was taken is still there");
        assert_eq!(pictures.take(&large(2_999)), None);
        assert_eq!(pictures.left_out, 3_000 - taken, "and one that was left out counts once");
    }
}
