//! The effects of keys on a screen.

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// None: the screen is as it was.
    Nothing,
    /// The screen has changed and has to be drawn.
    Changed,
    /// The user wants to save the game as a transcript.
    Save,
    /// The screen ends.
    End(Ended),
}

/// The end of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The user quit.
    Quit,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The terminal is gone.
    HungUp,
    /// The host asked for it, by [`Options::stop`](crate::Options::stop).
    Stopped,
}
