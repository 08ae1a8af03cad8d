-- Format 1.4 adds a seed for each stage, which is drawn once its bots are known, and the time.

-- The seeds of the stages. A stage of an earlier format has the seed of the conditions.
CREATE TABLE draw (
    number INTEGER PRIMARY KEY,    -- from 1
    stage INTEGER NOT NULL UNIQUE REFERENCES stage,
    seed TEXT NOT NULL,            -- as in the conditions: if that of the conditions is a hash, so is this
    beacon TEXT                    -- the public random value that was mixed in, if there was one
) STRICT;

-- The time, for people: no result follows from it.
CREATE TABLE moment (
    number INTEGER PRIMARY KEY,    -- from 1
    stage INTEGER NOT NULL REFERENCES stage,
    game INTEGER NOT NULL,         -- this game of the journal and those after it were added at this time or later
    at TEXT NOT NULL               -- UTC, as in 2026-01-31T12:00:00Z
) STRICT;

CREATE TRIGGER draw_no_update BEFORE UPDATE ON draw BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER draw_no_delete BEFORE DELETE ON draw BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER moment_no_update BEFORE UPDATE ON moment BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER moment_no_delete BEFORE DELETE ON moment BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
