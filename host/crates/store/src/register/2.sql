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
