//! The places of tables in a document: between two comments with a table's name.
//!
//! ```text
//! <!-- table steps -->
//! (the table)
//! <!-- end of steps -->
//! ```

use crate::tables::Table;
use anyhow::{Context, Result};

/// Replaces the tables in a document, and leaves the text around them as it is.
///
/// # Errors
/// A table whose place is missing.
pub fn with_tables(document: &str, tables: &[Table]) -> Result<String> {
    let mut text = document.to_owned();
    for table in tables {
        let (begin, end) =
            (format!("<!-- table {} -->\n", table.name), format!("<!-- end of {} -->", table.name));
        let place = text.find(&begin).map(|at| at + begin.len());
        let place = place.and_then(|from| Some(from..from + text[from..].find(&end)?));
        let place =
            place.with_context(|| format!("the document has no place for the table `{}`", table.name))?;
        text.replace_range(place, &table.markdown());
    }
    Ok(text)
}
