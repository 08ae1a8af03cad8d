-- A journal. Rows are only added and never changed: the triggers at the end see to that.

-- The conditions of all games: one row.
CREATE TABLE conditions (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    arena TEXT NOT NULL,
    wasmtime TEXT NOT NULL,
    engine TEXT NOT NULL,
    rules TEXT NOT NULL,           -- JSON, as in a transcript's header
    fuel_per_turn TEXT NOT NULL,   -- decimal: SQLite's integers have a sign, and these have 64 bits without one
    memory_bytes TEXT NOT NULL,    -- decimal
    seed TEXT NOT NULL             -- decimal, or 64 hexadecimal digits, or `sha256:` and the hash of the 32 bytes of a secret one
) STRICT;

-- The bots, numbered from 0 in the order in which they were named.
CREATE TABLE bot (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- The stages of the season, from 1: from here on, these bots play by these settings.
CREATE TABLE stage (
    number INTEGER PRIMARY KEY,
    settings TEXT NOT NULL         -- JSON that only the arena's program reads
) STRICT;

-- The bots of each stage.
CREATE TABLE entrant (
    number INTEGER PRIMARY KEY,
    stage INTEGER NOT NULL REFERENCES stage,
    place INTEGER NOT NULL,        -- from 0, in the order in which they were named
    bot INTEGER NOT NULL REFERENCES bot,
    label TEXT NOT NULL,           -- in this stage
    UNIQUE (stage, place)
) STRICT;

-- The seeds of the stages, each drawn once its bots are known.
CREATE TABLE draw (
    number INTEGER PRIMARY KEY,    -- from 1
    stage INTEGER NOT NULL UNIQUE REFERENCES stage,
    seed TEXT NOT NULL,            -- as in the conditions: if that of the conditions is a hash, so is this
    beacon TEXT                    -- the public random value that was mixed in, if there was one
) STRICT;

-- The games, in the order in which they were added.
CREATE TABLE game (
    number INTEGER PRIMARY KEY,
    stage INTEGER NOT NULL REFERENCES stage,
    first INTEGER NOT NULL REFERENCES bot,          -- in seat 1
    second INTEGER NOT NULL REFERENCES bot,         -- in seat 2
    pair INTEGER NOT NULL,                          -- the pair of games of these two, from 0
    game INTEGER NOT NULL,                          -- the game of these two, from 1
    contract TEXT NOT NULL,                         -- of the bot in seat 1
    first_seed TEXT NOT NULL,                       -- hexadecimal, as in a transcript's header
    second_seed TEXT NOT NULL,
    fleet_seed TEXT NOT NULL,
    starter INTEGER NOT NULL,                       -- a seat, 1 or 2
    outcome TEXT NOT NULL,                          -- first, second, draw or no-contest
    reason TEXT NOT NULL,
    first_score INTEGER,                            -- both, or none in a game without scores and in one that does not count
    second_score INTEGER,
    first_turns INTEGER NOT NULL,
    second_turns INTEGER NOT NULL,
    first_fuel TEXT NOT NULL,                       -- decimal
    second_fuel TEXT NOT NULL,
    faults TEXT NOT NULL,                           -- JSON: a list of seat, class, count, first turn, detail and stack
    reproducible INTEGER NOT NULL,
    events BLOB NOT NULL,                           -- what the players answered: everything else follows by the rules
    UNIQUE (first, second, game)
) STRICT;

-- The secret seed of the season, revealed when it was closed: one row, or none before.
CREATE TABLE told_seed (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seed TEXT NOT NULL             -- decimal, or 64 hexadecimal digits
) STRICT;

-- The chain: a link for each row of the tables above, in the order in which rows were added.
CREATE TABLE link (
    number INTEGER PRIMARY KEY,    -- from 1
    kind TEXT NOT NULL,            -- conditions, bot, stage, entrant, draw, game or told-seed
    row INTEGER NOT NULL,          -- the number of the row
    sha256 BLOB NOT NULL           -- of the link before and the row
) STRICT;

-- The times at which the chain had a number of links: the rows after those were added then or later. For people: no result follows from it.
-- Each row has a link of a chain of its own.
CREATE TABLE clock (
    number INTEGER PRIMARY KEY,    -- from 1
    links INTEGER NOT NULL,        -- the number of links of the chain of games when it was written
    at TEXT NOT NULL,              -- UTC, as in 2026-01-31T12:00:00Z
    sha256 BLOB NOT NULL           -- the link
) STRICT;

-- The trail of the workers that have played on other machines: what the organiser and the coordinator did with them. Each row has a link of
-- a chain of its own: the same games make the same chain of games, whatever has happened to workers.
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
    sha256 BLOB NOT NULL           -- the link
) STRICT;

-- The code of a game that is loaded at run time, so that its games can be played again with this file alone. At most one row: the
-- conditions have the hash, and the chain has the conditions.
CREATE TABLE code (
    sha256 TEXT PRIMARY KEY,       -- of the bytes, in hexadecimal
    bytes BLOB NOT NULL            -- the component
) STRICT;

CREATE TRIGGER conditions_no_update BEFORE UPDATE ON conditions BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER conditions_no_delete BEFORE DELETE ON conditions BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER bot_no_update BEFORE UPDATE ON bot BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER bot_no_delete BEFORE DELETE ON bot BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER stage_no_update BEFORE UPDATE ON stage BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER stage_no_delete BEFORE DELETE ON stage BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER entrant_no_update BEFORE UPDATE ON entrant BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER entrant_no_delete BEFORE DELETE ON entrant BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER draw_no_update BEFORE UPDATE ON draw BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER draw_no_delete BEFORE DELETE ON draw BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER game_no_update BEFORE UPDATE ON game BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER game_no_delete BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER told_seed_no_update BEFORE UPDATE ON told_seed BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER told_seed_no_delete BEFORE DELETE ON told_seed BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER link_no_update BEFORE UPDATE ON link BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER link_no_delete BEFORE DELETE ON link BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER clock_no_update BEFORE UPDATE ON clock BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER clock_no_delete BEFORE DELETE ON clock BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER trail_no_update BEFORE UPDATE ON trail BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER trail_no_delete BEFORE DELETE ON trail BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER code_no_update BEFORE UPDATE ON code BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER code_no_delete BEFORE DELETE ON code BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
