-- Format 1.3 adds stages, so that bots come, change and leave, and a chain of hashes over all rows.

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

-- An earlier journal is one stage, by its latest settings, and has those in the table `settings`, which is not used any more.
INSERT INTO stage (number, settings) SELECT 1, settings FROM settings ORDER BY id DESC LIMIT 1;
INSERT INTO entrant (stage, place, bot, label) SELECT 1, number, number, label FROM bot WHERE EXISTS (SELECT 1 FROM stage) ORDER BY number;

-- The stage in which a game was played.
ALTER TABLE game ADD COLUMN stage INTEGER NOT NULL DEFAULT 1;

-- The chain: a link for each row, in the order in which rows were added. An earlier journal is chained when this format
-- begins.
CREATE TABLE link (
    number INTEGER PRIMARY KEY,    -- from 1
    kind TEXT NOT NULL,            -- conditions, bot, stage, entrant, dictionary, game or told-seed
    row INTEGER NOT NULL,          -- the number of the row
    sha256 TEXT NOT NULL           -- of the link before and the row, in hexadecimal
) STRICT;

CREATE TRIGGER stage_no_update BEFORE UPDATE ON stage BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER stage_no_delete BEFORE DELETE ON stage BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER entrant_no_update BEFORE UPDATE ON entrant BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER entrant_no_delete BEFORE DELETE ON entrant BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER link_no_update BEFORE UPDATE ON link BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER link_no_delete BEFORE DELETE ON link BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
