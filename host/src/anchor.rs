//! The bot that ratings are differences to.

use crate::failure::Failure;
use crate::report::some_of;
use arena_record::Label;

/// The largest number of labels that an error lists. Chosen: a few lines.
const LABELS_SHOWN_MAX: usize = 30;

/// The number of the contestant with the label that `--anchor` names; none if it is not given.
///
/// # Errors
/// No contestant with this label.
pub fn find<'a>(
    asked: Option<&str>,
    labels: impl Iterator<Item = &'a Label> + Clone,
) -> Result<Option<usize>, Failure> {
    let Some(asked) = asked else { return Ok(None) };
    let found = labels.clone().position(|label| label.as_str() == asked);
    let named =
        || some_of(labels.clone().map(ToString::to_string), labels.clone().count(), LABELS_SHOWN_MAX, ", ");
    found.map(Some).ok_or_else(|| {
        Failure::usage(
            format!("--anchor {}: no bot of this tournament has this label", arena_text::line(asked, 60)),
            format!("name one of: {}", named()),
        )
    })
}
