-- Format 1.9 moves the time out of the chain of games, which now follows from the seed, the rules and the bots alone.

-- The times at which the chain of games had a number of links: the rows after those were added then or later. Each row has a link of a
-- chain of its own. The table `moment` is not used any more; a journal that was begun before has its times from then in it.
CREATE TABLE clock (
    number INTEGER PRIMARY KEY,    -- from 1
    links INTEGER NOT NULL,        -- the number of links of the chain of games when it was written
    at TEXT NOT NULL,              -- UTC, as in 2026-01-31T12:00:00Z
    sha256 TEXT NOT NULL           -- the link
) STRICT;

CREATE TRIGGER clock_no_update BEFORE UPDATE ON clock BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER clock_no_delete BEFORE DELETE ON clock BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
