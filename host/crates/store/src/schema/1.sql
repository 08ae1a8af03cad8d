-- A journal, version 1. Everything in it is added once and never changed: the triggers at the end hold that.

-- What all games have in common: one row.
CREATE TABLE conditions (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    arena TEXT NOT NULL,
    wasmtime TEXT NOT NULL,
    engine TEXT NOT NULL,
    rules TEXT NOT NULL,           -- JSON, as in a transcript's header
    fuel_per_turn TEXT NOT NULL,   -- decimal: SQLite's integers have a sign, and these have 64 bits without one
    memory_bytes TEXT NOT NULL,    -- decimal
    seed TEXT NOT NULL             -- decimal
) STRICT;

-- The contestants, numbered from 0 in the order in which they were named.
CREATE TABLE contestant (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- How tournaments were held whose games these are, the latest last: JSON of the arena's own.
CREATE TABLE course (
    id INTEGER PRIMARY KEY,
    course TEXT NOT NULL
) STRICT;

-- The games, in the order in which they were added.
CREATE TABLE game (
    number INTEGER PRIMARY KEY,
    first INTEGER NOT NULL REFERENCES contestant,   -- in seat 1
    second INTEGER NOT NULL REFERENCES contestant,  -- in seat 2
    pair INTEGER NOT NULL,
    game INTEGER NOT NULL,
    first_seed TEXT NOT NULL,                       -- hexadecimal, as in a transcript's header
    second_seed TEXT NOT NULL,
    fleet_seed TEXT NOT NULL,
    starter INTEGER NOT NULL,                       -- a seat, 1 or 2
    outcome TEXT NOT NULL,                          -- first, second, draw or no-contest
    reason TEXT NOT NULL,
    first_turns INTEGER NOT NULL,
    second_turns INTEGER NOT NULL,
    first_fuel TEXT NOT NULL,                       -- decimal
    second_fuel TEXT NOT NULL,
    faults TEXT,                                    -- JSON: seat, class, count, first turn, detail; none is NULL
    reproducible INTEGER NOT NULL,
    UNIQUE (first, second, game)
) STRICT;

-- What compressed transcripts refer to: one row, the first game's transcript as it is.
CREATE TABLE dictionary (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    bytes BLOB NOT NULL
) STRICT;

-- The games' transcripts, byte for byte the files that `--transcripts` writes, compressed by zstd.
CREATE TABLE transcript (
    game INTEGER PRIMARY KEY REFERENCES game,
    sha256 TEXT NOT NULL,     -- of the file, in hexadecimal
    size_bytes INTEGER NOT NULL,
    packed BLOB NOT NULL
) STRICT;

CREATE TRIGGER conditions_no_update BEFORE UPDATE ON conditions BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER conditions_no_delete BEFORE DELETE ON conditions BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER contestant_no_update BEFORE UPDATE ON contestant BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER contestant_no_delete BEFORE DELETE ON contestant BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER course_no_update BEFORE UPDATE ON course BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER course_no_delete BEFORE DELETE ON course BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER game_no_update BEFORE UPDATE ON game BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER game_no_delete BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER dictionary_no_update BEFORE UPDATE ON dictionary BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER dictionary_no_delete BEFORE DELETE ON dictionary BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER transcript_no_update BEFORE UPDATE ON transcript BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER transcript_no_delete BEFORE DELETE ON transcript BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
