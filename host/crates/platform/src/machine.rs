//! What the machine and this process have: memory, processors, limits, a name.
