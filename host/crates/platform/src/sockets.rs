//! Waiting for several connections at once, and knowing which are gone.
