//! Single keys of a terminal, waiting for them, and suspending the program.
