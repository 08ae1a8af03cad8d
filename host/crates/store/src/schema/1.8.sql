-- Format 1.8 adds the code of a game that is loaded at run time, so that its games can be played again with this file alone.

-- At most one row: the conditions have the hash, and the chain has the conditions.
CREATE TABLE code (
    sha256 TEXT PRIMARY KEY,       -- of the bytes, in hexadecimal
    bytes BLOB NOT NULL            -- the component
) STRICT;

CREATE TRIGGER code_no_update BEFORE UPDATE ON code BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER code_no_delete BEFORE DELETE ON code BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
