//! Text from outside, made safe to record and to print.
//!
//! A terminal executes control characters, and a bidirectional mark or a right-to-left letter makes a line read as
//! something else. Names, labels, paths, arguments, messages of libraries and all content of files come from outside. They
//! are printed only as one of these types, which exist only in a safe form:
//!
//! - [`Line`]: one line of outside text, plain and of a limited length. Data that holds outside text has this type.
//! - [`Text`]: any number of lines to print, in which right-to-left letters are isolated from the words around them.
//! - [`Json`]: a document for programs. It is exact, since its characters that are not plain are written as escapes.
//!
//! ```
//! use arena_text::{Line, Text};
//!
//! let label: Line<24> = "\x1b[31mאבג\n".into();
//! assert_eq!(label.as_str(), "אבג");
//! // With isolates around the label, `1 - 0` keeps its order on any terminal.
//! assert_eq!(Text::new(format!("{label}  1 - 0")).as_str(), "\u{2068}אבג\u{2069}  1 - 0");
//! ```
#![forbid(unsafe_code)]

mod isolate;
mod json;
mod line;
mod looks;
mod number;
mod phrases;
mod plain;
mod table;
mod text;
mod written;

pub use isolate::runs_left;
pub use json::Json;
pub use line::Line;
pub use looks::{looked_at, mixes_alphabets};
pub use number::grouped;
pub use phrases::{RecordingName, ShownPath, counted, quoted, shown, some_of};
pub use plain::{MARKS_MAX, is_mark, is_plain, line, lines};
pub use table::table;
pub use text::{LINE_CHARS_MAX, LINES_MAX, Text};
pub use written::{NotText, unmarked, without_mark, written};
