//! Folders that are replaced whole, and written to the disk.
