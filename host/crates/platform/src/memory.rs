//! Memory that is shared with children and can no longer be changed.
