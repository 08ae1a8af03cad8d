//! Opening and creating files: without waiting, for the user alone, without following links, below a folder.
