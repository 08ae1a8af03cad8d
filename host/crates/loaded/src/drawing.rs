//! The drawing of a game: the part of SVG that a page shows.
//!
//! A drawing is shapes and texts. It refers to nothing, runs nothing and does not move. What is shown is written anew from what was read, so that
//! a page gets no byte that this module does not know.

use roxmltree::{Attribute, Document, Node, ParsingOptions};
use std::fmt::{self, Write as _};

/// The largest drawing that is read, in bytes. Chosen: a board of 13×13 cells takes 15 KiB.
pub const DRAWING_BYTES_MAX: usize = 64 << 10;

/// The most nodes of a drawing. Chosen: a board of 40×40 cells, with a text in each.
const NODES_MAX: u32 = 5_000;

/// The most elements around another one. Chosen: groups of groups of parts of a piece.
const DEPTH_MAX: usize = 16;

/// The largest width and height of the view box. Chosen: more than pixels of a screen.
const SIZE_MAX: f64 = 10_000.0;

const SVG: &str = "http://www.w3.org/2000/svg";

/// The elements.
const ELEMENTS: [&str; 13] = [
    "circle", "desc", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", "svg", "text", "title",
    "tspan",
];

/// The elements that may have text.
const WITH_TEXT: [&str; 4] = ["desc", "text", "title", "tspan"];

/// The attributes, the same for all elements. None of them refers to anything. `stroke-dasharray` is not among them: it can keep a browser busy
/// for minutes.
const ATTRIBUTES: [&str; 35] = [
    "cx",
    "cy",
    "d",
    "dominant-baseline",
    "dx",
    "dy",
    "fill",
    "fill-opacity",
    "fill-rule",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "opacity",
    "points",
    "r",
    "rx",
    "ry",
    "stroke",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// The functions in values.
const FUNCTIONS: [&str; 10] =
    ["hsl", "hsla", "matrix", "rgb", "rgba", "rotate", "scale", "skewX", "skewY", "translate"];

/// A reason not to show a drawing, with its place in the SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadDrawing {
    /// The line and the column, from 1; `None` if the drawing as a whole is meant.
    pub place: Option<(u32, u32)>,
    /// The problem, in words.
    pub what: String,
}

impl fmt::Display for BadDrawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// The same drawing as a page shows it: one element a line, from the list of elements and attributes alone.
///
/// # Errors
/// The first thing in it that a page does not show.
pub fn plain_drawing(svg: &str) -> Result<String, BadDrawing> {
    let whole = |what: String| BadDrawing { place: None, what };
    if svg.len() > DRAWING_BYTES_MAX {
        return Err(whole(format!("has {} bytes; it can have {DRAWING_BYTES_MAX}", svg.len())));
    }
    let options = ParsingOptions { nodes_limit: NODES_MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, options).map_err(|error| {
        let at = error.pos();
        BadDrawing { place: Some((at.row, at.col)), what: error.to_string() }
    })?;
    let reader = Reader { document: &document };
    let mut out = String::with_capacity(svg.len());
    for node in document.root().children() {
        match () {
            () if node.is_comment() => {}
            () if node.is_element() && node.tag_name().name() == "svg" => {
                reader.element(node, 0, &mut out)?
            }
            () => return Err(reader.bad(node, "a drawing is one <svg> element and nothing else".into())),
        }
    }
    Ok(out)
}

struct Reader<'a, 'input> {
    document: &'a Document<'input>,
}

impl Reader<'_, '_> {
    fn bad_at(&self, position: usize, what: String) -> BadDrawing {
        let at = self.document.text_pos_at(position);
        BadDrawing { place: Some((at.row, at.col)), what: arena_text::line(&what, 200) }
    }

    fn bad(&self, node: Node<'_, '_>, what: String) -> BadDrawing {
        self.bad_at(node.range().start, what)
    }

    /// Writes an element.
    fn element(&self, node: Node<'_, '_>, depth: usize, out: &mut String) -> Result<(), BadDrawing> {
        let name = node.tag_name().name();
        if node.tag_name().namespace() != Some(SVG) {
            return Err(self.bad(node, format!("<{name}> is not in the namespace {SVG}")));
        }
        if !ELEMENTS.contains(&name) || (name == "svg") != (depth == 0) {
            return Err(self.bad(node, format!("<{name}> is not among the elements of a drawing")));
        }
        if depth > DEPTH_MAX {
            return Err(self.bad(node, format!("<{name}> has more than {DEPTH_MAX} elements around it")));
        }
        let _ = write!(out, "<{name}");
        if depth == 0 {
            let _ = write!(out, " xmlns=\"{SVG}\"");
            self.check_view_box(node)?;
        }
        for attribute in node.attributes() {
            self.attribute(attribute, out)?;
        }
        out.push('>');
        let has_text = WITH_TEXT.contains(&name);
        if !has_text {
            out.push('\n');
        }
        for child in node.children() {
            match () {
                () if child.is_element() => {
                    if has_text && !WITH_TEXT.contains(&child.tag_name().name()) {
                        let what = format!("<{}> is not text, in <{name}>", child.tag_name().name());
                        return Err(self.bad(child, what));
                    }
                    self.element(child, depth + 1, out)?;
                }
                () if child.is_text() => self.text(child, name, out)?,
                () if child.is_comment() => {}
                () => {
                    return Err(
                        self.bad(child, "an instruction to a program is not part of a drawing".into())
                    );
                }
            }
        }
        let _ = write!(out, "</{name}>");
        // Between parts of a text, a line break would be a space.
        if !node.parent_element().is_some_and(|parent| WITH_TEXT.contains(&parent.tag_name().name())) {
            out.push('\n');
        }
        Ok(())
    }

    fn attribute(&self, attribute: Attribute<'_, '_>, out: &mut String) -> Result<(), BadDrawing> {
        let (name, value) = (attribute.name(), attribute.value());
        let bad = |what| Err(self.bad_at(attribute.range().start, what));
        if attribute.namespace().is_some() || !ATTRIBUTES.contains(&name) {
            return bad(format!("`{name}` is not among the attributes of a drawing"));
        }
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " .,#%()+-\n\t\r".contains(letter);
        if let Some(letter) = value.chars().find(|&letter| !is_plain(letter)) {
            return bad(format!("`{name}` has the character {letter:?}, which no value needs"));
        }
        for (at, _) in value.match_indices('(') {
            let before = &value[..at];
            let start = before.rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
            let function = &before[start.map_or(0, |at| at + 1)..];
            if !FUNCTIONS.contains(&function) {
                return bad(format!(
                    "`{name}` has the function `{function}(…)`; a drawing refers to nothing"
                ));
            }
        }
        let value = value.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(out, " {name}=\"{value}\"");
        Ok(())
    }

    fn text(&self, node: Node<'_, '_>, parent: &str, out: &mut String) -> Result<(), BadDrawing> {
        let text = node.text().unwrap_or_default();
        if !WITH_TEXT.contains(&parent) {
            return match text.trim().is_empty() {
                true => Ok(()),
                false => Err(self.bad(node, format!("there is text in <{parent}>; it belongs in <text>"))),
            };
        }
        let text = text.replace(['\n', '\r', '\t'], " ");
        if arena_text::lines(&text) != text {
            return Err(
                self.bad(node, "a text has control, invisible or too many combining characters".into())
            );
        }
        for letter in text.chars() {
            match letter {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                letter => out.push(letter),
            }
        }
        Ok(())
    }

    fn check_view_box(&self, node: Node<'_, '_>) -> Result<(), BadDrawing> {
        let numbers = node.attribute("viewBox").unwrap_or_default();
        let numbers = numbers.split([',', ' ', '\n', '\t']).filter(|number| !number.is_empty());
        let numbers: Vec<Option<f64>> = numbers.map(|number| number.parse().ok()).collect();
        let is_size = |size: f64| size > 0.0 && size <= SIZE_MAX;
        match numbers[..] {
            [Some(x), Some(y), Some(width), Some(height)]
                if x.abs() <= SIZE_MAX && y.abs() <= SIZE_MAX && is_size(width) && is_size(height) =>
            {
                Ok(())
            }
            _ => Err(self.bad(
                node,
                format!(
                    "<svg> needs a viewBox of four numbers, with a width and a height of at most {SIZE_MAX}"
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawing(inner: &str) -> String {
        format!("<svg xmlns=\"{SVG}\" viewBox=\"0 0 10 10\">{inner}</svg>")
    }

    /// True if a drawing has only elements and attributes of the lists, and no value that refers to something.
    fn is_plain(svg: &str) -> bool {
        let document = Document::parse(svg).expect("it is written as XML");
        document.descendants().filter(|node| !node.is_root()).all(|node| {
            let is_listed = |it: Attribute<'_, '_>| {
                let value = it.value().to_lowercase();
                let refers =
                    ["url", "script", ":", "/", ";", "&", "\\"].iter().any(|part| value.contains(part));
                it.namespace().is_none() && ATTRIBUTES.contains(&it.name()) && !refers
            };
            node.is_text() || ELEMENTS.contains(&node.tag_name().name()) && node.attributes().all(is_listed)
        })
    }

    #[test]
    fn a_drawing_of_shapes_and_texts_is_shown_with_an_element_a_line() {
        let svg = drawing(
            "<!-- a stone --><g fill='rgb(1, 2,3)' transform=\"translate(1 2)\n rotate(45)\"><circle r='4'/></g>\n  \
             <text x='1' y='2' font-family='sans-serif'>a &lt; <tspan fill='#fff'>b</tspan></text><line x2='1' y2='50%'/>",
        );
        let shown = plain_drawing(&svg).expect("it is plain");
        assert_eq!(
            shown,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\">\n\
             <g fill=\"rgb(1, 2,3)\" transform=\"translate(1 2) rotate(45)\">\n<circle r=\"4\">\n</circle>\n</g>\n\
             <text x=\"1\" y=\"2\" font-family=\"sans-serif\">a &lt; <tspan fill=\"#fff\">b</tspan></text>\n\
             <line x2=\"1\" y2=\"50%\">\n</line>\n</svg>\n"
        );
        assert_eq!(plain_drawing(&shown).as_deref(), Ok(&*shown), "it stays as it is");
    }

    #[test]
    fn each_forbidden_thing_is_refused_with_its_place() {
        for (inner, what) in [
            ("<script>alert(1)</script>", "<script> is not among"),
            ("<style>*{fill:red}</style>", "<style> is not among"),
            ("<foreignObject/>", "<foreignObject> is not among"),
            ("<image href='x.png'/>", "<image> is not among"),
            ("<use href='#a'/>", "<use> is not among"),
            ("<a><rect/></a>", "<a> is not among"),
            ("<animate attributeName='x' repeatCount='indefinite'/>", "<animate> is not among"),
            ("<set/>", "<set> is not among"),
            ("<filter/>", "<filter> is not among"),
            ("<pattern/>", "<pattern> is not among"),
            ("<svg viewBox='0 0 1 1'/>", "<svg> is not among"),
            ("<html xmlns='http://www.w3.org/1999/xhtml'/>", "<html> is not in the namespace"),
            ("<rect xmlns='' />", "<rect> is not in the namespace"),
            ("<rect onload='alert(1)'/>", "`onload` is not among"),
            ("<rect style='fill:red'/>", "`style` is not among"),
            ("<rect id='a'/>", "`id` is not among"),
            ("<rect class='a'/>", "`class` is not among"),
            ("<rect href='#a'/>", "`href` is not among"),
            ("<rect xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='#a'/>", "`href` is not among"),
            ("<rect xml:base='x'/>", "`base` is not among"),
            ("<rect stroke-dasharray='0.001'/>", "`stroke-dasharray` is not among"),
            ("<rect fill='url(#a)'/>", "the function `url(…)`"),
            ("<rect fill='UrL(x.png)'/>", "the function `UrL(…)`"),
            ("<rect fill='image-set(x)'/>", "the function `image-set(…)`"),
            ("<rect fill='rgb(var(a))'/>", "the function `var(…)`"),
            ("<rect fill='\\75rl(x)'/>", "the character '\\\\'"),
            ("<rect fill='javascript&#58;x'/>", "the character ':'"),
            ("<g>words</g>", "there is text in <g>"),
            ("<text><rect/></text>", "<rect> is not text"),
            ("<text>a\u{202e}b</text>", "a text has control"),
            ("<?php 1?>", "an instruction to a program"),
            ("<rect>", ""),
            ("&x;", ""),
        ] {
            let bad = plain_drawing(&drawing(inner)).expect_err(inner);
            assert!(
                bad.what.contains(what) && bad.place.is_some_and(|(line, _)| line == 1),
                "{inner}: {bad}"
            );
        }
        let bad = plain_drawing(&drawing("\n  <script/>")).expect_err("it is a script");
        assert_eq!(bad.place, Some((2, 3)));
        for whole in [
            "",
            "text",
            "<g xmlns='http://www.w3.org/2000/svg'/>",
            "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>",
            "<?xml-stylesheet href='a.css'?><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>",
            "<svg viewBox='0 0 1 1'/>",
        ] {
            assert!(plain_drawing(whole).is_err(), "{whole}");
        }
    }

    #[test]
    fn a_drawing_is_bounded_in_its_size_its_depth_and_its_view() {
        let nested = |depth| drawing(&format!("{}{}", "<g>".repeat(depth), "</g>".repeat(depth)));
        assert!(plain_drawing(&nested(DEPTH_MAX)).is_ok());
        let bad = plain_drawing(&nested(DEPTH_MAX + 1)).expect_err("it is too deep");
        assert!(bad.what.contains("more than 16 elements"), "{bad}");
        assert!(plain_drawing(&nested(9_000)).is_err(), "it takes no stack");
        assert!(plain_drawing(&drawing(&"<g/>".repeat(4_900))).is_ok());
        assert!(plain_drawing(&drawing(&"<g/>".repeat(5_100))).is_err());
        let sized = |bytes: usize| {
            let empty = drawing("<text></text>").len();
            drawing(&format!("<text>{}</text>", "a".repeat(bytes - empty)))
        };
        assert!(plain_drawing(&sized(DRAWING_BYTES_MAX)).is_ok());
        let bad = plain_drawing(&sized(DRAWING_BYTES_MAX + 1)).expect_err("it is too large");
        assert_eq!(bad.to_string(), "has 65537 bytes; it can have 65536");
        for (view, is_good) in [
            ("0 0 10000 10000", true),
            ("-5,-5,0.5,1", true),
            ("0 0 10001 1", false),
            ("0 0 0 1", false),
            ("0 0 -1 1", false),
            ("0 0 NaN 1", false),
            ("0 0 1", false),
            ("0 0 1 1 1", false),
            ("", false),
        ] {
            let svg = format!("<svg xmlns='{SVG}' viewBox='{view}'/>");
            assert_eq!(plain_drawing(&svg).is_ok(), is_good, "{view}");
        }
    }

    /// Parts of drawings, good ones and bad ones.
    fn part() -> impl Strategy<Value = String> {
        let names =
            prop::sample::select(vec!["g", "rect", "text", "tspan", "script", "a", "svg", "use", "x:rect"]);
        let attributes = prop::sample::select(vec![
            "",
            "fill='red'",
            "fill='url(#a)'",
            "onload='a'",
            "href='b'",
            "x:href='b'",
            "style='a:b'",
            "d='M0 0'",
            "fill=\"&#117;rl(a)\"",
            "fill='\"'",
            "x='<'",
            "viewBox='1'",
        ]);
        let text = prop::sample::select(vec![
            "",
            "a",
            "&lt;script&gt;",
            "<![CDATA[<script>]]>",
            "]]>",
            "<!--",
            "&amp;",
        ]);
        let leaf = (names.clone(), attributes.clone(), text)
            .prop_map(|(name, attribute, text)| format!("<{name} {attribute}>{text}</{name}>"));
        leaf.prop_recursive(4, 24, 4, move |inner| {
            (names.clone(), attributes.clone(), prop::collection::vec(inner, 0..4)).prop_map(
                |(name, attribute, inner)| format!("<{name} {attribute}>{}</{name}>", inner.concat()),
            )
        })
    }

    proptest! {
        #[test]
        fn what_is_shown_of_any_drawing_has_only_what_is_listed(parts in prop::collection::vec(part(), 0..4)) {
            let svg = format!(
                "<svg xmlns=\"{SVG}\" xmlns:x=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 1 1\">{}</svg>",
                parts.concat(),
            );
            if let Ok(shown) = plain_drawing(&svg) {
                prop_assert!(is_plain(&shown), "{}", shown);
                prop_assert_eq!(plain_drawing(&shown), Ok(shown.clone()));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(svg in ".{0,200}") {
            if let Ok(shown) = plain_drawing(&svg) {
                prop_assert!(is_plain(&shown));
            }
        }
    }
}
