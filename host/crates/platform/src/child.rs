//! Child processes: their own group, their end and the processor time that they used, stopping and resuming them.
