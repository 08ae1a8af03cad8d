-- The reason why a version is paused: it was admitted, and does not play until it is submitted again.
ALTER TABLE version ADD COLUMN paused TEXT;

-- 1 if the author agrees that the component is published when a season in which it has played is over.
ALTER TABLE version ADD COLUMN published INTEGER NOT NULL DEFAULT 0 CHECK (published IN (0, 1));

-- The seasons, of which the one with the largest number is played. `frozen_at` is the time at which it was frozen: no bots are taken.
CREATE TABLE season (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    frozen_at TEXT
) STRICT;

INSERT INTO season (number) VALUES (1);

-- The time at which the component was deleted: its file is removed, and the version cannot play; NULL when it is kept.
ALTER TABLE version ADD COLUMN deleted_at TEXT;

-- The components that have begun to play in a season, with the bytes that their side of its games takes in the journal.
CREATE TABLE played (
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    season INTEGER NOT NULL REFERENCES season,
    bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    PRIMARY KEY (sha256, season)
) STRICT;

-- Those of the first format may have played.
INSERT INTO played (sha256, season) SELECT DISTINCT sha256, 1 FROM version WHERE state = 'admitted';
