//! What a process gives up before it runs untrusted code, and what of that the system has.
