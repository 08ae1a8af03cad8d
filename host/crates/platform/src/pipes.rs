//! Waiting for several pipes at once, until a deadline.
