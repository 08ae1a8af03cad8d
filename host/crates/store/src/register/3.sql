-- The number of the author's version that has replaced this one before it was judged. The state is 'refused' then.
ALTER TABLE version ADD COLUMN replaced_by INTEGER;

-- The fuel of a game of the version, by its trial games; 0 when it is not known.
ALTER TABLE version ADD COLUMN game_fuel INTEGER NOT NULL DEFAULT 0 CHECK (game_fuel >= 0);

-- The account of an author: the processor time that judging the author's versions has taken, in milliseconds, as it was in an hour,
-- counted from 1970.
ALTER TABLE author ADD COLUMN judged_ms INTEGER NOT NULL DEFAULT 0 CHECK (judged_ms >= 0);
ALTER TABLE author ADD COLUMN judged_hour INTEGER NOT NULL DEFAULT 0;

-- The time at which the component was deleted: its file is removed, and the version cannot play; NULL when it is kept.
ALTER TABLE version ADD COLUMN deleted_at TEXT;

-- The components that have begun to play in a season, with the bytes that their side of its games takes in the journal.
CREATE TABLE played (
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    season INTEGER NOT NULL REFERENCES season,
    bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    PRIMARY KEY (sha256, season)
) STRICT;

-- Those of earlier formats may have played.
INSERT INTO played (sha256, season) SELECT DISTINCT sha256, 1 FROM version WHERE state = 'admitted';
