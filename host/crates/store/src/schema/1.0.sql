-- A journal, format 1.0. Rows are only added and never changed: the triggers at the end see to that.

-- The conditions of all games: one row.
CREATE TABLE conditions (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    arena TEXT NOT NULL,
    wasmtime TEXT NOT NULL,
    engine TEXT NOT NULL,
    rules TEXT NOT NULL,           -- JSON, as in a transcript's header
    fuel_per_turn TEXT NOT NULL,   -- decimal: SQLite's integers have a sign, and these have 64 bits without one
    memory_bytes TEXT NOT NULL,    -- decimal
    seed TEXT NOT NULL             -- decimal, or 64 hexadecimal digits
) STRICT;

-- The bots, numbered from 0 in the order in which they were named.
CREATE TABLE bot (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- The settings of the tournament's format, the latest last: JSON that only the arena's program reads.
CREATE TABLE settings (
    id INTEGER PRIMARY KEY,
    settings TEXT NOT NULL
) STRICT;

-- The games, in the order in which they were added.
CREATE TABLE game (
    number INTEGER PRIMARY KEY,
    first INTEGER NOT NULL REFERENCES bot,          -- in seat 1
    second INTEGER NOT NULL REFERENCES bot,         -- in seat 2
    pair INTEGER NOT NULL,                          -- the pair of games of these two, from 0
    game INTEGER NOT NULL,                          -- the game of these two, from 1
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
    faults TEXT NOT NULL,                           -- JSON: a list of seat, class, count, first turn and detail
    reproducible INTEGER NOT NULL,
    UNIQUE (first, second, game)
) STRICT;

-- The dictionary of the compressed transcripts: one row, the first game's transcript as it is.
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
CREATE TRIGGER bot_no_update BEFORE UPDATE ON bot BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER bot_no_delete BEFORE DELETE ON bot BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER settings_no_update BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER settings_no_delete BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER game_no_update BEFORE UPDATE ON game BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER game_no_delete BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER dictionary_no_update BEFORE UPDATE ON dictionary BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER dictionary_no_delete BEFORE DELETE ON dictionary BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER transcript_no_update BEFORE UPDATE ON transcript BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER transcript_no_delete BEFORE DELETE ON transcript BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
