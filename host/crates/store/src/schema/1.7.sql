-- Format 1.7 adds the trail of the workers that have played for a journal on other machines: what the organiser and the coordinator did
-- with them.

-- Each row has a link of a chain of its own: the same games make the same chain of games, whatever has happened to workers.
CREATE TABLE trail (
    number INTEGER PRIMARY KEY,    -- from 1
    links INTEGER NOT NULL,        -- the number of links of the chain of games when it was written
    at TEXT NOT NULL,              -- UTC, as in 2026-01-31T12:00:00Z
    event TEXT NOT NULL,           -- admitted, removed, blocked, unblocked, excluded or dropped
    key TEXT NOT NULL,             -- the worker's public key
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    why TEXT NOT NULL,             -- empty without a reason
    games TEXT NOT NULL,           -- JSON: the games that were thrown away, as [bot, bot, first, last] of their numbers in their match
    sha256 TEXT NOT NULL           -- the link
) STRICT;

CREATE TRIGGER trail_no_update BEFORE UPDATE ON trail BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER trail_no_delete BEFORE DELETE ON trail BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
